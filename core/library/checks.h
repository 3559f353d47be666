/* SPDX-License-Identifier: MIT */
/*
 * Checks once whether each foreign file is sound (el_source_ops.check): small files when they are
 * opened, the others on a thread, smallest first, while probes go on. Sound files are remembered
 * (recall.h) by path, inode, size and date, and are not read again while these stay the same.
 *
 *     checks_open -> checks_begin (each source that is opened)
 *                 -> checks_follow (each catalogue that replaces another) -> checks_close
 */
#ifndef CORE_LIBRARY_CHECKS_H
#define CORE_LIBRARY_CHECKS_H

#include "catalogue.h"

struct checks;

/* `memory`: the file that remembers sound tables; null: nothing is remembered. */
enum el_status checks_open(const char *memory, struct checks **out, struct el_error *);
/* Stops the thread at once. Sources must no longer be probed. */
void checks_close(struct checks *);

/* EL_OK: the source is sound, or is checked later (el_source.check says which). Otherwise it must
   not be used: EL_DAMAGED, or why it could not be read. One thread at a time. */
enum el_status checks_begin(struct checks *, struct el_source *, struct el_error *);

/* From now on the thread checks the sources of this catalogue, and no others. */
void checks_follow(struct checks *, const struct catalogue *);

/* As el_library_check_fault. */
enum el_status checks_fault(struct checks *, struct el_error *);

#endif

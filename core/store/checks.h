/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether foreign files are sound, found out once for each (el_source_ops.check): small ones when
 * they are opened, the rest by a thread, the smallest first, while probes go on. What was found
 * sound is remembered (recall.h) by path, inode, size and date, and not read again while these stay
 * the same.
 *
 *     checks_open -> checks_begin (each source that is opened)
 *                 -> checks_follow (each catalogue that replaces another) -> checks_close
 */
#ifndef STORE_CHECKS_H
#define STORE_CHECKS_H

#include "catalogue.h"

struct checks;

/* `memory`: the file of what was found sound; null: nothing is remembered. */
enum el_status checks_open(const char *memory, struct checks **out, struct el_error *);
/* Stops the thread at once. Sources must not be probed any more. */
void checks_close(struct checks *);

/* EL_OK: the source is sound, or will be looked at later, as its state tells. Else it is not to be
   used: EL_DAMAGED, or why it could not be read. One thread at a time. */
enum el_status checks_begin(struct checks *, struct el_source *, struct el_error *);

/* From now on the thread looks at the sources of this catalogue, and at no others. */
void checks_follow(struct checks *, const struct catalogue *);

/* As el_library_check_fault. */
enum el_status checks_fault(struct checks *, struct el_error *);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A library in which one table is a copy with a known flaw, to show how flaws are found. The copy
 * is in a temporary folder, beside links to our tables of all other slices: what is built or
 * verified there changes nothing else.
 *
 *     el_flawed_open -> el_flawed_library ... -> el_flawed_remove -> el_flawed_close
 */
#ifndef CORE_LAB_FLAW_H
#define CORE_LAB_FLAW_H

#include "core/library/library.h"

struct el_flaw {
	enum {
		EL_FLAW_BIT,   /* one bit of the block with the position: its checksum tells */
		EL_FLAW_VALUE, /* the position has `value`: all checksums are right */
		EL_FLAW_ALL,   /* all positions of the slice have it */
	} kind;
	struct el_value value;
};

struct el_flawed;

/*
 * Copies the table of a legal position's slice under its game's metric. The library must stay open
 * only during the call. EL_NEGATIVE: no table, or too little memory for all its values; EL_USAGE:
 * the position is in no slice; EL_IO, EL_DAMAGED, EL_MEMORY, EL_STOPPED.
 */
enum el_status el_flawed_open(struct el_library *, const struct el_game *,
                              const struct el_position *, const struct el_flaw *,
                              const struct el_watch *, struct el_flawed **out, struct el_error *);
struct el_library *el_flawed_library(const struct el_flawed *);
/* Removes the folder: from now on answers may be errors. */
void el_flawed_remove(struct el_flawed *);
/* Removes the folder and closes the library; for null, nothing. */
void el_flawed_close(struct el_flawed *);

#endif

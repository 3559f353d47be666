/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory a solution takes, and whether there is as much. */
#ifndef ENDLAB_SOLVE_MEMORY_H
#define ENDLAB_SOLVE_MEMORY_H

#include "endlab/game.h"

/* Bytes at the peak of solving a slice all in memory, without what it is lent. */
uint64_t memory_of_solution(const struct el_slice *);
/* How memory is shared out where not all of a solution fits there. */
struct memory_share {
	uint64_t solution; /* bytes for it */
	uint64_t pieces;   /* for what it is lent in pieces (memory_is_large) */
};

/* EL_NEGATIVE where `memory` is too little even so. */
enum el_status memory_share_out(const struct el_slice *, uint64_t memory, struct memory_share *,
                                struct el_error *);
/* Of the bytes of a solution, those that pages may take, and how many desks (assembly.h) there are. */
struct memory_pages {
	uint64_t solving, writing;
	unsigned desks;
};

/* EL_NEGATIVE, with the least that is needed, where `memory` is too little. */
enum el_status memory_of_pages(const struct el_slice *, uint64_t memory, struct memory_pages *,
                               struct el_error *);
/* Of the planes that a slice is lent while another one is solved. */
uint64_t memory_of_loan(const struct el_slice *);
/* Are these too many to be lent whole where memory is scarce? */
bool memory_is_large(const struct el_slice *);
/* Of a solution, to which the planes that its conversions enter are lent. */
uint64_t memory_of_all(const struct el_slice *);
/* Bytes of scratch files, where not all of a solution fits in memory. */
uint64_t memory_of_scratch(const struct el_slice *);
/* EL_NEGATIVE, with both sizes told, when `bytes` are more than the machine has: a solution that
   cannot fit would be killed after a long time, and other programs with it. */
enum el_status memory_check(const struct el_slice *, uint64_t bytes, struct el_error *);

#endif

/* SPDX-License-Identifier: MIT */
/* How much memory a solution takes, and whether that is available. */
#ifndef CORE_SOLVE_MEMORY_H
#define CORE_SOLVE_MEMORY_H

#include "core/games/game.h"

/* Bytes at the peak of solving a slice entirely in memory, its planes too, without borrowed planes. */
uint64_t memory_of_solution(const struct el_slice *);
/* The same of a build, which makes large planes section by section as it writes them, not slower.
   `by_clock`: with the courses of all positions (clock.c). */
uint64_t memory_of_build(const struct el_slice *, bool by_clock);
bool memory_makes_planes(const struct el_slice *); /* or else in sections */
/* Is the slice so small that a symbol for each bit takes less time than a ledger? */
bool memory_keeps_symbols(const struct el_slice *);
/* The same of the rank that has most of a slice, which several solve, with what it borrows; their results
   are in files. */
struct shares_measure; /* shares.h */
uint64_t memory_of_rank(const struct el_slice *, const struct shares_measure *);
/* Bytes that so many ranks send each other, and those of them that rank 0 gets at the end. */
uint64_t memory_of_exchange(const struct el_slice *, const struct shares_measure *, unsigned ranks,
                            uint64_t *to_first);
/* How memory is divided when not all of a solution fits there. */
struct memory_share {
	uint64_t solution; /* bytes for the solution itself */
	uint64_t pieces;   /* bytes for planes that it borrows in pieces (memory_is_large) */
};

/* The least memory with which a slice can be solved, its sets on the disk. */
uint64_t memory_least(const struct el_slice *);
/* EL_NEGATIVE when `memory` is less than that. */
enum el_status memory_share_out(const struct el_slice *, uint64_t memory, struct memory_share *,
                                struct el_error *);
/* A solution's bytes for pages, while it is solved and while its planes are read, and the number of
   desks (assembly.h) that fit beside them. */
struct memory_pages {
	uint64_t solving, writing;
	unsigned desks;
};

/* EL_NEGATIVE, naming the minimum, when `memory` is too little. */
enum el_status memory_of_pages(const struct el_slice *, uint64_t memory, struct memory_pages *,
                               struct el_error *);
/* Bytes of a slice's planes when another solution borrows them. */
uint64_t memory_of_loan(const struct el_slice *);
/* The same of all slices that conversions enter. A lender that keeps so much also serves the slices
   below them, from which left-out sides are found. */
uint64_t memory_of_loans(const struct el_slice *);
/* Are these too many to lend the planes whole when memory is limited? */
bool memory_is_large(const struct el_slice *);
/* Bytes of a solution with the planes that its conversions enter. */
uint64_t memory_of_all(const struct el_slice *);
/* Bytes of scratch files, if a solution does not fit in memory; `by_clock` as above. */
uint64_t memory_of_scratch(const struct el_slice *, bool by_clock);
/* Bytes of memory that this process may have, used or not: memory in use may be freed. */
uint64_t memory_of_machine(void);
/* The memory, in bytes, that solutions may take by default: three quarters of what is free now. */
uint64_t memory_usual(void);
/* EL_NEGATIVE, naming `what` and both sizes, when that is less than `bytes`: a process that cannot fit
   would be killed after a long time, and others with it. */
enum el_status memory_check(const char *what, uint64_t bytes, struct el_error *);

#endif

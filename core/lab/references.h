/* SPDX-License-Identifier: MIT */
/* The size of a slice's values in a coder that knows only some of their neighbours. */
#ifndef CORE_LAB_REFERENCES_H
#define CORE_LAB_REFERENCES_H

#include "run.h"

/* With `derive`, leaves out positions whose value a capture gives. EL_MEMORY. */
enum el_status references_find(const struct el_planes *, bool derive, struct el_lab_references *out,
                               struct el_error *);

/* Adds those that take long, at the pace of a run. EL_MEMORY, EL_STOPPED. */
enum el_status references_slow(const struct el_planes *, bool derive, struct pace *,
                               struct el_lab_references *, struct el_error *);

/*
 * The cost in bits of symbols with their contexts: the empirical conditional entropy, and the cost
 * in a coder that learns on the way. keys[i] is context * symbols + symbol; the function sorts
 * them. `room` has space for as many. `values`: how many different symbols there are.
 */
struct context_cost {
	double fixed, adaptive;
	uint64_t contexts;
};
struct context_cost context_cost(uint64_t *keys, uint64_t *room, size_t count, uint64_t symbols,
                                 unsigned values);

#endif

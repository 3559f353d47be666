/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a slice's values take where a coder knows no more than some of their neighbours. */
#ifndef CORE_LAB_REFERENCES_H
#define CORE_LAB_REFERENCES_H

#include "lab.h"

/* With `derive`, positions whose value a capture has are left out. EL_MEMORY. */
enum el_status references_find(const struct el_planes *, bool derive, struct el_lab_references *out,
                               struct el_error *);

/*
 * Of symbols that each came with a context: the empirical conditional entropy, and what a coder
 * takes that learns on the way; both in bits. keys[i] is context * symbols + symbol; sorted here.
 * `room` has space for as many. `values`: how many different symbols there are.
 */
struct context_cost {
	double fixed, adaptive;
	uint64_t contexts;
};
struct context_cost context_cost(uint64_t *keys, uint64_t *room, size_t count, uint64_t symbols,
                                 unsigned values);

#endif

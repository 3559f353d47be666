/* SPDX-License-Identifier: MIT */
/*
 * What a pass finds, unit by unit. Late in a solution that is little of most units, and then a list.
 */
#ifndef CORE_SOLVE_FRONT_H
#define CORE_SOLVE_FRONT_H

#include "paged.h"

#include "core/games/sets.h"

struct front {
	struct paged pages;
	/* by unit, all owned: how many words are not zero; and, if they are few, these in ascending
	   order, else null, and they are in the page */
	uint32_t *words;
	struct el_word **few;
};

/* EL_MEMORY, without text. */
enum el_status front_open(struct front *, struct scratch *, const struct el_sets *);
void front_close(struct front *); /* all zeros are allowed */
/* Fills an empty unit from a bitmap, or from its nonzero words: up to `most` of them become a list,
   more (or if there is no memory for it) a page. */
void front_keep(struct front *, size_t unit, const uint64_t *set, size_t most);
void front_keep_words(struct front *, size_t unit, const struct el_word *, size_t count,
                      size_t most);
void front_empty(struct front *, size_t unit);
/* Moves a unit to another front of the same scratch, and leaves an empty one. */
void front_move(struct front *from, struct front *to, size_t unit);

#endif

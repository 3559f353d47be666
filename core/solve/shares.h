/* SPDX-License-Identifier: MIT */
/*
 * Who owns a unit. Alone, a program owns all of them; of several ranks (core/os/ranks.h) each owns
 * some, and has copies of what the moves of its own units lead to. So a pass stays what it is: it
 * reads own units and copies, writes own units, and then sends what it found in these to the ranks
 * that have copies of them. The sets are then the same as those of a program alone, pass by pass,
 * however many ranks there are. (Romein and Bal, "Solving Awari with parallel retrograde analysis", IEEE
 * Computer 36(10), 2003, pages 26-33, send a message for each update of a position; here a row of 64
 * positions is one.)
 */
#ifndef CORE_SOLVE_SHARES_H
#define CORE_SOLVE_SHARES_H

#include "ledger.h"

#include "core/os/ranks.h"

struct shares {
	struct ranks *ranks; /* null: this program is alone */
	const struct el_sets *sets;
	size_t first, end; /* own units */
	/* [side to move], unless alone: the other ranks that have a copy of own unit u, by its number
	   as el_sets.turn gives it, are to[at[u]] to to[at[u + 1] - 1]; owned */
	uint32_t *at[2];
	uint16_t *to[2];
	bool lacks_memory; /* something was not sent, or not kept: part_agree says so */
};

/* EL_MEMORY, without text. Every rank opens the same sets. */
enum el_status shares_open(struct shares *, struct ranks *, const struct el_sets *);
void shares_close(struct shares *); /* all zeros are allowed */
/* Has any other rank a copy of an own unit, by its number as above? */
static inline bool shares_wanted(const struct shares *s, unsigned side, size_t number)
{
	return s->at[side][number] < s->at[side][number + 1];
}

/* What each of so many ranks would have of a slice. */
struct shares_measure {
	/* Parts of all units, of the rank that has most: its own, and these with its copies. */
	double own, held;
	double sent;      /* the other ranks, on average, that have a copy of a unit */
	bool is_by_units; /* or else each rank has some of the families, and keeps all planes */
};

/* Looks at no values. EL_MEMORY. */
enum el_status shares_measure(const struct el_slice *, const struct el_metric *, unsigned ranks,
                              struct shares_measure *out, struct el_error *);

/* A bitmap on its way: `size` bytes of it follow, as an encoder wrote them. */
struct share {
	uint32_t unit, size;
	uint16_t from;      /* the rank that sends it */
	uint8_t kind, side; /* `kind`: for the caller's use */
	struct ledger_tag tag;
};

/* For the next exchange: to all that have a copy of an own unit, or any bytes to one rank. */
void shares_put(struct shares *, struct encoder *, const struct share *);
void shares_send(struct shares *, unsigned rank, const uint8_t *bytes, size_t size,
                 const struct share *);
/* Calls `put` for each of `items` items, and `take` for each share that comes, a few megabytes at a
   time. All ranks call it, each with items of its own. ORs `flags`, which may be null, with those of all.
   Does nothing alone. */
void shares_exchange(struct shares *, size_t items, uint32_t *flags, void *context,
                     void (*put)(void *context, size_t item),
                     void (*take)(void *context, const struct share *, const uint8_t *bytes));
/* ORs numbers with those of all ranks. */
void shares_unite(struct shares *, uint64_t *words, size_t count);

#endif

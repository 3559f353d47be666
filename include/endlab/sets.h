/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The positions of one slice as bitmaps, and the two operators of retrograde analysis on them.
 *
 * A set of positions is an array of `words` 64-bit words, one set for each side to move. How a
 * position maps to a bit, for each side to move, is the game's own business; it may give positions
 * that the table does not store (with a right to capture en passant) bits of their own. Sets hold
 * legal positions only.
 *
 * A move is *quiet* when it stays in the slice, a *conversion* when it leaves it. Conversions are
 * known before the first pass: they are a schedule of events, sorted by the ply at which each takes
 * effect.
 */
#ifndef ENDLAB_SETS_H
#define ENDLAB_SETS_H

#include "endlab/game.h"

/* `bits` of word `word` take effect at `ply`. */
struct el_event {
	uint64_t bits;
	uint32_t word;
	uint32_t ply;
};

struct el_schedule {
	struct el_event *events; /* sorted by ply */
	size_t count;
};

/* A part of a solution: what it decided, and how long it took. */
struct el_phase {
	char name[16];    /* "captures"; empty: no phase */
	uint64_t decided; /* positions that a table stores, whose outcome was known then */
	double seconds;
};

enum { EL_PHASES_MAX = 4 };

struct el_sets {
	const struct el_game *game;
	struct el_slice slice;
	/* 2; or 1 where a set of Black to move is that of White to move bit for bit, as the colours are
	   alike: then Black's sets, the second of each pair below, are not there. */
	unsigned sides;
	size_t words;        /* of one bitmap */
	size_t stored_words; /* the first words, whose positions the table stores */
	uint64_t *legal[2];  /* all positions with that side to move */
	uint64_t *lost[2];   /* of these: lost on the board, by the rules, with no move to make */
	uint64_t *stuck[2];  /* of these: no legal move at all (lost ones included) */
	uint64_t *blocked[2]; /* a conversion does not, or not yet, reach a win of the opponent: not a
	                         loss as long as this bit stands; cleared by `frees` */
	struct el_schedule wins[2];  /* a conversion makes the position a win in `ply` */
	struct el_schedule frees[2]; /* from `ply` on, every conversion reaches a win of the opponent */
	struct el_phase phase[EL_PHASES_MAX]; /* what went before the first pass; the last is unnamed */

	/* from = the positions in `among`, a set of `side`, some quiet move of which leads into `to`.
	   `from` may be `among` itself. */
	void (*pre_some)(const struct el_sets *, unsigned side, const uint64_t *to,
	                 const uint64_t *among, uint64_t *from);
	/* The same for: all quiet moves of which lead into `to`. */
	void (*pre_all)(const struct el_sets *, unsigned side, const uint64_t *to,
	                const uint64_t *among, uint64_t *from);
	/* by_index[i] = by_bit[the bit of index i with `side` to move]; `broken` for indexes that stand
	   for a position with a smaller index. Where a bit is no legal position, by_bit must say so
	   itself. */
	enum el_status (*gather)(const struct el_sets *, unsigned side, const uint16_t *by_bit,
	                         uint16_t broken, uint16_t *by_index, struct el_error *);
	void (*close)(struct el_sets *);
};

#endif

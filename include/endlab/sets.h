/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The positions of one slice, or of a part of it, as bitmaps, and the two operators of retrograde
 * analysis on them.
 *
 * A set of positions is an array of `words` 64-bit words, one set for each side to move. How a
 * position maps to a bit, for each side to move, is the game's own business; it may give positions
 * that the table does not store (with a right to capture en passant) bits of their own. Sets hold
 * legal positions only.
 *
 * A move that ends the count of the metric (el_move_ends) is a *conversion*, any other is *quiet*.
 * Conversions are known before the first pass: they are a schedule of events, sorted by the ply at
 * which each takes effect.
 *
 * Where a move may end the count and stay in the slice, the slice falls apart into *parts* that quiet
 * moves do not leave: in chess, under a metric that counts to a zeroing move, one for each placement
 * of the pawns. A conversion from one part to another of the slice leads to an earlier one of the
 * same *family*; families have nothing to do with each other.
 */
#ifndef ENDLAB_SETS_H
#define ENDLAB_SETS_H

#include "endlab/game.h"

/*
 * `bits` of word `word` take effect at `ply`; under metrics whose count ends with a zeroing move, from
 * the level `ply` on. A level is a limit under which a position is won: under dtr that limit in plies;
 * under a rule EL_LEVEL_IN_TIME, or EL_LEVEL_LATE for what only a cursed win or a blessed loss brings; else
 * EL_LEVEL_IN_TIME.
 */
struct el_event {
	uint64_t bits;
	uint32_t word;
	uint32_t ply;
};

enum { EL_LEVEL_IN_TIME = 1, EL_LEVEL_LATE = 2, EL_LEVEL_ALL = UINT16_MAX };

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
	                         loss until `frees` says so */
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
	   itself. Of a part, only the indexes that belong to it are written. */
	enum el_status (*gather)(const struct el_sets *, unsigned side, const uint16_t *by_bit,
	                         uint16_t broken, uint16_t *by_index, struct el_error *);
	void (*close)(struct el_sets *);
};

/* What has been found of a part: of each bit of its sets, [side] to move, a symbol; 0: no position. */
struct el_found {
	uint16_t *symbol[2];
};

/* What the symbols of all parts mean, [side]. */
struct el_meanings {
	const struct el_value *values[2];
	uint32_t count[2];
};

/* How a slice is solved: by families, part by part, the earlier ones first. */
struct el_division {
	size_t families, parts; /* `parts`: of each family; some may be empty */
	size_t part_words;      /* of a bitmap of a part, without positions that tables do not store */
	/* The sets of a part, given what the earlier ones of its family hold; null when it is empty.
	   Families may be worked on by several threads at once. */
	enum el_status (*open)(struct el_division *, const struct el_problem *, size_t family,
	                       size_t part, const struct el_found *earlier,
	                       const struct el_meanings *, struct el_sets **, struct el_error *);
	void (*close)(struct el_division *);
};

#endif

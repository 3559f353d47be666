/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The positions of one slice, or of a part of it, as bitmaps, and the two operators of retrograde
 * analysis on them.
 *
 * A set of positions with one side to move is a number of *units*, each a bitmap of `words` 64-bit
 * words. A unit is what is worked on at a time, and all that has to be in memory for it are the units
 * that its quiet moves lead to: in chess a king slice, in draughts a block of placements of one side
 * against a block of the other's. How a position maps to a unit and a bit, for each side to move, is
 * the game's own business; it may give positions that the table does not store (with a right to
 * capture en passant) bits of their own. Sets hold legal positions only.
 *
 * A move that ends the count of the metric (el_move_ends) is a *conversion*, any other is *quiet*.
 * Conversions are known before the first pass: they are events, each with the ply at which it takes
 * effect.
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
 * `bits` of word `word` of a unit take effect at `ply`; under metrics whose count ends with a zeroing
 * move, from the level `ply` on. A level is a limit under which a position is won: under dtr that limit
 * in plies; under a rule EL_LEVEL_IN_TIME, or EL_LEVEL_LATE for what only a cursed win or a blessed loss
 * brings; in stones el_level_of_stones; else EL_LEVEL_IN_TIME.
 */
struct el_event {
	uint64_t bits;
	uint32_t word;
	uint32_t ply;
};

enum { EL_LEVEL_IN_TIME = 1, EL_LEVEL_LATE = 2, EL_LEVEL_ALL = UINT16_MAX };

/* Gains and losses of so many stones, from 1 up: those of all stones of a slice come first. And back. */
static inline unsigned el_level_of_stones(const struct el_slice *slice, unsigned stones)
{
	return slice->pieces + 1u - stones;
}

/* Events in any order; owned by whoever made them. A word may come several times at one ply, with
   other bits. */
struct el_events {
	struct el_event *events;
	size_t count, capacity;
};

enum {
	EL_PHASES_MAX = 4,
	EL_LINKS_MAX = 64, /* units that a unit, or a section, has to do with */
};

/* A part of a solution: what it decided, and how long it took. */
struct el_phase {
	char name[16];    /* "captures"; empty: no phase */
	uint64_t decided; /* positions that a table stores, whose outcome was known then */
	double seconds;
};

/* What is known of a unit before the first pass. */
struct el_unit {
	uint64_t *legal;        /* all positions with that side to move; `words` words */
	uint64_t *blocked;      /* of these: a conversion does not, or not yet, reach a win of the
	                           opponent: not a loss until `frees` says so */
	struct el_events wins;  /* a conversion makes the position a win in `ply` */
	struct el_events frees; /* from `ply` on, every conversion reaches a win of the opponent */
	/* Of each of the game's phases, what it decided and how long this thread took. */
	uint64_t decided[EL_PHASES_MAX];
	double seconds[EL_PHASES_MAX];
};

struct el_sets {
	const struct el_game *game;
	struct el_slice slice;
	/* 2; or 1 where a set of Black to move is that of White to move bit for bit, as the colours are
	   alike: then there are no sets of Black to move. */
	unsigned sides;
	size_t units;        /* of each side to move */
	size_t words;        /* of a unit, at least 1 */
	size_t stored_words; /* the first of these, whose positions the table stores */
	size_t sections;     /* of the index: see `section` */
	size_t scratch;      /* bytes that `begin`, `pre_some` and `pre_none` need beside; see there */
	/* What `begin` goes through, in order: "conversions"; the last is null. */
	const char *phases[EL_PHASES_MAX];

	/*
	 * Every member but `close` may be called by several threads at once, for one unit or several.
	 * `scratch` belongs to the calling thread, and may hold anything; it and all bitmaps are aligned to
	 * 64 bytes.
	 */

	/* Fills in a unit with `side` to move; it is all empty when it is called. EL_MEMORY; EL_DAMAGED where a conversion enters a position without a value. */
	enum el_status (*begin)(const struct el_sets *, unsigned side, size_t unit, struct el_unit *,
	                        void *scratch, struct el_error *);
	/* Of positions of `side` that have no legal move at all: takes out those that are not lost. Null
	   where all are. */
	void (*lost)(const struct el_sets *, unsigned side, size_t unit, uint64_t *stuck);
	/* Null: the same bitmap. Else `out` is a unit with `side` to move as the other side's operators read
	   it, and the answer its number there. */
	size_t (*turn)(const struct el_sets *, unsigned side, size_t unit, const uint64_t *set,
	               uint64_t *out);
	/* The units, with the other side to move and as `turn` has them, that quiet moves of `side` from
	   a unit lead to. One may come twice. Returns how many. */
	size_t (*links)(const struct el_sets *, unsigned side, size_t unit,
	                uint32_t out[EL_LINKS_MAX]);
	/* from = the positions of a unit in `among` some quiet move of which leads into a set, of which
	   to[i] is unit i of `links`, or null where that is empty. `from` may be `among` itself. */
	void (*pre_some)(const struct el_sets *, unsigned side, size_t unit,
	                 const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among,
	                 uint64_t *from, void *scratch);
	/* The same for: no quiet move of which leads into the set. All quiet moves lead into S where none
	   leads to a legal position outside S: that is how the solver asks for it. */
	void (*pre_none)(const struct el_sets *, unsigned side, size_t unit,
	                 const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among,
	                 uint64_t *from, void *scratch);

	/* The index in pieces: the first index of a section, which reaches up to that of the next one;
	   slice.positions for `sections`. */
	uint64_t (*section)(const struct el_sets *, size_t section);
	/* The units with `side` to move in which the positions of a section are. Returns how many. */
	size_t (*section_units)(const struct el_sets *, unsigned side, size_t section,
	                        uint32_t out[EL_LINKS_MAX]);
	/* by_index[i] = the symbol of the bit of index (first of the section) + i with `side` to move, where
	   by_bit[k] has those of unit k of `section_units`, 64 * stored_words of them; 0 for indexes
	   that stand for a position with a smaller index. Where a bit is no legal position, by_bit must
	   say so itself. Of a part, only the indexes that belong to it are written. */
	void (*gather)(const struct el_sets *, unsigned side, size_t section,
	               const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index);
	void (*close)(struct el_sets *);
};

/* What has been found of the parts of a family, for those that come later. */
struct el_found {
	void *context;
	/* Of each bit of a unit of a part, [side] to move, a symbol; 0: no position. Valid until it is given
	   back; null: the part is empty. Several threads at once. */
	const uint16_t *(*look)(void *context, size_t part, unsigned side, size_t unit);
	void (*give_back)(void *context, size_t part, unsigned side, size_t unit);
};

/* What the symbols of all parts mean, [side]. */
struct el_meanings {
	const struct el_value *values[2];
	uint32_t count[2];
};

/* How a slice is solved: by families, part by part, the earlier ones first. */
struct el_division {
	size_t families, parts; /* `parts`: of each family; some may be empty */
	size_t part_words;      /* of all units of a part together, but for what tables do not store */
	/* The sets of a part, given what the earlier ones of its family hold; null when it is empty. `found`
	   and the meanings are valid until the sets are closed. Families may be worked on by several
	   threads at once. */
	enum el_status (*open)(struct el_division *, const struct el_problem *, size_t family,
	                       size_t part, const struct el_found *earlier,
	                       const struct el_meanings *, struct el_sets **, struct el_error *);
	/* Every unit of a part has been begun: what that took can be let go. May be null. */
	void (*begun)(struct el_division *, struct el_sets *);
	void (*close)(struct el_division *);
};

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The positions of a slice, or of a part of it, as bitmaps, and the two operators of retrograde
 * analysis on them.
 *
 * A set of positions with one side to move consists of *units*, each a bitmap of `words` 64-bit
 * words. The solver works on one unit at a time, and needs in memory only the units that quiet
 * moves lead to from there. In chess a unit is a king slice, in draughts a block of placements of
 * one side against a block of the other's. The game alone knows which bit of which unit stands for
 * a position, with either side to move. Positions that tables do not store (with a right to capture
 * en passant) may have bits of their own. Sets hold legal positions only.
 *
 * A move that ends the count of the metric (el_move_ends) is a *conversion*; any other move is
 * *quiet*. Conversions are known before the first pass: they are events, each with the ply at which
 * it takes effect.
 *
 * If a move may end the count and stay in the slice, the slice divides into *parts*, which quiet
 * moves do not leave: in chess, under a metric that counts to a zeroing move, one part for each
 * placement of the pawns. Parts connected by conversions form a *family*. Such a conversion leads
 * to an earlier part of its family; families are independent of each other.
 */
#ifndef CORE_GAMES_SETS_H
#define CORE_GAMES_SETS_H

#include "game.h"

/*
 * `bits` of word `word` of a unit take effect at `ply`, or, if the rule takes the win away under a
 * metric that asks for the clock, at EL_PLY_LATE. Under other metrics whose count ends with a
 * zeroing move, `ply` is a threshold. A threshold is a limit under which a position is won: under
 * dtr the limit in plies; under a rule EL_THRESHOLD_IN_TIME, or EL_THRESHOLD_LATE if only a cursed
 * win or a blessed loss follows; with stones el_threshold_of_stones; else EL_THRESHOLD_IN_TIME.
 */
struct el_event {
	uint64_t bits;
	uint32_t word;
	uint32_t ply;
};

enum { EL_THRESHOLD_IN_TIME = 1, EL_THRESHOLD_LATE = 2, EL_THRESHOLD_ALL = UINT16_MAX };
enum { EL_PLY_LATE = EL_PLIES_MAX };

/* The threshold, from 1 up, at which so many stones are won or lost, and the inverse: more stones
   have a lower threshold. */
static inline unsigned el_threshold_of_stones(const struct el_slice *slice, unsigned stones)
{
	return slice->pieces + 1u - stones;
}

/* Events in any order, owned by whoever made them. A word may have several events at one ply, with
   different bits. */
struct el_events {
	struct el_event *events;
	size_t count, capacity;
};

enum {
	EL_STAGES_MAX = 4,
	/* units that quiet moves lead to from a unit, or that a section lies in */
	EL_LINKS_MAX = 64,
};

/* A stage of a solution, such as looking up its captures, or its passes: how many positions it
   decided, and how long it took. */
struct el_stage {
	char name[16];    /* "captures"; empty: no stage */
	uint64_t decided; /* positions that tables store and whose outcome it found */
	double seconds;
};

/* What is known about a unit before the first pass. */
struct el_unit {
	uint64_t *legal; /* all positions with that side to move; `words` words */
	/* legal positions with a conversion that (so far) does not lose: not lost until a `frees`
	   event releases them */
	uint64_t *blocked;
	struct el_events wins;  /* from `ply` on, a conversion wins */
	struct el_events frees; /* from `ply` on, every conversion loses */
	/* For each of the game's stages: how many positions it decided, and how long this thread
	   took. */
	uint64_t decided[EL_STAGES_MAX];
	double seconds[EL_STAGES_MAX];
	/* Stores the events so far and empties both lists, for a unit with many; null: the caller wants
	   them all at once. EL_MEMORY. */
	enum el_status (*keep)(struct el_unit *);
	void *keeper;
};

/* A word of a bitmap. */
struct el_word {
	uint64_t bits;
	uint32_t word;
};

struct el_sets {
	const struct el_game *game;
	struct el_slice slice;
	/* 2; or 1 if the colours are alike, so that a set with Black to move would be bit for bit
	   the same as with White to move: there are then no sets with Black to move. */
	unsigned sides;
	size_t units;        /* with each side to move */
	size_t words;        /* of a unit, at least 1; of the largest, if `unit_words` is set */
	size_t stored_words; /* of positions that tables store; they come first */
	/* The words of a unit, or of the one that `turn` gives that number, if units differ in size and
	   tables store them whole; else null. */
	size_t (*unit_words)(const struct el_sets *, size_t unit);
	size_t sections; /* of the index: see `section` */
	/* bytes that `begin` and `pre` need as scratch memory */
	size_t scratch;
	/* The stages of `begin`, in order: "conversions"; null past the last. */
	const char *stages[EL_STAGES_MAX];
	/* Of a frame (frames.h): for the `begin` of whoever solves it. */
	const void *context;

	/*
	 * Several threads may call any member except `close` at once, for the same unit or for
	 * several. `scratch` belongs to the calling thread and may hold anything; like all bitmaps
	 * it is aligned to 64 bytes.
	 */

	/* Fills in what is known about a unit with `side` to move, which must be empty. EL_MEMORY;
	   EL_DAMAGED if a conversion enters a position without a value; or the lender's error. */
	enum el_status (*begin)(const struct el_sets *, unsigned side, size_t unit,
	                        struct el_unit *, void *scratch, struct el_error *);
	/* Removes from `stuck`, the positions of `side` without a legal move, those that are not
	   lost. Null: all are lost. */
	void (*lost)(const struct el_sets *, unsigned side, size_t unit, uint64_t *stuck);
	/* Translates the set of a unit with `side` to move for the other side's operators: writes
	   that bitmap to `out` and returns the unit's number there. Null: bitmap and number are the
	   same. */
	size_t (*turn)(const struct el_sets *, unsigned side, size_t unit, const uint64_t *set,
	               uint64_t *out);
	/* The units, with the other side to move and numbered as by `turn`, that quiet moves of
	   `side` reach from a unit. A unit may occur twice. Returns how many. */
	size_t (*links)(const struct el_sets *, unsigned side, size_t unit,
	                uint32_t out[EL_LINKS_MAX]);
	/* from = the positions of a unit, among those in `among`, with some quiet move into a set or,
	   unless `some` is set, with none: the solver passes the legal positions outside S to find
	   those whose quiet moves all lead into S. to[i] is the set's unit links[i], null if that is
	   empty. `from` may be `among` itself. */
	void (*pre)(const struct el_sets *, unsigned side, size_t unit,
	            const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
	            uint64_t *from, void *scratch);

	/*
	 * The operators for sets of few words, in ascending order. Optional, both or neither; there
	 * is then no `turn`. `some_few`: ORs into `from` the positions of a unit, legal or not, with
	 * some quiet move into words of the set's unit links[link], and marks the words that it
	 * changes: bit w % 64 of marks[w / 64]. `none_few`: as `pre` for none; bits may become 0.
	 */
	void (*some_few)(const struct el_sets *, unsigned side, size_t unit, size_t link,
	                 const struct el_word *to, size_t count, uint64_t *from, uint64_t *marks);
	void (*none_few)(const struct el_sets *, unsigned side, size_t unit,
	                 const uint64_t *const to[EL_LINKS_MAX], struct el_word *among,
	                 size_t count);

	/*
	 * Optional, both or neither (null: the game has no operators on regions of its board).
	 * `images`: the squares that the symmetries of the index map a square to, itself among
	 * them. `keep`: removes from the set of a unit with `side` to move the positions in which
	 * some piece of `owner`, of a kind whose bit is in `kinds`, stands outside `squares`, a set
	 * that contains the images of each of its squares.
	 */
	uint64_t (*images)(const struct el_sets *, unsigned square);
	void (*keep)(const struct el_sets *, unsigned side, size_t unit, unsigned owner,
	             unsigned kinds, uint64_t squares, uint64_t *set);

	/* The index is read in sections. Returns the first index of a section, which ends where the
	   next begins; slice.positions for number `sections`. */
	uint64_t (*section)(const struct el_sets *, size_t section);
	/* The units with `side` to move that hold the positions of a section. Returns how many. */
	size_t (*section_units)(const struct el_sets *, unsigned side, size_t section,
	                        uint32_t out[EL_LINKS_MAX]);
	/* Reorders symbols from bits to indexes: by_index[i] becomes the symbol of the section's
	   index number i with `side` to move. by_bit[k] holds the symbols of unit k of
	   `section_units`, 64 * stored_words of them, 0 for bits without a legal position. An index
	   whose position also has a smaller index gets 0. For a part, only its own indexes are
	   written. */
	void (*gather)(const struct el_sets *, unsigned side, size_t section,
	               const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index);
	void (*close)(struct el_sets *);
};

/* The words of a unit, and those of positions that tables store. */
static inline size_t el_sets_words(const struct el_sets *sets, size_t unit)
{
	return sets->unit_words ? sets->unit_words(sets, unit) : sets->words;
}

static inline size_t el_sets_stored(const struct el_sets *sets, size_t unit)
{
	return sets->unit_words ? sets->unit_words(sets, unit) : sets->stored_words;
}

/* The results of the earlier parts of a family. */
struct el_found {
	void *context;
	/* A symbol for each bit of a unit of a part with `side` to move; 0: no position. Null: the
	   part is empty. Valid until given back. Several threads may call this at once. */
	const uint16_t *(*look)(void *context, size_t part, unsigned side, size_t unit);
	void (*give_back)(void *context, size_t part, unsigned side, size_t unit);
};

/* The value that each symbol stands for in all parts, by side to move. */
struct el_meanings {
	const struct el_value *values[2];
	uint32_t count[2];
};

/* How a slice is solved: family by family, and in each the earlier parts first. */
struct el_division {
	size_t families, parts; /* `parts`: of each family; some may be empty */
	/* of all units of a part together, without positions that tables do not store */
	size_t part_words;
	/* Opens the sets of a part, null if it is empty. `earlier` and the meanings give the
	   results of the family's earlier parts, and are valid until the sets are closed. Several
	   threads may work on different families at once. */
	enum el_status (*open)(struct el_division *, const struct el_problem *, size_t family,
	                       size_t part, const struct el_found *earlier,
	                       const struct el_meanings *, struct el_sets **, struct el_error *);
	/* Called when every unit of a part has been begun: releases what only that needed. May be
	   null. */
	void (*begun)(struct el_division *, struct el_sets *);
	void (*close)(struct el_division *);
};

#endif

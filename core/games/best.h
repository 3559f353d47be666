/* SPDX-License-Identifier: MIT */
/*
 * The value of the best move of each position, in bulk: the way of the game, from a position to
 * its successors, where the set operators (sets.h) go from a set to its predecessors. A proof of a
 * table asks here, so this shares no code with the solver; both know the rules of the game.
 *
 * Values are *scores*: numbers in the order of el_value_compare, from 1 up, so that the best move is
 * the one with the greatest. Only exact values have scores, and no phases: a table with bounds, or
 * under dtr, is proved position by position.
 *
 *     el_best_open -> section, of, ... by any number of threads -> el_best_close
 */
#ifndef CORE_GAMES_BEST_H
#define CORE_GAMES_BEST_H

#include "lent.h"

enum {
	BEST_BROKEN = -1, /* the index has no legal position */
	BEST_STUCK = 0,   /* no legal move; in score tables, no score */
	BEST_HOLE =
		INT16_MAX, /* a move leads to a position that should have a value and has none */
};

struct el_best_problem {
	/* the table under proof, whole in memory or lent by `lender` */
	const struct el_planes *planes;
	/* of the slices that moves enter; null for captures alone, if they are forced: each then counts
	   as a won game */
	const struct el_lender *lender;
	enum el_best_moves {
		BEST_ALL,
		/* Captures alone: a position without one is BEST_STUCK. The symbols of the planes are
		   not looked at. */
		BEST_CAPTURES,
		/* Moves that end the count alone, under a metric that counts to a zeroing move (el_game.zeroing),
		   without those after which a pawn may be captured en passant. Only the outcomes of the
		   planes are looked at. */
		BEST_ZEROING,
	} moves;
};

/* Where a move to another slice leads. */
#define BEST_LEAVES UINT64_MAX

/* A move of a game with stones: the index that it leads to, or BEST_LEAVES, and its score. */
struct best_move {
	uint64_t to;
	int16_t score;
};

/* Who looks at the moves of positions. */
struct best_visitor {
	const uint64_t *among; /* bit i: the visitor asks for the section's index number i */
	void (*visit)(void *context, uint64_t index, const struct best_move *, size_t count);
	void *context;
};

static inline bool best_asks(const struct best_visitor *visitor, uint64_t number)
{
	return visitor->among[number / 64] >> number % 64 & 1;
}

/* The planes that moves lead to, and the score of a move to each of their symbols, by plane. */
struct best_entered {
	const struct el_planes *planes; /* null: none */
	int16_t *score[2];              /* owned */
	/* symbols requested at a time where not all are in memory; initially LENT_COUNT */
	size_t piece;
};

/* What all moves lead to. */
struct best_reached {
	const struct el_best_problem *problem; /* borrowed */
	struct best_entered quiet;             /* of the slice itself */
	struct best_entered ended; /* the same, by a move that ends the count and stays */
	struct best_entered entered[EL_SUCCESSORS_MAX]; /* in the order of el_game.successors */
	size_t count;
	int16_t drawn; /* the score of a move to a position in which nobody can win */
	int16_t won;   /* that of a move after which the opponent has lost, in no slice */
};

struct el_best {
	const struct el_best_problem *problem; /* borrowed */
	size_t sections;                       /* of the index */
	size_t longest;                        /* indexes of the longest section */
	/* If the planes are lent without symbols: the size of the pieces to request (el_lender.look).
	   Each section lies in one. */
	size_t piece;
	size_t scratch; /* bytes that `of` needs as scratch memory */
	struct best_reached reached;
	/* The first index of a section, which ends where the next begins; slice.positions for
	   number `sections`. */
	uint64_t (*section)(const struct el_best *, size_t section);
	/* For each index of a section with `side` to move: the score of its best move (el_value_of_move)
	   under the metric of the planes, or BEST_BROKEN, BEST_STUCK or BEST_HOLE. `scratch` belongs to the
	   calling thread, is aligned to 64 bytes and may hold anything. The error of the lender. */
	enum el_status (*of)(const struct el_best *, unsigned side, size_t section, int16_t *out,
	                     void *scratch, struct el_error *);
	/* Under a metric that adds up (el_value_kind), whose slices have one plane; else null:
	   shows the moves of the positions of a section that the visitor asks for. */
	enum el_status (*show)(const struct el_best *, size_t section, const struct best_visitor *,
	                       void *scratch, struct el_error *);
	/* Frees what the game owns besides, if it has got that far; may be null. */
	void (*close)(struct el_best *);
};

/* With the game's own operators (el_game.best), or from its moves, its rules and its index alone.
   EL_NEGATIVE if a table is missing, or if a value has no score; EL_MEMORY; the error of the
   lender. */
enum el_status el_best_open(const struct el_best_problem *, struct el_best **, struct el_error *);
/* The latter for any game. Slow: each position is set up, and each of its moves played. */
enum el_status plain_best_open(const struct el_best_problem *, struct el_best **,
                               struct el_error *);
void el_best_close(struct el_best *); /* null is allowed */

/* What threads call `of` with, and what planes score: those under proof or, if only their outcomes are
   lent, those that these belong to. */
struct best_team {
	unsigned threads;
	int16_t **out;   /* by thread: room for the longest section */
	void **scratch;  /* by thread */
	int16_t *own[2]; /* by plane and symbol; NO_SCORE for EL_BROKEN */
};
enum { NO_SCORE = -2 }; /* no position has it */

/* EL_MEMORY, with all that there is to close. */
enum el_status best_team_open(struct best_team *, const struct el_best *, const struct el_planes *,
                              unsigned threads, struct el_error *);
void best_team_close(struct best_team *);

/* The symbols of a section of the planes under proof; let them go. Null if they cannot be read:
   el_lender.check tells why. */
const uint16_t *best_symbols(const struct el_best *, unsigned side, size_t section);
void best_let_go(const struct el_best *, unsigned side, size_t section);

/* ---- for the games ---- */

/* The score of a value, BEST_HOLE if it is broken, BEST_STUCK if it has none; and back. */
int16_t best_score(const struct el_metric *, struct el_value);
struct el_value best_value(const struct el_metric *, int16_t score);

/*
 * Makes `size` bytes of operators, zeros after a copy of `members`: of, scratch and, if sections are not
 * those of best_section, all that says which they are. Borrows the slices that moves enter, and
 * scores their values. Errors as el_best_open.
 */
enum el_status best_make(const struct el_best_problem *, size_t size, const struct el_best *members,
                         struct el_best **, struct el_error *);
/* The slice entered that has this key; null: there is none. */
const struct best_entered *best_entered_find(const struct best_reached *, uint64_t key);
/* The score of a legal move. Sets *to as best_move.to, if it is not null; sets *is_unread if a value
   cannot be read. */
int16_t best_of_move(const struct best_reached *, const struct el_position *,
                     const struct el_move *, struct lent *, bool *is_unread, uint64_t *to);
/* The score of the best move of a legal position, of any game, with any rights; BEST_STUCK if it
   has no move. */
int16_t best_of_position(const struct best_reached *, const struct el_position *, struct lent *,
                         bool *is_unread);

/* The symbol of an index; null if it cannot be read. */
static inline const uint16_t *best_symbol(const struct best_entered *e, unsigned plane,
                                          uint64_t index, struct lent *lent)
{
	const uint16_t *symbols = e->planes->plane[plane].symbols;
	if (!symbols) {
		symbols = lent_look(lent, e->planes, plane, index / e->piece * e->piece, e->piece);
		index %= e->piece;
	}
	return symbols ? symbols + index : NULL;
}

/* The score of a move to an index. Sets *is_unread if it cannot be read. */
static inline int16_t best_at(const struct best_entered *e, unsigned plane, uint64_t index,
                              struct lent *lent, bool *is_unread)
{
	const uint16_t *symbol = best_symbol(e, plane, index, lent);
	*is_unread |= !symbol;
	return symbol ? e->score[plane][*symbol] : BEST_STUCK;
}

/* What a thread reads scores with. Those that wait are read together: memory far away then takes
   little longer for all of them than for one. */
enum { BEST_WAITING = 64 };
struct best_reader {
	struct lent lent;
	bool is_unread; /* something could not be read */
	unsigned waiting;
	struct best_waiting {
		const uint16_t *symbol;
		const int16_t *score; /* by symbol */
		int16_t *best;        /* becomes the score, if that is greater */
	} wait[BEST_WAITING];
};

static inline void best_reader_open(struct best_reader *r, const struct el_best_problem *problem)
{
	r->lent = (struct lent){.lender = problem->lender};
	r->is_unread = false;
	r->waiting = 0;
}

/* The score of a move to an index. */
static inline int16_t best_look(struct best_reader *r, const struct best_entered *e, unsigned plane,
                                uint64_t index)
{
	return best_at(e, plane, index, &r->lent, &r->is_unread);
}

static inline void best_raise(int16_t *best, int16_t score)
{
	*best = score > *best ? score : *best;
}

/* Reads all that wait. */
static inline void best_settle(struct best_reader *r)
{
	for (unsigned i = 0; i < r->waiting; i++)
		best_raise(r->wait[i].best, r->wait[i].score[*r->wait[i].symbol]);
	r->waiting = 0;
}

/* Raises a score to that of a move to an index, at once or when what waits is read. */
static inline void best_add(struct best_reader *r, const struct best_entered *e, unsigned plane,
                            uint64_t index, int16_t *best)
{
	const uint16_t *symbols = e->planes->plane[plane].symbols;
	if (!symbols) {
		best_raise(best, best_look(r, e, plane, index));
		return;
	}
	__builtin_prefetch(symbols + index);
	r->wait[r->waiting++] = (struct best_waiting){symbols + index, e->score[plane], best};
	if (r->waiting == BEST_WAITING)
		best_settle(r);
}

/* Reads what waits and lets go of everything. */
enum el_status best_reader_close(struct best_reader *, struct el_error *);

/* el_best.section for sections of BEST_SECTION indexes. */
enum { BEST_SECTION = 2048 };
uint64_t best_section(const struct el_best *, size_t section);

#endif

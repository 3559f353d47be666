/* SPDX-License-Identifier: MIT */
/*
 * The best move of each position. Positions are visited in the order of their indexes, from one
 * placement of a group of pieces to the next, all in White's view (checkers.h). In a slice with the same
 * material on both sides, only White to move is stored: there each position is seen with its
 * colours swapped, and Black moves, so that the position after a quiet move is stored as it stands.
 */
#include "core/games/best.h"

#include "index.h"

/* What a move to another slice enters. */
struct way {
	const struct best_entered *entered; /* null: the opponent has no pieces left */
	struct checkers_shape shape;
	unsigned plane;
	bool swapped; /* its White is Black */
};

struct checkers_best {
	struct el_best head;
	struct checkers_shape shape;
	bool is_alike;                                      /* both sides have the same material */
	uint32_t to[CHECKERS_DIRECTIONS][CHECKERS_SQUARES]; /* one step away: a set of one square */
	/* by captures of a side: whether it crowns a man, and the men and kings left to its opponent */
	struct way taken[2][2][CHECKERS_PIECES_MAX][CHECKERS_PIECES_MAX];
	/* by advances of a side that leave the slice: its leading rank then; 0 if that is not cut */
	struct way advanced[2][CHECKERS_LEAD_MAX + 1];
	uint32_t exit[2]; /* by side: where its men leave the slice, in White's view */
};

/* A thread at a position. */
struct work {
	const struct checkers_best *best;
	struct best_reader reader;
	unsigned us; /* the side that moves */
	struct checkers_board board;
	uint32_t empty; /* includes the square that a jumping piece left */
	/* the squares from which a step leads to an empty one */
	uint32_t free[CHECKERS_DIRECTIONS];
	uint64_t men;   /* the number of the placement of the men */
	int16_t *score; /* of the best move so far */
};

/* ---- moves that leave the slice ---- */

/* Enters the slice after a move of a piece, already removed, to a square. */
static void enter(struct work *w, bool king, uint32_t to, uint32_t captured)
{
	const unsigned us = w->us, them = !us;
	const bool crowned = !king && to & (us ? CHECKERS_BOTTOM : CHECKERS_TOP);
	struct checkers_board b = w->board;
	b.men[us] |= king || crowned ? 0 : to;
	b.kings[us] |= king || crowned ? to : 0;
	b.men[them] &= ~captured;
	b.kings[them] &= ~captured;
	const unsigned lead = !w->best->shape.lead[us] ? 0
	                      : us                     ? checkers_lead(checkers_turn(b.men[us]))
	                                               : checkers_lead(b.men[us]);
	const struct way *way = !captured
	                                ? &w->best->advanced[us][lead]
	                                : &w->best->taken[us][crowned][checkers_count(b.men[them])]
	                                                 [checkers_count(b.kings[them])];
	if (!way->entered) {
		best_raise(w->score, w->best->head.reached.won);
		return;
	}
	if (way->swapped)
		b = checkers_swap(&b);
	best_add(&w->reader, way->entered, way->plane, checkers_index(&way->shape, &b), w->score);
}

/* Jumps on from a square with a piece already removed from the board. Jumped pieces stay there until
   the move is over. */
static void jump_on(struct work *w, bool king, uint32_t at, uint32_t captured)
{
	const uint32_t theirs = (w->board.men[!w->us] | w->board.kings[!w->us]) & ~captured;
	bool over = true;
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
		const uint32_t jumped = checkers_shift(at, d) & theirs;
		const uint32_t to = checkers_shift(jumped, d) & w->empty;
		if (!to || (!king && d / CHECKERS_MAN_DIRECTIONS != w->us))
			continue;
		over = false;
		jump_on(w, king, to, captured | jumped);
	}
	if (over)
		enter(w, king, at, captured);
}

/* The captures of all pieces; false if there are none. */
static inline bool capture(struct work *w)
{
	const uint32_t men = w->board.men[w->us], kings = w->board.kings[w->us];
	const uint32_t theirs = w->board.men[!w->us] | w->board.kings[!w->us], empty = w->empty;
	uint32_t jumpers = 0;
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
		const uint32_t own = d / CHECKERS_MAN_DIRECTIONS == w->us ? men | kings : kings;
		jumpers |= checkers_shift(w->free[d] & theirs, checkers_opposite(d)) & own;
	}
	/* Where no table is asked, whether there is a capture is all that counts. */
	if (!w->best->head.problem->lender) {
		*w->score = jumpers ? w->best->head.reached.won : BEST_STUCK;
		return jumpers;
	}
	for (uint32_t left = jumpers; left; left &= left - 1) {
		const uint32_t at = left & -left;
		w->board.men[w->us] = men & ~at;
		w->board.kings[w->us] = kings & ~at;
		w->empty = empty | at;
		jump_on(w, kings & at, at, 0);
	}
	return jumpers;
}

/* ---- quiet moves, and crowning ---- */

/* The pieces of a set that can step to the left, then those that can to the right, up or down. */
static inline uint64_t steppers(const struct work *w, uint32_t pieces, bool down)
{
	const uint32_t *free = w->free + down * CHECKERS_MAN_DIRECTIONS;
	return (pieces & free[0]) | (uint64_t)(pieces & free[1]) << 32;
}

static inline void step_men(struct work *w)
{
	const unsigned us = w->us;
	const uint32_t men = w->board.men[us];
	for (uint64_t from = steppers(w, men, us); from; from &= from - 1) {
		const unsigned at = (unsigned)__builtin_ctzll(from);
		const uint32_t to = w->best->to[us * CHECKERS_MAN_DIRECTIONS + at / 32][at % 32];
		w->board.men[us] = men & ~checkers_bit(at % 32);
		if (to & w->best->exit[us]) {
			enter(w, false, to, 0);
			continue;
		}
		w->board.men[us] |= to;
		best_add(&w->reader, &w->best->head.reached.quiet, !w->best->is_alike && !us,
		         checkers_index(&w->best->shape, &w->board), w->score);
	}
	w->board.men[us] = men;
}

static inline void step_kings(struct work *w)
{
	const unsigned us = w->us;
	const struct checkers_shape *shape = &w->best->shape;
	const struct checkers_board *b = &w->board;
	const uint32_t men = b->men[0] | b->men[1], kings = b->kings[us];
	const uint64_t row =
		(w->men * shape->king[0] + choose_rank(squeeze(b->kings[0], men))) * shape->king[1];
	for (unsigned down = 0; down < 2; down++)
		for (uint64_t from = steppers(w, kings, down); from; from &= from - 1) {
			const unsigned at = (unsigned)__builtin_ctzll(from);
			const unsigned d = down * CHECKERS_MAN_DIRECTIONS + at / 32;
			const uint32_t then =
				(kings & ~checkers_bit(at % 32)) | w->best->to[d][at % 32];
			const struct best_entered *quiet = &w->best->head.reached.quiet;
			/* Black's kings vary fastest in the index, so the scores are near. */
			if (us)
				best_raise(w->score,
				           best_look(&w->reader, quiet, 0,
				                     row + choose_rank(squeeze(
								   then, men | b->kings[0]))));
			else
				best_add(&w->reader, quiet, 1,
				         (w->men * shape->king[0] +
				          choose_rank(squeeze(then, men))) *
				                         shape->king[1] +
				                 choose_rank(squeeze(b->kings[1], men | then)),
				         w->score);
		}
}

/* ---- from position to position ---- */

/* A group of pieces on the squares that earlier groups leave free, numbered without gaps. */
struct group {
	uint32_t set, first, last;
};

/* From the lowest of so many squares to the highest. Black men of a slice cut by leading rank begin
   further up, where the index is taken anew, so that they never return to `first`. */
static struct group group_of(uint32_t set, unsigned squares)
{
	const unsigned count = checkers_count(set);
	const uint32_t first = (UINT32_C(1) << count) - 1;
	return (struct group){set, first, first << (squares - count)};
}

/* Goes to the set with the next rank or, from the last, to the first: then it returns false. */
static inline bool next(struct group *g)
{
	const bool more = g->set != g->last;
	g->set = more ? choose_next(g->set) : g->first;
	return more;
}

/* Sets up the position for the side that moves, whose men have moved since the last one if `men` is
   set, and finds its best move. */
static inline void visit(struct work *w, const struct checkers_board *at, bool men)
{
	const struct checkers_best *b = w->best;
	w->board = b->is_alike ? checkers_swap(at) : *at;
	w->empty = checkers_empty(&w->board);
	if (b->is_alike || men)
		w->men = checkers_men_index(&b->shape, w->board.men[0], w->board.men[1]);
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++)
		w->free[d] = checkers_shift(w->empty, checkers_opposite(d));
	*w->score = BEST_STUCK;
	if (capture(w) || b->head.problem->moves)
		return;
	if (w->board.men[w->us])
		step_men(w);
	if (w->board.kings[w->us])
		step_kings(w);
}

static inline enum el_status walk(const struct el_best *best, unsigned us, size_t section,
                                  int16_t *out, void *scratch, struct el_error *error)
{
	const struct checkers_best *b = (const struct checkers_best *)best;
	const uint64_t first = best_section(best, section), end = best_section(best, section + 1);
	struct work *w = scratch;
	struct checkers_board at;
	struct group men = {0}, kings[2] = {{0}};
	w->best = b;
	w->us = us;
	best_reader_open(&w->reader, best->problem);
	for (uint64_t i = first; i < end; i++) {
		bool moved = i == first, begins = moved;
		if (!begins && !next(&kings[1]) && !next(&kings[0])) {
			moved = true;
			begins = !next(&men);
		}
		if (begins) {
			at = checkers_unindex(&b->shape, i);
			const uint32_t taken = at.men[0] | b->shape.closed;
			const uint32_t all = at.men[0] | at.men[1];
			men = group_of(checkers_black_men(&b->shape, at.men[0], at.men[1]),
			               CHECKERS_SQUARES - checkers_count(taken));
			kings[0] = group_of(squeeze(at.kings[0], all),
			                    CHECKERS_SQUARES - checkers_count(all));
			kings[1] = group_of(squeeze(at.kings[1], all | at.kings[0]),
			                    CHECKERS_SQUARES - checkers_count(all | at.kings[0]));
		} else {
			at.men[1] = checkers_black_spread(&b->shape, at.men[0], men.set);
			at.kings[0] = spread(kings[0].set, at.men[0] | at.men[1]);
			at.kings[1] = spread(kings[1].set, at.men[0] | at.men[1] | at.kings[0]);
		}
		w->score = out++;
		visit(w, &at, moved);
	}
	return best_reader_close(&w->reader, error);
}

static enum el_status of(const struct el_best *best, unsigned side, size_t section, int16_t *out,
                         void *scratch, struct el_error *error)
{
	if (side == EL_WHITE && !((const struct checkers_best *)best)->is_alike)
		return walk(best, EL_WHITE, section, out, scratch, error);
	return walk(best, EL_BLACK, section, out, scratch, error);
}

/* ---- open and close ---- */

/* The way of a side to a slice in which its opponent has so many men and kings. `lead`: its leading
   ranks, the mover's first. */
static struct way way_to(const struct checkers_best *b, unsigned us, bool crowns, unsigned men,
                         unsigned kings, const uint8_t lead[2])
{
	const struct el_slice *slice = &b->head.problem->planes->slice;
	uint8_t count[2][EL_KINDS] = {{0}};
	const uint8_t leads[2] = {lead[us], lead[!us]};
	struct way way = {.entered = NULL};
	if (!men && !kings)
		return way;
	count[us][CHECKERS_MAN] = (uint8_t)(slice->count[us][CHECKERS_MAN] - crowns);
	count[us][CHECKERS_KING] = (uint8_t)(slice->count[us][CHECKERS_KING] + crowns);
	count[!us][CHECKERS_MAN] = (uint8_t)men;
	count[!us][CHECKERS_KING] = (uint8_t)kings;
	const struct el_slice then = checkers_slice(slice->game, count, leads);
	const uint32_t own =
		checkers_strength(count[us][CHECKERS_KING], count[us][CHECKERS_MAN], lead[0]);
	const uint32_t other = checkers_strength(kings, men, lead[1]);
	/* The opponent moves there, and is White in a slice of equal sides. */
	const unsigned white = own > other ? us : !us;
	way.entered = best_entered_find(&b->head.reached, then.key);
	way.shape = checkers_shape(&then);
	way.swapped = white == EL_BLACK;
	way.plane = white == us;
	return way;
}

static void find_ways(struct checkers_best *b, unsigned us)
{
	const struct el_slice *slice = &b->head.problem->planes->slice;
	const uint8_t *own = slice->count[us], *other = slice->count[!us];
	const uint8_t none[2] = {0};
	for (unsigned crowns = 0; crowns <= (own[CHECKERS_MAN] > 0); crowns++)
		for (unsigned men = 0; men <= other[CHECKERS_MAN]; men++)
			for (unsigned kings = 0; kings <= other[CHECKERS_KING]; kings++)
				if (men + kings < other[CHECKERS_MAN] + other[CHECKERS_KING])
					b->taken[us][crowns][men][kings] =
						way_to(b, us, crowns, men, kings, none);
	const struct checkers_leads next = checkers_next_leads(&b->shape, us);
	for (unsigned lead = next.first; lead <= next.last && own[CHECKERS_MAN]; lead++)
		b->advanced[us][lead] =
			way_to(b, us, next.crowned, other[CHECKERS_MAN], other[CHECKERS_KING],
		               (const uint8_t[2]){(uint8_t)lead, slice->lead[!us]});
}

enum el_status checkers_best(const struct el_best_problem *problem, struct el_best **out,
                             struct el_error *error)
{
	const struct el_slice *slice = &problem->planes->slice;
	const struct el_best members = {.scratch = sizeof(struct work), .of = of};
	const enum el_status status =
		best_make(problem, sizeof(struct checkers_best), &members, out, error);
	if (status)
		return status;
	struct checkers_best *b = (struct checkers_best *)*out;
	b->shape = checkers_shape(slice);
	b->is_alike = slice->planes == 1;
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++)
		for (unsigned from = 0; from < CHECKERS_SQUARES; from++)
			b->to[d][from] = checkers_shift(checkers_bit(from), d);
	for (unsigned us = 0; us < 2; us++) {
		b->exit[us] = us ? checkers_turn(b->shape.exit[us]) : b->shape.exit[us];
		find_ways(b, us);
	}
	return EL_OK;
}

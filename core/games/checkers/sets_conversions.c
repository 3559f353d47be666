/* SPDX-License-Identifier: MIT */
/*
 * The conversions of a slice, as events read from the tables they enter. The first stage handles
 * positions in which the side to move must capture: they have no other moves, so they are decided
 * for good. The second handles advances that crown a man and so leave the slice. Both read only
 * finished tables and run once.
 */
#include "sets.h"

#include "checkers.h"
#include "core/base/clock.h"
#include "core/games/entered.h"
#include "index.h"

#include <stdlib.h>
#include <string.h>

/* The slice that a conversion enters, as seen by the mover's opponent. */
struct successor {
	struct el_slice slice;
	struct checkers_shape shape;
	bool swapped;           /* the opponent is the slice's White */
	struct entered entered; /* closed: there is no such conversion */
};

enum { TAKEN = CHECKERS_PIECES_MAX };

/* All conversions of one side: [a man was crowned][men taken][kings taken]. */
struct checkers_successors {
	const struct el_lender *lender;
	struct successor entered[2][TAKEN][TAKEN];
	struct effect over; /* the effect of taking all: the opponent cannot move */
};

/* ---- successors ---- */

/* Opens the slice of the remaining material. */
static enum el_status enter_slice(struct successor *s, const struct checkers_army *mover,
                                  const struct checkers_army *opponent, unsigned crowned,
                                  unsigned men, unsigned kings, const struct el_problem *problem,
                                  unsigned side, struct el_error *error)
{
	const uint8_t count[2][EL_KINDS] = {
		{[CHECKERS_KING] = (uint8_t)(mover->kings + crowned),
	         [CHECKERS_MAN] = (uint8_t)(mover->men - crowned)},
		{[CHECKERS_KING] = (uint8_t)(opponent->kings - kings),
	         [CHECKERS_MAN] = (uint8_t)(opponent->men - men)},
	};
	s->slice = checkers_slice(problem->slice.game, count);
	/* A slice of equal sides has one plane, with White to move: the opponent becomes its
	   White. */
	s->swapped = s->slice.planes == 1 || memcmp(s->slice.count[0], count[0], EL_KINDS);
	s->shape = checkers_shape(&s->slice);
	return entered_open(&s->entered, &s->slice, s->swapped ? EL_WHITE : EL_BLACK, problem, side,
	                    0, error);
}

static enum el_status enter_all(struct checkers_successors *all, const struct checkers_sets *c,
                                const struct el_problem *problem, unsigned side,
                                struct el_error *error)
{
	const struct checkers_army *mover = checkers_army_of(c, side),
				   *opponent = checkers_army_of(c, !side);
	enum el_status status = EL_OK;
	for (unsigned crowned = 0; crowned <= (mover->men > 0); crowned++)
		for (unsigned men = 0; men <= opponent->men; men++)
			for (unsigned kings = 0; kings <= opponent->kings && !status; kings++) {
				const unsigned taken = men + kings;
				if (taken < opponent->men + opponent->kings && taken + crowned)
					status = enter_slice(&all->entered[crowned][men][kings],
					                     mover, opponent, crowned, men, kings,
					                     problem, side, error);
			}
	return status;
}

enum el_status checkers_borrow(struct el_sets *sets, const struct el_problem *problem,
                               struct el_error *error)
{
	struct checkers_sets *c = (struct checkers_sets *)sets;
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < c->head.sides && !status; side++) {
		struct checkers_successors *all = c->successors[side] = calloc(1, sizeof *all);
		if (!all)
			return el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
		all->lender = problem->lender;
		all->over = effect_of(problem, side, (struct el_value){.outcome = EL_LOSS}, 0);
		status = enter_all(all, c, problem, side, error);
	}
	return status;
}

void checkers_give_back(struct el_sets *sets)
{
	struct checkers_sets *c = (struct checkers_sets *)sets;
	for (unsigned side = 0; side < 2; side++) {
		struct checkers_successors *all = c->successors[side];
		if (!all)
			continue;
		struct successor *first = &all->entered[0][0][0];
		for (struct successor *s = first; s < first + 2 * TAKEN * TAKEN; s++)
			entered_close(&s->entered);
		free(all);
		c->successors[side] = NULL;
	}
}

/* ---- one position ---- */

/* A position in the mover's view, and the effects of its conversions so far. */
struct cell {
	const struct checkers_successors *successors;
	struct lent *lent;
	struct checkers_board board;
	struct effect effect;
};

/* Adds the effect of entering `after`, in the mover's view. */
static void enter(struct cell *cell, const struct checkers_board *after, unsigned crowned)
{
	const struct checkers_board *before = &cell->board;
	struct effect effect = cell->successors->over;
	if (checkers_theirs(after)) {
		const unsigned men = checkers_count(before->men[1] ^ after->men[1]),
			       kings = checkers_count(before->kings[1] ^ after->kings[1]);
		const struct successor *s = &cell->successors->entered[crowned][men][kings];
		const uint32_t *m = after->men, *k = after->kings;
		const uint64_t index =
			s->swapped ? checkers_index(&s->shape, checkers_turn(m[1]),
		                                    checkers_turn(m[0]), checkers_turn(k[1]),
		                                    checkers_turn(k[0]))
				   : checkers_index(&s->shape, m[0], m[1], k[0], k[1]);
		effect = entered_at(&s->entered, index, cell->lent);
	}
	cell->effect = effect_join(cell->effect, effect);
}

static void enter_by_route(void *context, const struct checkers_route *route)
{
	struct cell *cell = context;
	struct checkers_board after = cell->board;
	const uint32_t from = checkers_bit(route->square[0]),
		       to = checkers_bit(route->square[route->count - 1]);
	const bool crowned = !route->king && to & CHECKERS_TOP;
	*(route->king ? &after.kings[0] : &after.men[0]) ^= from;
	*(route->king || crowned ? &after.kings[0] : &after.men[0]) ^= to;
	after.men[1] &= ~route->captured;
	after.kings[1] &= ~route->captured;
	enter(cell, &after, crowned);
}

static void enter_by_advances(struct cell *cell)
{
	const uint32_t empty = checkers_empty(&cell->board);
	for (unsigned d = 0; d < CHECKERS_MAN_DIRECTIONS; d++) {
		uint32_t crowned = checkers_shift(cell->board.men[0], d) & CHECKERS_TOP & empty;
		while (crowned) {
			const uint32_t to = checkers_bit(checkers_pop(&crowned));
			struct checkers_board after = cell->board;
			after.men[0] ^= checkers_shift(to, checkers_opposite(d));
			after.kings[0] ^= to;
			enter(cell, &after, 1);
		}
	}
}

/* ---- the two stages ---- */

const char *const checkers_stages[EL_STAGES_MAX] = {"captures", "advances"};

enum { STRIP = 64 }; /* words of a row processed together */

/* One stage of beginning a unit. */
struct work {
	struct checkers_tile tile;
	const struct checkers_successors *successors;
	struct lent *lent;
	bool captures; /* the stage: positions with captures, or those without */
	struct el_unit *unit;
	uint64_t decided;
};

static enum el_status convert_word(struct work *w, size_t row, size_t word, uint64_t positions)
{
	const struct checkers_tile *t = &w->tile;
	const struct checkers_placement own = t->mover->placement[t->first_row + row];
	const struct checkers_placement *opponent =
		t->opponent->placement + t->first_column + 64 * word;
	struct effect effects[64];
	for (unsigned x = 0; x < 64; x++)
		effects[x] = effect_none;
	for (uint64_t left = positions; left; left &= left - 1) {
		const unsigned x = (unsigned)__builtin_ctzll(left);
		const struct checkers_placement other = opponent[x];
		struct cell cell = {
			.successors = w->successors,
			.lent = w->lent,
			.board = {{own.men, checkers_turn(other.men)},
		                  {own.kings, checkers_turn(other.kings)}},
			.effect = effect_none,
		};
		if (w->captures)
			checkers_routes(&cell.board, enter_by_route, &cell);
		else
			enter_by_advances(&cell);
		effects[x] = cell.effect;
		/* Captures are a position's only moves, so they can also decide a loss; advances
		   cannot. */
		w->decided += cell.effect.win != EFFECT_NEVER ||
		              (w->captures && cell.effect.free != EFFECT_NEVER);
	}
	return events_of_word(w->unit, (uint32_t)(row * t->words + word), positions, effects);
}

/* Without captures, only a man one step from the last row can leave the slice. */
static enum el_status convert_row(struct work *w, size_t row)
{
	const struct checkers_tile *t = &w->tile;
	const uint32_t men = t->mover->placement[t->first_row + row].men;
	const uint64_t *legal = w->unit->legal + row * t->words;
	enum el_status status = EL_OK;
	if (!w->captures && !(men & (CHECKERS_TOP >> 4)))
		return EL_OK;
	for (size_t first = 0; first < t->words && !status; first += STRIP) {
		const size_t count = t->words - first < STRIP ? t->words - first : STRIP;
		uint64_t captures[STRIP];
		checkers_capture_row(t, row, first, count, captures);
		for (size_t i = 0; i < count && !status; i++) {
			const uint64_t positions =
				legal[first + i] & (w->captures ? captures[i] : ~captures[i]);
			if (positions)
				status = convert_word(w, row, first + i, positions);
		}
	}
	return status;
}

enum el_status checkers_begin(const struct el_sets *sets, unsigned side, size_t unit,
                              struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct checkers_sets *c = (const struct checkers_sets *)sets;
	const struct checkers_tile tile = checkers_tile_of(c, side, unit);
	struct lent lent = {.lender = c->successors[side]->lender};
	enum el_status status = EL_OK;
	(void)scratch;
	for (size_t row = 0; row < tile.rows; row++)
		checkers_legal_row(&tile, row, out->legal + row * tile.words);
	for (unsigned i = 0; checkers_stages[i] && !status; i++) {
		const double start = clock_seconds();
		struct work w = {tile, c->successors[side], &lent, i == 0, out, 0};
		for (size_t row = 0; row < tile.rows && !status; row++)
			status = convert_row(&w, row);
		out->decided[i] = side < sets->slice.planes ? w.decided : 0;
		out->seconds[i] = clock_seconds() - start;
	}
	lent_let_go(&lent);
	return events_fail(status, &sets->slice, error);
}

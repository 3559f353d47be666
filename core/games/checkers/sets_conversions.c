/* SPDX-License-Identifier: MIT */
/*
 * The conversions of a slice, as events read from the tables they enter. The first stage handles
 * positions in which the side to move must capture: they have no other moves, so they are decided
 * for good. The second handles advances that leave the slice: they crown a man or, in slices cut by
 * leading rank, raise that. Both read only finished tables and run once.
 */
#include "sets.h"

#include "core/base/clock.h"
#include "core/games/events.h"

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

/* All conversions of one side. */
struct checkers_successors {
	const struct el_lender *lender;
	/* by captures: [a man was crowned][men taken][kings taken] */
	struct successor taken[2][TAKEN][TAKEN];
	/* by advances: [the leading rank after it; 0 if the slice entered is not cut by it] */
	struct successor advanced[CHECKERS_LEAD_MAX + 1];
	struct effect over; /* the effect of taking all: the opponent cannot move */
};

/* ---- successors ---- */

/* What a conversion changes. `lead`: the leading ranks of the slice entered, the mover's first. */
struct change {
	unsigned crowned, men, kings;
	uint8_t lead[2];
};

/* Opens the slice of the remaining material. */
static enum el_status enter_slice(struct successor *s, const struct checkers_sets *c,
                                  struct change change, const struct el_problem *problem,
                                  unsigned side, struct el_error *error)
{
	const struct checkers_army *mover = checkers_army_of(c, side),
				   *opponent = checkers_army_of(c, !side);
	const uint8_t count[2][EL_KINDS] = {
		{[CHECKERS_KING] = (uint8_t)(mover->kings + change.crowned),
	         [CHECKERS_MAN] = (uint8_t)(mover->men - change.crowned)},
		{[CHECKERS_KING] = (uint8_t)(opponent->kings - change.kings),
	         [CHECKERS_MAN] = (uint8_t)(opponent->men - change.men)},
	};
	s->slice = checkers_slice(problem->slice.game, count, change.lead);
	/* A slice of equal sides has one plane, with White to move: the opponent becomes its
	   White. */
	s->swapped = s->slice.planes == 1 || memcmp(s->slice.count[0], count[0], EL_KINDS) ||
	             s->slice.lead[0] != change.lead[0];
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
	/* What captures leave is not cut (CHECKERS_CUT). */
	for (unsigned crowned = 0; crowned <= (mover->men > 0); crowned++)
		for (unsigned men = 0; men <= opponent->men; men++)
			for (unsigned kings = 0; kings <= opponent->kings && !status; kings++) {
				const unsigned taken = men + kings;
				if (taken && taken < opponent->men + opponent->kings)
					status = enter_slice(
						&all->taken[crowned][men][kings], c,
						(struct change){crowned, men, kings, {0}}, problem,
						side, error);
			}
	const struct checkers_leads next = checkers_next_leads(&mover->shape, mover->side);
	for (unsigned lead = next.first; lead <= next.last && mover->men && !status; lead++)
		status = enter_slice(
			&all->advanced[lead], c,
			(struct change){.crowned = next.crowned,
		                        .lead = {(uint8_t)lead, problem->slice.lead[!side]}},
			problem, side, error);
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
		struct successor *first = &all->taken[0][0][0];
		for (struct successor *s = first; s < first + 2 * TAKEN * TAKEN; s++)
			entered_close(&s->entered);
		for (unsigned i = 0; i <= CHECKERS_LEAD_MAX; i++)
			entered_close(&all->advanced[i].entered);
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
	bool cut; /* the slice, by the leading rank of the mover */
	struct effect effect;
};

/* Adds the effect of entering `after`, in the mover's view. */
static void enter(struct cell *cell, const struct successor *s, const struct checkers_board *after)
{
	const struct checkers_board seen = s->swapped ? checkers_swap(after) : *after;
	const uint64_t index = checkers_index(&s->shape, &seen);
	cell->effect = effect_join(cell->effect, entered_at(&s->entered, index, cell->lent));
}

static void enter_by_route(void *context, const struct checkers_route *route)
{
	struct cell *cell = context;
	struct checkers_board after = cell->board;
	/* No move wins sooner than by taking all. */
	if (cell->effect.win <= cell->successors->over.win)
		return;
	const uint32_t from = checkers_bit(route->square[0]),
		       to = checkers_bit(route->square[route->count - 1]);
	const bool crowned = !route->king && to & CHECKERS_TOP;
	*(route->king ? &after.kings[0] : &after.men[0]) ^= from;
	*(route->king || crowned ? &after.kings[0] : &after.men[0]) ^= to;
	after.men[1] &= ~route->captured;
	after.kings[1] &= ~route->captured;
	if (!checkers_theirs(&after)) {
		cell->effect = effect_join(cell->effect, cell->successors->over);
		return;
	}
	const unsigned men = checkers_count(cell->board.men[1] ^ after.men[1]),
		       kings = checkers_count(cell->board.kings[1] ^ after.kings[1]);
	enter(cell, &cell->successors->taken[crowned][men][kings], &after);
}

/* `exit`: where a man leaves the slice. */
static void enter_by_advances(struct cell *cell, uint32_t exit)
{
	const uint32_t empty = checkers_empty(&cell->board);
	const bool crowned = exit & CHECKERS_TOP;
	for (unsigned d = 0; d < CHECKERS_MAN_DIRECTIONS; d++) {
		uint32_t arrivals = checkers_shift(cell->board.men[0], d) & exit & empty;
		while (arrivals) {
			const uint32_t to = checkers_bit(checkers_pop(&arrivals));
			struct checkers_board after = cell->board;
			after.men[0] ^= checkers_shift(to, checkers_opposite(d));
			*(crowned ? &after.kings[0] : &after.men[0]) ^= to;
			const unsigned lead = cell->cut ? checkers_lead(after.men[0]) : 0;
			enter(cell, &cell->successors->advanced[lead], &after);
		}
	}
}

/* ---- the two stages ---- */

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
	const struct checkers_shape *shape = &t->mover->shape;
	const uint32_t exit = shape->exit[t->mover->side];
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
			.cut = shape->lead[t->mover->side],
			.effect = effect_none,
		};
		if (w->captures)
			checkers_routes(&cell.board, enter_by_route, &cell);
		else
			enter_by_advances(&cell, exit);
		effects[x] = cell.effect;
		/* Captures are a position's only moves, so they can also decide a loss; advances
		   cannot. */
		w->decided += cell.effect.win != EFFECT_NEVER ||
		              (w->captures && cell.effect.free != EFFECT_NEVER);
	}
	return events_of_word(w->unit, (uint32_t)(row * t->words + word), positions, effects);
}

/* Without captures, only a man one step from the last row, or from the next rank, can leave the
   slice. */
static enum el_status convert_row(struct work *w, size_t row)
{
	const struct checkers_tile *t = &w->tile;
	const uint32_t men = t->mover->placement[t->first_row + row].men;
	const uint64_t *legal = w->unit->legal + row * t->words;
	enum el_status status = EL_OK;
	const uint32_t exit = t->mover->shape.exit[t->mover->side];
	if (!w->captures && !(men & exit >> CHECKERS_ROW_SQUARES))
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
	for (unsigned i = 0; i < 2 && !status; i++) {
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

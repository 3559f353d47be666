/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversions of a slice, from the tables that they enter, as events. In the first phase the
 * positions in which the side to move must capture: their captures are all the moves they have, so
 * they are decided for good. In the second phase the advances that leave the slice: a man crowned.
 * Both look at finished tables alone and are gone through once.
 */
#include "sets.h"

#include "../../clock.h"
#include "../events.h"
#include "checkers.h"
#include "index.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The slice that a conversion enters, as the mover's opponent finds it there. */
struct successor {
	struct el_slice slice;
	struct checkers_shape shape;
	bool swapped;                   /* the opponent is the slice's White */
	const struct el_planes *planes; /* borrowed; null: not a conversion that can be */
	const uint16_t *symbols;        /* of the plane in which the opponent moves */
	struct effect *effects;         /* by symbol; owned */
};

enum { TAKEN = EL_PIECES_MAX };

/* All conversions of one side: by whether a man was crowned, men taken, kings taken. */
struct successors {
	const struct el_lender *lender;
	struct successor entered[2][TAKEN][TAKEN];
	struct effect over; /* of taking all: the opponent cannot move */
};

/* ---- successors ---- */

static enum el_status successor_open(struct successor *s, const struct el_problem *problem,
                                     unsigned side, struct el_error *error)
{
	const struct el_lender *lender = problem->lender;
	enum el_status status =
		lender->lend(lender->context, &s->slice, problem->metric, &s->planes, error);
	if (status)
		return status;
	const struct el_plane *plane = &s->planes->plane[s->swapped ? EL_WHITE : EL_BLACK];
	s->shape = checkers_shape(&s->slice);
	s->symbols = plane->symbols;
	s->effects = malloc(plane->value_count * sizeof *s->effects);
	if (!s->effects)
		return el_fail(error, EL_MEMORY, "%s: out of memory", s->slice.name);
	for (uint32_t v = 0; v < plane->value_count; v++)
		s->effects[v] = effect_of(problem, side, plane->values[v]);
	return EL_OK;
}

/* The material that is left, the mover's first. */
static void name_successor(struct successor *s, const struct checkers_army *mover,
                           const struct checkers_army *opponent, unsigned crowned, unsigned men,
                           unsigned kings)
{
	const uint8_t count[2][EL_KINDS] = {
		{[CHECKERS_KING] = (uint8_t)(mover->kings + crowned),
		 [CHECKERS_MAN] = (uint8_t)(mover->men - crowned)},
		{[CHECKERS_KING] = (uint8_t)(opponent->kings - kings),
		 [CHECKERS_MAN] = (uint8_t)(opponent->men - men)},
	};
	s->slice = checkers_slice(count);
	/* A slice of equal sides has one plane: the opponent, who moves in it, is made its White. */
	s->swapped = s->slice.planes == 1 || memcmp(s->slice.count[0], count[0], EL_KINDS);
}

static enum el_status successors_open(struct successors *all, const struct checkers_sets *c,
                                      const struct el_problem *problem, unsigned side,
                                      struct el_error *error)
{
	const struct checkers_army *mover = &c->army[side],
				   *opponent = &c->army[checkers_other(c, side)];
	enum el_status status = EL_OK;
	*all = (struct successors){.lender = problem->lender};
	all->over = effect_of(problem, side, (struct el_value){.outcome = EL_LOSS});
	for (unsigned crowned = 0; crowned <= (mover->men > 0); crowned++)
		for (unsigned men = 0; men <= opponent->men; men++)
			for (unsigned kings = 0; kings <= opponent->kings && !status; kings++) {
				const unsigned taken = men + kings;
				struct successor *s = &all->entered[crowned][men][kings];
				if (taken == opponent->men + opponent->kings || !(taken + crowned))
					continue;
				name_successor(s, mover, opponent, crowned, men, kings);
				status = successor_open(s, problem, side, error);
			}
	return status;
}

static void successors_close(struct successors *all)
{
	struct successor *first = &all->entered[0][0][0];
	for (struct successor *s = first; s < first + 2 * TAKEN * TAKEN; s++) {
		free(s->effects);
		if (s->planes)
			all->lender->give_back(all->lender->context, s->planes);
	}
}

/* ---- one position ---- */

/* A position in the mover's view, and the effects of its conversions so far. */
struct cell {
	const struct successors *successors;
	struct checkers_board board;
	struct effect effect;
};

static uint64_t successor_index(const struct successor *s, const struct checkers_board *board)
{
	const uint32_t *men = board->men, *kings = board->kings;
	if (s->swapped)
		return checkers_index(&s->shape, checkers_turn(men[1]), checkers_turn(men[0]),
		                      checkers_turn(kings[1]), checkers_turn(kings[0]));
	return checkers_index(&s->shape, men[0], men[1], kings[0], kings[1]);
}

/* Enters `after`, in the mover's view. */
static void enter(struct cell *cell, const struct checkers_board *after, unsigned crowned)
{
	const struct checkers_board *before = &cell->board;
	struct effect effect = cell->successors->over;
	if (checkers_theirs(after)) {
		const unsigned men = checkers_count(before->men[1] ^ after->men[1]),
			       kings = checkers_count(before->kings[1] ^ after->kings[1]);
		const struct successor *s = &cell->successors->entered[crowned][men][kings];
		effect = s->effects[s->symbols[successor_index(s, after)]];
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

static void enter_by_captures(struct cell *cell)
{
	checkers_routes(&cell->board, enter_by_route, cell);
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

/* ---- the two phases ---- */

struct phase {
	const char *name;
	void (*convert)(struct cell *);
	bool captures; /* of positions with captures, or of those without */
};

static const struct phase phases[] = {
	{"captures", enter_by_captures, true},
	{"advances", enter_by_advances, false},
};

/* What a thread works on. */
struct work {
	struct checkers_sets *sets;
	const struct successors *successors;
	const struct phase *phase;
	unsigned side;
	struct event_lists events;
	uint64_t decided;
};

/* Without captures, only a man that is one step from the last row leaves the slice. */
static uint64_t candidates(const struct work *w, size_t row, size_t at)
{
	const struct checkers_sets *c = w->sets;
	const uint32_t men = c->army[w->side].placement[row].men;
	if (w->phase->captures)
		return c->captures[w->side][at];
	return men & (CHECKERS_TOP >> 4)
	               ? c->head.legal[w->side][at] & ~c->captures[w->side][at]
	               : 0;
}

/* Captures are all the moves that there are, so a loss is known with them; advances are not. */
static uint64_t count_decided(const struct work *w, uint64_t positions, const struct effect at[64])
{
	uint64_t count = 0;
	for (; positions; positions &= positions - 1) {
		const struct effect e = at[__builtin_ctzll(positions)];
		count += e.win != EFFECT_NEVER || (w->phase->captures && e.free != EFFECT_NEVER);
	}
	return count;
}

static enum el_status convert_word(struct work *w, size_t row, size_t word)
{
	const struct checkers_sets *c = w->sets;
	const size_t at = row * c->row_words[w->side] + word;
	const struct checkers_army *opponent = &c->army[checkers_other(c, w->side)];
	const struct checkers_placement own = c->army[w->side].placement[row];
	const uint64_t positions = candidates(w, row, at);
	struct effect effects[64];
	if (!positions)
		return EL_OK;
	for (unsigned x = 0; x < 64; x++)
		effects[x] = effect_none;
	for (uint64_t left = positions; left; left &= left - 1) {
		const unsigned x = (unsigned)__builtin_ctzll(left);
		const struct checkers_placement other = opponent->placement[64 * word + x];
		struct cell cell = {
			.successors = w->successors,
			.board = {{own.men, checkers_turn(other.men)},
			          {own.kings, checkers_turn(other.kings)}},
			.effect = effect_none,
		};
		w->phase->convert(&cell);
		effects[x] = cell.effect;
	}
	w->decided += count_decided(w, positions, effects);
	return events_of_word(&w->events, (uint32_t)at, positions, effects,
	                      &c->head.blocked[w->side][at]);
}

static enum el_status convert_row(struct work *w, size_t row)
{
	enum el_status status = EL_OK;
	for (size_t word = 0; word < w->sets->row_words[w->side] && !status; word++)
		status = convert_word(w, row, word);
	return status;
}

/* Asks the watch on the one thread that may. */
static bool goes_on(const struct work *w, const struct el_problem *problem, size_t row)
{
	if (omp_get_thread_num() != 0)
		return true;
	return el_watch_tick(problem->watch, &(struct el_progress){
		.stage = w->phase->name,
		.what = problem->slice.name,
		.done = (double)row,
		.total = (double)w->sets->army[w->side].count,
		.unit = "rows",
	});
}

/* All rows of one side; adds what the threads found to `all`. */
static enum el_status convert_side(const struct work *start, const struct el_problem *problem,
                                   struct work *all)
{
	_Atomic enum el_status failed = EL_OK;
#pragma omp parallel
	{
		struct work w = *start;
#pragma omp for schedule(dynamic, 16)
		for (size_t row = 0; row < w.sets->army[w.side].count; row++) {
			enum el_status status = failed;
			if (!status && row % 16 == 0 && !goes_on(&w, problem, row))
				status = EL_STOPPED;
			if (!status)
				status = convert_row(&w, row);
			if (status)
				failed = status;
		}
#pragma omp critical
		{
			all->decided += w.decided;
			if (events_move(&all->events, &w.events))
				failed = EL_MEMORY;
		}
		events_free(&w.events);
	}
	return failed;
}

static enum el_status convert_phase(struct work *all, const struct el_problem *problem,
                                    struct el_phase *out)
{
	const double start = clock_seconds();
	const struct work each = {all->sets, all->successors, all->phase, all->side, {{0}, {0}}, 0};
	const uint64_t before = all->decided;
	enum el_status status = convert_side(&each, problem, all);
	snprintf(out->name, sizeof out->name, "%s", all->phase->name);
	out->decided += all->side < problem->slice.planes ? all->decided - before : 0;
	out->seconds += clock_seconds() - start;
	return status;
}

static enum el_status side_conversions(struct checkers_sets *c, const struct el_problem *problem,
                                       unsigned side, struct successors *successors,
                                       struct el_error *error)
{
	struct work all = {.sets = c, .successors = successors, .side = side};
	enum el_status status = successors_open(successors, c, problem, side, error);
	if (status)
		return status;
	for (unsigned i = 0; i < sizeof phases / sizeof *phases && !status; i++) {
		all.phase = &phases[i];
		status = convert_phase(&all, problem, &c->head.phase[i]);
	}
	if (!status)
		status = events_sort(&all.events.wins, &c->head.wins[side]);
	if (!status)
		status = events_sort(&all.events.frees, &c->head.frees[side]);
	events_free(&all.events);
	return events_fail(status, &problem->slice, error);
}

enum el_status checkers_conversions(struct checkers_sets *c, const struct el_problem *problem,
                                    struct el_error *error)
{
	struct successors *successors = malloc(sizeof *successors);
	if (!successors)
		return el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < c->head.sides && !status; side++) {
		status = side_conversions(c, problem, side, successors, error);
		successors_close(successors);
	}
	free(successors);
	return status;
}

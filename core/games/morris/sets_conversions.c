/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversions of a slice, from the tables that they enter, as events: a mill takes a man. */
#include "sets.h"

#include "../../clock.h"
#include "morris.h"

#include <string.h>

/* ---- what mills lead to ---- */

enum el_status morris_entered_open(struct morris_sets *m, const struct el_problem *problem,
                                   struct el_error *error)
{
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < 2 && !status; side++) {
		/* White's men, then Black's, when it has taken one. */
		unsigned left[2] = {m->men[0], m->men[1]};
		m->over[side] = effect_of(problem, side, (struct el_value){.outcome = EL_LOSS});
		if (--left[!side] < MORRIS_MEN_MIN)
			continue;
		/* The opponent moves in it, and is its White where it has more men, or both as many. */
		const bool swapped = left[1] > left[0];
		const struct el_slice slice = swapped ? morris_slice(left[1], left[0])
		                                      : morris_slice(left[0], left[1]);
		const unsigned plane = slice.planes == 1 ? EL_WHITE : !side ^ swapped;
		status = entered_open(&m->entered[side], &slice, plane, problem, side, error);
	}
	return status;
}

void morris_entered_close(struct morris_sets *m)
{
	for (unsigned side = 0; side < 2; side++)
		entered_close(&m->entered[side]);
}

/* ---- one position ---- */

struct work {
	const struct morris_sets *sets;
	unsigned side;
	struct lent lent;
	struct morris_row row;
	struct morris_step step[MORRIS_STEPS_MAX]; /* White's that close a mill */
	unsigned steps;
	struct el_unit *unit;
	uint64_t decided;
};

/* Of closing a mill: the mover takes whichever man is best. Men are White's and Black's, after the move. */
static struct effect take_one(struct work *w, uint32_t white, uint32_t black, struct effect so_far)
{
	const struct morris_sets *m = w->sets;
	const struct entered *entered = &m->entered[w->side];
	uint32_t taken = morris_removable(w->side == EL_WHITE ? black : white);
	if (!entered->planes)
		return effect_join(so_far, m->over[w->side]);
	for (; taken; taken &= taken - 1) {
		const uint32_t man = taken & -taken, one = white & ~man, other = black & ~man;
		const bool swapped = morris_count(other) > morris_count(one);
		const uint32_t first = swapped ? other : one, second = swapped ? one : other;
		const uint64_t index =
			morris_index(morris_classes(morris_count(first)), first, second);
		so_far = effect_join(so_far, entered_at(entered, index, &w->lent));
	}
	return so_far;
}

static struct effect convert(struct work *w, uint32_t black)
{
	const uint32_t white = w->row.class->men, empty = MORRIS_BOARD & ~(white | black);
	struct effect effect = effect_none;
	if (w->side == EL_WHITE) {
		for (const struct morris_step *s = w->step; s < w->step + w->steps; s++)
			if (!(black & s->reached))
				effect = take_one(w, s->after, black, effect);
		return effect;
	}
	for (uint32_t left = black; left;) {
		const unsigned from = morris_pop(&left);
		const uint32_t others = black ^ morris_bit(from);
		for (uint32_t free = morris_reach(from, w->sets->men[1]) & empty; free;) {
			const unsigned to = morris_pop(&free);
			const uint32_t after = others | morris_bit(to);
			if (morris_closes(after, to))
				effect = take_one(w, white, after, effect);
		}
	}
	return effect;
}

/* ---- a unit ---- */

/* All, but where a symmetry leads to a position of lower rank. */
static void list_legal(const struct morris_row *r, uint64_t *legal)
{
	const struct morris_sets *m = r->sets;
	for (uint32_t rank = 0; rank < m->places; rank++)
		if (r->class->group == 1 || morris_rank(r->class, morris_black(r, rank)) == rank)
			legal[rank / 64] |= UINT64_C(1) << rank % 64;
}

static enum el_status convert_row(struct work *w)
{
	uint64_t *legal = w->unit->legal + w->row.word;
	enum el_status status = EL_OK;
	list_legal(&w->row, legal);
	if (w->side == EL_WHITE)
		w->steps = morris_steps(&w->row, true, w->step);
	if (w->side == EL_WHITE && !w->steps)
		return EL_OK;
	for (size_t word = 0; word < w->sets->row_words && !status; word++) {
		struct effect effects[64];
		for (unsigned x = 0; x < 64; x++)
			effects[x] = legal[word] >> x & 1
			                     ? convert(w, morris_black(&w->row, 64 * word + x))
			                     : effect_none;
		for (unsigned x = 0; x < 64; x++)
			w->decided += effects[x].win != EFFECT_NEVER;
		status = events_of_word(w->unit, (uint32_t)(w->row.word + word), legal[word],
		                        effects);
	}
	return status;
}

enum el_status morris_begin(const struct el_sets *sets, unsigned side, size_t unit,
                            struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct morris_sets *m = (const struct morris_sets *)sets;
	const double start = clock_seconds();
	struct work w = {.sets = m, .side = side, .lent = {.lender = m->lender}, .unit = out};
	enum el_status status = EL_OK;
	(void)scratch;
	for (size_t row = unit * m->unit_rows; row < morris_rows_end(m, unit) && !status; row++) {
		w.row = morris_row(m, row);
		status = convert_row(&w);
	}
	lent_let_go(&w.lent);
	out->decided[0] = side < sets->slice.planes ? w.decided : 0;
	out->seconds[0] = clock_seconds() - start;
	return events_fail(status, &sets->slice, error);
}

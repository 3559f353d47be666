/* SPDX-License-Identifier: MIT */
/* The conversions of a slice, mills that take a man, as events read from the tables they enter. */
#include "sets.h"

#include "core/base/clock.h"

/* ---- what mills, and men placed, lead to ---- */

enum el_status morris_borrow(struct el_sets *sets, const struct el_problem *problem,
                             struct el_error *error)
{
	struct morris_sets *m = (struct morris_sets *)sets;
	const struct el_slice *slice = &problem->slice;
	enum el_status status = EL_OK;
	for (unsigned us = 0; us < 2; us++) {
		m->over[us] = effect_of(problem, us, (struct el_value){.outcome = EL_LOSS}, 0);
		for (unsigned takes = !slice->hand[us]; takes <= morris_takes(slice, us); takes++) {
			struct morris_way *way = &m->way[us][takes];
			struct el_slice entered;
			if (status || !morris_enter(slice, us, takes, &entered, &way->swapped))
				continue;
			way->classes = morris_classes(entered.count[0][0]);
			way->places = morris_places(entered.count[0][0], entered.count[1][0]);
			const unsigned plane = entered.planes == 1 ? 0 : !us ^ way->swapped;
			status = way->classes ? entered_open(&way->entered, &entered, plane,
			                                     problem, us, 0, error)
			                      : el_fail(error, EL_MEMORY, "%s: out of memory",
			                                slice->name);
		}
	}
	return status;
}

void morris_give_back(struct el_sets *sets)
{
	struct morris_sets *m = (struct morris_sets *)sets;
	for (unsigned i = 0; i < 4; i++)
		entered_close(&m->way[i / 2][i % 2].entered);
}

/* ---- one position ---- */

struct work {
	const struct morris_sets *sets;
	unsigned side;
	const struct morris_way *way; /* its slice is closed: taking a man wins the game */
	struct lent lent;
	struct morris_row row;
	struct morris_step step[MORRIS_STEPS_MAX]; /* White's moves that close a mill */
	unsigned steps;
	/* White's men, after Black has taken the one on this point */
	struct morris_found left[MORRIS_POINTS];
	struct el_unit *unit;
	uint64_t decided;
};

static struct effect enter(struct work *w, const struct morris_found *first, uint32_t second,
                           struct effect so_far)
{
	const uint64_t index = morris_index(first, second, w->way->places);
	return effect_join(so_far, entered_at(&w->way->entered, index, &w->lent));
}

/* White closes a mill and takes the best man. */
static struct effect take_black(struct work *w, const struct morris_step *step, uint32_t black,
                                struct effect effect)
{
	const struct morris_found white = {(uint32_t)(step->to.class - w->way->classes->class),
	                                   step->to.class, step->turn};
	for (uint32_t taken = morris_removable(black); taken; taken &= taken - 1)
		effect = enter(w, &white, black & ~(taken & -taken), effect);
	return effect;
}

/* The same for Black, who may then have more men and be White in the slice entered. */
static struct effect take_white(struct work *w, uint32_t black, struct effect effect)
{
	const uint32_t white = w->row.class->men;
	const bool swapped = w->way->swapped;
	const struct morris_found more = swapped ? morris_find(w->way->classes, black) : w->left[0];
	for (uint32_t taken = morris_removable(white); taken;) {
		const unsigned man = morris_pop(&taken);
		effect = swapped ? enter(w, &more, white & ~morris_bit(man), effect)
		                 : enter(w, &w->left[man], black, effect);
	}
	return effect;
}

static struct effect convert(struct work *w, uint32_t black)
{
	const uint32_t empty = MORRIS_BOARD & ~(w->row.class->men | black);
	const struct effect over = w->sets->over[w->side];
	struct effect effect = effect_none;
	if (w->side == EL_WHITE) {
		for (const struct morris_step *s = w->step; s < w->step + w->steps; s++)
			if (!(black & s->reached))
				effect = w->way->entered.planes ? take_black(w, s, black, effect)
				                                : over;
		return effect;
	}
	for (uint32_t left = black; left;) {
		const unsigned from = morris_pop(&left);
		const uint32_t others = black ^ morris_bit(from);
		for (uint32_t free = morris_reach(from, w->sets->men[1]) & empty; free;) {
			const unsigned to = morris_pop(&free);
			const uint32_t after = others | morris_bit(to);
			if (morris_closes(after, to))
				effect = w->way->entered.planes ? take_white(w, after, effect)
				                                : over;
		}
	}
	return effect;
}

/* ---- a unit ---- */

void morris_list_legal(const struct morris_row *r, uint64_t *legal)
{
	for (uint32_t rank = 0; rank < r->sets->places; rank++)
		if (r->class->group == 1 || morris_rank(r->class, morris_black(r, rank)) == rank)
			legal[rank / 64] |= UINT64_C(1) << rank % 64;
}

/* Lists moves and captures that are the same for all positions of a row. */
static void list_moves(struct work *w)
{
	const uint32_t white = w->row.class->men;
	if (w->side == EL_WHITE)
		w->steps = morris_steps(&w->row, true, w->step);
	else if (w->way->entered.planes && !w->way->swapped)
		for (uint32_t men = white; men;) {
			const unsigned man = morris_pop(&men);
			w->left[man] = morris_find(w->way->classes, white & ~morris_bit(man));
		}
}

static enum el_status convert_row(struct work *w)
{
	uint64_t *legal = w->unit->legal + w->row.word;
	enum el_status status = EL_OK;
	morris_list_legal(&w->row, legal);
	list_moves(w);
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
	struct work w = {.sets = m,
	                 .side = side,
	                 .way = &m->way[side][true],
	                 .lent = {.lender = m->lender},
	                 .unit = out};
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

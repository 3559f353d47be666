/* SPDX-License-Identifier: MIT */
/* The conversions of a slice, captures of stones, as events read from the tables they enter. */
#include "sets.h"

#include "core/base/clock.h"

#include <string.h>

/* ---- what captures lead to ---- */

enum el_status awari_borrow(struct el_sets *sets, const struct el_problem *problem,
                            struct el_error *error)
{
	struct awari_sets *s = (struct awari_sets *)sets;
	enum el_status status = EL_OK;
	for (unsigned n = AWARI_LEAST; n <= AWARI_MOST && n <= s->stones && !status; n++) {
		const struct el_slice slice = awari_slice(problem->slice.game, s->stones - n);
		status = entered_open(&s->entered[n], &slice, 0, problem, EL_WHITE, n, error);
	}
	return status;
}

void awari_give_back(struct el_sets *sets)
{
	struct awari_sets *s = (struct awari_sets *)sets;
	for (unsigned n = 0; n <= AWARI_MOST; n++)
		entered_close(&s->entered[n]);
}

/* ---- one row ---- */

struct work {
	const struct awari_sets *sets;
	unsigned own, others; /* stones in the rows' and the columns' pits */
	size_t columns, words;
	struct lent lent;
	const struct awari_moves *moves; /* of the row */
	struct effect *effects;          /* by column */
	/* columns in which some move leaves the other side a stone; words of the row */
	uint64_t *feeds;
	struct el_unit *unit;
	uint64_t decided;
};

/* The effects of a row, then the words of `feeds`. */
size_t awari_begin_scratch(unsigned stones)
{
	const size_t words = awari_words(stones);
	return words * (64 * sizeof(struct effect) + sizeof(uint64_t));
}

/* A capture from a column; ignored if it takes all stones of the other side. */
static void capture(struct work *w, const struct awari_step *step, uint32_t column)
{
	const struct awari_sets *s = w->sets;
	uint8_t pit[AWARI_ROW];
	const unsigned captured =
		awari_capture(s->pits[w->others][column], step->crossed, step->last, pit);
	/* The other side moves next, so the stones it has left are in its own pits. */
	const unsigned left = w->others + step->crossed - captured;
	const unsigned all = s->stones - captured;
	if (!left)
		return;
	const uint64_t index = awari_first(all, left) +
	                       (uint64_t)awari_rank(pit) * awari_rows(all - left) + step->row;
	w->feeds[column / 64] |= UINT64_C(1) << column % 64;
	w->effects[column] =
		effect_join(w->effects[column], entered_at(&s->entered[captured], index, &w->lent));
}

static void take_step(struct work *w, const struct awari_step *step)
{
	const uint64_t *caught = awari_caught(&w->sets->columns[w->others], step);
	for (size_t word = 0; word < w->words; word++) {
		uint64_t bits = caught ? caught[word] : 0;
		if (w->others + step->crossed)
			w->feeds[word] |= ~bits;
		for (; bits; bits &= bits - 1)
			capture(w, step, (uint32_t)(64 * word) + (unsigned)__builtin_ctzll(bits));
	}
}

static enum el_status convert_row(struct work *w, size_t row)
{
	enum el_status status = EL_OK;
	const size_t first = row * w->words;
	w->moves = &w->sets->moves[w->own][row];
	memset(w->feeds, 0, w->words * sizeof *w->feeds);
	for (size_t column = 0; column < 64 * w->words; column++)
		w->effects[column] = effect_none;
	for (unsigned i = 0; i < w->moves->count; i++)
		take_step(w, &w->moves->step[i]);
	const struct effect all = {
		(uint16_t)el_threshold_of_stones(&w->sets->head.slice, w->sets->stones),
		EFFECT_NEVER};
	for (size_t column = 0; column < w->columns; column++) {
		/* If all moves leave the other side no stone, the mover gets all stones. */
		if (w->moves->count && !(w->feeds[column / 64] >> column % 64 & 1))
			w->effects[column] = all;
		w->unit->legal[first + column / 64] |= UINT64_C(1) << column % 64;
		w->decided += w->effects[column].win != EFFECT_NEVER;
	}
	for (size_t word = 0; word < w->words && !status; word++)
		status = events_of_word(w->unit, (uint32_t)(first + word),
		                        w->unit->legal[first + word], w->effects + 64 * word);
	return status;
}

enum el_status awari_begin(const struct el_sets *sets, unsigned side, size_t unit,
                           struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct awari_sets *s = (const struct awari_sets *)sets;
	const double start = clock_seconds();
	struct work w = {
		.sets = s, .own = (unsigned)unit, .lent = {.lender = s->lender}, .unit = out};
	enum el_status status = EL_OK;
	(void)side;
	w.others = s->stones - w.own;
	w.columns = awari_rows(w.others);
	w.words = awari_words(w.others);
	w.effects = scratch;
	w.feeds = (uint64_t *)(w.effects + 64 * awari_words(s->stones));
	for (size_t row = 0; row < awari_rows(w.own) && !status; row++)
		status = convert_row(&w, row);
	lent_let_go(&w.lent);
	out->decided[0] = w.decided;
	out->seconds[0] = clock_seconds() - start;
	return events_fail(status, &sets->slice, error);
}

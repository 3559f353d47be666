/* SPDX-License-Identifier: MIT */
/* The conversions of a slice, captures of stones, as events read from the tables they enter. */
#include "sets.h"

#include "core/base/clock.h"

#include <stdlib.h>
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

/* ---- a tile ---- */

/*
 * A unit is converted tile by tile, some rows by some words of columns. A move's stones that cross tell
 * what it captures from a column, whatever the row. So for each number of them and each column, the
 * captures of all rows lead to one row of a slice entered, whose symbols are read in order.
 */
enum {
	TILE_ROWS = 1 << 12,
	TILE_WORDS = 4,
	TILE_EFFECTS = TILE_ROWS * TILE_WORDS * 64,
	/* more stones that cross leave more than three in each pit that they reach */
	CROSSED_MOST = 3 * AWARI_ROW,
	/* events that a unit may have before they are stored */
	EVENTS_MANY = 1 << 12,
};

/* A move whose last stone falls into a pit opposite. */
struct crossing {
	uint32_t row; /* of the tile */
	uint32_t to;  /* the row after it: awari_step.row */
};

struct work {
	const struct awari_sets *sets;
	unsigned own, others; /* stones in the rows' and the columns' pits */
	size_t columns, words;
	struct lent lent;
	struct el_unit *unit;
	uint64_t decided;
	/* of the tile */
	size_t first_row, rows, first_word, tile_words;
	struct effect *effects; /* by column and row */
	/* by row and word: columns in which some move leaves the other side a stone */
	uint64_t *feeds;
	/* ordered by the stones that cross, then by `to`; start[n]: the first with n stones */
	struct crossing *crossings;
	uint32_t start[CROSSED_MOST + 2];
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Effects, feeds and crossings of a tile, in this order. */
static size_t effects_most(const struct awari_sets *s)
{
	return least(64 * s->head.words, TILE_EFFECTS);
}

size_t awari_begin_scratch(const struct awari_sets *s)
{
	const size_t effects = effects_most(s);
	return effects * sizeof(struct effect) + effects / 64 * sizeof(uint64_t) +
	       least(awari_rows(s->stones), TILE_ROWS) * AWARI_ROW * sizeof(struct crossing);
}

static int crossing_order(const void *a, const void *b)
{
	const struct crossing *x = a, *y = b;
	return (x->to > y->to) - (x->to < y->to);
}

/* Lists the crossings of the tile's rows. */
static void list_crossings(struct work *w)
{
	const struct awari_moves *moves = w->sets->moves[w->own] + w->first_row;
	uint32_t count = 0;
	for (unsigned n = 0; n <= CROSSED_MOST; n++) {
		w->start[n] = count;
		for (uint32_t row = 0; row < w->rows; row++)
			for (unsigned i = 0; i < moves[row].count; i++) {
				const struct awari_step *step = &moves[row].step[i];
				if (step->crossed == n && step->last != AWARI_NOWHERE)
					w->crossings[count++] = (struct crossing){row, step->row};
			}
		qsort(w->crossings + w->start[n], count - w->start[n], sizeof *w->crossings,
		      crossing_order);
	}
	w->start[CROSSED_MOST + 1] = count;
}

/* Captures from a column of the tile, with so many stones that cross. `pit`: the pits opposite
   afterwards. */
static void capture(struct work *w, unsigned crossed, size_t column, unsigned captured,
                    const uint8_t pit[AWARI_ROW])
{
	const struct entered *e = &w->sets->entered[captured];
	/* The other side moves next, so the stones it has left are in its own pits. */
	const unsigned left = w->others + crossed - captured, all = w->sets->stones - captured;
	const uint64_t first =
		awari_first(all, left) + (uint64_t)awari_rank(pit) * awari_rows(all - left);
	struct effect *effects = w->effects + column * w->rows;
	const uint16_t *symbols = NULL; /* of the indexes from `begin` to `end` */
	uint64_t begin = 0, end = 0;
	for (uint32_t i = w->start[crossed]; i < w->start[crossed + 1]; i++) {
		const uint64_t index = first + w->crossings[i].to;
		if (index >= end) {
			begin = index;
			symbols = lent_symbols(&w->lent, e->planes, e->plane, index, &end);
		}
		struct effect *effect = &effects[w->crossings[i].row];
		*effect = effect_join(*effect,
		                      symbols ? e->effects[symbols[index - begin]] : effect_unread);
	}
}

/* Makes the captures of all moves with so many stones that cross. */
static void convert_crossed(struct work *w, unsigned crossed)
{
	const struct awari_columns *columns = &w->sets->columns[w->others];
	const unsigned last = (crossed - 1) % AWARI_ROW;
	const uint64_t *caught = columns->caught[(crossed - 1) / AWARI_ROW][last] + w->first_word;
	uint64_t takes_all[TILE_WORDS] = {0};
	for (size_t word = 0; word < w->tile_words; word++)
		for (uint64_t bits = caught[word]; bits; bits &= bits - 1) {
			const size_t column = 64 * word + (unsigned)__builtin_ctzll(bits);
			uint8_t pit[AWARI_ROW];
			const unsigned captured =
				awari_capture(w->sets->pits[w->others][64 * w->first_word + column],
			                      crossed, last, pit);
			if (captured == w->others + crossed)
				takes_all[word] |= bits & -bits;
			else
				capture(w, crossed, column, captured, pit);
		}
	for (uint32_t i = w->start[crossed]; i < w->start[crossed + 1]; i++)
		for (size_t word = 0; word < w->tile_words; word++)
			w->feeds[w->crossings[i].row * w->tile_words + word] |= ~takes_all[word];
}

/* A move that captures nothing feeds the other side if that has a stone afterwards. */
static bool feeds_always(const struct work *w, const struct awari_moves *moves)
{
	bool feeds = false;
	for (unsigned i = 0; i < moves->count; i++) {
		const struct awari_step *step = &moves->step[i];
		feeds |= w->others + step->crossed &&
		         (step->last == AWARI_NOWHERE || step->crossed > CROSSED_MOST);
	}
	return feeds;
}

static enum el_status convert_tile(struct work *w)
{
	const struct awari_moves *moves = w->sets->moves[w->own] + w->first_row;
	const size_t first_column = 64 * w->first_word;
	const size_t columns = least(w->columns - first_column, 64 * w->tile_words);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < columns * w->rows; i++)
		w->effects[i] = effect_none;
	for (size_t row = 0; row < w->rows; row++)
		memset(w->feeds + row * w->tile_words, feeds_always(w, &moves[row]) ? 0xff : 0,
		       w->tile_words * sizeof *w->feeds);
	for (unsigned crossed = 1; crossed <= CROSSED_MOST; crossed++)
		if (w->start[crossed] < w->start[crossed + 1])
			convert_crossed(w, crossed);

	const struct effect all = {
		(uint16_t)el_threshold_of_stones(&w->sets->head.slice, w->sets->stones),
		EFFECT_NEVER};
	for (size_t row = 0; row < w->rows; row++)
		for (size_t word = 0; word < w->tile_words && !status; word++) {
			struct effect at[64];
			const size_t number =
				(w->first_row + row) * w->words + w->first_word + word;
			const uint64_t feeds = w->feeds[row * w->tile_words + word];
			const size_t count = least(columns - 64 * word, 64);
			for (size_t i = 0; i < count; i++) {
				at[i] = w->effects[(64 * word + i) * w->rows + row];
				/* If all moves leave the other side no stone, the mover gets all
				   stones. */
				if (moves[row].count && !(feeds >> i & 1))
					at[i] = all;
				w->decided += at[i].win != EFFECT_NEVER;
			}
			for (size_t i = count; i < 64; i++)
				at[i] = effect_none;
			w->unit->legal[number] = UINT64_MAX >> (64 - count);
			status = events_of_word(w->unit, (uint32_t)number, w->unit->legal[number],
			                        at);
		}
	const bool many = w->unit->wins.count + w->unit->frees.count > EVENTS_MANY;
	return !status && many && w->unit->keep ? w->unit->keep(w->unit) : status;
}

/* ---- a unit ---- */

enum el_status awari_begin(const struct el_sets *sets, unsigned side, size_t unit,
                           struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct awari_sets *s = (const struct awari_sets *)sets;
	const double start = clock_seconds();
	const unsigned others = s->stones - (unsigned)unit;
	const size_t rows = awari_rows((unsigned)unit), words = awari_words(others);
	uint64_t *feeds = (uint64_t *)((struct effect *)scratch + effects_most(s));
	struct work w = {
		.sets = s,
		.own = (unsigned)unit,
		.others = others,
		.columns = awari_rows(others),
		.words = words,
		.lent = {.lender = s->lender},
		.unit = out,
		.effects = scratch,
		.feeds = feeds,
		.crossings = (struct crossing *)(feeds + effects_most(s) / 64),
	};
	enum el_status status = EL_OK;
	(void)side;
	for (w.first_row = 0; w.first_row < rows && !status; w.first_row += TILE_ROWS) {
		w.rows = least(rows - w.first_row, TILE_ROWS);
		list_crossings(&w);
		for (w.first_word = 0; w.first_word < words && !status;
		     w.first_word += TILE_WORDS) {
			w.tile_words = least(words - w.first_word, TILE_WORDS);
			status = convert_tile(&w);
		}
	}
	lent_let_go(&w.lent);
	out->decided[0] = w.decided;
	out->seconds[0] = clock_seconds() - start;
	return events_fail(status, &sets->slice, error);
}

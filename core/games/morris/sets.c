/* SPDX-License-Identifier: MIT */
/* Opens a slice as a bit matrix, with the operator on it, and maps its rows to the index. */
#include "sets.h"

#include "core/games/whole.h"
#include "morris.h"

#include <stdlib.h>
#include <string.h>

/* ---- the layout ---- */

/* Sets all members except pointers. */
static struct morris_sets lay_out(const struct el_slice *slice)
{
	const unsigned white = slice->count[0][0], black = slice->count[1][0];
	struct morris_sets m = {.men = {white, black}, .places = morris_places(white, black)};
	const uint64_t rows = slice->positions / m.places;
	m.row_words = (m.places + 63) / 64;
	m.unit_rows = (rows + EL_LINKS_MAX - 1) / EL_LINKS_MAX;
	m.head.units = m.head.sections = (rows + m.unit_rows - 1) / m.unit_rows;
	m.head.words = m.head.stored_words = m.unit_rows * m.row_words;
	m.head.scratch = m.row_words * sizeof(uint64_t);
	return m;
}

struct el_measure morris_measure(const struct el_slice *slice)
{
	const struct morris_sets m = lay_out(slice);
	return (struct el_measure){
		.bits = 64 * m.head.words * m.head.units,
		.unit_bits = 64 * m.head.words,
		.beside = m.places * sizeof *m.squeezed,
		.desk = 2 * 64 * m.head.words + 2 * m.unit_rows * m.places,
	};
}

/* ---- from rows to the index ---- */

static uint64_t section_begin(const struct el_sets *sets, size_t section)
{
	const struct morris_sets *m = (const struct morris_sets *)sets;
	return section == sets->sections ? sets->slice.positions
	                                 : (uint64_t)section * m->unit_rows * m->places;
}

static void gather(const struct el_sets *sets, unsigned side, size_t section,
                   const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index)
{
	const struct morris_sets *m = (const struct morris_sets *)sets;
	(void)side;
	for (size_t row = section * m->unit_rows; row < morris_rows_end(m, section);
	     row++, by_index += m->places) {
		const struct morris_row r = morris_row(m, row);
		memcpy(by_index, by_bit[0] + 64 * r.word, m->places * sizeof *by_index);
	}
}

/* ---- quiet moves, those that close no mill: White's ---- */

unsigned morris_steps(const struct morris_row *r, bool closing,
                      struct morris_step out[MORRIS_STEPS_MAX])
{
	const struct morris_sets *m = r->sets;
	const uint32_t men = r->class->men;
	unsigned count = 0;
	for (uint32_t left = men; left;) {
		const unsigned from = morris_pop(&left);
		for (uint32_t free = morris_reach(from, m->men[0]) & ~men & MORRIS_BOARD; free;) {
			const unsigned to = morris_pop(&free);
			const uint32_t after = men ^ morris_bit(from) ^ morris_bit(to);
			if (morris_closes(after, to) != closing)
				continue;
			const uint32_t of = m->classes->of[choose_rank(after)];
			out[count++] = (struct morris_step){
				.to = morris_row(m, of / 16),
				.reached = morris_bit(to),
				.after = after,
				.turn = of % 16,
			};
		}
	}
	return count;
}

/* ---- one row ---- */

/* The current row: the moves of its men, and the set that they lead to. */
struct work {
	struct morris_row row;
	unsigned side;
	const uint64_t *const *to;
	struct morris_step step[MORRIS_STEPS_MAX];
	unsigned steps; /* White's; 0 if no position is asked about */
	uint64_t *from; /* the positions found: one row */
};

static const uint64_t *row_of(const struct work *w, const struct morris_row *r)
{
	const uint64_t *unit = w->to[w->side == EL_WHITE ? r->unit : 0];
	return unit ? unit + r->word : NULL;
}

static bool has(const uint64_t *set, uint32_t rank)
{
	return set[rank / 64] >> rank % 64 & 1;
}

/* Does some quiet move of White's lead into the set? */
static bool white_reaches(const struct work *w, uint32_t black)
{
	for (const struct morris_step *s = w->step; s < w->step + w->steps; s++) {
		const uint64_t *to = row_of(w, &s->to);
		if (to && !(black & s->reached) &&
		    has(to, morris_rank(s->to.class, morris_turn(black, s->turn))))
			return true;
	}
	return false;
}

static bool black_reaches(const struct work *w, uint32_t black)
{
	const uint32_t empty = MORRIS_BOARD & ~(black | w->row.class->men);
	const uint64_t *to = row_of(w, &w->row);
	for (uint32_t left = to ? black : 0; left;) {
		const unsigned from = morris_pop(&left);
		const uint32_t others = black ^ morris_bit(from);
		for (uint32_t free = morris_reach(from, w->row.sets->men[1]) & empty; free;) {
			const unsigned at = morris_pop(&free);
			const uint32_t after = others | morris_bit(at);
			if (!morris_closes(after, at) && has(to, morris_rank(w->row.class, after)))
				return true;
		}
	}
	return false;
}

static void add(struct work *w, uint32_t black)
{
	const uint32_t rank = morris_rank(w->row.class, black);
	w->from[rank / 64] |= UINT64_C(1) << rank % 64;
}

/* Takes White's moves back from the positions of the set that the row's men reach. */
static void take_white_back(struct work *w)
{
	for (const struct morris_step *s = w->step; s < w->step + w->steps; s++) {
		const uint64_t *to = row_of(w, &s->to);
		const unsigned back = morris_back(s->turn);
		for (size_t word = 0; to && word < w->row.sets->row_words; word++)
			for (uint64_t bits = to[word]; bits; bits &= bits - 1) {
				const uint32_t there = morris_black(
					&s->to, 64 * word + (unsigned)__builtin_ctzll(bits));
				/* Each symmetry of the row reached gives another predecessor. */
				for (uint32_t g = s->to.class->group; g; g &= g - 1) {
					const uint32_t black = morris_turn(
						morris_turn(there, (unsigned)__builtin_ctz(g)),
						back);
					if (!(black & w->row.class->men))
						add(w, black);
				}
			}
	}
}

static void take_black_back(struct work *w)
{
	const uint64_t *to = row_of(w, &w->row);
	for (size_t word = 0; to && word < w->row.sets->row_words; word++)
		for (uint64_t bits = to[word]; bits; bits &= bits - 1) {
			const uint32_t after =
				morris_black(&w->row, 64 * word + (unsigned)__builtin_ctzll(bits));
			const uint32_t empty = MORRIS_BOARD & ~(after | w->row.class->men);
			for (uint32_t left = after; left;) {
				const unsigned at = morris_pop(&left);
				uint32_t from = morris_reach(at, w->row.sets->men[1]) & empty;
				from = morris_closes(after, at) ? 0 : from;
				for (; from; from &= from - 1)
					add(w, (after ^ morris_bit(at)) | (from & -from));
			}
		}
}

/* ---- all rows ---- */

static size_t population(const uint64_t *set, size_t words)
{
	size_t count = 0;
	for (size_t w = 0; set && w < words; w++)
		count += (unsigned)__builtin_popcountll(set[w]);
	return count;
}

/* The number of positions to take moves back from. */
static size_t reached(const struct work *w)
{
	const size_t words = w->row.sets->row_words;
	size_t count = 0;
	if (w->side == EL_BLACK)
		return population(row_of(w, &w->row), words);
	for (unsigned i = 0; i < w->steps; i++)
		count += population(row_of(w, &w->step[i].to), words);
	return count;
}

/* The positions of a row with some quiet move into the set, or with none. */
static void look_at_each(struct work *w, const uint64_t *among, bool some)
{
	for (size_t word = 0; word < w->row.sets->row_words; word++) {
		uint64_t found = 0;
		for (uint64_t bits = among[word]; bits; bits &= bits - 1) {
			const uint32_t black =
				morris_black(&w->row, 64 * word + (unsigned)__builtin_ctzll(bits));
			const bool reaches = w->side == EL_WHITE ? white_reaches(w, black)
			                                         : black_reaches(w, black);
			found |= reaches == some ? bits & -bits : 0;
		}
		w->from[word] = found;
	}
}

static void pre(const struct el_sets *sets, unsigned side, size_t unit,
                const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
                uint64_t *from, void *scratch)
{
	const struct morris_sets *m = (const struct morris_sets *)sets;
	struct work w = {.side = side, .to = to, .from = scratch};
	for (size_t row = unit * m->unit_rows; row < morris_rows_end(m, unit); row++) {
		w.row = morris_row(m, row);
		const uint64_t *asked = among + w.row.word;
		const size_t count = population(asked, m->row_words);
		w.steps = count && side == EL_WHITE ? morris_steps(&w.row, false, w.step) : 0;
		if (some && reached(&w) < count) {
			memset(w.from, 0, m->row_words * sizeof *w.from);
			if (side == EL_WHITE)
				take_white_back(&w);
			else
				take_black_back(&w);
			for (size_t word = 0; word < m->row_words; word++)
				w.from[word] &= asked[word];
		} else {
			look_at_each(&w, asked, some);
		}
		memcpy(from + w.row.word, w.from, m->row_words * sizeof *from);
	}
	const size_t end = (morris_rows_end(m, unit) - unit * m->unit_rows) * m->row_words;
	memset(from + end, 0, (sets->words - end) * sizeof *from);
}

static size_t links(const struct el_sets *sets, unsigned side, size_t unit,
                    uint32_t out[EL_LINKS_MAX])
{
	if (side == EL_BLACK) {
		out[0] = (uint32_t)unit;
		return 1;
	}
	for (size_t i = 0; i < sets->units; i++)
		out[i] = (uint32_t)i;
	return sets->units;
}

/* ---- open and close ---- */

static void close_sets(struct el_sets *sets)
{
	struct morris_sets *m = (struct morris_sets *)sets;
	morris_give_back(sets);
	free(m->squeezed);
	free(m);
}

/* Without men in hand there are sets with Black to move even if both sides have the same number of men,
   although they are redundant: rows are White's men for both sides. */
static struct el_sets *make_sets(const struct el_problem *problem)
{
	struct morris_sets *m = malloc(sizeof *m);
	if (!m)
		return NULL;
	*m = lay_out(&problem->slice);
	m->head.game = problem->slice.game;
	m->head.slice = problem->slice;
	m->head.sides = 2;
	m->head.stages[0] = "mills";
	m->head.begin = morris_begin;
	m->head.links = links;
	m->head.pre = pre;
	if (m->head.slice.hand[0] || m->head.slice.hand[1])
		morris_open_placing(m);
	m->head.section = section_begin;
	m->head.section_units = whole_section_unit;
	m->head.gather = gather;
	m->head.close = close_sets;
	m->lender = problem->lender;
	m->classes = morris_classes(m->men[0]);
	m->squeezed = malloc(m->places * sizeof *m->squeezed);
	for (uint32_t rank = 0; m->squeezed && rank < m->places; rank++)
		m->squeezed[rank] = (uint32_t)choose_unrank(rank, m->men[1]);
	if (m->classes && m->squeezed)
		return &m->head;
	close_sets(&m->head);
	return NULL;
}

enum el_status morris_divide(const struct el_problem *problem, struct el_division **out,
                             struct el_error *error)
{
	static const struct whole_way way = {morris_measure, make_sets, morris_borrow,
	                                     morris_give_back};
	return whole_divide(&way, problem, out, error);
}

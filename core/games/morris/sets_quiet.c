/* SPDX-License-Identifier: MIT */
/* The two operators for quiet moves, those that close no mill. */
#include "sets.h"

#include <string.h>

/* ---- White's moves ---- */

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

void morris_pre(const struct el_sets *sets, unsigned side, size_t unit,
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

size_t morris_links(const struct el_sets *sets, unsigned side, size_t unit,
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

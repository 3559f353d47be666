/* SPDX-License-Identifier: MIT */
/*
 * Finds the least limit under which each position is won (dtr), and the length of its present phase
 * if both sides care about the limit first and that length second (dtzr).
 *
 * W(N), the positions won under a limit of N plies, are those that a run decides in N passes if it
 * admits only conversions into W(N). Such a run changes with N only if some conversion has exactly
 * the threshold N. So there is one run for each threshold that occurs. Between two thresholds the
 * run of the lower one goes on, a pass for each limit, and a position found in pass N needs all of
 * its N plies: its dtr and dtzr are both N.
 *
 * A limit N that is a threshold admits more at once, and a position that is new under it may have a
 * present phase of any length e up to N. Then play is analysed over position and clock. With t on
 * the clock, the *upper* run, which admits threshold N, still wins what it decides in N-t passes,
 * and the *lower* run, which does not, wins within N-1 what it decides in N-1-t. A position between
 * the two needs exactly N, and for its side to move its phase has an end e, from t+1 to N:
 *
 *     won    t+1 if a conversion wins; else the least e of its quiet moves
 *     lost   the greatest e of its quiet moves, except moves to positions that the lower run knows;
 *            t+1 if there is none
 *
 * where each move leads to t+1 on the clock; and if the upper run needs all N-t remaining plies, e
 * is N. With n = N-1-t the two runs and the ends advance together, from n = 0 to N-1, when nothing
 * is on the clock. The positions with each end e are a set; the predecessors of these sets, taken
 * in rising or falling order of e, give the least or greatest e. The sets are small, and are stored
 * as lists of their words.
 */
#include "part.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* A set as a list of its nonzero words. */
struct sparse {
	uint32_t *word; /* owned, as is `bits` */
	uint64_t *bits;
	size_t count; /* of words; a word may occur twice, with different bits */
};

/* The ends of one step, by [side][wins][e]. */
struct ends {
	struct sparse *of[2][2]; /* N + 1 lists each; owned */
};

struct limits {
	struct part *part;
	struct fixpoint lower; /* the upper one is the part's own */
	size_t unit, words;    /* words of a unit, and of all units */
	unsigned limit;        /* N */
	struct ends now, next;
	uint64_t *between;   /* positions without an end yet; owned, with `from` and `to` */
	uint64_t *from, *to; /* an operator's result and argument; `to` is empty between uses */
	bool *filled;        /* by unit: `to` is not empty there; owned */
	unsigned side;       /* of the current operator */
};

/* ---- sparse sets ---- */

/* Appends the nonzero words of a set, which begins at word `first` of all words, and removes its
   positions from `from`. EL_MEMORY. */
static enum el_status sparse_take(struct sparse *s, const uint64_t *set, size_t first, size_t words,
                                  uint64_t *from)
{
	for (size_t w = first; w < first + words; w++) {
		const uint64_t bits = set[w - first];
		if (!bits)
			continue;
		if (!array_grow(&s->word, s->count, 1, sizeof *s->word) ||
		    !array_grow(&s->bits, s->count, 1, sizeof *s->bits))
			return EL_MEMORY;
		s->word[s->count] = (uint32_t)w;
		s->bits[s->count++] = bits;
		from[w] &= ~bits;
	}
	return EL_OK;
}

/* Adds a list to `to`; to_clear removes it again. */
static void to_take(struct limits *l, const struct sparse *s)
{
	for (size_t i = 0; i < s->count; i++) {
		l->to[s->word[i]] |= s->bits[i];
		l->filled[s->word[i] / l->unit] = true;
	}
}

static void to_clear(struct limits *l, const struct sparse *s)
{
	for (size_t i = 0; i < s->count; i++) {
		l->to[s->word[i]] = 0;
		l->filled[s->word[i] / l->unit] = false;
	}
}

static void ends_drop(struct ends *ends, unsigned limit)
{
	for (unsigned n = 0; n < 4; n++) {
		struct sparse **of = &ends->of[n / 2][n % 2];
		for (unsigned e = 0; *of && e <= limit; e++) {
			free((*of)[e].word);
			free((*of)[e].bits);
		}
		free(*of);
		*of = NULL;
	}
}

/* ---- sets, unit by unit ---- */

/* Sets `known` to the wins or losses that a run knows by now in a unit; `without`: removes them
   from it. */
static void add_known(struct fixpoint *f, unsigned side, bool wins, size_t unit, size_t words,
                      uint64_t *known, bool without)
{
	struct half *h = &f->half[side];
	const uint64_t *escapes = page_read(&h->escapes, unit);
	const uint64_t *undecided = page_read(&h->undecided, unit);
	for (size_t w = 0; w < words; w++) {
		/* Illegal positions are no escapes either, but cancel out between the two runs. */
		const uint64_t escape = escapes ? escapes[w] : 0;
		const uint64_t lost = escape & (undecided ? ~undecided[w] : UINT64_MAX);
		const uint64_t is = wins ? ~escape : lost;
		known[w] = without ? known[w] & ~is : is;
	}
	if (escapes)
		page_release(&h->escapes, unit);
	if (undecided)
		page_release(&h->undecided, unit);
}

/* The positions that a conversion wins under the limit. */
static enum el_status convert(struct limits *l, unsigned side, struct sparse *end)
{
	struct initial_state *o = &l->part->initial;
	memset(l->from, 0, l->words * sizeof *l->from);
	for (size_t unit = 0; unit < o->sets->units; unit++) {
		const struct ledger_list *list =
			&o->events.list[initial_list(o, side, CONVERSION_WINS, unit)];
		for (uint32_t i = 0; i < list->count && list->entry[i].ply <= l->limit; i++)
			if (!ledger_read_set(&o->events, &o->workspaces->encoder, &list->entry[i],
			                     l->from + unit * l->unit, NULL))
				return EL_MEMORY;
	}
	for (size_t w = 0; w < l->words; w++)
		l->from[w] &= l->between[w];
	return sparse_take(end, l->from, 0, l->words, l->between);
}

static void pre_some_unit(void *context, struct workspace *space, size_t unit)
{
	struct limits *l = context;
	const struct el_sets *sets = l->part->sets;
	uint32_t links[EL_LINKS_MAX];
	const uint64_t *to[EL_LINKS_MAX];
	const size_t count = sets->links(sets, l->side, unit, links), at = unit * l->unit;
	for (size_t i = 0; i < count; i++)
		to[i] = l->filled[links[i]] ? l->to + links[i] * l->unit : NULL;
	sets->pre(sets, l->side, unit, to, l->between + at, true, l->from + at, space->scratch);
}

/* The ends of one side to move, with `clock` plies on the clock. */
static enum el_status find_ends(struct limits *l, unsigned side, bool wins, unsigned clock)
{
	struct sparse *next = l->next.of[side][wins];
	const struct sparse *reached = l->now.of[!side][!wins];
	enum el_status status = EL_OK;
	/* what the upper run knows after this step and the lower one does not */
	uint64_t any = 0;
	for (size_t unit = 0; unit < l->part->sets->units; unit++) {
		uint64_t *between = l->between + unit * l->unit;
		add_known(&l->part->fixpoint, side, wins, unit, l->unit, between, false);
		add_known(&l->lower, side, wins, unit, l->unit, between, true);
		for (size_t w = 0; w < l->unit; w++)
			any |= between[w];
	}
	if (!any)
		return EL_OK;
	if (wins)
		status = convert(l, side, &next[clock + 1]);
	for (unsigned i = clock + 2; i <= l->limit && !status; i++) {
		const unsigned e = wins ? i : l->limit + clock + 2 - i;
		if (!reached[e].count)
			continue;
		to_take(l, &reached[e]);
		l->side = side;
		initial_units(&l->part->initial, l, pre_some_unit);
		to_clear(l, &reached[e]);
		status = sparse_take(&next[e], l->from, 0, l->words, l->between);
	}
	if (!wins && !status) /* only zeroing moves need the limit there */
		status = sparse_take(&next[clock + 1], l->between, 0, l->words, l->between);
	return status;
}

/* The next pass of the upper run. What it finds needs all that is left of the limit. */
static enum el_status pass_upper(struct limits *l)
{
	struct fixpoint *upper = &l->part->fixpoint;
	enum el_status status = EL_OK;
	fixpoint_pass(upper);
	for (unsigned n = 0; n < 4; n++) {
		struct paged *fresh = &upper->half[n / 2].before[n % 2].pages;
		struct sparse *next = &l->next.of[n / 2][n % 2][l->limit];
		for (size_t unit = 0; unit < fresh->count && !status; unit++) {
			const uint64_t *set = page_read(fresh, unit);
			if (set) {
				status =
					sparse_take(next, set, unit * l->unit, l->unit, l->between);
				page_release(fresh, unit);
			}
		}
	}
	return status;
}

static enum el_status step(struct limits *l, unsigned clock)
{
	enum el_status status = EL_OK;
	for (unsigned n = 0; n < 4; n++) {
		struct sparse *of = calloc(l->limit + 1u, sizeof *of);
		l->next.of[n / 2][n % 2] = of;
		status = of ? status : EL_MEMORY;
	}
	for (unsigned n = 0; n < 4 && !status; n++)
		status = find_ends(l, n / 2, n % 2, clock);
	if (!status)
		status = pass_upper(l);
	ends_drop(&l->now, l->limit);
	l->now = l->next;
	l->next = (struct ends){0};
	return status;
}

/* Records the positions that are new under the limit, now that nothing is on the clock. */
static void note_ends(struct limits *l)
{
	struct part *p = l->part;
	for (unsigned n = 0; n < 4; n++)
		for (unsigned e = 1; e <= l->limit; e++) {
			const struct sparse *end = &l->now.of[n / 2][n % 2][e];
			to_take(l, end);
			for (size_t unit = 0; unit < p->sets->units && end->count; unit++)
				if (l->filled[unit])
					part_note(p, p->initial.workspaces, n / 2, unit,
					          l->to + unit * l->unit, NULL,
					          (struct el_value){
							  .outcome = n % 2 ? EL_WIN : EL_LOSS,
							  .plies = (uint16_t)l->limit,
							  .phase = (uint16_t)e,
						  });
			to_clear(l, end);
		}
}

/* Solves the limit `threshold`, given the threshold before it. */
static enum el_status solve_threshold(struct limits *l, uint32_t before, uint32_t threshold,
                                      struct el_error *error)
{
	struct fixpoint *upper = &l->part->fixpoint;
	enum el_status status = EL_OK;
	l->limit = threshold;
	fixpoint_begin(upper, threshold, false);
	fixpoint_begin(&l->lower, before, false);
	fixpoint_pass(upper);
	for (unsigned n = 0; n < threshold && !status; n++) {
		fixpoint_pass(&l->lower);
		status = part_tick(l->part, error);
		if (!status && step(l, threshold - 1 - n))
			status = el_fail(error, EL_MEMORY, "%s: out of memory",
			                 l->part->problem->slice.name);
	}
	if (!status)
		note_ends(l);
	ends_drop(&l->now, l->limit);
	return status;
}

/* ---- all limits ---- */

/* The bitmaps here cover all units, one after the other, with the same numbers for both sides. */
enum el_status part_solve_limits(struct part *p, struct el_error *error)
{
	const size_t words = p->sets->units * p->sets->words;
	struct limits l = {.part = p, .unit = p->sets->words, .words = words};
	enum el_status status = fixpoint_open(&l.lower, &p->initial);
	l.between = scratch_memory(3 * words * sizeof *l.between);
	l.filled = calloc(p->sets->units, sizeof *l.filled);
	uint32_t threshold = 0, next = initial_next_ply(&p->initial, 0);
	p->fixpoint.most = l.lower.most = 0; /* fronts are read here, from their pages */
	if (!status && l.between && l.filled) {
		l.from = l.between + words;
		l.to = l.from + words;
		memset(l.to, 0, words * sizeof *l.to);
		fixpoint_begin(&p->fixpoint, threshold, false);
		status = part_run(p, next - 1, EL_LOSS, EL_WIN, error);
	} else {
		status = el_fail(error, EL_MEMORY, "%s: out of memory", p->problem->slice.name);
	}
	while (!status && next < EL_THRESHOLD_ALL) {
		status = solve_threshold(&l, threshold, next, error);
		threshold = next;
		next = initial_next_ply(&p->initial, threshold);
		if (!status)
			status = part_run(p, next - 1, EL_LOSS, EL_WIN, error);
	}
	ends_drop(&l.next, l.limit);
	ends_drop(&l.now, l.limit);
	free(l.between);
	free(l.filled);
	fixpoint_close(&l.lower);
	return status;
}

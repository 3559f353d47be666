/* SPDX-License-Identifier: MIT */
#include "inside.h"

#include <stdlib.h>

void solution_close(struct solution *o)
{
	free(o->sets);
	for (unsigned side = 0; side < 2; side++) {
		free(o->plies[side]);
		free(o->wins_at[side]);
		free(o->frees_at[side]);
	}
}

bool solution_open(struct solution *o, struct frame *f, const struct el_metric *metric)
{
	enum { EACH = 6 };
	bool good = true;
	*o = (struct solution){.sets = words_new(2 * EACH * f->words), .metric = metric};
	for (unsigned side = 0; side < 2 && o->sets; side++) {
		uint64_t *at = o->sets + side * EACH * f->words;
		uint64_t **const sets[EACH] = {&o->reached[side], &o->any[side], &o->wins[side],
		                               &o->holds[side],   &o->won[side], &o->lost[side]};
		for (size_t i = 0; i < EACH; i++, at += f->words)
			*sets[i] = at;
		const uint64_t *reached = set_read(f, SET_REACHED + side);
		if (reached)
			memcpy(o->reached[side], reached, f->words * sizeof *reached);
		set_release(f, SET_REACHED + side, reached);
		uint16_t **const depths[] = {&o->plies[side], &o->wins_at[side],
		                             &o->frees_at[side]};
		for (size_t i = 0; i < (!metric ? 0u : metric_goes_on(metric) ? 3u : 1u); i++)
			good = (*depths[i] = calloc(64 * f->words, sizeof **depths)) && good;
	}
	return good && o->sets;
}

/* `at`: by bit, the ply at which each takes effect; null: the first. */
static void add_events(struct el_events *list, size_t word, uint64_t bits, const uint16_t *at,
                       bool *failed)
{
	if (!bits)
		return;
	const unsigned ply = at ? at[__builtin_ctzll(bits)] : 1;
	uint64_t same = at ? 0 : bits;
	for (uint64_t left = bits; left && at; left &= left - 1)
		same |= at[__builtin_ctzll(left)] == ply ? left & -left : 0;
	add_events(list, word, bits & ~same, at, failed);
	if (list->count == list->capacity) {
		const size_t more = list->capacity ? 2 * list->capacity : 64;
		struct el_event *new = realloc(list->events, more * sizeof *new);
		*failed |= !new;
		if (!new)
			return;
		list->events = new;
		list->capacity = more;
	}
	list->events[list->count++] = (struct el_event){same, (uint32_t)word, ply};
}

static enum el_status begin(const struct el_sets *sets, unsigned side, size_t unit,
                            struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct solution *o = sets->context;
	const size_t at = unit * sets->words;
	bool failed = false;
	(void)scratch;
	for (size_t w = 0; w < sets->words; w++) {
		const uint64_t legal = o->reached[side][at + w], any = o->any[side][at + w] & legal;
		const uint64_t wins = o->wins[side][at + w] & legal, holds = o->holds[side][at + w];
		out->legal[w] = legal;
		out->blocked[w] = any;
		const uint16_t *wins_at = o->wins_at[side], *frees_at = o->frees_at[side];
		add_events(&out->wins, w, wins, wins_at ? wins_at + 64 * (at + w) : NULL, &failed);
		add_events(&out->frees, w, any & ~holds & ~wins,
		           frees_at ? frees_at + 64 * (at + w) : NULL, &failed);
	}
	return failed ? no_memory(error) : EL_OK;
}

static void decided(void *context, struct workspace *space, unsigned side, size_t unit,
                    enum el_outcome outcome, const uint64_t *set, const uint64_t *marks)
{
	(void)marks;
	const struct solution *o = context;
	(void)space;
	uint64_t *out = (outcome == EL_WIN ? o->won : o->lost)[side] + unit * o->unit_words;
	for (size_t w = 0; w < o->unit_words && outcome != EL_DRAW; w++)
		out[w] |= set[w];
	uint16_t *plies = o->plies[side];
	for (size_t w = 0; w < o->unit_words && plies; w++)
		for (uint64_t left = set[w]; left; left &= left - 1)
			plies[64 * (unit * o->unit_words + w) + (unsigned)__builtin_ctzll(left)] =
				outcome == EL_DRAW ? NO_MOVE : (uint16_t)o->fixpoint->ply;
}

/* What exits see, as positions of this frame. */
struct seen {
	uint64_t *any, *lost, *rest; /* reached there; lost for the side to move; not won for it */
	/* For exits after which the count goes on: the least plies, from here, of what is lost there, and the
	   most of what is won. Null: not wanted. */
	uint16_t *lost_at, *won_at;
	const struct el_metric *metric;
};

static void note_depth(const struct seen *seen, size_t at, bool lost, unsigned plies)
{
	if (!lost && seen->won_at[at] < plies)
		seen->won_at[at] = (uint16_t)plies;
	if (lost && (!seen->lost_at[at] || seen->lost_at[at] > plies))
		seen->lost_at[at] = (uint16_t)plies;
}

static void note_depths(const struct seen *seen, const uint64_t *set, size_t words, bool lost,
                        unsigned plies)
{
	for (size_t w = 0; w < words; w++)
		for (uint64_t left = set[w]; left; left &= left - 1)
			note_depth(seen, 64 * w + (size_t)__builtin_ctzll(left), lost, plies);
}

/* Notes the depths of what an exit sees: of a set there, lost or won. */
static bool see_depths(struct el_study *s, const struct el_exit *e, const struct el_sets *sets,
                       const struct el_sets *there, struct frame *to, unsigned favour,
                       const uint64_t *set, bool lost, const struct seen *seen)
{
	const size_t words = sets->units * sets->words;
	const bool goes_on = seen->metric->join == EL_JOIN_SUM || !e->converts;
	const unsigned page = 2 * favour + !e->side;
	const uint16_t *plies = goes_on ? page_read(&to->plies, page) : NULL;
	uint64_t *some = words_new(to->words), *image = words_new(words);
	bool good = some && image && (plies || !goes_on);
	unsigned most = 0;
	for (size_t at = 0; at < 64 * to->words && good && goes_on; at++)
		if (set[at / 64] >> at % 64 & 1 && plies[at] > most)
			most = plies[at];
	for (unsigned n = 0; n <= most && good; n++) {
		uint64_t any = 0;
		for (size_t w = 0; w < to->words; w++) {
			some[w] = goes_on ? 0 : set[w];
			for (uint64_t left = goes_on ? set[w] : 0; left; left &= left - 1)
				if (plies[64 * w + (size_t)__builtin_ctzll(left)] == n)
					some[w] |= left & -left;
			any |= some[w];
		}
		if (!any)
			continue;
		memset(image, 0, words * sizeof *image);
		s->frames->pre(e, sets, there, some, image);
		note_depths(seen, image, words, lost, goes_on ? n + 1 : 1);
	}
	if (plies)
		page_release(&to->plies, page);
	free(some);
	free(image);
	return good;
}

/* An exit of which nothing is known may be worth anything: the best for the side favoured. */
static bool see_open(struct el_study *s, const struct el_exit *e, const struct el_sets *sets,
                     const struct el_sets *there, unsigned favour, const struct seen *seen)
{
	const size_t words = there->units * there->words, here = sets->units * sets->words;
	uint64_t *legal = words_new(words), *image = words_new(here);
	for (size_t unit = 0; unit < there->units && legal; unit++)
		s->frames->legal(there, !e->side, unit, legal + unit * there->words);
	const bool good = legal && image, lost = favour == e->side;
	if (good)
		s->frames->pre(e, sets, there, legal, image);
	for (size_t w = 0; w < here && good; w++) {
		seen->any[w] |= image[w];
		seen->lost[w] |= lost ? image[w] : 0;
	}
	if (good && seen->lost_at)
		note_depths(seen, image, here, lost, lost ? 1 : 2);
	free(legal);
	free(image);
	return good;
}

/* ORs in what an exit sees in favour of a side. Nothing, if it is a kind to promote to that is not
   followed. */
static enum el_status see(struct el_study *s, const struct el_exit *e, const struct el_sets *sets,
                          unsigned favour, const struct seen *seen, struct el_error *error)
{
	struct frame *to = frame_find(s, &e->to);
	const unsigned next = !e->side, won = SET_WON + 2 * favour + next,
		       lost = SET_LOST + 2 * favour + next;
	struct el_sets *there;
	const bool is_open = !e->chooses && (to ? !to->is_solved : s->is_cut);
	if (!is_open && (!to || !to->is_solved || !set_filled(to, SET_REACHED + next)))
		return EL_OK;
	const enum el_status status = s->frames->open(&e->to, &there, error);
	if (status)
		return status;
	uint64_t *rest = is_open ? NULL : set_copy(to, SET_REACHED + next);
	bool good = is_open ? see_open(s, e, sets, there, favour, seen) : rest != NULL;
	if (rest) {
		s->frames->pre(e, sets, there, rest, seen->any);
		const uint64_t *set = set_read(to, lost);
		if (set)
			s->frames->pre(e, sets, there, set, seen->lost);
		if (set && seen->lost_at)
			good = see_depths(s, e, sets, there, to, favour, set, true, seen);
		set_release(to, lost, set);
		set = set_read(to, won);
		for (size_t w = 0; w < to->words && set; w++)
			rest[w] &= ~set[w];
		if (set && seen->lost_at && good)
			good = see_depths(s, e, sets, there, to, favour, set, false, seen);
		set_release(to, won, set);
		s->frames->pre(e, sets, there, rest, seen->rest);
	}
	there->close(there);
	free(rest);
	return good ? EL_OK : no_memory(error);
}

/* What tables know of a choice, if it falls on the kind of an exit. */
static enum el_status ask_tables(struct el_study *s, const struct el_exit *e,
                                 const struct el_sets *sets, const struct solution *o, size_t words,
                                 const struct seen *seen, struct el_error *error)
{
	const unsigned side = !e->side;
	for (size_t w = 0; w < words; w++)
		for (uint64_t left = o->reached[side][w]; left; left &= left - 1) {
			const uint64_t bit = left & -left;
			const size_t at = 64 * w + (size_t)__builtin_ctzll(left);
			struct el_position p;
			struct el_value value;
			if (!s->frames->position(sets, side, at, &p))
				continue;
			s->frames->choose(e, &p);
			enum el_status status =
				s->room.tables->value(s->room.tables->context, &p,
			                              metric_asked(o->metric), &value, error);
			if (status == EL_NEGATIVE)
				continue;
			if (status)
				return status;
			if (!el_outcome_exact(value.outcome))
				continue;
			if (el_outcome_late(value.outcome)) {
				s->late = true;
				value.outcome = value.outcome == EL_CURSED_WIN ? EL_WIN : EL_LOSS;
			}
			const bool lost = value.outcome == EL_LOSS;
			if (seen->lost_at && value.outcome != EL_DRAW)
				note_depth(seen, at, lost, value.plies + 1u);
			seen->any[w] |= bit;
			seen->lost[w] |= lost ? bit : 0;
			seen->rest[w] |= value.outcome != EL_WIN ? bit : 0;
		}
	return EL_OK;
}

/* A choice is worth the best of its kinds. Those that are not known may be worth anything. */
static enum el_status solve_choice(struct el_study *s, struct frame *f, struct el_sets *sets,
                                   unsigned favour, struct solution *o, struct el_error *error)
{
	const unsigned side = !f->chooses; /* to move */
	uint64_t *known = o->any[side], *all = o->wins[side], *rest = o->holds[side];
	uint64_t *won = o->won[side], *lost = o->lost[side];
	const struct seen seen = {known,    lost, rest, o->wins_at[side], o->frees_at[side],
	                          o->metric};
	struct el_exit exits[EL_EXITS_MAX];
	const size_t count = s->frames->exits(sets, f->chooses, exits);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		memset(known, 0, f->words * sizeof *known);
		status = choice_is_covered(s, f, sets, &exits[i], metric_asked(o->metric))
		                 ? ask_tables(s, &exits[i], sets, o, f->words, &seen, error)
		                 : see(s, &exits[i], sets, favour, &seen, error);
		for (size_t w = 0; w < f->words; w++)
			all[w] = i ? all[w] & known[w] : known[w];
	}
	for (size_t w = 0; w < f->words && !status; w++) {
		const uint64_t reached = o->reached[side][w],
			       open = favour == f->chooses ? reached & ~all[w] : 0;
		lost[w] = (lost[w] & reached) | open;
		won[w] = reached & ~rest[w] & ~lost[w];
		/* A choice takes no ply. A kind that is not known may be lost, or won, at once. */
		for (uint64_t left = seen.lost_at ? lost[w] | won[w] : 0; left; left &= left - 1) {
			const uint64_t bit = left & -left;
			const size_t at = 64 * w + (size_t)__builtin_ctzll(left);
			const unsigned plies = lost[w] & bit ? seen.lost_at[at] : seen.won_at[at];
			o->plies[side][at] = (uint16_t)(open & bit  ? 0
			                                : plies > 1 ? plies - 1
			                                            : !(lost[w] & bit));
		}
	}
	return status;
}

static enum el_status solve_frame(struct el_study *s, struct el_sets *sets, unsigned favour,
                                  struct solution *o, struct el_error *error)
{
	struct initial_state initial = {.sets = NULL};
	struct fixpoint fixpoint = {.initial = NULL};
	enum el_status status = EL_OK;
	struct el_exit exits[2 * EL_EXITS_MAX];
	const size_t count = exits_all(s->frames, sets, exits);
	for (const struct el_exit *e = exits; e < exits + count && !status; e++) {
		const struct seen seen = {o->any[e->side],      o->wins[e->side],
		                          o->holds[e->side],    o->wins_at[e->side],
		                          o->frees_at[e->side], o->metric};
		status = see(s, e, sets, favour, &seen, error);
	}
	if (!status) {
		const struct initial_options options = {
			.sets = sets, .scratch = s->working, .alone = true};
		sets->begin = begin;
		sets->context = o;
		status = initial_make(&initial, &options, error);
	}
	if (!status && fixpoint_open(&fixpoint, &initial))
		status = no_memory(error);
	if (!status) {
		o->fixpoint = &fixpoint;
		o->unit_words = sets->words;
		fixpoint.decided = decided;
		fixpoint.context = o;
		fixpoint_begin(&fixpoint, FIXPOINT_BY_PLY, true);
		while (!status && fixpoint_alive(&fixpoint)) {
			fixpoint_pass(&fixpoint);
			status = initial_check(&initial, error);
		}
		unsigned most = s->passes;
		while (most < fixpoint.ply &&
		       !atomic_compare_exchange_weak(&s->passes, &most, fixpoint.ply))
			;
	}
	fixpoint_close(&fixpoint);
	if (initial.sets)
		initial_close(&initial);
	return status;
}

enum el_status solution_find(struct el_study *s, struct frame *f, struct el_sets *sets,
                             unsigned favour, struct solution *o, struct el_error *error)
{
	return f->chooses == 2 ? solve_frame(s, sets, favour, o, error)
	                       : solve_choice(s, f, sets, favour, o, error);
}

/* Puts a set in the place of another; notes if they differ. */
static bool replace_set(struct frame *f, unsigned set, const uint64_t *words)
{
	const uint64_t *old = set_read(f, set);
	for (size_t w = 0; w < f->words && !f->has_changed; w++)
		f->has_changed = words[w] != (old ? old[w] : 0);
	set_release(f, set, old);
	page_drop(&f->sets, set);
	return set_add(f, set, words);
}

/* Solves a frame in favour of both sides. */
static enum el_status solve_both(struct el_study *s, struct frame *f, struct el_sets *sets,
                                 struct el_error *error)
{
	enum el_status status = EL_OK;
	f->has_changed = !f->is_solved;
	for (unsigned favour = 0; favour < 2 && !status; favour++) {
		struct solution o;
		if (!solution_open(&o, f, NULL))
			status = no_memory(error);
		else
			status = solution_find(s, f, sets, favour, &o, error);
		for (unsigned side = 0; side < 2 && !status; side++)
			if (!replace_set(f, SET_WON + 2 * favour + side, o.won[side]) ||
			    !replace_set(f, SET_LOST + 2 * favour + side, o.lost[side]))
				status = no_memory(error);
		solution_close(&o);
	}
	f->is_solved |= !status;
	f->is_fresh &= status != EL_OK;
	return status;
}

/* A frame is solved again if it is entered anew, or what it enters has changed. */
static enum el_status solve_if_needed(struct el_study *s, struct frame *f, struct el_error *error)
{
	struct el_sets *sets;
	f->has_changed = false;
	if (!set_filled(f, SET_REACHED) && !set_filled(f, SET_REACHED + 1))
		return EL_OK;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	bool again = f->is_fresh || !f->is_solved;
	struct el_exit exits[2 * EL_EXITS_MAX];
	const size_t count = again ? 0 : exits_all(s->frames, sets, exits);
	for (size_t i = 0; i < count && !again; i++) {
		const struct frame *to = frame_find(s, &exits[i].to);
		again = to && to->has_changed;
	}
	if (again)
		status = solve_both(s, f, sets, error);
	sets->close(sets);
	return status;
}

enum el_status study_solve(struct el_study *s, struct el_error *error)
{
	enum el_status status = EL_OK;
	size_t done = 0;
	size_t order = 0;
	for (; order < EL_FRAME_ORDERS && !status; order++)
		status = frames_each(s, order, "solving", &done, solve_if_needed, error);
	/* What the frames that are left enter may have changed. */
	for (order -= status != EL_OK; order < EL_FRAME_ORDERS && status; order++)
		for (struct frame *f = s->list[order]; f; f = f->next)
			f->is_fresh = true;
	return status;
}

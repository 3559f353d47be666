/* SPDX-License-Identifier: MIT */
#include "inside.h"
#include "passes.h"

#include "core/solve/fixpoint.h"

#include <stdlib.h>

/* What is known of a frame's positions before the first pass, in favour of one side, by side to move. */
struct exits_known {
	uint64_t *any[2];   /* some exit */
	uint64_t *wins[2];  /* an exit wins */
	uint64_t *holds[2]; /* an exit does not lose */
};

/* A solution of a frame in favour of one side. All bitmaps are its own. */
struct solution {
	uint64_t *reached[2];
	struct exits_known known;
	uint64_t *won[2], *lost[2];
	uint16_t *plies[2]; /* by side to move and address; null: not wanted */
	size_t unit_words;
	const struct fixpoint *fixpoint;
};

static void solution_close(struct solution *o)
{
	for (unsigned side = 0; side < 2; side++) {
		free(o->reached[side]);
		free(o->known.any[side]);
		free(o->known.wins[side]);
		free(o->known.holds[side]);
		free(o->won[side]);
		free(o->lost[side]);
		free(o->plies[side]);
	}
}

static bool solution_open(struct solution *o, struct frame *f, bool with_plies)
{
	bool good = true;
	*o = (struct solution){.fixpoint = NULL};
	for (unsigned side = 0; side < 2; side++) {
		good = (o->reached[side] = set_copy(f, SET_REACHED + side)) && good;
		uint64_t **const rest[] = {&o->known.any[side], &o->known.wins[side],
		                           &o->known.holds[side], &o->won[side], &o->lost[side]};
		for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
			good = (*rest[i] = words_new(f->words)) && good;
		o->plies[side] = with_plies ? calloc(64 * f->words, sizeof *o->plies[side]) : NULL;
		good = good && (o->plies[side] || !with_plies);
	}
	return good;
}

static void add_event(struct el_events *list, size_t word, uint64_t bits, bool *failed)
{
	if (!bits)
		return;
	if (list->count == list->capacity) {
		const size_t more = list->capacity ? 2 * list->capacity : 64;
		struct el_event *new = realloc(list->events, more * sizeof *new);
		*failed |= !new;
		if (!new)
			return;
		list->events = new;
		list->capacity = more;
	}
	list->events[list->count++] = (struct el_event){bits, (uint32_t)word, EL_THRESHOLD_IN_TIME};
}

static enum el_status begin(const struct el_sets *sets, unsigned side, size_t unit,
                            struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct solution *o = sets->context;
	const size_t at = unit * sets->words;
	bool failed = false;
	(void)scratch;
	for (size_t w = 0; w < sets->words; w++) {
		const uint64_t legal = o->reached[side][at + w],
			       any = o->known.any[side][at + w] & legal;
		const uint64_t wins = o->known.wins[side][at + w] & legal,
			       holds = o->known.holds[side][at + w];
		out->legal[w] = legal;
		out->blocked[w] = any;
		add_event(&out->wins, w, wins, &failed);
		add_event(&out->frees, w, any & ~holds & ~wins, &failed);
	}
	return failed ? el_fail(error, EL_MEMORY, "out of memory") : EL_OK;
}

static void decided(void *context, struct workspace *space, unsigned side, size_t unit,
                    enum el_outcome outcome, const uint64_t *set)
{
	const struct solution *o = context;
	(void)space;
	if (outcome == EL_DRAW)
		return;
	uint64_t *out = (outcome == EL_WIN ? o->won : o->lost)[side] + unit * o->unit_words;
	for (size_t w = 0; w < o->unit_words; w++)
		out[w] |= set[w];
	uint16_t *plies = o->plies[side];
	for (size_t w = 0; w < o->unit_words && plies; w++)
		for (uint64_t left = set[w]; left; left &= left - 1)
			plies[64 * (unit * o->unit_words + w) + (unsigned)__builtin_ctzll(left)] =
				(uint16_t)o->fixpoint->ply;
}

/* What an exit sees, as positions of this frame. */
struct seen {
	uint64_t *any, *lost, *rest; /* reached there; lost for the side to move; not won for it */
};

/* An exit of which nothing is known may be worth anything: the best for the side favoured. */
static enum el_status see_open(struct el_study *s, const struct el_exit *e,
                               const struct el_sets *sets, const struct el_sets *there,
                               unsigned favour, const struct seen *seen, struct el_error *error)
{
	const size_t words = there->units * there->words;
	uint64_t *legal = words_new(words);
	for (size_t unit = 0; unit < there->units && legal; unit++)
		s->frames->legal(there, !e->side, unit, legal + unit * there->words);
	if (legal)
		s->frames->pre(e, sets, there, legal, seen->any);
	if (legal && favour == e->side)
		s->frames->pre(e, sets, there, legal, seen->lost);
	const bool good = legal != NULL;
	free(legal);
	return good ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
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
	enum el_status status = s->frames->open(&e->to, &there, error);
	if (status)
		return status;
	if (is_open) {
		status = see_open(s, e, sets, there, favour, seen, error);
		there->close(there);
		return status;
	}
	uint64_t *rest = set_copy(to, SET_REACHED + next);
	const uint64_t *set = rest ? set_read(to, lost) : NULL;
	if (rest)
		s->frames->pre(e, sets, there, rest, seen->any);
	if (set)
		s->frames->pre(e, sets, there, set, seen->lost);
	set_release(to, lost, set);
	set = rest ? set_read(to, won) : NULL;
	for (size_t w = 0; w < to->words && set; w++)
		rest[w] &= ~set[w];
	set_release(to, won, set);
	if (rest)
		s->frames->pre(e, sets, there, rest, seen->rest);
	there->close(there);
	const bool good = rest != NULL;
	free(rest);
	return good ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
}

/* What tables know of a choice, if it falls on the kind of an exit. */
static enum el_status ask_tables(const struct el_study *s, const struct el_exit *e,
                                 const struct el_sets *sets, const struct solution *o, size_t words,
                                 const struct seen *seen, struct el_error *error)
{
	const unsigned side = !e->side;
	for (size_t w = 0; w < words; w++)
		for (uint64_t left = o->reached[side][w]; left; left &= left - 1) {
			const uint64_t bit = left & -left;
			struct el_position p;
			struct el_value value;
			if (!s->frames->position(sets, side,
			                         64 * w + (uint64_t)__builtin_ctzll(left), &p))
				continue;
			s->frames->choose(e, &p);
			enum el_status status =
				s->room.tables->value(s->room.tables->context, &p, &value, error);
			if (status == EL_NEGATIVE)
				continue;
			if (status)
				return status;
			if (!el_outcome_exact(value.outcome))
				continue;
			seen->any[w] |= bit;
			seen->lost[w] |= value.outcome == EL_LOSS ? bit : 0;
			seen->rest[w] |= value.outcome != EL_WIN ? bit : 0;
		}
	return EL_OK;
}

/* A choice is worth the best of its kinds. Those that are not known may be worth anything. */
static enum el_status solve_choice(struct el_study *s, struct frame *f, struct el_sets *sets,
                                   unsigned favour, struct solution *o, struct el_error *error)
{
	const unsigned side = !f->chooses; /* to move */
	uint64_t *known = o->known.any[side], *all = o->known.wins[side],
		 *rest = o->known.holds[side];
	uint64_t *won = o->won[side], *lost = o->lost[side];
	const struct seen seen = {known, lost, rest};
	struct el_exit exits[EL_EXITS_MAX];
	const size_t count = s->frames->exits(sets, f->chooses, exits);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		memset(known, 0, f->words * sizeof *known);
		status = choice_is_covered(s, f, sets, &exits[i])
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
	}
	return status;
}

static enum el_status solve_frame(struct el_study *s, struct el_sets *sets, unsigned favour,
                                  struct solution *o, struct el_error *error)
{
	struct initial_state initial = {.sets = NULL};
	struct fixpoint fixpoint = {.initial = NULL};
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < 2; side++) {
		struct el_exit exits[EL_EXITS_MAX];
		const size_t count = s->frames->exits(sets, side, exits);
		const struct seen seen = {o->known.any[side], o->known.wins[side],
		                          o->known.holds[side]};
		for (size_t i = 0; i < count && !status; i++)
			status = see(s, &exits[i], sets, favour, &seen, error);
	}
	if (!status) {
		const struct initial_options options = {
			.sets = sets, .scratch = s->scratch, .alone = true};
		sets->begin = begin;
		sets->context = o;
		status = initial_make(&initial, &options, error);
	}
	if (!status && fixpoint_open(&fixpoint, &initial))
		status = el_fail(error, EL_MEMORY, "out of memory");
	if (!status) {
		o->fixpoint = &fixpoint;
		o->unit_words = sets->words;
		fixpoint.decided = decided;
		fixpoint.context = o;
		fixpoint_begin(&fixpoint, EL_THRESHOLD_ALL, true);
		while (fixpoint_alive(&fixpoint))
			fixpoint_pass(&fixpoint);
		status = initial_check(&initial, error);
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
		if (!solution_open(&o, f, false))
			status = el_fail(error, EL_MEMORY, "out of memory");
		else if (f->chooses == 2)
			status = solve_frame(s, sets, favour, &o, error);
		else
			status = solve_choice(s, f, sets, favour, &o, error);
		for (unsigned side = 0; side < 2 && !status; side++)
			if (!replace_set(f, SET_WON + 2 * favour + side, o.won[side]) ||
			    !replace_set(f, SET_LOST + 2 * favour + side, o.lost[side]))
				status = el_fail(error, EL_MEMORY, "out of memory");
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
	for (unsigned side = 0; side < 2 && !again; side++) {
		struct el_exit exits[EL_EXITS_MAX];
		const size_t count = s->frames->exits(sets, side, exits);
		for (size_t i = 0; i < count && !again; i++) {
			const struct frame *to = frame_find(s, &exits[i].to);
			again = to && to->has_changed;
		}
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
	for (size_t order = 0; order < EL_FRAME_ORDERS && !status; order++)
		status = frames_each(s, order, "solving", &done, solve_if_needed, error);
	return status;
}

/* ---- values ---- */

/* The value of a position, by what both solutions say of it. */
static struct el_value join(const struct solution o[2], unsigned side, uint64_t at)
{
	enum el_outcome bound[2];
	for (unsigned favour = 0; favour < 2; favour++)
		bound[favour] = o[favour].won[side][at / 64] >> at % 64 & 1    ? EL_WIN
		                : o[favour].lost[side][at / 64] >> at % 64 & 1 ? EL_LOSS
		                                                               : EL_DRAW;
	struct el_value v = {.outcome = (uint8_t)el_outcome_between(bound[!side], bound[side])};
	if (v.outcome != EL_WIN && v.outcome != EL_LOSS)
		return v;
	/* The winner can rely on the solution that favours the other side. */
	const unsigned winner = v.outcome == EL_WIN ? side : !side;
	const uint16_t sure = o[!winner].plies[side][at], least = o[winner].plies[side][at];
	v.plies = (uint16_t)(sure + (sure != least ? STUDY_ROUGH : 0));
	return v;
}

enum el_status study_values(struct el_study *s, struct frame *f, uint16_t *const out[2],
                            struct el_error *error)
{
	struct solution o[2];
	struct el_sets *sets;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	for (unsigned favour = 0; favour < 2; favour++)
		if (!solution_open(&o[favour], f, true))
			status = el_fail(error, EL_MEMORY, "out of memory");
	for (unsigned favour = 0; favour < 2 && !status && f->is_solved; favour++)
		status = f->chooses == 2 ? solve_frame(s, sets, favour, &o[favour], error)
		                         : solve_choice(s, f, sets, favour, &o[favour], error);
	uint64_t *legal = words_new(f->words);
	if (!status && !legal)
		status = el_fail(error, EL_MEMORY, "out of memory");
	for (unsigned side = 0; side < 2 && !status; side++) {
		for (size_t unit = 0; unit < sets->units; unit++)
			s->frames->legal(sets, side, unit, legal + unit * sets->words);
		for (size_t w = 0; w < f->words; w++) {
			const uint64_t reached = f->is_solved ? o[0].reached[side][w] : 0;
			uint16_t *at = out[side] + 64 * w;
			for (unsigned i = 0; i < 64; i++)
				at[i] = legal[w] >> i & 1 ? SYMBOL_UNREACHED : 0;
			for (uint64_t left = reached; left; left &= left - 1) {
				const unsigned i = (unsigned)__builtin_ctzll(left);
				at[i] = study_symbol(join(o, side, 64 * w + i));
			}
		}
	}
	free(legal);
	solution_close(&o[0]);
	solution_close(&o[1]);
	sets->close(sets);
	return status;
}

/* ---- passes ---- */

enum el_status study_note_passes(struct el_study *s, struct frame *f, unsigned favour,
                                 struct study_passes *out, struct el_error *error)
{
	struct solution o;
	struct el_sets *sets;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	status = solution_open(&o, f, true) ? solve_frame(s, sets, favour, &o, error)
	                                    : el_fail(error, EL_MEMORY, "out of memory");
	for (unsigned side = 0; side < 2 && !status; side++)
		for (uint64_t at = 0; at < out->addresses; at++) {
			const size_t w = at / 64;
			const uint64_t bit = UINT64_C(1) << at % 64;
			const bool reached = o.reached[side][w] & bit,
				   wins = reached && o.known.wins[side][w] & bit;
			out->of[favour][side].outcome[at] =
				(uint8_t)(!reached                ? EL_BROKEN
			                  : o.won[side][w] & bit  ? EL_WIN
			                  : o.lost[side][w] & bit ? EL_LOSS
			                                          : EL_DRAW);
			out->of[favour][side].ply[at] = o.plies[side][at];
			out->exits_win |= wins;
			if (favour == EL_BLACK || !reached)
				continue;
			out->winning[side] += wins;
			out->holding[side] += !wins && o.known.holds[side][w] & bit;
		}
	solution_close(&o);
	sets->close(sets);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "study.h"

#include "core/games/frames.h"
#include "core/solve/fixpoint.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 12 };

/* A frame of the graph. Sets are over all its units; null while they are empty. */
struct frame {
	struct el_frame frame;
	struct frame *next; /* in the list of its order */
	uint8_t chooses;    /* as el_frames.chooses */
	bool is_solved;
	bool is_fresh; /* has to be solved again: it is entered anew, or another kind is followed */
	bool has_changed; /* its values did, in the current extension */
	size_t words;
	uint64_t *reached[2];  /* by side to move: entered, or by quiet moves from there */
	uint64_t *entered[2];  /* in this extension, not yet among those reached */
	uint64_t *relevant[2]; /* in this extension: see el_study_extend */
	/* [side that what is open favours][side to move] */
	uint64_t *won[2][2], *lost[2][2];
};

struct el_study {
	const struct el_game *game;
	const struct el_frames *frames;
	struct el_position root;
	struct frame **slot; /* by hash; null: free. Owned */
	size_t slots, count; /* of frames, choices included */
	struct frame *list[EL_FRAME_ORDERS];
	struct scratch *scratch;
	struct el_study_reach reach;
	const struct el_watch *watch;
	uint64_t done;
	uint64_t bytes;
};

/* ---- sets ---- */

static uint64_t *set_of(struct el_study *s, struct frame *f, uint64_t **set)
{
	const size_t bytes = f->words * sizeof **set;
	if (*set)
		return *set;
	*set = aligned_alloc(64, bytes);
	if (*set) {
		memset(*set, 0, bytes);
		s->bytes += bytes;
	}
	return *set;
}

static void drop(struct el_study *s, const struct frame *f, uint64_t **set)
{
	if (*set)
		s->bytes -= f->words * sizeof **set;
	free(*set);
	*set = NULL;
}

static bool is_empty(const uint64_t *set, size_t words)
{
	uint64_t any = 0;
	for (size_t w = 0; set && w < words; w++)
		any |= set[w];
	return !any;
}

/* The positions of a word whose bounds differ. */
static uint64_t open_word(const struct frame *f, unsigned side, size_t w)
{
	const uint64_t reached = f->reached[side] ? f->reached[side][w] : 0;
	if (!f->is_solved)
		return reached;
	return reached & ((f->won[0][side][w] ^ f->won[1][side][w]) |
	                  (f->lost[0][side][w] ^ f->lost[1][side][w]));
}

/* ---- the graph ---- */

static size_t slot_of(const struct el_study *s, const struct el_frame *f)
{
	uint64_t hash = f->key[0] * UINT64_C(0x9e3779b97f4a7c15) ^
	                f->key[1] * UINT64_C(0xc2b2ae3d27d4eb4f) >> 7 ^
	                f->key[2] * UINT64_C(0x165667b19e3779f9);
	hash ^= hash >> 29;
	hash *= UINT64_C(0xbf58476d1ce4e5b9);
	hash ^= hash >> 32;
	size_t n = hash & (s->slots - 1);
	while (s->slot[n] && !el_frame_equal(&s->slot[n]->frame, f))
		n = (n + 1) & (s->slots - 1);
	return n;
}

static struct frame *find(const struct el_study *s, const struct el_frame *f)
{
	return s->slot[slot_of(s, f)];
}

/* Null: out of memory. */
static struct frame *find_or_add(struct el_study *s, const struct el_frame *f,
                                 const struct el_sets *sets)
{
	struct frame **slot = &s->slot[slot_of(s, f)];
	if (*slot)
		return *slot;
	if (2 * (s->count + 1) > s->slots) {
		struct frame **old = s->slot, **new = calloc(2 * s->slots, sizeof *new);
		if (!new)
			return NULL;
		s->slot = new;
		s->slots *= 2;
		for (size_t i = 0; i < s->slots / 2; i++)
			if (old[i])
				s->slot[slot_of(s, &old[i]->frame)] = old[i];
		free(old);
		slot = &s->slot[slot_of(s, f)];
	}
	struct frame *new = calloc(1, sizeof *new);
	if (!new)
		return NULL;
	new->frame = *f;
	new->words = el_frame_words(sets);
	new->chooses = (uint8_t)s->frames->chooses(f);
	struct frame **list = &s->list[s->frames->order(f)];
	new->next = *list;
	s->count++;
	return *slot = *list = new;
}

/* ---- quiet moves, forwards ---- */

/*
 * Adds to a set, by side to move, what quiet moves reach from it among `legal`. Pieces can take quiet
 * moves back: so the positions that a side's moves lead to from a set are those from which its moves
 * would lead into it.
 */
static enum el_status close_set(const struct el_sets *sets, uint64_t *const set[2],
                                uint64_t *const legal[2])
{
	const size_t words = el_frame_words(sets), size = words * sizeof(uint64_t);
	const size_t unit_words = sets->words, first = sets->stored_words;
	uint64_t *flat =
		aligned_alloc(64, size); /* the layers as one: their quiet moves are the same */
	uint64_t *among = aligned_alloc(64, unit_words * sizeof *among);
	void *scratch = aligned_alloc(64, (sets->scratch + 63) / 64 * 64);
	bool grew[2] = {true, true};
	for (unsigned side = 0; flat && among && scratch && (grew[0] || grew[1]); side = !side) {
		if (!grew[side])
			continue;
		grew[side] = false;
		memset(flat, 0, size);
		for (size_t w = 0; w < words; w++)
			flat[w - w % unit_words + w % unit_words % first] |= set[side][w];
		for (size_t unit = 0; unit < sets->units; unit++) {
			uint32_t links[EL_LINKS_MAX];
			const uint64_t *to[EL_LINKS_MAX];
			const size_t count = sets->links(sets, side, unit, links);
			for (size_t i = 0; i < count; i++)
				to[i] = flat + links[i] * unit_words;
			uint64_t *mine = set[!side] + unit * unit_words, any = 0;
			const uint64_t *allowed = legal[!side] + unit * unit_words;
			for (size_t w = 0; w < unit_words; w++)
				any |= among[w] = w < first ? allowed[w] & ~mine[w] : 0;
			if (!any)
				continue;
			sets->pre_some(sets, side, unit, to, among, among, scratch);
			any = 0;
			for (size_t w = 0; w < first; w++) {
				any |= among[w];
				mine[w] |= among[w];
			}
			grew[!side] |= any != 0;
		}
	}
	const bool good = flat && among && scratch;
	free(flat);
	free(among);
	free(scratch);
	return good ? EL_OK : EL_MEMORY;
}

/* ---- exploring, downwards ---- */

/* Takes what has been entered into the positions reached, with all that quiet moves reach from there. */
static enum el_status take_entered(struct el_study *s, struct frame *f, const struct el_sets *sets,
                                   bool *grew)
{
	uint64_t *legal[2] = {NULL, NULL};
	enum el_status status = EL_OK;
	*grew = false;
	for (unsigned side = 0; side < 2 && !status; side++) {
		status = set_of(s, f, &legal[side]) && set_of(s, f, &f->reached[side]) ? EL_OK
		                                                                       : EL_MEMORY;
		for (size_t unit = 0; unit < sets->units && !status; unit++)
			s->frames->legal(sets, side, unit, legal[side] + unit * sets->words);
		for (size_t w = 0; w < f->words && f->entered[side] && !status; w++) {
			const uint64_t new =
				f->entered[side][w] & legal[side][w] & ~f->reached[side][w];
			*grew |= new != 0;
			f->reached[side][w] |= new;
		}
		drop(s, f, &f->entered[side]);
	}
	if (!status && *grew && f->chooses == 2)
		status = close_set(sets, f->reached, legal);
	for (unsigned side = 0; side < 2; side++)
		drop(s, f, &legal[side]);
	return status;
}

/* The positions of the root's lines that still matter: open ones, reached from others. */
static enum el_status close_relevant(struct el_study *s, struct frame *f,
                                     const struct el_sets *sets, bool *any)
{
	uint64_t *open[2] = {NULL, NULL};
	enum el_status status = EL_OK;
	*any = false;
	for (unsigned side = 0; side < 2 && !status; side++) {
		status = set_of(s, f, &open[side]) && set_of(s, f, &f->relevant[side]) ? EL_OK
		                                                                       : EL_MEMORY;
		for (size_t w = 0; w < f->words && !status; w++) {
			open[side][w] = open_word(f, side, w);
			*any |= (f->relevant[side][w] &= open[side][w]) != 0;
		}
	}
	if (!status && *any && f->chooses == 2)
		status = close_set(sets, f->relevant, open);
	for (unsigned side = 0; side < 2; side++)
		drop(s, f, &open[side]);
	return status;
}

/* Follows the exits of a frame: of all positions reached into frames that no choice separates, of relevant ones
   into choices as well. */
static enum el_status follow_exits(struct el_study *s, struct frame *f, const struct el_sets *sets,
                                   bool grew, bool relevant, struct el_error *error)
{
	struct el_exit exits[EL_EXITS_MAX];
	for (unsigned side = 0; side < 2; side++) {
		const size_t count = s->frames->exits(sets, side, exits);
		const unsigned mover = f->chooses == 2 ? side : !side; /* in the positions before */
		const bool some = !is_empty(f->reached[mover], f->words);
		const bool some_relevant = relevant && !is_empty(f->relevant[mover], f->words);
		for (const struct el_exit *e = exits; e < exits + count && some; e++) {
			const bool follows =
				e->chooses ? some_relevant && s->reach.kinds >> e->kind & 1 &&
						     s->frames->movers(&e->to) <= s->reach.movers
					   : grew;
			struct el_sets *there = NULL;
			struct frame *to = find(s, &e->to);
			if (!follows && (!to || !some_relevant))
				continue;
			enum el_status status = s->frames->open(&e->to, &there, error);
			if (status == EL_NEGATIVE)
				continue;
			to = status || to ? to : find_or_add(s, &e->to, there);
			if (!status && follows) {
				status = to && set_of(s, to, &to->entered[!side]) ? EL_OK
				                                                  : EL_MEMORY;
				if (!status)
					s->frames->image(e, sets, there,
					                 e->chooses ? f->relevant[mover]
					                            : f->reached[mover],
					                 to->entered[!side]);
				f->is_fresh |= e->chooses;
			}
			if (!status && some_relevant) {
				status = set_of(s, to, &to->relevant[!side]) ? EL_OK : EL_MEMORY;
				if (!status)
					s->frames->image(e, sets, there, f->relevant[mover],
					                 to->relevant[!side]);
			}
			if (there)
				there->close(there);
			if (status)
				return el_fail(error, EL_MEMORY, "out of memory");
		}
	}
	return EL_OK;
}

static enum el_status explore(struct el_study *s, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t order = EL_FRAME_ORDERS; order-- && !status;)
		for (struct frame *f = s->list[order]; f && !status; f = f->next) {
			const bool entered = f->entered[0] || f->entered[1];
			bool grew = false, relevant = f->relevant[0] || f->relevant[1];
			struct el_sets *sets;
			if (!entered && !relevant)
				continue;
			status = s->frames->open(&f->frame, &sets, error);
			if (status)
				break;
			if (entered)
				status = take_entered(s, f, sets, &grew);
			f->is_fresh |= grew;
			if (!status && relevant)
				status = close_relevant(s, f, sets, &relevant);
			if (!status && (grew || relevant))
				status = follow_exits(s, f, sets, grew, relevant, error);
			for (unsigned side = 0; side < 2; side++)
				drop(s, f, &f->relevant[side]);
			sets->close(sets);
			const struct el_progress progress = {.stage = "exploring",
			                                     .what = "frames",
			                                     .done = (double)s->count,
			                                     .unit = "frames"};
			if (!status && !el_watch_tick(s->watch, &progress))
				status = el_fail(error, EL_STOPPED, "stopped after %zu frames",
				                 s->count);
		}
	return status == EL_MEMORY ? el_fail(error, EL_MEMORY, "out of memory") : status;
}

/* ---- solving, upwards ---- */

/* What is known of a frame's positions before the first pass, in favour of one side, by side to move. */
struct exits_known {
	uint64_t *any[2];   /* some exit */
	uint64_t *wins[2];  /* an exit wins */
	uint64_t *holds[2]; /* an exit does not lose */
};

struct solution {
	const struct frame *frame;
	struct exits_known known;
	size_t unit_words;
	uint64_t *const *won, *const *lost; /* by side to move */
};

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
		const uint64_t legal = o->frame->reached[side][at + w],
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
}

/* The sets of the other frame of an exit that are wanted, as positions of this one. */
struct seen {
	uint64_t *any, *lost, *rest; /* reached there; lost for the side to move; not won for it */
};

/* ORs in what an exit sees in favour of a side. False, with `status` EL_OK, if its frame is not known. */
static bool see(struct el_study *s, const struct el_exit *e, const struct el_sets *sets,
                unsigned favour, const struct seen *seen, enum el_status *status,
                struct el_error *error)
{
	const struct frame *to = find(s, &e->to);
	const unsigned next = !e->side;
	struct el_sets *there;
	if (!to || !to->is_solved || is_empty(to->reached[next], to->words))
		return false;
	*status = s->frames->open(&e->to, &there, error);
	if (*status)
		return false;
	uint64_t *rest = malloc(to->words * sizeof *rest);
	for (size_t w = 0; w < to->words && rest; w++)
		rest[w] = to->reached[next][w] & ~to->won[favour][next][w];
	if (rest) {
		s->frames->pre(e, sets, there, to->reached[next], seen->any);
		s->frames->pre(e, sets, there, to->lost[favour][next], seen->lost);
		s->frames->pre(e, sets, there, rest, seen->rest);
	} else {
		*status = el_fail(error, EL_MEMORY, "out of memory");
	}
	there->close(there);
	free(rest);
	return rest;
}

/* A choice is worth the best of its kinds. Those that are not known may be worth anything. */
static enum el_status solve_choice(struct el_study *s, struct frame *f, struct el_sets *sets,
                                   unsigned favour, uint64_t *won[2], uint64_t *lost[2],
                                   struct el_error *error)
{
	const unsigned side = !f->chooses; /* to move */
	const size_t size = f->words * sizeof(uint64_t);
	struct el_exit exits[EL_EXITS_MAX];
	const size_t count = s->frames->exits(sets, f->chooses, exits);
	uint64_t *known = malloc(size), *all = malloc(size), *rest = calloc(1, size);
	enum el_status status =
		known && all && rest ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	if (!status)
		memset(all, 0xff, size);
	for (size_t i = 0; i < count && !status; i++) {
		memset(known, 0, size);
		see(s, &exits[i], sets, favour, &(struct seen){known, lost[side], rest}, &status,
		    error);
		for (size_t w = 0; w < f->words; w++)
			all[w] &= known[w];
	}
	for (size_t w = 0; w < f->words && !status; w++) {
		const uint64_t reached = f->reached[side][w],
			       open = favour == f->chooses ? reached & ~all[w] : 0;
		lost[side][w] = (lost[side][w] & reached) | open;
		won[side][w] = reached & ~rest[w] & ~lost[side][w];
	}
	free(known);
	free(all);
	free(rest);
	return status;
}

static enum el_status solve_frame(struct el_study *s, struct frame *f, struct el_sets *sets,
                                  unsigned favour, uint64_t *won[2], uint64_t *lost[2],
                                  struct el_error *error)
{
	struct solution o = {.frame = f, .unit_words = sets->words, .won = won, .lost = lost};
	uint64_t *each[6] = {NULL};
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < 6 && !status; i++)
		status =
			set_of(s, f, &each[i]) ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	for (unsigned side = 0; side < 2 && !status; side++) {
		struct el_exit exits[EL_EXITS_MAX];
		const size_t count = s->frames->exits(sets, side, exits);
		const struct seen seen = {each[side], each[2 + side], each[4 + side]};
		for (size_t i = 0; i < count && !status; i++)
			see(s, &exits[i], sets, favour, &seen, &status, error);
		o.known.any[side] = seen.any;
		o.known.wins[side] = seen.lost;
		o.known.holds[side] = seen.rest;
	}
	struct initial_state initial = {.sets = NULL};
	struct fixpoint fixpoint = {.initial = NULL};
	if (!status) {
		const struct initial_options options = {
			.sets = sets, .scratch = s->scratch, .alone = true};
		sets->begin = begin;
		sets->context = &o;
		status = initial_make(&initial, &options, error);
	}
	if (!status && fixpoint_open(&fixpoint, &initial))
		status = el_fail(error, EL_MEMORY, "out of memory");
	if (!status) {
		fixpoint.decided = decided;
		fixpoint.context = &o;
		fixpoint_begin(&fixpoint, EL_THRESHOLD_ALL, true);
		while (fixpoint_alive(&fixpoint))
			fixpoint_pass(&fixpoint);
		status = initial_check(&initial, error);
	}
	fixpoint_close(&fixpoint);
	if (initial.sets)
		initial_close(&initial);
	for (unsigned i = 0; i < 6; i++)
		drop(s, f, &each[i]);
	return status;
}

/* Solves a frame in favour of both sides, and notes whether that changed anything. */
static enum el_status solve(struct el_study *s, struct frame *f, struct el_error *error)
{
	struct el_sets *sets;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	f->has_changed = !f->is_solved;
	for (unsigned favour = 0; favour < 2 && !status; favour++) {
		uint64_t *won[2] = {NULL, NULL}, *lost[2] = {NULL, NULL};
		for (unsigned side = 0; side < 2 && !status; side++)
			status = set_of(s, f, &won[side]) && set_of(s, f, &lost[side])
			                 ? EL_OK
			                 : el_fail(error, EL_MEMORY, "out of memory");
		if (!status)
			status = (f->chooses == 2 ? solve_frame : solve_choice)(s, f, sets, favour,
			                                                        won, lost, error);
		for (unsigned side = 0; side < 2; side++) {
			uint64_t **const old[2] = {&f->won[favour][side], &f->lost[favour][side]};
			uint64_t *const new[2] = {won[side], lost[side]};
			for (unsigned i = 0; i < 2; i++) {
				uint64_t *unused = status ? new[i] : *old[i];
				if (!status) {
					f->has_changed |=
						!*old[i] || memcmp(*old[i], new[i],
					                           f->words * sizeof *new[i]) != 0;
					*old[i] = new[i];
				}
				drop(s, f, &unused);
			}
		}
	}
	sets->close(sets);
	f->is_solved |= !status;
	return status;
}

/* A frame is solved again if it is entered anew, or what it enters has changed. */
static enum el_status solve_all(struct el_study *s, struct el_error *error)
{
	enum el_status status = EL_OK;
	size_t done = 0;
	for (size_t order = 0; order < EL_FRAME_ORDERS && !status; order++)
		for (struct frame *f = s->list[order]; f && !status; f = f->next, done++) {
			bool again = f->is_fresh;
			struct el_sets *sets;
			f->has_changed = false;
			if (is_empty(f->reached[0], f->words) && is_empty(f->reached[1], f->words))
				continue;
			status = again ? EL_OK : s->frames->open(&f->frame, &sets, error);
			for (unsigned side = 0; side < 2 && !status && !f->is_fresh; side++) {
				struct el_exit exits[EL_EXITS_MAX];
				const size_t count = s->frames->exits(sets, side, exits);
				for (size_t i = 0; i < count && !again; i++) {
					const struct frame *to = find(s, &exits[i].to);
					again = to && to->has_changed;
				}
			}
			if (!status && !f->is_fresh)
				sets->close(sets);
			if (!status && again)
				status = solve(s, f, error);
			f->is_fresh &= status != EL_OK;
			const struct el_progress progress = {.stage = "solving",
			                                     .what = "frames",
			                                     .done = (double)done,
			                                     .total = (double)s->count,
			                                     .unit = "frames"};
			if (!status && !el_watch_tick(s->watch, &progress))
				status = el_fail(error, EL_STOPPED,
				                 "stopped after %zu of %zu frames", done, s->count);
		}
	return status;
}

/* ---- the study ---- */

/* Enters the root among the positions reached, or among those that matter. */
static enum el_status enter_root(struct el_study *s, bool relevant, struct el_error *error)
{
	struct el_frame key;
	struct el_sets *sets;
	s->frames->of(&s->root, &key);
	enum el_status status = s->frames->open(&key, &sets, error);
	if (status)
		return status;
	struct frame *f = find_or_add(s, &key, sets);
	const unsigned side = s->root.side;
	const uint64_t at = s->frames->address(sets, &s->root);
	uint64_t *set = f ? set_of(s, f, relevant ? &f->relevant[side] : &f->entered[side]) : NULL;
	if (set)
		set[at / 64] |= UINT64_C(1) << at % 64;
	sets->close(sets);
	return set ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
}

static enum el_status go_on(struct el_study *s, bool relevant, const struct el_watch *watch,
                            struct el_error *error)
{
	enum el_status status = enter_root(s, relevant, error);
	s->watch = watch;
	if (!status)
		status = explore(s, error);
	if (!status)
		status = solve_all(s, error);
	return status;
}

enum el_status el_study_open(const struct el_game *game, const struct el_position *root,
                             const struct el_watch *watch, struct el_study **out,
                             struct el_error *error)
{
	if (!game->frames)
		return el_fail(error, EL_NEGATIVE,
		               "%s: positions are solved one by one only in chess", game->name);
	enum el_status status = game->check(root, error);
	if (!status && root->castling)
		status =
			el_fail(error, EL_NEGATIVE, "castling rights: expected a position without");
	if (status)
		return status;
	struct el_study *s = calloc(1, sizeof *s);
	if (s) {
		*s = (struct el_study){
			.game = game, .frames = game->frames, .root = *root, .slots = FIRST_SLOTS};
		s->slot = calloc(s->slots, sizeof *s->slot);
	}
	status = s && s->slot ? scratch_open("/tmp", SCRATCH_UNLIMITED, &s->scratch, error)
	                      : el_fail(error, EL_MEMORY, "out of memory");
	if (!status)
		status = go_on(s, false, watch, error);
	if (status)
		el_study_close(s);
	else
		*out = s;
	return status;
}

enum el_status el_study_extend(struct el_study *s, const struct el_study_reach *reach,
                               const struct el_watch *watch, struct el_error *error)
{
	s->reach = *reach;
	return go_on(s, true, watch, error);
}

void el_study_close(struct el_study *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->slot && i < s->slots; i++) {
		struct frame *f = s->slot[i];
		for (unsigned side = 0; f && side < 2; side++) {
			free(f->reached[side]);
			free(f->entered[side]);
			free(f->relevant[side]);
			for (unsigned favour = 0; favour < 2; favour++) {
				free(f->won[favour][side]);
				free(f->lost[favour][side]);
			}
		}
		free(f);
	}
	free(s->slot);
	scratch_close(s->scratch);
	free(s);
}

/* ---- answers ---- */

static struct el_value value_at(const struct frame *f, unsigned side, uint64_t at)
{
	enum el_outcome bound[2]; /* by the side favoured */
	for (unsigned favour = 0; favour < 2; favour++)
		bound[favour] = f->won[favour][side][at / 64] >> at % 64 & 1    ? EL_WIN
		                : f->lost[favour][side][at / 64] >> at % 64 & 1 ? EL_LOSS
		                                                                : EL_DRAW;
	return (struct el_value){.outcome = (uint8_t)el_outcome_between(bound[!side], bound[side])};
}

enum el_status el_study_value(const struct el_study *s, const struct el_position *p,
                              struct el_value *out, struct el_error *error)
{
	struct el_frame key;
	struct el_sets *sets;
	s->frames->of(p, &key);
	const struct frame *f = find(s, &key);
	bool is_in = f && f->is_solved && !p->castling;
	if (is_in && !s->frames->open(&key, &sets, error)) {
		const uint64_t at = s->frames->address(sets, p);
		sets->close(sets);
		is_in = f->reached[p->side][at / 64] >> at % 64 & 1;
		if (is_in)
			*out = value_at(f, p->side, at);
	}
	return is_in ? EL_OK
	             : el_fail(error, EL_NEGATIVE, "the study does not reach this position");
}

struct el_study_size el_study_size(const struct el_study *s)
{
	struct el_study_size size = {.bytes = s->bytes};
	for (size_t i = 0; i < s->slots; i++) {
		const struct frame *f = s->slot[i];
		if (!f || f->chooses < 2 || !f->is_solved)
			continue;
		size.frames++;
		for (unsigned side = 0; side < 2; side++)
			for (size_t w = 0; w < f->words; w++)
				size.positions +=
					(uint64_t)__builtin_popcountll(f->reached[side][w]);
	}
	return size;
}

void el_study_each(const struct el_study *s, void *context,
                   void (*take)(void *context, const struct el_position *, struct el_value))
{
	for (size_t i = 0; i < s->slots; i++) {
		const struct frame *f = s->slot[i];
		struct el_sets *sets;
		if (!f || f->chooses < 2 || !f->is_solved ||
		    s->frames->open(&f->frame, &sets, NULL))
			continue;
		for (unsigned side = 0; side < 2; side++)
			for (size_t w = 0; w < f->words; w++)
				for (uint64_t left = f->reached[side][w]; left; left &= left - 1) {
					const uint64_t at =
						64 * w + (uint64_t)__builtin_ctzll(left);
					struct el_position p;
					if (s->frames->position(sets, side, at, &p))
						take(context, &p, value_at(f, side, at));
				}
		sets->close(sets);
	}
}

/* SPDX-License-Identifier: MIT */
#include "study.h"

#include "core/games/frames.h"
#include "core/solve/fixpoint.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 12 };

/* The sets of a frame, over all its units, by side to move: pages of one array. */
enum set {
	REACHED,      /* from the root: entered, or by quiet moves from there */
	ENTERED = 2,  /* in this extension, and not yet reached */
	RELEVANT = 4, /* in this extension: see el_study_extend */
	WON = 6,      /* + 2 * the side that what is open favours */
	LOST = 10,
	SETS = 14,
};

struct frame {
	struct el_frame frame;
	struct frame *next; /* in the list of its order */
	uint8_t chooses;    /* as el_frames.chooses */
	bool is_solved;
	bool is_fresh; /* has to be solved again: it is entered anew, or another kind is followed */
	bool has_changed; /* its values did, in the current extension */
	size_t words;
	struct paged sets;
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
};

/* ---- sets ---- */

/* To be released, if it is not null: an empty set. */
static const uint64_t *read_set(struct frame *f, unsigned set)
{
	return page_read(&f->sets, set);
}

static void release(struct frame *f, unsigned set, const uint64_t *words)
{
	if (words)
		page_release(&f->sets, set);
}

static uint64_t *new_words(size_t words)
{
	uint64_t *set = aligned_alloc(64, words * sizeof *set);
	if (set)
		memset(set, 0, words * sizeof *set);
	return set;
}

/* Adds the words of a set. False: out of memory. */
static bool add_set(struct frame *f, unsigned set, const uint64_t *words)
{
	uint64_t any = 0;
	for (size_t w = 0; w < f->words; w++)
		any |= words[w];
	uint64_t *page = any ? page_write(&f->sets, set) : NULL;
	for (size_t w = 0; w < f->words && page; w++)
		page[w] |= words[w];
	release(f, set, page);
	return page || !any;
}

/* A copy of a set. Null: out of memory. */
static uint64_t *copy_set(struct frame *f, unsigned set)
{
	const uint64_t *words = read_set(f, set);
	uint64_t *copy = new_words(f->words);
	if (words && copy)
		memcpy(copy, words, f->words * sizeof *copy);
	release(f, set, words);
	return copy;
}

/* Takes out of the positions of a side those whose bounds agree. False: out of memory. */
static bool keep_open(struct frame *f, unsigned side, uint64_t *words)
{
	uint64_t *differ[2] = {NULL, NULL}; /* in what is won, and in what is lost */
	bool good = true;
	for (unsigned i = 0; i < 4 && f->is_solved; i++) {
		const unsigned set = (i / 2 ? LOST : WON) + i % 2 * 2 + side;
		const uint64_t *in = read_set(f, set);
		differ[i / 2] = differ[i / 2] ? differ[i / 2] : new_words(f->words);
		good &= differ[i / 2] != NULL;
		for (size_t w = 0; w < f->words && in && good; w++)
			differ[i / 2][w] ^= in[w];
		release(f, set, in);
	}
	for (size_t w = 0; w < f->words && f->is_solved && good; w++)
		words[w] &= differ[0][w] | differ[1][w];
	free(differ[0]);
	free(differ[1]);
	return good;
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
	new->words = el_frame_words(sets);
	if (paged_open(&new->sets, s->scratch, SETS, new->words * sizeof(uint64_t))) {
		free(new);
		return NULL;
	}
	new->frame = *f;
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

/* Adds what has been entered, and what quiet moves reach from there, to the positions reached. */
static enum el_status take_entered(struct el_study *s, struct frame *f, const struct el_sets *sets,
                                   bool *grew)
{
	uint64_t *legal[2] = {NULL, NULL}, *reached[2] = {NULL, NULL};
	bool good = true;
	*grew = false;
	for (unsigned side = 0; side < 2 && good; side++) {
		legal[side] = new_words(f->words);
		reached[side] = copy_set(f, REACHED + side);
		good = legal[side] && reached[side];
		for (size_t unit = 0; unit < sets->units && good; unit++)
			s->frames->legal(sets, side, unit, legal[side] + unit * sets->words);
		const uint64_t *entered = read_set(f, ENTERED + side);
		for (size_t w = 0; w < f->words && entered && good; w++) {
			const uint64_t new = entered[w] & legal[side][w] & ~reached[side][w];
			*grew |= new != 0;
			reached[side][w] |= new;
		}
		release(f, ENTERED + side, entered);
		page_drop(&f->sets, ENTERED + side);
	}
	if (good && *grew && f->chooses == 2)
		good = !close_set(sets, reached, legal);
	for (unsigned side = 0; side < 2; side++) {
		good = good && (!*grew || add_set(f, REACHED + side, reached[side]));
		free(legal[side]);
		free(reached[side]);
	}
	return good ? EL_OK : EL_MEMORY;
}

/* The positions of the root's lines that still matter: open ones, reached from others. */
static enum el_status close_relevant(struct frame *f, const struct el_sets *sets, bool *any)
{
	uint64_t *open[2] = {NULL, NULL}, *relevant[2] = {NULL, NULL};
	bool good = true;
	*any = false;
	for (unsigned side = 0; side < 2 && good; side++) {
		open[side] = copy_set(f, REACHED + side);
		relevant[side] = copy_set(f, RELEVANT + side);
		good = open[side] && relevant[side] && keep_open(f, side, open[side]);
		for (size_t w = 0; w < f->words && good; w++)
			*any |= (relevant[side][w] &= open[side][w]) != 0;
		page_drop(&f->sets, RELEVANT + side);
	}
	if (good && *any && f->chooses == 2)
		good = !close_set(sets, relevant, open);
	for (unsigned side = 0; side < 2; side++) {
		good = good && add_set(f, RELEVANT + side, relevant[side]);
		free(open[side]);
		free(relevant[side]);
	}
	return good ? EL_OK : EL_MEMORY;
}

/* Adds to a set of another frame what an exit leads to from one of this. */
static bool pass_on(const struct el_study *s, const struct el_exit *e, struct frame *f,
                    const struct el_sets *sets, unsigned from, struct frame *to,
                    const struct el_sets *there, unsigned into)
{
	const uint64_t *set = read_set(f, from);
	uint64_t *image = set ? new_words(to->words) : NULL;
	if (image)
		s->frames->image(e, sets, there, set, image);
	const bool good = !set || (image && add_set(to, into, image));
	release(f, from, set);
	free(image);
	return good;
}

/* Follows the exits of a frame: those of a choice from relevant positions, others from all that it reaches, if
   these grew. */
static enum el_status follow_exits(struct el_study *s, struct frame *f, const struct el_sets *sets,
                                   bool grew, struct el_error *error)
{
	struct el_exit exits[EL_EXITS_MAX];
	for (unsigned side = 0; side < 2; side++) {
		const size_t count = s->frames->exits(sets, side, exits);
		const unsigned mover = f->chooses == 2 ? side : !side; /* in the positions before */
		const bool some = page_filled(&f->sets, REACHED + mover),
			   relevant = page_filled(&f->sets, RELEVANT + mover);
		for (const struct el_exit *e = exits; e < exits + count && some; e++) {
			const bool follows =
				e->chooses ? relevant && s->reach.kinds >> e->kind & 1 &&
						     s->frames->movers(&e->to) <= s->reach.movers
					   : grew;
			struct frame *to = find(s, &e->to);
			struct el_sets *there;
			if (!follows && (!to || !relevant))
				continue;
			const enum el_status status = s->frames->open(&e->to, &there, error);
			if (status == EL_NEGATIVE)
				continue;
			if (status)
				return status;
			to = to ? to : find_or_add(s, &e->to, there);
			bool good = to != NULL;
			if (follows)
				good = good && pass_on(s, e, f, sets,
				                       (e->chooses ? RELEVANT : REACHED) + mover,
				                       to, there, ENTERED + !side);
			if (relevant)
				good = good && pass_on(s, e, f, sets, RELEVANT + mover, to, there,
				                       RELEVANT + !side);
			f->is_fresh |= e->chooses && follows;
			there->close(there);
			if (!good)
				return el_fail(error, EL_MEMORY, "out of memory");
		}
	}
	return EL_OK;
}

static bool has_either(const struct frame *f, enum set set)
{
	return page_filled(&f->sets, set) || page_filled(&f->sets, set + 1);
}

static enum el_status explore(struct el_study *s, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t order = EL_FRAME_ORDERS; order-- && !status;)
		for (struct frame *f = s->list[order]; f && !status; f = f->next) {
			const bool entered = has_either(f, ENTERED);
			bool grew = false, relevant = has_either(f, RELEVANT);
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
				status = close_relevant(f, sets, &relevant);
			if (!status && (grew || relevant))
				status = follow_exits(s, f, sets, grew, error);
			for (unsigned side = 0; side < 2; side++)
				page_drop(&f->sets, RELEVANT + side);
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
	uint64_t *reached[2];
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
}

/* What an exit sees, as positions of this frame. */
struct seen {
	uint64_t *any, *lost, *rest; /* reached there; lost for the side to move; not won for it */
};

/* ORs in what an exit sees in favour of a side. Nothing, if its frame is not known. */
static enum el_status see(struct el_study *s, const struct el_exit *e, const struct el_sets *sets,
                          unsigned favour, const struct seen *seen, struct el_error *error)
{
	struct frame *to = find(s, &e->to);
	const unsigned next = !e->side, won = WON + 2 * favour + next,
		       lost = LOST + 2 * favour + next;
	struct el_sets *there;
	if (!to || !to->is_solved || !page_filled(&to->sets, REACHED + next))
		return EL_OK;
	const enum el_status status = s->frames->open(&e->to, &there, error);
	if (status)
		return status;
	uint64_t *rest = copy_set(to, REACHED + next);
	const uint64_t *set = rest ? read_set(to, lost) : NULL;
	if (rest)
		s->frames->pre(e, sets, there, rest, seen->any);
	if (set)
		s->frames->pre(e, sets, there, set, seen->lost);
	release(to, lost, set);
	set = rest ? read_set(to, won) : NULL;
	for (size_t w = 0; w < to->words && set; w++)
		rest[w] &= ~set[w];
	release(to, won, set);
	if (rest)
		s->frames->pre(e, sets, there, rest, seen->rest);
	there->close(there);
	free(rest);
	return rest ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
}

/* A choice is worth the best of its kinds. Those that are not known may be worth anything. */
static enum el_status solve_choice(struct el_study *s, struct frame *f, struct el_sets *sets,
                                   unsigned favour, struct solution *o, struct el_error *error)
{
	const unsigned side = !f->chooses; /* to move */
	uint64_t *known = new_words(f->words), *all = new_words(f->words),
		 *rest = o->known.holds[side];
	uint64_t *won = o->won[side], *lost = o->lost[side];
	struct el_exit exits[EL_EXITS_MAX];
	const size_t count = s->frames->exits(sets, f->chooses, exits);
	enum el_status status = known && all ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	for (size_t i = 0; i < count && !status; i++) {
		memset(known, 0, f->words * sizeof *known);
		status = see(s, &exits[i], sets, favour, &(struct seen){known, lost, rest}, error);
		for (size_t w = 0; w < f->words; w++)
			all[w] = i ? all[w] & known[w] : known[w];
	}
	for (size_t w = 0; w < f->words && !status; w++) {
		const uint64_t reached = o->reached[side][w],
			       open = favour == f->chooses ? reached & ~all[w] : 0;
		lost[w] = (lost[w] & reached) | open;
		won[w] = reached & ~rest[w] & ~lost[w];
	}
	free(known);
	free(all);
	return status;
}

static enum el_status solve_frame(struct el_study *s, struct frame *f, struct el_sets *sets,
                                  unsigned favour, struct solution *o, struct el_error *error)
{
	(void)f;
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
		fixpoint.decided = decided;
		fixpoint.context = o;
		fixpoint_begin(&fixpoint, EL_THRESHOLD_ALL, true);
		while (fixpoint_alive(&fixpoint))
			fixpoint_pass(&fixpoint);
		status = initial_check(&initial, error);
	}
	fixpoint_close(&fixpoint);
	if (initial.sets)
		initial_close(&initial);
	return status;
}

/* Puts a set in the place of another; notes if they differ. */
static bool replace_set(struct frame *f, unsigned set, const uint64_t *words)
{
	const uint64_t *old = read_set(f, set);
	for (size_t w = 0; w < f->words && !f->has_changed; w++)
		f->has_changed = words[w] != (old ? old[w] : 0);
	release(f, set, old);
	page_drop(&f->sets, set);
	return add_set(f, set, words);
}

/* Solves a frame in favour of both sides. */
static enum el_status solve(struct el_study *s, struct frame *f, struct el_error *error)
{
	struct el_sets *sets;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	f->has_changed = !f->is_solved;
	for (unsigned favour = 0; favour < 2 && !status; favour++) {
		enum { PAIRS = 6 };
		uint64_t *each[PAIRS][2];
		bool good = true;
		for (unsigned i = 0; i < 2 * PAIRS; i++) {
			each[i / 2][i % 2] =
				i / 2 ? new_words(f->words) : copy_set(f, REACHED + i % 2);
			good &= each[i / 2][i % 2] != NULL;
		}
		struct solution o = {
			.reached = {each[0][0], each[0][1]},
			.known = {{each[1][0], each[1][1]},
		                  {each[2][0], each[2][1]},
		                  {each[3][0], each[3][1]}},
			.unit_words = sets->words,
			.won = each[4],
			.lost = each[5],
		};
		if (!good)
			status = el_fail(error, EL_MEMORY, "out of memory");
		else if (f->chooses == 2)
			status = solve_frame(s, f, sets, favour, &o, error);
		else
			status = solve_choice(s, f, sets, favour, &o, error);
		for (unsigned side = 0; side < 2 && !status; side++)
			if (!replace_set(f, WON + 2 * favour + side, each[4][side]) ||
			    !replace_set(f, LOST + 2 * favour + side, each[5][side]))
				status = el_fail(error, EL_MEMORY, "out of memory");
		for (unsigned i = 0; i < 2 * PAIRS; i++)
			free(each[i / 2][i % 2]);
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
			if (!has_either(f, REACHED))
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
	const unsigned set = (relevant ? RELEVANT : ENTERED) + side;
	uint64_t *words = f ? page_write(&f->sets, set) : NULL;
	if (words)
		words[at / 64] |= UINT64_C(1) << at % 64;
	if (f)
		release(f, set, words);
	sets->close(sets);
	return words ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
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
                             const struct el_study_room *room, const struct el_watch *watch,
                             struct el_study **out, struct el_error *error)
{
	if (!game->frames)
		return el_fail(
			error, EL_NEGATIVE,
			"%s: this game has no frames, so a position cannot be solved by itself",
			game->name);
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
	status = s && s->slot ? scratch_open(room->folder, room->memory, &s->scratch, error)
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
		if (s->slot[i])
			paged_close(&s->slot[i]->sets);
		free(s->slot[i]);
	}
	free(s->slot);
	scratch_close(s->scratch);
	free(s);
}

/* ---- answers ---- */

static bool has(struct frame *f, unsigned set, uint64_t at)
{
	const uint64_t *words = read_set(f, set);
	const bool in = words && words[at / 64] >> at % 64 & 1;
	release(f, set, words);
	return in;
}

static struct el_value value_at(struct frame *f, unsigned side, uint64_t at)
{
	enum el_outcome bound[2]; /* by the side favoured */
	for (unsigned favour = 0; favour < 2; favour++)
		bound[favour] = has(f, WON + 2 * favour + side, at)    ? EL_WIN
		                : has(f, LOST + 2 * favour + side, at) ? EL_LOSS
		                                                       : EL_DRAW;
	return (struct el_value){.outcome = (uint8_t)el_outcome_between(bound[!side], bound[side])};
}

enum el_status el_study_value(const struct el_study *s, const struct el_position *p,
                              struct el_value *out, struct el_error *error)
{
	struct el_frame key;
	struct el_sets *sets;
	s->frames->of(p, &key);
	struct frame *f = find(s, &key);
	bool is_in = f && f->is_solved && !p->castling;
	if (is_in && !s->frames->open(&key, &sets, error)) {
		const uint64_t at = s->frames->address(sets, p);
		sets->close(sets);
		is_in = has(f, REACHED + p->side, at);
		if (is_in)
			*out = value_at(f, p->side, at);
	}
	return is_in ? EL_OK
	             : el_fail(error, EL_NEGATIVE, "the study does not reach this position");
}

struct el_study_size el_study_size(const struct el_study *s)
{
	struct el_study_size size = {.frames = 0};
	for (size_t i = 0; i < s->slots; i++) {
		struct frame *f = s->slot[i];
		if (!f || f->chooses < 2 || !f->is_solved)
			continue;
		size.frames++;
		for (unsigned side = 0; side < 2; side++) {
			const uint64_t *reached = read_set(f, REACHED + side);
			for (size_t w = 0; w < f->words && reached; w++)
				size.positions += (uint64_t)__builtin_popcountll(reached[w]);
			release(f, REACHED + side, reached);
		}
	}
	return size;
}

void el_study_each(const struct el_study *s, void *context,
                   void (*take)(void *context, const struct el_position *, struct el_value))
{
	for (size_t i = 0; i < s->slots; i++) {
		struct frame *f = s->slot[i];
		struct el_sets *sets;
		if (!f || f->chooses < 2 || !f->is_solved ||
		    s->frames->open(&f->frame, &sets, NULL))
			continue;
		for (unsigned side = 0; side < 2; side++) {
			const uint64_t *reached = read_set(f, REACHED + side);
			for (size_t w = 0; w < f->words && reached; w++)
				for (uint64_t left = reached[w]; left; left &= left - 1) {
					const uint64_t at =
						64 * w + (uint64_t)__builtin_ctzll(left);
					struct el_position p;
					if (s->frames->position(sets, side, at, &p))
						take(context, &p, value_at(f, side, at));
				}
			release(f, REACHED + side, reached);
		}
		sets->close(sets);
	}
}

/* SPDX-License-Identifier: MIT */
#include "inside.h"

#include "core/base/array.h"

#include <omp.h>
#include <stdlib.h>

enum {
	FIRST_SLOTS = 1 << 12,
	GUESSED_MAX = 1 << 20, /* frames of an estimate */
};

/* ---- sets ---- */

uint64_t *words_new(size_t words)
{
	uint64_t *set = aligned_alloc(64, words * sizeof *set);
	if (set)
		memset(set, 0, words * sizeof *set);
	return set;
}

bool set_add(struct frame *f, unsigned set, const uint64_t *words)
{
	uint64_t any = 0;
	for (size_t w = 0; w < f->words; w++)
		any |= words[w];
	uint64_t *page = any ? page_write(&f->sets, set) : NULL;
	for (size_t w = 0; w < f->words && page; w++)
		page[w] |= words[w];
	set_release(f, set, page);
	return page || !any;
}

uint64_t *set_copy(struct frame *f, unsigned set)
{
	const uint64_t *words = set_read(f, set);
	uint64_t *copy = words_new(f->words);
	if (words && copy)
		memcpy(copy, words, f->words * sizeof *copy);
	set_release(f, set, words);
	return copy;
}

bool keep_open(struct frame *f, unsigned side, uint64_t *words)
{
	uint64_t *open = f->is_solved ? words_new(f->words) : NULL;
	const bool good = open || !f->is_solved;
	for (unsigned set = SET_WON + side; set < SETS && open; set += SET_LOST - SET_WON) {
		const uint64_t *a = set_read(f, set), *b = set_read(f, set + 2);
		for (size_t w = 0; w < f->words; w++)
			open[w] |= (a ? a[w] : 0) ^ (b ? b[w] : 0);
		set_release(f, set, a);
		set_release(f, set + 2, b);
	}
	for (size_t w = 0; w < f->words && open; w++)
		words[w] &= open[w];
	free(open);
	return good;
}

/* The part of an estimate for a frame with sets of so many words. */
static void size_add(struct el_study_size *size, size_t words)
{
	const uint64_t addresses = 2 * 64 * (uint64_t)words;
	size->frames++;
	size->addresses += addresses;
	/* Of the addresses of many studies, 49 to 60 in 100 were reached. */
	size->positions += addresses * 11 / 20;
}

/* ---- the graph ---- */

static size_t slot_of(struct frame *const *slot, size_t slots, const struct el_frame *f)
{
	size_t n = study_hash(f) & (slots - 1);
	while (slot[n] && !el_frame_equal(&slot[n]->frame, f))
		n = (n + 1) & (slots - 1);
	return n;
}

struct frame *frame_find(const struct el_study *s, const struct el_frame *f)
{
	return s->slot[slot_of(s->slot, s->slots, f)];
}

static struct frame *frame_new(const struct el_study *s, const struct el_frame *f)
{
	struct frame *new = calloc(1, sizeof *new);
	if (new) {
		new->frame = *f;
		new->chooses = (uint8_t)s->frames->chooses(f);
		new->words = s->frames->words(f);
	}
	return new;
}

static struct frame *add(struct el_study *s, const struct el_frame *f)
{
	if (2 * (s->count + 1) > s->slots) {
		struct frame **new = calloc(2 * s->slots, sizeof *new);
		if (!new)
			return NULL;
		for (size_t i = 0; i < s->slots; i++)
			if (s->slot[i])
				new[slot_of(new, 2 * s->slots, &s->slot[i]->frame)] = s->slot[i];
		free(s->slot);
		s->slot = new;
		s->slots *= 2;
	}
	struct frame *new = frame_new(s, f);
	if (!new || paged_open(&new->sets, s->scratch, SETS, new->words * sizeof(uint64_t))) {
		free(new);
		return NULL;
	}
	struct frame **list = &s->list[s->frames->order(f)];
	new->next = *list;
	s->count++;
	return s->slot[slot_of(s->slot, s->slots, f)] = *list = new;
}

struct frame *frame_find_or_add(struct el_study *s, const struct el_frame *f)
{
	pthread_mutex_lock(&s->lock);
	struct frame *found = frame_find(s, f);
	if (!found && s->room.frames && s->count >= s->room.frames)
		s->is_cut = true;
	else if (!found)
		found = add(s, f);
	pthread_mutex_unlock(&s->lock);
	return found;
}

enum el_status frames_each(struct el_study *s, size_t order, const char *stage, size_t *done,
                           enum el_status (*work)(struct el_study *, struct frame *,
                                                  struct el_error *),
                           struct el_error *error)
{
	struct frame **frames = NULL;
	size_t count = 0;
	enum el_status status = EL_OK;
	for (struct frame *f = s->list[order]; f && !status; f = f->next)
		if (array_grow(&frames, count, 1, sizeof *frames))
			frames[count++] = f;
		else
			status = no_memory(error);
	if (!count)
		return status;
	atomic_bool ends = status != EL_OK;
	atomic_size_t worked = 0;
#pragma omp parallel for schedule(dynamic, 1)
	for (size_t i = 0; i < count; i++) {
		if (ends)
			continue;
		struct el_error why = {.status = EL_OK};
		enum el_status one = work(s, frames[i], &why);
		const size_t now = *done + ++worked;
		const struct el_progress progress = {stage, "frames", (double)now, (double)s->count,
		                                     .unit = "frames"};
		if (!one && omp_get_thread_num() == 0 && !el_watch_tick(s->watch, &progress))
			one = el_fail(&why, EL_STOPPED, "stopped after %zu of %zu frames", now,
			              s->count);
		if (one) {
			ends = true;
#pragma omp critical(study)
			if (!status)
				status = el_fail(error, one, "%s", why.text);
		}
	}
	*done += count;
	free(frames);
	return status ? status : scratch_check(s->scratch, error);
}

/* ---- the study ---- */

/* Enters the root among the positions reached, or among those that matter. */
static enum el_status enter_root(struct el_study *s, bool relevant, struct el_error *error)
{
	struct el_frame key;
	s->frames->of(&s->root, &key);
	struct frame *f = frame_find_or_add(s, &key);
	const uint64_t at = s->frames->address(&key, &s->root);
	const unsigned set = s->root.side + (unsigned)(relevant ? SET_RELEVANT : SET_ENTERED);
	uint64_t *words = f ? page_write(&f->sets, set) : NULL;
	if (words)
		words[at / 64] |= UINT64_C(1) << at % 64;
	if (f)
		set_release(f, set, words);
	return words ? EL_OK : no_memory(error);
}

enum el_status study_new(const struct el_game *game, const struct el_position *root,
                         const struct el_study_room *room, struct el_study **out,
                         struct el_error *error)
{
	struct el_frame key;
	if (!game->frames)
		return el_fail(
			error, EL_NEGATIVE,
			"%s: this game has no frames, so a position cannot be solved by itself",
			game->name);
	enum el_status status = game->check(root, error);
	if (status)
		return el_fail(error, EL_NEGATIVE, "%s", error ? error->text : "");
	if (root->castling)
		return el_fail(error, EL_NEGATIVE,
		               "castling rights: expected a position without, since a study does "
		               "not cover castling");
	game->frames->of(root, &key);
	if (!game->frames->words(&key))
		return el_fail(error, EL_NEGATIVE,
		               "%u pieces move besides the kings, expected at most %u",
		               game->frames->movers(&key), game->frames->movers_max);
	struct el_study *s = calloc(1, sizeof *s);
	if (!s)
		return no_memory(error);
	pthread_mutex_init(&s->lock, NULL);
	for (size_t i = 0; i < STUDY_TURNS; i++)
		pthread_mutex_init(&s->turn[i], NULL);
	s->game = game;
	s->frames = game->frames;
	s->root = *root;
	s->room = *room;
	s->slots = FIRST_SLOTS;
	s->slot = calloc(s->slots, sizeof *s->slot);
	status = s->slot ? scratch_open(room->folder, room->memory, &s->scratch, error)
	                 : no_memory(error);
	if (!status)
		status = scratch_open(room->folder, SCRATCH_UNLIMITED, &s->working, error);
	if (status)
		el_study_close(s);
	else
		*out = s;
	return status;
}

enum el_status el_study_open(const struct el_game *game, const struct el_position *root,
                             const struct el_study_room *room, const struct el_watch *watch,
                             struct el_study **out, struct el_error *error)
{
	static const struct el_study_reach nothing = {0, 0};
	enum el_status status = study_new(game, root, room, out, error);
	if (status)
		return status;
	status = el_study_extend(*out, &nothing, watch, error);
	if (status && status != EL_STOPPED) {
		el_study_close(*out);
		*out = NULL;
	}
	return status;
}

enum el_status el_study_extend(struct el_study *s, const struct el_study_reach *reach,
                               const struct el_watch *watch, struct el_error *error)
{
	s->reach = *reach;
	s->watch = watch;
	enum el_status status = enter_root(s, false, error);
	if (!status && reach->kinds)
		status = enter_root(s, true, error);
	if (!status)
		status = study_explore(s, error);
	struct el_study_size size = {.is_cut = s->is_cut};
	for (size_t i = 0; i < s->slots; i++)
		if (s->slot[i] && s->slot[i]->is_fresh && s->slot[i]->chooses == 2)
			size_add(&size, s->slot[i]->words);
	if (!status && s->room.explored && !s->room.explored(s->room.context, &size))
		status = el_fail(error, EL_STOPPED, "stopped after exploring");
	if (!status)
		status = study_solve(s, error);
	if (!status && !s->is_cut)
		s->followed[reach->movers] |= reach->kinds ? reach->kinds : 1;
	return status;
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
	scratch_close(s->working);
	pthread_mutex_destroy(&s->lock);
	for (size_t i = 0; i < STUDY_TURNS; i++)
		pthread_mutex_destroy(&s->turn[i]);
	free(s);
}

/* ---- what could be followed next ---- */

unsigned el_study_kinds(const struct el_game *game)
{
	return game->frames ? game->frames->all_kinds : 0;
}

/* The frames that promotions could lead to: by their keys alone, as if every exit were possible. */
struct guess {
	struct frame **slot; /* by hash; owned */
	struct frame **list; /* the same in the order they were found; owned */
	size_t slots, count;
};

static void guess_add(struct guess *g, const struct el_study *s, const struct el_frame *key)
{
	struct frame **slot = &g->slot[slot_of(g->slot, g->slots, key)];
	if (*slot || frame_find(s, key) || g->count == GUESSED_MAX)
		return;
	struct frame *new = frame_new(s, key);
	if (new)
		*slot = g->list[g->count++] = new;
}

static void guess_exits(struct guess *g, const struct el_study *s, const struct el_frame *key,
                        const struct el_study_reach *reach)
{
	struct el_sets *sets;
	if (s->frames->open(key, &sets, NULL))
		return;
	struct el_exit exits[2 * EL_EXITS_MAX];
	const size_t count = exits_all(s->frames, sets, exits);
	for (const struct el_exit *e = exits; e < exits + count; e++)
		if (s->frames->words(&e->to) &&
		    (!e->chooses ||
		     (reach->kinds >> e->kind & 1 && s->frames->movers(&e->to) <= reach->movers)))
			guess_add(g, s, &e->to);
	sets->close(sets);
}

/* Do bounds differ somewhere in a frame? */
static bool is_open(struct frame *f)
{
	uint64_t any = 0;
	for (unsigned side = 0; side < 2 && !any; side++) {
		uint64_t *open = set_copy(f, SET_REACHED + side);
		if (open && keep_open(f, side, open))
			for (size_t w = 0; w < f->words; w++)
				any |= open[w];
		free(open);
	}
	return any;
}

static void guess_size(struct el_study *s, const struct el_study_reach *reach,
                       struct el_study_size *out)
{
	struct guess g = {.slots = 4 * GUESSED_MAX};
	g.slot = calloc(g.slots, sizeof *g.slot);
	g.list = calloc(GUESSED_MAX, sizeof *g.list);
	*out = (struct el_study_size){.frames = 0};
	for (size_t i = 0; i < s->slots && g.slot && g.list; i++) {
		struct frame *f = s->slot[i];
		if (f && (!f->is_solved || (f->chooses < 2 && is_open(f))))
			guess_exits(&g, s, &f->frame, reach);
		/* A study that was stopped has explored more than it has solved. */
		if (f && !f->is_solved && f->chooses == 2)
			size_add(out, f->words);
	}
	for (size_t i = 0; i < g.count; i++) {
		guess_exits(&g, s, &g.list[i]->frame, reach);
		if (g.list[i]->chooses == 2)
			size_add(out, g.list[i]->words);
	}
	for (size_t i = 0; i < g.count; i++)
		free(g.list[i]);
	free(g.slot);
	free(g.list);
}

bool el_study_next(struct el_study *s, unsigned kinds, struct el_study_reach *out,
                   struct el_study_size *size)
{
	const unsigned usual = s->frames->usual_kinds;
	if (!s->followed[0]) {
		*out = (struct el_study_reach){0, 0};
		*size = el_study_size(s);
		return true;
	}
	for (unsigned movers = 1; movers <= s->frames->movers_max; movers++)
		for (unsigned all = 0; all < 2; all++) {
			const unsigned wanted = (all ? s->frames->all_kinds : usual) & kinds;
			if (!(wanted & ~s->followed[movers]))
				continue;
			*out = (struct el_study_reach){movers, wanted};
			guess_size(s, out, size);
			if (size->frames)
				return true;
			s->followed[movers] |= wanted;
		}
	return false;
}

/* ---- answers ---- */

static bool has(struct frame *f, unsigned set, uint64_t at)
{
	const uint64_t *words = set_read(f, set);
	const bool in = words && words[at / 64] >> at % 64 & 1;
	set_release(f, set, words);
	return in;
}

struct el_value study_value_at(struct frame *f, unsigned side, uint64_t at)
{
	enum el_outcome bound[2]; /* by the side favoured */
	for (unsigned favour = 0; favour < 2; favour++)
		bound[favour] = has(f, SET_WON + 2 * favour + side, at)    ? EL_WIN
		                : has(f, SET_LOST + 2 * favour + side, at) ? EL_LOSS
		                                                           : EL_DRAW;
	return (struct el_value){.outcome = (uint8_t)el_outcome_between(bound[!side], bound[side])};
}

enum el_status el_study_value(const struct el_study *s, const struct el_position *p,
                              struct el_value *out, struct el_error *error)
{
	struct el_frame key;
	s->frames->of(p, &key);
	struct frame *f = frame_find(s, &key);
	if (f && f->is_solved && !p->castling) {
		const uint64_t at = s->frames->address(&key, p);
		if (has(f, SET_REACHED + p->side, at)) {
			*out = study_value_at(f, p->side, at);
			return scratch_check(s->scratch, error);
		}
	}
	return el_fail(error, EL_NEGATIVE, "the study does not reach this position");
}

/* The positions of a set, each once. */
static uint64_t count_set(const struct el_study *s, const struct frame *f,
                          const struct el_sets *sets, unsigned side, const uint64_t *set)
{
	uint64_t count = 0;
	for (size_t w = 0; w < f->words; w++)
		count += (uint64_t)__builtin_popcountll(set[w]);
	return count - s->frames->settle(sets, side, set, NULL);
}

/* False, which the study's scratch remembers: no memory. */
static bool open_sets(const struct el_study *s, const struct frame *f, struct el_sets **out)
{
	const bool good = !s->frames->open(&f->frame, out, NULL);
	if (!good)
		scratch_refuse(s->scratch);
	return good;
}

struct el_study_size el_study_size(const struct el_study *s)
{
	struct el_study_size size = {.is_cut = s->is_cut};
	for (size_t i = 0; i < s->slots; i++) {
		struct frame *f = s->slot[i];
		struct el_sets *sets;
		if (!f || f->chooses < 2 || !f->is_solved || !open_sets(s, f, &sets))
			continue;
		size.frames++;
		size.addresses += 2 * 64 * (uint64_t)f->words;
		for (unsigned side = 0; side < 2; side++) {
			uint64_t *set = set_copy(f, SET_REACHED + side);
			const uint64_t all = set ? count_set(s, f, sets, side, set) : 0;
			const bool good = set && keep_open(f, side, set);
			if (!good)
				scratch_refuse(s->scratch);
			size.positions += all;
			size.exact += good ? all - count_set(s, f, sets, side, set) : 0;
			free(set);
		}
		sets->close(sets);
	}
	return size;
}

void el_study_each(const struct el_study *s, void *context,
                   void (*take)(void *context, const struct el_position *, struct el_value))
{
	for (size_t i = 0; i < s->slots; i++) {
		struct frame *f = s->slot[i];
		struct el_sets *sets;
		if (!f || f->chooses < 2 || !f->is_solved || !open_sets(s, f, &sets))
			continue;
		for (unsigned side = 0; side < 2; side++) {
			const uint64_t *reached = set_read(f, SET_REACHED + side);
			for (size_t w = 0; w < f->words && reached; w++)
				for (uint64_t left = reached[w]; left; left &= left - 1) {
					const uint64_t at =
						64 * w + (uint64_t)__builtin_ctzll(left);
					struct el_position p;
					/* Like pieces have an order for each address. */
					if (s->frames->position(sets, side, at, &p) &&
					    s->frames->address(&f->frame, &p) == at)
						take(context, &p, study_value_at(f, side, at));
				}
			set_release(f, SET_REACHED + side, reached);
		}
		sets->close(sets);
	}
}

unsigned el_study_movers(const struct el_game *game, const struct el_position *p, unsigned *most)
{
	struct el_frame key;
	game->frames->of(p, &key);
	*most = game->frames->movers_max;
	return game->frames->movers(&key);
}

bool el_study_admits(const struct el_game *game, const struct el_position *position)
{
	unsigned most;
	return game->frames && !position->castling &&
	       el_study_movers(game, position, &most) <= most;
}

bool el_study_counts(const struct el_metric *metric)
{
	return metric->kind == &el_kind_depth && !metric->limit &&
	       !el_metric_chosen_by(metric)->has_phase;
}

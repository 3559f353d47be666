/* SPDX-License-Identifier: MIT */
#include "inside.h"

#include <stdlib.h>

/* ---- quiet moves, forwards ---- */

/*
 * Adds to a set, by side to move, what quiet moves reach from it among `legal`. Pieces can take quiet
 * moves back: so the positions that a side's moves lead to from a set are those from which its moves
 * would lead into it.
 */
static enum el_status close_set(const struct el_sets *sets, uint64_t *const set[2],
                                uint64_t *const legal[2])
{
	const size_t words = sets->units * sets->words, size = words * sizeof(uint64_t);
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
			sets->pre(sets, side, unit, to, among, true, among, scratch);
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

/* ---- exploring ---- */

/* Adds what has been entered, and what quiet moves reach from there, to the positions reached. */
static enum el_status take_entered(struct el_study *s, struct frame *f, const struct el_sets *sets,
                                   bool *grew)
{
	uint64_t *legal[2] = {NULL, NULL}, *reached[2] = {NULL, NULL};
	bool good = true;
	*grew = false;
	for (unsigned side = 0; side < 2 && good; side++) {
		legal[side] = words_new(f->words);
		reached[side] = set_copy(f, SET_REACHED + side);
		good = legal[side] && reached[side];
		for (size_t unit = 0; unit < sets->units && good; unit++)
			s->frames->legal(sets, side, unit, legal[side] + unit * sets->words);
		uint64_t *entered = set_copy(f, SET_ENTERED + side);
		good = good && entered;
		for (size_t w = 0; w < f->words && good; w++)
			entered[w] &= legal[side][w] & ~reached[side][w];
		if (good)
			s->frames->settle(sets, side, entered, entered);
		for (size_t w = 0; w < f->words && good; w++) {
			*grew |= (entered[w] & ~reached[side][w]) != 0;
			reached[side][w] |= entered[w];
		}
		free(entered);
		page_drop(&f->sets, SET_ENTERED + side);
	}
	if (good && *grew && f->chooses == 2)
		good = !close_set(sets, reached, legal);
	for (unsigned side = 0; side < 2; side++) {
		/* Until the frame is solved again, what is new in it may be worth anything. */
		const uint64_t *old = set_read(f, SET_REACHED + side);
		uint64_t *added = legal[side];
		for (size_t w = 0; w < f->words && good; w++)
			added[w] = reached[side][w] & ~(old ? old[w] : 0);
		set_release(f, SET_REACHED + side, old);
		if (f->is_solved)
			good = good && set_add(f, SET_WON + 2 * side + side, added) &&
			       set_add(f, SET_LOST + 2 * (1 - side) + side, added);
		good = good && (!*grew || set_add(f, SET_REACHED + side, reached[side]));
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
		open[side] = set_copy(f, SET_REACHED + side);
		relevant[side] = set_copy(f, SET_RELEVANT + side);
		good = open[side] && relevant[side] && keep_open(f, side, open[side]);
		for (size_t w = 0; w < f->words && good; w++)
			*any |= (relevant[side][w] &= open[side][w]) != 0;
		page_drop(&f->sets, SET_RELEVANT + side);
	}
	if (good && *any && f->chooses == 2)
		good = !close_set(sets, relevant, open);
	for (unsigned side = 0; side < 2; side++) {
		good = good && set_add(f, SET_RELEVANT + side, relevant[side]);
		free(open[side]);
		free(relevant[side]);
	}
	return good ? EL_OK : EL_MEMORY;
}

/* Adds to a set of another frame what an exit leads to from one of this. */
static bool pass_on(struct el_study *s, const struct el_exit *e, struct frame *f,
                    const struct el_sets *sets, unsigned from, struct frame *to,
                    const struct el_sets *there, unsigned into)
{
	const uint64_t *set = set_read(f, from);
	uint64_t *image = set ? words_new(to->words) : NULL;
	pthread_mutex_t *turn = &s->turn[(uintptr_t)to / sizeof *to % STUDY_TURNS];
	bool good = !set || image;
	if (image) {
		s->frames->image(e, sets, there, set, image);
		pthread_mutex_lock(turn);
		good = set_add(to, into, image);
		pthread_mutex_unlock(turn);
	}
	set_release(f, from, set);
	free(image);
	return good;
}

bool choice_is_covered(const struct el_study *s, struct frame *f, const struct el_sets *sets,
                       const struct el_exit *e, const struct el_metric *metric)
{
	const struct el_study_tables *tables = s->room.tables;
	const uint64_t *set = tables ? set_read(f, SET_REACHED + !e->side) : NULL;
	struct el_position p;
	bool is_covered = false;
	for (size_t w = 0; w < f->words && set && !is_covered; w++)
		if (set[w]) {
			const uint64_t at = 64 * w + (uint64_t)__builtin_ctzll(set[w]);
			if (!s->frames->position(sets, !e->side, at, &p))
				break;
			s->frames->choose(e, &p);
			is_covered = tables->covers(tables->context, &p, metric);
			break;
		}
	set_release(f, SET_REACHED + !e->side, set);
	return is_covered;
}

/* Follows the exits of a frame: those of a choice from relevant positions, others from all that it reaches, if
   these grew. */
static enum el_status follow_exits(struct el_study *s, struct frame *f, const struct el_sets *sets,
                                   bool grew, struct el_error *error)
{
	struct el_exit exits[2 * EL_EXITS_MAX];
	const size_t count = exits_all(s->frames, sets, exits);
	for (const struct el_exit *e = exits; e < exits + count; e++) {
		const unsigned mover =
			f->chooses == 2 ? e->side : !e->side; /* in the positions before */
		const bool relevant = set_filled(f, SET_RELEVANT + mover);
		const bool follows =
			e->chooses ? relevant && s->reach.kinds >> e->kind & 1 &&
					     s->frames->movers(&e->to) <= s->reach.movers &&
					     !choice_is_covered(s, f, sets, e, &el_wdl)
				   : grew;
		struct el_sets *there;
		if (!set_filled(f, SET_REACHED + mover) || (!follows && !relevant))
			continue;
		pthread_mutex_lock(&s->lock);
		struct frame *to = frame_find(s, &e->to);
		pthread_mutex_unlock(&s->lock);
		if ((!follows && !to) || !s->frames->words(&e->to))
			continue;
		const enum el_status status = s->frames->open(&e->to, &there, error);
		if (status)
			return status;
		to = to ? to : frame_find_or_add(s, &e->to);
		bool good = to || s->is_cut;
		if (follows && to)
			good = good && pass_on(s, e, f, sets,
			                       (e->chooses ? SET_RELEVANT : SET_REACHED) + mover,
			                       to, there, SET_ENTERED + !e->side);
		if (relevant && to)
			good = good && pass_on(s, e, f, sets, SET_RELEVANT + mover, to, there,
			                       SET_RELEVANT + !e->side);
		f->is_fresh |= e->chooses && follows;
		there->close(there);
		if (!good)
			return no_memory(error);
	}
	return EL_OK;
}

static enum el_status explore_frame(struct el_study *s, struct frame *f, struct el_error *error)
{
	const bool entered = set_filled(f, SET_ENTERED) || set_filled(f, SET_ENTERED + 1);
	bool grew = false,
	     relevant = set_filled(f, SET_RELEVANT) || set_filled(f, SET_RELEVANT + 1);
	struct el_sets *sets;
	if (!entered && !relevant)
		return EL_OK;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	if (entered)
		status = take_entered(s, f, sets, &grew);
	f->is_fresh |= grew;
	if (!status && relevant)
		status = close_relevant(f, sets, &relevant);
	if (status)
		el_fail(error, status, "out of memory");
	/* The frames of a file have not been explored yet. */
	const bool follows = grew || (entered && !f->is_explored);
	if (!status && (follows || relevant))
		status = follow_exits(s, f, sets, follows, error);
	f->is_explored |= !status && entered;
	for (unsigned side = 0; side < 2; side++)
		page_drop(&f->sets, SET_RELEVANT + side);
	sets->close(sets);
	return status;
}

enum el_status study_explore(struct el_study *s, struct el_error *error)
{
	enum el_status status = EL_OK;
	size_t done = 0;
	for (size_t order = EL_FRAME_ORDERS; order-- && !status;)
		status = frames_each(s, order, "exploring", &done, explore_frame, error);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "shares.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND = 8 << 20 }; /* bytes on their way at once, about: messages are in memory whole */

/* ---- who owns what ---- */

/* The first unit of a rank. Its words are about as many as those of every other rank. */
static size_t first_unit(const struct el_sets *sets, unsigned rank, unsigned count)
{
	uint64_t all = 0, before = 0;
	for (size_t unit = 0; unit < sets->units; unit++)
		all += el_sets_words(sets, unit);
	size_t unit = 0;
	while (unit < sets->units && before * count < all * rank)
		before += el_sets_words(sets, unit++);
	return unit;
}

/* Marks the numbers that own units of a side have in the other side's operators. False: no memory. */
static bool find_own(const struct shares *s, unsigned side, bool *own)
{
	const struct el_sets *sets = s->sets;
	const size_t size = sets->words * sizeof(uint64_t);
	uint64_t *set = scratch_memory(size), *turned = scratch_memory(size);
	if (set && turned)
		memset(set, 0, size);
	for (size_t unit = s->first; unit < s->end && set && turned; unit++)
		own[sets->turn ? sets->turn(sets, side, unit, set, turned) : unit] = true;
	const bool good = set && turned;
	free(set);
	free(turned);
	return good;
}

/* Marks what the moves of units from `first` to `end` lead to, with `side` to move there. */
static void find_reached(const struct el_sets *sets, unsigned side, size_t first, size_t end,
                         bool *reached)
{
	uint32_t link[EL_LINKS_MAX];
	memset(reached, 0, sets->units * sizeof *reached);
	for (size_t unit = first; unit < end; unit++)
		for (size_t i = sets->links(sets, sets->sides == 1 ? side : !side, unit, link);
		     i-- > 0;)
			reached[link[i]] = true;
}

/* Lists the ranks that have copies of own units. `starts`: the first unit of each rank, and one more. */
static bool list_copies(struct shares *s, unsigned side, const size_t *starts)
{
	const struct el_sets *sets = s->sets;
	const unsigned ranks = s->ranks->count;
	bool *own = calloc(sets->units, sizeof *own), *reached = malloc(sets->units);
	uint32_t *at = calloc(sets->units + 2, sizeof *at);
	s->at[side] = at;
	bool good = own && reached && at && find_own(s, side, own);
	/* Count, then fill: at[n + 1] is where the list of number n begins, then where it ends. */
	for (unsigned fills = 0; fills < 2 && good; fills++) {
		for (unsigned r = 0; r < ranks && good; r++) {
			if (r == s->ranks->rank)
				continue;
			find_reached(sets, side, starts[r], starts[r + 1], reached);
			for (size_t n = 0; n < sets->units; n++) {
				if (!own[n] || !reached[n])
					continue;
				if (fills)
					s->to[side][at[n + 1]++] = (uint16_t)r;
				else
					at[n + 2]++;
			}
		}
		for (size_t n = 0; n < sets->units && !fills; n++)
			at[n + 2] += at[n + 1];
		if (!fills)
			s->to[side] = malloc((at[sets->units + 1] + 1) * sizeof *s->to[side]);
		good = good && s->to[side];
	}
	free(own);
	free(reached);
	return good;
}

enum el_status shares_open(struct shares *s, struct ranks *ranks, const struct el_sets *sets)
{
	*s = (struct shares){.ranks = ranks, .sets = sets, .end = sets->units};
	if (!ranks)
		return EL_OK;
	size_t *starts = malloc((ranks->count + 1) * sizeof *starts);
	for (unsigned r = 0; starts && r <= ranks->count; r++)
		starts[r] = first_unit(sets, r, ranks->count);
	bool good = starts;
	if (good) {
		s->first = starts[ranks->rank];
		s->end = starts[ranks->rank + 1];
	}
	for (unsigned side = 0; side < sets->sides && good; side++)
		good = list_copies(s, side, starts);
	free(starts);
	return good ? EL_OK : EL_MEMORY;
}

void shares_close(struct shares *s)
{
	for (unsigned side = 0; side < 2; side++) {
		free(s->at[side]);
		free(s->to[side]);
	}
	*s = (struct shares){.ranks = NULL};
}

/* ---- sending ---- */

/* What each message begins with. */
struct opening {
	uint32_t flags;
	bool more; /* another one follows */
};

void shares_send(struct shares *s, unsigned rank, const uint8_t *bytes, size_t size,
                 const struct share *share)
{
	struct message *m = &s->ranks->out[rank];
	struct share head = *share;
	head.size = (uint32_t)size;
	head.from = (uint16_t)s->ranks->rank;
	const size_t before = m->size;
	if (message_add(m, &head, sizeof head) && message_add(m, bytes, size))
		return;
	m->size = before;
	s->lacks_memory = true;
}

void shares_put(struct shares *s, struct encoder *e, const struct share *share)
{
	const uint32_t *at = s->at[share->side] + share->unit;
	encoder_end(e);
	for (uint32_t i = at[0]; i < at[1]; i++)
		shares_send(s, s->to[share->side][i], e->bytes, e->size, share);
}

static bool round_is_full(const struct ranks *r)
{
	size_t size = 0;
	for (unsigned i = 0; i < r->count; i++)
		size += r->out[i].size;
	return size > ROUND;
}

void shares_exchange(struct shares *s, size_t items, uint32_t *flags, void *context,
                     void (*send)(void *context, size_t item),
                     void (*take)(void *context, const struct share *, const uint8_t *bytes))
{
	struct ranks *r = s->ranks;
	size_t item = 0;
	bool more = r;
	while (more) {
		for (unsigned i = 0; i < r->count; i++)
			s->lacks_memory |= !message_add(
				&r->out[i], &(struct opening){.flags = flags ? *flags : 0},
				sizeof(struct opening));
		while (item < items && !round_is_full(r))
			send(context, item++);
		more = item < items;
		for (unsigned i = 0; i < r->count && more; i++)
			if (r->out[i].size)
				((struct opening *)r->out[i].bytes)->more = true;
		if (ranks_swap(r, NULL)) /* and so will the next */
			return;
		for (unsigned i = 0; i < r->count; i++) {
			const struct message *m = &r->in[i];
			struct opening opening = {.more = false};
			memcpy(&opening, m->bytes, m->size ? sizeof opening : 0);
			more |= opening.more;
			if (flags)
				*flags |= opening.flags;
			for (size_t at = sizeof opening; at < m->size;) {
				struct share share;
				memcpy(&share, m->bytes + at, sizeof share);
				at += sizeof share;
				take(context, &share, m->bytes + at);
				at += share.size;
			}
		}
	}
}

void shares_unite(struct shares *s, uint64_t *words, size_t count)
{
	struct ranks *r = s->ranks;
	for (unsigned i = 0; r && i < r->count; i++)
		s->lacks_memory |= !message_add(&r->out[i], words, count * sizeof *words);
	if (!r || ranks_swap(r, NULL))
		return;
	for (unsigned i = 0; i < r->count; i++)
		for (size_t k = 0; k < count && r->in[i].size == count * sizeof *words; k++) {
			uint64_t word;
			memcpy(&word, r->in[i].bytes + k * sizeof word, sizeof word);
			words[k] |= word;
		}
}

/* ---- what it takes ---- */

/* Lends planes without values: only where moves lead is asked. */
static enum el_status lend_nothing(void *context, const struct el_slice *slice,
                                   const struct el_metric *metric, const struct el_planes **out,
                                   struct el_error *error)
{
	static struct el_value broken[1] = {{.outcome = EL_BROKEN}};
	struct el_planes *planes = malloc(sizeof *planes);
	(void)context;
	if (!planes)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	*planes = (struct el_planes){.slice = *slice, .metric = el_metric_entered(metric)};
	for (unsigned side = 0; side < 2; side++)
		planes->plane[side] = (struct el_plane){.values = broken, .value_count = 1};
	*out = planes;
	return EL_OK;
}

static void take_nothing(void *context, const struct el_planes *planes)
{
	(void)context;
	free((void *)(uintptr_t)planes);
}

enum el_status shares_measure(const struct el_slice *slice, const struct el_metric *metric,
                              unsigned ranks, struct shares_measure *out, struct el_error *error)
{
	const struct el_lender lender = {.lend = lend_nothing, .give_back = take_nothing};
	const struct el_problem problem = {.slice = *slice, .metric = metric, .lender = &lender};
	struct el_division *d = NULL;
	struct el_sets *sets = NULL;
	bool *reached = NULL;
	enum el_status status = slice->game->divide(&problem, &d, error);
	*out = (struct shares_measure){.own = 1, .held = 1};
	const bool is_by_units = !status && d->families == 1 && d->parts == 1;
	if (is_by_units)
		status = d->open(d, &problem, 0, 0, NULL, NULL, &sets, error);
	else if (!status && d->families > 1)
		out->own = (double)((d->families + ranks - 1) / ranks) / (double)d->families;
	if (!status && sets) {
		reached = malloc(sets->units * sizeof *reached);
		status = reached ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	}
	double all = 0, sent = 0, most = 0, held = 0;
	for (size_t unit = 0; reached && unit < sets->units; unit++)
		all += (double)el_sets_words(sets, unit) * sets->sides;
	for (unsigned r = 0; r < ranks && reached; r++) {
		const size_t first = first_unit(sets, r, ranks),
			     end = first_unit(sets, r + 1, ranks);
		double own = 0, copies = 0;
		for (size_t unit = first; unit < end; unit++)
			own += (double)el_sets_words(sets, unit) * sets->sides;
		for (unsigned side = 0; side < sets->sides; side++) {
			find_reached(sets, side, first, end, reached);
			for (size_t n = 0; n < sets->units; n++)
				if (reached[n] && (sets->turn || n < first || n >= end))
					copies += (double)el_sets_words(sets, n);
		}
		/* Of units that are turned, as many as are own need no copy. */
		if (sets->turn)
			copies = copies > own ? copies - own : 0;
		sent += copies;
		most = own > most ? own : most;
		held = own + copies > held ? own + copies : held;
	}
	if (reached && all > 0)
		*out = (struct shares_measure){most / all, held / all, sent / all, true};
	free(reached);
	if (sets)
		sets->close(sets);
	if (d)
		d->close(d);
	return status;
}

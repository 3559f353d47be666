/* SPDX-License-Identifier: MIT */
/*
 * Verifies a sample, for tables whose planes do not fit in memory. Each position drawn is derived
 * from its moves by the rules, as in the whole proof, but every value is probed through a cache of
 * blocks.
 *
 * The sample is the same every time. Each plane's index is cut into as many equal parts as there
 * are runs, and a run of consecutive positions is drawn from each part: their moves lead to the
 * same blocks, so that each decoded block serves many of them.
 *
 * A sample is less than a proof: values that are right after one move may all be wrong together.
 * One wrong position in a table of n escapes a sample of s with probability 1 - s/n, but it makes
 * its predecessors wrong as well, some twenty in chess.
 *
 * Metrics under which a position's value says too little about the next one's (verify_clock.c)
 * cannot be sampled, nor can bitbases, whose losses have to be found first.
 *
 * A position that has values for every clock (dtmK) is compared with each.
 *
 * Slices of positions with castling rights are small, and all their positions are such a sample, under
 * any metric. Depths are thereby proved, except of wins that come too late (el_verdict.late).
 */
#include "core/base/hash.h"
#include "core/probe/inside.h"
#include "core/whole/gather.h"
#include "proof.h"

#include <stdatomic.h>

enum {
	RUN = 32,                /* consecutive positions; divides SWEEP_CHUNK */
	CACHE_BYTES = 256 << 20, /* of the table itself; its successors share the library's */
};

struct sampling {
	struct proof proof;
	atomic_bool late; /* some value is one of a win that comes too late */
	struct el_library *library;
	struct el_source *source;
	const struct gathered *gathered; /* as for proof_of_sample */
	uint64_t runs;                   /* in a plane */
};

/* The probes of one chunk, which hold the library. */
struct asking {
	struct sampling *sampling;
	const struct catalogue *catalogue;
	struct el_error *error;
	enum el_status status; /* of the first probe that failed */
};

static struct derived value_of(void *context, const struct el_metric *metric,
                               const struct el_position *position, const struct el_place *place)
{
	struct asking *a = context;
	struct derived d = {{.outcome = EL_UNKNOWN}, true};
	if (place && metric == a->sampling->source->metric &&
	    gathered_value(a->sampling->gathered, place, &d.value))
		return (struct derived){.value = d.value};
	const struct probe probe = {
		.catalogue = a->catalogue,
		.game = a->sampling->source->slice.game,
		.metric = metric,
		.by = a->sampling->source,
	};
	struct spot spot = {.position = position, .placed = place};
	if (place)
		spot.place = *place;
	if (!a->status)
		a->status = probe_value(&probe, &spot, &d.value, a->error);
	if (!a->status)
		d.open = el_outcome_bounded(d.value.outcome);
	return d;
}

/* ---- the sample ---- */

/* The first index of a part. */
static uint64_t part(const struct sampling *s, uint64_t run)
{
	return (uint64_t)((unsigned __int128)s->source->slice.positions * run / s->runs);
}

/* A value, and what its moves make of it. */
struct pair {
	struct el_value stored;
	struct derived derived;
};

static struct pair look_at(struct asking *a, const struct reach *reach,
                           struct el_position *position, unsigned clock)
{
	struct el_place place;
	position->halfmove = (uint16_t)clock;
	reach->game->place(position, &place);
	const struct el_metric *metric = a->sampling->source->metric;
	struct pair pair = {.stored = value_of(a, metric, position, &place).value,
	                    .derived = reach_derive(reach, position)};
	if (metric != reach->metric)
		pair.derived.value = el_metric_read(reach->metric, metric, pair.derived.value);
	const enum el_outcome stored = pair.stored.outcome, derived = pair.derived.value.outcome;
	if (clock || !el_outcome_late(stored))
		return pair;
	/* Values with the clock at 0 tell neither plies without the rule nor, without depths, whether an outcome
	   still stands when the clock has gone on. */
	a->sampling->late = true;
	if (stored == (metric->has_depth ? derived : el_outcome_too_late(derived)))
		pair.derived.value = pair.stored;
	return pair;
}

/*
 * The first that is wrong, if any, of those with the clocks between two whose values are right. As plies never
 * fall with the clock, whether they are of one position or those that its moves lead to, all are alike where
 * the ends are.
 */
static struct pair look_between(struct asking *a, const struct reach *reach,
                                struct el_position *position, unsigned from, struct pair first,
                                unsigned to, struct pair last)
{
	if (to - from < 2 || el_value_equal(first.stored, last.stored) ||
	    !el_value_equal(last.stored, last.derived.value))
		return last;
	const unsigned half = (from + to) / 2;
	const struct pair middle = look_between(a, reach, position, from, first, half,
	                                        look_at(a, reach, position, half));
	return el_value_equal(middle.stored, middle.derived.value)
	               ? look_between(a, reach, position, half, middle, to, last)
	               : middle;
}

static struct pair look(struct asking *a, const struct reach *reach, struct el_position *position)
{
	const unsigned limit = reach->metric->by_clock ? reach->metric->limit : 1;
	const struct pair first = look_at(a, reach, position, 0);
	if (limit < 2 || !el_value_equal(first.stored, first.derived.value))
		return first;
	return look_between(a, reach, position, 0, first, limit - 1,
	                    look_at(a, reach, position, limit - 1));
}

static enum el_status check_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	struct sampling *s = context;
	const struct el_slice *slice = &s->source->slice;
	const unsigned plane = s->proof.plane;
	const struct visit visit = library_enter(s->library);
	struct asking a = {.sampling = s, .catalogue = visit.catalogue, .error = error};
	const struct prober prober = {&a, value_of};
	struct reach reach = s->proof.reach;
	reach.ended = &reach;
	reach.prober = &prober;
	for (uint64_t run = first / RUN; run * RUN < end && !a.status; run++) {
		/* Skip broken indexes; the run may be short at the end of a part. */
		const uint64_t from = part(s, run), to = part(s, run + 1);
		const uint64_t room = to - from > 2 * RUN ? to - from - 2 * RUN : 0;
		uint64_t i = from + hash_mix(2 * run + plane + HASH_FACTOR) % (room + 1);
		for (unsigned found = 0; i < to && found < RUN && !a.status; i++) {
			struct el_position position;
			if (!slice->game->unplace(slice, plane, i, &position))
				continue;
			const struct pair pair = look(&a, &reach, &position);
			if (!a.status)
				proof_judge(&s->proof.findings[thread], i, pair.stored,
				            pair.derived);
			found++;
		}
	}
	library_leave(visit);
	return a.status;
}

static enum el_status prove(struct sampling *s, uint64_t count, struct reads *reads,
                            struct el_error *error)
{
	const struct el_source *source = s->source;
	const struct el_planes none = {.slice = source->slice, .metric = source->metric};
	const uint64_t wanted = count / none.slice.planes / RUN + 1;
	const uint64_t most = none.slice.positions / RUN + 1;
	s->runs = wanted < most ? wanted : most;
	s->proof.planes = &none;
	const bool few = el_slice_has_rights(&none.slice);
	/* A bitbase is proved by the outcomes that are found with it. */
	s->proof.reach = (struct reach){
		.game = none.slice.game,
		.key = none.slice.key,
		.metric = none.metric->wins_only ? el_metric_entered(none.metric) : none.metric};
	const char *why_not =
		source->partial ? ": a table with bounds cannot be verified on a sample"
		: few           ? NULL
		: proof_needs_clock(none.metric) && !none.metric->by_clock
			? " cannot be verified on a sample: its proof plays out whole phases over "
			  "position and clock"
		: none.metric->wins_only ? " cannot be verified on a sample: the losses among its "
					   "positions have to be found first"
					 : NULL;
	enum el_status status = EL_OK;
	if (why_not)
		status = el_fail(error, EL_NEGATIVE, "%s %s%s", none.slice.name, none.metric->name,
		                 why_not);
	if (!status && source->ops->check)
		status = source->ops->check(s->source, s->proof.watch, error);
	if (!status)
		status = proof_pass(&s->proof, "sampling", s->runs * RUN, 0, check_chunk, s, error);
	s->proof.out->late = s->late;
	if (status || !reads)
		return status;
	/* the tables that the values came from */
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t successor_count = none.slice.game->successors(&none.slice, successors);
	if (source_leaves_moves(source) || source->left_out || source->plies_only)
		status = reads_of_derived(s->library, &none.slice, none.metric, reads, error);
	for (size_t i = 0; i < successor_count && !status; i++)
		status = reads_of_probes(s->library, &successors[i], el_metric_entered(none.metric),
		                         reads, error);
	return status;
}

enum el_status proof_of_sample(struct el_library *library, const char *path, uint64_t count,
                               const struct gathered *gathered, const struct el_watch *watch,
                               struct el_verdict *out, struct reads *reads, struct el_error *error)
{
	const struct el_source_ops *kind = el_source_kind_of(path);
	struct gathered own = {0};
	const bool at_hand = gathered && gathered->plane[0].values;
	struct sampling s = {.library = library,
	                     .gathered = at_hand ? gathered : &own,
	                     .proof = {.watch = watch, .out = out}};
	struct el_cache *cache = NULL;
	*out = (struct el_verdict){0};
	kind = kind ? kind : &el_source_egt;
	if (!kind->open)
		return el_fail(error, EL_NEGATIVE, "%s: %s", path, kind->unread);
	enum el_status status = el_cache_open(CACHE_BYTES, &cache, error);
	if (!status)
		status = kind->open(path, cache, &s.source, error);
	/* Most moves from such positions give up the rights. */
	const struct el_metric *metric = status ? NULL : s.source->metric;
	if (!status && !at_hand && el_slice_has_rights(&s.source->slice) && !metric->limit &&
	    !metric->by_clock)
		status = gathered_make(&own, library, &s.source->slice, metric, NULL, watch, error);
	if (!status)
		status = prove(&s, count, reads, error);
	if (s.source)
		kind->close(s.source);
	gathered_free(&own);
	if (cache)
		el_cache_close(cache);
	return status;
}

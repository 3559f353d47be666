/* SPDX-License-Identifier: MIT */
/*
 * Estimates the cost of a plan. A model of one machine, with one thread, gives the cost of each
 * table; the journal of earlier builds gives the factor between this machine, with these options,
 * and the model. If the journal has too little, the factor comes from a trial, which solves a slice
 * of four pieces. The trial counts its own time of a processor, so that other programs, as on a login
 * node, hardly matter.
 */
#include "builder.h"

#include "core/base/array.h"
#include "core/base/clock.h"
#include "core/os/files.h"
#include "journal.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- the model ---- */

/* For all planes of a table. */
struct cost {
	double solve, write; /* seconds */
	double bytes;        /* of the file */
};

static const double TABLE_SECONDS = 0.003;        /* for any table: files are synced */
static const double READ_OFF_NS = 36;             /* per position read off another table */
static const double OUTCOME_WRITE = 0.33;         /* of the time that depths take to compress */
static const double OUTCOME_SOLVE = 0.75;         /* of the time that depths take to find */
static const double WIN_BYTES = 0.5;              /* of the bytes that outcomes take */
static const double PHASE_BYTES = 1.25;           /* of the bytes of depths to the end */
static const double CONVERSION_PAWN_BYTES = 1.45; /* of the bytes of depths to a zeroing move */
/* What remains of both sides if one is left out: of depths, of outcomes, of the time to write them. */
static const double SIDE_DEPTH_BYTES = 0.4, SIDE_OUTCOME_BYTES = 0.28, SIDE_WRITE = 0.75;
/* Of the bytes and the time of depths to the end, if they change with the clock: a run for each ply by
   which a conversion may come early (core/solve/clock.c). */
static const double CLOCK_BYTES = 3.3, CLOCK_SOLVE = 30;
static const double COPY_BYTES = 1.25; /* of the bytes of the side that a table lacks */
static const double LARGE_BITS = 2e7;  /* below, threads wait for each other */

static unsigned promoting(const struct el_slice *slice)
{
	unsigned pieces = slice->hand[0] + slice->hand[1];
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		if (slice->game->promoting >> kind & 1)
			pieces += slice->count[0][kind] + slice->count[1][kind];
	return pieces;
}

static const struct el_rate *rate_of(const struct el_slice *slice)
{
	const struct el_rate *r = slice->game->rates;
	while (r->pieces < slice->pieces || r->promoting < promoting(slice))
		r++;
	return r;
}

static double bytes_of(const struct el_rate *r, const struct el_metric *metric, unsigned pawns)
{
	if (!metric->has_depth)
		return r->bytes_outcome * (metric->wins_only ? WIN_BYTES : 1);
	if (metric->has_phase || metric->join == EL_JOIN_MAX)
		return r->bytes_end * PHASE_BYTES;
	if (metric->join == EL_JOIN_SUM)
		return r->bytes_end * (metric->by_clock ? CLOCK_BYTES : 1);
	return r->bytes_zeroing *
	       (pawns && metric->end == EL_END_CONVERSION ? CONVERSION_PAWN_BYTES : 1);
}

static double of_one_thread(double alone, unsigned threads)
{
	return alone + (1 - alone) / threads;
}

/* `is_read`: the table is read off another one. */
static struct cost model(const struct el_slice *slice, const struct el_metric *metric, bool is_read,
                         unsigned threads)
{
	const struct el_rate *r = rate_of(slice);
	const double bits = (double)slice->game->measure(slice).bits * slice->planes;
	const double positions = (double)slice->positions * slice->planes;
	struct cost c = {
		.solve = 1e-9 * bits * r->solve_ns * (metric->has_depth ? 1 : OUTCOME_SOLVE),
		.write = 1e-9 * positions * r->write_ns * (metric->has_depth ? 1 : OUTCOME_WRITE),
		.bytes = 250 + positions * bytes_of(r, metric, promoting(slice)),
	};
	if (slice->planes == 2 && !el_side_check(slice, metric, NULL)) {
		c.bytes *= metric->has_depth ? SIDE_DEPTH_BYTES : SIDE_OUTCOME_BYTES;
		c.write *= SIDE_WRITE;
	}
	threads = threads ? threads : 1;
	if (el_metric_solved(metric)->has_phase && slice->pieces > 3)
		c.solve *= r->phase;
	if (metric->by_clock)
		c.solve *= CLOCK_SOLVE;
	if (bits > LARGE_BITS)
		c.solve *= of_one_thread(0.3, threads);
	if (is_read)
		c.solve = 1e-9 * positions * READ_OFF_NS;
	c.write = TABLE_SECONDS + c.write * of_one_thread(0.15, threads);
	return c;
}

/* Of a copy that later tables of the same build read; 0: there is none. */
static double copy_bytes(const struct el_task *task)
{
	const bool leaves = task->slice.planes == 2 && !task->partial &&
	                    !el_side_check(&task->slice, task->metric, NULL);
	const double part = task->metric->has_depth ? SIDE_DEPTH_BYTES : SIDE_OUTCOME_BYTES;
	return leaves ? (double)task->disk * (1 - part) / part * COPY_BYTES : 0;
}

/* ---- proofs ---- */

/* Of a proof position by position, in parts of the time that the table takes to be solved. */
static const double SLOW_PROOF = 20;

static double proof_seconds(const struct el_task *task, unsigned threads)
{
	const double solve = model(&task->slice, task->metric, false, threads).solve;
	const bool by_planes = !task->partial && verify_by_planes(task->metric);
	/* outcomes are proved by depths, which are solved for that */
	const bool solves = !task->metric->has_depth && !task->partial;
	return solve * (solves + (by_planes ? task->slice.game->proof : SLOW_PROOF));
}

/* By the model alone, so that the same tables are proved wherever they are made. */
bool proof_is_cheap(const struct el_task *task)
{
	const struct cost c = model(&task->slice, task->metric, task->from, 1);
	return el_slice_has_rights(&task->slice) ||
	       proof_seconds(task, 1) < (c.solve + c.write) / 2;
}

/* ---- corrections from the journal ---- */

/* What an entry of the journal has in common with a table, from most to least. */
enum likeness { LIKE_ALL, LIKE_METRIC, LIKE_GAME, LIKENESSES };

/* Small tables say little: cold memory or a moment's load outweighs the work. */
static const double ENOUGH_SECONDS = 0.5, ENOUGH_BYTES = 2e6;

/* A line of the journal. */
struct entry {
	struct el_slice slice;
	const struct el_metric *metric;
	struct cost model, found;
	bool solved; /* not read off another table */
	unsigned threads;
};

struct entries {
	struct entry *list; /* owned */
	size_t count;
	bool no_memory;
};

static void take_entry(void *context, const char *slice, const char *metric,
                       const struct el_solution *s)
{
	struct entries *all = context;
	struct el_error error;
	struct entry e = {
		.metric = el_metric_find(metric),
		.solved = s->passes || s->stage[0].name[0],
		.threads = s->effort.threads,
		.found = {s->effort.solve_seconds, s->effort.write_seconds,
	                  (double)s->effort.bytes},
	};
	if (!s->effort.threads || !e.metric || el_slice_parse(slice, &e.slice, &error))
		return; /* from an older program or a newer one */
	if (!array_grow(&all->list, all->count, 1, sizeof *all->list)) {
		all->no_memory = true;
		return;
	}
	e.model = model(&e.slice, e.metric, !e.solved, e.threads);
	all->list[all->count++] = e;
}

/* The ratio of found to expected over the entries most like the task, as many kinds of them as it
   takes to have `enough`; 0 if there is too little. */
static double share(const double expected[LIKENESSES], const double found[LIKENESSES],
                    double enough, unsigned worst)
{
	double sum = 0, sum_found = 0;
	for (unsigned i = 0; i <= worst; i++) {
		sum += expected[i];
		sum_found += found[i];
		if (sum >= enough)
			return sum_found / sum;
	}
	return 0;
}

/* ---- the trial ---- */

static const char trial_name[] = "KRvKN";
static const double TRIAL_SECONDS = 0.030; /* on the machine of the model */
enum { TRIALS = 3, LENT_MAX = 8 };

/* The successors, solved on request. */
struct lent {
	struct el_planes planes[LENT_MAX];
	size_t count;
	struct el_lender lender;
};

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	struct lent *l = context;
	const struct el_problem problem = {.slice = *slice, .metric = metric, .lender = &l->lender};
	size_t i = 0;
	while (i < l->count && !el_slice_equal(&l->planes[i].slice, slice))
		i++;
	enum el_status status = EL_OK;
	if (i == LENT_MAX)
		return el_fail(error, EL_NEGATIVE, "%s cannot be lent", slice->name);
	if (i == l->count)
		status = el_solve(&problem, &l->planes[i], error);
	l->count += !status && i == l->count;
	*out = &l->planes[i];
	return status;
}

static void give_back(void *context, const struct el_planes *planes)
{
	(void)context;
	(void)planes;
}

/* The ratio of this machine's time to that of the model's, with one thread. */
static enum el_status try_pace(double *out, struct el_error *error)
{
	struct lent lent = {.lender = {.lend = lend, .give_back = give_back}};
	struct el_problem problem = {.lender = &lent.lender};
	const int threads = omp_get_max_threads();
	double best = 0;
	enum el_status status = el_slice_parse(trial_name, &problem.slice, error);
	if (!status)
		problem.metric = el_game_metric(problem.slice.game);
	lent.lender.context = &lent;
	omp_set_num_threads(1);
	for (int i = 0; i <= TRIALS && !status; i++) { /* the first one warms up */
		struct el_planes planes;
		const double start = clock_thread_seconds();
		status = el_solve(&problem, &planes, error);
		const double seconds = clock_thread_seconds() - start;
		if (!status)
			el_planes_free(&planes);
		if (i && (best == 0 || seconds < best))
			best = seconds;
	}
	omp_set_num_threads(threads);
	for (size_t i = 0; i < lent.count; i++)
		el_planes_free(&lent.planes[i]);
	*out = best / TRIAL_SECONDS;
	return status;
}

/* ---- the plan ---- */

/* Estimates a task. `pace` counts where the journal has too little: true. */
static bool estimate_task(struct el_task *task, const struct entries *all, double pace,
                          unsigned threads, const struct el_plan *plan)
{
	struct cost expected = model(&task->slice, task->metric, task->from, threads);
	expected.solve *= task->part;
	/* The factors by which the model was off: for the last entry of the same table or, if it was
	   not made here, for tables like this one. */
	const struct entry *same = NULL;
	double solve[2][LIKENESSES] = {{0}}, write[2][LIKENESSES] = {{0}},
	       bytes[2][LIKENESSES] = {{0}};
	for (const struct entry *e = all->list; e < all->list + all->count; e++) {
		const bool same_metric = e->metric == task->metric;
		const enum likeness like =
			same_metric && rate_of(&e->slice) == rate_of(&task->slice) ? LIKE_ALL
			: same_metric                                              ? LIKE_METRIC
										   : LIKE_GAME;
		if (e->slice.game != task->slice.game)
			continue;
		if (e->solved == !task->from) {
			solve[0][like] += e->model.solve;
			solve[1][like] += e->found.solve;
			if (same_metric && el_slice_equal(&e->slice, &task->slice))
				same = e;
		}
		write[0][like] += e->model.write;
		write[1][like] += e->found.write;
		bytes[0][like] += e->model.bytes;
		bytes[1][like] += e->found.bytes;
	}
	struct cost off = {
		share(solve[0], solve[1], ENOUGH_SECONDS, LIKE_GAME),
		share(write[0], write[1], ENOUGH_SECONDS, LIKE_GAME),
		share(bytes[0], bytes[1], ENOUGH_BYTES, LIKE_METRIC),
	};
	if (same)
		off = (struct cost){same->found.solve / same->model.solve,
		                    same->found.write / same->model.write,
		                    same->found.bytes / same->model.bytes};
	const double solving = !same && off.solve == 0 ? pace : off.solve;
	const double writing = !same && off.write == 0 ? pace : off.write;
	task->seconds = expected.solve * solving * (task->partial ? 2 : 1) +
	                expected.write * writing +
	                (task->proves ? proof_seconds(task, threads) * task->part * solving : 0) +
	                (double)(task->exchanged - task->collected) / plan->ranks / plan->network +
	                (double)task->collected / plan->network;
	task->disk = (uint64_t)(expected.bytes * (off.bytes > 0 ? off.bytes : 1));
	return !same && (off.solve == 0 || off.write == 0);
}

/* The most bytes that copies of tables without a side take at once (build.c), if tables are made in
   order. */
static uint64_t copies_at_most(const struct el_plan *plan)
{
	size_t *last = calloc(plan->count, sizeof *last); /* the last table that needs this one */
	double now = 0, most = 0;
	for (size_t i = 0; last && i < plan->count; i++)
		for (size_t k = 0; k < plan->tasks[i].need_count; k++)
			last[plan->tasks[i].needs[k]] = i;
	for (size_t i = 0; last && i < plan->count; i++) {
		for (size_t k = 0; k < plan->tasks[i].need_count; k++) {
			const size_t need = plan->tasks[i].needs[k];
			now -= last[need] == i ? copy_bytes(&plan->tasks[need]) : 0;
		}
		now += last[i] ? copy_bytes(&plan->tasks[i]) : 0;
		most = now > most ? now : most;
	}
	free(last);
	return (uint64_t)most;
}

enum el_status el_plan_estimate(struct el_library *library, struct el_plan *plan,
                                struct el_error *error)
{
	static _Atomic double tried; /* result of the process's one trial; 0: not yet */
	const double given = el_library_pace(library);
	const unsigned threads = given > 0 ? 1 : (unsigned)omp_get_max_threads();
	double pace = given > 0 ? given : atomic_load(&tried);
	struct entries all = {0};
	enum el_status status = EL_OK;
	if (given == 0)
		status = journal_read(el_library_directory(library), take_entry, &all, error);
	if (!status && all.no_memory)
		status = el_fail(error, EL_MEMORY, "out of memory");
	for (bool again = true; again && !status;) {
		plan->tried = 0;
		for (size_t i = 0; i < plan->count; i++)
			plan->tried += estimate_task(&plan->tasks[i], &all, pace, threads, plan);
		again = plan->tried && pace == 0;
		if (again) {
			status = try_pace(&pace, error);
			atomic_store(&tried, status ? 0 : pace);
		}
	}
	if (getloadavg(&plan->load, 1) < 1)
		plan->load = -1;
	free(all.list);
	if (status)
		return status;
	const size_t pool = plan->ranks > 1 ? 1 : pool_size(plan, threads);
	/* bytes: of one table, and of the tables that are made side by side */
	uint64_t most = 0, beside = 0;
	plan->scratch = plan->disk = plan->exchanged = 0;
	plan->seconds = 0;
	for (const struct el_task *t = plan->tasks; t < plan->tasks + plan->count; t++) {
		const bool pooled = pool_takes(plan, t);
		most = t->bytes > most ? t->bytes : most;
		beside = pooled && t->bytes > beside ? t->bytes : beside;
		plan->scratch = t->scratch > plan->scratch ? t->scratch : plan->scratch;
		plan->disk += t->disk;
		plan->exchanged += t->exchanged;
		plan->seconds += t->seconds / (double)(pooled ? pool : 1);
	}
	const uint64_t copies = copies_at_most(plan);
	plan->scratch = copies > plan->scratch ? copies : plan->scratch;
	/* counts each as the largest */
	beside = pool < 2 ? 0 : beside > plan->memory / pool ? plan->memory : beside * pool;
	plan->bytes = most > beside ? most : beside;
	plan->useful = plan->bytes > plan->useful ? plan->bytes : plan->useful;
	return EL_OK;
}

/* ---- the disk ---- */

static bool fits(const char *folder, uint64_t needed, struct el_disk_need *out)
{
	*out = (struct el_disk_need){folder, needed, disk_free(folder)};
	return needed <= out->free;
}

bool el_plan_fits_disk(const struct el_plan *plan, const char *tables, const char *scratch,
                       struct el_disk_need *out)
{
	struct stat one, other;
	const bool is_apart = scratch && !stat(tables, &one) && !stat(scratch, &other) &&
	                      one.st_dev != other.st_dev;
	return fits(tables, plan->disk + (is_apart ? 0 : plan->scratch), out) &&
	       (!is_apart || fits(scratch, plan->scratch, out));
}

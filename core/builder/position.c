/* SPDX-License-Identifier: MIT */
#include "position.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/games/frames.h"
#include "core/os/files.h"
#include "core/os/lock.h"
#include "core/os/machine.h"
#include "core/probe/probe.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PATH_ROOM = PATH_MAX + EL_STUDY_NAME_MAX + 32,
	/* Bytes that a frame takes beside its sets. */
	FRAME_BYTES = 1600,
	PACED_MEMORY = 1 << 30, /* for tests, as el_library_set_pace */
	SET_COUNT = 14,         /* of a frame */
	KEEP_SECONDS = 300,     /* a step that takes longer begins with what there is in a file */
};

/* Measured on one core of 2024: addresses a second, and bytes of the file for each 1,000. */
static const double solve_rate = 6e7, write_rate = 2.5e7, file_bytes = 45;

struct work {
	struct el_library *library;
	const struct el_solve_wish *wish;
	const struct el_watch *watch;
	struct el_watch inner; /* stops when the time is over, too */
	struct el_study *study;
	struct el_study_tables tables;
	uint64_t memory;
	double deadline; /* clock_seconds; 0: none */
	bool stops;      /* the watch said so */
	bool planned;    /* and no more is wished */
	struct el_solve_report report;
	char path[PATH_ROOM];
};

/* ---- names ---- */

void el_study_name(const struct el_game *game, const struct el_position *root,
                   const struct el_metric *metric, char out[EL_STUDY_NAME_MAX])
{
	char fen[EL_FEN_MAX];
	struct el_position bare = *root;
	size_t at = 0;
	uint32_t hash = 2166136261;
	bare.halfmove = 0;
	bare.fullmove = 1;
	game->format(&bare, fen);
	for (const char *c = fen; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 16777619;
	for (unsigned side = 0; side < 2; side++) {
		if (side)
			out[at++] = 'v';
		for (unsigned k = 0; k < EL_KINDS; k++)
			for (uint64_t set = root->set[side][k]; set && at < 40; set &= set - 1)
				out[at++] = game->kinds[k];
	}
	snprintf(out + at, EL_STUDY_NAME_MAX - at, "-%08x%s%s.study", hash, metric ? "." : "",
	         metric ? metric->name : "");
}

/* ---- tables ---- */

static bool covers(void *context, const struct el_position *p, const struct el_metric *metric)
{
	struct work *w = context;
	return el_library_answers(w->library, w->wish->game, p, metric);
}

static enum el_status ask(void *context, const struct el_position *p,
                          const struct el_metric *metric, struct el_value *out,
                          struct el_error *error)
{
	struct work *w = context;
	const struct el_game *game = w->wish->game;
	const enum el_status status =
		el_library_value(w->library, game, p, metric, EL_PROBE_FULL, out, error);
	if (status || metric->has_depth || (out->outcome != EL_WIN && out->outcome != EL_LOSS))
		return status;
	for (const struct el_metric *const *m = game->metrics; *m; m++) {
		struct el_value v;
		if ((*m != metric) &&
		    !el_library_value(w->library, game, p, *m, EL_PROBE_FULL, &v, NULL) &&
		    el_value_in_time(*m, v, 2 * EL_RULE_USUAL, 0) == out->outcome)
			return status;
	}
	/* What no table knows to be in time may be late. */
	out->outcome = out->outcome == EL_WIN ? EL_CURSED_WIN : EL_BLESSED_LOSS;
	return status;
}

/* ---- reports ---- */

static void tell(struct work *w, enum el_solve_event event)
{
	w->report.event = event;
	if (w->wish->report)
		w->wish->report(w->wish->context, &w->report);
}

static void estimate(struct work *w, const struct el_study_size *size)
{
	const double pace = el_library_pace(w->library), addresses = (double)size->addresses;
	const double threads = pace > 0 ? 1 / pace : omp_get_max_threads();
	const uint64_t before = w->study ? el_study_size(w->study).addresses : 0;
	const uint64_t all = size->addresses + before;
	w->report.size = *size;
	w->report.seconds = (addresses / solve_rate + (double)all / write_rate) / threads;
	w->report.disk = (uint64_t)((double)all * file_bytes / 1000);
	/* Half of the sets of a frame are empty or go in the course of the work. */
	w->report.memory = all / 8 / 2 * SET_COUNT / 2;
	w->report.memory = w->report.memory < w->memory ? w->report.memory : w->memory;
}

static bool explored(void *context, const struct el_study_size *size)
{
	struct work *w = context;
	estimate(w, size);
	tell(w, EL_SOLVE_PLANNED);
	w->planned = w->wish->plans;
	return !w->planned;
}

static void value_root(struct work *w)
{
	w->report.size = el_study_size(w->study);
	if (el_study_value(w->study, w->wish->root, &w->report.value, NULL))
		w->report.value = (struct el_value){.outcome = EL_UNKNOWN};
}

static int tick(void *context, const struct el_progress *progress)
{
	struct work *w = context;
	w->stops |= !el_watch_tick(w->watch, progress);
	return !w->stops && (w->deadline == 0 || clock_seconds() < w->deadline);
}

/* While what is solved is written, a stop has been heard already. */
static int tick_on(void *context, const struct el_progress *progress)
{
	struct work *w = context;
	el_watch_tick(w->watch, progress);
	return 1;
}

/* ---- the work ---- */

static enum el_status begin(struct work *w, struct el_error *error)
{
	const struct el_solve_wish *wish = w->wish;
	char folder[PATH_ROOM];
	snprintf(folder, sizeof folder, "%s", w->path);
	char *slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	const struct el_study_room room = {
		.memory = w->memory / 2,
		.folder = wish->scratch ? wish->scratch
	                  : slash       ? folder
	                                : ".",
		.tables = &w->tables,
		.frames = w->memory / 2 / FRAME_BYTES,
		.explored = explored,
		.context = w,
	};
	enum el_status status = EL_OK;
	struct el_frame key;
	size_t words = 0;
	if (wish->game->frames) {
		wish->game->frames->of(wish->root, &key);
		words = wish->game->frames->words(&key);
	}
	const uint64_t least = 2 * (FRAME_BYTES + SET_COUNT * sizeof(uint64_t) * words);
	if (w->memory < least) {
		char has[EL_AMOUNT_MAX], needs[EL_AMOUNT_MAX];
		return el_fail(error, EL_NEGATIVE,
		               "%s of memory cannot hold a frame of this position, which takes %s",
		               el_bytes((double)w->memory, has), el_bytes((double)least, needs));
	}
	if (access(w->path, F_OK)) {
		status = el_study_open(wish->game, wish->root, &room, &w->inner, &w->study, error);
		return status == EL_STOPPED && (w->planned || el_study_size(w->study).frames)
		               ? EL_OK
		               : status;
	}
	status = el_study_resume(w->path, wish->game, wish->root, &room, &w->inner, &w->study,
	                         error);
	if (status == EL_DAMAGED && error)
		el_text_add(error->text, sizeof error->text, "; move the file away to begin anew");
	if (!status) {
		value_root(w);
		tell(w, EL_SOLVE_RESUMED);
	}
	return status;
}

static enum el_status write_file(struct work *w, uint64_t *bytes, struct el_error *error)
{
	w->report.size = el_study_size(w->study);
	tell(w, EL_SOLVE_WRITING);
	const struct el_watch on = {w, tick_on};
	enum el_status status =
		el_study_write(w->study, w->wish->metric, w->path, &on, bytes, error);
	if (!status)
		status = el_library_rescan(w->library, error);
	return status;
}

static enum el_status deepen(struct work *w, struct el_solved *out, struct el_error *error)
{
	enum el_status status = EL_OK;
	struct el_study_size size;
	bool is_new = w->report.event != EL_SOLVE_RESUMED;
	if (is_new) {
		value_root(w);
		tell(w, EL_SOLVE_SOLVED);
	}
	/* Once there is no room for more frames, nothing more can be followed. */
	while (!status && !w->stops && !w->report.size.is_cut &&
	       !el_outcome_exact(w->report.value.outcome) &&
	       el_study_next(w->study, w->wish->kinds, &w->report.reach, &size)) {
		estimate(w, &size);
		if (w->wish->plans ||
		    (w->deadline > 0 && clock_seconds() + w->report.seconds > w->deadline))
			break;
		tell(w, EL_SOLVE_NEXT);
		if (is_new && w->report.seconds > KEEP_SECONDS)
			status = write_file(w, &out->bytes, error);
		if (!status)
			status = el_study_extend(w->study, &w->report.reach, &w->inner, error);
		is_new |= !status || status == EL_STOPPED;
		if (status && status != EL_STOPPED)
			return status;
		value_root(w);
		if (!status)
			tell(w, EL_SOLVE_SOLVED);
	}
	if (is_new)
		status = write_file(w, &out->bytes, error);
	else if (status == EL_STOPPED)
		status = EL_OK;
	return status;
}

enum el_status el_solve_position(struct el_library *library, const struct el_solve_wish *wish,
                                 const struct el_watch *watch, struct el_solved *out,
                                 struct el_error *error)
{
	struct machine_memory machine;
	machine_memory("", &machine);
	struct work w = {
		.library = library,
		.wish = wish,
		.watch = watch,
		.memory = wish->memory                   ? wish->memory
	                  : el_library_pace(library) > 0 ? PACED_MEMORY
	                                                 : machine.free / 2,
		.report.value = {.outcome = EL_UNKNOWN},
	};
	w.inner = (struct el_watch){&w, tick};
	w.tables = (struct el_study_tables){&w, covers, ask};
	w.deadline = wish->seconds > 0 ? clock_seconds() + wish->seconds : 0;
	char name[EL_STUDY_NAME_MAX], lock_name[PATH_ROOM + 64];
	el_study_name(wish->game, wish->root, wish->metric, name);
	snprintf(w.path, sizeof w.path, "%s%s%s",
	         wish->path ? wish->path : el_library_directory(library), wish->path ? "" : "/",
	         wish->path ? "" : name);
	*out = (struct el_solved){.bytes = 0};
	/* A file that knows its root exactly need not be taken up. */
	if (!el_study_known(w.path, wish->game, wish->root, &out->size, &out->value, NULL) &&
	    el_outcome_exact(out->value.outcome)) {
		w.report.size = out->size;
		w.report.value = out->value;
		tell(&w, EL_SOLVE_RESUMED);
		return EL_OK;
	}
	struct lock *lock = NULL;
	struct lock_sight sight = {.stale = false};
	enum el_status status = EL_OK;
	if (!wish->path)
		status = directory_make(el_library_directory(library), error);
	lock_path(w.path, lock_name, sizeof lock_name);
	if (!status && !wish->plans)
		status = lock_take(lock_name, LOCK_STALE_SECONDS, &sight, &lock, error);
	if (status == EL_NEGATIVE)
		el_fail(error, status, "%s: %s is solving this position; try again when it is done",
		        w.path, sight.who);
	if (!status)
		status = begin(&w, error);
	if (!status && !w.planned)
		status = deepen(&w, out, error);
	out->value = w.report.value;
	out->stopped = w.stops;
	if (!status && !w.planned)
		out->size = el_study_size(w.study);
	struct el_study_size next;
	if (!status && !w.planned && !w.stops && !el_outcome_exact(out->value.outcome) &&
	    el_study_next(w.study, ~0u, &w.report.reach, &next)) {
		estimate(&w, &next);
		w.report.is_last = true;
		tell(&w, EL_SOLVE_NEXT);
	}
	el_study_close(w.study);
	lock_release(lock);
	return status;
}

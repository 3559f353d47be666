/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the program knows, whatever is on screen: the game on the board and what is known of its
 * position, the tables found and what they say, films, what is being made, and the questions asked
 * of workers. The model draws nothing and knows no view.
 *
 * The application takes jobs out and hands them back when they are done; the tests do the same
 * without threads:
 *
 *     model_init -> ... model_take_job -> job_run -> model_job_done ... -> model_free
 */
#ifndef TUI_MODEL_MODEL_H
#define TUI_MODEL_MODEL_H

#include "builds.h"
#include "films.h"
#include "games.h"
#include "job.h"
#include "piece_map.h"
#include "play.h"
#include "slices.h"
#include "tables.h"

struct shell;

/* What stands beside a large board. */
enum beside { BESIDE_MAP, BESIDE_HISTOGRAM, BESIDE_LINE, BESIDES };

struct model {
	struct el_library *library; /* the caller's */
	/* milliseconds on a clock that never goes back; set before updates */
	long long now;
	uint64_t random; /* state of a small generator */
	/* what is found never depends on how fast the machine is: so tests want it */
	bool unhurried;
	struct shell *shell; /* who shows all this (shell.h): the model never looks into it */

	struct {
		char text[512]; /* what was said last; empty: nothing, or it was read */
		bool error;
	} message;
	unsigned failures;     /* errors said so far, */
	unsigned job_failures; /* and by how many jobs at their end */
	bool in_moves;         /* depths are told in moves rather than plies */
	unsigned rule;         /* in force, in moves; 0: off */
	unsigned last_rule;    /* that was in force last: not 0 */
	/* that moves are ranked by, where it is known; null: the finest */
	const struct el_metric *metric;
	bool flipped;       /* boards are turned around */
	enum beside beside; /* what the user has chosen to see there */

	uint64_t last_job;  /* the number given last */
	struct job *jobs;   /* all that are not done, the oldest first */
	struct job *outbox; /* of these, those not yet handed to a worker */
	struct job_progress progress[LANES];
	unsigned tables_version; /* grows when tables have come or gone */

	struct play_state play;
	struct games games;
	struct piece_map map;
	struct tables tables;
	struct films films;
	struct builds builds;
	struct slices_known slices;
};

/* EL_MEMORY; EL_NEGATIVE when `fen`, where the game begins, is no position. */
enum el_status model_init(struct model *, struct el_library *, const char *fen, struct el_error *);
/* Frees jobs that nobody took, too. May be called again, and on a model of zeros. */
void model_free(struct model *);
/* Asks for what is not known and wanted; called after every update, when views have asked. */
void model_ask(struct model *);

/* ---- saying ---- */

void model_note(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void model_fail(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What was said last has been read. */
void model_hush(struct model *);

/* ---- jobs ---- */

/* Makes a job of `size` bytes that begin with struct job, or says that memory is out: null. It is
   freed with free() unless job.free is set. */
void *model_new_job(struct model *, size_t size, enum lane, const char *title);
void model_submit(struct model *, struct job *);
/* The next job to be run; the taker runs it and calls model_job_done. */
struct job *model_take_job(struct model *);
/* Calls job.done and frees the job. */
void model_job_done(struct model *, struct job *);
/* Stops a job by its number, whether it runs or waits; it is done soon. 0, and the number of one
   that is done, mean nothing. */
void model_stop(struct model *, uint64_t job);
/* The number of a job that its worker is to stop; 0: none. */
uint64_t model_take_stop(struct model *);
/* The oldest job of a lane, which is the one that runs; null when there is none. */
const struct job *model_job(const struct model *, enum lane);
/* The one that the title line tells of, and that `stop` stops; null when none is at work. */
const struct job *model_job_shown(const struct model *);
/* "", or that a job submitted now waits for its turn. */
const char *model_turn(const struct model *, enum lane);
/* News of the running job of a lane. */
void model_progress(struct model *, enum lane, const struct job_progress *);
/* Null when that job is not running, or has said nothing yet. */
const struct job_progress *model_progress_of(const struct model *, uint64_t job);

/* A pseudo-random number below `bound`. */
uint64_t model_random(struct model *, uint64_t bound);

#endif

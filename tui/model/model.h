/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that the program shows and knows, in one struct: no view has state elsewhere.
 *
 * The application feeds events in and takes jobs out; the tests do the same without a terminal and
 * without threads:
 *
 *     model_init -> model_update(event) -> model_take_job ... job.run, job.done -> frame_draw
 */
#ifndef ENDLAB_TUI_MODEL_H
#define ENDLAB_TUI_MODEL_H

#include "../screen/prompt.h"
#include "../shell/view.h"
#include "../views/build/build.h"
#include "../views/explore/explore.h"
#include "../views/map/map.h"
#include "../views/setup/setup.h"
#include "../views/help/help.h"
#include "../views/lab/inspector.h"
#include "../views/lab/lab.h"
#include "../views/tables/tables.h"
#include "../views/bounds/bounds.h"
#include "../views/index/index.h"
#include "../views/lesson/lesson.h"
#include "../views/metrics/metrics.h"
#include "../views/practice/practice.h"
#include "../views/teach/teach.h"
#include "../views/text/text.h"
#include "worker.h"

enum { WAYS_BACK = 8 };

struct model {
	struct el_library *library; /* the caller's */
	int rows, cols;             /* of the screen */
	long long now; /* milliseconds on a clock that never goes back; set before updates */
	uint64_t random;            /* state of a small generator */

	const struct view *view;
	const struct view *before;  /* where a view without key and `under` came over */
	struct {
		const struct view *view, *to; /* `q` in this view goes to that one */
	} ways_back[WAYS_BACK];
	int way_count;
	struct {
		char text[512]; /* empty: none; stays until a key */
		bool error;
	} message;
	char offer[EL_FEN_MAX]; /* a position or an action that 'y' accepts; empty: none */
	struct prompt_line prompt; /* at the bottom */

	struct job *outbox, **outbox_tail; /* not yet handed to a worker */
	int jobs_out[LANES];               /* submitted and not done */
	unsigned long_jobs;                /* submitted to the long lane so far */
	struct job_progress progress;      /* of the long lane; while jobs_out[LANE_LONG] */
	long long progress_since;          /* when that job was first seen */
	unsigned tables_seen;              /* finished tables already looked at */

	unsigned failures;     /* errors said so far, */
	unsigned job_failures; /* and by how many jobs at their end */
	bool in_moves; /* depths are shown in moves rather than plies */
	bool quit, suspend, repaint, stop_job;
	char copy[256]; /* to be put into the terminal's clipboard; empty: nothing */
	int theme;     /* place in `themes` */

	struct explore explore;
	struct setup setup;
	struct map map;
	struct practice practice;
	struct metrics metrics;
	struct index index;
	struct bounds_loop bounds;
	struct lab lab;
	struct inspector inspector;
	struct tables tables;
	struct teach teach;
	struct build build;
	struct help help;
	struct text text;
	struct lesson lesson;
};

/* EL_MEMORY; EL_NEGATIVE when `fen` (may be null) is no position. `first_slices`, null-terminated,
   are built when the library has no table at all; the first one also gives the first position. */
enum el_status model_init(struct model *, struct el_library *, const char *fen,
                          const char *const *first_slices, struct el_error *);
/* Frees jobs that nobody took, too. May be called again, and on a model of zeros. */
void model_free(struct model *);

void model_update(struct model *, const struct event *);
/* Milliseconds until a tick is due, -1 for none. */
int model_next_tick(const struct model *);

void model_show(struct model *, const struct view *);
/* Shows a view that `q` comes back from, whatever it goes back to otherwise. */
void model_visit(struct model *, const struct view *);
/* Where a view was visited from; null when it was not. */
const struct view *model_visited_from(const struct model *, const struct view *);
/* Back to the view that model_back says. */
void model_return(struct model *, const struct view *);
/* The position that a view over any other is about: that of Teach when it came over Teach, else that
   of Explore. Returns its game. */
const struct el_game *model_studied(const struct model *, struct el_position *out);
/* The view that `q` goes back to; null where there is none. */
const struct view *model_back(const struct model *);
void model_note(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void model_fail(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Opens the prompt with the beginning of a line. */
void model_prompt(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Runs an action unless it is disabled, which is said. */
void model_run(struct model *, const struct binding *);

/* Makes a job of `size` bytes that begin with struct job, or says that memory is out: null. It is
   freed with free() unless job.free is set. */
void *model_new_job(struct model *, size_t size, enum lane, const char *title);
void model_submit(struct model *, struct job *);
/* The next job to be run; the taker runs it and calls model_job_done. */
struct job *model_take_job(struct model *);
/* Calls job.done and frees the job. */
void model_job_done(struct model *, struct job *);
/* News of the long lane's running job. */
void model_progress(struct model *, const struct job_progress *);
/* New tables may be there: everything that depends on them is asked again. */
void model_tables_changed(struct model *);
/* A pseudo-random number below `bound`. */
uint64_t model_random(struct model *, uint64_t bound);

#endif

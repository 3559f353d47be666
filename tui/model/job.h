/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job: work that the screen must not wait for.
 *
 *     model_new_job -> model_submit -> model_take_job, job_run on a worker's thread ->
 *     model_job_done
 *
 * Its number identifies it for queries and for stopping it.
 */
#ifndef TUI_MODEL_JOB_H
#define TUI_MODEL_JOB_H

#include "core/library/library.h"

struct model;

/* Which worker: quick answers must not queue behind long work. */
enum lane {
	LANE_PROBE, /* milliseconds: values, lists, blocks */
	LANE_LOOK,  /* seconds: films, counts */
	LANE_WORK,  /* minutes: builds, proofs, measurements, commands */
	LANES
};

struct job;
/* Runs on the worker's thread; uses only the job and the library. */
typedef void job_run_fn(struct job *, const struct el_watch *);
/* Runs on the screen's thread after `run`, even if the job was stopped. */
typedef void job_done_fn(struct model *, struct job *);
typedef void job_free_fn(struct job *);

struct job {
	uint64_t number; /* from 1, never given twice */
	enum lane lane;
	char title[64]; /* "building KQvKR" */
	struct el_library *library;
	/* the position shown when it was made */
	const struct el_game *game;
	struct el_position position;
	job_run_fn *run;
	job_done_fn *done;
	/* on the screen's thread at its reports, while it runs: takes what is there by then, under a
	   lock of its own; may be null */
	job_done_fn *heard;
	job_free_fn *free;
	enum el_status status; /* of `run`; EL_STOPPED if stopped before it began */
	struct el_error error;
	/* it saves the user's data: it runs even at the end of the program */
	bool owed;
	/* nobody asked for it, and nobody waits for it: counts beside the board */
	bool unasked;
	bool stopped;                                  /* before it began */
	enum { STOP_NOT, STOP_ASKED, STOP_TOLD } stop; /* what the screen's thread wants */
	unsigned tables;                               /* finished so far, by a job that builds */
	struct job *next;                              /* in a queue */
	struct job *next_out;                          /* in the model's list of unfinished jobs */
};

/* On the worker's thread. */
void job_run(struct job *, const struct el_watch *);

/* The latest report of a running job. */
struct job_progress {
	uint64_t job;              /* its number; 0: none is running */
	char what[48];             /* "KPvKP dtm" */
	const char *stage;         /* static storage; null before the first report */
	double done, total;        /* total 0: not known */
	const char *unit;          /* static storage */
	unsigned pass;             /* 0: none */
	struct el_overall overall; /* `of` 0: none; without `table` */
	unsigned tables;           /* finished so far */
	/* when it was first seen, on the clock of model.now; set by the model */
	long long since;
};

/* Fills it from a job's report, which may be null; shared with the tests, which run jobs without
   threads. */
void job_progress_set(struct job_progress *, const struct job *, const struct el_progress *);

/*
 * A question to a worker. When its premises change it becomes another question: its job is stopped,
 * and an answer to the former one is dropped.
 */
struct question {
	uint64_t job;    /* working on it; 0: none */
	bool known;      /* answered */
	unsigned tables; /* model.tables_version when it was asked */
};

/* Does it need a job now? */
bool question_is_open(const struct question *);
/* Submits a job for it. */
void question_ask(struct model *, struct question *, struct job *);
/* For job.done: true if the job answers the current question, which is known from now on. */
bool question_answer(struct question *, const struct job *);
void question_change(struct model *, struct question *);
/* For a question about tables: changes it if tables have come or gone since it was asked. */
void question_follow_tables(struct model *, struct question *);

#endif

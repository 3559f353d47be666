/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread for work that the screen must not wait for.
 *
 *     worker_open -> worker_submit ... poll(worker_fd) -> worker_progress, worker_collect ->
 * worker_close
 *
 * Jobs run one after the other. All functions are for the screen's thread; a job's `run` is the
 * only one that happens on the worker's.
 */
#ifndef ENDLAB_TUI_WORKER_H
#define ENDLAB_TUI_WORKER_H

#include "endlab/library.h"

struct model;

/* Which worker: quick questions do not stand in the queue behind a build. */
enum lane { LANE_PROBE, LANE_LONG, LANES };

struct job {
	enum lane lane;
	char title[64]; /* "building KQvKR" */
	struct el_library *library;
	/* On the worker's thread; uses nothing but the job and the library. */
	void (*run)(struct job *, const struct el_watch *);
	/* On the screen's thread, after `run`; also when it was stopped. */
	void (*done)(struct model *, struct job *);
	void (*free)(struct job *);
	enum el_status status; /* of `run` */
	struct el_error error;
	unsigned tables; /* finished so far, by a job that builds */
	struct job *next;
};

/* What the running job last said. */
struct job_progress {
	char title[64];    /* of the job */
	char what[48];     /* "KPvKP dtm" */
	const char *stage; /* static storage; null before the first word */
	double done, total; /* total 0: not known */
	const char *unit;   /* static storage */
	unsigned tables;   /* finished so far */
};

struct worker;

enum el_status worker_open(struct worker **, struct el_error *);
/* Stops the running job and waits for it; frees all jobs. */
void worker_close(struct worker *);
/* Readable when there is news. */
int worker_fd(const struct worker *);
/* Call when the descriptor is readable, before the two below. */
void worker_acknowledge(struct worker *);
/* Takes the job over until worker_collect. */
void worker_submit(struct worker *, struct job *);
/* False when no job is running. */
bool worker_progress(struct worker *, struct job_progress *out);
/* A job that is done, or null. */
struct job *worker_collect(struct worker *);
bool worker_busy(struct worker *);
/* Asks the running job to stop. */
void worker_stop(struct worker *);

/* Sets *progress from what a job reports; shared with the tests, which run jobs without a thread.
 */
void job_progress_set(struct job_progress *, const struct job *, const struct el_progress *);

#endif

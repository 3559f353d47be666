/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job: work that the screen must not wait for.
 *
 *     model_new_job -> model_submit -> model_take_job, job_run on a worker's thread ->
 *     model_job_done
 *
 * It has a number, by which it is asked about and stopped.
 */
#ifndef TUI_MODEL_JOB_H
#define TUI_MODEL_JOB_H

#include "core/library/library.h"

struct model;

/* Which worker: what is quickly answered does not stand in the queue behind what takes long. */
enum lane {
	LANE_PROBE, /* milliseconds: values, lists, blocks */
	LANE_LOOK,  /* seconds: films, counts */
	LANE_WORK,  /* minutes: builds, proofs, measurements, commands */
	LANES
};

struct job {
	uint64_t number; /* from 1, never given twice */
	enum lane lane;
	char title[64]; /* "building KQvKR" */
	struct el_library *library;
	/* On the worker's thread; uses nothing but the job and the library. */
	void (*run)(struct job *, const struct el_watch *);
	/* On the screen's thread, after `run`; also when it was stopped. */
	void (*done)(struct model *, struct job *);
	void (*free)(struct job *);
	enum el_status status; /* of `run`; EL_STOPPED when it was stopped before it began */
	struct el_error error;
	/* it keeps what the user wants kept: it is run at the end of the program, too */
	bool owed;
	bool stopped;                                  /* before it began */
	enum { STOP_NOT, STOP_ASKED, STOP_TOLD } stop; /* what the screen's thread wants */
	unsigned tables;                               /* finished so far, by a job that builds */
	struct job *next;                              /* in a queue */
	struct job *next_out; /* in the model's list of those that are not done */
};

/* On the worker's thread. */
void job_run(struct job *, const struct el_watch *);

/* What a running job last said. */
struct job_progress {
	uint64_t job;              /* its number; 0: none is running */
	char what[48];             /* "KPvKP dtm" */
	const char *stage;         /* static storage; null before the first word */
	double done, total;        /* total 0: not known */
	const char *unit;          /* static storage */
	unsigned pass;             /* 0: none */
	struct el_overall overall; /* `of` 0: none; without `table` */
	unsigned tables;           /* finished so far */
	/* on the clock of model.now: when it was first seen; set by the model */
	long long since;
};

/* From what a job reports, which may be null; shared with the tests, which run jobs without a
   thread. */
void job_progress_set(struct job_progress *, const struct job *, const struct el_progress *);

/*
 * Something asked of a worker. When what it depends on changes it becomes another question, its job
 * is stopped, and an answer to the former one is dropped.
 */
struct question {
	uint64_t job;    /* that is at work on it; 0: none */
	bool known;      /* the answer is there */
	unsigned tables; /* model.tables_version when it was asked */
};

/* Should a job be made for it now? */
bool question_is_open(const struct question *);
/* Submits a job for it. */
void question_ask(struct model *, struct question *, struct job *);
/* In job.done: true when this is the answer, which is known from now on. */
bool question_answer(struct question *, const struct job *);
void question_change(struct model *, struct question *);
/* Of a question about tables: changes it when some have come or gone since it was asked. */
void question_follow_tables(struct model *, struct question *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread for jobs, one for each lane.
 *
 *     worker_open -> worker_submit ... poll(worker_fd) -> worker_progress, worker_collect ->
 * worker_close
 *
 * Jobs run one after the other. Only a job's `run` executes on the worker's thread; call all
 * functions on the screen's thread.
 */
#ifndef TUI_MODEL_WORKER_H
#define TUI_MODEL_WORKER_H

#include "job.h"

struct worker;

enum el_status worker_open(struct worker **, struct el_error *);
/* Stops the running job; only owed jobs still begin. Does not wait. Accepts null, as worker_close
   does. */
void worker_end(struct worker *);
/* The same, then waits for them and frees all jobs. Not EL_OK: an owed job has failed,
   unreported. */
enum el_status worker_close(struct worker *, struct el_error *);
/* Readable when there is a report. */
int worker_fd(const struct worker *);
/* Call it when the descriptor is readable, before the two below. */
void worker_acknowledge(struct worker *);
/* Owns the job until worker_collect. */
void worker_submit(struct worker *, struct job *);
/* False if no job is running. */
bool worker_progress(struct worker *, struct job_progress *out);
/* A job that is done, or null. */
struct job *worker_collect(struct worker *);
/* Asks the job of that number to stop if it is running; a waiting job is done at once. */
void worker_stop(struct worker *, uint64_t job);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread for jobs, one for each lane.
 *
 *     worker_open -> worker_submit ... poll(worker_fd) -> worker_progress, worker_collect ->
 * worker_close
 *
 * Jobs run one after the other. All functions are for the screen's thread; a job's `run` is the
 * only one that happens on the worker's.
 */
#ifndef TUI_MODEL_WORKER_H
#define TUI_MODEL_WORKER_H

#include "job.h"

struct worker;

enum el_status worker_open(struct worker **, struct el_error *);
/* Stops the running job; no other begins but for those that are owed. Does not wait. May be null,
   as for worker_close. */
void worker_end(struct worker *);
/* The same, waits for them, and frees all jobs. Not EL_OK: a job that was owed has failed, and
   nobody was told. */
enum el_status worker_close(struct worker *, struct el_error *);
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
/* Asks the job of that number to stop, if it is running; one that waits is done at once. */
void worker_stop(struct worker *, uint64_t job);

#endif

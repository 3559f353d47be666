/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker.h"

#include "core/os/system.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct queue {
	struct job *head, **tail;
};

struct worker {
	pthread_t thread;
	pthread_mutex_t lock; /* guards everything below */
	pthread_cond_t wake;
	struct queue waiting, finished;
	struct job *running;
	struct job_progress progress;
	bool stop, close;
	int fd; /* a bell */
};

static void queue_put(struct queue *q, struct job *job)
{
	job->next = NULL;
	*q->tail = job;
	q->tail = &job->next;
}

static struct job *queue_take(struct queue *q)
{
	struct job *job = q->head;
	if (!job)
		return NULL;
	q->head = job->next;
	if (!q->head)
		q->tail = &q->head;
	return job;
}

static int tick(void *context, const struct el_progress *report)
{
	struct worker *w = context;
	pthread_mutex_lock(&w->lock);
	job_progress_set(&w->progress, w->running, report);
	int go_on = !w->stop;
	pthread_mutex_unlock(&w->lock);
	bell_ring(w->fd);
	return go_on;
}

/* The next owed job; frees those before it. */
static struct job *take_owed(struct queue *q)
{
	struct job *job;
	while ((job = queue_take(q)) && !job->owed)
		job->free(job);
	return job;
}

static struct job *next_job(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	while (!w->waiting.head && !w->close)
		pthread_cond_wait(&w->wake, &w->lock);
	struct job *job = w->close ? take_owed(&w->waiting) : queue_take(&w->waiting);
	w->running = job;
	w->stop = false;
	w->progress = (struct job_progress){0};
	if (job)
		job_progress_set(&w->progress, job, NULL);
	pthread_mutex_unlock(&w->lock);
	return job;
}

static void *work(void *context)
{
	struct worker *w = context;
	/* On Linux this affects only the thread and those that it starts: the screen comes first
	   even when a build keeps all cores busy. */
	setpriority(PRIO_PROCESS, 0, 10);
	struct el_watch watch = {w, tick};
	struct job *job;
	while ((job = next_job(w))) {
		bell_ring(w->fd);
		job_run(job, &watch);
		pthread_mutex_lock(&w->lock);
		w->running = NULL;
		queue_put(&w->finished, job);
		pthread_mutex_unlock(&w->lock);
		bell_ring(w->fd);
	}
	return NULL;
}

enum el_status worker_open(struct worker **out, struct el_error *error)
{
	struct worker *w = calloc(1, sizeof *w);
	if (!w)
		return el_fail(error, EL_MEMORY, "out of memory");
	w->waiting.tail = &w->waiting.head;
	w->finished.tail = &w->finished.head;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	w->fd = bell_open();
	/* Signals are for the screen's thread: block them while the worker inherits its mask. */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failed = w->fd < 0 ? errno : pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed) {
		if (w->fd >= 0)
			close(w->fd);
		free(w);
		return el_fail(error, EL_IO, "cannot start a worker thread: %s", strerror(failed));
	}
	*out = w;
	return EL_OK;
}

void worker_end(struct worker *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->close = w->stop = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
}

enum el_status worker_close(struct worker *w, struct el_error *error)
{
	enum el_status status = EL_OK;
	if (!w)
		return status;
	worker_end(w);
	pthread_join(w->thread, NULL);
	for (struct job *job = w->finished.head; job && !status; job = job->next)
		if (job->owed && job->status)
			status = el_fail(error, job->status, "%s", job->error.text);
	struct job *job;
	while ((job = queue_take(&w->finished)))
		job->free(job);
	close(w->fd);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w);
	return status;
}

int worker_fd(const struct worker *w)
{
	return w->fd;
}

void worker_acknowledge(struct worker *w)
{
	bell_hush(w->fd);
}

void worker_submit(struct worker *w, struct job *job)
{
	pthread_mutex_lock(&w->lock);
	queue_put(&w->waiting, job);
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
}

bool worker_progress(struct worker *w, struct job_progress *out)
{
	pthread_mutex_lock(&w->lock);
	bool running = w->running;
	*out = w->progress;
	pthread_mutex_unlock(&w->lock);
	return running;
}

struct job *worker_collect(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	struct job *job = queue_take(&w->finished);
	pthread_mutex_unlock(&w->lock);
	return job;
}

/* Takes a job out of a queue; null if it is not there. */
static struct job *queue_remove(struct queue *q, uint64_t number)
{
	for (struct job **at = &q->head; *at; at = &(*at)->next) {
		struct job *job = *at;
		if (job->number != number)
			continue;
		*at = job->next;
		if (!job->next)
			q->tail = at;
		return job;
	}
	return NULL;
}

void worker_stop(struct worker *w, uint64_t number)
{
	pthread_mutex_lock(&w->lock);
	struct job *waiting = queue_remove(&w->waiting, number);
	if (waiting) {
		waiting->stopped = true;
		job_run(waiting, NULL);
		queue_put(&w->finished, waiting);
	}
	w->stop = w->stop || (w->running && w->running->number == number);
	pthread_mutex_unlock(&w->lock);
	if (waiting)
		bell_ring(w->fd);
}

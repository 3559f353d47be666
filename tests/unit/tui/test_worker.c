/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs beside the screens: they report, can be stopped, and are freed. */
#include "tui/model/worker.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct count_job {
	struct job job;
	int ticks; /* until it ends by itself */
	int *freed;
};

static void count_run(struct job *job, const struct el_watch *watch)
{
	struct count_job *j = (struct count_job *)job;
	for (int i = 0; i < j->ticks; i++) {
		struct el_progress p = {
			.stage = "counting",
			.what = "sheep",
			.done = i,
			.total = j->ticks,
			.unit = "sheep",
		};
		if (!el_watch_tick(watch, &p)) {
			job->status = EL_STOPPED;
			return;
		}
		usleep(1000);
	}
}

static void count_free(struct job *job)
{
	++*((struct count_job *)job)->freed;
	free(job);
}

/* Returns the number of the job. */
static uint64_t submit(struct worker *w, int ticks, int *freed)
{
	static uint64_t number;
	struct count_job *j = calloc(1, sizeof *j);
	assert_non_null(j);
	j->job = (struct job){
		.number = ++number, .run = count_run, .free = count_free, .title = "counting"};
	j->ticks = ticks;
	j->freed = freed;
	worker_submit(w, &j->job);
	return number;
}

static struct job *wait_for_job(struct worker *w)
{
	for (;;) {
		struct pollfd fd = {worker_fd(w), POLLIN, 0};
		assert_int_equal(poll(&fd, 1, 10000), 1);
		worker_acknowledge(w);
		struct job *job = worker_collect(w);
		if (job)
			return job;
	}
}

static void the_worker_reports_and_stops(void **state)
{
	struct worker *w;
	struct job_progress progress;
	int freed = 0;
	(void)state;
	assert_int_equal(worker_open(&w, NULL), EL_OK);
	submit(w, 3, &freed);
	struct job *job = wait_for_job(w);
	assert_int_equal(job->status, EL_OK);
	job->free(job);

	const uint64_t long_job = submit(w, 1000000, &freed), waiting = submit(w, 3, &freed);
	for (progress.done = 0; progress.done < 3;) {
		struct pollfd fd = {worker_fd(w), POLLIN, 0};
		assert_int_equal(poll(&fd, 1, 10000), 1);
		worker_acknowledge(w);
		if (!worker_progress(w, &progress))
			progress.done = 0;
	}
	assert_string_equal(progress.what, "sheep");
	assert_true(progress.total > 999999);
	assert_int_equal(progress.job, long_job);

	worker_stop(w, waiting); /* at once, and the other one goes on */
	job = wait_for_job(w);
	assert_int_equal(job->number, waiting);
	assert_int_equal(job->status, EL_STOPPED);
	job->free(job);
	worker_stop(w, waiting); /* its job has gone */
	assert_true(worker_progress(w, &progress));
	worker_stop(w, long_job);
	job = wait_for_job(w);
	assert_int_equal(job->number, long_job);
	assert_int_equal(job->status, EL_STOPPED);
	job->free(job);
	assert_false(worker_progress(w, &progress));

	submit(w, 1000000, &freed);
	submit(w, 1000000, &freed);
	assert_int_equal(worker_close(w, NULL), EL_OK);
	assert_int_equal(freed, 5);
}

struct owed_job {
	struct job job;
	int *run, *freed;
};

static void owed_run(struct job *job, const struct el_watch *watch)
{
	struct owed_job *j = (struct owed_job *)job;
	(void)watch;
	++*j->run;
	if (job->number == 102)
		job->status = el_fail(&job->error, EL_IO, "the disk is full");
}

static void owed_free(struct job *job)
{
	++*((struct owed_job *)job)->freed;
	free(job);
}

/* At the end, data waiting to be kept are kept, and unreported failures are reported. */
static void what_is_owed_is_done_at_the_end(void **state)
{
	struct worker *w;
	struct el_error error;
	int run = 0, freed = 0;
	(void)state;
	assert_int_equal(worker_open(&w, NULL), EL_OK);
	submit(w, 1000000, &freed);
	for (uint64_t number = 101; number <= 104; number++) {
		struct owed_job *j = calloc(1, sizeof *j);
		assert_non_null(j);
		*j = (struct owed_job){{.number = number,
		                        .run = owed_run,
		                        .free = owed_free,
		                        .owed = number != 103},
		                       &run,
		                       &freed};
		worker_submit(w, &j->job);
	}
	assert_int_equal(worker_close(w, &error), EL_IO);
	assert_string_equal(error.text, "the disk is full");
	assert_int_equal(run, 3);
	assert_int_equal(freed, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worker_reports_and_stops),
		cmocka_unit_test(what_is_owed_is_done_at_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

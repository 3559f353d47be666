/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shelf_fixture.h"

#include "scratch.h"
#include "screens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

const char *const shelf_slices[] = {"KRvK", "KPvK", "KQvKR", "checkers:KKvK", NULL};

static char folder[SCRATCH_PATH];
static struct el_library *library;

int shelf_set_up(void **state)
{
	(void)state;
	scratch_make(folder);
	screens_library(folder, shelf_slices, NULL, &library);
	return 0;
}

int shelf_tear_down(void **state)
{
	(void)state;
	el_library_close(library);
	scratch_remove(folder);
	return 0;
}

struct el_library *shelf_library(void)
{
	return library;
}

struct model shelf_model(uint64_t random)
{
	return (struct model){.library = library, .random = random};
}

void shelf_make(struct model *m)
{
	struct job *job;
	films_ask(m);
	while ((job = model_take_job(m))) {
		job_run(job, NULL);
		assert_int_equal(job->status, EL_OK);
		model_job_done(m, job);
	}
}

const struct el_film *shelf_film(struct model *m, const struct el_slice *slice)
{
	const struct el_film_wish wish = {.slice = *slice, .metric = el_game_metric(slice->game)};
	films_want(m, &wish);
	shelf_make(m);
	return films_want(m, &wish)->film;
}

struct el_value shelf_value(const struct el_game *game, const struct el_position *p)
{
	struct el_value value;
	assert_int_equal(el_library_value(library, game, p, el_game_metric(game), EL_PROBE_FULL,
	                                  &value, NULL), EL_OK);
	return value;
}

const struct el_ranked *shelf_ranked(const struct el_answer *a, const char *san)
{
	for (size_t i = 0; i < a->count; i++)
		if (!strcmp(a->moves[i].san, san))
			return &a->moves[i];
	fail_msg("%s is not in the answer", san);
	return NULL;
}

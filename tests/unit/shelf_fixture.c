/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shelf_fixture.h"

#include "scratch.h"
#include "screens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

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

void shelf_make(struct film_shelf *shelf)
{
	struct el_error error;
	for (int i = 0; i < FILM_SHELF; i++) {
		struct film_wanted *w = &shelf->film[i];
		if (w->wanted && !w->film)
			assert_int_equal(el_film_make(library, &w->wish, NULL, &w->film, &error),
			                 EL_OK);
	}
}

const struct el_film *shelf_film(struct film_shelf *shelf, const struct el_slice *slice)
{
	const struct el_metric *metric = el_game_metric(slice->game);
	film_shelf_get(shelf, slice, metric);
	shelf_make(shelf);
	return film_shelf_get(shelf, slice, metric)->film;
}

struct el_value shelf_value(const struct el_game *game, const struct el_position *p)
{
	struct el_value value;
	assert_int_equal(el_library_value(library, game, p, el_game_metric(game), EL_PROBE_FULL,
	                                  &value, NULL), EL_OK);
	return value;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "film_fixture.h"

#include "partial_fixture.h"
#include "positions.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct el_film *film_of(struct el_library *from, const char *slice,
                               const struct el_metric *metric, const char *missing)
{
	struct el_film_wish wish = {.slice = slice_named(slice), .metric = metric};
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = wish.slice.game->successors(&wish.slice, successors);
	struct el_film *film;
	struct el_error error;
	wish.partial = missing != NULL;
	for (size_t i = 0; missing && i < count; i++)
		if (set_has(missing, successors[i].name))
			wish.missing.slice[wish.missing.count++] = successors[i];
	if (el_film_make(from, &wish, NULL, &film, &error))
		fail_msg("%s %s: %s", slice, metric->name, error.text);
	return film;
}

size_t last_step(const struct el_film *film)
{
	return film->step_count - 1;
}

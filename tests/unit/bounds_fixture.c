/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bounds_fixture.h"

#include "store_fixture.h"
#include "tables.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { SYMBOLS = 7 };

/* What symbols stand for. */
static const uint8_t outcomes[SYMBOLS] = {
	EL_BROKEN, EL_DRAW, EL_LOSS, EL_WIN, EL_AT_MOST_DRAW, EL_AT_LEAST_DRAW, EL_UNKNOWN,
};

uint16_t bounds_symbol(enum el_outcome outcome)
{
	uint16_t s = 0;
	while (outcomes[s] != outcome)
		s++;
	return s;
}

void bounds_rename(struct el_plane *plane, uint64_t positions)
{
	struct el_value *values = calloc(SYMBOLS, sizeof *values);
	assert_non_null(values);
	for (uint64_t i = 0; i < positions; i++)
		plane->symbols[i] = bounds_symbol(el_plane_value(plane, i).outcome);
	for (unsigned s = 0; s < SYMBOLS; s++)
		values[s].outcome = outcomes[s];
	free(plane->values);
	plane->values = values;
	plane->value_count = SYMBOLS;
}

struct el_planes bounds_planes(const char *name)
{
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_planes(library, name, &el_wdl);
	for (unsigned p = 0; p < planes.slice.planes; p++)
		bounds_rename(&planes.plane[p], planes.slice.positions);
	el_library_close(library);
	return planes;
}

const char *bounds_captured(void)
{
	static const char *const names[] = {"KQvK", "KRvK"};
	const struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	const char *path = fixture_path(folder, "captured");
	assert_true(!mkdir(path, 0777) || errno == EEXIST);
	for (unsigned i = 0; i < 2; i++) {
		struct el_planes planes = bounds_planes(names[i]);
		fixture_write(fixture_path(path, i ? "r.egt" : "q.egt"), &planes, &o);
		el_planes_free(&planes);
	}
	return path;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void assert_why(const struct refusal *r, const struct el_error *error)
{
	assert_int_equal(error->status, EL_NEGATIVE);
	if (!strstr(error->text, r->why))
		fail_msg("%s: %s", r->text, error->text);
}

void assert_positions_refused(const struct el_game *game, const struct refusal *refusals, size_t count)
{
	for (const struct refusal *r = refusals; r < refusals + count; r++) {
		struct el_position position, before;
		struct el_error error = {0};
		const struct el_game *found = NULL;
		memset(&before, 0x55, sizeof before);
		position = before;
		assert_int_equal(el_position_parse(r->text, &found, &position, &error), EL_NEGATIVE);
		assert_ptr_equal(found, game);
		assert_why(r, &error);
		assert_memory_equal(&position, &before, sizeof position);
	}
}

void assert_slices_refused(const struct refusal *refusals, size_t count)
{
	for (const struct refusal *r = refusals; r < refusals + count; r++) {
		struct el_slice slice;
		struct el_error error = {0};
		assert_int_equal(el_slice_parse(r->text, &slice, &error), EL_NEGATIVE);
		assert_int_equal(el_slice_parse(r->text, &slice, NULL), EL_NEGATIVE);
		assert_why(r, &error);
		assert_true(strstr(r->why, "written") || !strstr(error.text, "written"));
	}
}

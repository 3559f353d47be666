/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random keys, clicks, lines and sizes: whatever is pressed, the program goes on. */
#include "tests/fixtures/monkey.h"
#include "tests/fixtures/shell_fixture.h"
#include "tests/fixtures/tables.h"

#include "tui/shell/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static size_t some(size_t bound)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (size_t)(seed % bound);
}

static void anything_may_happen(void **state)
{
	/* for longer runs; the seed of a failed one */
	const char *rounds = getenv("ROUNDS"), *first = getenv("SEED");
	const int from = first ? atoi(first) : 1, count = rounds             ? atoi(rounds)
	                                                  : tests_are_slow() ? 10
	                                                                     : 30;
	struct el_library *empty;
	struct el_library_options options = {.directory = "empty"};
	struct el_error error;
	(void)state;
	assert_int_equal(el_library_open(&options, &empty, &error), EL_OK);
	for (int round = from; round < from + count; round++) {
		struct screens s;
		seed = 0x9e3779b97f4a7c15 * (uint64_t)round;
		print_message("SEED=%d\n", round);
		monkey_open(&s, some, library, empty);
		for (int i = 0; i < 400 && monkey_happen(&s, some); i++)
			assert_true(s.model.play.walk.at < s.model.play.walk.length);
		assert_int_equal(session_save(&s.model, &error), EL_OK);
		screens_close(&s);
	}
	screens_state(NULL);
	el_library_close(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anything_may_happen),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}

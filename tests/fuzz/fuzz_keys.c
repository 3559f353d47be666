/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a sequence of events for the explorer. */
#include "tests/fixtures/monkey.h"
#include "try.h"

#include <unistd.h>

static const uint8_t *left;
static size_t left_count;

/* After the last byte, all numbers are 0. */
static size_t draw(size_t bound)
{
	if (!left_count)
		return 0;
	left_count--;
	return *left++ % bound;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const slices[] = {"KQvK", "KRvK", NULL};
	static const struct el_library_options options = {.directory = "/nonexistent"};
	static struct el_library *full, *empty;
	struct screens s;
	if (!full) {
		must(!chdir(try_folder())); /* games are saved here */
		screens_library("tables", slices, NULL, &full);
		must(!el_library_open(&options, &empty, NULL));
	}
	left = data;
	left_count = size;
	monkey_open(&s, draw, full, empty);
	while (left_count && monkey_happen(&s, draw))
		must(s.model.play.walk.at < s.model.play.walk.length);
	screens_close(&s);
	return 0;
}

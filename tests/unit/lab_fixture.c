/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab_fixture.h"

#include "positions.h"
#include "store_fixture.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct el_library *lab_tables(void)
{
	const char *directory = small_test_tables();
	assert_non_null(directory);
	return fixture_library(directory, NULL);
}

struct el_lab_setup lab_setup(struct el_library *library, const char *slice,
                              const struct el_lab_candidate *candidates, size_t count)
{
	return (struct el_lab_setup){
		.library = library,
		.slice = slice_named(slice),
		.metric = &el_dtm,
		.candidates = candidates,
		.count = count,
		.seed = 1,
		.probes = 500,
		.seconds = 0.01,
		.directory = folder,
	};
}

struct el_table_options lab_options(const char *codec, enum el_fill fill, enum el_derive derive)
{
	struct el_table_options options = {
		.block_positions = 4096,
		.fill = fill,
		.derive = derive,
		.ordering = EL_ORDER_BEST,
	};
	assert_int_equal(el_codec_parse(codec, &options.codec, NULL), EL_OK);
	return options;
}

struct el_lab_candidate lab_ours(const char *codec, enum el_fill fill, enum el_derive derive)
{
	return (struct el_lab_candidate){.options = lab_options(codec, fill, derive)};
}

static void hear_ground(void *context, const struct el_lab_ground *ground)
{
	struct lab_heard *heard = context;
	assert_int_equal(heard->count, 0);
	heard->ground = *ground;
	heard->grounds++;
}

static void hear_result(void *context, size_t candidate, const struct el_lab_result *result)
{
	struct lab_heard *heard = context;
	if (candidate == heard->count) {
		assert_false(result->timed);
		heard->count++;
	} else { /* for the second time: all have come for the first */
		assert_true(candidate < heard->count);
		assert_int_equal(heard->results[candidate].status, EL_OK);
		assert_false(heard->results[candidate].timed);
		assert_true(result->timed || result->status);
	}
	heard->results[candidate] = *result;
	if (result->status)
		print_message("%s\n", result->error.text);
}

enum el_status lab_run(struct el_lab_setup *setup, struct lab_heard *heard,
                       const struct el_watch *watch)
{
	struct el_error error = {.text = ""};
	memset(heard, 0, sizeof *heard);
	setup->context = heard;
	setup->ground = hear_ground;
	setup->result = hear_result;
	const enum el_status status = el_lab_run(setup, watch, &error);
	assert_int_equal(scratch_count(folder, "lab"), 0);
	return status;
}

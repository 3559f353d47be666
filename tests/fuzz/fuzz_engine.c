/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any numbers, structs of any bytes and any text as arguments of the public functions: a value, or an
   error. */
#include "core/builder/build.h"
#include "endlab/codec.h"
#include "endlab/engine.h"
#include "try.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Takes bytes off the input; zeros past its end. */
struct bytes {
	const uint8_t *at;
	size_t left;
};

static void take(struct bytes *b, void *out, size_t size)
{
	const size_t there = b->left < size ? b->left : size;
	memset(out, 0, size);
	memcpy(out, b->at, there);
	b->at += there;
	b->left -= there;
}

static uint64_t number(struct bytes *b)
{
	uint64_t n;
	take(b, &n, sizeof n);
	return n;
}

static struct el_engine *engine;

static void close_engine(void)
{
	el_engine_close(engine);
	unlink(try_path("KQvK.dtm.egt"));
	unlink(try_path("KQvK.wdl50.egt"));
}

/* With a whole table, KQvK under dtm, and beside it one under wdl50 that is damaged in every block. */
static void open_engine(void)
{
	const struct el_engine_options options = {.size = sizeof options, .folders = try_folder()};
	const struct el_library_options here = {.directory = try_folder()};
	const struct el_metric *const metrics[] = {&el_dtm, el_metric_find("wdl50"), NULL};
	const struct el_build_options build = {.table = el_table_options_default()};
	struct el_slice slice;
	struct el_library *library;
	struct el_plan plan;
	must(!el_slice_parse("KQvK", &slice, NULL) && !el_library_open(&here, &library, NULL));
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .metrics = metrics};
	must(!el_plan_wished(library, &wish, &plan, NULL) &&
	     !el_build(library, &plan, &build, NULL, NULL));
	el_plan_free(&plan);
	el_library_close(library);
	FILE *file = fopen(try_path("KQvK.wdl50.egt"), "r+");
	must(file && !fseek(file, 0, SEEK_END));
	for (long at = ftell(file) / 2; !fseek(file, at, SEEK_SET) && getc(file) != EOF; at += 64)
		must(!fseek(file, at, SEEK_SET) && putc(at & 255, file) != EOF);
	fclose(file);
	must(!el_engine_open(&options, &engine, NULL));
	atexit(close_engine);
}

static void ask_boards(struct bytes *b, const struct el_metric *metric)
{
	static const struct el_board queen = {
		.white = 0x402, .black = 1ull << 40, .kings = 1ull << 40 | 2, .queens = 0x400};
	struct el_board boards[2] = {queen};
	struct el_value value;
	struct el_root_move moves[EL_ROOT_MOVES];
	const struct el_metric *by;
	size_t count;
	take(b, &boards[1], sizeof boards[1]);
	for (unsigned i = 0; i < 2; i++) {
		/* Pointers are what a program has: valid, or null. */
		struct el_root_options options = {.size = sizeof options};
		options.rule = (uint16_t)number(b);
		options.repeated = number(b) & 1;
		options.metric = metric;
		options.ranked_by = number(b) & 1 ? &by : NULL;
		options.size =
			number(b) & 1 ? sizeof options : (size_t)(number(b) % sizeof options);
		el_engine_probe(engine, &boards[i], metric, (unsigned)number(b), &value);
		el_engine_probe(engine, &boards[i], metric, (unsigned)number(b) & 3, &value);
		el_engine_covers(engine, &boards[i], metric);
		const enum el_status status = el_engine_rank(
			engine, &boards[i], number(b) & 1 ? &options : NULL, moves, &count);
		must(count <= EL_ROOT_MOVES && (status != EL_USAGE || !count));
		if (!i && metric == el_engine_metric("dtm"))
			must(!el_engine_probe(engine, &boards[i], metric, 0, &value));
		for (size_t m = 1; m < count; m++)
			must(moves[m].rank <= moves[m - 1].rank);
	}
}

static void ask_texts(struct bytes *b, const char *text, const struct el_metric *metric)
{
	struct el_error error;
	struct el_value value;
	struct el_text_move moves[EL_ROOT_MOVES];
	struct el_engine_slice *slice;
	struct el_engine_options options;
	struct el_engine *other;
	char name[40], position[128];
	unsigned plane;
	uint64_t index;
	size_t count;
	const struct el_metric *by = metric;
	el_engine_metric(text);
	el_engine_ask(engine, text, metric, (unsigned)number(b), &value, &error);
	el_engine_ask(engine, text, metric, (unsigned)number(b) & 3, &value, &error);
	el_engine_moves(engine, text, number(b) & 1 ? &by : NULL, (unsigned)number(b), moves,
	                &count, &error);
	el_engine_moves(engine, text, NULL, (unsigned)number(b) % 300, moves, &count, &error);
	el_engine_line(engine, text, metric, moves, number(b) % (EL_ROOT_MOVES + 1), &count,
	               &error);
	if (!el_engine_index(text, name, &plane, &index, &error))
		must(!el_engine_position(name, plane, index, position, &error));
	el_engine_position(text, (unsigned)number(b), number(b), position, &error);
	el_engine_position("KQvK", (unsigned)number(b) & 3, number(b) >> 46, position, &error);
	el_codec_load(number(b) & 1 ? text : NULL, &error);
	if (number(b) % 16) /* what follows takes milliseconds */
		return;
	if (!el_engine_planes(engine, "KQvK", metric, &slice, &error))
		el_engine_planes_free(slice);
	take(b, &options, sizeof options);
	options.folders = number(b) & 1 ? "/nowhere/at/all" : NULL;
	options.cache_bytes %= 1 << 20;
	if (!el_engine_open(&options, &other, &error))
		el_engine_close(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"dtm", "wdl", "wdl50", "dtz50",
	                                    "dtr", "win", "score", NULL};
	struct bytes b = {data, size};
	if (!engine)
		open_engine();
	const struct el_metric *metric = el_engine_metric(names[number(&b) % 8]);
	ask_boards(&b, metric);
	const enum el_outcome x = (enum el_outcome)number(&b), y = (enum el_outcome)number(&b);
	must(*el_outcome_name(x) && el_outcome_negate(el_outcome_negate(x)) < EL_OUTCOMES);
	must(el_outcome_max(x, y) < EL_OUTCOMES && el_outcome_both(x, y) < EL_OUTCOMES);
	must(el_outcome_between(el_outcome_lower(x), el_outcome_upper(x)) < EL_OUTCOMES);
	el_outcome_within(x, y);
	el_plugin_at((size_t)number(&b));
	char *text = try_text(b.at, b.left);
	ask_texts(&b, text, metric);
	free(text);
	return 0;
}

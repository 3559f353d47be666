/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the lab, which verify every candidate and leave nothing behind; and the inspector. */
#include "codecs/registry.h"
#include "core/lab/probes.h"
#include "core/probe/probe.h"
#include "tests/fixtures/lab_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- runs ---- */

static void check_result(const struct el_lab_result *r)
{
	if (r->status)
		print_error("%s: %s\n", r->candidate.options.codec.codec->name, r->error.text);
	assert_int_equal(r->status, EL_OK);
	assert_true(r->bytes > 0 && r->bits_per_position > 0);
	assert_true(r->encode_mb_s > 0 && r->decode_mb_s > 0);
	for (unsigned i = EL_WARM; i <= EL_HOT; i++) {
		const struct el_latency *l = &r->latency[i];
		/* how many rounds fit into the time depends on the machine */
		assert_true(l->n + l->preempted > 0);
		if (l->n / l->batch >= EL_LAB_P50_LEAST)
			assert_true(l->p50_in.low <= l->p50 && l->p50 <= l->p50_in.high);
		else
			assert_true(l->p50_in.low == 0 && l->p50_in.high == 0);
		assert_true(l->p99_in.low <= l->p99_in.high);
		assert_true((l->cpu_p99 > 0) == (i == EL_WARM));
	}
	assert_true(r->timed);
	assert_true(r->candidate.options.ordering != EL_ORDER_BEST);
	for (unsigned i = 0; i < EL_LAB_BUDGETS; i++)
		assert_true(r->hits[i].probes && r->hits[i].rate >= 0 && r->hits[i].rate <= 1);
	for (unsigned i = 1; i < EL_LAB_BUDGETS; i++)
		assert_true(r->hits[i].budget >= r->hits[i - 1].budget);
}

/* Every codec, fill and derivation; a third of all three together, on slow runs fewer. */
static void test_every_kind(void **state)
{
	(void)state;
	static struct el_lab_candidate candidates[LAB_RESULTS];
	static struct lab_heard heard;
	struct el_library *library = lab_tables();
	const struct el_codec *codec;
	size_t count = 0;
	for (size_t c = 0; (codec = el_codec_at(c)); c++)
		for (unsigned fill = 0; el_fill_names[fill]; fill++)
			for (unsigned derive = 0; el_derives[derive] < EL_DERIVE_OUTCOMES; derive++)
				if (tests_are_slow() ? (fill + derive) % 7 == 2
				                     : (c + fill + derive) % 3 == 0)
					candidates[count++] =
						lab_ours(codec->name, (enum el_fill)fill,
					                 el_derives[derive]);
	struct el_lab_setup setup = lab_setup(library, "KRvK", candidates, count);
	for (int wdl = 0; wdl < (tests_are_slow() ? 1 : 2); wdl++) {
		setup.metric = wdl ? &el_wdl : &el_dtm;
		assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
		assert_int_equal(heard.count, count);
		assert_int_equal(heard.grounds, 1);
		assert_true(heard.ground.derivable > 0 &&
		            heard.ground.derivable < heard.ground.legal);
		assert_true(heard.ground.cold_checked == !heard.ground.cold_note);
		for (size_t i = 0; i < count; i++)
			check_result(&heard.results[i]);
	}
	el_library_close(library);
}

static void test_blocks_read(void **state)
{
	(void)state;
	static struct lab_heard heard;
	struct el_library *library = lab_tables();
	const struct el_lab_candidate raw = lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING);
	struct el_lab_setup setup = lab_setup(library, "KRvK", &raw, 1);
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
	assert_true(heard.results[0].blocks_alone == 1);
	assert_true(heard.ground.cold_checked || !heard.results[0].latency[EL_COLD].n);
	assert_true(heard.results[0].blocks_per_probe < 0.2);
	/* However few probes there was time for: if almost all blocks fit, few are missed twice. */
	const struct el_hit_rate *most = &heard.results[0].hits[EL_LAB_BUDGETS - 1];
	const double blocks = 2 * ceil(29568.0 / 4096);
	assert_true(most->probes > 0 && (1 - most->rate) * (double)most->probes < 2 * blocks);
	el_library_close(library);
}

/* A trace whose reads are counted by hand: the index tells each position's block, of 4,096. */
static void test_trace_reads(void **state)
{
	(void)state;
	static const struct {
		unsigned plane, index; /* or the next that is not broken */
	} asked[] = {{0, 0}, {0, 4096}, {0, 0}, {1, 29567 - 4096}, {0, 4200}, {0, 8191 - 200}};
	static struct lab_heard heard;
	struct el_library *library = lab_tables();
	struct el_lab_candidate raw = lab_ours("raw", EL_FILL_NONE, EL_DERIVE_NOTHING);
	raw.options.ordering = EL_ORDER_INDEX;
	struct el_lab_setup setup = lab_setup(library, "KRvK", &raw, 1);
	const char *path = fixture_path(folder, "search.trace");
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("8/8/8/3k4/8/8/7Q/1K6 w - - 0 1\n", file);
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct el_position position;
		char fen[EL_FEN_MAX];
		uint64_t index = asked[i].index;
		while (!setup.slice.game->unplace(&setup.slice, asked[i].plane, index, &position))
			index++;
		assert_int_equal(index / 4096, asked[i].index / 4096);
		setup.slice.game->format(&position, fen);
		fprintf(file, "%s\n", fen);
	}
	fclose(file);
	setup.workload = EL_WORKLOAD_TRACE;
	setup.trace = path;
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
	const struct el_lab_result *r = &heard.results[0];
	assert_int_equal(heard.ground.probes, 6);
	assert_int_equal(heard.ground.distinct, 5);
	assert_int_equal(heard.ground.elsewhere, 1);
	assert_true(r->blocks_alone == 1 && r->blocks_own == 1);
	assert_int_equal(r->pass.probes, 6);
	assert_int_equal(r->pass.blocks, 3); /* 0 and 1 of the first plane, 6 of the second */
	assert_true(r->blocks_per_probe == 0.5 && r->pass.ns > 0 && r->pass.bytes > 0);
	assert_int_equal(r->latency[EL_WHOLE].n, 0); /* no other table is needed */
	const struct el_hit_rate *all = &r->hits[EL_LAB_BUDGETS - 1];
	assert_int_equal(all->probes, 6);
	assert_true(all->rate == 0.5);
	unlink(path);
	el_library_close(library);
}

static void test_not_built(void **state)
{
	(void)state;
	static struct lab_heard heard;
	struct el_library *library = lab_tables();
	const struct el_lab_candidate raw = lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING);
	struct el_lab_setup setup = lab_setup(library, "KNNvKNN", &raw, 1);
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_NEGATIVE);
	setup = lab_setup(library, "KRvK", &raw, 0);
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_USAGE);
	setup = lab_setup(library, "KRvK", &raw, 1);
	setup.directory = "/nowhere/at/all";
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_IO);
	el_library_close(library);
}

/* ---- stopping ---- */

static int count_down(void *context, const struct el_progress *progress)
{
	int *left = context;
	assert_non_null(progress->stage);
	assert_true(progress->done >= 0 && progress->total >= progress->done);
	return (*left)-- > 0;
}

static void test_stopping(void **state)
{
	(void)state;
	static struct lab_heard heard;
	struct el_library *library = lab_tables();
	const struct el_lab_candidate candidates[] = {
		lab_ours("raw", EL_FILL_NONE, EL_DERIVE_NOTHING),
		lab_ours("zstd", EL_FILL_BEST, EL_DERIVE_CAPTURES),
	};
	struct el_lab_setup setup = lab_setup(library, "KRvK", candidates, 2);
	setup.workload = EL_WORKLOAD_LINE;
	enum el_status status = EL_STOPPED;
	int ticks = 0;
	for (; status == EL_STOPPED && ticks < 1000; ticks += tests_are_slow() ? 40 : 5) {
		int left = ticks;
		const struct el_watch watch = {&left, count_down};
		status = lab_run(&setup, &heard, &watch);
		assert_true(status == EL_OK || status == EL_STOPPED);
		assert_true(status == EL_OK ? heard.count == 2 : heard.count < 3);
	}
	assert_int_equal(status, EL_OK);
	assert_true(ticks > 20);
	el_library_close(library);
}

/* ---- candidates that are not what they say ---- */

static const struct el_codec *raw_codec(void)
{
	return el_codec_find("raw");
}

static enum el_status lie(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                          size_t count, struct el_error *error)
{
	enum el_status status = raw_codec()->decode(coder, bytes, size, symbols, count, error);
	/* One symbol in the middle of the table, where a position is probably legal. */
	if (!status && count > 77 && symbols[77] > 1)
		symbols[77]--;
	return status;
}

static enum el_status slip(const void *coder, const uint8_t *bytes, size_t size, size_t count,
                           size_t at, uint16_t *symbol, struct el_error *error)
{
	enum el_status status =
		raw_codec()->decode_one(coder, bytes, size, count, at, symbol, error);
	if (!status && at == 4095)
		*symbol = *symbol ? 0 : 1;
	return status;
}

static enum el_status refuse(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                             size_t capacity, size_t *size, struct el_error *error)
{
	(void)coder, (void)symbols, (void)count, (void)out, (void)capacity, (void)size;
	return el_fail(error, EL_MEMORY, "not today");
}

/* Registered once, for the life of the process. */
static void add_bad_codecs(void)
{
	static struct el_codec liar, slipping, refusing;
	if (el_codec_find("liar"))
		return;
	liar = slipping = refusing = *raw_codec();
	liar.name = "liar";
	liar.decode = lie;
	liar.decode_one = NULL;
	slipping.name = "slipping";
	slipping.decode_one = slip;
	refusing.name = "refusing";
	refusing.encode = refuse;
	const struct el_codec *const all[] = {&liar, &slipping, &refusing};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		assert_int_equal(
			registry_add(&(struct el_plugin){all[i]->name, all[i], NULL}, NULL, NULL),
			EL_OK);
}

static void test_wrong_values_are_told(void **state)
{
	(void)state;
	static struct lab_heard heard;
	struct el_library *library = lab_tables();
	add_bad_codecs();
	const struct el_lab_candidate candidates[] = {
		lab_ours("raw", EL_FILL_NONE, EL_DERIVE_NOTHING),
		lab_ours("liar", EL_FILL_NONE, EL_DERIVE_NOTHING),
		lab_ours("slipping", EL_FILL_NONE, EL_DERIVE_NOTHING),
		lab_ours("refusing", EL_FILL_NONE, EL_DERIVE_NOTHING),
		lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING),
	};
	struct el_lab_setup setup = lab_setup(library, "KRvK", candidates, 5);
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
	assert_int_equal(heard.count, 5);
	assert_int_equal(heard.results[0].status, EL_OK);
	assert_int_equal(heard.results[1].status, EL_DAMAGED);
	assert_non_null(strstr(heard.results[1].error.text, "decodes it to other values"));
	assert_int_equal(heard.results[2].status, EL_DAMAGED);
	assert_non_null(strstr(heard.results[2].error.text, "decodes symbol 4095 alone"));
	assert_int_equal(heard.results[3].status, EL_MEMORY);
	assert_non_null(strstr(heard.results[3].error.text, "not today"));
	assert_int_equal(heard.results[4].status, EL_OK);
	for (unsigned i = 1; i < 4; i++)
		assert_true(!heard.results[i].latency[EL_WARM].n &&
		            !heard.results[i].latency[EL_HOT].n);
	el_library_close(library);
}

/* The run's library answers from the candidate, whatever the user's own table says. */
static void test_the_candidate_answers(void **state)
{
	(void)state;
	struct el_library *library = lab_tables(), *own;
	const struct el_lab_candidate raw = lab_ours("raw", EL_FILL_NONE, EL_DERIVE_NOTHING);
	const struct el_lab_setup setup = lab_setup(library, "KRvK", &raw, 1);
	struct run r = {.setup = &setup};
	struct entrant e = {.run = &r};
	const struct folder_use use = {
		.library = library, .slice = &setup.slice, .metric = &el_dtm};
	struct el_error error = {.text = ""};
	struct el_planes made_up = fixture_planes("KRvK", &el_dtm, 5);
	assert_int_equal(slice_open(library, &setup.slice, &el_dtm, folder, NULL, &r.slice, &error),
	                 EL_OK);
	assert_int_equal(folder_make(folder, &use, &e.folder, &error), EL_OK);
	assert_int_equal(probes_library(&e, 0, &own, &error), EL_DAMAGED); /* nothing is there */
	fixture_write(e.folder.table, &made_up, &raw.options);
	assert_int_equal(probes_library(&e, 0, &own, &error), EL_OK);
	uint64_t others = 0;
	for (uint64_t i = 0; i < setup.slice.positions; i += 17) {
		struct el_position position;
		struct el_value value;
		if (!setup.slice.game->unplace(&setup.slice, 0, i, &position))
			continue;
		assert_int_equal(el_library_value(own, setup.slice.game, &position, &el_dtm,
		                                  EL_PROBE_FULL, &value, &error),
		                 EL_OK);
		assert_true(el_value_equal(value, el_plane_value(&made_up.plane[0], i)));
		others += !el_value_equal(value, el_plane_value(&r.slice.planes.plane[0], i));
	}
	assert_true(others > 0);
	el_library_close(own);
	folder_remove(&e.folder);
	slice_close(&r.slice);
	el_planes_free(&made_up);
	el_library_close(library);
	assert_int_equal(scratch_count(folder, "lab"), 0);
}

/* ---- the inspector ---- */

static uint64_t runs_of(const struct el_value *values, size_t count)
{
	uint64_t runs = 0;
	for (size_t i = 0; i < count; i++)
		runs += i == 0 || values[i].outcome != values[i - 1].outcome ||
		        values[i].plies != values[i - 1].plies;
	return runs;
}

static void check_values(const struct el_lab_block *b)
{
	for (size_t i = 0; i < b->count; i++) {
		assert_int_equal(b->care[i] == EL_CARE_NOT, b->before[i].outcome == EL_BROKEN);
		if (b->care[i] == EL_CARE_EXACT)
			assert_true(el_value_equal(b->before[i], b->after[i]));
		if (b->care[i] == EL_CARE_AT_MOST)
			assert_true(b->after[i].outcome == EL_BROKEN ||
			            el_value_compare(b->metric, b->after[i], b->before[i]) <= 0);
	}
	assert_true(b->runs_before == runs_of(b->before, b->count));
	assert_true(b->runs_after == runs_of(b->after, b->count));
	assert_true(b->entropy_after >= 0 && b->entropy_after <= 16);
	assert_true(b->raw_bytes > 0 && b->size > 0);
	for (size_t i = 0; i < b->token_count; i++)
		assert_true(b->tokens[i].first + b->tokens[i].count <= b->count);
}

/* Right and wrong guesses together cost what the block takes, without its first value. */
static void check_forecast(const struct el_lab_block *b, size_t *right)
{
	const struct el_lab_forecast *f = &b->forecast;
	const double bits = f->right_bits + f->wrong_bits;
	assert_true(f->right + f->wrong < b->count);
	assert_true(bits <= 8 * (double)b->size && bits + 32 > 0.95 * 8 * (double)b->size);
	*right += f->right;
	for (size_t i = 0; i < b->token_count; i++)
		for (unsigned q = 0; q < b->tokens[i].questions; q++)
			assert_true(b->tokens[i].question[q].ask == EL_ASK_NUMBER ||
			            b->tokens[i].question[q].about < b->value_count);
}

static void test_forecast(void **state)
{
	(void)state;
	struct el_library *library = lab_tables();
	const struct el_slice slice = slice_named("KQvK");
	const struct el_table_options net = lab_options("net", EL_FILL_BEST, EL_DERIVE_NOTHING);
	struct el_lab_inspector *in;
	struct el_lab_block block;
	size_t right = 0;
	assert_int_equal(el_lab_inspect_open(library, &slice, &el_dtm, &net, NULL, &in, NULL),
	                 EL_OK);
	for (uint64_t i = 0; i < el_lab_inspect_blocks(in); i++) {
		assert_int_equal(el_lab_inspect(in, i, &block, NULL), EL_OK);
		check_values(&block);
		check_forecast(&block, &right);
		el_lab_block_free(&block);
	}
	assert_true(right > slice.positions / 2);
	el_lab_inspect_close(in);
	el_library_close(library);
}

/* Returns the positions of all blocks, and in *legal those without a broken index. */
static uint64_t inspect_all(struct el_lab_inspector *in, uint64_t *legal)
{
	uint64_t positions = 0;
	*legal = 0;
	for (uint64_t i = 0; i < el_lab_inspect_blocks(in); i++) {
		struct el_lab_block block;
		struct el_error error = {.text = ""};
		assert_int_equal(el_lab_inspect(in, i, &block, &error), EL_OK);
		assert_true(block.block == i && block.block_count == el_lab_inspect_blocks(in));
		check_values(&block);
		positions += block.count;
		for (size_t k = 0; k < block.count; k++)
			*legal += block.before[k].outcome != EL_BROKEN;
		el_lab_block_free(&block);
	}
	return positions;
}

static void test_inspector(void **state)
{
	(void)state;
	struct el_library *library = lab_tables();
	const struct el_slice slice = slice_named("KQvK");
	const struct el_table_options user = el_table_options_default();
	const struct el_table_options kinds[] = {
		lab_options("raw", EL_FILL_BEST, EL_DERIVE_CAPTURES),
		lab_options("zstd", EL_FILL_NONE, EL_DERIVE_NOTHING),
		user, /* the library's table has this form: it is read */
	};
	uint64_t legal[3];
	for (unsigned i = 0; i < 3; i++) {
		struct el_lab_inspector *in;
		struct el_lab_block block;
		struct el_error error = {.text = ""};
		assert_int_equal(
			el_lab_inspect_open(library, &slice, &el_dtm, &kinds[i], NULL, &in, &error),
			EL_OK);
		assert_true(inspect_all(in, &legal[i]) >= 2 * slice.positions);
		assert_int_equal(el_lab_inspect(in, el_lab_inspect_blocks(in), &block, &error),
		                 EL_USAGE);
		el_lab_inspect_close(in);
		assert_int_equal(scratch_count(el_library_directory(library), ".endlab-tmp-"), 0);
	}
	assert_true(legal[0] == legal[1] && legal[1] == legal[2]);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_every_kind),
		IN_FOLDER(test_blocks_read),
		IN_FOLDER(test_trace_reads),
		IN_FOLDER(test_not_built),
		IN_FOLDER(test_stopping),
		IN_FOLDER(test_wrong_values_are_told),
		IN_FOLDER(test_the_candidate_answers),
		IN_FOLDER(test_inspector),
		IN_FOLDER(test_forecast),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References of the lab against coders run symbol by symbol, and individual counts. */
#include "core/lab/mixing.h"
#include "core/lab/references.h"
#include "core/whole/whole.h"
#include "tests/fixtures/lab_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- costs ---- */

enum { CONTEXTS = 7, SYMBOLS = 5, COUNT = 3000 };

/* The cost of each symbol given its context's counts of earlier symbols. */
static double learn(const uint64_t *keys, unsigned values)
{
	unsigned seen[CONTEXTS][SYMBOLS] = {{0}}, all[CONTEXTS] = {0};
	double bits = 0;
	for (size_t i = 0; i < COUNT; i++) {
		const uint64_t context = keys[i] / SYMBOLS, symbol = keys[i] % SYMBOLS;
		bits -= log2((seen[context][symbol] + 1.0 / values) / (all[context] + 1.0));
		seen[context][symbol]++;
		all[context]++;
	}
	return bits;
}

/* The cost of each symbol given the counts of all of them. */
static double know(const uint64_t *keys)
{
	double bits = 0;
	for (size_t i = 0; i < COUNT; i++) {
		unsigned same = 0, all = 0;
		for (size_t k = 0; k < COUNT; k++) {
			same += keys[k] == keys[i];
			all += keys[k] / SYMBOLS == keys[i] / SYMBOLS;
		}
		bits -= log2((double)same / all);
	}
	return bits;
}

static void test_costs(void **state)
{
	(void)state;
	static uint64_t keys[COUNT], room[COUNT];
	uint64_t seed = 5;
	for (int round = 0; round < 5; round++) {
		for (size_t i = 0; i < COUNT; i++) {
			const uint64_t context = fixture_random(&seed) % CONTEXTS;
			const uint64_t symbol =
				fixture_random(&seed) % (1 + (context + (unsigned)round) % 4);
			keys[i] = context * SYMBOLS + 1 + symbol;
		}
		const double fixed = know(keys), adaptive = learn(keys, 4);
		const struct context_cost cost = context_cost(keys, room, COUNT, SYMBOLS, 4);
		assert_int_equal(cost.contexts, CONTEXTS);
		assert_true(fabs(cost.fixed - fixed) < 1e-6);
		assert_true(fabs(cost.adaptive - adaptive) < 1e-6);
	}
	const struct context_cost none = context_cost(keys, room, 0, SYMBOLS, 4);
	assert_true(none.fixed == 0 && none.adaptive == 0 && none.contexts == 0);
}

/* ---- planes ---- */

enum { VALUES = 128, ROOM = 1 << 20 };

/* A position's place in an array by digits, the first digit fastest. */
static size_t cell(const struct el_digits *digits, const uint32_t *digit)
{
	size_t at = 0;
	for (unsigned d = digits->count; d-- > 0;)
		at = at * digits->radix[d] + digit[d];
	assert_true(at < ROOM);
	return at;
}

/* Bits of order 1 along one piece. */
static double count_order_1(const struct el_planes *planes, const struct el_digits *digits,
                            const uint16_t *cells, unsigned d)
{
	static double counts[VALUES][VALUES], all[VALUES];
	double bits = 0;
	memset(counts, 0, sizeof counts);
	memset(all, 0, sizeof all);
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		uint32_t digit[EL_DIGITS_MAX];
		const uint16_t symbol = planes->plane[0].symbols[i];
		if (!symbol)
			continue;
		planes->slice.game->take_apart(&planes->slice, i, digit);
		const bool edge = !digit[d]--;
		const uint16_t back = edge ? 0 : cells[cell(digits, digit)];
		counts[back][symbol]++;
		all[back]++;
	}
	for (unsigned c = 0; c < VALUES; c++)
		for (unsigned s = 0; s < VALUES; s++)
			bits -= counts[c][s] > 0 ? counts[c][s] * log2(counts[c][s] / all[c]) : 0;
	return bits;
}

/* Along the piece for which it is least. */
static void test_order_1(void **state)
{
	(void)state;
	static uint16_t cells[ROOM];
	struct el_library *library = lab_tables();
	const struct el_slice slice = slice_named("KRvK");
	struct el_planes planes;
	struct el_lab_references found;
	struct el_error error = {.text = ""};
	struct el_digits digits;
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, &error), EL_OK);
	el_planes_mark_broken(&planes);
	assert_true(planes.plane[0].value_count <= VALUES);
	slice.game->digits(&slice, &digits);
	for (uint64_t i = 0; i < slice.positions; i++) {
		uint32_t digit[EL_DIGITS_MAX];
		slice.game->take_apart(&slice, i, digit);
		cells[cell(&digits, digit)] = planes.plane[0].symbols[i];
	}
	assert_int_equal(references_find(&planes, false, &found, &error), EL_OK);
	double least = INFINITY;
	char piece = 0;
	for (unsigned d = 0; d < digits.count; d++) {
		const double bits = count_order_1(&planes, &digits, cells, d);
		piece = bits < least ? digits.letter[d] : piece;
		least = fmin(least, bits);
	}
	assert_true(fabs(8 * found.line[0][EL_LAB_ORDER_1].bytes - least) < 1e-3);
	assert_int_equal(found.piece[0], piece);
	el_planes_free(&planes);
	el_library_close(library);
}

/* ---- those that take long ---- */

enum { SIDE = 64, PLANE = SIDE * SIDE };

/* The bits of a plane with two digits, and how many symbols are not 0. */
static double mix(const uint16_t *symbols, uint32_t values)
{
	const struct el_digits digits = {.count = 2, .radix = {SIDE, SIDE}, .letter = "Kk"};
	const uint64_t weight[EL_DIGITS_MAX] = {SIDE, 1};
	const struct mix_plane plane = {symbols, PLANE, values, &digits, weight, PLANE, 1};
	struct pace pace;
	struct el_error error = {.text = ""};
	double bits;
	uint64_t counted, coded = 0;
	pace_start(&pace, NULL, 1, 1);
	assert_int_equal(mixing_count(&plane, &pace, &bits, &counted, &error), EL_OK);
	for (size_t i = 0; i < PLANE; i++)
		coded += symbols[i] != 0;
	assert_int_equal(counted, coded);
	return bits;
}

/* What has no pattern costs its entropy, and a little for trying; what has one costs next to
   nothing. */
static void test_mixing(void **state)
{
	(void)state;
	static uint16_t symbols[PLANE];
	uint64_t seed = 7;
	for (size_t i = 0; i < PLANE; i++)
		symbols[i] = (uint16_t)(1 + fixture_random(&seed) % 8);
	const double random = mix(symbols, 9);
	assert_true(random > 3 * PLANE && random < 1.15 * 3 * PLANE);
	assert_true(mix(symbols, 9) == random);
	/* Only what is coded costs something. */
	for (size_t i = 0; i < PLANE; i += 2)
		symbols[i] = 0;
	const double half = mix(symbols, 9);
	assert_true(half > 3 * PLANE / 2 && half < 1.25 * 3 * PLANE / 2);
	/* The same value everywhere, rows that repeat, and planes in the sense of geometry. */
	for (size_t i = 0; i < PLANE; i++)
		symbols[i] = 5;
	assert_true(mix(symbols, 9) == 0);
	for (size_t i = 0; i < PLANE; i++)
		symbols[i] =
			i < SIDE ? (uint16_t)(1 + fixture_random(&seed) % 8) : symbols[i - SIDE];
	assert_true(mix(symbols, 9) < 0.1 * 3 * PLANE);
	for (size_t i = 0; i < PLANE; i++)
		symbols[i] = (uint16_t)(1 + i % SIDE + i / SIDE);
	assert_true(mix(symbols, 2 * SIDE) < 0.15 * 6 * PLANE);
}

/* What the real writers of both kinds come to. */
static void test_slow_references(void **state)
{
	(void)state;
	struct el_library *library = lab_tables();
	const struct el_slice slice = slice_named("KRvK");
	struct el_planes planes;
	struct el_lab_references found;
	struct el_error error = {.text = ""};
	struct pace pace;
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, &error), EL_OK);
	el_planes_mark_broken(&planes);
	assert_int_equal(references_find(&planes, false, &found, &error), EL_OK);
	assert_int_equal(el_lab_reference_count(&found), EL_LAB_PAIRED);
	pace_start(&pace, NULL, 1, 1);
	assert_int_equal(references_slow(&planes, false, &pace, &found, &error), EL_OK);
	assert_int_equal(el_lab_reference_count(&found), EL_LAB_CONTEXTS);
	for (unsigned p = 0; p < 2; p++) {
		const struct el_lab_reference *line = found.line[p];
		/* A mixture beats each of its parts, and stays above what knowing everything
		   would give. */
		assert_true(line[EL_LAB_MIXED].bytes < line[EL_LAB_ORDER_2].adaptive_bytes);
		assert_true(line[EL_LAB_MIXED].bytes < line[EL_LAB_NEIGHBOURS].adaptive_bytes);
		assert_true(line[EL_LAB_MIXED].bytes > line[EL_LAB_NEIGHBOURS].bytes / 2);
		assert_true(line[EL_LAB_PAIRED].bytes > line[EL_LAB_MIXED].bytes);
		assert_true(line[EL_LAB_PAIRED].bytes < (double)found.counted[p]);
	}
	el_planes_free(&planes);
	el_library_close(library);
}

/* ---- several tables that share what is learned ---- */

static struct el_table_options options_of(const char *codec)
{
	struct el_table_options o = el_table_options_default();
	assert_int_equal(el_codec_parse(codec, &o.codec, NULL), EL_OK);
	o.block_positions = 1024;
	o.fill = EL_FILL_BEST;
	return o;
}

/* The bytes of blocks and of what was learned, in a file that the writer made. */
static uint64_t written(struct el_library *library, const char *name,
                        const struct el_table_options *options)
{
	const struct el_slice slice = slice_named(name);
	char made[SCRATCH_PATH];
	struct el_error error = {.text = ""};
	struct el_planes planes;
	struct el_table *table;
	struct file file;
	uint64_t bytes;
	scratch_make(made);
	const struct scratch_path place = scratch_in(made, "t.egt");
	const char *path = place.text;
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, &error), EL_OK);
	el_planes_mark_broken(&planes);
	assert_int_equal(el_table_write(path, &planes, options, NULL, &bytes, &error), EL_OK);
	assert_int_equal(el_table_open(path, &table, &error), EL_OK);
	assert_int_equal(file_read(path, &file, &error), EL_OK);
	bytes = file.header.plane[0].learned + file.header.plane[1].learned;
	for (uint64_t b = 0; b < el_table_info(table)->block_count; b++) {
		uint8_t *block;
		size_t size;
		assert_int_equal(el_table_read_bytes(table, b, &block, &size, &error), EL_OK);
		free(block);
		bytes += size;
	}
	file_free(&file);
	el_table_close(table);
	el_planes_free(&planes);
	scratch_remove(made);
	return bytes;
}

static struct el_lab_shared share(struct el_library *library, const char *one, const char *other,
                                  const struct el_table_options *options)
{
	const struct el_slice slices[] = {slice_named(one), slice_named(other)};
	struct el_lab_shared out;
	struct el_error error = {.text = ""};
	assert_int_equal(el_lab_share(library, slices, 2, &el_dtm, options, NULL, &out, &error),
	                 EL_OK);
	return out;
}

/* Apart, tables take what the writer takes. The same table twice needs what is learned only once. */
static void test_shared(void **state)
{
	(void)state;
	static const char *const codecs[] = {"raw", "rle", "zstd:9", "zstd:9:dict=4", "pairs"};
	struct el_library *library = lab_tables();
	struct el_error error = {.text = ""};
	for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
		const struct el_table_options o = options_of(codecs[i]);
		const uint64_t krk = written(library, "KRvK", &o);
		const struct el_lab_shared both = share(library, "KRvK", "KQvK", &o),
					   twice = share(library, "KRvK", "KRvK", &o);
		assert_int_equal(both.apart, krk + written(library, "KQvK", &o));
		assert_int_equal(twice.apart, 2 * krk);
		assert_true(both.together > krk);
		if (i < 2) /* nothing is learned */
			assert_int_equal(twice.together, twice.apart);
		else if (i > 2)
			assert_true(twice.together < twice.apart);
	}
	const struct el_slice slice = slice_named("KRvK");
	const struct el_table_options net = options_of("net");
	struct el_lab_shared out;
	assert_int_equal(el_lab_share(library, &slice, 1, &el_dtm, &net, NULL, &out, &error),
	                 EL_USAGE);
	assert_non_null(strstr(error.text, "codec net learns from the board"));
	el_library_close(library);
}

/* ---- what holds ---- */

/* Holds for every slice. */
static void test_what_holds(void **state)
{
	(void)state;
	static const char *const names[] = {"KQvK", "KRvK", "KPvK"};
	struct el_library *library = lab_tables();
	for (size_t n = 0; n < 3; n++) {
		const struct el_slice slice = slice_named(names[n]);
		struct el_planes planes;
		struct el_lab_references all, left;
		struct el_error error = {.text = ""};
		assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, &error),
		                 EL_OK);
		el_planes_mark_broken(&planes);
		assert_int_equal(
			el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, &error),
			EL_OK);
		assert_int_equal(references_find(&planes, false, &all, &error), EL_OK);
		assert_int_equal(references_find(&planes, true, &left, &error), EL_OK);
		assert_true(all.known && !all.sampled);
		for (unsigned p = 0; p < 2; p++) {
			const struct el_lab_reference *line = all.line[p];
			uint64_t legal = 0, derivable = 0;
			for (uint64_t i = 0; i < slice.positions; i++) {
				legal += planes.plane[p].symbols[i] != 0;
				derivable +=
					planes.plane[p].symbols[i] && planes.plane[p].derivable[i];
			}
			assert_true(all.counted[p] == legal &&
			            left.counted[p] == legal - derivable);
			assert_int_equal(line[EL_LAB_ORDER_0].contexts, 1);
			/* With the code known, more knowledge costs nothing. */
			assert_true(line[EL_LAB_ORDER_1].bytes <= line[EL_LAB_ORDER_0].bytes);
			assert_true(line[EL_LAB_ORDER_2].bytes <= line[EL_LAB_ORDER_1].bytes);
			assert_true(line[EL_LAB_NEIGHBOURS].bytes <= line[EL_LAB_ORDER_1].bytes);
			for (unsigned c = 0; c < EL_LAB_CONTEXTS; c++)
				assert_true(line[c].adaptive_bytes >= line[c].bytes);
		}
		el_planes_free(&planes);
	}
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs),  cmocka_unit_test(test_order_1),
		cmocka_unit_test(test_mixing), cmocka_unit_test(test_slow_references),
		cmocka_unit_test(test_shared), cmocka_unit_test(test_what_holds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

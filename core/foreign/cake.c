/* SPDX-License-Identifier: MIT */
/* Cake's tables of draughts as sources (cake.h). */
#include "cake.h"

#include "core/games/choose.h"
#include "core/games/squeeze.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_RUN = 81, RUN_LENGTHS = 58 };

#define RUNS                                                                                       \
	5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, \
		29, 30, 31, 32, 36, 40, 44, 48, 52, 56, 60, 70, 80, 90, 100, 150, 200, 250, 300,   \
		400, 500, 650, 800, 1000, 1200, 1400, 1600, 2000, 2400, 3200, 4000, 5000, 7500,    \
		10000

/* The values in a byte from FIRST_RUN on; 0: it is none. */
static const uint16_t runs[] = {RUNS, RUNS, RUNS, 0};
_Static_assert(sizeof runs / sizeof *runs == 256 - FIRST_RUN, "a length for each byte");

struct cake {
	struct foreign foreign; /* first, so that a source is one */
	struct cake_index index;
};

/* ---- positions ---- */

/* A set of squares in the file's view of a side, or back. */
static uint32_t seen(uint32_t set, unsigned side)
{
	if (side == EL_WHITE)
		return __builtin_bswap32((set >> 4 & UINT32_C(0x0f0f0f0f)) |
		                         (set & UINT32_C(0x0f0f0f0f)) << 4);
	set = (set >> 1 & UINT32_C(0x55555555)) | (set & UINT32_C(0x55555555)) << 1;
	return (set >> 2 & UINT32_C(0x33333333)) | (set & UINT32_C(0x33333333)) << 2;
}

static unsigned count_of(uint32_t set)
{
	return (unsigned)__builtin_popcount(set);
}

/* The row of the foremost of these men in their own view. */
static unsigned row_of(uint32_t men)
{
	return men ? (31 - (unsigned)__builtin_clz(men)) / CAKE_ROW_SQUARES : 0;
}

/* How many sets of so many men have the foremost one in a row, and how many rank below them. */
static uint32_t men_sets(unsigned men, unsigned row, uint32_t *below)
{
	*below = men ? choose[CAKE_ROW_SQUARES * row][men] : 0;
	return choose[CAKE_ROW_SQUARES * (row + 1)][men] - *below;
}

uint64_t cake_positions(const uint8_t men[2], const uint8_t kings[2], const uint8_t row[2])
{
	uint64_t positions = 1;
	unsigned squares = CAKE_SQUARES - (unsigned)(men[0] + men[1]);
	for (unsigned side = 0; side < 2; side++) {
		uint32_t below;
		positions *= men_sets(men[side], row[side], &below);
		positions *= choose[squares][kings[side]];
		squares -= kings[side];
	}
	return positions;
}

/* A position's index, and which of the file's slices has it: rows, and who moves. */
struct place {
	uint8_t row[2], colour;
	uint64_t index;
};

static void place_of(const struct el_position *position, struct place *out)
{
	uint32_t men[2], strength[2], below; /* by colour */
	uint64_t digit[4], radix[4];
	for (unsigned side = 0; side < 2; side++) {
		const uint32_t kings = (uint32_t)position->set[side][CAKE_KING];
		men[side] = seen((uint32_t)position->set[side][CAKE_MAN], side);
		strength[side] = (count_of(kings) + count_of(men[side])) << 16 |
		                 count_of(kings) << 8 | row_of(men[side]);
	}
	const unsigned mover = position->side,
		       first = strength[mover] >= strength[!mover] ? mover : !mover;
	uint32_t taken = 0;
	for (unsigned i = 0; i < 2; i++) {
		const unsigned side = i ? !first : first;
		out->row[i] = (uint8_t)row_of(men[side]);
		radix[i] = men_sets(count_of(men[side]), out->row[i], &below);
		digit[i] = choose_rank(men[side]) - below;
		taken |= seen((uint32_t)position->set[side][CAKE_MAN], first);
	}
	for (unsigned i = 0; i < 2; i++) {
		const unsigned side = i ? !first : first;
		const uint32_t kings = seen((uint32_t)position->set[side][CAKE_KING], first);
		radix[2 + i] = choose[CAKE_SQUARES - count_of(taken)][count_of(kings)];
		digit[2 + i] = choose_rank(squeeze(kings, taken));
		taken |= kings;
	}
	out->colour = first != mover;
	out->index = 0;
	for (unsigned i = 4; i-- > 0;)
		out->index = out->index * radix[i] + digit[i];
}

/* ---- values ---- */

/* A symbol of one of the file's slices, in one of its blocks. */
struct asked {
	struct cake *cake;
	const struct cake_slice *slice;
	uint32_t block; /* of the slice, from 0 */
};

/* An el_cache_reader.load: a block is kept as it is. */
static enum el_status load(void *context, uint64_t block, uint8_t **out, size_t *size,
                           struct el_error *error)
{
	const struct asked *a = context;
	const struct input *input = &a->cake->foreign.input;
	const uint64_t left = (uint64_t)input->is.st_size - block * CAKE_BLOCK;
	*size = left < CAKE_BLOCK ? (size_t)left : CAKE_BLOCK;
	*out = malloc(*size);
	if (!*out)
		return foreign_no_memory(input->path, error);
	const enum el_status status =
		input_read(input, "values", *out, *size, block * CAKE_BLOCK, error);
	if (status)
		free(*out);
	return status;
}

static enum el_status damaged_block(const struct asked *a, uint64_t values, uint64_t expected,
                                    struct el_error *error)
{
	return el_fail(error, EL_DAMAGED,
	               "%s: damaged: block %" PRIu64 ": expected %" PRIu64 " values of a slice, "
	               "found %" PRIu64,
	               a->cake->foreign.source.path, (uint64_t)a->slice->block + a->block, expected,
	               values);
}

/* Where the slice begins in the block. */
static size_t begin_of(const struct asked *a)
{
	return a->block ? 0 : a->slice->byte;
}

static unsigned values_in(uint8_t byte)
{
	return byte < FIRST_RUN ? 4 : runs[byte - FIRST_RUN];
}

/* An el_cache_reader.read. */
static enum el_status read_one(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                               size_t at, uint16_t *symbol, struct el_error *error)
{
	static const uint8_t power[] = {1, 3, 9, 27};
	const struct asked *a = context;
	uint64_t values = 0;
	(void)block;
	for (size_t i = begin_of(a); i < size; i++) {
		const unsigned more = values_in(bytes[i]);
		if (at < values + more) {
			*symbol = bytes[i] < FIRST_RUN
			                  ? bytes[i] / power[at - values] % CAKE_VALUES
			                  : (uint16_t)((bytes[i] - FIRST_RUN) / RUN_LENGTHS);
			return EL_OK;
		}
		values += more;
	}
	return damaged_block(a, values, (uint64_t)at + 1, error);
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *value,
                            struct el_error *error)
{
	static const uint8_t outcomes[] = {
		[CAKE_WIN] = EL_WIN, [CAKE_LOSS] = EL_LOSS, [CAKE_DRAW] = EL_DRAW};
	struct cake *cake = (struct cake *)source;
	struct place at;
	uint16_t symbol;
	(void)place;
	place_of(position, &at);
	const struct cake_slice *slice = &cake->index.slice[at.row[0]][at.row[1]][at.colour];
	symbol = slice->value;
	if (slice->value == CAKE_VALUES) {
		const uint32_t *first = cake->index.first + slice->begin;
		uint32_t block = 0, end = slice->count;
		while (end - block > 1) { /* the last block that begins at the index or before */
			const uint32_t middle = block + (end - block) / 2;
			*(first[middle] <= at.index ? &block : &end) = middle;
		}
		struct asked asked = {cake, slice, block};
		const struct el_cache_reader reader = {
			.context = &asked, .load = soft ? NULL : load, .read = read_one};
		const enum el_status status = el_cache_read(
			cake->foreign.cache, source->owner, (uint64_t)slice->block + block,
			at.index - first[block], &reader, &symbol, error);
		if (status)
			return status;
	}
	*value = (struct el_value){.outcome = outcomes[symbol]};
	return EL_OK;
}

/* ---- names ---- */

size_t cake_named(const char *path)
{
	const char *name = basename(path), *part = strchr(name, EL_SOURCE_PART);
	const size_t length = part ? (size_t)(part - name) : strlen(name);
	unsigned pieces, men[2], kings[2];
	char again[32] = "";
	if (sscanf(name, "db%1u_%1u%1u%1u%1u", &pieces, &men[0], &kings[0], &men[1], &kings[1]) ==
	    5)
		snprintf(again, sizeof again, "db%u_%u%u%u%u.cpr", pieces, men[0], kings[0], men[1],
		         kings[1]);
	else if (sscanf(name, "db%1u", &pieces) == 1)
		snprintf(again, sizeof again, "db%u.cpr", pieces);
	const bool same = strlen(again) == length && !strncmp(again, name, length);
	return same ? (size_t)(name - path) + length : 0;
}

static bool named(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	char name[EL_SLICE_MAX];
	const size_t length = cake_named(path);
	*metric = &el_wdl;
	if (!length || !path[length] ||
	    snprintf(name, sizeof name, "%s:%s", el_checkers.name, path + length + 1) >=
	            (int)sizeof name)
		return false;
	return el_checkers.slice_parse(name, slice, NULL) == EL_OK && !strcmp(slice->name, name);
}

/* ---- opening ---- */

static void cake_close(struct el_source *source)
{
	struct cake *cake = (struct cake *)source;
	foreign_close(&cake->foreign);
	cake_index_free(&cake->index);
	free(cake);
}

/* Says what is wrong with a name. */
static enum el_status not_named(const char *path, struct el_error *error)
{
	const size_t length = cake_named(path);
	struct el_slice *slices;
	size_t count;
	if (length && path[length])
		return el_fail(error, EL_NEGATIVE, "%s: expected a slice of draughts behind the #",
		               path);
	const enum el_status status = cake_slices(path, &slices, &count, error);
	if (status)
		return status;
	el_fail(error, EL_NEGATIVE, "%s: has %zu slices: name one of them, as in %s#%s", path,
	        count, path, strchr(slices[0].name, ':') + 1);
	free(slices);
	return EL_NEGATIVE;
}

static enum el_status cake_open(const char *path, struct el_cache *cache, struct el_source **out,
                                struct el_error *error)
{
	struct el_slice slice;
	const struct el_metric *metric;
	if (!named(path, &slice, &metric))
		return not_named(path, error);
	struct cake *cake = calloc(1, sizeof *cake);
	if (!cake)
		return foreign_no_memory(path, error);
	struct el_source *source = &cake->foreign.source;
	char *file = strndup(path, cake_named(path)), *whole = strdup(path);
	enum el_status status = file && whole ? foreign_open(&cake->foreign, &el_source_cake, file,
	                                                     &slice, cache, error)
	                                      : foreign_no_memory(path, error);
	if (!status)
		status = cake_index_read(file, source->bytes, &slice, &cake->index, error);
	free(file);
	free(source->path);
	source->path = whole;
	if (status) {
		cake_close(source);
		return status;
	}
	source->metric = metric;
	source->bytes = cake->index.bytes;
	memset(source->beside, EL_BESIDE_CAPTURES, sizeof source->beside);
	source->quiet_only = true;
	snprintf(source->detail, sizeof source->detail, "rle 1K");
	*out = source;
	return EL_OK;
}

/* ---- the file as a whole ---- */

/* The blocks of a slice must have as many values as the text says; the last one may have a few more. */
static enum el_status check_slice(struct cake *cake, const struct cake_slice *slice,
                                  uint64_t positions, struct el_error *error)
{
	struct asked a = {cake, slice, 0};
	enum el_status status = EL_OK;
	for (; a.block < slice->count && !status; a.block++) {
		const uint32_t *first = cake->index.first + slice->begin + a.block;
		const bool last = a.block + 1 == slice->count;
		const uint64_t expected = (last ? positions : first[1]) - first[0];
		uint64_t values = 0;
		uint8_t *bytes;
		size_t size;
		status = load(&a, (uint64_t)slice->block + a.block, &bytes, &size, error);
		if (status)
			return status;
		for (size_t i = begin_of(&a); i < size && (!last || values < expected); i++)
			values += values_in(bytes[i]);
		if (last ? values < expected || values - expected >= 4 : values != expected)
			status = damaged_block(&a, values, expected, error);
		free(bytes);
	}
	return status;
}

static enum el_status check(struct el_source *source, const struct el_watch *watch,
                            struct el_error *error)
{
	struct cake *cake = (struct cake *)source;
	const struct el_slice *slice = &source->slice;
	const uint8_t men[2] = {slice->count[0][CAKE_MAN], slice->count[1][CAKE_MAN]};
	const uint8_t kings[2] = {slice->count[0][CAKE_KING], slice->count[1][CAKE_KING]};
	enum el_status status = EL_OK;
	for (uint8_t i = 0; i < CAKE_ROWS * CAKE_ROWS && !status; i++) {
		const uint8_t row[2] = {i / CAKE_ROWS, i % CAKE_ROWS};
		status = foreign_tick(source, watch, i, CAKE_ROWS * CAKE_ROWS, "parts", error);
		for (unsigned colour = 0; colour < 2 && !status; colour++) {
			const struct cake_slice *s = &cake->index.slice[row[0]][row[1]][colour];
			if (s->present && s->value == CAKE_VALUES)
				status = check_slice(cake, s, cake_positions(men, kings, row),
				                     error);
		}
	}
	return status;
}

const struct el_source_ops el_source_cake = {
	.kind = "cake",
	.extension = ".cpr",
	.named = named,
	.slices = cake_slices,
	.open = cake_open,
	.probe = probe,
	.close = cake_close,
	.check = check,
};

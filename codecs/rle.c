/* SPDX-License-Identifier: MIT */
/*
 * rle: runs of one symbol, and a directory that lets a probe start in the middle.
 *
 *     block      head, directory, runs
 *     head       number: how many entries the directory has; missing if `every` is 0
 *     directory  an entry before each run whose place in the block is a multiple of `every`, but
 *                for the first: its first position, then its offset behind the directory; both of
 *                as many bytes, low one first, as blocks of this many positions may need
 *     run        number: (length - 1) * value_count + symbol
 *     number     7 bits a byte, low ones first; the highest bit says that another byte follows
 *
 * So a run of up to 42 positions is one byte in a WDL table. Decode accepts only one encoding of
 * each sequence of symbols: the longest runs and the shortest numbers. An alphabet of one takes no
 * bytes.
 */
#include "endlab/codec.h"

#include "board/fill.h"
#include "checks.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_MOST = 6 }; /* bytes: 2^20 positions of 65,536 values need 36 bits */

struct coder {
	uint32_t value_count;
	uint32_t every; /* runs from one entry of the directory to the next; 0: no directory */
};

static enum el_status rle_open(const struct el_codec_params *params, const uint8_t *learned,
                               size_t size, void **coder, struct el_error *error)
{
	(void)learned;
	enum el_status status = check_learned("rle", size, error);
	if (status)
		return status;
	struct coder *c = malloc(sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "rle: out of memory");
	*c = (struct coder){params->value_count, (uint32_t)params->option[0]};
	*coder = c;
	return EL_OK;
}

static size_t rle_memory(const struct el_codec_params *params, size_t learned)
{
	(void)params, (void)learned;
	return sizeof(struct coder);
}

/* ---- numbers ---- */

static size_t number_size(uint64_t n)
{
	size_t size = 1;
	while (n >>= 7)
		size++;
	return size;
}

static uint8_t *put_number(uint8_t *out, uint64_t n)
{
	for (; n > 127; n >>= 7)
		*out++ = (uint8_t)(n | 128);
	*out = (uint8_t)n;
	return out + 1;
}

/* Moves *at past the number; false if it is truncated or longer than necessary. */
static inline bool get_number(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
	const uint8_t *p = *at;
	*out = 0;
	for (unsigned shift = 0; p < end && shift < 7 * NUMBER_MOST; shift += 7) {
		*out |= (uint64_t)(*p & 127) << shift;
		if (*p++ < 128) {
			*at = p;
			return p[-1] || !shift;
		}
	}
	return false;
}

/* Writes a number of so many bytes, low byte first. */
static uint8_t *put_fixed(uint8_t *out, unsigned bytes, size_t n)
{
	for (; bytes; bytes--, n >>= 8)
		*out++ = (uint8_t)n;
	return out;
}

static size_t get_fixed(const uint8_t *at, unsigned bytes)
{
	size_t n = 0;
	for (unsigned i = 0; i < bytes; i++)
		n |= (size_t)at[i] << 8 * i;
	return n;
}

static unsigned fixed_size(size_t most)
{
	unsigned bytes = 1;
	while (most >>= 8)
		bytes++;
	return bytes;
}

/* ---- the parts of a block ---- */

struct block {
	const struct coder *coder;
	size_t count;             /* symbols */
	unsigned place, offset;   /* bytes of an entry's two numbers */
	size_t entries;           /* in the directory */
	const uint8_t *directory; /* null while it is written */
	const uint8_t *runs, *end;
};

/* The most bytes of runs for `count` symbols: merging symbols into a run never takes more. */
static size_t runs_bound(uint32_t value_count, size_t count)
{
	return count * number_size(value_count - 1);
}

static struct block block_shape(const struct coder *c, size_t count)
{
	return (struct block){
		.coder = c,
		.count = count,
		.place = fixed_size(count - 1),
		.offset = fixed_size(runs_bound(c->value_count, count) - 1),
	};
}

static size_t entry_size(const struct block *b)
{
	return b->place + b->offset;
}

/* How many entries the directory of so many runs has. */
static size_t entries_of(const struct coder *c, size_t runs)
{
	return c->every ? (runs - 1) / c->every : 0;
}

static enum el_status open_block(const struct coder *c, const uint8_t *bytes, size_t size,
                                 size_t count, struct block *b, struct el_error *error)
{
	uint64_t entries = 0;
	*b = block_shape(c, count);
	b->directory = bytes;
	b->end = bytes + size;
	if (c->every && !get_number(&b->directory, b->end, &entries))
		return el_fail(error, EL_DAMAGED,
		               "rle: expected the size of a directory, found %zu bytes", size);
	const size_t most = entries_of(c, count);
	const size_t room = (size_t)(b->end - b->directory) / entry_size(b);
	if (entries > most || entries > room)
		return el_fail(error, EL_DAMAGED,
		               "rle: expected a directory of at most %zu, found %llu",
		               most < room ? most : room, (unsigned long long)entries);
	b->entries = (size_t)entries;
	b->runs = b->directory + b->entries * entry_size(b);
	return EL_OK;
}

/* A run, and where it starts. */
struct run {
	uint64_t from, length; /* positions */
	uint32_t symbol;
};

/* Reads the run that starts at position `from` and moves *at past it. EL_DAMAGED if there is none,
   or if it exceeds the block. */
static inline enum el_status get_run(const struct block *b, const uint8_t **at, uint64_t from,
                                     struct run *out, struct el_error *error)
{
	const uint32_t value_count = b->coder->value_count;
	uint64_t n;
	if (!get_number(at, b->end, &n))
		return el_fail(error, EL_DAMAGED,
		               "rle: expected a run at position %llu, found none",
		               (unsigned long long)from);
	if (n < value_count)
		*out = (struct run){from, 1, (uint32_t)n};
	else if (n <= UINT32_MAX) /* dividing 32 bits takes half the time */
		*out = (struct run){from, (uint32_t)n / value_count + 1, (uint32_t)n % value_count};
	else
		*out = (struct run){from, n / value_count + 1, (uint32_t)(n % value_count)};
	if (out->length > b->count - from)
		return el_fail(error, EL_DAMAGED, "rle: expected %zu symbols, found %llu", b->count,
		               (unsigned long long)(from + out->length));
	return EL_OK;
}

/* ---- encoding ---- */

static size_t rle_bound(const struct el_codec_params *params, size_t count)
{
	const struct coder c = {params->value_count, (uint32_t)params->option[0]};
	if (params->value_count == 1)
		return 0;
	const struct block b = block_shape(&c, count);
	const size_t entries = entries_of(&c, count), head = c.every ? number_size(entries) : 0;
	return head + entries * entry_size(&b) + runs_bound(c.value_count, count);
}

static enum el_status rle_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                 size_t capacity, size_t *size, struct el_error *error)
{
	const struct coder *c = coder;
	const struct el_codec_params params = {.value_count = c->value_count,
	                                       .option = {(int)c->every}};
	*size = 0;
	if (c->value_count == 1)
		return EL_OK;
	if (capacity < rle_bound(&params, count))
		return el_fail(error, EL_USAGE, "rle: %zu bytes needed, %zu given",
		               rle_bound(&params, count), capacity);
	struct block b = block_shape(c, count);
	size_t runs = 1;
	for (size_t i = 1; i < count; i++)
		runs += symbols[i] != symbols[i - 1];
	b.entries = entries_of(c, runs);
	uint8_t *entry = c->every ? put_number(out, b.entries) : out;
	uint8_t *const begin = entry + b.entries * entry_size(&b), *end = begin;
	for (size_t i = 0, next, run = 0; i < count; i = next, run++) {
		if (c->every && run && run % c->every == 0) {
			entry = put_fixed(entry, b.place, i);
			entry = put_fixed(entry, b.offset, (size_t)(end - begin));
		}
		for (next = i + 1; next < count && symbols[next] == symbols[i]; next++)
			;
		end = put_number(end, (uint64_t)(next - i - 1) * c->value_count + symbols[i]);
	}
	*size = (size_t)(end - out);
	return EL_OK;
}

/* ---- decoding ---- */

/* Iterates over the runs of a block. */
struct walk {
	struct block block;
	const uint8_t *start, *at; /* start and end of the last run read */
	struct run run;            /* the last one read */
	uint64_t from;             /* positions so far */
	size_t number;             /* runs so far */
};

static enum el_status start_walk(const struct coder *c, const uint8_t *bytes, size_t size,
                                 size_t count, struct walk *w, struct el_error *error)
{
	*w = (struct walk){.run.symbol = UINT32_MAX};
	enum el_status status = open_block(c, bytes, size, count, &w->block, error);
	w->at = w->block.runs;
	return status;
}

/* Does the directory list the next run if it must? */
static bool is_listed(const struct walk *w)
{
	const struct block *b = &w->block;
	const size_t every = b->coder->every;
	if (!every || !w->number || w->number % every)
		return true;
	if (w->number / every > b->entries)
		return false;
	const uint8_t *entry = b->directory + (w->number / every - 1) * entry_size(b);
	return get_fixed(entry, b->place) == w->from &&
	       get_fixed(entry + b->place, b->offset) == (size_t)(w->at - b->runs);
}

/* Reads the next run into w->run. EL_DAMAGED if the run or its entry differs from what encode
   writes. */
static inline enum el_status next_run(struct walk *w, struct el_error *error)
{
	const uint32_t last = w->run.symbol;
	const bool listed = is_listed(w);
	w->start = w->at;
	enum el_status status = get_run(&w->block, &w->at, w->from, &w->run, error);
	if (status)
		return status;
	if (w->run.symbol == last)
		return el_fail(error, EL_DAMAGED, "rle: expected another symbol than %u in run %zu",
		               last, w->number);
	if (!listed)
		return el_fail(error, EL_DAMAGED,
		               "rle: expected run %zu at position %llu in the directory", w->number,
		               (unsigned long long)w->from);
	w->from += w->run.length;
	w->number++;
	return EL_OK;
}

/* Checks that nothing follows the last run. */
static enum el_status end_walk(const struct walk *w, struct el_error *error)
{
	const struct block *b = &w->block;
	const size_t entries = entries_of(b->coder, w->number);
	if (w->at != b->end)
		return el_fail(error, EL_DAMAGED,
		               "rle: expected no bytes behind the last run, found %zu",
		               (size_t)(b->end - w->at));
	if (b->entries != entries)
		return el_fail(error, EL_DAMAGED, "rle: expected a directory of %zu, found %zu",
		               entries, b->entries);
	return EL_OK;
}

static enum el_status rle_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                 size_t count, struct el_error *error)
{
	const struct coder *c = coder;
	if (c->value_count == 1) {
		memset(symbols, 0, count * sizeof *symbols);
		return check_size("rle", 0, size, error);
	}
	struct walk w;
	enum el_status status = start_walk(c, bytes, size, count, &w, error);
	while (!status && w.from < count) {
		status = next_run(&w, error);
		for (uint64_t i = 0; !status && i < w.run.length; i++)
			*symbols++ = (uint16_t)w.run.symbol;
	}
	return status ? status : end_walk(&w, error);
}

/* Finds where to start looking for a position: sets *at and returns the position there. */
static uint64_t look_up(const struct block *b, size_t position, const uint8_t **at)
{
	size_t low = 0, high = b->entries; /* entries below `low` start at or before it */
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (get_fixed(b->directory + middle * entry_size(b), b->place) <= position)
			low = middle + 1;
		else
			high = middle;
	}
	*at = b->runs;
	if (!low)
		return 0;
	const uint8_t *entry = b->directory + (low - 1) * entry_size(b);
	const size_t offset = get_fixed(entry + b->place, b->offset);
	const size_t most = (size_t)(b->end - b->runs);
	*at += offset < most ? offset : most;
	return get_fixed(entry, b->place);
}

static enum el_status rle_decode_one(const void *coder, const uint8_t *bytes, size_t size,
                                     size_t count, size_t at, uint16_t *symbol,
                                     struct el_error *error)
{
	const struct coder *c = coder;
	*symbol = 0;
	if (c->value_count == 1)
		return check_size("rle", 0, size, error);
	struct block b;
	enum el_status status = open_block(c, bytes, size, count, &b, error);
	if (status)
		return status;
	const uint8_t *next;
	struct run run = {0};
	for (uint64_t from = look_up(&b, at, &next); !status && from <= at; from += run.length)
		status = get_run(&b, &next, from, &run, error);
	*symbol = (uint16_t)run.symbol;
	return status;
}

static enum el_status rle_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                                 void (*visit)(void *context, const struct el_codec_token *),
                                 void *context, struct el_error *error)
{
	const struct coder *c = coder;
	if (c->value_count == 1) {
		visit(context, &(struct el_codec_token){.count = count});
		return check_size("rle", 0, size, error);
	}
	struct walk w;
	enum el_status status = start_walk(c, bytes, size, count, &w, error);
	if (!status && w.block.runs > bytes)
		visit(context,
		      &(struct el_codec_token){.bits = 8 * (size_t)(w.block.runs - bytes)});
	while (!status && w.from < count) {
		status = next_run(&w, error);
		if (!status)
			visit(context, &(struct el_codec_token){
					       .bit = 8 * (size_t)(w.start - bytes),
					       .bits = 8 * (size_t)(w.at - w.start),
					       .first = (size_t)(w.from - w.run.length),
					       .count = (size_t)w.run.length,
				       });
	}
	return status ? status : end_walk(&w, error);
}

/* ---- filling ---- */

/* Gives each block the fewest runs. */
static enum el_status rle_fill(const struct el_codec_params *params,
                               const struct el_codec_plane *plane, const struct el_watch *watch,
                               struct el_error *error)
{
	return board_fill("rle", NULL, params, plane, watch, error);
}

static const struct el_codec_option options[] = {
	{"every", "runs from one entry of the directory to the next, 0 for none", 0, 4096, 64},
};

const struct el_codec el_codec_rle = {
	.abi = EL_CODEC_ABI,
	.name = "rle",
	.summary = "runs of one value",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.fill = rle_fill,
	.open = rle_open,
	.close = free,
	.memory = rle_memory,
	.bound = rle_bound,
	.encode = rle_encode,
	.decode = rle_decode,
	.decode_one = rle_decode_one,
	.tokens = rle_tokens,
};

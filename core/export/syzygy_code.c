/* SPDX-License-Identifier: MIT */
#include "syzygy.h"

#include "codecs/grammars.h"
#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

enum {
	PHRASE_MAX = 256,
	WORTH = 6,
	SMALL = 1 << 18, /* positions below which time does not matter */
	SMALL_EFFORT = 3,
	BLOCK_BITS_MIN = 5,
	SPAN_BLOCKS_BITS = 4, /* log2 of the approximate number of blocks in a span */
};

/* ---- bytes ---- */

void buffer_add(struct buffer *b, const void *bytes, size_t size)
{
	b->failed = b->failed || !array_grow(&b->bytes, b->size, size, 1);
	if (b->failed)
		return;
	if (bytes)
		memcpy(b->bytes + b->size, bytes, size);
	else
		memset(b->bytes + b->size, 0, size);
	b->size += size;
}

void buffer_number(struct buffer *b, unsigned bytes, uint64_t number)
{
	uint8_t at[8];
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(number >> 8 * i);
	buffer_add(b, at, bytes);
}

void code_free(struct code *c)
{
	free(c->head.bytes);
	free(c->spans.bytes);
	free(c->lengths.bytes);
	free(c->blocks.bytes);
	*c = (struct code){0};
}

/* ---- the code ---- */

/* A grammar's symbols in the file's order: longer codes first, then symbols without a code. */
struct coding {
	const struct el_pairs *grammar;
	uint32_t count;
	uint32_t *symbol; /* by number in the file; owned */
	uint32_t *number; /* the inverse; owned */
	uint32_t *codes;  /* by symbol of the grammar; owned */
	/* by bits: the least number of a symbol whose code has at most so many */
	uint32_t first[CODE_BITS_MAX + 1];
	uint8_t shortest, longest;
};

static void mark_used(const struct el_pairs *g, uint32_t symbol, uint8_t *used)
{
	while (!used[symbol]) {
		used[symbol] = 1;
		if (symbol < g->value_count)
			return;
		mark_used(g, g->rules[symbol - g->value_count].first, used);
		symbol = g->rules[symbol - g->value_count].second;
	}
}

static enum el_status coding_open(struct coding *c, const struct el_pairs *g,
                                  struct el_error *error)
{
	const uint32_t symbols = g->value_count + g->rule_count;
	uint8_t *used = calloc(symbols, 1);
	*c = (struct coding){
		.grammar = g,
		.symbol = malloc(symbols * sizeof *c->symbol),
		.number = malloc(symbols * sizeof *c->number),
		.codes = calloc(symbols, sizeof *c->codes),
		.shortest = UINT8_MAX,
	};
	if (!used || !c->symbol || !c->number || !c->codes) {
		free(used);
		return el_fail(error, EL_MEMORY, "out of memory for a code");
	}

	/* Number the symbols that occur or are parts of others. */
	for (uint32_t s = 0; s < symbols; s++)
		if (g->bits[s])
			mark_used(g, s, used);
	for (unsigned bits = CODE_BITS_MAX + 1; bits-- > 0;)
		for (uint32_t s = 0; s < symbols; s++) {
			if (!used[s] || g->bits[s] != bits)
				continue;
			c->symbol[c->count] = s;
			c->number[s] = c->count++;
			c->longest = c->longest > bits ? c->longest : (uint8_t)bits;
			c->shortest = bits ? (uint8_t)bits : c->shortest;
		}
	free(used);

	/* Codes of equal length are consecutive. */
	uint32_t base = 0, number = 0;
	c->first[c->longest] = 0;
	for (unsigned bits = c->longest; bits >= c->shortest; bits--) {
		if (bits < c->longest) {
			c->first[bits] = number;
			base = (base + number - c->first[bits + 1]) / 2;
		}
		for (; number < c->count && g->bits[c->symbol[number]] == bits; number++)
			c->codes[c->symbol[number]] = base + number - c->first[bits];
	}
	return EL_OK;
}

static void coding_close(struct coding *c)
{
	free(c->symbol);
	free(c->number);
	free(c->codes);
}

/* ---- blocks ---- */

/* Packs phrases into blocks of 1 << block_bits bytes; returns how many. If `out` is null, only
   counts them. */
static size_t pack(const struct coding *c, const uint16_t *phrases, size_t count,
                   unsigned block_bits, struct code *out)
{
	const struct el_pairs *g = c->grammar;
	const size_t room = (size_t)1 << block_bits;
	size_t blocks = 0, used = 0;
	uint32_t positions = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t symbol = phrases[i], code = c->codes[symbol];
		const bool full = used + g->bits[symbol] > 8 * room ||
		                  positions + g->length[symbol] > BLOCK_POSITIONS_MAX;
		if (positions && full) {
			if (out)
				buffer_number(&out->lengths, 2, positions - 1);
			used = positions = 0;
		}
		if (!positions && out)
			buffer_add(&out->blocks, NULL, room);
		blocks += !positions;
		positions += g->length[symbol];
		used += g->bits[symbol];
		if (!out || out->blocks.failed)
			continue;
		uint8_t *block = out->blocks.bytes + out->blocks.size - room;
		for (size_t k = 0, at = used; k < g->bits[symbol]; k++) {
			at--;
			block[at / 8] |= (uint8_t)((code >> k & 1) << (7 - at % 8));
		}
	}
	if (out)
		buffer_number(&out->lengths, 2, positions - 1);
	return blocks;
}

static uint32_t length_of(const struct code *c, size_t block)
{
	return (uint32_t)foreign_u16(c->lengths.bytes + 2 * block) + 1;
}

/* Writes where the middle position of each span is. Middles past the end need lengths of blocks
   that do not exist; returns how many. */
static size_t write_spans(struct code *c, uint64_t positions, size_t blocks, unsigned span_bits)
{
	const uint64_t span = UINT64_C(1) << span_bits;
	uint64_t middle = span / 2, begin = 0; /* of the block */
	size_t block = 0, all = blocks;
	for (uint64_t first = 0; first < positions && !c->lengths.failed; first += span) {
		for (;;) {
			if (block == all) {
				buffer_number(&c->lengths, 2, BLOCK_POSITIONS_MAX - 1);
				all++;
			}
			if (c->lengths.failed || begin + length_of(c, block) > middle)
				break;
			begin += length_of(c, block++);
		}
		buffer_number(&c->spans, 4, block);
		buffer_number(&c->spans, 2, middle - begin);
		middle += span;
	}
	return all - blocks;
}

/* ---- all of it ---- */

static enum el_status write_code(const struct code_task *task, const struct el_pairs *g,
                                 const uint16_t *phrases, size_t count, struct code *out,
                                 struct el_error *error)
{
	struct coding c;
	enum el_status status = coding_open(&c, g, error);
	if (status) {
		coding_close(&c);
		return status;
	}
	/* Choose the block size that makes the table smallest, including the lengths of blocks. */
	unsigned block_bits = task->block_bits;
	uint64_t least = UINT64_MAX;
	for (unsigned bits = task->block_bits; bits >= BLOCK_BITS_MIN; bits--) {
		const uint64_t bytes =
			pack(&c, phrases, count, bits, NULL) * ((UINT64_C(1) << bits) + 2);
		block_bits = bytes < least ? bits : block_bits;
		least = bytes < least ? bytes : least;
	}
	const size_t blocks = pack(&c, phrases, count, block_bits, out);
	/* A span has as many blocks as SPAN_BLOCKS_BITS says, unless there are fewer. */
	const uint64_t positions = task->plane.positions;
	unsigned span_bits = 0;
	while (positions / blocks >> span_bits)
		span_bits++;
	span_bits += SPAN_BLOCKS_BITS;
	while (span_bits > 1 && UINT64_C(1) << (span_bits - 1) > positions)
		span_bits--;
	const size_t beyond = write_spans(out, positions, blocks, span_bits);

	struct buffer *head = &out->head;
	buffer_number(head, 1, task->flags);
	buffer_number(head, 1, block_bits);
	buffer_number(head, 1, span_bits);
	buffer_number(head, 1, beyond); /* lengths of blocks that do not exist */
	buffer_number(head, 4, blocks);
	buffer_number(head, 1, c.longest);
	buffer_number(head, 1, c.shortest);
	for (unsigned bits = c.shortest; bits <= c.longest; bits++)
		buffer_number(head, 2, c.first[bits]);
	/* Twelve bits for each part of a symbol; the second part of a value is PAIR_NONE. */
	buffer_number(head, 2, c.count);
	for (uint32_t n = 0; n < c.count; n++) {
		const uint32_t s = c.symbol[n];
		const struct el_pairs_rule *rule =
			s < g->value_count ? NULL : &g->rules[s - g->value_count];
		const uint32_t first = rule ? c.number[rule->first] : task->value[s];
		const uint32_t second = rule ? c.number[rule->second] : PAIR_NONE;
		buffer_number(head, 3, first | second << 12);
	}
	if (c.count & 1)
		buffer_number(head, 1, 0);
	coding_close(&c);
	return EL_OK;
}

static struct el_pairs_task pairs_task(const struct code_task *task)
{
	return (struct el_pairs_task){
		.plane = task->plane,
		.value_count = task->symbols,
		.rules = SYMBOLS_MAX - task->symbols,
		.phrase = PHRASE_MAX,
		.worth = WORTH,
		.effort = task->plane.positions < SMALL ? SMALL_EFFORT : 0,
		.watch = task->watch,
	};
}

enum el_status code_weigh(const struct code_task *task, double *bits)
{
	const struct el_pairs_task pairs = pairs_task(task);
	return el_pairs_weigh(&pairs, bits, NULL);
}

enum el_status code_make(const struct code_task *task, struct code *out, struct el_error *error)
{
	enum el_status status = EL_OK;
	*out = (struct code){0};
	/* Does one symbol suit all positions? */
	uint32_t least = 0, most = task->symbols - 1;
	for (uint64_t i = 0; i < task->plane.positions && least <= most; i++) {
		const uint16_t s = task->plane.symbols[i];
		if (task->plane.care[i] == EL_CARE_NOT)
			continue;
		most = s < most ? s : most;
		if (task->plane.care[i] == EL_CARE_EXACT)
			least = s > least ? s : least;
	}
	if (least <= most && (task->constant_any || least == 0)) {
		buffer_number(&out->head, 1, task->flags | PAIRS_CONSTANT);
		buffer_number(&out->head, 1, task->constant_any ? task->value[least] : 0);
	} else {
		const struct el_pairs_task pairs = pairs_task(task);
		struct el_pairs grammar;
		uint16_t *phrases;
		size_t count;
		status = el_pairs_learn(&pairs, &grammar, &phrases, &count, error);
		if (status)
			return status;
		status = write_code(task, &grammar, phrases, count, out, error);
		el_pairs_free(&grammar);
		free(phrases);
	}
	const bool failed =
		out->head.failed || out->spans.failed || out->lengths.failed || out->blocks.failed;
	return status || !failed ? status : el_fail(error, EL_MEMORY, "out of memory for a code");
}

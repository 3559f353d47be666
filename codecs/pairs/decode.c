/* SPDX-License-Identifier: MIT */
/* Decodes blocks of pairs: whole, one position, or phrase by phrase. */
#include "block.h"
#include "codecs/checks.h"

#include <endian.h>
#include <string.h>

enum {
	LOAD_BYTES = 8,
	LOAD_BITS = 57, /* available at any bit offset within a byte */
};

/* ---- lines ---- */

/* The parts of a block. */
struct lines {
	const uint8_t *entries, *codes;
	size_t count;
	size_t line, entry; /* bytes of each */
	size_t code_bytes;
};

/* False if no block can have this size. */
static bool find_lines(const struct el_codec_params *params, const uint8_t *bytes, size_t size,
                       struct lines *out)
{
	size_t line = line_bytes(params), entry = entry_bytes(params);
	if (!size)
		return false;
	size_t count = (size - 1) / (line + entry) + 1;
	size_t entries = (count - 1) * entry;
	*out = (struct lines){bytes, bytes + entries, count, line, entry, size - entries};
	return out->code_bytes <= count * line;
}

/* The position that a line begins with. */
static size_t line_start(const struct lines *l, size_t line)
{
	if (line == 0)
		return 0;
	const uint8_t *at = l->entries + (line - 1) * l->entry;
	size_t start = (size_t)(at[0] | at[1] << 8);
	return l->entry == 2 ? start : start | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

/* ---- codes ---- */

/* The codes of one line. */
struct code_reader {
	const uint8_t *bytes; /* of all codes of the block */
	size_t size;
	size_t bit, end; /* in bits */
};

static struct code_reader read_line(const struct lines *l, size_t line)
{
	size_t begin = line * l->line, end = begin + l->line;
	return (struct code_reader){
		.bytes = l->codes,
		.size = l->code_bytes,
		.bit = 8 * begin,
		.end = 8 * (end < l->code_bytes ? end : l->code_bytes),
	};
}

/* At least LOAD_BITS bits from the next one on, the highest first; zeros past the last byte. */
static uint64_t next_bits(const struct code_reader *r)
{
	size_t byte = r->bit / 8;
	uint64_t word = 0;
	if (byte + LOAD_BYTES <= r->size) {
		memcpy(&word, r->bytes + byte, LOAD_BYTES);
		word = be64toh(word);
	} else {
		for (size_t i = 0; byte + i < r->size; i++)
			word |= (uint64_t)r->bytes[byte + i] << (56 - 8 * i);
	}
	return word << r->bit % 8;
}

/* Finds a code that is too long for the lookup table. */
static struct phrase find_phrase(const struct pairs_coder *c, uint64_t word)
{
	for (unsigned bits = PEEK_BITS + 1; bits <= PAIRS_BITS_MAX; bits++) {
		uint32_t code = (uint32_t)(word >> (64 - bits));
		if (code < c->limit[bits])
			return phrase_of(c, c->sorted[code + c->place[bits]]);
	}
	return (struct phrase){PAIRS_NO_VALUE, 0};
}

/* The phrase that a word begins with. */
static inline struct phrase phrase_at(const struct pairs_coder *c, uint64_t word)
{
	struct phrase phrase = c->peek[word >> (64 - PEEK_BITS)];
	return phrase.symbol == PAIRS_NO_VALUE ? find_phrase(c, word) : phrase;
}

/* The next phrase; its symbol is PAIRS_NO_VALUE if the line has no more. */
static inline struct phrase next_phrase(const struct pairs_coder *c, struct code_reader *r)
{
	struct phrase phrase = phrase_at(c, next_bits(r));
	r->bit += phrase_bits(phrase);
	if (r->bit > r->end)
		phrase.symbol = PAIRS_NO_VALUE;
	return phrase;
}

/*
 * Finds the phrase that holds position *left of a line and sets *left to the position within the
 * phrase. Takes as many codes from a word as it is sure to hold before loading the next.
 */
static struct phrase seek_phrase(const struct pairs_coder *c, struct code_reader *r, size_t *left)
{
	struct phrase phrase;
	while (r->bit < r->end) {
		uint64_t word = next_bits(r);
		for (unsigned used = 0; used <= LOAD_BITS - PAIRS_BITS_MAX;) {
			phrase = phrase_at(c, word);
			if (phrase.symbol == PAIRS_NO_VALUE)
				return phrase;
			used += phrase_bits(phrase);
			r->bit += phrase_bits(phrase);
			if (*left < phrase_length(phrase)) {
				if (r->bit > r->end)
					phrase.symbol = PAIRS_NO_VALUE;
				return phrase;
			}
			*left -= phrase_length(phrase);
			word <<= phrase_bits(phrase);
		}
	}
	return (struct phrase){PAIRS_NO_VALUE, 0};
}

static enum el_status no_code(struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "pairs: expected a code, found none");
}

static enum el_status no_lines(size_t size, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "pairs: expected lines, found %zu other bytes", size);
}

static void expand(const struct pairs_coder *c, struct phrase phrase, uint16_t *symbols)
{
	uint32_t value = c->splits[phrase.symbol].value, length = phrase_length(phrase);
	if (value == PAIRS_NO_VALUE)
		pairs_expand(&c->grammar, phrase.symbol, symbols, length);
	else
		for (size_t i = 0; i < length; i++)
			symbols[i] = (uint16_t)value;
}

typedef void visitor(void *context, const struct el_codec_token *);

/* Decodes all phrases of a block to `symbols` or, if that is null, visits each. `codes`: the bit where
   line 0 begins. */
static enum el_status walk_lines(const struct pairs_coder *c, const struct lines *l, size_t count,
                                 uint16_t *symbols, size_t codes, visitor *visit, void *context,
                                 struct el_error *error)
{
	for (size_t line = 0; line < l->count; line++) {
		size_t at = line_start(l, line);
		size_t end = line + 1 < l->count ? line_start(l, line + 1) : count;
		if (end > count || at >= end)
			return el_fail(error, EL_DAMAGED, "pairs: expected lines in order");
		struct code_reader r = read_line(l, line);
		while (at < end) {
			size_t bit = r.bit;
			struct phrase phrase = next_phrase(c, &r);
			uint32_t length = phrase_length(phrase);
			if (phrase.symbol == PAIRS_NO_VALUE)
				return no_code(error);
			if (length > end - at)
				return el_fail(error, EL_DAMAGED,
				               "pairs: expected a phrase of at most %zu symbols, "
				               "found %u",
				               end - at, length);
			if (symbols)
				expand(c, phrase, symbols + at);
			else
				visit(context, &(struct el_codec_token){.bit = codes + bit,
				                                        .bits = phrase_bits(phrase),
				                                        .first = at,
				                                        .count = length});
			at += length;
		}
		/* Only zeros follow the last code of a line. */
		uint64_t word = next_bits(&r);
		size_t rest = r.end - r.bit;
		if (rest && (rest >= LOAD_BITS || word >> (64 - rest)))
			return el_fail(error, EL_DAMAGED, "pairs: expected zeros behind a line");
	}
	return EL_OK;
}

enum el_status pairs_block_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                  size_t count, struct el_error *error)
{
	const struct pairs_coder *c = coder;
	struct lines lines;
	if (c->params.value_count == 1) {
		memset(symbols, 0, count * sizeof *symbols);
		return check_size("pairs", 0, size, error);
	}
	if (!find_lines(&c->params, bytes, size, &lines))
		return no_lines(size, error);
	return walk_lines(c, &lines, count, symbols, 0, NULL, NULL, error);
}

enum el_status pairs_block_decode_one(const void *coder, const uint8_t *bytes, size_t size,
                                      size_t count, size_t at, uint16_t *symbol,
                                      struct el_error *error)
{
	const struct pairs_coder *c = coder;
	struct lines lines;
	(void)count;
	*symbol = 0;
	if (c->params.value_count == 1)
		return check_size("pairs", 0, size, error);
	if (!find_lines(&c->params, bytes, size, &lines))
		return no_lines(size, error);
	/* The line that holds the position is the last one that begins at or before it. */
	size_t line = 0, left = lines.count;
	while (left > 1) {
		size_t half = left / 2;
		bool above = line_start(&lines, line + half) <= at;
		line = above ? line + half : line;
		left = above ? left - half : half;
	}
	size_t start = line_start(&lines, line);
	if (start > at)
		return no_lines(size, error);
	struct code_reader r = read_line(&lines, line);
	left = at - start;
	struct phrase phrase = seek_phrase(c, &r, &left);
	if (phrase.symbol == PAIRS_NO_VALUE)
		return no_code(error);
	const struct split *n = &c->splits[phrase.symbol];
	while (n->value == PAIRS_NO_VALUE) {
		bool behind = left >= n->first_length;
		left -= behind ? n->first_length : 0;
		n = &c->splits[behind ? n->second : n->first];
	}
	*symbol = (uint16_t)n->value;
	return EL_OK;
}

enum el_status pairs_block_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                                  void (*visit)(void *context, const struct el_codec_token *),
                                  void *context, struct el_error *error)
{
	const struct pairs_coder *c = coder;
	struct lines lines;
	if (c->params.value_count == 1) {
		visit(context, &(struct el_codec_token){.count = count});
		return check_size("pairs", 0, size, error);
	}
	if (!find_lines(&c->params, bytes, size, &lines))
		return no_lines(size, error);
	const size_t codes = 8 * (size_t)(lines.codes - bytes);
	if (codes)
		visit(context, &(struct el_codec_token){.bits = codes});
	return walk_lines(c, &lines, count, NULL, codes, visit, context, error);
}

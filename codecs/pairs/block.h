/* SPDX-License-Identifier: MIT */
/*
 * A block is a sequence of lines of equal size, the last one shorter; each begins with a phrase.
 * The block starts with an entry for each line except the first, with the line's first position, so
 * that a probe decodes only one line:
 *
 *     entry of line 1, of line 2, ...    4 bytes each, 2 where blocks have at most 65536 positions;
 *                                        little-endian
 *     line 0, line 1, ...                codes, the highest bit of each byte first, then zeros
 *
 * If the plane has only one value, a block has no bytes.
 */
#ifndef CODECS_PAIRS_BLOCK_H
#define CODECS_PAIRS_BLOCK_H

#include "pairs.h"

enum {
	PEEK_BITS = 11, /* codes of up to so many bits are decoded by one table lookup */
	BITS_FIELD = 6, /* the low bits of phrase.size, which hold the length of a code */
};

/* What a code stands for, packed into eight bytes so that the decoder's table stays in the
   cache. */
struct phrase {
	uint32_t symbol; /* PAIRS_NO_VALUE: no code begins so, or it is longer than PEEK_BITS */
	uint32_t size;   /* values in its phrase << BITS_FIELD | bits of its code */
};

static inline uint32_t phrase_length(struct phrase p)
{
	return p.size >> BITS_FIELD;
}

static inline unsigned phrase_bits(struct phrase p)
{
	return p.size & ((1u << BITS_FIELD) - 1);
}

/* Lets a probe find one value of a phrase without expanding it: from a symbol it descends to the
   first or second part, by `first_length`, until all values of the part are the same. */
struct split {
	/* the value of the whole phrase if it has only one; else PAIRS_NO_VALUE */
	uint32_t value;
	uint32_t first, second; /* of a rule: its parts */
	uint32_t first_length;  /* values in the phrase of the first */
};

struct pairs_coder {
	struct el_codec_params params;
	struct el_pairs grammar;
	uint32_t *codes;      /* by symbol */
	struct split *splits; /* by symbol */
	uint32_t *sorted;     /* symbols in the order of their codes */
	/* For codes too long for `peek`, by the number of bits (canonical Huffman): if the next b
	   bits, as a number, are below limit[b], the next code has at most b bits; a code of
	   exactly b bits belongs to sorted[code + place[b]]. */
	uint32_t limit[PAIRS_BITS_MAX + 1];
	uint32_t place[PAIRS_BITS_MAX + 1];
	struct phrase peek[1 << PEEK_BITS]; /* by the next PEEK_BITS bits */
	/* Only for encoding and fills; each is made when it is first needed. */
	struct pairs_parser *parser;
	uint32_t *choice; /* as pairs_parse sets it */
	/* by value: the cost of a long run of it, in millionths of a bit per position */
	uint32_t *run_cost;
};

static inline size_t line_bytes(const struct el_codec_params *params)
{
	return (size_t)params->option[PAIRS_LINE];
}

static inline size_t entry_bytes(const struct el_codec_params *params)
{
	return params->block_positions <= 65536 ? 2 : 4;
}

static inline struct phrase phrase_of(const struct pairs_coder *c, uint32_t symbol)
{
	return (struct phrase){symbol,
	                       c->grammar.length[symbol] << BITS_FIELD | c->grammar.bits[symbol]};
}

/* ---- decode.c: members of the codec ---- */

enum el_status pairs_block_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                  size_t count, struct el_error *);
enum el_status pairs_block_decode_one(const void *coder, const uint8_t *bytes, size_t size,
                                      size_t count, size_t at, uint16_t *symbol, struct el_error *);
enum el_status pairs_block_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                                  void (*visit)(void *context, const struct el_codec_token *),
                                  void *context, struct el_error *);

#endif

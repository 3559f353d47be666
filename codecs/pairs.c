/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A block is a sequence of lines of equal size, the last one shorter; each begins with a phrase. All
 * lines but the first are preceded, at the start of the block, by an entry that tells which position
 * they begin with, so that a probe decodes one line:
 *
 *     entry of line 1, of line 2, ...    4 bytes each, 2 where blocks have at most 65536 positions;
 *                                        little-endian
 *     line 0, line 1, ...                codes, the highest bit of each byte first, then zeros
 *
 * Where the plane has one value a block has no bytes.
 */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

enum {
	PEEK_BITS = 10,   /* codes of at most so many bits are looked up at once */
	LOAD_BYTES = 8,
};

/* What a code stands for. */
struct phrase {
	uint32_t symbol; /* PAIRS_NO_VALUE where no short code is */
	uint16_t bits;
	uint32_t length;
};

/* What a probe needs of a symbol. */
struct node {
	uint32_t value; /* of all it stands for, where it is one; else PAIRS_NO_VALUE */
	uint32_t first, second;
	uint32_t first_length;
};

struct coder {
	struct el_codec_params params;
	struct pairs_grammar grammar;
	uint32_t *codes;     /* by symbol */
	struct node *nodes;  /* by symbol */
	uint32_t *sorted;    /* symbols in the order of their codes */
	uint32_t least[PAIRS_BITS_MAX + 2]; /* the first code of each number of bits ... */
	uint32_t place[PAIRS_BITS_MAX + 2]; /* ... and its symbol's place in `sorted` */
	struct phrase peek[1 << PEEK_BITS];
	struct pairs_parser *parser; /* for encoding; made when it is first needed */
	uint32_t *choice;            /* likewise */
};

/* ---- opening and closing ---- */

static void pairs_close(void *coder)
{
	struct coder *c = coder;
	pairs_parser_close(c->parser);
	pairs_grammar_free(&c->grammar);
	free(c->codes);
	free(c->nodes);
	free(c->sorted);
	free(c->choice);
	free(c);
}

/* Codes of a number of bits follow each other; those of more bits come behind. */
static void sort_symbols(struct coder *c)
{
	const struct pairs_grammar *g = &c->grammar;
	uint32_t next = 0, place = 0;
	for (unsigned bits = 1; bits <= PAIRS_BITS_MAX; bits++, next <<= 1) {
		c->least[bits] = next;
		c->place[bits] = place;
		for (uint32_t s = 0; s < pairs_symbols(g); s++)
			if (g->bits[s] == bits) {
				c->sorted[place++] = s;
				next++;
			}
	}
	c->least[PAIRS_BITS_MAX + 1] = next;
	c->place[PAIRS_BITS_MAX + 1] = place;
}

static void fill_peek(struct coder *c)
{
	const struct pairs_grammar *g = &c->grammar;
	for (size_t i = 0; i < sizeof c->peek / sizeof *c->peek; i++)
		c->peek[i] = (struct phrase){PAIRS_NO_VALUE, 0, 0};
	for (uint32_t s = 0; s < pairs_symbols(g); s++) {
		unsigned bits = g->bits[s];
		if (!bits || bits > PEEK_BITS)
			continue;
		uint32_t first = c->codes[s] << (PEEK_BITS - bits);
		for (uint32_t i = 0; i < UINT32_C(1) << (PEEK_BITS - bits); i++)
			c->peek[first + i] = (struct phrase){s, (uint16_t)bits, g->length[s]};
	}
}

/* A rule's parts may stand behind it: looks until nothing new is found. */
static void find_constants(struct coder *c)
{
	const struct pairs_grammar *g = &c->grammar;
	bool again;
	for (uint32_t s = 0; s < pairs_symbols(g); s++) {
		struct node *n = &c->nodes[s];
		*n = (struct node){.value = s < g->value_count ? s : PAIRS_NO_VALUE};
		if (s < g->value_count)
			continue;
		n->first = g->rules[s - g->value_count].first;
		n->second = g->rules[s - g->value_count].second;
		n->first_length = g->length[n->first];
	}
	do {
		again = false;
		for (uint32_t s = g->value_count; s < pairs_symbols(g); s++) {
			struct node *n = &c->nodes[s];
			uint32_t value = c->nodes[n->first].value;
			if (n->value != PAIRS_NO_VALUE || value == PAIRS_NO_VALUE ||
			    value != c->nodes[n->second].value)
				continue;
			n->value = value;
			again = true;
		}
	} while (again);
}

static enum el_status pairs_open(const struct el_codec_params *params, const uint8_t *learned,
                                 size_t size, void **coder, struct el_error *error)
{
	struct coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	c->params = *params;
	enum el_status status =
		pairs_grammar_read(&c->grammar, params->value_count, learned, size, error);
	if (status) {
		free(c);
		return status;
	}
	uint32_t symbols = pairs_symbols(&c->grammar);
	c->codes = calloc(symbols, sizeof *c->codes);
	c->nodes = malloc(symbols * sizeof *c->nodes);
	c->sorted = malloc(symbols * sizeof *c->sorted);
	if (!c->codes || !c->nodes || !c->sorted) {
		pairs_close(c);
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	}
	pairs_grammar_codes(&c->grammar, c->codes);
	sort_symbols(c);
	fill_peek(c);
	find_constants(c);
	*coder = c;
	return EL_OK;
}

static size_t pairs_memory(const struct el_codec_params *params, size_t learned)
{
	size_t symbols = params->value_count + (learned ? PAIRS_RULES_MAX : 0);
	return sizeof(struct coder) +
	       symbols * (sizeof(struct node) + sizeof(struct pairs_rule) + 3 * sizeof(uint32_t) + 1);
}

/* ---- lines ---- */

static size_t line_bytes(const struct el_codec_params *params)
{
	return (size_t)params->option[PAIRS_LINE];
}

static size_t entry_bytes(const struct el_codec_params *params)
{
	return params->block_positions <= 65536 ? 2 : 4;
}

/* A block taken apart. */
struct lines {
	const uint8_t *entries, *codes;
	size_t count;
	size_t line, entry; /* bytes of each */
	size_t code_bytes;
};

/* False when the size is none that a block can have. */
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

/* The line that holds a position: the last one that begins at or before it. */
static size_t find_line(const struct lines *l, size_t at)
{
	size_t low = 0, count = l->count;
	while (count > 1) {
		size_t half = count / 2;
		bool above = line_start(l, low + half) <= at;
		low = above ? low + half : low;
		count = above ? count - half : half;
	}
	return low;
}

/* ---- encoding ---- */

static size_t pairs_bound(const struct el_codec_params *params, size_t count)
{
	/* At worst each symbol takes PAIRS_BITS_MAX bits, and as many are left over in a line. */
	size_t line = line_bytes(params), in_line = 8 * line / PAIRS_BITS_MAX;
	return params->value_count == 1 ? 0
	                                : (count / in_line + 1) * (line + entry_bytes(params));
}

static enum el_status want_parser(struct coder *c, struct el_error *error)
{
	if (c->parser)
		return EL_OK;
	if (!c->choice)
		c->choice = malloc(c->params.block_positions * sizeof *c->choice);
	if (!c->choice)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	return pairs_parser_open(&c->grammar, c->params.block_positions, &c->parser, error);
}

/* Lines on their way. */
struct line_writer {
	uint8_t *out; /* zeros */
	size_t line, entry;
	size_t lines;      /* begun */
	size_t bit;        /* in the last line */
	uint32_t *starts;  /* of lines, one a line */
};

static void put_code(struct line_writer *w, size_t at, uint32_t code, unsigned bits)
{
	if (!w->lines || w->bit + bits > 8 * w->line) {
		w->starts[w->lines++] = (uint32_t)at;
		w->bit = 0;
	}
	uint8_t *line = w->out + (w->lines - 1) * w->line;
	for (unsigned i = bits; i-- > 0; w->bit++)
		line[w->bit / 8] |= (uint8_t)((code >> i & 1) << (7 - w->bit % 8));
}

/* Moves the lines behind their entries; returns the size of both. */
static size_t put_entries(struct line_writer *w)
{
	size_t entries = (w->lines - 1) * w->entry;
	size_t codes = (w->lines - 1) * w->line + (w->bit + 7) / 8;
	memmove(w->out + entries, w->out, codes);
	for (size_t i = 1; i < w->lines; i++)
		for (size_t b = 0; b < w->entry; b++)
			w->out[(i - 1) * w->entry + b] = (uint8_t)(w->starts[i] >> 8 * b);
	return entries + codes;
}

static enum el_status pairs_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                   size_t capacity, size_t *size, struct el_error *error)
{
	struct coder *c = coder;
	const struct pairs_grammar *g = &c->grammar;
	*size = 0;
	if (c->params.value_count == 1)
		return EL_OK;
	enum el_status status = want_parser(c, error);
	if (status)
		return status;
	struct line_writer w = {
		.out = out,
		.line = line_bytes(&c->params),
		.entry = entry_bytes(&c->params),
		.starts = malloc((capacity / line_bytes(&c->params) + 1) * sizeof *w.starts),
	};
	if (!w.starts)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	memset(out, 0, capacity);
	pairs_parse(c->parser, symbols, NULL, count, c->choice);
	for (size_t i = 0; i < count; i += g->length[c->choice[i]])
		put_code(&w, i, c->codes[c->choice[i]], g->bits[c->choice[i]]);
	*size = put_entries(&w);
	free(w.starts);
	return EL_OK;
}

/* ---- decoding ---- */

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

/* At least 57 bits from the next on, the highest first; zeros behind the last byte. */
static uint64_t next_bits(const struct code_reader *r)
{
	size_t byte = r->bit / 8;
	uint64_t word = 0;
	if (byte + LOAD_BYTES <= r->size) {
		memcpy(&word, r->bytes + byte, LOAD_BYTES);
		word = __builtin_bswap64(word);
	} else {
		for (size_t i = 0; byte + i < r->size; i++)
			word |= (uint64_t)r->bytes[byte + i] << (56 - 8 * i);
	}
	return word << r->bit % 8;
}

/* A code that is longer than those that are looked up; bits 0 when it is none. */
static struct phrase find_phrase(const struct coder *c, uint64_t word)
{
	for (unsigned bits = PEEK_BITS + 1; bits <= PAIRS_BITS_MAX; bits++) {
		uint32_t code = (uint32_t)(word >> (64 - bits));
		uint32_t count = c->place[bits + 1] - c->place[bits];
		if (code - c->least[bits] < count && code >= c->least[bits]) {
			uint32_t symbol = c->sorted[c->place[bits] + code - c->least[bits]];
			return (struct phrase){symbol, (uint16_t)bits, c->grammar.length[symbol]};
		}
	}
	return (struct phrase){PAIRS_NO_VALUE, 0, 0};
}

/* The next phrase; its symbol is PAIRS_NO_VALUE where the line has none. */
static inline struct phrase next_phrase(const struct coder *c, struct code_reader *r)
{
	uint64_t word = next_bits(r);
	struct phrase phrase = c->peek[word >> (64 - PEEK_BITS)];
	if (phrase.symbol == PAIRS_NO_VALUE)
		phrase = find_phrase(c, word);
	r->bit += phrase.bits;
	if (r->bit > r->end)
		phrase.symbol = PAIRS_NO_VALUE;
	return phrase;
}

static enum el_status no_code(struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "pairs: expected a code, found none");
}

static enum el_status no_lines(size_t size, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "pairs: expected lines, found %zu bytes that are none",
	               size);
}

/* The zeros behind the last code of a line. */
static bool is_padding(const struct code_reader *r)
{
	uint64_t word = next_bits(r);
	size_t left = r->end - r->bit;
	return left == 0 || (left < 57 && word >> (64 - left) == 0);
}

/* What is made of each phrase of a line. */
struct phrase_user {
	void *context;
	void (*use)(void *context, const struct phrase *, size_t bit, size_t at);
};

/* Goes through the phrases of positions `start` to `end`, which one line holds. */
static enum el_status walk_line(const struct coder *c, const struct lines *l, size_t line,
                                size_t end, const struct phrase_user *user, struct el_error *error)
{
	struct code_reader r = read_line(l, line);
	size_t at = line_start(l, line);
	if (at >= end)
		return el_fail(error, EL_DAMAGED, "pairs: expected lines in order");
	while (at < end) {
		size_t bit = r.bit;
		struct phrase phrase = next_phrase(c, &r);
		if (phrase.symbol == PAIRS_NO_VALUE)
			return no_code(error);
		if (phrase.length > end - at)
			return el_fail(error, EL_DAMAGED,
			               "pairs: expected a phrase of at most %zu symbols, found %u",
			               end - at, phrase.length);
		user->use(user->context, &phrase, bit, at);
		at += phrase.length;
	}
	return is_padding(&r) ? EL_OK
	                      : el_fail(error, EL_DAMAGED, "pairs: expected zeros behind a line");
}

static enum el_status walk_lines(const struct coder *c, const struct lines *l, size_t count,
                                 const struct phrase_user *user, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t line = 0; line < l->count && !status; line++) {
		size_t end = line + 1 < l->count ? line_start(l, line + 1) : count;
		if (end > count)
			return el_fail(error, EL_DAMAGED, "pairs: expected lines in order");
		status = walk_line(c, l, line, end, user, error);
	}
	return status;
}

struct expansion {
	const struct coder *coder;
	uint16_t *symbols;
};

static void expand(void *context, const struct phrase *phrase, size_t bit, size_t at)
{
	const struct expansion *e = context;
	uint32_t value = e->coder->nodes[phrase->symbol].value;
	(void)bit;
	if (value == PAIRS_NO_VALUE) {
		pairs_expand(&e->coder->grammar, phrase->symbol, e->symbols + at, phrase->length);
		return;
	}
	for (size_t i = 0; i < phrase->length; i++)
		e->symbols[at + i] = (uint16_t)value;
}

/* A plane of one value has no bytes. */
static enum el_status check_empty(size_t size, struct el_error *error)
{
	return size ? el_fail(error, EL_DAMAGED, "pairs: expected 0 bytes, found %zu", size) : EL_OK;
}

static enum el_status pairs_decode(void *coder, const uint8_t *bytes, size_t size,
                                   uint16_t *symbols, size_t count, struct el_error *error)
{
	const struct coder *c = coder;
	struct lines lines;
	struct expansion expansion = {c, symbols};
	const struct phrase_user user = {&expansion, expand};
	if (c->params.value_count == 1) {
		memset(symbols, 0, count * sizeof *symbols);
		return check_empty(size, error);
	}
	if (!find_lines(&c->params, bytes, size, &lines))
		return no_lines(size, error);
	return walk_lines(c, &lines, count, &user, error);
}

static enum el_status pairs_decode_one(const void *coder, const uint8_t *bytes, size_t size,
                                       size_t count, size_t at, uint16_t *symbol,
                                       struct el_error *error)
{
	const struct coder *c = coder;
	struct lines lines;
	(void)count;
	*symbol = 0;
	if (c->params.value_count == 1)
		return check_empty(size, error);
	if (!find_lines(&c->params, bytes, size, &lines))
		return no_lines(size, error);
	size_t line = find_line(&lines, at), start = line_start(&lines, line);
	if (start > at)
		return no_lines(size, error);
	struct code_reader r = read_line(&lines, line);
	size_t left = at - start;
	struct phrase phrase;
	while ((phrase = next_phrase(c, &r)).symbol != PAIRS_NO_VALUE && left >= phrase.length)
		left -= phrase.length;
	if (phrase.symbol == PAIRS_NO_VALUE)
		return no_code(error);
	const struct node *n = &c->nodes[phrase.symbol];
	while (n->value == PAIRS_NO_VALUE) {
		bool behind = left >= n->first_length;
		left -= behind ? n->first_length : 0;
		n = &c->nodes[behind ? n->second : n->first];
	}
	*symbol = (uint16_t)n->value;
	return EL_OK;
}

/* ---- for those who look ---- */

struct token_visit {
	void (*visit)(void *context, const struct el_codec_token *);
	void *context;
	size_t codes; /* the bit that the first line begins with */
};

static void visit_phrase(void *context, const struct phrase *phrase, size_t bit, size_t at)
{
	const struct token_visit *v = context;
	v->visit(v->context,
	         &(struct el_codec_token){v->codes + bit, phrase->bits, at, phrase->length});
}

static enum el_status pairs_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                                   void (*visit)(void *context, const struct el_codec_token *),
                                   void *context, struct el_error *error)
{
	const struct coder *c = coder;
	struct lines lines;
	if (c->params.value_count == 1) {
		visit(context, &(struct el_codec_token){0, 0, 0, count});
		return check_empty(size, error);
	}
	if (!find_lines(&c->params, bytes, size, &lines))
		return no_lines(size, error);
	struct token_visit v = {visit, context, 8 * (size_t)(lines.codes - bytes)};
	const struct phrase_user user = {&v, visit_phrase};
	if (v.codes)
		visit(context, &(struct el_codec_token){0, v.codes, 0, 0});
	return walk_lines(c, &lines, count, &user, error);
}

static const struct el_codec_option options[] = {
	[PAIRS_EFFORT] = {"effort", "rounds of the best fill", 1, 9, 3},
	[PAIRS_LINE] = {"line", "bytes that a probe decodes", 16, 1024, 64},
	[PAIRS_RULES] = {"rules", "most rules of a plane", 0, PAIRS_RULES_MAX, 4096},
};

const struct el_codec el_codec_pairs = {
	.abi = EL_CODEC_ABI,
	.name = "pairs",
	.summary = "recursive pairs, Huffman codes, probes of single positions",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.fill = pairs_fill,
	.prepare = pairs_prepare,
	.open = pairs_open,
	.close = pairs_close,
	.memory = pairs_memory,
	.bound = pairs_bound,
	.encode = pairs_encode,
	.decode = pairs_decode,
	.decode_one = pairs_decode_one,
	.tokens = pairs_tokens,
};

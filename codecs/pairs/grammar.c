/* SPDX-License-Identifier: MIT */
/*
 * Grammars as bytes: a head of 3 bytes, then bits, the highest of each byte first.
 *
 *     rules, 2 bytes little-endian; bits of a code length, 1 byte
 *     for each symbol, values first: its code length
 *     for each rule, in ascending order of the first symbol: a 0 for each symbol by which the first
 *     one is further on than that of the rule before, a 1, and the second symbol
 */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 3 };

/* ---- making ---- */

enum el_status pairs_grammar_make(struct el_pairs *g, uint32_t value_count, uint32_t rule_count,
                                  struct el_error *error)
{
	uint32_t symbols = value_count + rule_count;
	*g = (struct el_pairs){
		.value_count = value_count,
		.rule_count = rule_count,
		.rules = calloc(rule_count + 1, sizeof *g->rules),
		.length = calloc(symbols, sizeof *g->length),
		.bits = calloc(symbols, sizeof *g->bits),
	};
	if (!g->rules || !g->length || !g->bits) {
		el_pairs_free(g);
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	}
	for (uint32_t v = 0; v < value_count; v++)
		g->length[v] = 1;
	return EL_OK;
}

void el_pairs_free(struct el_pairs *g)
{
	free(g->rules);
	free(g->length);
	free(g->bits);
	*g = (struct el_pairs){0};
}

/* Sets `length` of all rules; false if they are circular, name an unknown symbol, or stand for too
   many values. */
static bool measure_all(struct el_pairs *g)
{
	uint32_t known = 0, before, symbols = pairs_symbols(g);
	memset(g->length + g->value_count, 0, g->rule_count * sizeof *g->length);
	do {
		before = known;
		for (uint32_t r = 0; r < g->rule_count; r++) {
			const struct el_pairs_rule *rule = &g->rules[r];
			uint32_t *length = &g->length[g->value_count + r];
			if (*length || rule->first >= symbols || rule->second >= symbols)
				continue;
			uint32_t first = g->length[rule->first], second = g->length[rule->second];
			if (!first || !second || first + second > PAIRS_PHRASE_MAX)
				continue;
			*length = first + second;
			known++;
		}
	} while (known > before);
	return known == g->rule_count;
}

/* ---- code lengths ---- */

/* A leaf of the Huffman tree. Leaves are sorted and inner nodes arise in order, so both are queues
   from which the two lightest are joined (van Leeuwen, 1976). */
struct leaf {
	uint64_t weight;
	uint32_t symbol;
};

static int lighter_first(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

/* Sets the bits of n leaves; false if a code is too long. */
static bool set_bits(struct el_pairs *g, const struct leaf *leaves, uint32_t n, uint64_t *weight,
                     uint32_t *parent)
{
	/* Nodes 0 .. n-1 are the leaves, n .. 2n-2 the inner ones. */
	uint32_t next = 0, inner = n;
	for (uint32_t i = 0; i < n; i++)
		weight[i] = leaves[i].weight;
	for (uint32_t node = n; node < 2 * n - 1; node++) {
		weight[node] = 0;
		for (unsigned k = 0; k < 2; k++) {
			bool take_leaf =
				next < n && (inner == node || weight[next] <= weight[inner]);
			uint32_t child = take_leaf ? next++ : inner++;
			parent[child] = node;
			weight[node] += weight[child];
		}
	}
	uint64_t *depth = weight; /* the weights are no longer needed */
	bool good = true;
	depth[2 * n - 2] = 0;
	for (uint32_t node = 2 * n - 2; node-- > 0;)
		depth[node] = depth[parent[node]] + 1;
	for (uint32_t i = 0; i < n; i++) {
		good = good && depth[i] <= PAIRS_BITS_MAX;
		g->bits[leaves[i].symbol] = (uint8_t)depth[i];
	}
	return good;
}

enum el_status pairs_grammar_weigh(struct el_pairs *g, const uint64_t *frequency,
                                   struct el_error *error)
{
	uint32_t symbols = pairs_symbols(g), n = 0;
	struct leaf *leaves = malloc(symbols * sizeof *leaves);
	uint64_t *weight = malloc(2 * (size_t)symbols * sizeof *weight);
	uint32_t *parent = malloc(2 * (size_t)symbols * sizeof *parent);
	bool have = leaves && weight && parent;
	memset(g->bits, 0, symbols);
	for (uint32_t s = 0; have && s < symbols; s++)
		if (s < g->value_count || frequency[s])
			leaves[n++] = (struct leaf){frequency[s] + !frequency[s], s};
	if (n == 1)
		g->bits[leaves[0].symbol] = 1;
	/* If codes are too long, level the weights to shorten them. */
	for (bool good = n < 2; have && !good;) {
		qsort(leaves, n, sizeof *leaves, lighter_first);
		good = set_bits(g, leaves, n, weight, parent);
		for (uint32_t i = 0; i < n; i++)
			leaves[i].weight = leaves[i].weight / 2 + 1;
	}
	free(leaves);
	free(weight);
	free(parent);
	return have ? EL_OK : el_fail(error, EL_MEMORY, "pairs: out of memory");
}

/* ---- pruning ---- */

enum el_status pairs_grammar_prune(struct el_pairs *g, uint64_t *frequency, struct el_error *error)
{
	uint32_t symbols = pairs_symbols(g), next = g->value_count;
	bool *kept = calloc(symbols, sizeof *kept);
	uint32_t *number = malloc(symbols * sizeof *number);
	if (!kept || !number) {
		free(kept);
		free(number);
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	}
	/* Keep the rules that occur or are parts of others that are kept. */
	for (uint32_t r = g->rule_count; r-- > 0;) {
		uint32_t s = g->value_count + r;
		kept[s] = kept[s] || frequency[s];
		if (kept[s])
			kept[g->rules[r].first] = kept[g->rules[r].second] = true;
	}
	for (uint32_t s = 0; s < g->value_count; s++)
		number[s] = s;
	for (uint32_t s = g->value_count; s < symbols; s++) {
		const struct el_pairs_rule *rule = &g->rules[s - g->value_count];
		if (!kept[s])
			continue;
		g->rules[next - g->value_count] =
			(struct el_pairs_rule){number[rule->first], number[rule->second]};
		frequency[next] = frequency[s];
		g->length[next] = g->length[s];
		number[s] = next++;
	}
	g->rule_count = next - g->value_count;
	free(kept);
	free(number);
	return pairs_grammar_weigh(g, frequency, error);
}

/* ---- bytes ---- */

struct bit_writer {
	uint8_t *bytes; /* zeros */
	size_t bit;
};

static void put_bits(struct bit_writer *w, unsigned count, uint32_t bits)
{
	for (unsigned i = count; i-- > 0; w->bit++)
		w->bytes[w->bit / 8] |= (uint8_t)((bits >> i & 1) << (7 - w->bit % 8));
}

struct bit_reader {
	const uint8_t *bytes;
	size_t bit, end; /* in bits */
	bool good;       /* nothing was read past the end */
};

static uint32_t get_bits(struct bit_reader *r, unsigned count)
{
	uint32_t bits = 0;
	for (unsigned i = 0; i < count; i++, r->bit++) {
		r->good = r->good && r->bit < r->end;
		uint8_t byte = r->good ? r->bytes[r->bit / 8] : 0;
		bits = bits << 1 | ((uint32_t)byte >> (7 - r->bit % 8) & 1);
	}
	return bits;
}

/* Bits that hold numbers below `count`. */
static unsigned width_of(uint32_t count)
{
	return count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 0;
}

/* A rule and its numbers in the file. */
struct placed {
	struct el_pairs_rule rule; /* its parts, as numbered in the file */
	uint32_t symbol;           /* its number in the grammar */
};

static int by_first(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	if (x->rule.first != y->rule.first)
		return x->rule.first < y->rule.first ? -1 : 1;
	return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

/*
 * Numbers the rules so that their first parts ascend. Numbering changes the first parts, so it
 * repeats until nothing moves. Values keep their numbers. False if it does not terminate.
 */
static bool number_rules(const struct el_pairs *g, struct placed *placed, uint32_t *number)
{
	uint32_t v = g->value_count;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		number[s] = s;
	for (uint32_t round = 0; round <= g->rule_count; round++) {
		bool moved = false;
		for (uint32_t r = 0; r < g->rule_count; r++)
			placed[r] = (struct placed){
				{number[g->rules[r].first], number[g->rules[r].second]}, v + r};
		qsort(placed, g->rule_count, sizeof *placed, by_first);
		for (uint32_t i = 0; i < g->rule_count; i++) {
			moved = moved || number[placed[i].symbol] != v + i;
			number[placed[i].symbol] = v + i;
		}
		if (!moved)
			return true;
	}
	return false;
}

enum el_status pairs_grammar_write(const struct el_pairs *g, uint8_t **bytes, size_t *size,
                                   struct el_error *error)
{
	uint32_t symbols = pairs_symbols(g);
	size_t most = HEAD + ((size_t)symbols * 8 + (size_t)g->rule_count * 34 + symbols) / 8 + 1;
	struct placed *placed = malloc((g->rule_count + 1) * sizeof *placed);
	uint32_t *number = malloc(symbols * sizeof *number);
	struct bit_writer w = {.bytes = calloc(most, 1)};
	bool numbered = placed && number && w.bytes && number_rules(g, placed, number);
	free(number);
	if (!numbered) {
		free(placed);
		free(w.bytes);
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	}
	unsigned largest = 0;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		largest = g->bits[s] > largest ? g->bits[s] : largest;
	unsigned length_bits = width_of(largest + 1), wide = width_of(pairs_symbols(g));
	w.bytes[0] = (uint8_t)g->rule_count;
	w.bytes[1] = (uint8_t)(g->rule_count >> 8);
	w.bytes[2] = (uint8_t)length_bits;
	w.bit = 8 * HEAD;
	for (uint32_t s = 0; s < g->value_count; s++)
		put_bits(&w, length_bits, g->bits[s]);
	for (uint32_t i = 0; i < g->rule_count; i++)
		put_bits(&w, length_bits, g->bits[placed[i].symbol]);
	uint32_t first = 0;
	for (uint32_t i = 0; i < g->rule_count; i++) {
		for (; first < placed[i].rule.first; first++)
			put_bits(&w, 1, 0);
		put_bits(&w, 1, 1);
		put_bits(&w, wide, placed[i].rule.second);
	}
	free(placed);
	*bytes = w.bytes;
	*size = (w.bit + 7) / 8;
	return EL_OK;
}

/* ---- reading ---- */

enum el_status pairs_grammar_read(struct el_pairs *g, uint32_t value_count, const uint8_t *bytes,
                                  size_t size, struct el_error *error)
{
	if (!size) {
		enum el_status status = pairs_grammar_make(g, value_count, 0, error);
		for (uint32_t s = 0; s < value_count && !status; s++)
			g->bits[s] = (uint8_t)(value_count > 1 ? width_of(value_count) : 1);
		return status;
	}
	struct bit_reader r = {bytes, 8 * HEAD, 8 * size, true};
	uint32_t rule_count = size < HEAD ? 0 : (uint32_t)(bytes[0] | bytes[1] << 8);
	if (size < HEAD || rule_count > PAIRS_RULES_MAX || bytes[2] > 8)
		return el_fail(error, EL_DAMAGED,
		               "pairs: expected a grammar of at most %d rules, found %u rules in "
		               "%zu bytes",
		               PAIRS_RULES_MAX, rule_count, size);
	enum el_status status = pairs_grammar_make(g, value_count, rule_count, error);
	if (status)
		return status;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		g->bits[s] = (uint8_t)get_bits(&r, bytes[2]);
	const unsigned wide = width_of(pairs_symbols(g));
	uint32_t first = 0;
	for (uint32_t i = 0; i < rule_count && r.good; i++) {
		while (r.good && !get_bits(&r, 1))
			r.good = ++first < pairs_symbols(g);
		g->rules[i] = (struct el_pairs_rule){first, get_bits(&r, wide)};
	}
	/* Do the codes satisfy Kraft's inequality, and does every value have one? */
	const uint64_t room = UINT64_C(1) << PAIRS_BITS_MAX;
	uint64_t used = 0;
	bool good = r.good && (r.bit + 7) / 8 == r.end / 8;
	for (uint32_t s = 0; s < pairs_symbols(g) && good; s++) {
		good = g->bits[s] <= PAIRS_BITS_MAX && (s >= value_count || g->bits[s]);
		used += good && g->bits[s] ? room >> g->bits[s] : 0;
	}
	if (good && used <= room && measure_all(g))
		return EL_OK;
	el_pairs_free(g);
	return el_fail(error, EL_DAMAGED, "pairs: expected rules and codes, found %zu other bytes",
	               size);
}

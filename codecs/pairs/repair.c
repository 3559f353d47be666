/* SPDX-License-Identifier: MIT */
/*
 * Recursive pairing. The sequence is a linked list of tokens; tokens that begin the same pair are
 * linked, too, and pairs of equal count share a bucket, so a replacement takes time proportional to
 * the occurrences of the pair alone.
 *
 * Runs are first cut into powers of two, with a rule for each doubling. Most of a table is runs, so
 * this makes the list many times shorter.
 */
#include "pairs.h"

#include "core/base/array.h"
#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
	NONE = -1,
	BUCKETS = 1 << 14, /* the last one takes all greater counts */
	HASH_MIN = 1 << 12,
};

struct token {
	uint32_t symbol;
	int32_t next, before;    /* in the sequence */
	int32_t pair;            /* that begins here, or NONE */
	int32_t same, same_back; /* other tokens that begin the same pair */
};

struct pair {
	uint32_t first, second;
	uint32_t count;
	int32_t tokens;       /* how many begin it */
	int32_t next, before; /* in the bucket */
};

struct repair {
	struct token *tokens;
	bool *ends; /* by token: no phrase continues past it */
	size_t token_count;
	struct pair *pairs;
	size_t pair_count, pair_room;
	int32_t *hash; /* indexes into `pairs`; their number is a power of two */
	size_t hash_size;
	int32_t bucket[BUCKETS];
	uint32_t top; /* no bucket above it is in use */
	struct el_pairs_rule *rules;
	uint32_t *length; /* by symbol */
	uint32_t value_count, symbols, symbols_max;
	uint32_t length_max;
	bool failed; /* memory is out */
};

/* ---- pairs ---- */

/* The slot of the hash table where the pair is or belongs. */
static int32_t *look_up(struct repair *r, uint32_t first, uint32_t second)
{
	uint64_t key = (uint64_t)first << 32 | second;
	size_t at = (size_t)(key * HASH_FACTOR >> 32) & (r->hash_size - 1);
	while (r->hash[at] != NONE &&
	       (r->pairs[r->hash[at]].first != first || r->pairs[r->hash[at]].second != second))
		at = (at + 1) & (r->hash_size - 1);
	return &r->hash[at];
}

static bool widen(struct repair *r)
{
	size_t size = r->hash_size ? 2 * r->hash_size : HASH_MIN;
	int32_t *hash = malloc(size * sizeof *hash);
	struct pair *pairs = realloc(r->pairs, size / 2 * sizeof *pairs);
	r->pairs = pairs ? pairs : r->pairs;
	if (!hash || !pairs) {
		free(hash);
		r->failed = true;
		return false;
	}
	free(r->hash);
	r->hash = hash;
	r->hash_size = size;
	r->pair_room = size / 2;
	for (size_t i = 0; i < size; i++)
		hash[i] = NONE;
	for (size_t i = 0; i < r->pair_count; i++)
		*look_up(r, pairs[i].first, pairs[i].second) = (int32_t)i;
	return true;
}

static uint32_t bucket_of(uint32_t count)
{
	return count < BUCKETS ? count : BUCKETS - 1;
}

/* Pairs that do not occur are in no bucket. */
static void change_count(struct repair *r, int32_t p, int change)
{
	struct pair *pair = &r->pairs[p];
	if (pair->count) {
		if (pair->before != NONE)
			r->pairs[pair->before].next = pair->next;
		else
			r->bucket[bucket_of(pair->count)] = pair->next;
		if (pair->next != NONE)
			r->pairs[pair->next].before = pair->before;
	}
	pair->count = (uint32_t)((int)pair->count + change);
	if (!pair->count)
		return;
	uint32_t b = bucket_of(pair->count);
	pair->before = NONE;
	pair->next = r->bucket[b];
	if (pair->next != NONE)
		r->pairs[pair->next].before = p;
	r->bucket[b] = p;
	r->top = b > r->top ? b : r->top;
}

/* The most frequent pair; NONE if no pair occurs `least` times. */
static int32_t most_frequent(struct repair *r, uint32_t least)
{
	while (r->top > 0 && r->bucket[r->top] == NONE)
		r->top--;
	int32_t best = r->bucket[r->top];
	for (int32_t p = best; p != NONE && r->top == BUCKETS - 1; p = r->pairs[p].next)
		if (r->pairs[p].count > r->pairs[best].count)
			best = p;
	return r->top > 0 && r->pairs[best].count >= least ? best : NONE;
}

/* ---- tokens ---- */

/* Counts the pair that begins at a token, if there may be one. */
static void begin_pair(struct repair *r, int32_t t)
{
	struct token *token = &r->tokens[t];
	if (token->next == NONE || r->ends[t])
		return;
	uint32_t first = token->symbol, second = r->tokens[token->next].symbol;
	if (r->length[first] + r->length[second] > r->length_max)
		return;
	/* Of three equal tokens, only the first two form a pair. */
	int32_t p = token->before == NONE ? NONE : r->tokens[token->before].pair;
	if (p != NONE && first == second && r->pairs[p].first == second &&
	    r->pairs[p].second == second)
		return;
	int32_t *at = look_up(r, first, second);
	if (*at == NONE && r->pair_count == r->pair_room) {
		if (!widen(r))
			return;
		at = look_up(r, first, second);
	}
	if (*at == NONE) {
		*at = (int32_t)r->pair_count++;
		r->pairs[*at] = (struct pair){first, second, 0, NONE, NONE, NONE};
	}
	p = *at;
	token->pair = p;
	token->same_back = NONE;
	token->same = r->pairs[p].tokens;
	if (token->same != NONE)
		r->tokens[token->same].same_back = t;
	r->pairs[p].tokens = t;
	change_count(r, p, 1);
}

static void end_pair(struct repair *r, int32_t t)
{
	struct token *token = &r->tokens[t];
	int32_t p = token->pair;
	if (p == NONE)
		return;
	if (token->same_back != NONE)
		r->tokens[token->same_back].same = token->same;
	else
		r->pairs[p].tokens = token->same;
	if (token->same != NONE)
		r->tokens[token->same].same_back = token->same_back;
	token->pair = NONE;
	change_count(r, p, -1);
}

static int ascending(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return x < y ? -1 : x > y;
}

/* Replaces all occurrences of a pair, from left to right. */
static void replace_all(struct repair *r, int32_t p, uint32_t symbol)
{
	uint32_t count = r->pairs[p].count, n = 0;
	int32_t *places = malloc(count * sizeof *places);
	if (!places) {
		r->failed = true;
		return;
	}
	for (int32_t t = r->pairs[p].tokens; t != NONE; t = r->tokens[t].same)
		places[n++] = t;
	qsort(places, n, sizeof *places, ascending);
	for (uint32_t i = 0; i < n; i++) {
		int32_t t = places[i];
		struct token *token = &r->tokens[t];
		if (token->pair != p)
			continue;
		int32_t gone = token->next, before = token->before;
		if (before != NONE)
			end_pair(r, before);
		end_pair(r, t);
		end_pair(r, gone);
		token->symbol = symbol;
		token->next = r->tokens[gone].next;
		r->ends[t] = r->ends[gone];
		r->tokens[gone].symbol = PAIRS_NO_VALUE;
		if (token->next != NONE)
			r->tokens[token->next].before = t;
		if (before != NONE)
			begin_pair(r, before);
		begin_pair(r, t);
	}
	free(places);
}

/* ---- runs ---- */

static uint32_t add_rule(struct repair *r, uint32_t first, uint32_t second)
{
	uint32_t symbol = r->symbols++;
	r->rules[symbol - r->value_count] = (struct el_pairs_rule){first, second};
	r->length[symbol] = r->length[first] + r->length[second];
	return symbol;
}

static void add_token(struct repair *r, uint32_t symbol)
{
	if (!array_grow(&r->tokens, r->token_count, 1, sizeof *r->tokens) ||
	    !array_grow(&r->ends, r->token_count, 1, sizeof *r->ends)) {
		r->failed = true;
		return;
	}
	int32_t t = (int32_t)r->token_count++;
	r->tokens[t] = (struct token){symbol, NONE, t - 1, NONE, NONE, NONE};
	r->ends[t] = false;
	if (t > 0)
		r->tokens[t - 1].next = t;
}

/* The symbols for runs of 1, 2, 4, ... of one value. */
enum { DOUBLINGS = 17 };

/* Cuts each run into powers of two, the greatest first. */
static bool make_tokens(struct repair *r, const uint16_t *symbols, uint64_t count, uint32_t block)
{
	uint32_t(*doubled)[DOUBLINGS] = calloc(r->value_count, sizeof *doubled);
	if (!doubled)
		return false;
	for (uint32_t v = 0; v < r->value_count; v++)
		doubled[v][0] = v;
	for (uint64_t i = 0; i < count && !r->failed;) {
		uint64_t end = i - i % block + block, j = i + 1;
		end = end < count ? end : count;
		while (j < end && symbols[j] == symbols[i])
			j++;
		uint32_t *made = doubled[symbols[i]];
		for (uint64_t run = j - i; run && !r->failed;) {
			unsigned k = 0;
			while (k + 1 < DOUBLINGS && UINT64_C(2) << k <= run &&
			       UINT32_C(2) << k <= r->length_max &&
			       (made[k + 1] || r->symbols < r->symbols_max)) {
				if (!made[k + 1])
					made[k + 1] = add_rule(r, made[k], made[k]);
				k++;
			}
			add_token(r, made[k]);
			run -= UINT64_C(1) << k;
		}
		if (r->token_count)
			r->ends[r->token_count - 1] = j == end;
		i = j;
	}
	free(doubled);
	return !r->failed;
}

/* ---- the whole ---- */

enum el_status pairs_repair(const uint16_t *symbols, uint64_t count, uint32_t value_count,
                            const struct pairs_repair_limits *limits, struct el_pairs *out,
                            uint64_t **frequency, struct el_error *error)
{
	enum el_status status = EL_MEMORY;
	*frequency = NULL;
	struct repair *r = malloc(sizeof *r);
	if (!r)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	*r = (struct repair){
		.value_count = value_count,
		.symbols = value_count,
		.symbols_max = value_count + limits->rules,
		.length_max = limits->length,
		.rules = malloc((limits->rules + 1) * sizeof *r->rules),
		.length = malloc(((size_t)value_count + limits->rules + 1) * sizeof *r->length),
	};
	for (unsigned b = 0; b < BUCKETS; b++)
		r->bucket[b] = NONE;
	for (uint32_t v = 0; r->length && v < value_count; v++)
		r->length[v] = 1;
	if (r->rules && r->length && widen(r) && make_tokens(r, symbols, count, limits->block)) {
		if (r->symbols < r->symbols_max)
			for (size_t t = 0; t < r->token_count; t++)
				begin_pair(r, (int32_t)t);
		int32_t p;
		while (!r->failed && r->symbols < r->symbols_max &&
		       (p = most_frequent(r, limits->occurrences)) != NONE)
			replace_all(r, p, add_rule(r, r->pairs[p].first, r->pairs[p].second));
		*frequency = r->failed ? NULL : calloc(r->symbols, sizeof **frequency);
		if (*frequency)
			status = pairs_grammar_make(out, value_count, r->symbols - value_count,
			                            NULL);
	}
	if (!status) {
		memcpy(out->rules, r->rules, out->rule_count * sizeof *r->rules);
		memcpy(out->length, r->length, r->symbols * sizeof *r->length);
		for (size_t t = 0; t < r->token_count; t++)
			if (r->tokens[t].symbol != PAIRS_NO_VALUE)
				++(*frequency)[r->tokens[t].symbol];
	}
	free(r->tokens);
	free(r->ends);
	free(r->pairs);
	free(r->hash);
	free(r->rules);
	free(r->length);
	free(r);
	return status ? el_fail(error, EL_MEMORY, "pairs: out of memory") : EL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phrases.h"

#include <stdlib.h>
#include <string.h>

/* A symbol while the lists are being made. */
struct symbol {
	uint32_t value, run; /* its first value, and how often that repeats */
	uint32_t turn;       /* order among second parts; PAIRS_NO_VALUE if it is none */
	uint32_t begins;     /* its first extension; they end where the next symbol's begin */
	uint32_t mask;
};

/* A rule, listed under its first part. */
struct extension {
	uint32_t first, turn; /* of the second part */
	uint32_t symbol;      /* of the rule */
};

struct maker {
	const struct el_pairs *grammar;
	struct phrases *out;
	struct symbol *symbols; /* and one more */
	struct extension *extensions;
	uint64_t *sorted;  /* room for all symbols */
	uint32_t *waiting; /* likewise */
};

static const struct el_pairs_rule *rule_of(const struct maker *m, uint32_t symbol)
{
	return &m->grammar->rules[symbol - m->grammar->value_count];
}

static bool is_run(const struct maker *m, uint32_t symbol)
{
	return m->symbols[symbol].run == m->grammar->length[symbol];
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void sort_by_length(struct maker *m)
{
	const uint32_t symbols = pairs_symbols(m->grammar);
	for (uint32_t s = 0; s < symbols; s++)
		m->sorted[s] = (uint64_t)m->grammar->length[s] << 32 | s;
	qsort(m->sorted, symbols, sizeof *m->sorted, by_number);
}

/* Finds the run that a symbol begins with; its parts must be known. */
static void find_run(struct maker *m, uint32_t symbol)
{
	struct symbol *s = &m->symbols[symbol];
	if (symbol < m->grammar->value_count) {
		s->value = symbol;
		s->run = 1;
		return;
	}
	const uint32_t first = rule_of(m, symbol)->first;
	const struct symbol *one = &m->symbols[first];
	const struct symbol *two = &m->symbols[rule_of(m, symbol)->second];
	s->value = one->value;
	s->run = one->run + (is_run(m, first) && two->value == one->value ? two->run : 0);
}

/* Numbers the masks of rules and their parts, and lists the steps. */
static void list_steps(struct maker *m)
{
	const struct el_pairs *g = m->grammar;
	struct step *step = m->out->steps;
	m->out->masks = NO_MASK + 1;
	for (uint32_t r = 0; r < g->rule_count; r++) {
		const uint32_t made[] = {g->value_count + r, g->rules[r].first, g->rules[r].second};
		for (unsigned i = 0; i < 3; i++)
			if (m->symbols[made[i]].mask == NO_MASK)
				m->symbols[made[i]].mask = m->out->masks++;
	}
	for (uint32_t i = 0; i < pairs_symbols(g); i++) {
		const uint32_t s = (uint32_t)m->sorted[i];
		find_run(m, s);
		if (s < g->value_count)
			continue;
		const struct el_pairs_rule *rule = rule_of(m, s);
		*step++ = (struct step){m->symbols[s].mask, m->symbols[rule->first].mask,
		                        m->symbols[rule->second].mask, g->length[rule->first],
		                        g->length[s]};
	}
}

static int by_parts(const void *a, const void *b)
{
	const struct extension *x = a, *y = b;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}

/* Second parts take turns in the order in which rules name them. */
static void sort_extensions(struct maker *m)
{
	const struct el_pairs *g = m->grammar;
	uint32_t turns = 0, at = 0;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		m->symbols[s].turn = PAIRS_NO_VALUE;
	for (uint32_t r = 0; r < g->rule_count; r++) {
		struct symbol *second = &m->symbols[g->rules[r].second];
		second->turn = second->turn == PAIRS_NO_VALUE ? turns++ : second->turn;
		m->extensions[r] =
			(struct extension){g->rules[r].first, second->turn, g->value_count + r};
	}
	qsort(m->extensions, g->rule_count, sizeof *m->extensions, by_parts);
	for (uint32_t s = 0; s <= pairs_symbols(g); s++) {
		while (at < g->rule_count && m->extensions[at].first < s)
			at++;
		m->symbols[s].begins = at;
	}
}

/* Numbers the extensions of a phrase from `end` downwards; returns the first number. */
static uint32_t number_growths(struct maker *m, uint32_t phrase, uint32_t end)
{
	const struct symbol *symbol = &m->symbols[m->out->symbol[phrase]];
	for (uint32_t e = symbol->begins; e < symbol[1].begins; e++)
		m->out->symbol[--end] = m->extensions[e].symbol;
	return end;
}

/* Numbers the phrases by depth-first search; the last one found gets the lowest number. */
static void number_phrases(struct maker *m)
{
	const uint32_t values = m->grammar->value_count;
	uint32_t lowest = m->out->count;
	for (uint32_t v = 0; v < values; v++) {
		size_t count = 0;
		m->out->symbol[v] = v;
		m->waiting[count++] = v;
		while (count) {
			const uint32_t end = lowest;
			lowest = number_growths(m, m->waiting[--count], end);
			for (uint32_t n = end; n-- > lowest;)
				m->waiting[count++] = n;
		}
	}
}

static uint64_t price_of(const struct maker *m, uint32_t phrase)
{
	return (uint64_t)m->grammar->bits[m->out->symbol[phrase]] << PRICE_BITS | phrase;
}

/* Sorts the rules with a code that are runs (or are not) by value and run, as value << 48 | (run -
   1) << 32 | phrase; returns how many. */
static uint32_t sort_rules(struct maker *m, bool runs)
{
	uint32_t count = 0;
	for (uint32_t n = m->grammar->value_count; n < m->out->count; n++) {
		const struct symbol *s = &m->symbols[m->out->symbol[n]];
		const uint64_t run = runs ? s->run - 1 : 0;
		if (m->grammar->bits[m->out->symbol[n]] && is_run(m, m->out->symbol[n]) == runs)
			m->sorted[count++] = (uint64_t)s->value << 48 | run << 32 | n;
	}
	qsort(m->sorted, count, sizeof *m->sorted, by_number);
	return count;
}

static bool make_priced(struct priced *p, uint32_t values, size_t count)
{
	*p = (struct priced){
		.begins = malloc((values + 1) * sizeof *p->begins),
		.length = calloc(count + 1, sizeof *p->length),
		.price = calloc(count + 1, sizeof *p->price),
	};
	return p->begins && p->length && p->price;
}

static void put_priced(const struct maker *m, struct priced *p, uint32_t at, uint32_t phrase)
{
	p->length[at] = m->grammar->length[m->out->symbol[phrase]];
	p->price[at] = price_of(m, phrase);
}

static bool list_runs(struct maker *m)
{
	const uint32_t values = m->grammar->value_count, count = sort_rules(m, true);
	struct priced *runs = &m->out->runs;
	if (!make_priced(runs, values, count))
		return false;
	uint32_t at = 0;
	for (uint32_t v = 0; v < values; v++) {
		runs->begins[v] = at;
		for (; at < count && m->sorted[at] >> 48 == v; at++)
			put_priced(m, runs, at, (uint32_t)m->sorted[at]);
	}
	runs->begins[values] = at;
	return true;
}

static bool list_mixed(struct maker *m)
{
	const uint32_t values = m->grammar->value_count, count = sort_rules(m, false);
	struct phrases *out = m->out;
	/* Each value that has phrases may leave one word partly filled. */
	const size_t room = count / 64 * 64 + 64 * (size_t)(count < values ? count : values) + 64;
	out->mixed_mask = calloc(room, sizeof *out->mixed_mask);
	if (!make_priced(&out->mixed, values, room) || !out->mixed_mask)
		return false;
	uint32_t at = 0;
	for (uint32_t v = 0, i = 0; v < values; v++) {
		out->mixed.begins[v] = at / 64;
		for (; i < count && m->sorted[i] >> 48 == v; i++, at++) {
			const uint32_t phrase = (uint32_t)m->sorted[i];
			put_priced(m, &out->mixed, at, phrase);
			out->mixed_mask[at] = m->symbols[out->symbol[phrase]].mask;
		}
		at = (at + 63) / 64 * 64;
	}
	out->mixed.begins[values] = out->words = at / 64;
	return true;
}

static bool make_all(struct maker *m)
{
	sort_by_length(m);
	list_steps(m);
	sort_extensions(m);
	number_phrases(m);
	for (uint32_t v = 0; v < m->grammar->value_count; v++) {
		m->out->value_price[v] = price_of(m, v);
		m->out->value_mask[v] = m->symbols[v].mask;
	}
	return list_runs(m) && list_mixed(m);
}

bool pairs_phrases_make(struct phrases *out, const struct el_pairs *g)
{
	const uint32_t count = pairs_symbols(g);
	*out = (struct phrases){
		.count = count,
		.symbol = malloc(count * sizeof *out->symbol),
		.value_price = malloc(g->value_count * sizeof *out->value_price),
		.value_mask = malloc(g->value_count * sizeof *out->value_mask),
		.steps = malloc((g->rule_count + 1) * sizeof *out->steps),
	};
	struct maker m = {
		.grammar = g,
		.out = out,
		.symbols = calloc(count + 1, sizeof *m.symbols),
		.extensions = malloc((g->rule_count + 1) * sizeof *m.extensions),
		.sorted = malloc(count * sizeof *m.sorted),
		.waiting = malloc(count * sizeof *m.waiting),
	};
	const bool have = out->symbol && out->value_price && out->value_mask && out->steps &&
	                  m.symbols && m.extensions && m.sorted && m.waiting && make_all(&m);
	free(m.symbols);
	free(m.extensions);
	free(m.sorted);
	free(m.waiting);
	return have;
}

static void priced_free(struct priced *p)
{
	free(p->begins);
	free(p->length);
	free(p->price);
}

void pairs_phrases_free(struct phrases *p)
{
	free(p->symbol);
	free(p->value_price);
	free(p->value_mask);
	free(p->steps);
	free(p->mixed_mask);
	priced_free(&p->runs);
	priced_free(&p->mixed);
}

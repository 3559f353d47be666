/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phrases.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a symbol while the lists are made. */
struct symbol {
	uint32_t value, run; /* what it begins with, and how many of it */
	uint32_t turn;       /* among second parts; PAIRS_NO_VALUE */
	uint32_t bit;        /* as a second part */
	uint32_t begins;     /* its first extension; the next symbol's is its end */
};

/* A rule, as its first part knows it. */
struct extension {
	uint32_t first, turn; /* of the second part */
	uint32_t symbol;      /* of the rule */
};

struct maker {
	const struct el_pairs *grammar;
	struct phrases *out;
	struct symbol *symbols; /* and one more */
	struct extension *extensions;
	uint64_t *sorted;       /* scratch for as many as there are symbols */
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

/* Finds what each symbol begins with; parts, being shorter, come before their rules. */
static void find_runs(struct maker *m)
{
	const struct el_pairs *g = m->grammar;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		m->sorted[s] = (uint64_t)g->length[s] << 32 | s;
	qsort(m->sorted, pairs_symbols(g), sizeof *m->sorted, by_number);
	for (uint32_t i = 0; i < pairs_symbols(g); i++) {
		const uint32_t s = (uint32_t)m->sorted[i];
		if (s < g->value_count) {
			m->symbols[s].value = s;
			m->symbols[s].run = 1;
			continue;
		}
		const uint32_t first = rule_of(m, s)->first;
		const struct symbol *one = &m->symbols[first];
		const struct symbol *two = &m->symbols[rule_of(m, s)->second];
		const bool goes_on = is_run(m, first) && two->value == one->value;
		m->symbols[s].value = one->value;
		m->symbols[s].run = one->run + (goes_on ? two->run : 0);
	}
}

static int by_parts(const void *a, const void *b)
{
	const struct extension *x = a, *y = b;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}

/* Second parts take their turns as rules name them. */
static void sort_extensions(struct maker *m)
{
	const struct el_pairs *g = m->grammar;
	uint32_t turns = 0, at = 0;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		m->symbols[s].turn = PAIRS_NO_VALUE;
	for (uint32_t r = 0; r < g->rule_count; r++) {
		struct symbol *second = &m->symbols[g->rules[r].second];
		second->turn = second->turn == PAIRS_NO_VALUE ? turns++ : second->turn;
		m->extensions[r] = (struct extension){g->rules[r].first, second->turn,
						      g->value_count + r};
	}
	qsort(m->extensions, g->rule_count, sizeof *m->extensions, by_parts);
	for (uint32_t s = 0; s <= pairs_symbols(g); s++) {
		while (at < g->rule_count && m->extensions[at].first < s)
			at++;
		m->symbols[s].begins = at;
	}
}

/* Numbers what grows from a phrase, from `end` downwards; returns where that begins. */
static uint32_t number_growths(struct maker *m, uint32_t phrase, uint32_t end)
{
	const uint32_t symbol = m->out->symbol[phrase];
	const uint32_t begins = m->symbols[symbol].begins, ends = m->symbols[symbol + 1].begins;
	for (uint32_t e = begins; e < ends; e++)
		m->out->symbol[end - 1 - (e - begins)] = m->extensions[e].symbol;
	m->out->all[phrase].grows = end - (ends - begins);
	m->out->all[phrase].grown = end;
	return end - (ends - begins);
}

/* Numbers the phrases: the last that is found gets the lowest number, where what was found last is
   gone on from first. */
static void number_phrases(struct maker *m)
{
	const uint32_t values = m->grammar->value_count;
	uint32_t *waiting = m->out->second; /* not used yet */
	uint32_t lowest = m->out->count;
	for (uint32_t v = 0; v < values; v++) {
		size_t count = 0;
		m->out->symbol[v] = v;
		waiting[count++] = v;
		while (count) {
			const uint32_t end = lowest;
			lowest = number_growths(m, waiting[--count], end);
			for (uint32_t n = end; n-- > lowest;)
				waiting[count++] = n;
		}
	}
}

/* Makes a list of the first `count` of `sorted`, each value << 48 | (length - 1) << 32 | number. */
static bool make_list(struct maker *m, unsigned which, uint32_t count)
{
	struct by_run *list = &m->out->list[which];
	const uint32_t values = m->grammar->value_count;
	list->begins = malloc((values + 1) * sizeof *list->begins);
	list->length = malloc((count + 1) * sizeof *list->length);
	if (!list->begins || !list->length)
		return false;
	qsort(m->sorted, count, sizeof *m->sorted, by_number);
	uint32_t at = 0;
	for (uint32_t v = 0; v < values; v++) {
		list->begins[v] = at;
		for (; at < count && m->sorted[at] >> 48 == v; at++)
			list->length[at] = (uint32_t)(m->sorted[at] >> 32 & 0xffff) + 1;
	}
	list->begins[values] = at;
	return true;
}

static uint64_t place_by_run(const struct maker *m, uint32_t symbol, uint32_t number)
{
	const struct symbol *s = &m->symbols[symbol];
	return (uint64_t)s->value << 48 | (uint64_t)(s->run - 1) << 32 | number;
}

static bool number_bits(struct maker *m)
{
	const uint32_t symbols = pairs_symbols(m->grammar);
	uint32_t bits = 0;
	for (uint32_t s = 0; s < symbols; s++)
		if (m->symbols[s].turn != PAIRS_NO_VALUE && is_run(m, s))
			m->sorted[bits++] = place_by_run(m, s, s);
	if (!make_list(m, SECONDS, bits))
		return false;
	for (uint32_t i = 0; i < bits; i++)
		m->symbols[(uint32_t)m->sorted[i]].bit = i;
	for (uint32_t s = 0; s < symbols; s++)
		if (m->symbols[s].turn != PAIRS_NO_VALUE && !is_run(m, s))
			m->symbols[s].bit = bits++;
	for (uint32_t s = 0; s < symbols; s++)
		if (m->symbols[s].turn == PAIRS_NO_VALUE)
			m->symbols[s].bit = bits;
	m->out->bits = bits + 1;
	return true;
}

/* Fills in what number_phrases left open. */
static void describe_phrases(struct maker *m)
{
	const struct el_pairs *g = m->grammar;
	for (uint32_t n = 0; n < m->out->count; n++) {
		const uint32_t s = m->out->symbol[n];
		struct phrase *phrase = &m->out->all[n];
		phrase->price = g->bits[s] ? (uint64_t)g->bits[s] << PRICE_BITS | n : UINT64_MAX / 2;
		phrase->length = g->length[s];
		phrase->bit = m->symbols[s].bit;
		if (is_run(m, s))
			phrase->grows = phrase->grown = 0;
		m->out->second[n] = s < g->value_count ? 0 : m->symbols[rule_of(m, s)->second].bit;
	}
}

static bool list_runs(struct maker *m)
{
	struct phrases *out = m->out;
	uint32_t count = 0;
	for (uint32_t n = m->grammar->value_count; n < out->count; n++)
		if (is_run(m, out->symbol[n]) && m->grammar->bits[out->symbol[n]])
			m->sorted[count++] = place_by_run(m, out->symbol[n], n);
	out->price = malloc((count + 1) * sizeof *out->price);
	if (!out->price || !make_list(m, RUNS, count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		out->price[i] = out->all[(uint32_t)m->sorted[i]].price;
	return true;
}

static bool list_growths(struct maker *m)
{
	struct phrases *out = m->out;
	uint32_t count = 0;
	for (uint32_t n = m->grammar->value_count; n < out->count; n++)
		if (!is_run(m, out->symbol[n]) && is_run(m, rule_of(m, out->symbol[n])->first))
			m->sorted[count++] = place_by_run(m, out->symbol[n], n);
	out->growths = malloc((count + 1) * sizeof *out->growths);
	if (!out->growths || !make_list(m, GROWTHS, count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t n = (uint32_t)m->sorted[i];
		const uint32_t first = rule_of(m, out->symbol[n])->first;
		out->growths[i] = (struct growth){n, m->grammar->length[first], out->second[n]};
	}
	return true;
}

static bool make_all(struct maker *m)
{
	find_runs(m);
	sort_extensions(m);
	number_phrases(m);
	if (!number_bits(m))
		return false;
	describe_phrases(m);
	return list_runs(m) && list_growths(m);
}

bool pairs_phrases_make(struct phrases *out, const struct el_pairs *g)
{
	const uint32_t count = pairs_symbols(g);
	*out = (struct phrases){
		.count = count,
		.all = malloc(count * sizeof *out->all),
		.symbol = malloc(count * sizeof *out->symbol),
		.second = malloc(count * sizeof *out->second),
	};
	struct maker m = {
		.grammar = g,
		.out = out,
		.symbols = malloc((count + 1) * sizeof *m.symbols),
		.extensions = malloc((g->rule_count + 1) * sizeof *m.extensions),
		.sorted = malloc(count * sizeof *m.sorted),
	};
	const bool have = out->all && out->symbol && out->second && m.symbols && m.extensions &&
			  m.sorted && make_all(&m);
	free(m.symbols);
	free(m.extensions);
	free(m.sorted);
	return have;
}

void pairs_phrases_free(struct phrases *p)
{
	for (unsigned l = 0; l < LISTS; l++) {
		free(p->list[l].begins);
		free(p->list[l].length);
	}
	free(p->all);
	free(p->symbol);
	free(p->second);
	free(p->price);
	free(p->growths);
}

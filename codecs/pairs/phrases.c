/* SPDX-License-Identifier: MIT */
#include "phrases.h"

#include <stdlib.h>

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

static bool is_run(const struct maker *m, uint32_t symbol)
{
	return m->symbols[symbol].run == m->grammar->length[symbol];
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Numbers the masks of rules and their parts, finds the run that each symbol begins with, and lists
   the steps. */
static void list_steps(struct maker *m)
{
	const struct el_pairs *g = m->grammar;
	const uint32_t symbols = pairs_symbols(g);
	struct step *step = m->out->steps;
	m->out->masks = NO_MASK + 1;
	for (uint32_t r = 0; r < g->rule_count; r++) {
		const uint32_t made[] = {g->value_count + r, g->rules[r].first, g->rules[r].second};
		for (unsigned i = 0; i < 3; i++)
			if (m->symbols[made[i]].mask == NO_MASK)
				m->symbols[made[i]].mask = m->out->masks++;
	}
	/* By length, parts come before their rules. */
	for (uint32_t s = 0; s < symbols; s++)
		m->sorted[s] = (uint64_t)g->length[s] << 32 | s;
	qsort(m->sorted, symbols, sizeof *m->sorted, by_number);
	for (uint32_t i = 0; i < symbols; i++) {
		const uint32_t n = (uint32_t)m->sorted[i];
		struct symbol *s = &m->symbols[n];
		if (n < g->value_count) {
			s->value = n;
			s->run = 1;
			continue;
		}
		const struct el_pairs_rule *rule = &g->rules[n - g->value_count];
		const struct symbol *one = &m->symbols[rule->first];
		const struct symbol *two = &m->symbols[rule->second];
		s->value = one->value;
		s->run = one->run;
		if (is_run(m, rule->first) && two->value == one->value)
			s->run += two->run;
		*step++ = (struct step){s->mask, one->mask, two->mask, g->length[rule->first],
		                        g->length[n]};
	}
}

static int by_parts(const void *a, const void *b)
{
	const struct extension *x = a, *y = b;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}

/* Lists the extensions of each symbol, then numbers the phrases by depth-first search; the last one
   found gets the lowest number. */
static void number_phrases(struct maker *m)
{
	const struct el_pairs *g = m->grammar;
	/* Second parts take turns in the order in which rules name them. */
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
	uint32_t lowest = m->out->count;
	for (uint32_t v = 0; v < g->value_count; v++) {
		size_t count = 0;
		m->out->symbol[v] = v;
		m->waiting[count++] = v;
		while (count) {
			const uint32_t end = lowest, phrase = m->waiting[--count];
			const struct symbol *symbol = &m->symbols[m->out->symbol[phrase]];
			for (uint32_t e = symbol->begins; e < symbol[1].begins; e++)
				m->out->symbol[--lowest] = m->extensions[e].symbol;
			for (uint32_t n = end; n-- > lowest;)
				m->waiting[count++] = n;
		}
	}
}

static uint64_t price_of(const struct maker *m, uint32_t phrase)
{
	return (uint64_t)m->grammar->bits[m->out->symbol[phrase]] << PRICE_BITS | phrase;
}

/* Lists the rules with a code that are runs, or those that are not, by value. */
static bool list_rules(struct maker *m, bool runs)
{
	const struct el_pairs *g = m->grammar;
	const uint32_t values = g->value_count, word = runs ? 1 : 64;
	struct phrases *out = m->out;
	struct priced *p = runs ? &out->runs : &out->mixed;
	/* Sorted as value << 48 | (run - 1) << 32 | phrase. */
	uint32_t count = 0;
	for (uint32_t n = values; n < out->count; n++) {
		const struct symbol *s = &m->symbols[out->symbol[n]];
		const uint64_t run = runs ? s->run - 1 : 0;
		if (g->bits[out->symbol[n]] && is_run(m, out->symbol[n]) == runs)
			m->sorted[count++] = (uint64_t)s->value << 48 | run << 32 | n;
	}
	qsort(m->sorted, count, sizeof *m->sorted, by_number);
	/* Each value that has phrases may leave one word partly filled. */
	const size_t room =
		count / word * word + word * (size_t)(count < values ? count : values) + word;
	uint32_t *mask = calloc(room, sizeof *mask);
	*p = (struct priced){
		.begins = malloc((values + 1) * sizeof *p->begins),
		.length = calloc(room, sizeof *p->length),
		.price = calloc(room, sizeof *p->price),
		.mask = mask,
	};
	if (!p->begins || !p->length || !p->price || !mask)
		return false;
	uint32_t at = 0;
	for (uint32_t v = 0, i = 0; v < values; v++) {
		p->begins[v] = at / word;
		for (; i < count && m->sorted[i] >> 48 == v; i++, at++) {
			const uint32_t phrase = (uint32_t)m->sorted[i],
				       symbol = out->symbol[phrase];
			p->length[at] = g->length[symbol];
			p->price[at] = price_of(m, phrase);
			p->mask[at] = m->symbols[symbol].mask;
		}
		at = (at + word - 1) / word * word;
	}
	p->begins[values] = at / word;
	return true;
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
	bool have = out->symbol && out->value_price && out->value_mask && out->steps && m.symbols &&
	            m.extensions && m.sorted && m.waiting;
	if (have) {
		list_steps(&m);
		number_phrases(&m);
		for (uint32_t v = 0; v < g->value_count; v++) {
			out->value_price[v] = price_of(&m, v);
			out->value_mask[v] = m.symbols[v].mask;
		}
		have = list_rules(&m, true) && list_rules(&m, false);
		out->words = have ? out->mixed.begins[g->value_count] : 0;
	}
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
	free(p->mask);
}

void pairs_phrases_free(struct phrases *p)
{
	free(p->symbol);
	free(p->value_price);
	free(p->value_mask);
	free(p->steps);
	priced_free(&p->runs);
	priced_free(&p->mixed);
}

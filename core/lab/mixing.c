/* SPDX-License-Identifier: MIT */
/*
 * Context mixing. A symbol is narrowed down by halving the range of the values that occur, one binary
 * decision after another. For each decision, every context has a probability, which adapts; a logistic
 * mixture of all of them, whose weights learn as well, is what the coder would use (M. Mahoney,
 * Adaptive weighing of context models for lossless data compression, 2005). The cost of a symbol is
 * that of its decisions. Nothing is coded: only the bits are counted.
 */
#include "mixing.h"

#include "core/base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CONTEXTS_MAX = 40,
	INPUTS_MAX = 2 * CONTEXTS_MAX, /* of each context: how likely, and how sure it is of that */
	SLOT_BITS_MIN = 12,
	SLOT_BITS_MAX = 22,
	SEEN_MOST = 255, /* after so many, a probability follows the latest 256 */
	TICK_EACH = 1 << 16,
	DIGIT_MOST = 4096, /* a digit with more places is no context */
};

/* The probability that a decision is a yes, and how often it was asked. */
struct slot {
	uint16_t yes, seen;
};

struct mixer {
	const struct mix_plane *plane;
	uint32_t *rank; /* by symbol: its place among those that occur; owned, like the others */
	uint32_t different;
	struct slot *slots; /* 1 << bits of each context */
	unsigned bits, contexts;
	/* Two mixtures, each with a set of weights for a situation: which decision it is, and how
	   many neighbours agree. */
	float *weights[2];
	uint64_t key[CONTEXTS_MAX];
	unsigned agree;
	double cost; /* so far, in bits */
	uint64_t counted, decisions;
};

static float stretch(float p)
{
	return logf(p / (1 - p));
}

static float squash(float x)
{
	return 1 / (1 + expf(-x));
}

/* The symbol so many steps back along two digits; 0 past the edge. */
static uint32_t back(const struct mix_plane *p, uint64_t i, unsigned a, uint32_t by, unsigned b,
                     uint32_t also)
{
	const uint64_t along = i / p->weight[a] % p->digits->radix[a];
	if (along < by || i / p->weight[b] % p->digits->radix[b] < also)
		return 0;
	return p->symbols[i - by * p->weight[a] - also * p->weight[b]];
}

static void add_key(struct mixer *m, unsigned *n, uint64_t first, uint64_t second)
{
	if (*n == CONTEXTS_MAX)
		return;
	m->key[*n] = hash_mix(hash_mix(first + HASH_FACTOR * *n) + second);
	++*n;
}

/* The contexts of a position: its neighbours alone, along a line, two together and all together;
   what two of them and the one behind both make likely; where a piece stands. */
static void look(struct mixer *m, uint64_t i)
{
	const struct mix_plane *p = m->plane;
	const unsigned digits = p->digits->count;
	uint32_t one[EL_DIGITS_MAX];
	uint64_t all = 0;
	unsigned n = 0;
	m->agree = 0;
	add_key(m, &n, 0, 0);
	for (unsigned d = 0; d < digits; d++) {
		one[d] = back(p, i, d, 1, d, 0);
		all = hash_mix(all + one[d] + 1);
		m->agree += d && one[d] == one[0];
	}
	add_key(m, &n, all, 0);
	for (unsigned d = 0; d < digits; d++) {
		add_key(m, &n, one[d], 0);
		add_key(m, &n, one[d], back(p, i, d, 2, d, 0));
		if (p->digits->radix[d] <= DIGIT_MOST)
			add_key(m, &n, one[d], i / p->weight[d] % p->digits->radix[d]);
	}
	for (unsigned a = 0; a < digits; a++)
		for (unsigned b = a + 1; b < digits; b++) {
			add_key(m, &n, one[a], one[b]);
			add_key(m, &n, (uint64_t)one[a] + one[b] - back(p, i, a, 1, b, 1),
			        one[a] > one[b] ? 2 : one[a] == one[b]);
		}
	m->contexts = n;
}

/* Learns one decision at `node`, and adds what it costs. */
static void decide(struct mixer *m, uint32_t node, bool yes)
{
	struct slot *slot[CONTEXTS_MAX];
	float in[INPUTS_MAX], dot[2] = {0, 0};
	const unsigned inputs = 2 * m->contexts;
	float *const w[2] = {m->weights[0] + (size_t)node * INPUTS_MAX,
	                     m->weights[1] + (size_t)m->agree * INPUTS_MAX};
	for (unsigned c = 0; c < m->contexts; c++) {
		const uint64_t at = hash_mix(m->key[c] + node * HASH_FACTOR) >> (64 - m->bits);
		slot[c] = &m->slots[((size_t)c << m->bits) + at];
		const float p = ((float)slot[c]->yes + 0.5f) / 65536;
		in[2 * c] = slot[c]->seen ? stretch(p) : 0;
		in[2 * c + 1] = (p - 0.5f) * log2f(1 + (float)slot[c]->seen);
	}
	for (unsigned k = 0; k < inputs; k++) {
		dot[0] += w[0][k] * in[k];
		dot[1] += w[1][k] * in[k];
	}
	/* Both mixtures learn from their own error; steps shorten with time. */
	const float rate = 0.002f + 0.018f / (1 + (float)m->decisions++ / 1e5f);
	const float wrong[2] = {rate * ((float)yes - squash(dot[0])),
	                        rate * ((float)yes - squash(dot[1]))};
	for (unsigned k = 0; k < inputs; k++) {
		w[0][k] += wrong[0] * in[k];
		w[1][k] += wrong[1] * in[k];
	}
	float p = squash((dot[0] + dot[1]) / 2);
	p = fminf(fmaxf(p, 1.0f / 65536), 1 - 1.0f / 65536);
	m->cost -= log2(yes ? (double)p : 1 - (double)p);
	for (unsigned c = 0; c < m->contexts; c++) {
		const float target = yes ? 65535 : 0, now = slot[c]->yes;
		slot[c]->yes = (uint16_t)(now + (target - now) / ((float)slot[c]->seen + 1.5f));
		if (slot[c]->seen < SEEN_MOST)
			slot[c]->seen++;
	}
}

/* False without memory. */
static bool mixer_open(struct mixer *m, const struct mix_plane *p)
{
	*m = (struct mixer){.plane = p, .bits = SLOT_BITS_MIN};
	m->rank = calloc(p->values, sizeof *m->rank);
	if (!m->rank)
		return false;
	for (uint64_t i = 0; i < p->positions; i++)
		m->rank[p->symbols[i]] = p->symbols[i] != 0;
	for (uint32_t s = 0; s < p->values; s++)
		if (m->rank[s])
			m->rank[s] = m->different++;
	while (m->bits < SLOT_BITS_MAX && UINT64_C(1) << m->bits < 4 * p->positions)
		m->bits++;
	const size_t sets[2] = {m->different + 1, EL_DIGITS_MAX + 1};
	m->slots = malloc(((size_t)CONTEXTS_MAX << m->bits) * sizeof *m->slots);
	for (unsigned k = 0; k < 2; k++)
		m->weights[k] = malloc(sets[k] * INPUTS_MAX * sizeof **m->weights);
	if (!m->slots || !m->weights[0] || !m->weights[1])
		return false;
	for (size_t i = 0; i < (size_t)CONTEXTS_MAX << m->bits; i++)
		m->slots[i] = (struct slot){1 << 15, 0};
	for (unsigned k = 0; k < 2; k++)
		for (size_t i = 0; i < sets[k] * INPUTS_MAX; i++)
			m->weights[k][i] = i % 2 ? 0 : 0.15f;
	return true;
}

enum el_status mixing_count(const struct mix_plane *p, struct pace *pace, double *bits,
                            uint64_t *counted, struct el_error *error)
{
	struct mixer m;
	enum el_status status =
		mixer_open(&m, p) ? EL_OK
				  : el_fail(error, EL_MEMORY, "mixing contexts: out of memory");
	for (uint64_t i = 0; i < p->positions && !status; i++) {
		const uint64_t behind = i / p->stretch % p->step;
		if (behind)
			i += p->stretch * (p->step - behind);
		if (i % TICK_EACH == 0)
			status = pace_tick(pace, "mixing contexts", error);
		if (i >= p->positions || !p->symbols[i] || status)
			continue;
		look(&m, i);
		m.counted++;
		const uint32_t rank = m.rank[p->symbols[i]];
		for (uint32_t low = 0, high = m.different; high - low > 1;) {
			const uint32_t middle = low + (high - low) / 2;
			decide(&m, middle, rank >= middle);
			*(rank >= middle ? &low : &high) = middle;
		}
	}
	*bits = m.cost;
	*counted = m.counted;
	free(m.rank);
	free(m.slots);
	free(m.weights[0]);
	free(m.weights[1]);
	return status;
}

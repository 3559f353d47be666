/* SPDX-License-Identifier: MIT */
/*
 * References to compare codecs with. The positions of a plane are in the order of the digits, so a
 * neighbour, with one piece one place back, is at a fixed distance; a context is the values of some
 * neighbours.
 */
#include "references.h"

#include "codecs/grammars.h"
#include "core/base/hash.h"
#include "core/table/order.h"
#include "mixing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const el_lab_context_names[] = {
	[EL_LAB_ORDER_0] = "order 0",
	[EL_LAB_ORDER_1] = "order 1",
	[EL_LAB_ORDER_2] = "order 2",
	[EL_LAB_NEIGHBOURS] = "neighbours",
	[EL_LAB_PAIRED] = "re-pair",
	[EL_LAB_MIXED] = "mixing bound",
	NULL,
};

/* ---- the cost of symbols in contexts ---- */

/* Radix sort by bytes, the lowest first, up to the highest byte in use. */
static void sort_keys(uint64_t *keys, uint64_t *room, size_t count)
{
	uint64_t all = 0;
	for (size_t i = 0; i < count; i++)
		all |= keys[i];
	for (unsigned shift = 0; shift < 64 && all >> shift; shift += 8) {
		size_t place[257] = {0};
		for (size_t i = 0; i < count; i++)
			place[(keys[i] >> shift & 255) + 1]++;
		for (unsigned b = 0; b < 256; b++)
			place[b + 1] += place[b];
		for (size_t i = 0; i < count; i++)
			room[place[keys[i] >> shift & 255]++] = keys[i];
		memcpy(keys, room, count * sizeof *keys);
	}
}

static double entropy_term(double n)
{
	return n > 0 ? n * log2(n) : 0;
}

/* log2 of the product a (a + 1) ... (a + n - 1). */
static double rising(double a, double n)
{
	return n == 1 ? log2(a) : (lgamma(a + n) - lgamma(a)) / M_LN2;
}

struct context_cost context_cost(uint64_t *keys, uint64_t *room, size_t count, uint64_t symbols,
                                 unsigned values)
{
	struct context_cost cost = {0};
	const double share = 1.0 / values; /* of each value before the first */
	sort_keys(keys, room, count);
	for (size_t i = 0, end; i < count; i = end) {
		const uint64_t context = keys[i] / symbols;
		size_t next;
		for (end = i; end < count && keys[end] / symbols == context; end = next) {
			for (next = end; next < count && keys[next] == keys[end];)
				next++;
			cost.fixed -= entropy_term((double)(next - end));
			cost.adaptive -= rising(share, (double)(next - end));
		}
		cost.fixed += entropy_term((double)(end - i));
		cost.adaptive += rising(1, (double)(end - i));
		cost.contexts++;
	}
	return cost;
}

/* ---- a plane in the order of its digits ---- */

enum { SAMPLE = 1 << 22, STRETCH = 1 << 12 }; /* most positions counted; consecutive ones */

struct grid {
	struct el_digits digits; /* one digit for all positions if the game has none */
	struct numbering numbering;
	uint16_t *symbols;  /* by number; 0: not coded; owned, like the other arrays */
	uint16_t *derived;  /* by number; the symbol where a capture gives it, else 0 */
	uint32_t values;    /* symbols are below this */
	unsigned different; /* among the coded positions */
	uint64_t counted;
	uint64_t *keys, *room; /* SAMPLE of each */
	uint64_t step;         /* one stretch in so many is counted */
};

static enum el_status grid_make(const struct el_planes *planes, unsigned plane, bool derive,
                                struct grid *g, struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	struct el_order order = {0};
	*g = (struct grid){.values = planes->plane[plane].value_count};
	if (slice->game->digits)
		slice->game->digits(slice, &g->digits);
	order.count = (uint8_t)g->digits.count;
	for (unsigned d = 0; d < g->digits.count; d++)
		order.digit[d] = (uint8_t)d;
	numbering_make(slice, &order, &g->numbering);
	if (!g->digits.count) {
		g->digits = (struct el_digits){.count = 1, .radix = {UINT32_MAX}};
		g->numbering.weight[0] = 1;
	}
	/* Odd: an even one would leave out squares of a piece. */
	g->step = (g->numbering.positions + SAMPLE - 1) / SAMPLE | 1;
	const uint64_t most = g->numbering.positions < SAMPLE ? g->numbering.positions : SAMPLE;
	g->symbols = calloc(g->numbering.positions, sizeof *g->symbols);
	g->derived = derive ? calloc(g->numbering.positions, sizeof *g->derived) : NULL;
	g->keys = malloc(most * sizeof *g->keys);
	g->room = malloc(most * sizeof *g->room);
	if (!g->symbols || (derive && !g->derived) || !g->keys || !g->room)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	const struct el_plane *p = &planes->plane[plane];
	bool seen[1 << 16] = {false};
	for (uint64_t i = 0; i < slice->positions; i++) {
		const uint16_t symbol = p->symbols[i];
		if (!symbol)
			continue;
		const uint64_t number = numbering_of_index(&g->numbering, slice, i);
		if (derive && p->derivable && p->derivable[i]) {
			g->derived[number] = symbol;
			continue;
		}
		g->symbols[number] = symbol;
		g->different += !seen[symbol];
		seen[symbol] = true;
		g->counted++;
	}
	return EL_OK;
}

static void grid_free(struct grid *g)
{
	free(g->symbols);
	free(g->derived);
	free(g->keys);
	free(g->room);
}

/* Goes on from number i to the next one of the sample. */
static uint64_t grid_next(const struct grid *g, uint64_t i)
{
	const uint64_t behind = i / STRETCH % g->step;
	return behind ? i + STRETCH * (g->step - behind) : i;
}

/* ---- contexts ---- */

/* A neighbour: `steps` places back in digit `digit`. */
struct look {
	unsigned digit, steps;
};

static struct el_lab_reference measure(const struct grid *g, const struct look *looks, size_t count)
{
	/* Different contexts have different numbers, below `most`; if there are too many for that,
	   they are hashed, and collisions are rare. */
	const uint64_t most = UINT64_MAX / g->values;
	const bool fits = pow(g->values, (double)count) < (double)most;
	size_t n = 0;
	for (uint64_t i = 0; i < g->numbering.positions; i++) {
		i = grid_next(g, i);
		if (i >= g->numbering.positions || !g->symbols[i] || n == SAMPLE)
			continue;
		uint64_t context = 0;
		for (size_t k = 0; k < count; k++) {
			/* The symbol of the neighbour; 0 past the end of the digit. */
			const unsigned d = looks[k].digit, steps = looks[k].steps;
			const uint64_t weight = g->numbering.weight[d];
			const uint16_t symbol = i / weight % g->digits.radix[d] < steps
			                                ? 0
			                                : g->symbols[i - steps * weight];
			context = fits ? context * g->values + symbol : context + symbol;
			context = fits ? context : random_next(&context); /* a step of SplitMix64 */
		}
		g->keys[n++] = (fits ? context : context % most) * g->values + g->symbols[i];
	}
	const struct context_cost cost = context_cost(g->keys, g->room, n, g->values, g->different);
	const double whole = n ? (double)g->counted / (double)n : 0;
	return (struct el_lab_reference){
		.bytes = cost.fixed / 8 * whole,
		.adaptive_bytes = cost.adaptive / 8 * whole,
		.contexts = cost.contexts,
	};
}

unsigned el_lab_reference_count(const struct el_lab_references *r)
{
	return !r->known ? 0 : r->slow ? EL_LAB_CONTEXTS : EL_LAB_PAIRED;
}

double el_lab_reference_bits(const struct el_lab_references *r, enum el_lab_context context,
                             uint64_t positions)
{
	return 8 * (r->line[0][context].bytes + r->line[1][context].bytes) / (double)positions;
}

/* ---- recursive pairing ---- */

/* Marks a symbol that occurs, and its parts. Returns how many it has marked. */
static uint32_t mark_used(const struct el_pairs *pairs, uint32_t symbol, bool *used)
{
	if (used[symbol])
		return 0;
	used[symbol] = true;
	if (symbol < pairs->value_count)
		return 1;
	const struct el_pairs_rule *rule = &pairs->rules[symbol - pairs->value_count];
	return 1 + mark_used(pairs, rule->first, used) + mark_used(pairs, rule->second, used);
}

/*
 * As Syzygy's files have it (core/foreign/syzygy.h): at most 4,095 values and rules of 3 bytes each, a
 * canonical code of whole phrases, blocks of 64 bytes, 2 bytes for the length of each, and 6 for the
 * place of every sixteenth. The order is that of the digits, not searched for. A value is as free as
 * in a table that leaves out captures. Nothing is learned beyond the sample.
 */
static enum el_status measure_pairs(const struct grid *g, const struct el_watch *watch,
                                    struct el_lab_reference *out, struct el_error *error)
{
	enum {
		RULES = 4095,
		PHRASE = 256,
		WORTH = 6,
		BLOCK_BITS = 8 * 64,
		HEAD = 16,
		SMALL = 1 << 18,
		SMALL_EFFORT = 3
	};
	const uint64_t room = g->step > 1 ? SAMPLE + STRETCH : g->numbering.positions;
	uint16_t *symbols = malloc((room + 1) * sizeof *symbols), *phrases;
	uint8_t *care = malloc(room + 1);
	struct el_pairs pairs;
	uint64_t n = 0, coded = 0;
	size_t count;
	enum el_status status =
		symbols && care ? EL_OK : el_fail(error, EL_MEMORY, "pairs: out of memory");
	for (uint64_t i = 0; !status && (i = grid_next(g, i)) < g->numbering.positions && n < room;
	     i++, n++) {
		const uint16_t symbol = g->symbols[i], derived = g->derived ? g->derived[i] : 0;
		symbols[n] = symbol ? symbol : derived;
		care[n] = symbol ? EL_CARE_EXACT : derived ? EL_CARE_AT_MOST : EL_CARE_NOT;
		coded += symbol != 0;
	}
	const struct el_pairs_task task = {
		.plane = {.symbols = symbols,
	                  .care = care,
	                  .positions = n,
	                  .row = g->numbering.row},
		.value_count = g->values,
		.rules = RULES - g->values,
		.phrase = PHRASE,
		.worth = WORTH,
		.effort = n < SMALL ? SMALL_EFFORT : 0,
		.watch = watch,
	};
	if (!status && coded && g->values < RULES)
		status = el_pairs_learn(&task, &pairs, &phrases, &count, error);
	if (!status && coded && g->values < RULES) {
		bool known[RULES] = {false};
		uint64_t blocks = 1, used = 0, symbols_used = 0;
		for (uint32_t k = 0; k < pairs.value_count + pairs.rule_count; k++)
			symbols_used += pairs.bits[k] ? mark_used(&pairs, k, known) : 0;
		for (size_t i = 0; i < count; i++) {
			const bool full = used + pairs.bits[phrases[i]] > BLOCK_BITS;
			blocks += full;
			used = (full ? 0 : used) + pairs.bits[phrases[i]];
		}
		const double whole = (double)g->counted / (double)coded;
		const uint64_t code = HEAD + 3 * symbols_used;
		out->bytes =
			(double)code + whole * (double)blocks * (BLOCK_BITS / 8 + 2 + 6.0 / 16);
		out->adaptive_bytes = out->bytes;
		el_pairs_free(&pairs);
		free(phrases);
	}
	free(symbols);
	free(care);
	return status;
}

/* ---- a plane ---- */

static void measure_plane(const struct grid *g, unsigned plane, struct el_lab_references *out)
{
	struct el_lab_reference *line = out->line[plane];
	struct look looks[EL_DIGITS_MAX], two[2] = {{0, 1}, {0, 2}};
	out->counted[plane] = g->counted;
	line[EL_LAB_ORDER_0] = measure(g, NULL, 0);
	for (unsigned d = 0; d < g->digits.count; d++) {
		looks[d] = (struct look){d, 1};
		const struct el_lab_reference one = measure(g, &looks[d], 1);
		if (d && one.bytes >= line[EL_LAB_ORDER_1].bytes)
			continue;
		line[EL_LAB_ORDER_1] = one;
		two[0].digit = two[1].digit = d;
	}
	out->piece[plane] = g->digits.letter[two[0].digit];
	line[EL_LAB_ORDER_2] = measure(g, two, 2);
	line[EL_LAB_NEIGHBOURS] = measure(g, looks, g->digits.count);
}

enum el_status references_find(const struct el_planes *planes, bool derive,
                               struct el_lab_references *out, struct el_error *error)
{
	enum el_status status = EL_OK;
	*out = (struct el_lab_references){.known = true};
#pragma omp parallel for schedule(static, 1)
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		struct grid grid;
		struct el_error one_error;
		const enum el_status one = grid_make(planes, p, derive, &grid, &one_error);
		if (!one)
			measure_plane(&grid, p, out);
		grid_free(&grid);
#pragma omp critical(lab_references)
		{
			out->sampled |= grid.step > 1;
			if (one)
				status = el_fail(error, one, "%s", one_error.text);
		}
	}
	out->known = !status;
	return status;
}

enum el_status references_slow(const struct el_planes *planes, bool derive, struct pace *pace,
                               struct el_lab_references *out, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < planes->slice.planes && !status; p++) {
		struct el_lab_reference *mixed = &out->line[p][EL_LAB_MIXED];
		struct grid grid;
		double bits = 0;
		uint64_t counted = 0;
		status = grid_make(planes, p, derive, &grid, error);
		const struct mix_plane plane = {
			.symbols = grid.symbols,
			.positions = grid.numbering.positions,
			.values = grid.values,
			.digits = &grid.digits,
			.weight = grid.numbering.weight,
			.stretch = STRETCH,
			.step = grid.step,
		};
		if (!status)
			status = mixing_count(&plane, pace, &bits, &counted, error);
		mixed->bytes = counted ? bits / 8 * (double)grid.counted / (double)counted : 0;
		mixed->adaptive_bytes = mixed->bytes;
		if (!status)
			status = measure_pairs(&grid, &pace->inner, &out->line[p][EL_LAB_PAIRED],
			                       error);
		grid_free(&grid);
	}
	out->slow = !status;
	return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learning a grammar from a plane, and the fill that goes with it. The two depend on each other: a
 * grammar tells which choice of the free symbols is cheapest, and another choice leads to a better
 * grammar. Starting from the fewest runs, each round improves both.
 */
#include "pairs.h"
#include "runs.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* A rule costs about as many bits as this many of its uses save. */
	OCCURRENCES = 6,
	/* Larger planes are learned from by a sample of their blocks. */
	SAMPLE_POSITIONS = 1 << 24,
	/* Beyond it no choice is tried but that of the fewest runs. */
	FILL_VALUES = 256,
};

/* A plane, and what is known of it. */
struct learner {
	const struct el_codec_params *params;
	const uint16_t *symbols;
	const uint8_t *care;  /* null: all is exact */
	const uint16_t *last; /* the fill of the round before */
	size_t row;           /* of the plane */
	uint32_t occurrences; /* of a pair that becomes a rule, at least */
	uint64_t positions;
	const struct el_watch *watch;
	struct pairs_grammar grammar;
	uint64_t *frequency; /* by symbol; owned */
	struct el_error *error;
};

static enum el_status out_of_memory(struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "pairs: out of memory");
}

/* ---- rules ---- */

/* The symbols to learn rules from: a copy of evenly spread blocks where there are too many. */
static enum el_status take_sample(const struct learner *l, const uint16_t *symbols,
				  uint16_t **sample, uint64_t *count)
{
	uint64_t block = l->params->block_positions;
	uint64_t blocks = (l->positions + block - 1) / block, wanted = SAMPLE_POSITIONS / block;
	*sample = NULL;
	*count = l->positions;
	if (blocks <= wanted)
		return EL_OK;
	*count = wanted * block;
	*sample = malloc(*count * sizeof **sample);
	for (uint64_t i = 0; *sample && i < wanted; i++)
		memcpy(*sample + i * block, symbols + i * (blocks - 1) / wanted * block,
		       block * sizeof *symbols);
	return *sample ? EL_OK : EL_MEMORY;
}

static enum el_status learn_rules(struct learner *l, const uint16_t *symbols)
{
	const uint32_t block = l->params->block_positions;
	const struct pairs_repair_limits limits = {
		.rules = (uint32_t)l->params->option[PAIRS_RULES],
		.occurrences = l->occurrences,
		.length = block < PAIRS_PHRASE_MAX ? block : PAIRS_PHRASE_MAX,
	};
	uint16_t *sample;
	uint64_t count;
	pairs_grammar_free(&l->grammar);
	free(l->frequency);
	l->frequency = NULL;
	if (take_sample(l, symbols, &sample, &count))
		return out_of_memory(l->error);
	enum el_status status =
		pairs_repair(sample ? sample : symbols, count, block, l->params->value_count,
			     &limits, &l->grammar, &l->frequency, l->error);
	free(sample);
	return status ? status : pairs_grammar_weigh(&l->grammar, l->frequency, l->error);
}

/* ---- parsing a plane ---- */

/* What one thread needs. */
struct hand {
	struct pairs_parser *parser;
	uint32_t *choice;
	uint64_t *frequency;
};

static bool hand_open(const struct learner *l, struct hand *h)
{
	*h = (struct hand){
		.choice = malloc(l->params->block_positions * sizeof *h->choice),
		.frequency = calloc(pairs_symbols(&l->grammar), sizeof *h->frequency),
	};
	return h->choice && h->frequency &&
	       !pairs_parser_open(&l->grammar, l->params->block_positions, &h->parser, NULL);
}

static void hand_close(struct hand *h)
{
	pairs_parser_close(h->parser);
	free(h->choice);
	free(h->frequency);
}

/* Parses one block, counts its phrases and, where `filled` is given, writes the values they stand
   for. */
static void parse_block(const struct learner *l, struct hand *h, uint64_t first, uint16_t *filled)
{
	uint64_t rest = l->positions - first;
	size_t count =
		rest < l->params->block_positions ? (size_t)rest : l->params->block_positions;
	const struct pairs_plane plane = {
		.symbols = l->symbols + first,
		.care = l->care ? l->care + first : NULL,
		.last = l->last ? l->last + first : NULL,
		.row = l->row,
	};
	pairs_parse(h->parser, &plane, count, h->choice);
	for (size_t i = 0; i < count; i += l->grammar.length[h->choice[i]]) {
		h->frequency[h->choice[i]]++;
		if (filled)
			pairs_expand(&l->grammar, h->choice[i], filled + first + i, count - i);
	}
}

static bool goes_on(const struct learner *l, uint64_t done)
{
	return el_watch_tick(l->watch,
			     &(struct el_progress){"choosing phrases", "pairs", (double)done,
						   (double)l->positions, "positions"});
}

/* One thread's share of the blocks. */
static void parse_share(const struct learner *l, struct hand *h, uint64_t *done, int *stopped,
			uint16_t *filled)
{
	const uint64_t block = l->params->block_positions;
#pragma omp for schedule(dynamic, 1)
	for (uint64_t first = 0; first < l->positions; first += block) {
		int stop;
#pragma omp atomic read
		stop = *stopped;
		if (stop)
			continue;
		parse_block(l, h, first, filled);
#pragma omp critical(pairs_watch)
		{
			*done += block;
			if (!goes_on(l, *done)) {
#pragma omp atomic write
				*stopped = 1;
			}
		}
	}
}

/* Parses all blocks; the frequencies are then those of the parse, and the codes fit them. */
static enum el_status parse_plane(struct learner *l, uint16_t *filled)
{
	const uint32_t symbols = pairs_symbols(&l->grammar);
	uint64_t done = 0;
	int stopped = 0, failed = 0;
	memset(l->frequency, 0, symbols * sizeof *l->frequency);
#pragma omp parallel
	{
		struct hand hand;
		bool open = hand_open(l, &hand);
		if (!open) {
#pragma omp atomic write
			failed = 1;
		}
#pragma omp barrier
		if (!failed) {
			parse_share(l, &hand, &done, &stopped, filled);
#pragma omp critical(pairs_frequency)
			for (uint32_t s = 0; s < symbols; s++)
				l->frequency[s] += hand.frequency[s];
		}
		hand_close(&hand);
	}
	if (failed)
		return out_of_memory(l->error);
	if (stopped)
		return el_fail(l->error, EL_STOPPED, "pairs: stopped");
	return pairs_grammar_weigh(&l->grammar, l->frequency, l->error);
}

/* ---- what is not worth its place ---- */

/* Marks the rules that occur, or that others which are kept are made of. */
static void mark_kept(const struct learner *l, bool *kept)
{
	const struct pairs_grammar *g = &l->grammar;
	for (uint32_t r = g->rule_count; r-- > 0;) {
		uint32_t s = g->value_count + r;
		kept[s] = kept[s] || l->frequency[s];
		if (kept[s])
			kept[g->rules[r].first] = kept[g->rules[r].second] = true;
	}
}

/* Drops the rules that are not kept. Pairing has numbered each rule after its parts. */
static enum el_status prune(struct learner *l)
{
	struct pairs_grammar *g = &l->grammar;
	uint32_t symbols = pairs_symbols(g), next = g->value_count;
	bool *kept = calloc(symbols, sizeof *kept);
	uint32_t *number = malloc(symbols * sizeof *number);
	if (!kept || !number) {
		free(kept);
		free(number);
		return out_of_memory(l->error);
	}
	mark_kept(l, kept);
	for (uint32_t s = 0; s < g->value_count; s++)
		number[s] = s;
	for (uint32_t s = g->value_count; s < symbols; s++) {
		const struct pairs_rule *rule = &g->rules[s - g->value_count];
		if (!kept[s])
			continue;
		g->rules[next - g->value_count] =
			(struct pairs_rule){number[rule->first], number[rule->second]};
		l->frequency[next] = l->frequency[s];
		g->length[next] = g->length[s];
		number[s] = next++;
	}
	g->rule_count = next - g->value_count;
	free(kept);
	free(number);
	return pairs_grammar_weigh(g, l->frequency, l->error);
}

/* ---- members of the codec ---- */

static void learner_free(struct learner *l)
{
	pairs_grammar_free(&l->grammar);
	free(l->frequency);
}

enum el_status pairs_prepare(const struct el_codec_params *params, const uint16_t *symbols,
			     uint64_t positions, const struct el_watch *watch, uint8_t **learned,
			     size_t *size, struct el_error *error)
{
	struct learner l = {
		.params = params,
		.symbols = symbols,
		.positions = positions,
		.occurrences = OCCURRENCES,
		.watch = watch,
		.error = error,
	};
	*learned = NULL;
	*size = 0;
	if (params->value_count == 1)
		return EL_OK;
	enum el_status status = learn_rules(&l, symbols);
	for (unsigned pass = 0; pass < 2 && !status; pass++)
		status = parse_plane(&l, NULL);
	if (!status)
		status = prune(&l);
	if (!status)
		status = pairs_grammar_write(&l.grammar, learned, size, error);
	learner_free(&l);
	return status;
}

/* A round: a grammar of what is filled in, and the cheapest fill under it. */
static enum el_status improve(struct learner *l, uint16_t *filled)
{
	enum el_status status = learn_rules(l, filled);
	l->last = filled;
	return status ? status : parse_plane(l, filled);
}

enum el_status pairs_fill(const struct el_codec_params *params, const struct el_codec_plane *plane,
			  const struct el_watch *watch, struct el_error *error)
{
	struct learner l = {
		.params = params,
		.symbols = plane->symbols,
		.care = plane->care,
		.row = plane->row,
		.positions = plane->positions,
		.watch = watch,
		.error = error,
	};
	size_t size = plane->positions * sizeof *plane->symbols;
	struct el_codec_plane filled = *plane;
	filled.symbols = malloc(size);
	if (!filled.symbols)
		return out_of_memory(error);
	memcpy(filled.symbols, plane->symbols, size);
	runs_fill(&filled, params->value_count);
	enum el_status status = EL_OK;
	bool choose = params->value_count > 1 && params->value_count <= FILL_VALUES;
	for (int round = params->option[PAIRS_EFFORT]; round-- > 0 && choose && !status;) {
		l.occurrences = (uint32_t)OCCURRENCES << (round < 3 ? round : 3);
		status = improve(&l, filled.symbols);
	}
	if (!status)
		memcpy(plane->symbols, filled.symbols, size);
	free(filled.symbols);
	learner_free(&l);
	return status;
}

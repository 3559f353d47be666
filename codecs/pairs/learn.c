/* SPDX-License-Identifier: MIT */
/*
 * Learns a grammar from a plane, together with the fill. The two depend on each other: a grammar
 * tells which choice of the free symbols is cheapest, and that choice leads to a better grammar.
 * Starting from the fewest runs, each round improves both.
 */
#include "codecs/runs.h"
#include "core/base/hash.h"
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* A rule costs about as many bits as this many uses save. */
	OCCURRENCES = 6,
	/* From larger planes, only a sample of blocks is used for learning. */
	SAMPLE_POSITIONS = 1 << 24,
	LONG_PHRASE = 64,
	RUN_END = 256, /* positions */
};

/* A plane and the state of learning from it. */
struct learner {
	const struct el_codec_params *params;
	const uint16_t *symbols;
	const uint8_t *care;  /* null: all are exact */
	const uint16_t *last; /* the fill of the round before */
	size_t row;           /* of the plane */
	uint32_t occurrences; /* fewest of a pair that becomes a rule */
	uint32_t phrase;      /* most values of a symbol */
	uint32_t stride;      /* one block in so many is parsed */
	bool quick;           /* skips parsing of long runs and tries fewer choices */
	uint64_t positions;
	const struct el_watch *watch;
	struct el_pairs grammar;
	uint64_t *frequency; /* by symbol; owned */
	struct el_error *error;
};

static enum el_status out_of_memory(struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "pairs: out of memory");
}

/* ---- rules ---- */

static enum el_status learn_rules(struct learner *l, const uint16_t *symbols)
{
	const uint32_t block = l->params->block_positions;
	const struct pairs_repair_limits limits = {
		.rules = (uint32_t)l->params->option[PAIRS_RULES],
		.occurrences = l->occurrences,
		.length = block < l->phrase ? block : l->phrase,
		.block = block,
	};
	/* If there are too many symbols, rules are learned from a copy of some whole blocks. */
	const uint64_t blocks = l->positions / block;
	const uint64_t wanted = SAMPLE_POSITIONS / block;
	const bool samples = blocks > wanted;
	const uint64_t count = samples ? wanted * block : l->positions;
	uint16_t *sample = samples ? malloc(count * sizeof *sample) : NULL;
	el_pairs_free(&l->grammar);
	free(l->frequency);
	l->frequency = NULL;
	if (samples && !sample)
		return out_of_memory(l->error);
	for (uint64_t i = 0; samples && i < wanted; i++)
		memcpy(sample + i * block, symbols + sample_place(i, wanted, blocks) * block,
		       block * sizeof *symbols);
	enum el_status status =
		pairs_repair(sample ? sample : symbols, count, l->params->value_count, &limits,
	                     &l->grammar, &l->frequency, l->error);
	free(sample);
	return status ? status : pairs_grammar_weigh(&l->grammar, l->frequency, l->error);
}

/* ---- parsing a plane ---- */

/* The working memory of one thread. */
struct workspace {
	struct pairs_parser *parser;
	uint32_t *choice;
	uint64_t *frequency;
	/* By value: the longest phrase that repeats it, if that has a code: no other one makes long
	   runs cheaper. */
	uint32_t *runs;
};

/* The output of a parse; each may be null. */
struct parse {
	uint16_t *filled;  /* the values that are chosen */
	uint16_t *phrases; /* of each block, from where its values begin */
	uint64_t *counts;  /* by block: how many phrases */
};

static bool workspace_open(const struct learner *l, struct workspace *h)
{
	const struct el_pairs *g = &l->grammar;
	*h = (struct workspace){
		.choice = malloc(l->params->block_positions * sizeof *h->choice),
		.frequency = calloc(pairs_symbols(&l->grammar), sizeof *h->frequency),
		.runs = malloc(l->grammar.value_count * sizeof *h->runs),
	};
	for (uint32_t v = 0; h->runs && v < g->value_count; v++) {
		uint32_t phrase = v;
		for (uint32_t r = 0; r < g->rule_count; r++)
			if (g->rules[r].first == phrase && g->rules[r].second == phrase)
				phrase = g->value_count + r;
		const bool is_long = g->bits[phrase] && g->length[phrase] >= LONG_PHRASE;
		h->runs[v] = is_long ? phrase : PAIRS_NO_VALUE;
	}
	return h->choice && h->frequency && h->runs &&
	       !pairs_parser_open(&l->grammar, l->params->block_positions, &h->parser, NULL);
}

/* Parses `count` positions of a block from `begin` on. */
static void parse_piece(const struct learner *l, struct workspace *h, uint64_t first, size_t begin,
                        size_t count)
{
	const uint64_t at = first + begin;
	const struct pairs_plane plane = {
		.symbols = l->symbols + at,
		.care = l->care ? l->care + at : NULL,
		.last = l->last ? l->last + at : NULL,
		.row = l->row,
		.quick = l->quick,
	};
	if (count)
		pairs_parse(h->parser, &plane, count, h->choice + begin);
}

/* Finds the longest phrase of one value that fits into a run without its ends. Returns its length,
   or 0 where parsing is as fast. */
static size_t fit_run(const struct learner *l, const struct workspace *h, uint16_t value,
                      size_t run, uint32_t *phrase)
{
	const struct el_pairs *g = &l->grammar;
	*phrase = h->runs[value];
	if (!l->quick || *phrase == PAIRS_NO_VALUE || run < 2 * RUN_END + LONG_PHRASE)
		return 0;
	while (*phrase >= g->value_count &&
	       (!g->bits[*phrase] || g->length[*phrase] > run - 2 * RUN_END))
		*phrase = g->rules[*phrase - g->value_count].first;
	return g->length[*phrase] < LONG_PHRASE ? 0 : g->length[*phrase];
}

/* Parses one block and counts its phrases. Takes long runs, except their ends, from the last fill
   without parsing them. */
static void parse_block(const struct learner *l, struct workspace *h, uint64_t first,
                        const struct parse *out)
{
	const uint64_t rest = l->positions - first;
	const size_t count =
		rest < l->params->block_positions ? (size_t)rest : l->params->block_positions;
	const uint16_t *run = (l->last ? l->last : l->symbols) + first;
	size_t parsed = 0;
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && run[end] == run[i]; end++)
			;
		uint32_t phrase;
		const size_t length = fit_run(l, h, run[i], end - i, &phrase);
		if (!length)
			continue;
		const size_t cut = (end - i - 2 * RUN_END) / length * length;
		const size_t begin = i + (end - i - cut) / 2;
		parse_piece(l, h, first, parsed, begin - parsed);
		for (size_t k = 0; k < cut; k += length)
			h->choice[begin + k] = phrase;
		parsed = begin + cut;
	}
	parse_piece(l, h, first, parsed, count - parsed);
	uint64_t written = 0;
	for (size_t i = 0; i < count; i += l->grammar.length[h->choice[i]]) {
		h->frequency[h->choice[i]]++;
		if (out->filled)
			pairs_expand(&l->grammar, h->choice[i], out->filled + first + i, count - i);
		if (out->phrases)
			out->phrases[first + written++] = (uint16_t)h->choice[i];
	}
	if (out->counts)
		out->counts[first / l->params->block_positions] = written;
}

/* Parses all blocks, then sets the frequencies of this parse and the codes for them. */
static enum el_status parse_plane(struct learner *l, const struct parse *out)
{
	const uint32_t symbols = pairs_symbols(&l->grammar);
	const uint64_t block = (uint64_t)l->params->block_positions * l->stride;
	uint64_t done = 0;
	int stopped = 0, failed = 0;
	memset(l->frequency, 0, symbols * sizeof *l->frequency);
#pragma omp parallel
	{
		struct workspace workspace;
		bool open = workspace_open(l, &workspace);
		if (!open) {
#pragma omp atomic write
			failed = 1;
		}
#pragma omp barrier
		if (!failed) {
#pragma omp for schedule(dynamic, 1)
			for (uint64_t first = 0; first < l->positions; first += block) {
				int stop;
#pragma omp atomic read
				stop = stopped;
				if (stop)
					continue;
				parse_block(l, &workspace, first, out);
#pragma omp critical(pairs_watch)
				{
					done += block;
					const struct el_progress progress = {
						.stage = "choosing phrases",
						.what = "pairs",
						.done = (double)done,
						.total = (double)l->positions,
						.unit = "positions",
					};
					if (!el_watch_tick(l->watch, &progress)) {
#pragma omp atomic write
						stopped = 1;
					}
				}
			}
#pragma omp critical(pairs_frequency)
			for (uint32_t s = 0; s < symbols; s++)
				l->frequency[s] += workspace.frequency[s];
		}
		pairs_parser_close(workspace.parser);
		free(workspace.choice);
		free(workspace.frequency);
		free(workspace.runs);
	}
	if (failed)
		return out_of_memory(l->error);
	if (stopped)
		return el_fail(l->error, EL_STOPPED, "pairs: stopped");
	return pairs_grammar_weigh(&l->grammar, l->frequency, l->error);
}

/* ---- members of the codec ---- */

static void learner_free(struct learner *l)
{
	el_pairs_free(&l->grammar);
	free(l->frequency);
}

enum el_status pairs_prepare(const struct el_codec_params *params,
                             const struct el_codec_plane *plane, const struct el_watch *watch,
                             uint8_t **learned, size_t *size, struct el_error *error)
{
	struct learner l = {
		.params = params,
		.symbols = plane->symbols,
		.positions = plane->positions,
		.occurrences = OCCURRENCES,
		.phrase = PAIRS_PHRASE_MAX,
		.stride = 1,
		.watch = watch,
		.error = error,
	};
	*learned = NULL;
	*size = 0;
	if (params->value_count == 1)
		return EL_OK;
	enum el_status status = learn_rules(&l, plane->symbols);
	for (unsigned pass = 0; pass < 2 && !status; pass++)
		status = parse_plane(&l, &(struct parse){.filled = NULL});
	if (!status)
		status = pairs_grammar_prune(&l.grammar, l.frequency, error);
	if (!status)
		status = pairs_grammar_write(&l.grammar, learned, size, error);
	learner_free(&l);
	return status;
}

/* Each round learns a grammar from the fill, admitting rarer rules each time, then finds the
   cheapest fill under it. `worth`: fewest uses of a rule in the last one. */
static enum el_status choose(struct learner *l, int rounds, uint32_t worth, uint16_t *filled)
{
	enum el_status status = EL_OK;
	for (int round = rounds; round-- > 0 && !status;) {
		l->occurrences = worth << (round < 3 ? round : 3);
		status = learn_rules(l, filled);
		l->last = filled;
		if (!status)
			status = parse_plane(l, &(struct parse){.filled = filled});
	}
	return status;
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
		.phrase = PAIRS_PHRASE_MAX,
		.stride = 1,
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
	bool free_choice = params->value_count > 1 && params->value_count <= PAIRS_FILL_VALUES;
	if (free_choice)
		status = choose(&l, params->option[PAIRS_EFFORT], OCCURRENCES, filled.symbols);
	if (!status)
		memcpy(plane->symbols, filled.symbols, size);
	free(filled.symbols);
	learner_free(&l);
	return status;
}

/* ---- for other formats: codecs/grammars.h ---- */

enum {
	PARSE_POSITIONS = 1 << 16, /* in a thread's unit of work; no phrase crosses a multiple */
	ENOUGH_RUNS = 1 << 15,     /* enough to learn how often phrases are used */
};

static enum el_status write_all(struct learner *l, uint16_t **phrases, size_t *count)
{
	const uint64_t blocks = (l->positions + PARSE_POSITIONS - 1) / PARSE_POSITIONS;
	const struct parse out = {
		.phrases = malloc(l->positions * sizeof *out.phrases),
		.counts = malloc(blocks * sizeof *out.counts),
	};
	enum el_status status =
		out.phrases && out.counts ? parse_plane(l, &out) : out_of_memory(l->error);
	/* Close the gaps between the phrases of blocks. */
	*count = 0;
	for (uint64_t b = 0; !status && b < blocks; *count += out.counts[b++])
		memmove(out.phrases + *count, out.phrases + b * PARSE_POSITIONS,
		        out.counts[b] * sizeof *out.phrases);
	free(out.counts);
	if (status)
		free(out.phrases);
	else
		*phrases = out.phrases;
	return status;
}

/* The learner of a task; `params` is set, too. */
static struct learner begin_task(const struct el_pairs_task *task, struct el_codec_params *params,
                                 struct el_error *error)
{
	*params = (struct el_codec_params){
		.value_count = task->value_count,
		.block_positions = PARSE_POSITIONS,
		.option[PAIRS_RULES] = (int)task->rules,
	};
	return (struct learner){
		.params = params,
		.row = task->plane.row,
		.occurrences = task->worth,
		.positions = task->plane.positions,
		.phrase = task->phrase,
		.stride = 1,
		.quick = true,
		.watch = task->watch,
		.error = error,
	};
}

enum el_status el_pairs_weigh(const struct el_pairs_task *task, double *bits,
                              struct el_error *error)
{
	struct el_codec_params params;
	struct learner l = begin_task(task, &params, error);
	runs_fill(&task->plane, task->value_count);
	enum el_status status = learn_rules(&l, task->plane.symbols);
	*bits = 0;
	for (uint32_t s = 0; !status && s < pairs_symbols(&l.grammar); s++)
		*bits += (double)l.frequency[s] * l.grammar.bits[s];
	learner_free(&l);
	return status;
}

enum el_status el_pairs_learn(const struct el_pairs_task *task, struct el_pairs *out,
                              uint16_t **phrases, size_t *count, struct el_error *error)
{
	struct el_codec_params params;
	struct learner l = begin_task(task, &params, error);
	/* A copy keeps the known values, because the choice is made in the plane. */
	const size_t size = task->plane.positions * sizeof *task->plane.symbols;
	uint16_t *exact = malloc(size);
	enum el_status status = EL_OK;
	if (!exact)
		return out_of_memory(error);
	memcpy(exact, task->plane.symbols, size);
	runs_fill(&task->plane, task->value_count);
	l.symbols = exact;
	l.care = task->plane.care;
	l.last = task->plane.symbols;
	status = choose(&l, (int)task->effort, task->worth, task->plane.symbols);
	/* Drop the rules that a parse does not need. It takes the fewest blocks that together have
	   enough runs. */
	l.occurrences = task->worth;
	if (!status)
		status = learn_rules(&l, task->plane.symbols);
	uint64_t runs = 1;
	for (uint64_t i = 1; i < l.positions; i++)
		runs += task->plane.symbols[i] != task->plane.symbols[i - 1];
	const uint64_t blocks = (l.positions + PARSE_POSITIONS - 1) / PARSE_POSITIONS;
	const uint64_t stride = runs / ENOUGH_RUNS < blocks ? runs / ENOUGH_RUNS : blocks;
	l.stride = stride ? (uint32_t)stride : 1;
	if (!status)
		status = parse_plane(&l, &(struct parse){.filled = NULL});
	l.stride = 1;
	if (!status)
		status = pairs_grammar_prune(&l.grammar, l.frequency, error);
	if (!status)
		status = write_all(&l, phrases, count);
	free(exact);
	free(l.frequency);
	l.frequency = NULL;
	if (status)
		el_pairs_free(&l.grammar);
	else
		*out = l.grammar;
	return status;
}

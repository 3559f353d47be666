/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats_print.h"
#include "core/builder/build.h"
#include "json.h"
#include "tui/text/numbers.h"
#include "tui/text/values.h"

#include <math.h>
#include <string.h>

/* The two halves of el_side_stats.longest and .histogram. */
static const struct {
	const char *name;
	enum el_outcome outcome;
} halves[2] = {{"win", EL_WIN}, {"loss", EL_LOSS}};

/* "win" and "loss" in so many plies, "gain" and "loss" of so many stones. */
static const char *half_words(const struct el_metric *metric, int half)
{
	return metric->stones && half == 0 ? "gain" : outcome_words(halves[half].outcome);
}

static uint64_t half_count(const struct el_side_stats *side, int half)
{
	return half == 0 ? side->all.win : side->all.loss;
}

/* The counts without the rule: what is won or lost too late is won or lost. */
static struct el_counts unruled(const struct el_counts *counts)
{
	struct el_counts c = *counts;
	c.win += c.cursed_win;
	c.loss += c.blessed_loss;
	c.cursed_win = c.blessed_loss = 0;
	return c;
}

/* Those under the shortest rule of more plies than `limit`; null when there is none. */
static const struct el_stats *next_rule(const struct el_stats *stats, size_t count, unsigned limit)
{
	const struct el_stats *next = NULL;
	for (const struct el_stats *s = stats; s < stats + count; s++)
		if (s->metric->limit > limit && (!next || s->metric->limit < next->metric->limit))
			next = s;
	return next;
}

/* Bounds as [lower][upper], after the paper that core/solve/partial.c names: L, T (a tie), W. */
struct bound {
	const char *name;
	enum el_outcome outcome;
	uint64_t count;
};

enum { BOUNDS = 6 };

static void list_bounds(const struct el_counts *c, struct bound out[BOUNDS])
{
	const struct bound bounds[BOUNDS] = {
		{"LL", EL_LOSS, c->loss},
		{"TT", EL_DRAW, c->draw},
		{"WW", EL_WIN, c->win},
		{"LT", EL_AT_MOST_DRAW, c->at_most_draw},
		{"TW", EL_AT_LEAST_DRAW, c->at_least_draw},
		{"LW", EL_UNKNOWN, c->unknown},
	};
	memcpy(out, bounds, sizeof bounds);
}

/* Does a leading rank of the side to move, or of the other side, occur at all? */
static bool rank_occurs(const struct el_side_stats *side, bool own, unsigned rank)
{
	bool occurs = false;
	for (unsigned other = 0; other < EL_LEADING_RANKS; other++)
		occurs |= side->resolved[own ? rank : other][own ? other : rank].positions != 0;
	return occurs;
}

static double resolved_percent(const struct el_resolved *r)
{
	return 50 * (double)r->points / (double)r->positions;
}

/* ---- text ---- */

enum { LABEL_COLS = 15 };

static void print_share(FILE *out, const char *name, uint64_t n, uint64_t all)
{
	char number[GROUPED_MAX];
	fprintf(out, "  %-*s %15s  %6.2f %%\n", LABEL_COLS, name, grouped(n, number),
	        all ? 100 * (double)n / (double)all : 0);
}

static void print_outcomes(FILE *out, const struct el_counts *stored, const struct el_stats *stats)
{
	struct bound bounds[BOUNDS];
	const struct el_counts unruled_counts = unruled(stored), *counts = &unruled_counts;
	print_share(out, outcome_words(EL_WIN), counts->win, counts->legal);
	if (stats->metric->wins_only) {
		print_share(out, "no win", counts->at_most_draw, counts->legal);
		return;
	}
	print_share(out, outcome_words(EL_DRAW), counts->draw, counts->legal);
	print_share(out, outcome_words(EL_LOSS), counts->loss, counts->legal);
	list_bounds(counts, bounds);
	for (size_t i = 0; i < BOUNDS && stats->partial; i++)
		if (!el_outcome_exact(bounds[i].outcome))
			print_share(out, outcome_words(bounds[i].outcome), bounds[i].count,
			            counts->legal);
}

static void print_counts(FILE *out, const struct el_stats *stats, int turn)
{
	const struct el_side_stats *side = &stats->side[turn];
	char legal[GROUPED_MAX], unique[GROUPED_MAX];
	fprintf(out, "  %-*s %15s  unique %s\n", LABEL_COLS, "legal",
	        grouped(side->all.legal, legal), grouped(side->unique, unique));
	print_outcomes(out, &side->all, stats);
	if (!stats->slice.game->forced_captures)
		return;
	fprintf(out, "  without a capture\n");
	print_share(out, "legal", side->no_capture.legal, side->all.legal);
	print_outcomes(out, &side->no_capture, stats);
}

static void print_rule(FILE *out, const struct el_stats *stats, int turn)
{
	const struct el_counts *counts = &stats->side[turn].all;
	const struct {
		enum el_outcome outcome;
		uint64_t count;
	} rows[] = {
		{EL_WIN, counts->win},   {EL_CURSED_WIN, counts->cursed_win},
		{EL_DRAW, counts->draw}, {EL_BLESSED_LOSS, counts->blessed_loss},
		{EL_LOSS, counts->loss},
	};
	fprintf(out, "\n  under the %u-move rule\n", stats->metric->limit / 2);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		print_share(out, outcome_words(rows[i].outcome), rows[i].count, counts->legal);
}

static void print_resolved_row(FILE *out, const struct el_side_stats *side, unsigned own)
{
	fprintf(out, "  %u", own);
	for (unsigned others = EL_LEADING_RANKS; others-- > 0;) {
		const struct el_resolved *r = &side->resolved[own][others];
		if (r->positions)
			fprintf(out, "%5.0f", resolved_percent(r));
		else if (rank_occurs(side, false, others))
			fprintf(out, "%5s", "-");
	}
	fputc('\n', out);
}

/* Rows are the leading ranks of the side to move, columns those of the other side. */
static void print_resolved(FILE *out, const struct el_side_stats *side)
{
	fprintf(out,
	        "\n  percent resolved without a capture, by leading rank (down: the side to move, "
	        "across: the other)\n   ");
	for (unsigned others = EL_LEADING_RANKS; others-- > 0;)
		if (rank_occurs(side, false, others))
			fprintf(out, "%5u", others);
	fputc('\n', out);
	for (unsigned own = EL_LEADING_RANKS; own-- > 0;)
		if (rank_occurs(side, true, own))
			print_resolved_row(out, side, own);
}

static void print_records(FILE *out, const struct el_metric *metric,
                          const struct el_side_stats *side)
{
	static const char *const names[2][2] = {{"longest win", "longest loss"},
	                                        {"greatest gain", "greatest loss"}};
	for (int half = 0; half < 2; half++) {
		char depth[SENTENCE_MAX];
		if (half_count(side, half))
			fprintf(out, "  %-*s  %s  %s\n", metric->stones ? 13 : 12,
			        names[metric->stones][half],
			        depth_words(metric, side->longest[half], true, depth),
			        side->longest_fen[half]);
	}
}

static void print_histogram(FILE *out, const struct el_metric *metric,
                            const struct el_side_stats *side, int half)
{
	enum { WIDTH = 48 };
	static const char bar[] = "################################################";
	const uint64_t *count = side->histogram[half];
	uint64_t most = 1;
	for (unsigned ply = 0; ply < side->plies; ply++)
		most = count[ply] > most ? count[ply] : most;
	for (unsigned ply = 0; ply < side->plies; ply++) {
		char number[GROUPED_MAX];
		double length = WIDTH * ((double)count[ply] / (double)most);
		if (count[ply])
			fprintf(out, "  %-4s %4u %15s  %.*s\n", half_words(metric, half), ply,
			        grouped(count[ply], number), length < 1 ? 1 : (int)length, bar);
	}
}

static void print_side(FILE *out, const struct el_stats *stats, size_t count, int turn)
{
	fprintf(out, "\n%s to move\n", stats[0].slice.game->sides[turn]);
	print_counts(out, &stats[0], turn);
	if (stats[0].partial && stats[0].slice.game->leading_rank)
		print_resolved(out, &stats[0].side[turn]);
	for (const struct el_stats *rule = NULL;
	     (rule = next_rule(stats, count, rule ? rule->metric->limit : 0));)
		print_rule(out, rule, turn);
	for (size_t i = 0; i < count; i++) {
		const struct el_side_stats *side = &stats[i].side[turn];
		if (!stats[i].metric->has_depth || !side->plies)
			continue;
		fprintf(out, "\n  %s%s%s%s\n", stats[i].metric->title,
		        stats[i].metric->stones ? "" : ", in ",
		        stats[i].metric->stones ? "" : depth_unit(stats[i].metric, false),
		        stats[i].rounded ? " ±1: the table keeps moves" : "");
		print_histogram(out, stats[i].metric, side, 0);
		print_histogram(out, stats[i].metric, side, 1);
		print_records(out, stats[i].metric, side);
	}
}

static void print_passes(FILE *out, const struct el_metric *metric, unsigned passes)
{
	fprintf(out, "\n%s solved in %u %s\n", metric->name, passes,
	        plural(passes, "pass", "passes"));
}

/* What each stage decided. Draws are what is left in the end. */
static void print_solution(FILE *out, const struct el_stats *stats,
                           const struct el_solution *solution)
{
	char number[GROUPED_MAX], seconds[TIME_MAX];
	if (solution->passes)
		print_passes(out, stats->metric, solution->passes);
	else if (stats->partial && stats->passes)
		print_passes(out, stats->metric, stats->passes);
	for (const struct el_stage *p = solution->stage; p->name[0]; p++)
		fprintf(out, "  %-12s %13s %s %12s\n", p->name, grouped(p->decided, number),
		        stats->partial ? "upper and lower bounds" : "won or lost",
		        seconds_text(p->seconds, seconds));
}

/* Positions in which whoever moves would rather not. */
static void print_zugzwangs(FILE *out, const struct el_stats *stats)
{
	const uint64_t counts[] = {
		[EL_ZUGZWANG_FULL] = stats->mutual_full,
		[EL_ZUGZWANG_WHITE_HALF] = stats->mutual_white_half,
		[EL_ZUGZWANG_BLACK_HALF] = stats->mutual_black_half,
	};
	char number[GROUPED_MAX];
	fprintf(out, "\nmutual zugzwangs\n");
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++)
		fprintf(out, "  %-42s %15s\n",
		        zugzwang_words(stats->slice.game, (enum el_zugzwang)kind),
		        grouped(counts[kind], number));
}

void stats_print_text(struct cli *cli, const struct el_stats *stats,
                      const struct el_solution *solutions, size_t count)
{
	FILE *out = cli->out;
	fprintf(out, "%s\n", stats[0].slice.name);
	print_side(out, stats, count, EL_WHITE);
	print_side(out, stats, count, EL_BLACK);
	if (!stats[0].metric->wins_only) /* which knows no losses */
		print_zugzwangs(out, &stats[0]);
	for (size_t i = 0; i < count; i++)
		print_solution(out, &stats[i], &solutions[i]);
}

/* ---- json ---- */

static cJSON *record_object(const struct el_metric *metric, const struct el_side_stats *side,
                            int half)
{
	if (!half_count(side, half))
		return cJSON_CreateNull();
	cJSON *record = cJSON_CreateObject();
	json_count(record, metric->stones ? "stones" : "plies", side->longest[half]);
	json_text(record, "fen", side->longest_fen[half]);
	return record;
}

static cJSON *histogram_object(const struct el_metric *metric, const struct el_side_stats *side,
                               int half)
{
	(void)metric;
	cJSON *histogram = cJSON_CreateObject();
	for (unsigned ply = 0; ply < side->plies; ply++) {
		char name[16];
		snprintf(name, sizeof name, "%u", ply);
		if (side->histogram[half][ply])
			json_count(histogram, name, side->histogram[half][ply]);
	}
	return histogram;
}

/* {METRIC: {"win": ..., "loss": ...}} for the metrics with depths. */
static void
add_by_metric(cJSON *object, const char *name, const struct el_stats *stats, size_t count, int turn,
              cJSON *(*make)(const struct el_metric *, const struct el_side_stats *, int half))
{
	cJSON *metrics = cJSON_AddObjectToObject(object, name);
	for (size_t i = 0; i < count; i++) {
		if (!stats[i].metric->has_depth)
			continue;
		cJSON *metric = cJSON_AddObjectToObject(metrics, stats[i].metric->name);
		for (int half = 0; half < 2; half++)
			cJSON_AddItemToObject(metric, halves[half].name,
			                      make(stats[i].metric, &stats[i].side[turn], half));
	}
}

/* "score": {"-3": 2, "0": 7, ...}, from the least. */
static void add_stones(cJSON *object, const struct el_stats *stats, int turn)
{
	const struct el_side_stats *side = &stats->side[turn];
	cJSON *stones = cJSON_AddObjectToObject(object, stats->metric->name);
	const int most = (int)side->plies - 1;
	for (int n = -most; n <= most; n++) {
		char name[16];
		const uint64_t count = n < 0   ? side->histogram[1][-n]
		                       : n > 0 ? side->histogram[0][n]
		                               : side->all.draw;
		snprintf(name, sizeof name, "%d", n);
		if (count)
			json_count(stones, name, count);
	}
	if (most < 0)
		json_count(stones, "0", side->all.draw);
}

static void add_outcomes(cJSON *object, const struct el_counts *stored,
                         const struct el_metric *metric)
{
	const struct el_counts counts = unruled(stored);
	json_count(object, "legal", counts.legal);
	json_count(object, "win", counts.win);
	if (metric->wins_only) {
		json_count(object, "at_most_draw", counts.at_most_draw);
		return;
	}
	json_count(object, "draw", counts.draw);
	json_count(object, "loss", counts.loss);
}

/* "wdl50": {...}, by the name of the metric that is the outcome under the rule. */
static void add_rule(cJSON *side, const struct el_metric *metric, const struct el_counts *counts)
{
	cJSON *object = cJSON_AddObjectToObject(side, el_metric_entered(metric)->name);
	json_count(object, "win", counts->win);
	json_count(object, "cursed_win", counts->cursed_win);
	json_count(object, "draw", counts->draw);
	json_count(object, "blessed_loss", counts->blessed_loss);
	json_count(object, "loss", counts->loss);
}

static void add_bounds(cJSON *object, const struct el_counts *counts)
{
	struct bound bounds[BOUNDS];
	list_bounds(counts, bounds);
	cJSON *names = cJSON_AddObjectToObject(object, "bounds");
	for (size_t i = 0; i < BOUNDS; i++)
		json_count(names, bounds[i].name, bounds[i].count);
}

static void add_no_capture(cJSON *object, const struct el_stats *stats, int turn)
{
	const struct el_counts *counts = &stats->side[turn].no_capture;
	cJSON *no_capture = cJSON_AddObjectToObject(object, "no_capture");
	add_outcomes(no_capture, counts, stats->metric);
	if (stats->partial)
		add_bounds(no_capture, counts);
}

/* {"7": {"7": 16.2, ...}, ...}, in tenths of a percent. */
static void add_resolved(cJSON *object, const struct el_side_stats *side)
{
	cJSON *resolved = cJSON_AddObjectToObject(object, "resolved");
	for (unsigned own = EL_LEADING_RANKS; own-- > 0;) {
		char name[16];
		if (!rank_occurs(side, true, own))
			continue;
		snprintf(name, sizeof name, "%u", own);
		cJSON *row = cJSON_AddObjectToObject(resolved, name);
		for (unsigned others = EL_LEADING_RANKS; others-- > 0;) {
			const struct el_resolved *r = &side->resolved[own][others];
			snprintf(name, sizeof name, "%u", others);
			if (r->positions)
				cJSON_AddNumberToObject(row, name,
				                        round(10 * resolved_percent(r)) / 10);
		}
	}
}

static void add_side(cJSON *root, const char *name, const struct el_stats *stats, size_t count,
                     int turn)
{
	const struct el_side_stats *side = &stats[0].side[turn];
	cJSON *object = cJSON_AddObjectToObject(root, name);
	add_outcomes(object, &side->all, stats[0].metric);
	json_count(object, "unique", side->unique);
	for (const struct el_stats *rule = NULL;
	     (rule = next_rule(stats, count, rule ? rule->metric->limit : 0));)
		add_rule(object, rule->metric, &rule->side[turn].all);
	add_by_metric(object, "longest", stats, count, turn, record_object);
	add_by_metric(object, "histogram", stats, count, turn, histogram_object);
	for (size_t i = 0; i < count; i++)
		if (stats[i].metric->stones)
			add_stones(object, &stats[i], turn);
	if (stats[0].slice.game->forced_captures)
		add_no_capture(object, &stats[0], turn);
	if (stats[0].partial)
		add_bounds(object, &side->all);
	if (stats[0].partial && stats[0].slice.game->leading_rank)
		add_resolved(object, side);
}

/* {METRIC: {STAGE: {"decided", "seconds"}}} of the tables of which it is known. */
static void add_solutions(cJSON *root, const struct el_stats *stats,
                          const struct el_solution *solutions, size_t count)
{
	cJSON *stages = cJSON_AddObjectToObject(root, "phases");
	for (size_t i = 0; i < count; i++) {
		if (!solutions[i].passes)
			continue;
		cJSON *object = cJSON_AddObjectToObject(stages, stats[i].metric->name);
		for (const struct el_stage *p = solutions[i].stage; p->name[0]; p++) {
			cJSON *stage = cJSON_AddObjectToObject(object, p->name);
			json_count(stage, "decided", p->decided);
			cJSON_AddNumberToObject(stage, "seconds", p->seconds);
		}
	}
}

/* Null where losses are not known. */
static void add_zugzwangs(cJSON *root, const struct el_stats *stats)
{
	static const char name[] = "mutual_zugzwangs";
	if (stats->metric->wins_only) {
		cJSON_AddNullToObject(root, name);
		return;
	}
	cJSON *mutual = cJSON_AddObjectToObject(root, name);
	json_count(mutual, "full", stats->mutual_full);
	json_count(mutual, "white_half", stats->mutual_white_half);
	json_count(mutual, "black_half", stats->mutual_black_half);
}

/* The metrics of which some depths may be a ply more. */
static void add_rounded(cJSON *root, const struct el_stats *stats, size_t count)
{
	cJSON *names = NULL;
	for (size_t i = 0; i < count; i++) {
		if (!stats[i].rounded)
			continue;
		names = names ? names : cJSON_AddArrayToObject(root, "rounded");
		cJSON_AddItemToArray(names, cJSON_CreateString(stats[i].metric->name));
	}
}

int stats_print_json(struct cli *cli, const struct el_stats *stats,
                     const struct el_solution *solutions, size_t count)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "slice", stats[0].slice.name);
	json_text(root, "game", stats[0].slice.game->name);
	add_side(root, "white_to_move", stats, count, EL_WHITE);
	add_side(root, "black_to_move", stats, count, EL_BLACK);
	add_zugzwangs(root, &stats[0]);
	if (stats[0].partial)
		json_count(root, "passes", stats[0].passes);
	add_rounded(root, stats, count);
	add_solutions(root, stats, solutions, count);
	return json_write(cli, root);
}

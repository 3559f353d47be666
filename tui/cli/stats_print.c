/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats_print.h"
#include "core/builder/build.h"
#include "tui/text/findings.h"
#include "tui/text/json.h"
#include "tui/text/numbers.h"
#include "tui/text/values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Values known only within bounds, in the order of the paper that core/solve/partial.c names. */
static const enum el_outcome bounds[] = {EL_LOSS,         EL_DRAW,          EL_WIN,
                                         EL_AT_MOST_DRAW, EL_AT_LEAST_DRAW, EL_UNKNOWN};
enum { BOUNDS = sizeof bounds / sizeof *bounds };

/* The statistics under the shortest rule of more than `limit` plies; null if there are none. */
static const struct el_stats *next_rule(const struct el_stats *stats, size_t count, unsigned limit)
{
	const struct el_stats *next = NULL;
	for (const struct el_stats *s = stats; s < stats + count; s++)
		if (s->metric->limit > limit && (!next || s->metric->limit < next->metric->limit))
			next = s;
	return next;
}

/* Does a leading rank of the side to move (`own`), or of the other side, occur? */
static bool rank_occurs(const struct el_side_stats *side, bool own, unsigned rank)
{
	double percent;
	bool occurs = false;
	for (unsigned other = 0; other < EL_LEADING_RANKS && !occurs; other++)
		occurs = resolved_percent(side, own ? rank : other, own ? other : rank, &percent);
	return occurs;
}

/* ---- text ---- */

enum { LABEL_COLS = 15 };

static void print_share(FILE *out, const char *name, uint64_t n, uint64_t all)
{
	char number[GROUPED_MAX];
	fprintf(out, "  %-*s %15s  %6.2f %%\n", LABEL_COLS, name, grouped(n, number),
	        all ? 100 * (double)n / (double)all : 0);
}

static void print_outcomes(FILE *out, const struct el_counts *counts, const struct el_stats *stats,
                           bool ruled)
{
	const enum el_outcome *outcome = counted_outcomes(stats->metric, ruled);
	for (; *outcome != EL_OUTCOMES; outcome++)
		print_share(out, counted_words(stats->metric, *outcome),
		            counted(counts, *outcome, ruled), counts->legal);
	for (size_t i = 0; i < BOUNDS && stats->partial && kind_words(stats->metric)->has_losses;
	     i++)
		if (!el_outcome_exact(bounds[i]))
			print_share(out, outcome_words(bounds[i]),
			            counted(counts, bounds[i], ruled), counts->legal);
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
	for (unsigned own = EL_LEADING_RANKS; own-- > 0;) {
		if (!rank_occurs(side, true, own))
			continue;
		fprintf(out, "  %u", own);
		for (unsigned others = EL_LEADING_RANKS; others-- > 0;) {
			double percent;
			if (resolved_percent(side, own, others, &percent))
				fprintf(out, "%5.0f", percent);
			else if (rank_occurs(side, false, others))
				fprintf(out, "%5s", "-");
		}
		fputc('\n', out);
	}
}

/* Prints bars of the number of positions by depth, wins before losses, and the deepest of each. */
static void print_depths(FILE *out, const struct el_metric *metric,
                         const struct el_side_stats *side)
{
	enum { WIDTH = 48 };
	static const char bar[] = "################################################";
	const struct kind_words *kind = kind_words(metric);
	for (int half = 0; half < 2; half++) {
		const uint64_t *count = side->histogram[half];
		uint64_t most = 1;
		for (unsigned ply = 0; ply < side->plies; ply++)
			most = count[ply] > most ? count[ply] : most;
		for (unsigned ply = 0; ply < side->plies; ply++) {
			char number[GROUPED_MAX];
			double length = WIDTH * ((double)count[ply] / (double)most);
			if (count[ply])
				fprintf(out, "  %-4s %4u %15s  %.*s\n", kind->half[half], ply,
				        grouped(count[ply], number), length < 1 ? 1 : (int)length,
				        bar);
		}
	}
	for (int half = 0; half < 2; half++) {
		char depth[SENTENCE_MAX];
		if (counted_half(side, half) && side->longest_fen[half][0])
			fprintf(out, "  %-*s  %s  %s\n", (int)strlen(kind->longest[1]),
			        kind->longest[half],
			        depth_words(metric, side->longest[half], false, depth),
			        side->longest_fen[half]);
	}
}

/* How many wins and losses the clock leaves, every tenth ply and at the last. */
static void print_clock(FILE *out, const struct el_side_stats *side)
{
	fprintf(out, "  by plies on the clock %14s  %15s\n", "wins", "losses");
	for (unsigned clock = 0; clock < side->clocks; clock++) {
		char wins[GROUPED_MAX], losses[GROUPED_MAX];
		if (clock % 10 == 0 || clock + 1 == side->clocks)
			fprintf(out, "  %20u  %14s  %15s\n", clock,
			        grouped(side->standing[0][clock], wins),
			        grouped(side->standing[1][clock], losses));
	}
}

static void print_side(FILE *out, const struct el_stats *stats, size_t count, int turn)
{
	fprintf(out, "\n%s to move\n", stats[0].slice.game->sides[turn]);
	const struct el_side_stats *side = &stats[0].side[turn];
	char legal[GROUPED_MAX], unique[GROUPED_MAX];
	if (stats[0].slice.is_study)
		fprintf(out, "  %-*s %15s\n", LABEL_COLS, "reached",
		        grouped(side->all.legal, legal));
	else
		fprintf(out, "  %-*s %15s  unique %s\n", LABEL_COLS, "legal",
		        grouped(side->all.legal, legal), grouped(side->unique, unique));
	print_outcomes(out, &side->all, &stats[0], false);
	if (side->at_most)
		print_share(out, "plies at most", side->at_most, side->all.legal);
	if (stats[0].slice.game->forced_captures) {
		fprintf(out, "  without a capture\n");
		print_share(out, "legal", side->no_capture.legal, side->all.legal);
		print_outcomes(out, &side->no_capture, &stats[0], false);
	}
	if (stats[0].partial && stats[0].slice.game->leading_rank)
		print_resolved(out, &stats[0].side[turn]);
	for (const struct el_stats *rule = NULL;
	     (rule = next_rule(stats, count, rule ? rule->metric->limit : 0));) {
		fprintf(out, "\n  under the %u-move rule\n", rule->metric->limit / 2);
		print_outcomes(out, &rule->side[turn].all, rule, true);
	}
	for (const struct el_stats *s = stats; s < stats + count; s++) {
		const struct kind_words *kind = kind_words(s->metric);
		if (!kind->has_number || !s->side[turn].plies)
			continue;
		fprintf(out, "\n  %s%s%s%s\n", s->metric->title, kind->of_title,
		        *kind->of_title ? depth_unit(s->metric, false) : "",
		        s->rounded ? " ±1: the table keeps moves" : "");
		print_depths(out, s->metric, &s->side[turn]);
		if (s->side[turn].clocks)
			print_clock(out, &s->side[turn]);
	}
}

void stats_print_text(struct cli *cli, const struct el_stats *stats,
                      const struct el_solution *solutions, size_t count)
{
	FILE *out = cli->out;
	fprintf(out, "%s\n", stats[0].slice.name);
	print_side(out, stats, count, EL_WHITE);
	print_side(out, stats, count, EL_BLACK);
	if (kind_words(stats[0].metric)->has_losses)
		fprintf(out, "\nmutual zugzwangs\n");
	for (int i = 0; i < EL_ZUGZWANGS && kind_words(stats[0].metric)->has_losses; i++) {
		const enum el_zugzwang kind = (enum el_zugzwang)i;
		char words[ZUGZWANG_WORDS_MAX], number[GROUPED_MAX];
		fprintf(out, "  %-42s %15s\n", zugzwang_words(stats[0].slice.game, kind, words),
		        grouped(zugzwang_count(&stats[0], kind), number));
	}
	for (size_t i = 0; i < count; i++) {
		/* Print what each stage decided. Draws are the rest at the end. */
		char number[GROUPED_MAX], seconds[TIME_MAX];
		const unsigned passes = solutions[i].passes ? solutions[i].passes
		                        : stats[i].partial  ? stats[i].passes
		                                            : 0;
		if (passes)
			fprintf(out, "\n%s solved in %u %s\n", stats[i].metric->name, passes,
			        plural(passes, "pass", "passes"));
		for (const struct el_stage *p = solutions[i].stage; p->name[0]; p++)
			fprintf(out, "  %-12s %13s %s %12s\n", p->name, grouped(p->decided, number),
			        stats[i].partial ? "upper and lower bounds" : "won or lost",
			        seconds_text(p->seconds, seconds));
	}
}

/* The letters of some kinds of pieces, in their order. */
static const char *kind_letters(const struct el_game *game, unsigned kinds, char out[EL_KINDS + 1])
{
	size_t count = 0;
	for (unsigned k = 0; k < EL_KINDS; k++)
		if (kinds >> k & 1)
			out[count++] = game->kinds[k];
	out[count] = '\0';
	return out;
}

void stats_print_study_text(struct cli *cli, const struct el_study_stats *s)
{
	FILE *out = cli->out;
	const struct el_game *game = s->stats.slice.game;
	char fen[EL_FEN_MAX], value[VALUE_MAX], frames[GROUPED_MAX], positions[GROUPED_MAX];
	char kinds[EL_KINDS + 1];
	game->format(&s->root, fen);
	fprintf(out, "%s\nroot  %s  %s\n%s %s, %s positions, %.1f %% exact\n", s->stats.slice.name,
	        fen, value_words(s->stats.metric, s->value, value), grouped(s->frames, frames),
	        plural(s->frames, "frame", "frames"), grouped(s->positions, positions),
	        s->positions ? 100 * (double)s->exact / (double)s->positions : 0);
	for (unsigned m = 1; m <= s->pieces; m++) {
		const unsigned open = s->kinds & ~s->followed[m];
		fprintf(out, "promotions after which %u %s besides the kings: ", m,
		        plural(m, "piece moves", "pieces move"));
		if (s->followed[m])
			fprintf(out, "%s followed%s", kind_letters(game, s->followed[m], kinds),
			        open ? ", " : "");
		if (open)
			fprintf(out, "%s open", kind_letters(game, open, kinds));
		fputc('\n', out);
	}
	print_side(out, &s->stats, 1, EL_WHITE);
	print_side(out, &s->stats, 1, EL_BLACK);
}

/* ---- json ---- */

static const char *const half_keys[] = {"win", "loss"};

/* {METRIC: {"win": {"plies", "fen"}, "loss": ...}} for the metrics with depths, and the number of
   positions of each depth: {METRIC: {"win": {PLY: n}, "loss": ...}}. */
static void add_depths(cJSON *object, const struct el_stats *stats, size_t count, int turn)
{
	cJSON *longest = cJSON_AddObjectToObject(object, "longest");
	cJSON *histogram = cJSON_AddObjectToObject(object, "histogram");
	for (size_t i = 0; i < count; i++) {
		const struct el_metric *metric = stats[i].metric;
		const struct el_side_stats *side = &stats[i].side[turn];
		if (!kind_words(metric)->has_number)
			continue;
		cJSON *records = cJSON_AddObjectToObject(longest, metric->name);
		cJSON *counts = cJSON_AddObjectToObject(histogram, metric->name);
		for (int half = 0; half < 2; half++) {
			cJSON *plies = cJSON_AddObjectToObject(counts, half_keys[half]);
			for (unsigned ply = 0; ply < side->plies; ply++) {
				char name[16];
				snprintf(name, sizeof name, "%u", ply);
				if (side->histogram[half][ply])
					json_count(plies, name, side->histogram[half][ply]);
			}
			if (!counted_half(side, half) || !side->longest_fen[half][0]) {
				cJSON_AddNullToObject(records, half_keys[half]);
				continue;
			}
			cJSON *record = cJSON_AddObjectToObject(records, half_keys[half]);
			json_count(record, kind_words(metric)->key, side->longest[half]);
			json_text(record, "fen", side->longest_fen[half]);
		}
	}
}

/* {METRIC: {"win": [n, ...], "loss": ...}}: how many stand with 0, 1, ... plies on the clock. */
static void add_clocks(cJSON *object, const struct el_stats *stats, size_t count, int turn)
{
	cJSON *clocks = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct el_side_stats *side = &stats[i].side[turn];
		if (!side->clocks)
			continue;
		clocks = clocks ? clocks : cJSON_AddObjectToObject(object, "by_clock");
		cJSON *metric = cJSON_AddObjectToObject(clocks, stats[i].metric->name);
		for (int half = 0; half < 2; half++) {
			cJSON *list = cJSON_AddArrayToObject(metric, half_keys[half]);
			for (unsigned clock = 0; clock < side->clocks; clock++)
				cJSON_AddItemToArray(
					list,
					cJSON_CreateNumber((double)side->standing[half][clock]));
		}
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

enum { OUTCOME_KEY_MAX = 24 };

/* "cursed_win" */
static const char *outcome_key(enum el_outcome outcome, char out[OUTCOME_KEY_MAX])
{
	snprintf(out, OUTCOME_KEY_MAX, "%s", el_outcome_name(outcome));
	for (char *dash = out; (dash = strchr(dash, '-'));)
		*dash = '_';
	return out;
}

/* "cursed_win" and so on, without the rule or under it. */
static void add_outcomes(cJSON *object, const struct el_counts *counts,
                         const struct el_metric *metric, bool ruled)
{
	const enum el_outcome *outcome = counted_outcomes(metric, ruled);
	for (; *outcome != EL_OUTCOMES; outcome++) {
		char name[OUTCOME_KEY_MAX];
		json_count(object, outcome_key(*outcome, name), counted(counts, *outcome, ruled));
	}
}

static void add_bounds(cJSON *object, const struct el_counts *counts)
{
	cJSON *names = cJSON_AddObjectToObject(object, "bounds");
	for (size_t i = 0; i < BOUNDS; i++) {
		char name[BOUNDS_NAME_MAX];
		bounds_letters((struct bounds_value){.outcome = (uint8_t)bounds[i]}, name);
		json_count(names, name, counted(counts, bounds[i], true));
	}
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
			double percent;
			snprintf(name, sizeof name, "%u", others);
			if (resolved_percent(side, own, others, &percent))
				cJSON_AddNumberToObject(row, name, round(10 * percent) / 10);
		}
	}
}

static void add_side(cJSON *root, const char *name, const struct el_stats *stats, size_t count,
                     int turn)
{
	const struct el_side_stats *side = &stats[0].side[turn];
	cJSON *object = cJSON_AddObjectToObject(root, name);
	json_count(object, "legal", side->all.legal);
	add_outcomes(object, &side->all, stats[0].metric, false);
	if (stats[0].slice.is_study)
		json_count(object, "at_most", side->at_most);
	else
		json_count(object, "unique", side->unique);
	/* "wdl50": {...}, named after the metric of outcomes under the rule. */
	for (const struct el_stats *rule = NULL;
	     (rule = next_rule(stats, count, rule ? rule->metric->limit : 0));)
		add_outcomes(cJSON_AddObjectToObject(object, el_metric_outcome(rule->metric)->name),
		             &rule->side[turn].all, rule->metric, true);
	add_depths(object, stats, count, turn);
	add_clocks(object, stats, count, turn);
	for (size_t i = 0; i < count; i++)
		if (kind_words(stats[i].metric)->is_signed)
			add_stones(object, &stats[i], turn);
	if (stats[0].slice.game->forced_captures) {
		cJSON *no_capture = cJSON_AddObjectToObject(object, "no_capture");
		json_count(no_capture, "legal", side->no_capture.legal);
		add_outcomes(no_capture, &side->no_capture, stats[0].metric, false);
		if (stats[0].partial)
			add_bounds(no_capture, &side->no_capture);
	}
	if (stats[0].partial)
		add_bounds(object, &side->all);
	if (stats[0].partial && stats[0].slice.game->leading_rank)
		add_resolved(object, side);
}

int stats_print_json(struct cli *cli, const struct el_stats *stats,
                     const struct el_solution *solutions, size_t count)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "slice", stats[0].slice.name);
	json_text(root, "game", stats[0].slice.game->name);
	add_side(root, "white_to_move", stats, count, EL_WHITE);
	add_side(root, "black_to_move", stats, count, EL_BLACK);
	/* Null if losses are unknown. */
	cJSON *mutual =
		kind_words(stats[0].metric)->has_losses ? cJSON_CreateObject() : cJSON_CreateNull();
	cJSON_AddItemToObject(root, "mutual_zugzwangs", mutual);
	for (int kind = 0; kind < EL_ZUGZWANGS && cJSON_IsObject(mutual); kind++)
		json_count(mutual, zugzwang_names[kind].key,
		           zugzwang_count(&stats[0], (enum el_zugzwang)kind));
	if (stats[0].partial)
		json_count(root, "passes", stats[0].passes);
	/* The metrics in which some depths may be a ply more. */
	cJSON *rounded = NULL;
	for (size_t i = 0; i < count; i++) {
		if (!stats[i].rounded)
			continue;
		rounded = rounded ? rounded : cJSON_AddArrayToObject(root, "rounded");
		json_text_item(rounded, stats[i].metric->name);
	}
	/* {METRIC: {STAGE: {"decided", "seconds"}}} for the tables with a known solution. */
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
	return json_write(cli, root);
}

/* ---- comma-separated values ---- */

static const enum el_outcome exact[] = {EL_WIN, EL_CURSED_WIN, EL_DRAW, EL_BLESSED_LOSS, EL_LOSS};
enum { EXACT = sizeof exact / sizeof *exact };

void stats_print_titles(struct cli *cli)
{
	fputs("slice,metric,positions", cli->out);
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < EXACT; i++) {
			char name[OUTCOME_KEY_MAX];
			fprintf(cli->out, ",%s_%s", side ? "black" : "white",
			        outcome_key(exact[i], name));
		}
	fputs(",longest_win,longest_loss,bytes,solve_seconds,write_seconds\n", cli->out);
}

/* The plies of the longest [0] win or [1] loss of either side to move; empty if there is none. */
static void print_longest(struct cli *cli, const struct el_stats *stats, int half)
{
	const struct el_side_stats *best = NULL;
	for (unsigned side = 0; side < 2; side++) {
		const struct el_side_stats *s = &stats->side[side];
		if (counted_half(s, half) && stats->metric->has_depth &&
		    (!best || s->longest[half] > best->longest[half]))
			best = s;
	}
	fputc(',', cli->out);
	if (best)
		fprintf(cli->out, "%u", best->longest[half]);
}

void stats_print_csv(struct cli *cli, const struct el_stats *stats,
                     const struct el_solution *solutions, const uint64_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct el_effort *effort = &solutions[i].effort;
		fprintf(cli->out, "%s,%s,%" PRIu64, stats[i].slice.name, stats[i].metric->name,
		        stats[i].side[0].all.legal);
		for (unsigned side = 0; side < 2; side++)
			for (size_t k = 0; k < EXACT; k++)
				fprintf(cli->out, ",%" PRIu64,
				        counted(&stats[i].side[side].all, exact[k], true));
		for (int half = 0; half < 2; half++)
			print_longest(cli, &stats[i], half);
		if (bytes[i])
			fprintf(cli->out, ",%" PRIu64, bytes[i]);
		else
			fputc(',', cli->out);
		if (solutions[i].passes)
			fprintf(cli->out, ",%.3f,%.3f\n", effort->solve_seconds,
			        effort->write_seconds);
		else
			fputs(",,\n", cli->out);
	}
}

int stats_print_study_json(struct cli *cli, const char *path, const struct el_study_stats *s)
{
	const struct el_game *game = s->stats.slice.game;
	const bool deep = value_is_deep(s->stats.metric, s->value);
	char fen[EL_FEN_MAX], kinds[EL_KINDS + 1];
	cJSON *root = cJSON_CreateObject();
	game->format(&s->root, fen);
	json_text(root, "study", path);
	json_text(root, "slice", s->stats.slice.name);
	json_text(root, "game", game->name);
	json_text(root, "fen", fen);
	json_text(root, "wdl", el_outcome_name(s->value.outcome));
	json_known(root, s->stats.metric->name, deep && !s->value.at_most, s->value.plies);
	json_known(root, "at_most", deep && s->value.at_most, s->value.plies);
	json_count(root, "frames", s->frames);
	json_count(root, "positions", s->positions);
	json_count(root, "exact", s->exact);
	cJSON *promotions = cJSON_AddArrayToObject(root, "promotions");
	for (unsigned m = 1; m <= s->pieces; m++) {
		cJSON *one = json_item(promotions);
		json_count(one, "pieces", m);
		json_text(one, "followed", kind_letters(game, s->followed[m], kinds));
		json_text(one, "open", kind_letters(game, s->kinds & ~s->followed[m], kinds));
	}
	add_side(root, "white_to_move", &s->stats, 1, EL_WHITE);
	add_side(root, "black_to_move", &s->stats, 1, EL_BLACK);
	return json_write(cli, root);
}

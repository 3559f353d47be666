/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats_print.h"
#include "json.h"
#include "text.h"


/* The two halves of el_side_stats.longest and .histogram. */
static const struct {
	const char *name;
	enum el_outcome outcome;
} halves[2] = {{"win", EL_WIN}, {"loss", EL_LOSS}};

static uint64_t half_count(const struct el_side_stats *side, int half)
{
	return half == 0 ? side->win : side->loss;
}

/* ---- text ---- */

static void print_share(FILE *out, const char *name, uint64_t n, uint64_t all)
{
	char number[GROUPED_MAX];
	fprintf(out, "  %-8s %15s  %6.2f %%\n", name, grouped(n, number),
	        all ? 100 * (double)n / (double)all : 0);
}

static void print_counts(FILE *out, const struct el_side_stats *side)
{
	char legal[GROUPED_MAX], unique[GROUPED_MAX];
	fprintf(out, "  %-8s %15s  unique %s\n", "legal", grouped(side->legal, legal),
	        grouped(side->unique, unique));
	print_share(out, "win", side->win, side->legal);
	print_share(out, "draw", side->draw, side->legal);
	print_share(out, "loss", side->loss, side->legal);
}

static void print_records(FILE *out, const struct el_side_stats *side)
{
	for (int half = 0; half < 2; half++) {
		char depth[VALUE_MAX];
		if (half_count(side, half))
			fprintf(out, "  longest %-4s  %s  %s\n", halves[half].name,
			        depth_words(halves[half].outcome, side->longest[half], depth),
			        side->longest_fen[half]);
	}
}

static void print_histogram(FILE *out, const struct el_side_stats *side, int half)
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
			fprintf(out, "  %-4s %4u %15s  %.*s\n", halves[half].name, ply,
			        grouped(count[ply], number), length < 1 ? 1 : (int)length, bar);
	}
}

static void print_side(FILE *out, const struct el_stats *stats, size_t count, int turn)
{
	fprintf(out, "\n%s to move\n", turn == EL_WHITE ? "White" : "Black");
	print_counts(out, &stats[0].side[turn]);
	for (size_t i = 0; i < count; i++) {
		const struct el_side_stats *side = &stats[i].side[turn];
		if (!stats[i].metric->has_depth || !side->plies)
			continue;
		fprintf(out, "\n  %s, plies\n", stats[i].metric->title);
		print_histogram(out, side, 0);
		print_histogram(out, side, 1);
		print_records(out, side);
	}
}

void stats_print_text(FILE *out, const struct el_stats *stats, size_t count)
{
	char full[GROUPED_MAX], white[GROUPED_MAX], black[GROUPED_MAX];
	fprintf(out, "%s\n", stats[0].slice.name);
	print_side(out, stats, count, EL_WHITE);
	print_side(out, stats, count, EL_BLACK);
	fprintf(out, "\nmutual zugzwangs  full %s  half, White's %s  half, Black's %s\n",
	        grouped(stats[0].mutual_full, full), grouped(stats[0].mutual_white_half, white),
	        grouped(stats[0].mutual_black_half, black));
}

/* ---- json ---- */

static cJSON *record_object(const struct el_side_stats *side, int half)
{
	if (!half_count(side, half))
		return cJSON_CreateNull();
	cJSON *record = cJSON_CreateObject();
	json_count(record, "plies", side->longest[half]);
	json_text(record, "fen", side->longest_fen[half]);
	return record;
}

static cJSON *histogram_object(const struct el_side_stats *side, int half)
{
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
static void add_by_metric(cJSON *object, const char *name, const struct el_stats *stats,
                          size_t count, int turn,
                          cJSON *(*make)(const struct el_side_stats *, int half))
{
	cJSON *metrics = cJSON_AddObjectToObject(object, name);
	for (size_t i = 0; i < count; i++) {
		if (!stats[i].metric->has_depth)
			continue;
		cJSON *metric = cJSON_AddObjectToObject(metrics, stats[i].metric->name);
		for (int half = 0; half < 2; half++)
			cJSON_AddItemToObject(metric, halves[half].name, make(&stats[i].side[turn], half));
	}
}

static void add_side(cJSON *root, const char *name, const struct el_stats *stats, size_t count,
                     int turn)
{
	const struct el_side_stats *side = &stats[0].side[turn];
	cJSON *object = cJSON_AddObjectToObject(root, name);
	json_count(object, "legal", side->legal);
	json_count(object, "win", side->win);
	json_count(object, "draw", side->draw);
	json_count(object, "loss", side->loss);
	json_count(object, "unique", side->unique);
	add_by_metric(object, "longest", stats, count, turn, record_object);
	add_by_metric(object, "histogram", stats, count, turn, histogram_object);
}

int stats_print_json(struct cli *cli, const struct el_stats *stats, size_t count)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "slice", stats[0].slice.name);
	json_text(root, "game", stats[0].slice.game->name);
	add_side(root, "white_to_move", stats, count, EL_WHITE);
	add_side(root, "black_to_move", stats, count, EL_BLACK);
	cJSON *mutual = cJSON_AddObjectToObject(root, "mutual_zugzwangs");
	json_count(mutual, "full", stats[0].mutual_full);
	json_count(mutual, "white_half", stats[0].mutual_white_half);
	json_count(mutual, "black_half", stats[0].mutual_black_half);
	return json_write(cli, root);
}

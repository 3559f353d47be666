/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_figures.h"

#include "tui/text/clean.h"
#include "tui/text/json.h"
#include "tui/text/numbers.h"
#include "tui/text/values.h"

static const char *const side_names[] = {"White", "Black"}, *const side_keys[] = {"white", "black"};

/* Who wins the positions of a figure. */
static unsigned winner_of(const struct el_figure *f)
{
	return f->outcome > EL_DRAW ? f->side : !f->side;
}

static void print_figure(FILE *out, const struct el_figure *f)
{
	char ours[VALUE_MAX], theirs[VALUE_MAX];
	if (f->kind == EL_FIGURE_VALUE) {
		fprintf(out, "  %s: ours %s, theirs %s\n", f->fen,
		        value_words(f->metric, f->our_value, ours),
		        value_words(f->metric, f->their_value, theirs));
		return;
	}
	if (f->kind == EL_FIGURE_LONGEST) {
		fprintf(out, "  longest win of %s in %s, %s to move: ours %s%s%s%s, theirs %s\n",
		        side_names[winner_of(f)], f->metric->name,
		        f->either ? "either side" : side_names[f->side],
		        f->ours ? depth_words(f->metric, (unsigned)f->ours, false, ours) : "none",
		        *f->fen ? " (" : "", f->fen, *f->fen ? ")" : "",
		        f->theirs ? depth_words(f->metric, (unsigned)f->theirs, false, theirs)
		                  : "none");
		return;
	}
	fprintf(out, "  %s to move, %s", side_names[f->side], outcome_words(f->outcome));
	if (f->kind != EL_FIGURE_COUNT)
		fprintf(out, " in %s%u %s", f->kind == EL_FIGURE_LATE ? "more than " : "", f->plies,
		        depth_unit_of(f->metric, f->plies, false));
	fprintf(out, ": ours %s", grouped(f->ours, ours));
	fprintf(out, ", theirs %s\n", grouped(f->theirs, theirs));
}

void check_figures_text(struct cli *cli, const char *path, const struct el_slice *slice,
                        const struct el_metric *ours, const struct el_figures *found, int cols,
                        double seconds)
{
	char number[GROUPED_MAX], time[TIME_MAX];
	fprintf(cli->out, "%-*s %-5s %15s %s, ", cols, slice->name, ours->name,
	        grouped(found->compared, number), plural(found->compared, "figure", "figures"));
	if (found->different)
		fprintf(cli->out, "%s different from ", grouped(found->different, number));
	else
		fputs("no difference from ", cli->out);
	clean_print(cli->out, path);
	fprintf(cli->out, " in %s  %s\n", found->metric->name, seconds_text(seconds, time));
	for (size_t i = 0; i < found->count; i++)
		print_figure(cli->out, &found->first[i]);
	if (found->different > found->count)
		fprintf(cli->out, "  and %s more\n",
		        grouped(found->different - found->count, number));
	fflush(cli->out);
}

void check_value_json(cJSON *object, const char *name, const struct el_metric *metric,
                      struct el_value value)
{
	cJSON *v = cJSON_AddObjectToObject(object, name);
	json_text(v, "outcome", el_outcome_name(value.outcome));
	if (value_is_deep(metric, value))
		json_count(v, "plies", value.plies);
}

int check_figures_json(struct cli *cli, const char *path, const struct el_slice *slice,
                       const struct el_metric *ours, const struct el_figures *found)
{
	static const char *const kinds[] = {"count", "depth", "late", "longest", "value"};
	cJSON *object = cJSON_CreateObject();
	json_text(object, "slice", slice->name);
	json_text(object, "source", path);
	json_text(object, "ours", ours ? ours->name : NULL);
	json_text(object, "metric", found ? found->metric->name : NULL);
	json_count(object, "compared", found ? found->compared : 0);
	json_count(object, "different", found ? found->different : 0);
	cJSON *first = cJSON_AddArrayToObject(object, "first");
	for (size_t i = 0; found && i < found->count; i++) {
		const struct el_figure *f = &found->first[i];
		cJSON *one = json_item(first);
		json_text(one, "figure", kinds[f->kind]);
		if (f->kind >= EL_FIGURE_LONGEST) {
			json_text(one, "fen", *f->fen ? f->fen : NULL);
			json_text(one, "metric", f->metric->name);
		}
		if (f->kind == EL_FIGURE_VALUE) {
			check_value_json(one, "ours", f->metric, f->our_value);
			check_value_json(one, "theirs", f->metric, f->their_value);
			continue;
		}
		json_text(one, "to_move", f->either ? NULL : side_keys[f->side]);
		if (f->kind == EL_FIGURE_LONGEST)
			json_text(one, "winner", side_keys[winner_of(f)]);
		else
			json_text(one, "outcome", el_outcome_name(f->outcome));
		if (f->kind == EL_FIGURE_DEPTH || f->kind == EL_FIGURE_LATE)
			json_count(one, f->kind == EL_FIGURE_LATE ? "more_than" : "plies",
			           f->plies);
		json_count(one, "ours", f->ours);
		json_count(one, "theirs", f->theirs);
	}
	return json_write(cli, object);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What positions lack, and what the rest of a set takes; all that `doctor` has found, for people and for
   programs. */
#include "doctor.h"

#include "core/builder/build.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"
#include "tui/text/slices.h"
#include "tui/text/text.h"

#include <string.h>

enum { NAMED = 8, PLANNED = 64 };

/* ---- what positions lack ---- */

static bool answers(const struct doctor *d, const struct el_slice *slice)
{
	for (const struct el_entry *e = d->entries; e < d->entries + d->count; e++)
		if (!e->ignored && el_slice_equal(&e->slice, slice))
			return true;
	return false;
}

/* Do the rules alone make every position of the slice a draw? */
static bool is_dead(const struct el_slice *slice)
{
	struct el_position position;
	uint64_t index = 0;
	while (index < slice->positions && !slice->game->unplace(slice, 0, index, &position))
		index++;
	return index < slice->positions && slice->game->dead && slice->game->dead(&position);
}

/* The slices that moves of a slice enter and no table answers for, by name. Returns how many. */
static size_t lacking(const struct doctor *d, const struct el_slice *slice,
                      struct el_slice out[EL_SUCCESSORS_MAX])
{
	struct el_slice next[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, next);
	size_t missing = 0;
	for (size_t i = 0; i < count; i++)
		if (!answers(d, &next[i]) && !is_dead(&next[i]))
			out[missing++] = next[i];
	return missing;
}

/* Is this the first table of its slice on the list? */
static bool is_first(const struct doctor *d, const struct el_entry *entry)
{
	const struct el_entry *e = d->entries;
	while (e->ignored || !el_slice_equal(&e->slice, &entry->slice))
		e++;
	return e == entry && !entry->slice.is_study;
}

/* ---- what the rest takes ---- */

struct rest {
	struct slices slices; /* missing from sets */
	const struct el_metric *metric;
	const char *kind;
	bool planned;
	struct el_plan plan; /* owned; estimated if planned */
};

/* The holes of one set and of those like it. */
static enum el_status plan_rest(struct doctor *d, size_t first, struct rest *out,
                                struct el_error *error)
{
	const struct set *like = &d->sets[first];
	const struct el_metric *const metrics[] = {like->metric, NULL};
	enum el_status status = EL_OK;
	*out = (struct rest){.metric = like->metric, .kind = like->kind};
	for (size_t i = first; i < d->set_count; i++) {
		const struct set *s = &d->sets[i];
		if (s->game != like->game || strcmp(s->kind, like->kind) ||
		    !el_metric_alike(s->metric, like->metric) || !s->meant)
			continue;
		for (size_t k = 0; k < s->count && !status; k++)
			if (!s->have[k])
				status = slices_add(&out->slices, s->slices[k].name, error);
	}
	if (status || !out->slices.count || out->slices.count > PLANNED ||
	    !el_game_has(like->game, like->metric))
		return status;
	out->planned = !el_plan_make(d->library, out->slices.list, out->slices.count, metrics,
	                             &out->plan, error) &&
	               !el_plan_estimate(d->library, &out->plan, error);
	return EL_OK;
}

/* Does the set begin a new kind or metric? Then it is the first of those like it. */
static bool begins(const struct doctor *d, size_t i)
{
	const struct set *a = &d->sets[i], *b = i ? &d->sets[i - 1] : NULL;
	return !b || a->game != b->game || strcmp(a->kind, b->kind) ||
	       !el_metric_alike(a->metric, b->metric);
}

/* ---- for people ---- */

static void print_names(const struct doctor *d, const struct set *s)
{
	const size_t missing = s->count - s->found;
	const size_t most = d->all || missing <= NAMED ? missing : NAMED;
	size_t shown = 0;
	fputs("   missing", d->cli->out);
	for (size_t i = 0; i < s->count && shown < most; i++)
		if (!s->have[i]) {
			fprintf(d->cli->out, " %s", s->slices[i].name);
			shown++;
		}
	if (shown < missing)
		fprintf(d->cli->out, " and %zu more", missing - shown);
}

static void print_sets(const struct doctor *d)
{
	FILE *out = d->cli->out;
	for (size_t i = 0; i < d->set_count; i++) {
		const struct set *s = &d->sets[i];
		if (begins(d, i))
			fprintf(out, "\n%s %s%s%s\n", s->kind, s->metric->name,
			        s->game == el_games[0] ? "" : ", ",
			        s->game == el_games[0] ? "" : s->game->title);
		fprintf(out, "  %u %-8s %4zu of %zu", s->group, s->game->group_is, s->found,
		        s->count);
		if (s->meant && s->found < s->count)
			print_names(d, s);
		fputc('\n', out);
	}
}

static void print_files(const struct doctor *d)
{
	FILE *out = d->cli->out;
	for (int a = 0; a < AILMENTS; a++) {
		size_t count = 0, shown = 0;
		for (size_t i = 0; i < d->ill_count; i++)
			count += d->ills[i].ailment == (enum ailment)a;
		if (!count)
			continue;
		fprintf(out, "\n%s: %zu %s\n", ailments[a].title, count,
		        plural(count, "file", "files"));
		for (size_t i = 0; i < d->ill_count && (d->all || shown < NAMED); i++) {
			if (d->ills[i].ailment != (enum ailment)a)
				continue;
			shown++;
			fputs("  ", out);
			clean_print(out, d->ills[i].path);
			fputs(": ", out);
			clean_print(out, d->ills[i].why);
			fputc('\n', out);
		}
		if (shown < count)
			fprintf(out, "  and %zu more\n", count - shown);
	}
}

static void print_lacking(const struct doctor *d)
{
	FILE *out = d->cli->out;
	struct el_slice missing[EL_SUCCESSORS_MAX];
	size_t told = 0, left = 0;
	for (const struct el_entry *e = d->entries; e < d->entries + d->count; e++) {
		if (e->ignored || !is_first(d, e))
			continue;
		const size_t count = lacking(d, &e->slice, missing);
		if (!count)
			continue;
		if (told == NAMED && !d->all) {
			left++;
			continue;
		}
		if (!told++)
			fputs("\ntables that need a missing one: some of their moves have no "
			      "value, and lines end there\n",
			      out);
		fprintf(out, "  %s:", e->slice.name);
		for (size_t i = 0; i < count && (d->all || i < NAMED); i++)
			fprintf(out, " %s", missing[i].name);
		if (!d->all && count > NAMED)
			fprintf(out, " and %zu more", count - NAMED);
		fputc('\n', out);
	}
	if (left)
		fprintf(out, "  and %zu more\n", left);
}

static enum el_status print_rest(struct doctor *d, struct el_error *error)
{
	FILE *out = d->cli->out;
	bool headed = false;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < d->set_count && !status; i++) {
		struct rest rest;
		char memory[AMOUNT_MAX], disk[AMOUNT_MAX], time[TIME_MAX];
		if (!begins(d, i))
			continue;
		status = plan_rest(d, i, &rest, error);
		progress_clear(&d->progress);
		if (rest.slices.count && !headed)
			fputs("\nto complete the sets\n", out);
		headed = headed || rest.slices.count;
		if (rest.slices.count)
			fprintf(out, "  %s %s: %zu %s", rest.kind, rest.metric->name,
			        rest.slices.count,
			        plural(rest.slices.count, "file to download", "files to download"));
		if (rest.planned)
			fprintf(out, ", or to build: %s, %s of memory, %s of disk\n",
			        seconds_text(rest.plan.seconds, time),
			        bytes_text(rest.plan.bytes, memory),
			        bytes_text(rest.plan.disk, disk));
		else if (rest.slices.count)
			fputs("; 'endlab plan' tells what a build would take\n", out);
		slices_free(&rest.slices);
		el_plan_free(&rest.plan);
	}
	return status;
}

enum el_status doctor_print_text(struct doctor *d, struct el_error *error)
{
	char bytes[AMOUNT_MAX], number[GROUPED_MAX];
	fprintf(d->cli->out, "%s %s, %s, in ", grouped(d->tables, number),
	        plural(d->tables, "table", "tables"), bytes_text(d->bytes, bytes));
	clean_print(d->cli->out, el_library_directory(d->library));
	if (*el_library_paths(d->library) &&
	    strcmp(el_library_paths(d->library), el_library_directory(d->library))) {
		fputs(" and ", d->cli->out);
		clean_print(d->cli->out, el_library_paths(d->library));
	}
	fputc('\n', d->cli->out);
	print_sets(d);
	print_files(d);
	print_lacking(d);
	const enum el_status status = print_rest(d, error);
	if (!status && !d->is_ill)
		fputs("\nNothing is missing or damaged.\n", d->cli->out);
	return status;
}

/* ---- for programs ---- */

static void add_names(cJSON *object, const struct el_slice *slices, const bool *have, size_t count)
{
	cJSON *array = cJSON_AddArrayToObject(object, "missing");
	for (size_t i = 0; i < count; i++)
		if (!have || !have[i])
			json_text_item(array, slices[i].name);
}

enum el_status doctor_print_json(struct doctor *d, struct el_error *error)
{
	enum el_status status = EL_OK;
	cJSON *root = cJSON_CreateObject();
	json_count(root, "tables", d->tables);
	json_count(root, "bytes", d->bytes);
	cJSON *sets = cJSON_AddArrayToObject(root, "sets");
	for (size_t i = 0; i < d->set_count; i++) {
		const struct set *s = &d->sets[i];
		cJSON *object = json_item(sets);
		json_text(object, "game", s->game->name);
		json_text(object, "kind", s->kind);
		json_text(object, "metric", s->metric->name);
		json_count(object, "group", s->group);
		json_count(object, "found", s->found);
		json_count(object, "of", s->count);
		if (s->meant)
			add_names(object, s->slices, s->have, s->count);
	}
	cJSON *files = cJSON_AddArrayToObject(root, "files");
	for (size_t i = 0; i < d->ill_count; i++) {
		cJSON *object = json_item(files);
		json_text(object, "path", d->ills[i].path);
		json_text(object, "is", ailments[d->ills[i].ailment].key);
		json_text(object, "why", d->ills[i].why);
	}
	cJSON *all = cJSON_AddArrayToObject(root, "lacking");
	for (const struct el_entry *e = d->entries; e < d->entries + d->count; e++) {
		struct el_slice missing[EL_SUCCESSORS_MAX];
		const size_t count =
			e->ignored || !is_first(d, e) ? 0 : lacking(d, &e->slice, missing);
		if (!count)
			continue;
		cJSON *object = json_item(all);
		json_text(object, "slice", e->slice.name);
		add_names(object, missing, NULL, count);
	}
	cJSON *takes = cJSON_AddArrayToObject(root, "rest");
	for (size_t i = 0; i < d->set_count && !status; i++) {
		struct rest rest;
		if (!begins(d, i))
			continue;
		status = plan_rest(d, i, &rest, error);
		if (rest.slices.count) {
			cJSON *object = json_item(takes);
			json_text(object, "kind", rest.kind);
			json_text(object, "metric", rest.metric->name);
			json_count(object, "slices", rest.slices.count);
			json_known(object, "seconds", rest.planned, rest.plan.seconds);
			json_known(object, "memory_bytes", rest.planned, (double)rest.plan.bytes);
			json_known(object, "disk_bytes", rest.planned, (double)rest.plan.disk);
		}
		slices_free(&rest.slices);
		el_plan_free(&rest.plan);
	}
	if (!status && json_write(d->cli, root))
		status = el_fail(error, EL_MEMORY, "out of memory");
	else if (status)
		cJSON_Delete(root);
	return status;
}

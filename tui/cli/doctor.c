/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a set of tables: holes, damage, doubles, and what positions then lack. */
#include "core/builder/build.h"

#include "arguments.h"
#include "progress.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"
#include "tui/text/slices.h"
#include "tui/text/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct option_help options[] = {
	{"--all", .summary = "name every missing slice and file, not only the first of many"},
	{"--json", .summary = "one JSON object: tables, bytes, sets, files, lacking, rest"},
	{0},
};

enum { NAMED = 8, PLANNED = 64 };

/* What is wrong with a file. */
enum ailment { DAMAGED, UNFINISHED, OUTDATED, UNREAD, DOUBLE, PAIRLESS, AILMENTS };

static const struct {
	const char *key, *title;
	bool is_fault; /* else it is told, and does no harm */
} ailments[AILMENTS] = {
	[DAMAGED] = {"damaged", "damaged or unreadable", true},
	[UNFINISHED] = {"unfinished", "unfinished, packed or empty", true},
	[OUTDATED] = {"outdated", "of a version or codec that is not read", true},
	[UNREAD] = {"unread", "tables of kinds that are not read", false},
	[DOUBLE] = {"double", "second tables of the same slice and metric", false},
	[PAIRLESS] = {"pairless", "outcomes without plies, or plies without outcomes", true},
};

/* All slices of a group under a metric, in files of one kind. */
struct set {
	const struct el_game *game;
	const char *kind;
	const struct el_metric *metric;
	unsigned group;
	struct el_slice *slices; /* owned */
	bool *have;              /* by slice; owned */
	size_t count, found;
	bool meant; /* most of it is there, or most of a greater group: what is missing is a hole */
};

struct ill {
	enum ailment ailment;
	const char *path;
	char why[PATH_MAX + 64];
};

struct doctor {
	struct cli *cli;
	struct el_library *library;
	struct progress progress;
	bool all;
	struct el_entry *entries, *others;
	size_t count, other_count;
	struct set *sets; /* owned */
	size_t set_count;
	struct ill *ills; /* owned */
	size_t ill_count;
	uint64_t tables, bytes;
	bool is_ill;
};

/* ---- files ---- */

static enum el_status add_ill(struct doctor *d, enum ailment ailment, const char *path,
                              const char *why, struct el_error *error)
{
	struct ill *more = realloc(d->ills, (d->ill_count + 1) * sizeof *more);
	if (!more)
		return el_fail(error, EL_MEMORY, "out of memory");
	d->ills = more;
	d->ills[d->ill_count] = (struct ill){.ailment = ailment, .path = path};
	snprintf(d->ills[d->ill_count++].why, sizeof d->ills->why, "%s", why);
	d->is_ill = d->is_ill || ailments[ailment].is_fault;
	return EL_OK;
}

/* Have both files the same bytes? */
static bool same_bytes(const char *a, const char *b)
{
	static char room[2][1 << 16];
	FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
	bool same = x && y;
	for (size_t n = 1; same && n;) {
		n = fread(room[0], 1, sizeof room[0], x);
		same = fread(room[1], 1, sizeof room[1], y) == n && !memcmp(room[0], room[1], n) &&
		       !ferror(x) && !ferror(y);
	}
	if (x)
		fclose(x);
	if (y)
		fclose(y);
	return same;
}

/* The table that answers in the place of a file that could answer as well; null: there is none. */
static const struct el_entry *first_of(const struct doctor *d, const struct el_entry *second)
{
	const struct el_source_ops *kind = el_source_kind_of(second->path);
	const struct el_metric *metric;
	struct el_slice slice;
	const struct el_entry *e = d->entries;
	if (second->status || !kind || !kind->named || !kind->named(second->path, &slice, &metric))
		return NULL;
	while (e < d->entries + d->count && (e->ignored || !el_slice_equal(&e->slice, &slice) ||
	                                     !el_metric_alike(e->metric, metric)))
		e++;
	return e < d->entries + d->count ? e : NULL;
}

/* Does a file of another program hold plies that need an outcome from elsewhere? */
static bool needs_outcome(const struct el_entry *e)
{
	return !e->ours && e->derives && e->metric->has_depth;
}

/* A kind with outcomes and plies in different files needs both: plies of any metric beside outcomes, which
   may also be told by a table of another kind. */
static bool has_partner(const struct doctor *d, const struct el_entry *entry)
{
	const struct el_metric *outcome = el_metric_outcome(entry->metric);
	bool found = false, paired = needs_outcome(entry);
	for (const struct el_entry *e = d->entries; e < d->entries + d->count; e++) {
		const bool other = !e->ours && !strcmp(e->kind, entry->kind) && e->metric &&
		                   e->metric->has_depth != entry->metric->has_depth;
		const bool here = !e->ignored && el_slice_equal(&e->slice, &entry->slice);
		paired = paired || other;
		found = found || (here && (other || (needs_outcome(entry) && !needs_outcome(e) &&
		                                     el_entry_tells(e, outcome))));
	}
	return found || !paired;
}

static enum el_status look_at_files(struct doctor *d, struct el_error *error)
{
	enum el_status status = EL_OK;
	char why[PATH_MAX + 64];
	for (const struct el_entry *e = d->entries; e < d->entries + d->count && !status; e++) {
		const struct el_entry *first = e->ignored ? first_of(d, e) : NULL;
		d->tables += !e->ignored;
		d->bytes += e->ignored ? 0 : e->bytes;
		if (first) {
			snprintf(why, sizeof why, "%s %s",
			         same_bytes(first->path, e->path) ? "the same bytes as"
			                                          : "other bytes than",
			         first->path);
			status = add_ill(d, DOUBLE, e->path, why, error);
		} else if (e->ignored) {
			const bool unknown = e->status == EL_OUTDATED || e->status == EL_UNREADABLE;
			const bool unread = !e->status || e->status == EL_NEGATIVE;
			status = add_ill(d,
			                 unknown  ? OUTDATED
			                 : unread ? UNREAD
			                          : DAMAGED,
			                 e->path, e->ignored, error);
		} else if (!e->ours && !has_partner(d, e)) {
			snprintf(why, sizeof why, "the file with its %s is missing",
			         e->metric->has_depth ? "outcomes" : "plies");
			status = add_ill(d, PAIRLESS, e->path, why, error);
		}
	}
	/* A file of another kind (a list, a page) does no harm. */
	for (const struct el_entry *e = d->others; e < d->others + d->other_count && !status; e++)
		if (strncmp(e->ignored, "not named", strlen("not named")))
			status = add_ill(d, UNFINISHED, e->path, e->ignored, error);
	return status;
}

/* ---- sets ---- */

static bool has(const struct doctor *d, const struct set *s, const struct el_slice *slice)
{
	for (const struct el_entry *e = d->entries; e < d->entries + d->count; e++)
		if (!e->ignored && !strcmp(e->kind, s->kind) &&
		    el_metric_alike(e->metric, s->metric) && el_slice_equal(&e->slice, slice))
			return true;
	return false;
}

static enum el_status add_set(struct doctor *d, const struct el_entry *like, unsigned group,
                              struct el_error *error)
{
	const struct el_game *game = like->slice.game;
	const size_t count = game->slices(group, NULL, 0);
	struct set *more = realloc(d->sets, (d->set_count + 1) * sizeof *more);
	struct set s = {.game = game,
	                .kind = like->kind,
	                .metric = like->metric,
	                .group = group,
	                .slices = calloc(count + 1, sizeof *s.slices),
	                .have = calloc(count + 1, sizeof *s.have),
	                .count = count};
	if (more)
		d->sets = more;
	if (!more || !s.slices || !s.have) {
		free(s.slices);
		free(s.have);
		return el_fail(error, EL_MEMORY, "out of memory");
	}
	game->slices(group, s.slices, count);
	for (size_t i = 0; i < count; i++)
		s.found += s.have[i] = has(d, &s, &s.slices[i]);
	s.meant = 2 * s.found >= s.count;
	d->sets[d->set_count++] = s;
	return EL_OK;
}

/* The groups of one kind and metric, up to the greatest that has any table. */
static enum el_status add_sets(struct doctor *d, const struct el_entry *like,
                               struct el_error *error)
{
	const struct el_game *game = like->slice.game;
	const size_t before = d->set_count;
	enum el_status status = EL_OK;
	size_t kept = before;
	for (unsigned group = game->group_min; group <= game->group_max && !status; group++)
		status = add_set(d, like, group, error);
	/* What a greater set depends on is meant to be there. */
	bool meant = false;
	for (size_t i = d->set_count; i-- > before;)
		meant = d->sets[i].meant = d->sets[i].meant || meant;
	for (size_t i = before; i < d->set_count; i++)
		if (d->sets[i].found || d->sets[i].meant) {
			d->sets[kept++] = d->sets[i];
		} else {
			free(d->sets[i].slices);
			free(d->sets[i].have);
		}
	d->set_count = kept;
	for (size_t i = before; i < kept; i++)
		d->is_ill = d->is_ill || (d->sets[i].meant && d->sets[i].found < d->sets[i].count);
	return status;
}

static enum el_status look_at_sets(struct doctor *d, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (const struct el_entry *e = d->entries; e < d->entries + d->count && !status; e++) {
		bool known = e->ignored || e->slice.is_study || !e->metric;
		for (size_t i = 0; i < d->set_count && !known; i++)
			known = d->sets[i].game == e->slice.game &&
			        !strcmp(d->sets[i].kind, e->kind) &&
			        el_metric_alike(d->sets[i].metric, e->metric);
		if (!known)
			status = add_sets(d, e, error);
	}
	return status;
}

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
	uint64_t memory, disk;
	double seconds;
};

/* The holes of one set and of those like it. */
static enum el_status plan_rest(struct doctor *d, size_t first, struct rest *out,
                                struct el_error *error)
{
	const struct set *like = &d->sets[first];
	const struct el_metric *const metrics[] = {like->metric, NULL};
	struct el_plan plan;
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
	if (!el_plan_make(d->library, out->slices.list, out->slices.count, metrics, &plan, error)) {
		if (!el_plan_estimate(d->library, &plan, error)) {
			out->planned = true;
			out->memory = plan.bytes;
			out->disk = plan.disk;
			out->seconds = plan.seconds;
		}
		el_plan_free(&plan);
	}
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
			        seconds_text(rest.seconds, time), bytes_text(rest.memory, memory),
			        bytes_text(rest.disk, disk));
		else if (rest.slices.count)
			fputs("; 'endlab plan' tells what a build would take\n", out);
		slices_free(&rest.slices);
	}
	return status;
}

static enum el_status print_text(struct doctor *d, struct el_error *error)
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

static cJSON *names_of(const struct el_slice *slices, const bool *have, size_t count)
{
	cJSON *array = cJSON_CreateArray();
	for (size_t i = 0; i < count; i++)
		if (!have || !have[i])
			cJSON_AddItemToArray(array, cJSON_CreateString(slices[i].name));
	return array;
}

static enum el_status print_json(struct doctor *d, struct el_error *error)
{
	enum el_status status = EL_OK;
	json_begin();
	cJSON *root = cJSON_CreateObject();
	json_count(root, "tables", d->tables);
	json_count(root, "bytes", d->bytes);
	cJSON *sets = cJSON_AddArrayToObject(root, "sets");
	for (size_t i = 0; i < d->set_count; i++) {
		const struct set *s = &d->sets[i];
		cJSON *object = cJSON_CreateObject();
		json_text(object, "game", s->game->name);
		json_text(object, "kind", s->kind);
		json_text(object, "metric", s->metric->name);
		json_count(object, "group", s->group);
		json_count(object, "found", s->found);
		json_count(object, "of", s->count);
		if (s->meant)
			cJSON_AddItemToObject(object, "missing",
			                      names_of(s->slices, s->have, s->count));
		cJSON_AddItemToArray(sets, object);
	}
	cJSON *files = cJSON_AddArrayToObject(root, "files");
	for (size_t i = 0; i < d->ill_count; i++) {
		cJSON *object = cJSON_CreateObject();
		json_text(object, "path", d->ills[i].path);
		json_text(object, "is", ailments[d->ills[i].ailment].key);
		json_text(object, "why", d->ills[i].why);
		cJSON_AddItemToArray(files, object);
	}
	cJSON *all = cJSON_AddArrayToObject(root, "lacking");
	for (const struct el_entry *e = d->entries; e < d->entries + d->count; e++) {
		struct el_slice missing[EL_SUCCESSORS_MAX];
		const size_t count =
			e->ignored || !is_first(d, e) ? 0 : lacking(d, &e->slice, missing);
		if (!count)
			continue;
		cJSON *object = cJSON_CreateObject();
		json_text(object, "slice", e->slice.name);
		cJSON_AddItemToObject(object, "missing", names_of(missing, NULL, count));
		cJSON_AddItemToArray(all, object);
	}
	cJSON *takes = cJSON_AddArrayToObject(root, "rest");
	for (size_t i = 0; i < d->set_count && !status; i++) {
		struct rest rest;
		if (!begins(d, i))
			continue;
		status = plan_rest(d, i, &rest, error);
		if (rest.slices.count) {
			cJSON *object = cJSON_CreateObject();
			json_text(object, "kind", rest.kind);
			json_text(object, "metric", rest.metric->name);
			json_count(object, "slices", rest.slices.count);
			json_known(object, "seconds", rest.planned, rest.seconds);
			json_known(object, "memory_bytes", rest.planned, (double)rest.memory);
			json_known(object, "disk_bytes", rest.planned, (double)rest.disk);
			cJSON_AddItemToArray(takes, object);
		}
		slices_free(&rest.slices);
	}
	if (!status && json_write(d->cli, root))
		status = el_fail(error, EL_MEMORY, "out of memory");
	else if (status)
		cJSON_Delete(root);
	return status;
}

/* ---- the command ---- */

static enum el_status examine(struct doctor *d, bool json, struct el_error *error)
{
	enum el_status status = el_library_list(d->library, &d->entries, &d->count, error);
	if (!status)
		status = el_library_list_others(d->library, &d->others, &d->other_count, error);
	if (!status)
		el_entries_fold(d->entries, &d->count);
	if (!status)
		status = look_at_files(d, error);
	if (!status)
		status = look_at_sets(d, error);
	if (!status)
		status = json ? print_json(d, error) : print_text(d, error);
	for (size_t i = 0; i < d->set_count; i++) {
		free(d->sets[i].slices);
		free(d->sets[i].have);
	}
	free(d->sets);
	free(d->ills);
	el_entries_free(d->entries, d->count);
	el_entries_free(d->others, d->other_count);
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct doctor d = {.cli = cli, .library = cli->library};
	struct el_error error;
	enum el_status status = EL_OK;
	const char *folder = arguments->count ? arguments->words[0] : NULL;
	struct el_library *opened = NULL; /* of the folder */
	progress_start(&d.progress, cli);
	d.all = option_given(arguments, "--all");
	if (folder) {
		/* Colons separate folders; in one with a colon in its name, those below are left out. */
		const struct el_library_options only = {
			.directory = folder, .paths = strchr(folder, ':') ? NULL : folder};
		status = el_library_open(&only, &opened, &error);
		opened = status ? NULL : opened;
		d.library = opened;
	}
	if (!status)
		status = examine(&d, option_given(arguments, "--json"), &error);
	if (opened)
		el_library_close(opened);
	if (status)
		return command_fail(cli, "doctor", &error);
	return d.is_ill;
}

const struct command command_doctor = {
	.name = "doctor",
	.arguments = "[FOLDER] [OPTION...]",
	.summary = "tell what is missing from a set of tables, or wrong with it",
	.help = "Looks at all tables found, or at those of one folder: which slices are missing "
		"from "
		"sets that are otherwise there, which files are damaged, unfinished, of a version "
		"that "
		"is not read, or there twice, and which outcomes have no plies. Then which moves "
		"of the "
		"tables lead where no table is, and what a build of the rest would take.\n"
		"A set is all slices of one group (of as many pieces) under one metric, in files "
		"of one "
		"kind. If half of it is there, it is meant to be complete, as are the smaller "
		"ones.\n"
		"Small foreign files are read in full, large ones as they are used: 'endlab "
		"verify' reads "
		"every block, and proves the values. The exit status is 1 if something is missing "
		"or wrong.\n"
		"  endlab doctor\n"
		"  endlab doctor ~/syzygy --all",
	.complete = "file",
	.options = options,
	.most = 1,
	.judges = true,
	.run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a set of tables: holes, damage, doubles. */
#include "doctor.h"

#include "arguments.h"
#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

static const struct option_help options[] = {
	{"--all", .summary = "name every missing slice and file, not only the first of many"},
	{"--json", .summary = "one JSON object: tables, bytes, sets, files, lacking, rest"},
	{0},
};

const struct ailment_words ailments[AILMENTS] = {
	[DAMAGED] = {"damaged", "damaged or unreadable", true},
	[UNFINISHED] = {"unfinished", "unfinished, packed or empty", true},
	[OUTDATED] = {"outdated", "of a version or codec that is not read", true},
	[UNREAD] = {"unread", "tables of kinds that are not read", false},
	[DOUBLE] = {"double", "second tables of the same slice and metric", false},
	[PAIRLESS] = {"pairless", "outcomes without plies, or plies without outcomes", true},
};

/* ---- files ---- */

static enum el_status add_ill(struct doctor *d, enum ailment ailment, const char *path,
                              const char *why, struct el_error *error)
{
	if (!array_grow(&d->ills, d->ill_count, 1, sizeof *d->ills))
		return el_fail(error, EL_MEMORY, "out of memory");
	d->ills[d->ill_count] = (struct ill){.ailment = ailment, .path = path};
	snprintf(d->ills[d->ill_count++].why, sizeof d->ills->why, "%s", why);
	d->is_ill = d->is_ill || ailments[ailment].is_fault;
	return EL_OK;
}

/* Have both files the same bytes? */
static bool same_bytes(const char *a, const char *b)
{
	static char room[2][1 << 16];
	char *files[] = {strndup(a, el_source_file_length(a)),
	                 strndup(b, el_source_file_length(b))};
	FILE *x = files[0] ? fopen(files[0], "rb") : NULL,
	     *y = files[1] ? fopen(files[1], "rb") : NULL;
	bool same = x && y;
	for (size_t n = 1; same && n;) {
		n = fread(room[0], 1, sizeof room[0], x);
		same = fread(room[1], 1, sizeof room[1], y) == n && !memcmp(room[0], room[1], n) &&
		       !ferror(x) && !ferror(y);
	}
	free(files[0]);
	free(files[1]);
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
	struct set s = {.game = game,
	                .kind = like->kind,
	                .metric = like->metric,
	                .group = group,
	                .slices = calloc(count + 1, sizeof *s.slices),
	                .have = calloc(count + 1, sizeof *s.have),
	                .count = count};
	if (!s.slices || !s.have || !array_grow(&d->sets, d->set_count, 1, sizeof *d->sets)) {
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
		status = json ? doctor_print_json(d, error) : doctor_print_text(d, error);
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
	progress_start(&d.progress, cli);
	d.all = option_given(arguments, "--all");
	if (folder) {
		/* Colons separate folders; in one with a colon in its name, those below are left out. */
		const struct el_library_options only = {
			.directory = folder, .paths = strchr(folder, ':') ? NULL : folder};
		d.library = NULL;
		status = el_library_open(&only, &d.library, &error);
	}
	if (!status)
		status = examine(&d, option_given(arguments, "--json"), &error);
	if (folder)
		el_library_close(d.library);
	if (status)
		return command_fail(cli, "doctor", &error);
	return d.is_ill;
}

const struct command command_doctor = {
	.name = "doctor",
	.arguments = "[FOLDER] [OPTION...]",
	.summary = "tell what is missing from a set of tables, or wrong with it",
	.help = "Looks at all tables found, or at those of one folder: which slices are missing "
		"from sets that are otherwise there, which files are damaged, unfinished, of a "
		"version that is not read, or there twice, and which outcomes have no plies. Then "
		"which moves of the tables lead where no table is, and what a build of the rest "
		"would take.\n"
		"A set is all slices of one group (of as many pieces) under one metric, in files "
		"of one kind. If half of it is there, it is meant to be complete, as are the "
		"smaller ones.\n"
		"Small foreign files are read in full, large ones as they are used: 'endlab "
		"verify' reads every block, and proves the values. The exit status is 1 if "
		"something is missing or wrong.\n"
		"  endlab doctor\n"
		"  endlab doctor ~/syzygy --all",
	.complete = "file",
	.options = options,
	.most = 1,
	.judges = true,
	.run = run,
};

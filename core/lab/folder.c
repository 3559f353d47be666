/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "core/base/array.h"
#include "core/os/files.h"
#include "core/table/table.h"
#include "core/whole/whole.h"
#include "lab.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- slices that captures and promotions may enter, directly or not ---- */

struct needs {
	struct el_slice *list; /* owned */
	size_t count;
};

/* False without memory. */
static bool need_successors(struct needs *n, const struct el_slice *slice)
{
	struct el_slice after[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, after);
	if (!array_grow(&n->list, n->count, count, sizeof *n->list))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!el_slices_have(n->list, n->count, &after[i]))
			n->list[n->count++] = after[i];
	return true;
}

/* ---- links ---- */

/* All files that a library found, and the folder for links to some of them. */
struct linker {
	const struct folder_use *use;
	struct folder *folder;
	struct el_entry *entries; /* owned */
	size_t count;
};

/* Sets what a file holds if it is open or a similar one is used instead; false if neither. */
static bool holds(const struct el_entry *e, struct el_slice *slice, const struct el_metric **metric)
{
	const struct el_source_ops *kind = el_source_kind_of(e->path);
	*slice = e->slice;
	*metric = e->metric;
	return !e->ignored || (!e->status && kind && kind->open && kind->named &&
	                       kind->named(e->path, slice, metric));
}

static bool is_of(const struct el_entry *e, const struct el_source_ops *kind)
{
	return !strcmp(e->kind, kind ? kind->kind : el_source_egt.kind);
}

/* Our tables may have any name, so each gets its proper one, only one per slice and metric. The
   names of foreign files have a meaning, so they stay. */
static enum el_status link_table(const struct linker *l, const struct el_entry *entry,
                                 struct el_error *error)
{
	const char *folder = l->folder->made.path;
	char target[PATH_MAX], name[PATH_MAX];
	/* The file alone is linked, whichever of its slices is meant. */
	const int file = (int)el_source_file_length(entry->path);
	int length = snprintf(name, sizeof name, "%.*s", file, entry->path);
	if (length >= PATH_MAX || !realpath(name, target))
		return el_fail(error, EL_IO, "%s: %m", entry->path);
	length = PATH_MAX;
	if (entry->ours)
		el_table_file_name(folder, &entry->slice, entry->metric, name, sizeof name);
	else
		length = snprintf(name, sizeof name, "%s/%.*s", folder,
		                  file - (int)(basename(entry->path) - entry->path),
		                  basename(entry->path));
	if (length > PATH_MAX || (symlink(target, name) && errno != EEXIST))
		return el_fail(error, EL_IO, "%s: cannot link to %s: %m", folder, target);
	return EL_OK;
}

/* Is there a table of the candidate's own kind for a slice that captures enter? */
static bool has_own(const struct linker *l, const struct el_slice *slice)
{
	const struct el_metric *entered = el_metric_entered(l->use->metric);
	for (size_t i = 0; i < l->count; i++) {
		struct el_slice held;
		const struct el_metric *metric;
		if (is_of(&l->entries[i], l->use->foreign) && !l->entries[i].partial &&
		    holds(&l->entries[i], &held, &metric) && el_slice_equal(&held, slice) &&
		    el_metric_tells(metric, entered))
			return true;
	}
	return false;
}

static enum el_status link_needs(const struct linker *l, const struct needs *needs,
                                 struct el_error *error)
{
	const struct folder_use *use = l->use;
	const struct el_metric *outcomes =
		use->outcomes ? outcomes_teller(use->library, use->slice, use->metric) : NULL;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < l->count && !status; i++) {
		const struct el_entry *e = &l->entries[i];
		const bool own = is_of(e, l->use->foreign);
		struct el_slice slice;
		const struct el_metric *metric;
		if (own ? !holds(e, &slice, &metric) : e->ignored != NULL)
			continue;
		const struct el_slice *held = own ? &slice : &e->slice;
		metric = own ? metric : e->metric;
		if (outcomes && metric == outcomes && !e->ignored &&
		    el_slice_equal(held, l->use->slice)) {
			status = link_table(l, e, error);
			l->folder->beside = e->bytes;
			outcomes = NULL;
			continue;
		}
		const bool wanted = l->use->all ? own && !el_slice_equal(held, l->use->slice)
		                                : el_slices_have(needs->list, needs->count, held);
		if (wanted && (own || !has_own(l, held)))
			status = link_table(l, e, error);
	}
	return status;
}

/* ---- the candidate ---- */

/* Links the foreign file, and the others of the same slice that its probes read. */
static enum el_status link_foreign(const struct linker *l, struct el_error *error)
{
	const struct folder_use *use = l->use;
	const struct el_entry *chosen = NULL;
	struct el_slice slice;
	const struct el_metric *metric, *own;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < l->count && !chosen; i++)
		if (el_lab_foreign(&l->entries[i], use->slice, use->metric) == use->foreign)
			chosen = &l->entries[i];
	if (!chosen || !holds(chosen, &slice, &own))
		return el_fail(error, EL_NEGATIVE, "no %s table of %s tells %s",
		               use->foreign->extension, use->slice->name, use->metric->name);
	for (size_t i = 0; i < l->count && !status; i++)
		if (is_of(&l->entries[i], use->foreign) && holds(&l->entries[i], &slice, &metric) &&
		    el_slice_equal(&slice, use->slice) &&
		    (&l->entries[i] == chosen || (metric != own && el_metric_tells(own, metric))))
			status = link_table(l, &l->entries[i], error);
	l->folder->from = strdup(chosen->path);
	if (!l->folder->from || asprintf(&l->folder->table, "%s/%s", l->folder->made.path,
	                                 basename(chosen->path)) < 0) {
		l->folder->table = NULL;
		return el_fail(error, EL_MEMORY, "%s: out of memory", chosen->path);
	}
	return status;
}

/* ---- the folder ---- */

enum el_status folder_make(const char *parent, const struct folder_use *use, struct folder *out,
                           struct el_error *error)
{
	char here[PATH_MAX];
	struct linker linker = {.use = use, .folder = out};
	struct needs needs = {0};
	enum el_status status = EL_OK;
	*out = (struct folder){0};
	if (!parent) { /* the library's directory, which may not exist yet */
		parent = el_library_directory(use->library);
		if (access(parent, F_OK) && errno == ENOENT)
			status = directory_make(parent, error);
	}
	if (status)
		return status;
	if (!realpath(parent, here))
		return el_fail(error, EL_IO, "%s: cannot make a folder for the lab's files: %m",
		               parent);
	status = el_temporary_folder(here, &out->made, error);
	if (!status)
		status = el_library_list(use->library, &linker.entries, &linker.count, error);
	if (status)
		return status;
	if (use->foreign) {
		status = link_foreign(&linker, error);
	} else {
		char name[PATH_MAX];
		el_table_file_name(out->made.path, use->slice, use->metric, name, sizeof name);
		out->table = strdup(name);
		if (!out->table)
			status = el_fail(error, EL_MEMORY, "%s: out of memory", name);
	}
	bool have = status || need_successors(&needs, use->slice);
	for (size_t i = 0; have && i < needs.count; i++) { /* the list grows meanwhile */
		const struct el_slice next = needs.list[i];
		have = need_successors(&needs, &next);
	}
	if (!have)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", out->made.path);
	if (!status)
		status = link_needs(&linker, &needs, error);
	free(needs.list);
	el_entries_free(linker.entries, linker.count);
	return status;
}

void folder_remove(struct folder *f)
{
	el_temporary_remove(&f->made);
	free(f->table);
	free(f->from);
	*f = (struct folder){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder.h"

#include "endlab/build.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what captures and promotions may lead to, and what those may ---- */

struct needs {
	struct el_slice *list; /* owned */
	size_t count;
};

static bool needed(const struct needs *n, const struct el_slice *slice)
{
	for (size_t i = 0; i < n->count; i++)
		if (n->list[i].key == slice->key && n->list[i].game == slice->game)
			return true;
	return false;
}

/* False without memory. */
static bool need_successors(struct needs *n, const struct el_slice *slice)
{
	struct el_slice after[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, after);
	struct el_slice *list = realloc(n->list, (n->count + count + 1) * sizeof *list);
	if (!list)
		return false;
	n->list = list;
	for (size_t i = 0; i < count; i++)
		if (!needed(n, &after[i]))
			list[n->count++] = after[i];
	return true;
}

/* The list grows while it is walked. */
static bool list_needs(const struct el_slice *slice, struct needs *out)
{
	bool have = need_successors(out, slice);
	for (size_t i = 0; have && i < out->count; i++) {
		const struct el_slice next = out->list[i];
		have = need_successors(out, &next);
	}
	return have;
}

/* ---- links ---- */

/* Our own tables may be called anything and get the name they should have, one a slice and metric;
   others mean something by theirs. */
static enum el_status link_table(const char *folder, const struct el_entry *entry,
				 struct el_error *error)
{
	char target[PATH_MAX], copy[PATH_MAX], name[PATH_MAX];
	if (!realpath(entry->path, target))
		return el_fail(error, EL_IO, "%s: %m", entry->path);
	snprintf(copy, sizeof copy, "%s", entry->path);
	int length = PATH_MAX;
	if (entry->ours)
		el_table_file_name(folder, &entry->slice, entry->metric, name, sizeof name);
	else
		length = snprintf(name, sizeof name, "%s/%s", folder, basename(copy));
	if (length > PATH_MAX || (symlink(target, name) && errno != EEXIST))
		return el_fail(error, EL_IO, "%s: cannot link to %s: %m", folder, target);
	return EL_OK;
}

static enum el_status link_needs(const char *folder, struct el_library *library,
				 const struct needs *needs, struct el_error *error)
{
	struct el_entry *entries;
	size_t count;
	enum el_status status = el_library_list(library, &entries, &count, error);
	if (status)
		return status;
	for (size_t i = 0; i < count && !status; i++)
		if (!entries[i].ignored && needed(needs, &entries[i].slice))
			status = link_table(folder, &entries[i], error);
	el_entries_free(entries, count);
	return status;
}

/* ---- the folder ---- */

static enum el_status furnish(struct folder *f, struct el_library *library,
			      const struct el_slice *slice, const struct el_metric *metric,
			      struct el_error *error)
{
	struct needs needs = {0};
	char name[PATH_MAX];
	el_table_file_name(f->made.path, slice, metric, name, sizeof name);
	f->table = strdup(name);
	enum el_status status = EL_MEMORY;
	if (f->table && list_needs(slice, &needs))
		status = link_needs(f->made.path, library, &needs, error);
	else
		el_fail(error, status, "%s: out of memory", f->made.path);
	free(needs.list);
	return status;
}

enum el_status folder_make(const char *parent, struct el_library *library,
			   const struct el_slice *slice, const struct el_metric *metric,
			   struct folder *out, struct el_error *error)
{
	char here[PATH_MAX];
	*out = (struct folder){0};
	if (!parent)
		parent = el_library_directory(library);
	if (!realpath(parent, here))
		return el_fail(error, EL_IO, "%s: cannot make a folder for the lab's files: %m",
			       parent);
	enum el_status status = el_temporary_folder(here, &out->made, error);
	return status ? status : furnish(out, library, slice, metric, error);
}

void folder_remove(struct folder *f)
{
	el_temporary_remove(&f->made);
	free(f->table);
	*f = (struct folder){0};
}

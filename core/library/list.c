/* SPDX-License-Identifier: MIT */
/* Lists the files of the library. */
#include "summaries.h"
#include "visit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t game_rank(const struct el_game *game)
{
	size_t rank = 0;
	while (el_games[rank] != game)
		rank++;
	return rank;
}

static int entry_order(const void *a, const void *b)
{
	const struct el_entry *x = a, *y = b;
	if (!x->ignored != !y->ignored)
		return x->ignored ? 1 : -1;
	if (x->ignored)
		return strcmp(x->path, y->path);
	if (x->slice.game != y->slice.game)
		return game_rank(x->slice.game) < game_rank(y->slice.game) ? -1 : 1;
	if (x->slice.pieces != y->slice.pieces)
		return x->slice.pieces < y->slice.pieces ? -1 : 1;
	int by_name = strcmp(x->slice.name, y->slice.name);
	return by_name ? by_name : el_metric_compare(x->metric, y->metric);
}

/* Texts are copied: the library may look at its folders again before the list is freed. A table
   since found damaged is listed as ignored. A double's holding has neither slice nor metric. */
static bool copy(const struct holding *h, struct el_entry *out)
{
	const struct el_source *source = h->source;
	const enum el_check check = source ? source->check : EL_CHECK_NONE;
	const bool damaged = check == EL_CHECK_DAMAGED, answers = source && !h->ignored;
	const char *ignored = damaged ? catalogue_reason(source->path, source->fault) : h->ignored;
	*out = (struct el_entry){
		.path = strdup(h->file.path),
		.kind = h->file.kind ? h->file.kind->kind : "folder",
		.extension = h->file.kind ? h->file.kind->extension : "",
		.status = damaged ? EL_DAMAGED : h->status,
		.slice = answers ? source->slice : h->slice,
		.metric = answers ? source->metric : h->metric,
		.here = h->file.folder == 0,
		.bytes = (uint64_t)h->file.stat.st_size,
		.ignored = ignored ? strdup(ignored) : NULL,
		.detail = strdup(answers && !damaged ? source->detail : ""),
		.is_double = source && h->ignored && !damaged,
	};
	if (answers && !damaged) {
		out->root = source->root ? strdup(source->root) : NULL;
		if (source->root && !out->root)
			return false;
		out->bytes = source->bytes;
		out->ours = source->ops->read != NULL;
		out->partial = source->partial;
		out->derives =
			source_leaves_moves(source) || source->left_out || source->plies_only;
		out->check = check;
		if (source->form)
			out->form = *source->form;
	}
	return out->path && out->detail && (out->ignored || !ignored);
}

/* Files of one folder follow each other. *fault becomes the first fault. */
static void add_summaries(const struct catalogue *c, struct el_entry *entries,
                          struct el_error *fault)
{
	struct summaries s = {0};
	for (size_t i = 0; i < c->count; i++) {
		const struct holding *h = &c->holdings[i];
		struct el_error error;
		if (!h->source || entries[i].ignored)
			continue;
		if (!summaries_beside(&s, h->file.path)) {
			summaries_close(&s);
			if (summaries_open(h->file.path, &s, &error) && !fault->status)
				*fault = error;
		}
		summaries_find(&s, c, h->file.path, source_identity(h->source), &h->file.stat,
		               &entries[i].summary);
	}
	summaries_close(&s);
}

static void entry_free(struct el_entry *entry)
{
	free((void *)(uintptr_t)entry->path);
	free((void *)(uintptr_t)entry->ignored);
	free((void *)(uintptr_t)entry->detail);
	free((void *)(uintptr_t)entry->root);
}

void el_entries_fold(struct el_entry *entries, size_t *count)
{
	size_t left = 0;
	for (size_t i = 0; i < *count; i++) {
		struct el_entry *e = &entries[i], *other = entries;
		const bool has = !e->ignored && el_slice_has_rights(&e->slice);
		while (has && other < entries + left &&
		       (other->ignored || other->metric != e->metric || !other->ours ||
		        other->slice.game != e->slice.game ||
		        !el_keys_alike(e->slice.game, other->slice.key, e->slice.key)))
			other++;
		if (!has || other == entries + left) {
			entries[left++] = *e;
			continue;
		}
		other->castling = true;
		entry_free(e);
	}
	*count = left;
}

enum el_status el_library_list(struct el_library *library, struct el_entry **out, size_t *count,
                               struct el_error *error)
{
	struct el_error fault = {.status = EL_OK};
	const struct visit visit = library_enter(library);
	const struct catalogue *c = visit.catalogue;
	const size_t all = c->count;
	struct el_entry *entries = calloc(all + 1, sizeof *entries);
	size_t done = 0;
	while (entries && done < all && copy(&c->holdings[done], &entries[done]))
		done++;
	const bool whole = entries && done == all;
	if (whole)
		add_summaries(c, entries, &fault);
	size_t kept = 0;
	for (size_t i = 0; i < done && whole; i++) {
		const struct el_source *source = c->holdings[i].source;
		if (source && source->ops->covers && !source->root)
			entry_free(&entries[i]); /* a memory of answers, not a table */
		else
			entries[kept++] = entries[i];
	}
	library_leave(visit);
	library_note_summaries(library, &fault);
	if (!whole) {
		el_entries_free(entries, all);
		return el_fail(error, EL_MEMORY, "the list of tables: out of memory");
	}
	qsort(entries, kept, sizeof *entries, entry_order);
	*out = entries;
	*count = kept;
	return EL_OK;
}

/* ---- other files ---- */

static bool is_among(const char *word, const char *const *words)
{
	while (*words && strcasecmp(word, *words))
		words++;
	return *words;
}

/* Why a file without the name of a table is none, as far as its name and state show. */
static const char *reason_of_other(const struct found *file)
{
	static const char *const unfinished[] = {"part",     "partial",  "crdownload",
	                                         "download", "filepart", "aria2",
	                                         "!ut",      "!qb",      NULL};
	static const char *const packed[] = {"gz",  "bz2", "xz",  "zst", "lz4",
	                                     "zip", "7z",  "rar", NULL};
	const char *name = basename(file->path), *dot = strrchr(name, '.');
	if (file->fault)
		return "a link to nothing";
	if (!S_ISREG(file->stat.st_mode))
		return "neither a file nor a folder";
	if (dot && is_among(dot + 1, unfinished))
		return "an unfinished download";
	if (dot && is_among(dot + 1, packed))
		return "compressed: unpack it to use it";
	if (strstr(name, ".egt.wrong"))
		return "found wrong by the build that made it";
	for (const struct el_source_ops *const *kind = el_source_kinds; *kind; kind++) {
		const size_t length = strlen(name), end = strlen((*kind)->extension);
		if (length > end && !strcasecmp(name + length - end, (*kind)->extension))
			return "not named like a table: endings are written in small letters";
	}
	return file->stat.st_size ? "not named like a table"
	                          : "an empty file, not named like a table";
}

enum el_status el_library_list_others(struct el_library *library, struct el_entry **out,
                                      size_t *count, struct el_error *error)
{
	struct scan scan;
	enum el_status status = scan_folders(true, el_library_directory(library),
	                                     el_library_paths(library), &scan, error);
	if (status)
		return status;
	struct el_entry *entries = calloc(scan.count + 1, sizeof *entries);
	bool whole = entries != NULL;
	for (size_t i = 0; i < scan.count && whole; i++) {
		entries[i] = (struct el_entry){
			.path = strdup(scan.files[i].path),
			.kind = "other",
			.extension = "other",
			.ignored = strdup(reason_of_other(&scan.files[i])),
			.status = EL_NEGATIVE,
			.bytes = (uint64_t)scan.files[i].stat.st_size,
			.here = scan.files[i].folder == 0,
			.detail = strdup(""),
		};
		whole = entries[i].path && entries[i].ignored && entries[i].detail;
	}
	if (whole) {
		qsort(entries, scan.count, sizeof *entries, entry_order);
		*out = entries;
		*count = scan.count;
	} else {
		el_entries_free(entries, scan.count);
		status = el_fail(error, EL_MEMORY, "the list of files: out of memory");
	}
	scan_free(&scan);
	return status;
}

void el_entries_free(struct el_entry *entries, size_t count)
{
	for (size_t i = 0; entries && i < count; i++)
		entry_free(&entries[i]);
	free(entries);
}

bool el_entry_tells(const struct el_entry *e, const struct el_metric *want)
{
	return el_metric_tells(e->metric, want) &&
	       (want->has_depth || !(e->form.derive & EL_DERIVE_OUTCOMES));
}

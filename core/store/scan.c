/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"

#include <errno.h>
#include <fts.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file or a folder, whatever it is called. */
struct identity {
	dev_t device;
	ino_t inode;
};

struct scanner {
	struct scan *out;
	size_t room;     /* of out->files */
	void *seen;      /* a tree of struct identity */
	unsigned folder; /* that is being scanned, from 0 */
	bool recursive;
};

static int identity_order(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

/* EL_NEGATIVE when it has been met before. */
static enum el_status remember(struct scanner *s, const struct stat *st)
{
	struct identity *identity = malloc(sizeof *identity);
	if (!identity)
		return EL_MEMORY;
	*identity = (struct identity){st->st_dev, st->st_ino};
	struct identity **node = tsearch(identity, &s->seen, identity_order);
	if (node && *node == identity)
		return EL_OK;
	free(identity);
	return node ? EL_NEGATIVE : EL_MEMORY;
}

static enum el_status add(struct scanner *s, const struct found *file)
{
	if (s->out->count == s->room) {
		size_t room = s->room ? 2 * s->room : 64;
		struct found *files = realloc(s->out->files, room * sizeof *files);
		if (!files)
			return EL_MEMORY;
		s->out->files = files;
		s->room = room;
	}
	struct found *to = &s->out->files[s->out->count];
	*to = *file;
	to->path = strdup(file->path);
	if (!to->path)
		return EL_MEMORY;
	s->out->count++;
	return EL_OK;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);
	return length > end_length && !strcmp(text + length - end_length, end);
}

static enum el_status add_file(struct scanner *s, const FTSENT *entry)
{
	for (unsigned rank = 0; el_source_kinds[rank]; rank++) {
		if (!ends_with(entry->fts_name, el_source_kinds[rank]->extension))
			continue;
		enum el_status status = remember(s, entry->fts_statp);
		if (status)
			return status == EL_NEGATIVE ? EL_OK : status;
		const struct found file = {
			.path = entry->fts_path,
			.kind = el_source_kinds[rank],
			.kind_rank = rank,
			.folder = s->folder,
			.stat = *entry->fts_statp,
		};
		return add(s, &file);
	}
	return EL_OK;
}

/* Our own directory is looked at without its folders, so it may be met again. */
static enum el_status enter_folder(struct scanner *s, FTS *tree, FTSENT *entry)
{
	enum el_status status = EL_OK;
	if (s->recursive)
		status = remember(s, entry->fts_statp);
	else if (entry->fts_level > FTS_ROOTLEVEL)
		status = EL_NEGATIVE;
	if (status == EL_NEGATIVE) {
		fts_set(tree, entry, FTS_SKIP);
		return EL_OK;
	}
	return status;
}

static enum el_status add_fault(struct scanner *s, const FTSENT *entry)
{
	const struct found file = {
		.path = entry->fts_path,
		.fault = entry->fts_errno,
		.folder = s->folder,
	};
	bool no_directory_yet = !s->recursive && entry->fts_errno == ENOENT;
	return no_directory_yet ? EL_OK : add(s, &file);
}

static enum el_status visit(struct scanner *s, FTS *tree, FTSENT *entry)
{
	switch (entry->fts_info) {
	case FTS_D:
		return enter_folder(s, tree, entry);
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return add_fault(s, entry);
	case FTS_F:
	case FTS_DEFAULT:
		return add_file(s, entry);
	default: /* a folder that is left, a loop, a link to nothing */
		return EL_OK;
	}
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static enum el_status scan_one(struct scanner *s, char *path)
{
	char *roots[] = {path, NULL};
	FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	if (!tree)
		return EL_MEMORY;
	enum el_status status = EL_OK;
	for (FTSENT *entry; !status && (entry = fts_read(tree));)
		status = visit(s, tree, entry);
	fts_close(tree);
	s->folder++;
	return status;
}

static enum el_status scan_all(struct scanner *s, char *directory, char *paths)
{
	enum el_status status = scan_one(s, directory);
	s->recursive = true;
	for (char *path; !status && (path = strsep(&paths, ":"));)
		if (*path)
			status = scan_one(s, path);
	return status;
}

static int preference(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	if (x->kind_rank != y->kind_rank)
		return x->kind_rank < y->kind_rank ? -1 : 1;
	if (x->folder != y->folder)
		return x->folder < y->folder ? -1 : 1;
	return strcmp(x->path, y->path);
}

enum el_status scan_folders(const char *directory, const char *paths, struct scan *out,
                            struct el_error *error)
{
	*out = (struct scan){0};
	struct scanner s = {.out = out};
	char *own = strdup(directory), *others = strdup(paths ? paths : "");
	enum el_status status = own && others ? scan_all(&s, own, others) : EL_MEMORY;
	free(own);
	free(others);
	tdestroy(s.seen, free);
	if (status) {
		scan_free(out);
		return el_fail(error, status, "%s: looking for tables: out of memory", directory);
	}
	if (out->count)
		qsort(out->files, out->count, sizeof *out->files, preference);
	return EL_OK;
}

void scan_free(struct scan *scan)
{
	for (size_t i = 0; i < scan->count; i++)
		free(scan->files[i].path);
	free(scan->files);
	*scan = (struct scan){0};
}

bool scan_same(const struct found *a, const struct found *b)
{
	const struct stat *x = &a->stat, *y = &b->stat;
	return a->kind == b->kind && x->st_dev == y->st_dev && x->st_ino == y->st_ino &&
	       x->st_size == y->st_size && x->st_mtim.tv_sec == y->st_mtim.tv_sec &&
	       x->st_mtim.tv_nsec == y->st_mtim.tv_nsec && !strcmp(a->path, b->path);
}

enum el_status scan_check_directory(const char *path, struct el_error *error)
{
	struct stat st;
	if (stat(path, &st))
		return errno == ENOENT ? EL_OK : el_fail(error, EL_IO, "%s: cannot read: %m", path);
	if (!S_ISDIR(st.st_mode))
		return el_fail(error, EL_IO, "%s: not a directory", path);
	if (access(path, R_OK | X_OK))
		return el_fail(error, EL_IO, "%s: cannot read: %m", path);
	return EL_OK;
}

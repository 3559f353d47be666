/* SPDX-License-Identifier: MIT */
#include "scan.h"

#include "core/base/array.h"
#include "core/os/files.h"
#include "core/os/lock.h"
#include "core/os/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Identifies a file or a folder, whatever its name. */
struct identity {
	dev_t device;
	ino_t inode;
};

struct scanner {
	struct scan *out;
	void *seen;      /* a tree of struct identity */
	unsigned folder; /* being scanned, from 0 */
	bool recursive;
	bool others; /* look for other files only */
	struct el_error *error;
};

static int identity_order(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

/* EL_NEGATIVE if it has been met before. */
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

static enum el_status no_memory(const struct scanner *s)
{
	return el_fail(s->error, EL_MEMORY, "looking for tables: out of memory");
}

/* Takes the path over. */
static enum el_status add(struct scanner *s, const struct found *file)
{
	if (!array_grow(&s->out->files, s->out->count, 1, sizeof *s->out->files)) {
		free(file->path);
		return no_memory(s);
	}
	s->out->files[s->out->count++] = *file;
	return EL_OK;
}

/* ---- what is found ---- */

/* Lists a fault of this folder alone. A fault that any folder may have (no descriptors left, a
   failing disk) is an error: it would pass for a lack of tables. */
static enum el_status unreadable(struct scanner *s, const char *path, int reason)
{
	if (reason == ENOMEM)
		return no_memory(s);
	if (!s->recursive && reason == ENOENT)
		return EL_OK; /* no directory yet */
	const bool is_of_one_folder = reason == ENOENT || reason == ENOTDIR || reason == EACCES ||
	                              reason == EPERM || reason == ELOOP || reason == ENAMETOOLONG;
	if (!s->recursive || !is_of_one_folder)
		return el_fail(s->error, EL_IO, "%s: cannot read: %s", path, strerror(reason));
	if (s->others)
		return EL_OK; /* the list of tables shows it */
	const struct found folder = {.path = strdup(path), .fault = reason, .folder = s->folder};
	return folder.path ? add(s, &folder) : no_memory(s);
}

/* A file of several slices counts as a file for each. EL_NEGATIVE: it does not tell them; opening it
   says why. The path stays the caller's. */
static enum el_status add_slices(struct scanner *s, const struct found *file)
{
	struct el_slice *slices;
	size_t count;
	enum el_status status = file->kind->slices(file->path, &slices, &count, NULL);
	if (status)
		return status == EL_MEMORY ? no_memory(s) : EL_NEGATIVE;
	for (size_t i = 0; i < count && !status; i++) {
		struct found part = *file;
		part.path = el_source_part(file->path, &slices[i]);
		status = part.path ? add(s, &part) : no_memory(s);
	}
	free(slices);
	return status;
}

/* Takes the path over. A dangling link counts as a file, though nothing can be learned of it. */
static enum el_status add_file(struct scanner *s, struct found *file)
{
	enum el_status status = EL_OK;
	if (!file->fault && S_ISREG(file->stat.st_mode))
		status = remember(s, &file->stat);
	else if (file->fault && lstat(file->path, &file->stat))
		status = EL_NEGATIVE; /* it has gone */
	file->kind_rank = 0;
	while (el_source_kinds[file->kind_rank] && el_source_kinds[file->kind_rank] != file->kind)
		file->kind_rank++;
	if (status) {
		free(file->path);
		return status == EL_NEGATIVE ? EL_OK : no_memory(s);
	}
	if (file->kind && file->kind->slices && !file->fault && S_ISREG(file->stat.st_mode)) {
		status = add_slices(s, file);
		if (status != EL_NEGATIVE) {
			free(file->path);
			return status;
		}
	}
	return add(s, file);
}

static enum el_status scan_folder(struct scanner *s, const char *path, const struct stat *is);

/* Takes the path over. Leaves out the folders of our own directory. */
static enum el_status look_at(struct scanner *s, char *path, const char *name)
{
	struct found file = {.path = path, .kind = el_source_kind_of(name), .folder = s->folder};
	file.fault = stat(path, &file.stat) ? errno : 0;
	const bool is_folder = !file.fault && S_ISDIR(file.stat.st_mode);
	const bool is_lost = file.fault && !file.kind && s->recursive && file.fault != ENOENT;
	enum el_status status = EL_OK;
	if (is_folder && s->recursive && !el_temporary_named(name))
		status = scan_folder(s, path, &file.stat);
	else if (is_lost)
		status = unreadable(s, path, file.fault);
	/* The program's own files, in its directory and beside tables elsewhere. */
	const bool is_ours = (*name == '.' && (!s->recursive || !strcmp(name, ".verified.tsv"))) ||
	                     el_temporary_named(name) || lock_named(name);
	const bool is_none = !file.kind && !is_folder && !is_lost && !is_ours;
	if (!status && (s->others ? is_none : file.kind != NULL))
		return add_file(s, &file);
	free(path);
	return status;
}

/* ---- folders ---- */

/* Is it a folder, or might it be? */
static bool is_inside(const struct dirent *entry)
{
	return entry->d_type != DT_REG && strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* Is the name worth a look? Most files in other folders are not tables. */
static int is_wanted(const struct dirent *entry)
{
	return is_inside(entry) || (entry->d_type == DT_REG && el_source_kind_of(entry->d_name));
}

static int is_other(const struct dirent *entry)
{
	return is_inside(entry) || (entry->d_type == DT_REG && !el_source_kind_of(entry->d_name));
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Closes the folder's descriptor before looking at its contents. */
static enum el_status scan_folder(struct scanner *s, const char *path, const struct stat *is)
{
	struct dirent **entries;
	enum el_status status = s->recursive ? remember(s, is) : EL_OK;
	if (status)
		return status == EL_NEGATIVE ? EL_OK : no_memory(s);
	int (*const wanted)(const struct dirent *) = s->others ? is_other : is_wanted;
	int count = scandir(path, &entries, wanted, by_name);
	if (count < 0 && errno == EMFILE) {
		descriptors_close(NULL); /* frees descriptors that are merely kept */
		count = scandir(path, &entries, wanted, by_name);
	}
	if (count < 0)
		return unreadable(s, path, errno);
	const size_t length = strlen(path);
	const char *slash = length && path[length - 1] == '/' ? "" : "/";
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char *inside;
		if (!status)
			status = asprintf(&inside, "%s%s%s", path, slash, name) < 0
			                 ? no_memory(s)
			                 : look_at(s, inside, name);
		free(entries[i]);
	}
	free(entries);
	return status;
}

/* One of the folders to search; it may also be a single file. */
static enum el_status scan_one(struct scanner *s, const char *path)
{
	struct found root = {.kind = el_source_kind_of(path), .folder = s->folder};
	enum el_status status = EL_OK;
	if (stat(path, &root.stat))
		status = unreadable(s, path, errno);
	else if (S_ISDIR(root.stat.st_mode))
		status = scan_folder(s, path, &root.stat);
	else if (!root.kind)
		status = unreadable(s, path, ENOTDIR);
	else if (!s->others)
		status = (root.path = strdup(path)) ? add_file(s, &root) : no_memory(s);
	s->folder++;
	return status;
}

int scan_order(const struct found *x, const struct found *y)
{
	if (x->kind_rank != y->kind_rank)
		return x->kind_rank < y->kind_rank ? -1 : 1;
	if (x->folder != y->folder)
		return x->folder < y->folder ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int preference(const void *a, const void *b)
{
	return scan_order(a, b);
}

enum el_status scan_folders(bool other_files, const char *directory, const char *paths,
                            struct scan *out, struct el_error *error)
{
	*out = (struct scan){0};
	struct scanner s = {.out = out, .others = other_files, .error = error};
	char *copy = strdup(paths ? paths : ""), *rest = copy;
	enum el_status status = copy ? scan_one(&s, directory) : no_memory(&s);
	s.recursive = true;
	for (char *path; !status && (path = strsep(&rest, ":"));)
		if (*path)
			status = scan_one(&s, path);
	free(copy);
	tdestroy(s.seen, free);
	if (status)
		scan_free(out);
	else if (out->count)
		qsort(out->files, out->count, sizeof *out->files, preference);
	return status;
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
	return a->kind == b->kind && file_is_same(&a->stat, &b->stat) && !strcmp(a->path, b->path);
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

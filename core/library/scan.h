/* SPDX-License-Identifier: MIT */
/* Looking for table files in folders. */
#ifndef CORE_LIBRARY_SCAN_H
#define CORE_LIBRARY_SCAN_H

#include "core/table/source.h"

#include <sys/stat.h>

/* A file with the name of a table, a folder that could not be read, or another file. */
struct found {
	char *path;                       /* owned */
	const struct el_source_ops *kind; /* null for a folder, and for another file */
	int fault;                        /* errno, if nothing more could be found out; else 0 */
	unsigned kind_rank;               /* preferred ones are lower */
	unsigned folder;                  /* 0: our own directory; lower ones are preferred */
	struct stat stat;
};

struct scan {
	struct found *files; /* preferred first: by kind, then by folder, then by path; owned */
	size_t count;
};

/* EL_IO if the path exists but is not a readable directory. */
enum el_status scan_check_directory(const char *path, struct el_error *);

/*
 * The files of `directory`, and those of `paths` (separated by colons, may be null) and of all
 * folders in them. Each file and folder is visited once, whatever links lead to it. Temporary
 * folders (core/os/temporary.h) are skipped. EL_MEMORY; EL_IO, naming the folder, if tables may be
 * missing for any reason other than that this one folder does not exist or denies access.
 * `other_files`: only those without the name of a table; no folders.
 */
enum el_status scan_folders(bool other_files, const char *directory, const char *paths,
                            struct scan *out, struct el_error *error);
void scan_free(struct scan *);

/* The order of a scan's files: <0, 0 or >0. */
int scan_order(const struct found *, const struct found *);
/* Are both the same file, unchanged? */
bool scan_same(const struct found *, const struct found *);

#endif

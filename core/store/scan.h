/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking for table files in folders. */
#ifndef STORE_SCAN_H
#define STORE_SCAN_H

#include "endlab/source.h"

#include <sys/stat.h>

/* What has the name of a table, whatever it is, or a folder that could not be read; or another file. */
struct found {
	char *path;                       /* owned */
	const struct el_source_ops *kind; /* null for a folder, and for another file */
	int fault;                        /* errno where nothing more could be learned, or 0 */
	unsigned kind_rank;               /* preferred ones are lower */
	unsigned folder;                  /* 0: our own directory; lower ones are preferred */
	struct stat stat;
};

struct scan {
	struct found *files; /* preferred first: by kind, then by folder, then by path; owned */
	size_t count;
};

/* EL_IO when the path is there and is no directory that can be read. */
enum el_status scan_check_directory(const char *path, struct el_error *);

/*
 * The files of `directory`, and those of `paths` (colon-separated, may be null) and of all folders
 * in them, each file and each folder once, whatever links lead to it. Folders that are being made
 * (endlab/temporary.h) are passed over. EL_MEMORY; EL_IO with the folder, when tables may be
 * missing for another reason than that this one folder is not there or not for us.
 */
enum el_status scan_folders(const char *directory, const char *paths, struct scan *out,
                            struct el_error *error);
/* The other files there: those that have not the name of a table, and folders have not either. */
enum el_status scan_others(const char *directory, const char *paths, struct scan *out,
                           struct el_error *error);
void scan_free(struct scan *);

/* <0, 0, >0, as the files of a scan are ordered. */
int scan_order(const struct found *, const struct found *);
/* Is it the same file, unchanged? */
bool scan_same(const struct found *, const struct found *);

#endif

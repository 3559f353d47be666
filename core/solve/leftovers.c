/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "leftovers.h"

#include "ledger.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char mark[] = ".endlab-scratch-";

void leftover_name(const struct el_slice *slice, const struct el_metric *metric, const char *what,
                   char out[LEFTOVER_NAME_MAX])
{
	snprintf(out, LEFTOVER_NAME_MAX, "%s%s.%s.%s", mark, slice->name, metric->name, what);
	for (char *c = out; *c; c++)
		*c = *c == ':' ? '-' : *c;
}

/* The table's name is that between the mark and the last dot. */
static bool has_had_its_time(const char *folder, const char *name, const char *tables)
{
	char file[PATH_MAX + NAME_MAX], table[PATH_MAX + NAME_MAX];
	struct stat is, its;
	const char *slice = name + sizeof mark - 1, *dot = strrchr(slice, '.');
	snprintf(file, sizeof file, "%s/%s", folder, name);
	snprintf(table, sizeof table, "%s/%.*s.egt", tables, dot ? (int)(dot - slice) : 0, slice);
	return dot && !lstat(file, &is) && S_ISREG(is.st_mode) && !stat(table, &its) &&
	       (its.st_mtim.tv_sec > is.st_mtim.tv_sec ||
	        (its.st_mtim.tv_sec == is.st_mtim.tv_sec &&
	         its.st_mtim.tv_nsec >= is.st_mtim.tv_nsec));
}

void leftovers_sweep(const char *folder, const char *tables)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (const struct dirent *e; (e = readdir(dir));)
		if (!strncmp(e->d_name, mark, sizeof mark - 1) &&
		    has_had_its_time(folder, e->d_name, tables))
			ledger_remove(&(struct ledger_place){.folder = folder, .name = e->d_name});
	closedir(dir);
}

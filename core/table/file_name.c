/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file_name.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX_HERE = EL_SLICE_MAX + 32 };

/* Folders are listed with colons between them, so that no name of a file may have one. */
static void swap_letters(char *text, char from, char to)
{
	for (; (text = strchr(text, from)); text++)
		*text = to;
}

/* Without a folder. */
static void write_name(const struct el_slice *slice, const struct el_metric *metric,
                       char out[NAME_MAX_HERE])
{
	snprintf(out, NAME_MAX_HERE, "%s.%s.egt", slice->name, metric->name);
	swap_letters(out, ':', '-');
}

void el_table_file_name(const char *directory, const struct el_slice *slice,
                        const struct el_metric *metric, char *out, size_t size)
{
	char name[NAME_MAX_HERE];
	write_name(slice, metric, name);
	snprintf(out, size, "%s/%s", directory, name);
}

bool file_name_parse(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char parts[NAME_MAX_HERE], again[NAME_MAX_HERE];
	if (snprintf(parts, sizeof parts, "%s", name) >= (int)sizeof parts)
		return false;
	char *rest = parts, *first = strsep(&rest, "."), *second = strsep(&rest, ".");
	swap_letters(first, '-', ':');
	*metric = second ? el_metric_find(second) : NULL;
	if (!*metric || el_slice_parse(first, slice, NULL) || !el_game_has(slice->game, *metric))
		return false;
	write_name(slice, *metric, again);
	return !strcmp(name, again);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same table in another form. */
#include "endlab/build.h"
#include "table_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A file's values, and nothing of how it filled what is broken. */
static enum el_status read_all(struct el_library *library, const char *path,
                               const struct el_watch *watch, struct el_table_info *info,
                               struct el_planes *planes, struct el_error *error)
{
	enum el_status status = el_library_read(library, path, watch, info, planes, error);
	if (!status)
		el_planes_mark_broken(planes);
	return status;
}

static uint64_t differences(const struct el_planes *a, const struct el_planes *b)
{
	uint64_t different = 0;
	for (unsigned p = 0; p < a->slice.planes; p++)
		for (uint64_t i = 0; i < a->slice.positions; i++)
			different += !el_value_equal(el_plane_value(&a->plane[p], i),
			                             el_plane_value(&b->plane[p], i));
	return different;
}

static enum el_status check(struct el_library *library, const char *path,
                            const struct el_planes *planes, const struct el_watch *watch,
                            struct el_recoded *out, struct el_error *error)
{
	struct el_planes again;
	struct el_table_info info;
	enum el_status status = read_all(library, path, watch, &info, &again, error);
	if (status)
		return status;
	uint64_t different = differences(planes, &again);
	el_planes_free(&again);
	out->options = info.options;
	out->bytes = info.bytes;
	if (different)
		return el_fail(error, EL_DAMAGED, "%s: %llu positions read back differently from what was "
		                                  "written", path, (unsigned long long)different);
	return EL_OK;
}

/* Writes and checks under another name, then gives the file its own. */
static enum el_status replace(struct el_library *library, const char *to,
                              struct el_planes *planes, const struct el_table_options *options,
                              const struct el_watch *watch, struct el_recoded *out,
                              struct el_error *error)
{
	char *checked;
	if (asprintf(&checked, "%s.new.%ld", to, (long)getpid()) < 0)
		return el_fail(error, EL_MEMORY, "%s: out of memory", to);
	enum el_status status = EL_OK;
	if (options->derive == EL_DERIVE_CAPTURES)
		status = el_library_derive(library, planes, watch, error);
	if (!status)
		status = el_table_write(checked, planes, options, watch, NULL, error);
	if (!status)
		status = check(library, checked, planes, watch, out, error);
	if (!status && rename(checked, to))
		status = el_fail(error, EL_IO, "%s: cannot rename to %s: %m", checked, to);
	if (status)
		unlink(checked);
	free(checked);
	return status ? status : table_sync_directory(to, error);
}

enum el_status el_recode(struct el_library *library, const char *from, const char *to,
                         const struct el_table_options *options, const struct el_watch *watch,
                         struct el_recoded *out, struct el_error *error)
{
	struct el_planes planes;
	enum el_status status = read_all(library, from, watch, &out->before, &planes, error);
	if (status)
		return status;
	status = replace(library, to, &planes, options, watch, out, error);
	el_planes_free(&planes);
	return status;
}

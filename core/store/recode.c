/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same table in another form. */
#include "endlab/build.h"

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

static enum el_status write_again(struct el_library *library, const char *to,
				  struct el_planes *planes, const struct el_table_options *options,
				  const struct el_watch *watch, struct el_recoded *out,
				  struct el_error *error)
{
	struct el_table *table;
	enum el_status status = EL_OK;
	if (options->derive == EL_DERIVE_CAPTURES)
		status = el_library_derive(library, planes, watch, error);
	if (!status)
		status = el_table_write(to, planes, options, watch, &out->bytes, error);
	if (!status)
		status = el_table_open(to, &table, error);
	if (status)
		return status;
	out->options = el_table_info(table)->options;
	el_table_close(table);
	return EL_OK;
}

enum el_status el_recode(struct el_library *library, const char *from, const char *to,
			 const struct el_table_options *options, const struct el_watch *watch,
			 struct el_recoded *out, struct el_error *error)
{
	struct el_planes planes;
	enum el_status status = read_all(library, from, watch, &out->before, &planes, error);
	if (status)
		return status;
	status = write_again(library, to, &planes, options, watch, out, error);
	el_planes_free(&planes);
	return status;
}

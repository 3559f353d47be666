/* SPDX-License-Identifier: MIT */
/* Rewrites a table in another form. */
#include "build.h"
#include "core/whole/whole.h"

/* Converts planes of a foreign table to those of a table of ours. */
static enum el_status make_ours(const char *path, struct el_planes *planes, struct el_error *error)
{
	const struct el_metric *metric = planes->metric;
	const char *slice = planes->slice.name;
	if (planes->rounded)
		return el_fail(
			error, EL_NEGATIVE,
			"%s: some of its values are rounded to moves, and a table of ours has "
			"plies; run 'endlab build %s --metric %s' to build an exact one",
			path, slice, metric->name);
	if (!metric->late)
		return EL_OK;
	if (el_planes_late(planes))
		return el_fail(
			error, EL_NEGATIVE,
			"%s: it counts cursed wins and blessed losses on past the limit, and a "
			"table of ours does not; run 'endlab build %s --metric %s' to build one",
			path, slice, metric->name);
	planes->metric = el_metric_ruled(metric->rank, metric->limit / 2);
	return EL_OK;
}

/* `why` is from code that looks values up in other tables, so a missing one needs advice. */
static enum el_status fail(const char *path, enum el_status status, const struct el_error *why,
                           struct el_error *error)
{
	if (status != EL_NEGATIVE)
		return el_fail(error, status, "%s", why->text);
	return el_fail(error, status,
	               "%s: %s; name the folder of the tables it depends on with --path", path,
	               why->text);
}

enum el_status el_recode(struct el_library *library, const char *from, const char *to,
                         const struct el_table_options *options, const struct el_watch *watch,
                         struct el_recoded *out, struct el_error *error)
{
	struct el_table_options prepared = *options;
	struct el_error why = {.text = ""};
	struct el_planes planes;
	struct el_table *table;
	enum el_status status = el_library_read(library, from, watch, &out->before, &planes, &why);
	if (status)
		return fail(from, status, &why, error);
	status = make_ours(from, &planes, error);
	if (!status) {
		/* without the values that fill its broken indexes */
		el_planes_mark_broken(&planes);
		status = el_library_prepare(library, &planes, &prepared, watch, &why);
		if (status)
			fail(from, status, &why, error);
	}
	if (!status)
		status = el_table_write(to, &planes, &prepared, watch, &out->bytes, error);
	el_planes_free(&planes);
	if (!status)
		status = el_table_open(to, &table, error);
	if (status)
		return status;
	out->options = el_table_info(table)->options;
	el_table_close(table);
	return EL_OK;
}

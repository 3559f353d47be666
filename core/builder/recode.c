/* SPDX-License-Identifier: MIT */
/* Rewrites a table in another form. */
#include "build.h"
#include "core/library/summaries.h"
#include "core/library/visit.h"
#include "core/whole/whole.h"

#include <sys/stat.h>

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
	struct summaries summaries;
	struct el_planes planes;
	struct el_table *table;
	struct el_summary proved = {.verified = EL_NOT_VERIFIED};
	struct stat is;
	*out = (struct el_recoded){.bytes = 0};
	el_source_stat(from, &is); /* a file that is not there cannot be read either */
	enum el_status status = el_library_read(library, from, watch, &out->before, &planes, &why);
	if (status)
		return fail(from, status, &why, error);
	if (summaries_open(from, &summaries, &why))
		out->unkept = why;
	const struct visit visit = library_enter(library);
	summaries_find(&summaries, visit.catalogue, from, planes.origin.identity, &is, &proved);
	library_leave(visit);
	status = make_ours(from, &planes, error);
	if (!status) {
		/* without the values that fill its broken indexes */
		el_planes_mark_broken(&planes);
		status = el_library_prepare(library, NULL, &planes, &prepared, watch, &why);
		if (status)
			fail(from, status, &why, error);
	}
	if (!status)
		status = el_table_write(to, &planes, &prepared, watch, &out->bytes, error);
	el_planes_free(&planes);
	if (!status)
		status = el_table_open(to, &table, error);
	if (!status) {
		/* The new file has been compared with the old one, so a proof of that is one of it. */
		out->options = el_table_info(table)->options;
		if (proved.verified && proved.change == EL_UNCHANGED && !stat(to, &is) &&
		    summaries_copy(&summaries, from, to, el_table_info(table)->checksum, is.st_mtim,
		                   &why))
			out->unkept = why;
		el_table_close(table);
	}
	summaries_close(&summaries);
	return status;
}

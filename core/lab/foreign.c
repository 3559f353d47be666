/* SPDX-License-Identifier: MIT */
/* A foreign file as a candidate: the same library probes it as it is, on the same positions. */
#include "probes.h"

#include <stdio.h>
#include <string.h>

const struct el_source_ops *el_lab_foreign(const struct el_entry *e, const struct el_slice *slice,
                                           const struct el_metric *metric)
{
	const struct el_source_ops *kind = el_source_kind_of(e->path);
	struct el_slice held;
	const struct el_metric *own;
	const bool fits = kind && kind != &el_source_egt && kind->open && kind->named &&
	                  !e->status && kind->named(e->path, &held, &own) &&
	                  el_slice_equal(&held, slice) && own->has_depth == metric->has_depth &&
	                  el_metric_tells(own, metric);
	return fits ? kind : NULL;
}

void el_lab_candidate_format(const struct el_slice *slice, const struct el_lab_candidate *candidate,
                             char *out, size_t size)
{
	const struct el_source_ops *kind = candidate->foreign;
	if (kind)
		snprintf(out, size, "%s %s%s", kind->kind, strrchr(kind->extension, '.') + 1,
		         candidate->options.derive == EL_DERIVE_CAPTURES ? " captures" : "");
	else
		el_table_options_format(slice, &candidate->options, out, size);
}

/* ---- taking part ---- */

/* Errors name the link in the folder, which no longer exists when anyone reads them. */
enum el_status foreign_error(const struct folder *folder, enum el_status status,
                             struct el_error *error)
{
	const struct el_error found = *error;
	const size_t length = strlen(folder->table);
	const char *rest = found.text;
	if (!strncmp(rest, folder->table, length) && rest[length] == ':')
		rest += length + 2;
	return el_fail(error, status, "%s: %s", folder->from, rest);
}

enum el_status foreign_make(struct entrant *e, struct el_error *error)
{
	const struct el_lab_setup *setup = e->run->setup;
	const struct folder_use use = {.library = setup->library,
	                               .slice = &setup->slice,
	                               .metric = setup->metric,
	                               .foreign = e->result.candidate.foreign};
	struct el_library *library;
	enum el_status status = folder_make(setup->directory, &use, &e->folder, error);
	if (status)
		return status;
	snprintf(e->result.file, sizeof e->result.file, "%s", strrchr(e->folder.table, '/') + 1);
	status = probes_library(e, 0, &library, error);
	if (status)
		return status;
	/* The folder has the candidate, files that it relies on, and tables of other slices. */
	struct el_lab_result *out = &e->result;
	struct el_entry *entries = NULL;
	size_t count = 0;
	status = el_library_list(library, &entries, &count, error);
	for (size_t i = 0; i < count && !status; i++) {
		const struct el_entry *file = &entries[i];
		if (file->ignored || !el_slice_equal(&file->slice, &setup->slice))
			continue;
		const bool itself = !strcmp(file->path, e->folder.table);
		*(itself ? &out->bytes : &out->bytes_beside) += file->bytes;
		if (itself && file->derives)
			out->candidate.options.derive = EL_DERIVE_CAPTURES;
	}
	if (!status)
		el_entries_free(entries, count);
	el_library_close(library);
	out->bits_per_position = 8.0 * (double)(out->bytes + out->bytes_beside) /
	                         ((double)setup->slice.positions * setup->slice.planes);
	return status;
}

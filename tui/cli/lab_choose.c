/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the metric and candidates of a run of `lab`, including foreign files. */
#include "lab_work.h"

#include <string.h>

/* ---- the metric ---- */

bool lab_is_built(const struct lab_work *work, const struct el_metric *metric)
{
	struct el_library *library = work->cli->library;
	const struct el_slice *slice = &work->setup.slice;
	const struct el_metric *m = NULL;
	while ((m = el_library_next_metric(library, slice, m)))
		if ((!metric || el_metric_tells(m, metric)) &&
		    !el_library_find(library, slice, m, NULL))
			return true;
	return false;
}

/* All files found. */
struct files {
	struct el_entry *entries; /* owned */
	size_t count;
};

static bool is_compared(const struct files *files, const struct el_slice *slice,
                        const struct el_metric *metric)
{
	for (size_t i = 0; i < files->count; i++)
		if (el_lab_foreign(&files->entries[i], slice, metric))
			return true;
	return false;
}

/* If foreign files are requested, a metric that they have. */
static const struct el_metric *default_metric(const struct lab_work *work,
                                              const struct files *files)
{
	const struct el_slice *slice = &work->setup.slice;
	/* Among our tables, or the foreign ones if we have none, the metric of the first with
	   depths, else of the first; without tables the game's own. For a foreign format, our
	   metric of its name. */
	const struct el_entry *best = NULL;
	for (size_t i = 0; i < files->count; i++) {
		const struct el_entry *e = &files->entries[i];
		if (e->ignored || !el_slice_equal(&e->slice, slice))
			continue;
		const bool better =
			!best || e->ours > best->ours ||
			(e->ours == best->ours && e->metric->has_depth > best->metric->has_depth);
		best = better ? e : best;
	}
	const struct el_metric *usual =
		best ? el_metric_find(best->metric->name) : el_game_metric(slice->game);
	if (!option_given(work->arguments, "--foreign") || is_compared(files, slice, usual))
		return usual;
	for (const struct el_metric *const *m = slice->game->metrics; *m; m++)
		if (is_compared(files, slice, *m) && lab_is_built(work, *m))
			return *m;
	return usual;
}

/* ---- candidates ---- */

/* Why there is no foreign file to compare with: it cannot be used, or there is none. */
static enum el_status no_foreign(const struct lab_work *work, const struct files *files,
                                 struct el_error *error)
{
	const struct el_slice *slice = &work->setup.slice;
	for (const struct el_entry *e = files->entries; e < files->entries + files->count; e++)
		if (e->status && e->metric && strcmp(e->kind, el_source_egt.kind) &&
		    el_slice_equal(&e->slice, slice))
			return el_fail(error, e->status, "%s: %s", e->path, e->ignored);
	return el_fail(error, EL_NEGATIVE,
	               "no foreign table of %s to compare %s with; --path and $ENDLAB_PATH name "
	               "the folders of such tables",
	               slice->name, work->setup.metric->name);
}

/* Adds the foreign files found, unless an option says otherwise. */
static enum el_status add_foreign(struct lab_work *work, const struct files *files,
                                  struct el_error *error)
{
	const size_t ours = work->candidates.count;
	if (option_given(work->arguments, "--no-foreign"))
		return EL_OK;
	enum el_status status =
		lab_candidates_add_foreign(&work->candidates, files->entries, files->count,
	                                   &work->setup.slice, work->setup.metric, error);
	if (!status && work->candidates.count == ours && option_given(work->arguments, "--foreign"))
		status = no_foreign(work, files, error);
	return status;
}

enum el_status lab_choose(struct lab_work *work, struct el_error *error)
{
	const struct arguments *arguments = work->arguments;
	struct files files;
	const struct lab_lists lists = {
		.codecs = option_value(arguments, "--codecs"),
		.blocks = option_value(arguments, "--blocks"),
		.fills = option_value(arguments, "--fills"),
		.orders = option_value(arguments, "--orders"),
		.derive = option_value(arguments, "--derive"),
	};
	enum el_status status =
		el_library_list(work->cli->library, &files.entries, &files.count, error);
	if (status)
		return status;
	work->setup.metric = default_metric(work, &files);
	status = metric_option(arguments, "--metric", &work->setup.metric, error);
	if (!status)
		status = metric_suits(work->setup.metric, work->setup.slice.game, error);
	if (!status)
		status = lab_candidates_parse(&lists, &work->setup.slice, &work->candidates, error);
	if (!status)
		status = add_foreign(work, &files, error);
	el_entries_free(files.entries, files.count);
	return status;
}

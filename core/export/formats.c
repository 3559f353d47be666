/* SPDX-License-Identifier: MIT */
/* The list of formats, and the steps that all exports share. */
#include "outputs.h"

#include "core/base/text.h"

#include "core/os/files.h"

#include <string.h>

const struct el_export_format *const el_export_formats[] = {
	&export_npy, &export_raw, &export_csv, &export_syzygy, NULL,
};

enum el_status el_export_format_parse(const char *name, const struct el_export_format **out,
                                      struct el_error *error)
{
	char known[256] = "";
	for (const struct el_export_format *const *f = el_export_formats; *f; f++) {
		if (!strcmp((*f)->name, name)) {
			*out = *f;
			return EL_OK;
		}
		el_words_add(known, sizeof known, ", ", (*f)->name);
	}
	return el_fail(error, EL_USAGE, "unknown format '%s': expected one of %s", name, known);
}

enum el_status el_export_check(const struct el_export_format *format, const struct el_slice *slice,
                               const struct el_metric *metric, struct el_error *error)
{
	enum el_status status = EL_OK;
	if (metric)
		status = el_game_check_metric(slice->game, metric, error);
	return status || !format->check ? status : format->check(slice, metric, error);
}

enum el_status el_export(const struct el_export_format *format, const struct el_export *export,
                         struct el_error *error)
{
	enum el_status status = el_export_check(format, &export->slice, export->metric, error);
	if (!status)
		status = directory_make(export->directory, error);
	return status ? status : format->write(format, export, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays as their numbers alone. */
#include "arrays.h"
#include "formats.h"

static enum el_status add(struct outputs *outputs, const struct el_metric *metric,
                          struct el_error *error)
{
	return arrays_add(outputs, metric, "raw", error);
}

static enum el_status fill(const struct outputs *outputs, const struct el_planes *planes,
                           struct el_error *error)
{
	return arrays_fill(outputs, planes, NULL, error);
}

static enum el_status write(const struct el_export *export, struct el_error *error)
{
	return tables_write(export, &(struct table_form){add, fill}, error);
}

const struct el_export_format export_raw = {
	.name = "raw",
	.title = "little-endian arrays without a header",
	.write = write,
};

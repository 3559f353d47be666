/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays that NumPy loads: its format of version 1.0, as numpy.lib.format documents it. A magic
 * number, the version, the length of what follows as 16 bits, and a Python literal that ends in a
 * newline and is padded with blanks, so that the numbers begin at a multiple of 64.
 */
#include "describe.h"
#include "formats.h"

#include <stdio.h>
#include <string.h>

static const char magic[] = "\x93NUMPY\x01"; /* the zero that ends it is the minor version */
enum { LENGTH_AT = sizeof magic, TEXT_AT = LENGTH_AT + 2 };

static size_t header(const struct el_slice *slice, enum array_part part, char out[ARRAY_HEADER_MAX])
{
	enum { ROOM = ARRAY_HEADER_MAX - TEXT_AT };
	char text[ROOM], sizes[ROOM / 2] = "";
	uint64_t shape[EL_INDEX_STEPS_MAX];
	const size_t count = describe_shape(slice, shape);
	for (size_t i = 0, used = 0; i < count; i++)
		used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%llu,%s",
		                         (unsigned long long)shape[i], i + 1 < count ? " " : "");
	const int length = snprintf(text, sizeof text,
	                            "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
	                            array_type(part), sizes);
	memset(out, ' ', ARRAY_HEADER_MAX);
	memcpy(out, magic, sizeof magic);
	out[LENGTH_AT] = ROOM;
	out[LENGTH_AT + 1] = 0;
	memcpy(out + TEXT_AT, text, (size_t)length);
	out[ARRAY_HEADER_MAX - 1] = '\n';
	return ARRAY_HEADER_MAX;
}

static enum el_status add(struct outputs *outputs, const struct el_metric *metric,
                          struct el_error *error)
{
	return arrays_add(outputs, metric, "npy", error);
}

static enum el_status fill(const struct outputs *outputs, const struct el_planes *planes,
                           struct el_error *error)
{
	return arrays_fill(outputs, planes, header, error);
}

static enum el_status write(const struct el_export *export, struct el_error *error)
{
	return tables_write(export, &(struct table_form){add, fill}, error);
}

const struct el_export_format export_npy = {
	.name = "npy",
	.title = "NumPy arrays",
	.write = write,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON beside the files of a table: what their values mean, and which position an index stands
   for. */
#ifndef CORE_EXPORT_DESCRIBE_H
#define CORE_EXPORT_DESCRIBE_H

#include "arrays.h"

/*
 * The radixes of the index, the slowest first: the shape of an array of a plane, in C order.
 * Returns how many. Where the index is no single product of radixes that is the number of positions
 * alone.
 */
size_t describe_shape(const struct el_slice *, uint64_t out[EL_INDEX_STEPS_MAX]);

/* The output of a table whose files end with `ending`; after all others. */
enum el_status describe_add(struct outputs *, const struct el_metric *, const char *ending,
                            struct el_error *);
/* Writes the description to the last of the outputs; those before it are the table's files in the
   order of arrays_list or, where `with_arrays` is false, one file with lines of text. */
enum el_status describe(const struct outputs *, const struct el_planes *, bool with_arrays,
                        struct el_error *);

#endif

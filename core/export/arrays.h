/* SPDX-License-Identifier: MIT */
/* The values of a table as little-endian arrays of numbers in the order of the index: one for each
   plane and each part of a value. */
#ifndef CORE_EXPORT_ARRAYS_H
#define CORE_EXPORT_ARRAYS_H

#include "outputs.h"

/* The parts of a value. Each has its own array. */
enum array_part { ARRAY_OUTCOME, ARRAY_PLIES, ARRAY_PHASE, ARRAY_STONES, ARRAY_PARTS };

struct array {
	unsigned plane;
	enum array_part part;
};

enum { ARRAYS_MAX = 2 * ARRAY_PARTS };

/* Lists the arrays of a table in the order of its outputs. Returns how many. */
size_t arrays_list(const struct el_slice *, const struct el_metric *, struct array out[ARRAYS_MAX]);

/* For file names: "plies", "white". */
extern const char *const array_part_names[], *const array_side_names[];

enum {
	ARRAY_BROKEN_OUTCOME = -128,
	ARRAY_BROKEN_PLIES = 0xffff,
	ARRAY_BROKEN_STONES = INT16_MIN,
};
/* The number of an outcome: -2 a loss .. 2 a win, 0 a draw; other numbers are bounds. */
int array_outcome(enum el_outcome);
static inline unsigned array_width(enum array_part part)
{
	return part == ARRAY_OUTCOME ? 1 : 2; /* bytes */
}
/* An int8, a little-endian int16 or uint16, as NumPy writes them. */
static inline const char *array_type(enum array_part part)
{
	return part == ARRAY_OUTCOME ? "|i1" : part == ARRAY_STONES ? "<i2" : "<u2";
}

/* ---- describe.c: the JSON beside the files, which explains values and indexes ---- */

/*
 * The radixes of the index, the slowest first: the shape of a plane's array in C order. Returns how
 * many. If the index is not one product of radixes, the only one is the number of positions.
 */
size_t describe_shape(const struct el_slice *, uint64_t out[EL_INDEX_STEPS_MAX]);

/* Writes the description to the last output. The outputs before it are the table's files in the
   order of arrays_list or, if `with_arrays` is false, one file with lines of text. */
enum el_status describe(const struct outputs *, const struct el_planes *, bool with_arrays,
                        struct el_error *);

#endif

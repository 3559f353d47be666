/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values that a solution finds, numbered as they come, and put in order at its end. */
#ifndef ENDLAB_RECORDER_H
#define ENDLAB_RECORDER_H

#include "endlab/solve.h"

enum { SYMBOLS_MAX = UINT16_MAX + 1 };

/* What one side's symbols stand for so far; 0 is broken. */
struct meanings {
	struct el_value *values; /* room for every symbol; owned, as is `stored` */
	bool *stored;            /* a position has it that the table stores */
	uint32_t count;
};

struct recorder {
	struct el_slice slice;
	const struct el_metric *metric; /* that is solved */
	bool full; /* more distinct values than symbols */
	struct meanings meanings[2];
	uint16_t *renamed[2]; /* once finished: what a symbol is in the planes; owned */
};

enum el_status recorder_open(struct recorder *, const struct el_slice *, const struct el_metric *,
                             struct el_error *);
void recorder_close(struct recorder *); /* all zeros are allowed */
/* The symbol of a value, a new one where it has none yet; `stored`: a position has it that the table
   stores. Any number of threads at once. */
uint16_t recorder_symbol(struct recorder *, unsigned side, struct el_value value, bool stored);
/* What has been numbered so far means this; valid until the recorder is closed, and may be read while
   others number more. */
struct el_meanings recorder_meanings(struct recorder *);
/* Fills in the values of planes under a metric that what was solved tells, in the order of el_plane, and
   what becomes of symbols. */
enum el_status recorder_finish(struct recorder *, struct el_planes *, struct el_error *);

#endif

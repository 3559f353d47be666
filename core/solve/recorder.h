/* SPDX-License-Identifier: MIT */
/* Numbers a solution's values in the order in which they are found, and sorts them at the end. */
#ifndef CORE_SOLVE_RECORDER_H
#define CORE_SOLVE_RECORDER_H

#include "solve.h"

enum { SYMBOLS_MAX = UINT16_MAX + 1 };

/* The values that one side's symbols stand for so far; 0 is EL_BROKEN. */
struct meanings {
	struct el_value *values; /* room for every symbol; owned, as is `stored` */
	bool *stored;            /* by symbol: the table stores a position with this value */
	uint32_t count;
	_Atomic uint32_t last; /* a stored symbol that was asked for last: most likely again */
};

struct recorder {
	struct el_slice slice;
	const struct el_metric *metric; /* the metric solved */
	bool full;                      /* there were more different values than symbols */
	struct meanings meanings[2];
	uint16_t *renamed[2]; /* once finished: [symbol], its symbol in the planes; owned */
};

enum el_status recorder_open(struct recorder *, const struct el_slice *, const struct el_metric *,
                             struct el_error *);
void recorder_close(struct recorder *); /* all zeros are allowed */
/* The symbol of a value, a new one if it has none yet. `stored`: the table stores a position with
   this value. Any number of threads at once. */
uint16_t recorder_symbol(struct recorder *, unsigned side, struct el_value value, bool stored);
/* The values numbered so far. Valid until the recorder is closed, and may be read while other
   threads number more. */
struct el_meanings recorder_meanings(struct recorder *);
/* Fills in the values of the planes, in the order of el_plane, and `renamed`. The planes' metric
   may be any metric that the one solved determines. */
enum el_status recorder_finish(struct recorder *, struct el_planes *, struct el_error *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the values that a solution finds as they come, and puts them in order at its end. */
#ifndef CORE_SOLVE_RECORDER_H
#define CORE_SOLVE_RECORDER_H

#include "solve.h"

enum { SYMBOLS_MAX = UINT16_MAX + 1 };

/* The values that one side's symbols stand for so far; 0 is EL_BROKEN. */
struct meanings {
	struct el_value *values; /* room for every symbol; owned, as is `stored` */
	bool *stored;            /* by symbol: some position that the table stores has the value */
	uint32_t count;
};

struct recorder {
	struct el_slice slice;
	const struct el_metric *metric; /* that is solved */
	bool full;                      /* there were more different values than symbols */
	struct meanings meanings[2];
	uint16_t *renamed[2]; /* once finished: by symbol, the symbol in the planes; owned */
};

enum el_status recorder_open(struct recorder *, const struct el_slice *, const struct el_metric *,
                             struct el_error *);
void recorder_close(struct recorder *); /* all zeros are allowed */
/* The symbol of a value, a new one if it has none yet. `stored`: a position that the table stores
   has the value. Any number of threads at once. */
uint16_t recorder_symbol(struct recorder *, unsigned side, struct el_value value, bool stored);
/* The values numbered so far. Valid until the recorder is closed, and may be read while other
   threads number more. */
struct el_meanings recorder_meanings(struct recorder *);
/* Fills in the values of the planes, in the order of el_plane, and `renamed`. The planes' metric
   may be another one that the metric solved tells. */
enum el_status recorder_finish(struct recorder *, struct el_planes *, struct el_error *);

#endif

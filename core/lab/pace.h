/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a run has come and how long it will take, told to the caller's watch in seconds. */
#ifndef CORE_LAB_PACE_H
#define CORE_LAB_PACE_H

#include "endlab/status.h"

#include <stddef.h>

enum { PACE_WHAT = 96 };

struct pace {
	const struct el_watch *watch; /* the caller's; may be null */
	struct el_watch inner;        /* for work that reports by itself: passes its stages on */
	char what[PACE_WHAT];         /* the candidate at hand */
	double started;               /* the run, in clock_seconds */
	double ready;                 /* the first candidate began */
	double begun;                 /* the candidate at hand began */
	double told;                  /* the last report */
	double expected;              /* seconds for a candidate, before one is finished */
	size_t finished, count;       /* candidates, or turns */
	double later;                 /* seconds of what comes after all of them */
};

/* The pace must not move in memory while `inner` is in use. */
void pace_start(struct pace *, const struct el_watch *, size_t count, double expected);
/* Candidate number `finished` begins, or a turn. */
void pace_begin(struct pace *, size_t finished);
/* From here on so many turns are counted, each of which takes about so long. */
void pace_turns(struct pace *, size_t count, double expected);
/* EL_STOPPED when the watch says so. The stage has static storage. */
enum el_status pace_tick(struct pace *, const char *stage, struct el_error *);

#endif

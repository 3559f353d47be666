/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the caller's watch, in seconds, how far a run has come and how long it will take. */
#ifndef CORE_LAB_PACE_H
#define CORE_LAB_PACE_H

#include "endlab/status.h"

#include <stddef.h>

enum { PACE_WHAT = 96 };

struct pace {
	const struct el_watch *watch; /* the caller's; may be null */
	struct el_watch inner;        /* for work that reports its own stages: passes them on */
	char what[PACE_WHAT];         /* the current candidate */
	double started;               /* the run, in clock_seconds */
	double ready;                 /* the first candidate began */
	double begun;                 /* the current candidate began */
	double told;                  /* the last report */
	double expected;              /* seconds for a candidate, before one is finished */
	size_t finished, count;       /* candidates, or turns */
	double later;                 /* seconds of the work after all of them */
};

/* The pace must not move in memory while `inner` is in use. */
void pace_start(struct pace *, const struct el_watch *, size_t count, double expected);
/* Candidate (or turn) number `finished` begins. */
void pace_begin(struct pace *, size_t finished);
/* From here on counts `count` turns, of about `expected` seconds each. */
void pace_turns(struct pace *, size_t count, double expected);
/* EL_STOPPED if the watch says so. `stage` must have static storage. */
enum el_status pace_tick(struct pace *, const char *stage, struct el_error *);

#endif

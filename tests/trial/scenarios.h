/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is done to a folder, as rows of a table, and whether the folder is as it should be: while
 * such work was begun and not finished, and when it was done again.
 *
 *     scenario_choose -> scenario_prepare -> run, with whatever happens -> scenario_look ->
 *     scenario_again
 */
#ifndef TESTS_TRIAL_SCENARIOS_H
#define TESTS_TRIAL_SCENARIOS_H

#include "run.h"

enum { READY_MAX = 4 };

/* A file with a text that is not always the same. */
struct varied {
	const char *name, *first, *last; /* what it begins and ends with */
};

struct scenario {
	const char *group, *name;
	struct job job;
	const char *folder;           /* made beforehand; null: none */
	const char *ready[READY_MAX]; /* files of the sound folder that are there beforehand */
	const char *before;           /* a name that another file may have beforehand; null: none */
	struct varied varied[2];
	size_t on_disk;       /* bytes that it takes beside its tables */
	const char *again[4]; /* words of the job that does it again; none: its own */
	bool any;             /* what it builds, and how far, is a matter of time */

	/* Found out by scenario_prepare, once. */
	const char *right;   /* a folder as it is when nothing has happened */
	double seconds;      /* that it takes */
	unsigned long steps; /* see failing.c */
	/* of the files in `right`, and of those that are there beforehand */
	size_t bytes, bytes_before;
	size_t proofs; /* lines of .verified.tsv that there were last */
};

/* How many there are of a group, null: of all; and the n-th of these. */
size_t scenario_count(const char *group);
struct scenario *scenario_of(const char *group, size_t n);
/* One of a group, told. */
struct scenario *scenario_choose(struct trial *, const char *group);

/* The right folder, unless it was made before. */
void scenario_make_right(struct trial *, struct scenario *);
/* What is there beforehand, in any folder. */
void scenario_furnish(const struct trial *, const struct scenario *, const char *folder);
/* Puts into the folder of the try what is there beforehand. */
void scenario_prepare(struct trial *, struct scenario *);

/* What may lie in the folder. */
enum state {
	BEGUN,             /* killed: a bounded number of files of its own too */
	REFUSED_AND_CLEAN, /* ended by itself: nothing else, but what a later build goes on with */
	DONE,              /* all that it makes, and nothing else */
};
enum verdict scenario_look(struct trial *, struct scenario *, const char *when, enum state);
/* Nothing happens, and it is done. */
enum verdict scenario_again(struct trial *, struct scenario *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of jobs that work in a folder, and checks of the folder: after a job was begun and not
 * finished, and after it was done again.
 *
 *     scenario_choose -> scenario_prepare -> run, with whatever happens -> scenario_look ->
 *     scenario_again
 */
#ifndef TESTS_TRIAL_SCENARIOS_H
#define TESTS_TRIAL_SCENARIOS_H

#include "run.h"

enum { READY_MAX = 5 };

/* A file whose text varies. */
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
	bool any;             /* what it builds, and how far, depends on timing */

	/* Found out by scenario_prepare, once. */
	const char *right;   /* the folder of an undisturbed run */
	double seconds;      /* that it takes */
	unsigned long steps; /* see failing.c */
	/* of the files in `right`, and of those that are there beforehand */
	size_t bytes, bytes_before;
	size_t proofs; /* lines of .verified.tsv at the last look */
};

/* The number of scenarios in a group (null: all); the n-th of them. */
size_t scenario_count(const char *group);
struct scenario *scenario_of(const char *group, size_t n);
/* Chooses one of a group, and reports it. */
struct scenario *scenario_choose(struct trial *, const char *group);

/* Makes the right folder, unless it exists. */
void scenario_make_right(struct trial *, struct scenario *);
/* Puts into a folder what must be there beforehand. */
void scenario_furnish(const struct trial *, const struct scenario *, const char *folder);
/* Furnishes the folder of the try. */
void scenario_prepare(struct trial *, struct scenario *);

/* What may lie in the folder. */
enum state {
	BEGUN,             /* killed: a bounded number of files of its own too */
	REFUSED_AND_CLEAN, /* ended by itself: only what a later build continues from */
	DONE,              /* all that it makes, and nothing else */
};
enum verdict scenario_look(struct trial *, struct scenario *, const char *when, enum state);
/* Does it again undisturbed; asserts that it is done. */
enum verdict scenario_again(struct trial *, struct scenario *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The right answers, and whether a folder still gives them. */
#ifndef TESTS_TRIAL_TRUTH_H
#define TESTS_TRIAL_TRUTH_H

#include "core/library/library.h"
#include "trial.h"

enum { TRUTH_POSITIONS = 1000 };

/* The truth about one sound file. */
struct truth {
	const char *path; /* valid for ever */
	struct el_slice slice;
	const struct el_metric *metric;
	size_t count;
	struct el_position position[TRUTH_POSITIONS];
	struct el_value value[TRUTH_POSITIONS];
};

/* Random positions of the file's slice, with their values from the library of its folder. False if
   the library does not use the file. */
bool truth_find(const char *folder, const char *name, struct truth *out);
/* Asks the library of a folder for some of them, in every possible way. */
enum verdict truth_ask(struct trial *, const char *folder, const struct truth *);

#endif

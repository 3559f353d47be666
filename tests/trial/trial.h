/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trial by force: whatever lies in a folder, ends a process, fills a disk or takes memory away,
 * Endlab must not hang, crash, lose files, litter, overwrite, or silently answer wrongly.
 *
 *     kinds[] -> tries, each in an empty folder, with random numbers of its own -> a table
 *
 * Kind and number identify a try: with the same seed it is the same again, except for the moment
 * at which a signal comes.
 */
#ifndef TESTS_TRIAL_TRIAL_H
#define TESTS_TRIAL_TRIAL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position that only a study can answer. */
#define PAWNS "8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1"

enum { TRIAL_PATH = 512, SCRATCH_PATH = 256 };

enum verdict {
	RIGHT,   /* done, and done right */
	REFUSED, /* not done, with a word */
	WRONG,
};

/* Shared with child processes, so that they can say why. */
struct trial {
	const char *endlab, *failing; /* the program; the same with memory that can be refused */
	char scratch[SCRATCH_PATH];   /* removed in the end */
	char sound[TRIAL_PATH];       /* tables that are right; never written to */
	char folder[TRIAL_PATH];      /* of the try; empty when it begins */
	uint64_t seed, random;        /* of the trial; the state of the try */
	unsigned long number;         /* of the try, from 0 */
	bool tells;                   /* report each try */
	bool every;                   /* number counts through all possible tries */
	unsigned long blows;          /* signals in all */
	char what[512];               /* is tried */
	char why[2048];               /* why it is wrong */
};

struct kind {
	const char *name;
	/* Makes ready, once; returns why it cannot be tried here, or null. */
	const char *(*lacks)(struct trial *);
	enum verdict (*try)(struct trial *);
	unsigned long (*all)(struct trial *); /* the number of tries; null: unlimited */
};

extern const struct kind kill_build, kill_recode, kill_export, kill_lab, kill_verify, kill_annotate,
	kill_solve, kill_explorer;
extern const struct kind damaged_egt, damaged_syzygy, damaged_gaviota;
extern const struct kind few_descriptors, little_memory, small_files, full_disk;
extern const struct kind vanishing_folders, crowds, jumping_clocks;
extern const struct kind odd_folders, failed_allocations, starved_explorer;

/* ---- trial.c ---- */

/* Numbers of the try's own: any, below `most`, one of `count` texts. */
uint64_t trial_random(struct trial *);
size_t trial_below(struct trial *, size_t most);
const char *trial_choose(struct trial *, const char *const *texts, size_t count);
#define CHOOSE(t, texts) trial_choose(t, texts, sizeof(texts) / sizeof *(texts))

/* Adds to the description of a try. */
void trial_tell(struct trial *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns WRONG and notes why. */
enum verdict trial_wrong(struct trial *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Ends the trial: it cannot go on. */
void trial_give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Runs a part of a try in a separate process, which may crash, hang, or change process-wide
   settings. */
enum verdict trial_apart(struct trial *, enum verdict (*part)(struct trial *, const void *context),
                         const void *context);

#endif

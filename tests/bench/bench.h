/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the benchmarks share. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include "core/solve/solve.h"
#include "endlab/engine.h"

#include <stdio.h>

/* Seconds of a clock that only goes forward. */
double bench_now(void);
/* The next of a fixed sequence of random numbers; start with any state but 0. */
uint64_t bench_random(uint64_t *state);
/* Prints a message and ends the program. */
void bench_fail(const char *what) __attribute__((noreturn));
/* A position as engines pass it. */
struct el_board bench_board(const struct el_position *);
/* The slice with this name; ends the program if there is none. */
struct el_slice bench_slice(const char *name);
/* Seconds for `ENDLAB --dir DIRECTORY --threads 1 WORDS FILE`, the first two of which are argv[1]
   and argv[2], with a file that `write` fills. */
double bench_program(char **argv, const char *words, const struct el_slice *,
                     void (*write)(const struct el_slice *, FILE *));

/* ---- shelf.c: slices solved in memory ---- */

enum { BENCH_KEPT_MAX = 128 };

struct bench_shelf {
	struct el_planes planes[BENCH_KEPT_MAX];
	size_t count;
};

/* Solves a slice and all that it depends on, and keeps them. Seconds for the slice alone, after the
   others; 0 when it was there already. The metric's conversions enter that metric, or it is WDL. */
double bench_solve(struct bench_shelf *, const struct el_slice *, const struct el_metric *);
/* The slice alone, from what the shelf has; el_planes_free. */
double bench_solve_alone(struct bench_shelf *, const struct el_slice *, const struct el_metric *,
                         struct el_planes *out);
/* Lends what is on the shelf. */
struct el_lender bench_lender(struct bench_shelf *);
void bench_shelf_free(struct bench_shelf *);

#endif

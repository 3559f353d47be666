/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the benchmarks share. */
#ifndef BENCH_H
#define BENCH_H

#include "endlab/game.h"

/* Seconds of a clock that only goes forward. */
double bench_now(void);
/* The next of a fixed sequence of random numbers; start with any state but 0. */
uint64_t bench_random(uint64_t *state);
/* Ends the program with a message. */
void bench_fail(const char *what) __attribute__((noreturn));
/* A slice by its name, or the end of the program. */
struct el_slice bench_slice(const char *name);

#endif

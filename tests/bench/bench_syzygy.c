/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares warm probes of Syzygy tables with libfathom's, on the same positions in the same run:
 * bench_syzygy FOLDER SLICE...
 *
 * Figures are nanoseconds, the best of several rounds. libfathom finds a depth only by ranking all
 * moves (tb_probe_root), so both of our ways are compared with that: the depth of one position, and
 * all moves ranked. Without libfathom it measures only ours.
 */
#include "bench.h"
#include "core/library/library.h"
#include "core/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<tbprobe.h>)
#include <tbprobe.h>
#else
#define TB_RESULT_FAILED 0xFFFFFFFF
#endif

enum { POSITIONS = 20000, RANKED = POSITIONS / 40, ROUNDS = 5 };

/* A position in libfathom's form. */
struct theirs {
	uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
	bool turn;
};

struct bench {
	struct el_library *library;
	const struct el_game *game;
	struct el_position *positions;
	struct theirs *theirs;
	uint64_t sum; /* of the results, so that nothing is optimised away */
};

static uint64_t sets_of(const struct el_game *game, const struct el_position *p, char letter)
{
	unsigned kind = 0;
	while (game->kinds[kind] != letter)
		kind++;
	return p->set[0][kind] | p->set[1][kind];
}

static struct theirs theirs_of(const struct el_game *game, const struct el_position *p)
{
	struct theirs t = {
		.kings = sets_of(game, p, 'K'),
		.queens = sets_of(game, p, 'Q'),
		.rooks = sets_of(game, p, 'R'),
		.bishops = sets_of(game, p, 'B'),
		.knights = sets_of(game, p, 'N'),
		.pawns = sets_of(game, p, 'P'),
		.turn = p->side == EL_WHITE,
	};
	for (unsigned kind = 0; kind < EL_KINDS; kind++) {
		t.white |= p->set[0][kind];
		t.black |= p->set[1][kind];
	}
	return t;
}

/* Uniform over the legal positions of a slice. */
static void draw_positions(struct bench *b, const struct el_slice *slice)
{
	uint64_t state = 1;
	for (size_t n = 0; n < POSITIONS;) {
		unsigned plane = (unsigned)(bench_random(&state) % slice->planes);
		uint64_t index = bench_random(&state) % slice->positions;
		if (!b->game->unplace(slice, plane, index, &b->positions[n]))
			continue;
		b->theirs[n] = theirs_of(b->game, &b->positions[n]);
		n++;
	}
}

/* ---- what is measured ---- */

static void run_value(struct bench *b, const struct el_metric *metric, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		struct el_value value;
		struct el_error error;
		if (el_library_value(b->library, b->game, &b->positions[n], metric, EL_PROBE_FULL,
		                     &value, &error))
			bench_fail(error.text);
		b->sum += value.plies + value.outcome;
	}
}

static void our_outcomes(struct bench *b)
{
	run_value(b, &el_wdl_rule[EL_RULE_USUAL - 1], POSITIONS);
}

static void our_depths(struct bench *b)
{
	run_value(b, &el_dtz_rule[EL_RULE_USUAL - 1], POSITIONS);
}

static void our_ranks(struct bench *b)
{
	static struct el_answer answer;
	const struct el_question question = {.metric = &el_dtz_rule[EL_RULE_USUAL - 1]};
	for (size_t n = 0; n < RANKED; n++) {
		el_library_answer(b->library, b->game, &b->positions[n], &question, &answer, NULL);
		b->sum += answer.count;
	}
}

#ifdef TBPROBE_H
static void their_outcomes(struct bench *b)
{
	for (size_t n = 0; n < POSITIONS; n++) {
		const struct theirs *t = &b->theirs[n];
		b->sum += tb_probe_wdl(t->white, t->black, t->kings, t->queens, t->rooks,
		                       t->bishops, t->knights, t->pawns, 0, 0, 0, t->turn);
	}
}

static void their_ranks(struct bench *b)
{
	unsigned results[TB_MAX_MOVES];
	for (size_t n = 0; n < RANKED; n++) {
		const struct theirs *t = &b->theirs[n];
		b->sum +=
			tb_probe_root(t->white, t->black, t->kings, t->queens, t->rooks, t->bishops,
		                      t->knights, t->pawns, 0, 0, 0, t->turn, results);
	}
}

static const bool has_theirs = true;

static bool open_theirs(const char *folder)
{
	return tb_init(folder) && TB_LARGEST;
}
#else
static void their_outcomes(struct bench *b)
{
	b->sum++;
}

static void their_ranks(struct bench *b)
{
	b->sum++;
}

static const bool has_theirs = false;

static bool open_theirs(const char *folder)
{
	return folder;
}
#endif

/* CPU seconds: both are one thread, and neither waits for anything. */
static double cpu_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double best(void (*run)(struct bench *), struct bench *b, unsigned probes)
{
	double least = 1e30;
	for (int r = 0; r < ROUNDS; r++) {
		const double start = cpu_now();
		run(b);
		const double each = 1e9 * (cpu_now() - start) / probes;
		least = each < least ? each : least;
	}
	return least;
}

static void measure(struct bench *b, const struct el_slice *slice)
{
	draw_positions(b, slice);
	const double wdl = best(our_outcomes, b, POSITIONS), dtz = best(our_depths, b, POSITIONS);
	const double ranks = best(our_ranks, b, RANKED);
	printf("%-8s %9.0f", slice->name, wdl);
	if (has_theirs) {
		const double their_wdl = best(their_outcomes, b, POSITIONS);
		const double their_root = best(their_ranks, b, RANKED);
		printf(" %9.0f %6.2f %9.0f %9.0f %9.0f %6.1f\n", their_wdl, their_wdl / wdl, dtz,
		       ranks, their_root, their_root / ranks);
	} else {
		printf(" %9s %6s %9.0f %9.0f\n", "-", "-", dtz, ranks);
	}
}

int main(int argc, char **argv)
{
	struct el_error error;
	struct bench b = {.positions = malloc(POSITIONS * sizeof *b.positions),
	                  .theirs = malloc(POSITIONS * sizeof *b.theirs)};
	const char *folder = argc > 1 ? argv[1] : "";
	const struct el_library_options options = {.directory = "/nonexistent", .paths = folder};
	if (!b.positions || !b.theirs)
		bench_fail("out of memory");
	if (argc < 3)
		bench_fail("usage: bench_syzygy FOLDER SLICE...");
	if (access(folder, R_OK)) {
		printf("no Syzygy tables at %s: skipped\n", folder);
		return 0;
	}
	if (!has_theirs)
		printf("libfathom-dev is not installed: not compared with it\n");
	if (el_library_open(&options, &b.library, &error))
		bench_fail(error.text);
	if (!open_theirs(folder))
		bench_fail("libfathom finds no tables");
	printf("%-8s %9s %9s %6s %9s %9s %9s %6s\n", "slice", "wdl ns", "fathom", "ratio", "dtz ns",
	       "ranks ns", "fathom", "ratio");
	for (int i = 2; i < argc; i++) {
		const struct el_slice slice = bench_slice(argv[i]);
		b.game = slice.game;
		measure(&b, &slice);
	}
	el_library_close(b.library);
	free(b.positions);
	free(b.theirs);
	return b.sum == 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures lines a second through `endlab probe --stdin --tsv`, the whole program with a pipe at
   either end: bench_stdin ENDLAB DIRECTORY SLICE... Positions are uniform over the legal ones. */
#include "bench.h"

#include <stdio.h>

enum { LINES = 400000 };

static void write_positions(const struct el_slice *slice, FILE *out)
{
	uint64_t state = 1;
	for (unsigned n = 0; n < LINES;) {
		struct el_position position;
		char fen[EL_FEN_MAX];
		const unsigned plane = (unsigned)(bench_random(&state) % slice->planes);
		if (!slice->game->unplace(slice, plane, bench_random(&state) % slice->positions,
		                          &position))
			continue;
		slice->game->format(&position, fen);
		fprintf(out, "%s\n", fen);
		n++;
	}
}

int main(int argc, char **argv)
{
	for (int i = 3; i < argc; i++) {
		const struct el_slice slice = bench_slice(argv[i]);
		const double seconds =
			bench_program(argv, "probe --stdin --tsv <", &slice, write_positions);
		printf("%-8s %d lines in %.2f s: %.0f a second\n", slice.name, LINES, seconds,
		       LINES / seconds);
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines a second through `endlab probe --stdin --tsv`, the whole program with a pipe at either end:
 * bench_stdin ENDLAB DIRECTORY SLICE... Positions are uniform over the legal ones.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
		char list[] = "/tmp/bench_stdin.XXXXXX", command[1024];
		const int fd = mkstemp(list);
		FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
		if (!out)
			bench_fail("no scratch file");
		write_positions(&slice, out);
		fclose(out);
		snprintf(command, sizeof command,
		         "'%s' --dir '%s' --threads 1 probe --stdin --tsv <'%s' >/dev/null", argv[1],
		         argv[2], list);
		const double begin = bench_now();
		const int status = system(command);
		const double seconds = bench_now() - begin;
		unlink(list);
		if (status)
			bench_fail("the program failed");
		printf("%-8s %d lines in %.2f s: %.0f a second\n", slice.name, LINES, seconds,
		       LINES / seconds);
	}
	return 0;
}

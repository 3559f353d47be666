/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Marsaglia, "Xorshift RNGs", 2003. */
uint64_t bench_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

void bench_fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

struct el_slice bench_slice(const char *name)
{
	struct el_slice slice;
	struct el_error error;
	if (el_slice_parse(name, &slice, &error))
		bench_fail(error.text);
	return slice;
}

struct el_board bench_board(const struct el_position *p)
{
	struct el_board b = {
		.side = p->side,
		.en_passant = p->en_passant == EL_NO_SQUARE ? 0 : p->en_passant,
		/* those of ordinary chess: h1, a1, h8, a8 */
		.castling = (uint8_t)((p->castling >> 7 & 1) | (p->castling & 1) << 1 |
	                              p->castling >> 15 << 2 | (p->castling >> 8 & 1) << 3),
		.halfmove = p->halfmove,
	};
	uint64_t *const kinds[] = {&b.kings, &b.queens, &b.rooks, &b.bishops, &b.knights, &b.pawns};
	for (unsigned k = 0; k < EL_KINDS; k++) {
		*kinds[k] = p->set[EL_WHITE][k] | p->set[EL_BLACK][k];
		b.white |= p->set[EL_WHITE][k];
		b.black |= p->set[EL_BLACK][k];
	}
	return b;
}

double bench_program(char **argv, const char *words, const struct el_slice *slice,
                     void (*write)(const struct el_slice *, FILE *))
{
	char path[] = "/tmp/bench.XXXXXX", command[1024];
	const int fd = mkstemp(path);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out)
		bench_fail("no scratch file");
	write(slice, out);
	fclose(out);
	snprintf(command, sizeof command, "'%s' --dir '%s' --threads 1 %s '%s' >/dev/null", argv[1],
	         argv[2], words, path);
	const double begin = bench_now();
	const int status = system(command);
	const double seconds = bench_now() - begin;
	unlink(path);
	if (status)
		bench_fail("the program failed");
	return seconds;
}

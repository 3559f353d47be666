/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an engine asks of tbprobe.h about positions, a FEN a line: fathom FOLDER <POSITIONS. Compiled with
   Fathom and with samples/engine/tbprobe.c, it prints the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tbprobe.h>

struct board {
	uint64_t colour[2], kind[6]; /* K Q R B N P */
	bool white;
};

/* The squares and the side to move of a FEN. */
static struct board board_of(const char *fen)
{
	static const char kinds[] = "KQRBNPkqrbnp";
	struct board b = {.white = strstr(fen, " w ") != NULL};
	for (unsigned square = 56; *fen != ' '; fen++) {
		const char *kind = strchr(kinds, *fen);
		if (*fen == '/')
			square -= 16;
		else if (!kind)
			square += (unsigned)(*fen - '0');
		if (kind) {
			b.colour[(kind - kinds) / 6] |= UINT64_C(1) << square;
			b.kind[(kind - kinds) % 6] |= UINT64_C(1) << square++;
		}
	}
	return b;
}

static int by_number(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

#define BOARD(b)                                                                                \
	(b)->colour[0], (b)->colour[1], (b)->kind[0], (b)->kind[1], (b)->kind[2], (b)->kind[3], \
		(b)->kind[4], (b)->kind[5]

static void ask(const struct board *b, unsigned clock)
{
	static struct TbRootMoves ranked;
	unsigned results[TB_MAX_MOVES + 1], count = 0;
	const unsigned wdl = tb_probe_wdl(BOARD(b), 0, 0, 0, b->white);
	const unsigned root = tb_probe_root(BOARD(b), clock, 0, 0, b->white, results);
	printf("%u", wdl);
	if (root == TB_RESULT_CHECKMATE || root == TB_RESULT_STALEMATE ||
	    root == TB_RESULT_FAILED) {
		printf(" over %x\n", root);
		return;
	}
	printf(" best %u", TB_GET_WDL(root));
	/* The moves in the order of their squares, with their outcomes. */
	while (results[count] != TB_RESULT_FAILED) {
		const unsigned r = results[count];
		results[count++] = TB_GET_FROM(r) << 16 | TB_GET_TO(r) << 8 |
		                   TB_GET_PROMOTES(r) << 4 | TB_GET_WDL(r);
	}
	qsort(results, count, sizeof *results, by_number);
	for (unsigned i = 0; i < count; i++)
		printf(" %x", results[i]);
	/* The order of ranks: how many moves share the first one, and their sign. Where all moves lose, Fathom
	   tells those that hold out longest apart, and Endlab only if a position has been repeated. */
	unsigned first = 0;
	const int found = tb_probe_root_dtz(BOARD(b), clock, 0, 0, b->white, false, true, &ranked);
	int best = -30000;
	for (unsigned i = 0; i < ranked.size; i++)
		best = ranked.moves[i].tbRank > best ? ranked.moves[i].tbRank : best;
	for (unsigned i = 0; i < ranked.size; i++)
		first += ranked.moves[i].tbRank == best;
	printf(" dtz %d %u first %u %d", found, ranked.size, clock || best < 0 ? 0 : first,
	       (best > 0) - (best < 0));
	const int known = tb_probe_root_wdl(BOARD(b), clock, 0, 0, b->white, true, &ranked);
	printf(" wdl %d %u\n", known, ranked.size);
}

int main(int argc, char **argv)
{
	char fen[256];
	if (argc != 2 || !tb_init(argv[1]))
		return 1;
	printf("largest %u\n", TB_LARGEST);
	for (unsigned i = 0; fgets(fen, sizeof fen, stdin); i++) {
		const struct board b = board_of(fen);
		ask(&b, i % 5 ? 0 : i % 60);
	}
	tb_free();
	return 0;
}

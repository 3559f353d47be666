/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the trace of a search, for `endlab lab --workload FILE`: bench_trace PIECES DEPTH FEN...
 *
 * Each position is searched as an engine does: iterative deepening, alpha-beta with a hash table, and
 * captures alone below depth 0. A node with at most PIECES pieces is a leaf: the engine would ask the
 * tables for it, so it is printed. Its score is that of the material, since a trace must not depend on
 * the tables that are built.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 1 << 20, MATE = 30000, PLIES = 64 };

/* What is known of a node; `depth` is that of its search, from 1. */
static struct entry {
	struct el_position position;
	int depth, score;
	enum { EXACT, AT_LEAST, AT_MOST } bound;
} * entries;

static const struct el_game *game;
static int pieces_most;

static int count(const struct el_position *p, unsigned side, int score)
{
	static const int worth[EL_KINDS] = {0, 900, 500, 330, 320, 100};
	int sum = 0;
	for (unsigned k = 0; k < EL_KINDS; k++)
		sum += (score ? worth[k] : 1) * __builtin_popcountll(p->set[side][k]);
	return sum;
}

static struct entry *entry_of(const struct el_position *p)
{
	uint64_t hash = 2 * UINT64_C(0x9E3779B97F4A7C15) * p->side + p->en_passant;
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		hash = (hash ^ p->set[i / EL_KINDS][i % EL_KINDS]) * UINT64_C(0xD6E8FEB86659FD93) ^
		       hash >> 29;
	return &entries[hash >> 40 & (ENTRIES - 1)];
}

static int search(const struct el_position *p, int depth, unsigned ply, int alpha, int beta)
{
	const int stand = count(p, p->side, 1) - count(p, !p->side, 1);
	struct entry *known = entry_of(p);
	if (depth > 0 && known->depth >= depth && el_position_equal(&known->position, p) &&
	    (known->bound == EXACT || (known->bound == AT_LEAST && known->score >= beta) ||
	     (known->bound == AT_MOST && known->score <= alpha)))
		return known->score;
	if (count(p, 0, 0) + count(p, 1, 0) <= pieces_most) {
		char fen[EL_FEN_MAX];
		game->format(p, fen);
		puts(fen);
		*known = (struct entry){*p, PLIES, stand, EXACT};
		return stand;
	}
	struct el_move moves[EL_MOVES_MAX];
	const bool quiet = depth <= 0;
	if (ply == PLIES || (quiet && stand >= beta))
		return stand;
	const size_t all = quiet ? game->captures(p, moves) : game->moves(p, moves);
	if (!quiet && !all)
		return game->stuck(p).outcome == EL_LOSS ? (int)ply - MATE : 0;
	/* Captures come first, as they cut off most. */
	struct el_move first[EL_MOVES_MAX];
	const size_t captures = quiet ? all : game->captures(p, first);
	int best = quiet ? stand : -MATE;
	const int from = alpha;
	alpha = alpha > best ? alpha : best;
	for (size_t i = quiet ? captures : 0; i < captures + all && alpha < beta; i++) {
		const struct el_move *move = i < captures ? &first[i] : &moves[i - captures];
		struct el_position after;
		bool done = false;
		for (size_t k = 0; i >= captures && !quiet && k < captures; k++)
			done |= el_move_equal(move, &first[k]);
		if (done)
			continue;
		game->play(p, move, &after);
		const int score = -search(&after, depth - 1, ply + 1, -beta, -alpha);
		best = score > best ? score : best;
		alpha = best > alpha ? best : alpha;
	}
	if (!quiet)
		*known = (struct entry){*p, depth, best,
		                        best >= beta   ? AT_LEAST
		                        : best <= from ? AT_MOST
		                                       : EXACT};
	return best;
}

int main(int argc, char **argv)
{
	entries = calloc(ENTRIES, sizeof *entries);
	if (!entries || argc < 4)
		bench_fail(entries ? "usage: bench_trace PIECES DEPTH FEN..." : "out of memory");
	pieces_most = atoi(argv[1]);
	for (int i = 3; i < argc; i++) {
		struct el_position root;
		struct el_error error;
		if (el_position_parse(argv[i], &game, &root, &error))
			bench_fail(error.text);
		printf("# %s\n", argv[i]);
		memset(entries, 0, ENTRIES * sizeof *entries);
		for (int depth = 1; depth <= atoi(argv[2]); depth++)
			search(&root, depth, 0, -MATE, MATE);
	}
	free(entries);
	return 0;
}

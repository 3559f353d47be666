/* SPDX-License-Identifier: MIT */
/*
 * Fathom's functions over Endlab: an engine that probes with Fathom compiles this file instead of its
 * tbprobe.c, with its own tbprobe.h, and links with `pkg-config --libs endlab`. It then reads Endlab's and
 * Gaviota's tables as well as Syzygy's. Where $ENDLAB_TRACE names a file, every position whose outcome the
 * search asks for is written to it: `endlab lab --workload FILE` measures tables with it.
 */
#include "tbprobe.h"

#include <endlab/engine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned TB_LARGEST = 0;

static struct el_engine *engine;
static FILE *trace; /* null: none is wanted */

void tb_free(void)
{
	el_engine_close(engine);
	engine = NULL;
	TB_LARGEST = 0;
	if (trace)
		fclose(trace);
	trace = NULL;
}

/* An empty path, or "<empty>", closes the tables. False: none of the folders is there, or one cannot be
   read. */
bool tb_init(const char *path)
{
	struct el_engine_options options;
	memset(&options, 0, sizeof options);
	options.size = sizeof options;
	options.folders = path;
	tb_free();
	if (!path || !*path || !strcmp(path, "<empty>"))
		return true;
	if (el_engine_open(&options, &engine, NULL))
		return false;
	TB_LARGEST = el_engine_pieces(engine);
	if (getenv("ENDLAB_TRACE"))
		trace = fopen(getenv("ENDLAB_TRACE"), "w");
	return !getenv("ENDLAB_TRACE") || trace;
}

bool tb_init_impl(const char *path)
{
	return tb_init(path);
}

static struct el_board board_of(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                                uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                                unsigned rule50, unsigned castling, unsigned ep, bool turn)
{
	struct el_board b;
	memset(&b, 0, sizeof b);
	b.white = white, b.black = black;
	b.kings = kings, b.queens = queens, b.rooks = rooks;
	b.bishops = bishops, b.knights = knights, b.pawns = pawns;
	b.side = turn ? 0 : 1;
	b.en_passant = (uint8_t)ep;
	b.castling = (uint8_t)castling;
	b.halfmove = (uint16_t)rule50;
	return b;
}

/* One call writes a line, so that the lines of several threads do not mix. */
static void write_trace(const struct el_board *b)
{
	const uint64_t kinds[] = {b->kings, b->queens, b->rooks, b->bishops, b->knights, b->pawns};
	char fen[128], *out = fen;
	int row, file, k;
	for (row = 7; row >= 0; row--) {
		int empty = 0;
		for (file = 0; file < 8; file++) {
			const uint64_t square = UINT64_C(1) << (8 * row + file);
			for (k = 0; k < 6 && !(kinds[k] & square); k++)
				continue;
			if (k < 6 && empty)
				*out++ = (char)('0' + empty);
			if (k < 6)
				*out++ = b->white & square ? "KQRBNP"[k] : "kqrbnp"[k];
			empty = k < 6 ? 0 : empty + 1;
		}
		if (empty)
			*out++ = (char)('0' + empty);
		*out++ = row ? '/' : ' ';
	}
	out += sprintf(out, "%c - ", b->side ? 'b' : 'w');
	if (b->en_passant)
		sprintf(out, "%c%c 0 1\n", 'a' + b->en_passant % 8, '1' + b->en_passant / 8);
	else
		sprintf(out, "- 0 1\n");
	fputs(fen, trace);
}

/* Both number loss, blessed loss, draw, cursed win and win from 0 on. */
unsigned tb_probe_wdl_impl(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                           uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                           unsigned ep, bool turn)
{
	const struct el_board b = board_of(white, black, kings, queens, rooks, bishops, knights,
	                                   pawns, 0, 0, ep, turn);
	struct el_value value;
	if (trace)
		write_trace(&b);
	if (!engine || el_engine_probe(engine, &b, el_engine_metric("wdl50"), 0, &value) ||
	    !el_outcome_exact((enum el_outcome)value.outcome))
		return TB_RESULT_FAILED;
	return value.outcome;
}

/* Fathom takes a rounded depth at its word where it decides whether a win comes in time. */
static unsigned wdl_of(const struct el_root_move *m, unsigned rule50)
{
	const enum el_outcome outcome = (enum el_outcome)m->outcome;
	return m->value.plies + rule50 <= 100 && m->value.outcome == EL_WIN
	               ? el_outcome_upper(outcome)
	       : m->value.plies + rule50 <= 100 ? el_outcome_lower(outcome)
	       : m->value.outcome == EL_WIN     ? el_outcome_lower(outcome)
	                                        : el_outcome_upper(outcome);
}

/* Fathom numbers promotions from the queen down. */
static unsigned promotion_of(uint16_t move)
{
	return EL_MOVE_PROMOTION(move) ? 5 - EL_MOVE_PROMOTION(move) : TB_PROMOTES_NONE;
}

static bool is_passing(const struct el_board *b, uint16_t move)
{
	return b->en_passant && EL_MOVE_TO(move) == b->en_passant &&
	       b->pawns >> EL_MOVE_FROM(move) & 1 && EL_MOVE_FROM(move) % 8 != EL_MOVE_TO(move) % 8;
}

/* The best move; `results`, which may be null, gets all moves, and TB_RESULT_FAILED behind the last. */
unsigned tb_probe_root_impl(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                            uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                            unsigned rule50, unsigned ep, bool turn, unsigned *results)
{
	const struct el_board b = board_of(white, black, kings, queens, rooks, bishops, knights,
	                                   pawns, rule50, 0, ep, turn);
	struct el_root_options options;
	struct el_root_move moves[EL_ROOT_MOVES];
	struct el_value value;
	size_t count, i;
	unsigned best = TB_RESULT_FAILED;
	memset(&options, 0, sizeof options);
	options.size = sizeof options;
	options.rule = 50;
	options.repeated = true; /* by depth */
	if (!engine || el_engine_rank(engine, &b, &options, moves, &count))
		return TB_RESULT_FAILED;
	for (i = 0; i < count; i++) {
		const struct el_root_move *m = &moves[i];
		unsigned r = TB_SET_WDL(0, wdl_of(m, rule50));
		r = TB_SET_FROM(r, EL_MOVE_FROM(m->move));
		r = TB_SET_TO(r, EL_MOVE_TO(m->move));
		r = TB_SET_PROMOTES(r, promotion_of(m->move));
		r = TB_SET_EP(r, is_passing(&b, m->move));
		r = TB_SET_DTZ(r, m->value.plies);
		best = i ? best : r;
		if (results && i + 1 < TB_MAX_MOVES)
			*results++ = r;
	}
	if (results)
		*results = TB_RESULT_FAILED;
	if (count)
		return best;
	if (el_engine_probe(engine, &b, el_engine_metric("wdl50"), EL_ENGINE_MOVES, &value))
		return TB_RESULT_FAILED;
	return value.outcome == EL_LOSS ? TB_RESULT_CHECKMATE : TB_RESULT_STALEMATE;
}

/* Ranks as an engine reads them: 1000 for a certain win, 0 for a draw. Scores are in hundredths of a pawn. */
static int rank_root(const struct el_board *b, bool repeated, bool rule, const char *metric,
                     struct TbRootMoves *out)
{
	struct el_root_options options;
	struct el_root_move moves[EL_ROOT_MOVES];
	size_t count, i;
	memset(&options, 0, sizeof options);
	options.size = sizeof options;
	options.rule = rule ? 50 : 0;
	options.repeated = repeated;
	options.metric = metric ? el_engine_metric(metric) : NULL;
	out->size = 0;
	if (!engine || el_engine_rank(engine, b, &options, moves, &count))
		return 0;
	for (i = 0; i < count && i < TB_MAX_MOVES; i++) {
		struct TbRootMove *to = &out->moves[out->size++];
		const int32_t rank = moves[i].rank / 2;
		to->move = (TbMove)(EL_MOVE_TO(moves[i].move) | EL_MOVE_FROM(moves[i].move) << 6 |
		                    promotion_of(moves[i].move) << 12);
		to->pvSize = 0;
		to->tbRank = rank;
		to->tbScore = rank > 850    ? 32000 - TB_MAX_PLY - 1
		              : rank < -850 ? -32000 + TB_MAX_PLY + 1
		                            : rank / 20;
	}
	return 1;
}

int tb_probe_root_dtz(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                      uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                      unsigned rule50, unsigned castling, unsigned ep, bool turn, bool hasRepeated,
                      bool useRule50, struct TbRootMoves *results)
{
	const struct el_board b = board_of(white, black, kings, queens, rooks, bishops, knights,
	                                   pawns, rule50, castling, ep, turn);
	return castling ? 0 : rank_root(&b, hasRepeated, useRule50, NULL, results);
}

int tb_probe_root_wdl(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                      uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                      unsigned rule50, unsigned castling, unsigned ep, bool turn, bool useRule50,
                      struct TbRootMoves *results)
{
	const struct el_board b = board_of(white, black, kings, queens, rooks, bishops, knights,
	                                   pawns, rule50, castling, ep, turn);
	return castling ? 0 : rank_root(&b, false, useRule50, useRule50 ? "wdl50" : "wdl", results);
}

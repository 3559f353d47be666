/* SPDX-License-Identifier: MIT */
/*
 * An engine's probe in C: probe FOLDERS prints what queen against rook is worth, and its moves.
 *
 *     cc -o probe probe.c $(pkg-config --cflags --libs endlab)
 *     endlab build KQvKR --metric dtz50 && ./probe ~/.local/share/endlab
 */
#include <endlab/engine.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t on(const char *square)
{
	return UINT64_C(1) << (square[0] - 'a' + 8 * (square[1] - '1'));
}

static void print_move(const struct el_root_move *m)
{
	const unsigned from = EL_MOVE_FROM(m->move), to = EL_MOVE_TO(m->move);
	printf("%c%c%c%c%.1s  %-12s rank %" PRId32 ", %u plies\n", 'a' + from % 8, '1' + from / 8,
	       'a' + to % 8, '1' + to / 8, &"\0nbrq"[EL_MOVE_PROMOTION(m->move)],
	       el_outcome_name((enum el_outcome)m->outcome), m -> rank, m -> value.plies);
}

int main(int argc, char **argv)
{
	struct el_engine_options options;
	struct el_engine *engine;
	struct el_error error;
	struct el_value value;
	struct el_root_move moves[EL_ROOT_MOVES];
	size_t count, i;
	struct el_board board;

	memset(&options, 0, sizeof options);
	options.size = sizeof options;
	options.folders = argc > 1 ? argv[1] : "/usr/share/endlab";
	if (el_engine_open(&options, &engine, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	memset(&board, 0, sizeof board);
	board.white = on("b1") | on("c2");
	board.black = on("d5") | on("e5");
	board.kings = on("b1") | on("d5");
	board.queens = on("c2");
	board.rooks = on("e5");

	printf("Endlab %s, tables of up to %u pieces\n", el_version(), el_engine_pieces(engine));
	if (!el_engine_probe(engine, &board, el_engine_metric("wdl50"), 0, &value))
		printf("under the 50-move rule: %s\n",
		       el_outcome_name((enum el_outcome)value.outcome));
	el_engine_rank(engine, &board, NULL, moves, &count);
	for (i = 0; i < count && i < 3; i++)
		print_move(&moves[i]);
	el_engine_close(engine);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a FEN, a slice, a move: an answer or one clear error, and every text that was read
   can be written back. */
#include "core/games/game.h"
#include "try.h"

/* Every legal move can be written, read back and played. */
static void check_moves(const struct el_game *game, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX], again;
	const size_t count = game->moves(position, moves);
	for (size_t i = 0; i < count; i++)
		for (int notation = EL_SAN; notation <= EL_UCI; notation++) {
			char text[EL_MOVE_MAX];
			game->write_move(position, &moves[i], (enum el_notation)notation, text);
			must(game->read_move(position, text, &again, NULL) == EL_OK);
			must(el_move_equal(&again, &moves[i]));
		}
}

/* Reads the text as a move in positions with special moves: en passant and promotions, castling
   from any file, and captures in several ways. */
static void check_text_as_move(const char *text)
{
	static const char *const fens[] = {
		"8/1P6/8/3pP3/8/k7/8/K6q w - d6 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
		"4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1", "W:WK22:B18,10,9,17,26"};
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		const struct el_game *game;
		struct el_position position;
		struct el_move move;
		must(el_position_parse(fens[i], &game, &position, NULL) == EL_OK);
		game->read_move(&position, text, &move, NULL);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = try_text(data, size);
	const struct el_game *game;
	struct el_position position, again;
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	char note[EL_NOTE_MAX];
	const bool strict = el_position_parse(text, &game, &position, NULL) == EL_OK;
	const bool lenient = el_position_read(text, &game, &position, note, NULL) == EL_OK;
	must(lenient ? strict == !*note : !strict);
	if (lenient) {
		game->format(&position, fen);
		must(game->parse(fen, &again, NULL) == EL_OK);
		must(el_position_equal(&position, &again));
		check_moves(game, &position);
	}
	if (el_slice_parse(text, &slice, NULL) == EL_OK)
		must(el_slice_parse(slice.name, &slice, NULL) == EL_OK);
	check_text_as_move(text);
	free(text);
	return 0;
}

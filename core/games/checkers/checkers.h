/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder: the members of el_checkers, and helpers behind them. */
#ifndef CORE_GAMES_CHECKERS_CHECKERS_H
#define CORE_GAMES_CHECKERS_CHECKERS_H

#include "board.h"

/* ---- moves.c ---- */

/* One complete capturing route of a piece, in the view of the side that moves. */
struct checkers_route {
	bool king;
	uint8_t count; /* of squares, the first one included */
	uint8_t square[CHECKERS_JUMPS_MAX + 1];
	uint32_t captured;
};

/* Calls `found` for every route; the route is valid during the call. */
void checkers_routes(const struct checkers_board *,
                     void (*found)(void *context, const struct checkers_route *), void *context);

enum el_status checkers_check(const struct el_position *, struct el_error *);
bool checkers_legal(const struct el_position *, const struct el_place *);
size_t checkers_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t checkers_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
void checkers_play(const struct el_position *, const struct el_move *, struct el_position *out);

/* ---- fen.c ---- */

bool checkers_looks_like(const char *fen);
enum el_status checkers_parse(const char *fen, struct el_position *out, struct el_error *);
void checkers_format(const struct el_position *, char out[EL_FEN_MAX]);

/* ---- notation.c ---- */

void checkers_write_move(const struct el_position *, const struct el_move *, enum el_notation,
                         char out[EL_MOVE_MAX]);
enum el_status checkers_read_move(const struct el_position *, const char *text, struct el_move *out,
                                  struct el_error *);

/* ---- sets.c ---- */

struct el_measure checkers_measure(const struct el_slice *);
enum el_status checkers_divide(const struct el_problem *, struct el_division **, struct el_error *);

/* ---- best.c ---- */

enum el_status checkers_best(const struct el_best_problem *, struct el_best **, struct el_error *);

#endif

/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder: the members of el_chess, and a few helpers behind them. */
#ifndef CORE_GAMES_CHESS_CHESS_H
#define CORE_GAMES_CHESS_CHESS_H

#include "board.h"

/* moves.c */
/* Lists the legal moves; with `pseudo` also those that leave the mover's king in check. */
size_t chess_generate(const struct el_position *, bool pseudo, struct el_move out[EL_MOVES_MAX]);
/* The move by which the side to move castles with a rook that has the right. Returns the reason why it
   cannot; null if it can. */
const char *chess_castle(const struct el_position *, unsigned rook, struct el_move *out);
/* Finds the right that a letter of KQkq, or of a rook's file, means on a board that has not yet the
   right: its bit. EL_NEGATIVE says why no rook there can have it. */
enum el_status chess_right_of(const struct el_position *, char letter, uint16_t *right,
                              struct el_error *);
/* Can a pawn just have passed the square? */
enum el_status chess_check_en_passant(const struct el_position *, struct el_error *);
/* Drops the right to capture en passant if no legal move can use it. */
void chess_settle_en_passant(struct el_position *);

enum el_status chess_check(const struct el_position *, struct el_error *);
size_t chess_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t chess_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t chess_zeroing(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
void chess_play(const struct el_position *, const struct el_move *, struct el_position *out);
struct el_value chess_stuck(const struct el_position *);
bool chess_in_check(const struct el_position *);
bool chess_zeroes(const struct el_position *, const struct el_move *);

/* legal.c */
bool chess_legal(const struct el_position *, const struct el_place *);

/* fen.c */
bool chess_looks_like(const char *fen);
enum el_status chess_parse(const char *fen, struct el_position *out, struct el_error *);
/* `note` null: strictly. */
enum el_status chess_read(const char *fen, char *note, struct el_position *out, struct el_error *);
size_t chess_fields(const char *line);
void chess_format(const struct el_position *, char out[EL_FEN_MAX]);
/* Writes the rights as X-FEN does: "KQkq", or the file of a rook that is not the outermost; "-" for
   none. Returns `out`. */
const char *chess_write_castling(const struct el_position *, char out[CHESS_CASTLINGS_MAX + 1]);

/* notation.c */
void chess_write_move(const struct el_position *, const struct el_move *, enum el_notation,
                      char out[EL_MOVE_MAX]);
enum el_status chess_pass(const struct el_position *, struct el_move *out, struct el_error *);
enum el_status chess_read_move(const struct el_position *, const char *text, struct el_move *out,
                               struct el_error *);

/* sets.c */
struct el_measure chess_measure(const struct el_slice *);

/* sets_frames.c */
extern const struct el_frames chess_frames;

/* sets_parts.c */
enum el_status chess_divide(const struct el_problem *, struct el_division **, struct el_error *);

#endif

/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder: the members of el_morris, and helpers behind them. */
#ifndef CORE_GAMES_MORRIS_MORRIS_H
#define CORE_GAMES_MORRIS_MORRIS_H

#include "board.h"

/* moves.c */
enum el_status morris_check(const struct el_position *, struct el_error *);
bool morris_legal(const struct el_position *, const struct el_place *);
size_t morris_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t morris_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
void morris_play(const struct el_position *, const struct el_move *, struct el_position *out);

/* notation.c */
bool morris_looks_like(const char *text);
enum el_status morris_parse(const char *text, struct el_position *out, struct el_error *);
void morris_format(const struct el_position *, char out[EL_FEN_MAX]);
void morris_write_move(const struct el_position *, const struct el_move *, enum el_notation,
                       char out[EL_MOVE_MAX]);
enum el_status morris_read_move(const struct el_position *, const char *text, struct el_move *out,
                                struct el_error *);

/* sets.c */
struct el_measure morris_measure(const struct el_slice *);
enum el_status morris_divide(const struct el_problem *, struct el_division **, struct el_error *);

/* best.c */
enum el_status morris_best(const struct el_best_problem *, struct el_best **, struct el_error *);

#endif

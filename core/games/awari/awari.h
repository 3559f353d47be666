/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder: the members of el_awari and el_oware. Those that depend on the
   game are there twice. */
#ifndef CORE_GAMES_AWARI_AWARI_H
#define CORE_GAMES_AWARI_AWARI_H

#include "board.h"

/* ---- moves.c ---- */

enum el_status awari_check(const struct el_position *, struct el_error *);
bool awari_legal(const struct el_position *, const struct el_place *);
size_t awari_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t oware_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t awari_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t oware_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
void awari_play(const struct el_position *, const struct el_move *, struct el_position *out);
struct el_value awari_stuck(const struct el_position *);
bool awari_stage(const struct el_position *, const struct el_move *, unsigned stage,
                 struct el_position *out, uint8_t *at, unsigned *hand);
unsigned awari_gain(const struct el_position *, const struct el_move *);

/* ---- notation.c ---- */

bool awari_looks_like(const char *text);
bool oware_looks_like(const char *text);
enum el_status awari_parse(const char *text, struct el_position *out, struct el_error *);
enum el_status oware_parse(const char *text, struct el_position *out, struct el_error *);
void awari_format(const struct el_position *, char out[EL_FEN_MAX]);
void oware_format(const struct el_position *, char out[EL_FEN_MAX]);
void awari_write_move(const struct el_position *, const struct el_move *, enum el_notation,
                      char out[EL_MOVE_MAX]);
enum el_status awari_read_move(const struct el_position *, const char *text, struct el_move *out,
                               struct el_error *);
enum el_status oware_read_move(const struct el_position *, const char *text, struct el_move *out,
                               struct el_error *);

/* ---- sets.c ---- */

struct el_measure awari_measure(const struct el_slice *);
enum el_status awari_divide(const struct el_problem *, struct el_division **, struct el_error *);

/* ---- best.c ---- */

enum el_status awari_best(const struct el_best_problem *, struct el_best **, struct el_error *);

#endif

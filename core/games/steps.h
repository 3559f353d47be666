/* SPDX-License-Identifier: MIT */
/* Shared by the games: writing down an index step by step (el_index_step). */
#ifndef CORE_GAMES_STEPS_H
#define CORE_GAMES_STEPS_H

#include "game.h"

/* A group of like pieces. */
struct step_group {
	const struct el_game *game;
	uint8_t side, kind;
	const char *where; /* " above it": a part of the board, after the name; null: all of it */
	uint64_t set;      /* the squares as the index sees them */
	uint64_t numbers;  /* the numbers of these squares, in the same order */
	uint8_t turned;    /* xor: turns a square as the index sees it into one of the board */
	uint64_t area;     /* the squares it may stand on, as the index sees them */
	uint8_t squares;   /* how many the group is numbered on */
	bool skips;        /* as in el_index_step */
	uint32_t low;      /* as in el_index_step */
	uint64_t base;     /* as in el_index_step */
	const char *base_is;
};

/* Writes the step after one whose `after` was `before`; returns its own `after`. */
uint64_t step_write(const struct step_group *, uint64_t before, struct el_index_step *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a draughts slice as bit matrices, and the sets that the rules alone decide. */
#include "sets.h"

#include "../bitmaps.h"
#include "checkers.h"

#include <stdlib.h>
#include <string.h>

/* ---- where the opponent stands ---- */

/* Fills 32 rows: bit `column` of row v is set where the column's placement has a piece on the square
   that the mover sees as v. */
static void mark_occupied(const struct checkers_army *opponent, size_t words, uint64_t *occupied)
{
	for (size_t column = 0; column < opponent->count; column++) {
		const struct checkers_placement p = opponent->placement[column];
		uint32_t squares = checkers_turn(p.men | p.kings);
		while (squares)
			occupied[checkers_pop(&squares) * words + column / 64] |= UINT64_C(1)
			                                                          << column % 64;
	}
}

/* ---- rows ---- */

/* Where the row's own squares are free of opponents: the legal positions among the columns. */
static void mark_legal(const struct checkers_sets *c, unsigned side, size_t row)
{
	const size_t words = c->row_words[side],
		     columns = c->army[checkers_other(c, side)].count;
	const struct checkers_placement p = c->army[side].placement[row];
	uint64_t *legal = c->head.legal[side] + row * words;
	memset(legal, 0xff, words * sizeof *legal);
	if (columns % 64)
		legal[words - 1] = (UINT64_C(1) << columns % 64) - 1;
	for (uint32_t squares = p.men | p.kings; squares;) {
		const uint64_t *occupied = c->occupied[side] + checkers_pop(&squares) * words;
		for (size_t w = 0; w < words; w++)
			legal[w] &= ~occupied[w];
	}
}

/* Where a piece on `from` can jump: an opponent beside it, and nobody behind that one. */
static void mark_jumps(const struct checkers_sets *c, unsigned side, size_t row, unsigned from,
                       unsigned directions)
{
	const size_t words = c->row_words[side];
	const struct checkers_placement p = c->army[side].placement[row];
	const uint64_t *legal = c->head.legal[side] + row * words;
	uint64_t *captures = c->captures[side] + row * words;
	for (unsigned d = 0; d < directions; d++) {
		const unsigned over = checkers_step(from, d), to = checkers_jump(from, d);
		if (to == EL_NO_SQUARE || (p.men | p.kings) & (checkers_bit(over) | checkers_bit(to)))
			continue;
		const uint64_t *jumped = c->occupied[side] + over * words,
			       *behind = c->occupied[side] + to * words;
		for (size_t w = 0; w < words; w++)
			captures[w] |= jumped[w] & ~behind[w] & legal[w];
	}
}

static void mark_captures(const struct checkers_sets *c, unsigned side, size_t row)
{
	const struct checkers_placement p = c->army[side].placement[row];
	for (uint32_t squares = p.men; squares;)
		mark_jumps(c, side, row, checkers_pop(&squares), CHECKERS_MAN_DIRECTIONS);
	for (uint32_t squares = p.kings; squares;)
		mark_jumps(c, side, row, checkers_pop(&squares), CHECKERS_DIRECTIONS);
}

static void mark_rows(const struct checkers_sets *c, unsigned side)
{
#pragma omp parallel for schedule(dynamic, 64)
	for (size_t row = 0; row < c->army[side].count; row++) {
		mark_legal(c, side, row);
		mark_captures(c, side, row);
	}
}

/* Whoever has no move has lost. */
static void mark_lost(struct checkers_sets *c, unsigned side)
{
	struct el_sets *head = &c->head;
	uint64_t *stuck = head->stuck[side];
	head->pre_some(head, side, head->legal[checkers_other(c, side)], head->legal[side], stuck);
#pragma omp parallel for schedule(static)
	for (size_t w = 0; w < head->words; w++) {
		stuck[w] = head->legal[side][w] & ~stuck[w] & ~head->blocked[side][w];
		head->lost[side][w] = stuck[w];
	}
}

/* ---- open and close ---- */

static bool allocate(struct checkers_sets *c)
{
	bool all = bitmaps_open(&c->head);
	for (unsigned side = 0; side < c->head.sides; side++) {
		const size_t occupied = CHECKERS_SQUARES * c->row_words[side];
		all &= (c->captures[side] = bitmap_open(c->head.words)) != NULL;
		all &= (c->occupied[side] = bitmap_open(occupied)) != NULL;
	}
	all &= (c->turned = bitmap_open(c->head.words)) != NULL;
	const size_t rows = c->army[0].count > c->army[1].count ? c->army[0].count
	                                                        : c->army[1].count;
	all &= (c->filled = malloc(rows)) != NULL;
	return all;
}

static void close_sets(struct el_sets *sets)
{
	struct checkers_sets *c = (struct checkers_sets *)sets;
	bitmaps_close(sets);
	for (unsigned side = 0; side < 2; side++) {
		free(c->captures[side]);
		free(c->occupied[side]);
		checkers_army_close(&c->army[side]);
	}
	free(c->turned);
	free(c->filled);
	free(c);
}

/* The words of a set with that side to move. */
static size_t words_of(const size_t rows[2], unsigned side)
{
	return rows[side] * checkers_row_words(rows[!side]);
}

uint64_t checkers_set_bits(const struct el_slice *slice, uint64_t *bytes)
{
	size_t rows[2];
	*bytes = 0;
	for (unsigned side = 0; side < 2; side++) {
		const unsigned men = slice->count[side][CHECKERS_MAN],
			       kings = slice->count[side][CHECKERS_KING];
		rows[side] = checkers_army_size(men, kings);
		*bytes += rows[side] * checkers_placement_bytes(men, kings);
	}
	const size_t white = words_of(rows, EL_WHITE), black = words_of(rows, EL_BLACK);
	return 64 * (white > black ? white : black);
}

static enum el_status lay_out(struct checkers_sets *c)
{
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < c->head.sides && !status; side++)
		status = checkers_army_open(&c->army[side],
		                            c->head.slice.count[side][CHECKERS_MAN],
		                            c->head.slice.count[side][CHECKERS_KING]);
	if (c->head.sides == 1) /* the other one is the same, and lends its numbers alone */
		c->army[1] = (struct checkers_army){
			.men = c->army[0].men,
			.kings = c->army[0].kings,
			.count = c->army[0].count,
		};
	for (unsigned side = 0; side < 2; side++)
		c->row_words[side] = checkers_row_words(c->army[!side].count);
	uint64_t bytes;
	c->head.words = c->head.stored_words = checkers_set_bits(&c->head.slice, &bytes) / 64;
	return status;
}

/* Two sides with the same material are one, unless bounds favour one of them. */
static enum el_status sets_open(const struct el_problem *problem, struct el_sets **out,
                                struct el_error *error)
{
	struct checkers_sets *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	const bool alike = problem->slice.planes == 1 && problem->favour == EL_FAVOUR_NONE;
	c->head = (struct el_sets){
		.game = problem->slice.game,
		.slice = problem->slice,
		.sides = alike ? 1 : 2,
		.pre_some = checkers_pre_some,
		.pre_all = checkers_pre_all,
		.gather = checkers_gather,
		.close = close_sets,
	};
	enum el_status status = lay_out(c);
	if (!status && !allocate(c))
		status = EL_MEMORY;
	if (status) {
		close_sets(&c->head);
		return el_fail(error, status, "%s: out of memory", problem->slice.name);
	}
	for (unsigned side = 0; side < c->head.sides; side++) {
		mark_occupied(&c->army[checkers_other(c, side)], c->row_words[side],
		              c->occupied[side]);
		mark_rows(c, side);
	}
	status = checkers_conversions(c, problem, error);
	if (status) {
		close_sets(&c->head);
		return status;
	}
	for (unsigned side = 0; side < c->head.sides; side++)
		mark_lost(c, side);
	*out = &c->head;
	return EL_OK;
}

/* ---- the division ---- */

static enum el_status open_part(struct el_division *division, const struct el_problem *problem,
                                size_t family, size_t part, const struct el_found *earlier,
                                const struct el_meanings *meanings, struct el_sets **out,
                                struct el_error *error)
{
	(void)division;
	(void)family;
	(void)part;
	(void)earlier;
	(void)meanings;
	return sets_open(problem, out, error);
}

static void close_division(struct el_division *division)
{
	free(division);
}

/* No move of a metric of this game ends its count and stays in the slice: there is one part. */
enum el_status checkers_divide(const struct el_problem *problem, struct el_division **out,
                               struct el_error *error)
{
	struct el_division *d = malloc(sizeof *d);
	uint64_t bytes;
	if (!d)
		return el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	*d = (struct el_division){
		.families = 1,
		.parts = 1,
		.part_words = checkers_set_bits(&problem->slice, &bytes) / 64,
		.open = open_part,
		.close = close_division,
	};
	*out = d;
	return EL_OK;
}

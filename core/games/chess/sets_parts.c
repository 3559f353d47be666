/* SPDX-License-Identifier: MIT */
/*
 * Divides a chess slice. Under a metric whose count ends with a zeroing move, pawns stand still
 * while it counts, so each placement of them is a part. Without captures they stay on their files:
 * the files of all pawns make a family, and its parts are their ranks, most advanced pawns first.
 * Files whose mirror image comes first are skipped.
 */
#include "chess.h"
#include "sets.h"

#include <stdlib.h>
#include <string.h>

struct chess_division {
	struct el_division head;
	struct el_slice slice;
	struct chess_groups groups;
	struct chess_kings kings;
	struct chess_rows rows;
	struct chess_ranks ranks_of[CHESS_GROUPS_MAX]; /* the groups' */
	struct chess_successors *successors;           /* null once no part needs them any more */
	unsigned pawns[2], count;                      /* pinned pawns, by side and in all */
	uint8_t (*files)[CHESS_PIECES_MAX];            /* of each family; owned */
	/* Ranks as a number: (the first pawn's, from 0) * CHESS_PAWN_RANKS + the second's, ... `ranks` is by
	   part, `part_of` its inverse; owned. */
	uint16_t *ranks, *part_of;
};

/* ---- families: files ---- */

static void find_families(struct chess_division *d)
{
	for (unsigned number = 0; number < 1u << 3 * d->count; number++) {
		uint8_t files[CHESS_PIECES_MAX], image[CHESS_PIECES_MAX];
		bool in_order = true; /* like pawns are */
		for (unsigned p = 0; p < d->count; p++) {
			files[p] = number >> 3 * (d->count - 1 - p) & 7;
			in_order &= !p || p == d->pawns[EL_WHITE] || files[p - 1] <= files[p];
		}
		/* The files of the mirror image, with like pawns back in order. */
		for (unsigned side = 0, first = 0; side < 2; first += d->pawns[side++])
			for (unsigned n = 0; n < d->pawns[side]; n++)
				image[first + n] =
					(uint8_t)(7 - files[first + d->pawns[side] - 1 - n]);
		if (in_order && memcmp(files, image, d->count) <= 0)
			memcpy(d->files[d->head.families++], files, d->count);
	}
}

/* ---- parts: ranks ---- */

static unsigned rank_of(unsigned ranks, unsigned from_last)
{
	while (from_last--)
		ranks /= CHESS_PAWN_RANKS;
	return ranks % CHESS_PAWN_RANKS;
}

static void find_parts(struct chess_division *d)
{
	size_t next = 0;
	for (unsigned steps = (CHESS_PAWN_RANKS - 1) * d->count + 1; steps-- > 0;)
		for (unsigned ranks = 0; ranks < d->head.parts; ranks++) {
			unsigned made = 0; /* steps of the pawns of the part */
			for (unsigned p = 0; p < d->count; p++) {
				const unsigned rank = rank_of(ranks, d->count - 1 - p);
				made += p < d->pawns[EL_WHITE] ? rank : CHESS_PAWN_RANKS - 1 - rank;
			}
			if (made != steps)
				continue;
			d->part_of[ranks] = (uint16_t)next;
			d->ranks[next++] = (uint16_t)ranks;
		}
}

/* Sets the pawns of a part. False if it is empty: two on one square, or like pawns out of order. */
static bool pin(const struct chess_division *d, size_t family, unsigned ranks,
                struct chess_pinned *out)
{
	*out = (struct chess_pinned){.count = d->count};
	for (unsigned p = 0; p < d->count; p++) {
		const unsigned rank = rank_of(ranks, d->count - 1 - p) + 1;
		const unsigned square = rank * 8 + d->files[family][p];
		const bool like = p && p != d->pawns[EL_WHITE];
		for (unsigned q = 0; q < p; q++)
			if (out->square[q] == square)
				return false;
		if (like && d->files[family][p] == d->files[family][p - 1] &&
		    out->square[p - 1] > square)
			return false;
		out->square[p] = (uint8_t)square;
	}
	return true;
}

/* ---- steps of pawns ---- */

bool chess_part_step(const struct chess_sets *c, unsigned p, bool twice,
                     struct chess_pawn_step *out)
{
	const struct chess_part *part = &c->part;
	const struct chess_division *d = part->division;
	const unsigned side = c->piece[p].side, rank = chess_rank(c->piece[p].square) - 1;
	const unsigned steps = twice ? 2 : 1, start = side == EL_WHITE ? 0 : CHESS_PAWN_RANKS - 1;
	const unsigned left = side == EL_WHITE ? CHESS_PAWN_RANKS - 1 - rank : rank;
	unsigned ranks = d->ranks[part->number], unit = 1;
	if (left < steps || (twice && rank != start))
		return false;
	for (unsigned q = p + 1; q < d->count; q++)
		unit *= CHESS_PAWN_RANKS;
	struct chess_pinned pinned;
	for (unsigned n = 0; n < steps; n++) {
		ranks = side == EL_WHITE ? ranks + unit : ranks - unit;
		if (!pin(d, part->family, ranks, &pinned))
			return false;
	}
	*out = (struct chess_pawn_step){.part = d->part_of[ranks]};
	if (twice) {
		struct chess_sets sets = {.head.slice = d->slice};
		chess_lay_out(&sets, &pinned);
		out->layer = sets.layer[p]; /* 0 if no pawn can capture it */
	}
	return true;
}

/* ---- the division ---- */

static enum el_status open_part(struct el_division *head, const struct el_problem *problem,
                                size_t family, size_t number, const struct el_found *earlier,
                                const struct el_meanings *meanings, struct el_sets **out,
                                struct el_error *error)
{
	struct chess_division *d = (struct chess_division *)head;
	struct chess_part part = {
		.division = d,
		.successors = d->successors,
		.lender = problem->lender,
		.kings = &d->kings,
		.rows = &d->rows,
		.groups = &d->groups,
		.ranks = d->ranks_of,
		.family = family,
		.number = number,
		.earlier = earlier,
		.meanings = meanings,
	};
	*out = NULL;
	if (d->count && !pin(d, family, d->ranks[number], &part.pinned))
		return EL_OK;
	return chess_sets_open(problem, &part, out, error);
}

/* Frees borrowed planes before the passes, which take long. */
static void part_begun(struct el_division *head, struct el_sets *sets)
{
	struct chess_division *d = (struct chess_division *)head;
	(void)sets;
	if (head->parts > 1)
		return;
	chess_successors_close(d->successors);
	d->successors = NULL;
}

static void close_division(struct el_division *head)
{
	struct chess_division *d = (struct chess_division *)head;
	chess_successors_close(d->successors);
	chess_free_ranks(d->ranks_of);
	chess_free_rows(&d->rows);
	free(d->files);
	free(d->ranks);
	free(d->part_of);
	free(d);
}

/* Lists families and parts, and fills the layout shared by all parts. False if out of memory. */
static bool divide(struct chess_division *d, struct chess_sets *sets)
{
	d->head.parts = 1;
	d->head.families = 1;
	if (d->count) {
		for (unsigned p = 0; p < d->count; p++)
			d->head.parts *= CHESS_PAWN_RANKS;
		d->files = malloc(((size_t)1 << 3 * d->count) * sizeof *d->files);
		d->ranks = malloc(d->head.parts * sizeof *d->ranks);
		d->part_of = malloc(d->head.parts * sizeof *d->part_of);
		if (!d->files || !d->ranks || !d->part_of)
			return false;
		d->head.families = 0;
		find_families(d);
		find_parts(d);
	}
	*sets = (struct chess_sets){.head.slice = d->slice};
	chess_lay_out(sets, &(struct chess_pinned){.count = d->count});
	d->head.part_words = sets->head.units * sets->layer_words;
	d->groups = chess_groups(&d->slice);
	chess_fill_kings(sets, &d->kings);
	return chess_fill_rows(sets->alike[sets->groups - 2].count, &d->rows) &&
	       chess_fill_ranks(sets, &d->groups, d->ranks_of);
}

enum el_status chess_divide(const struct el_problem *problem, struct el_division **out,
                            struct el_error *error)
{
	if (el_slice_has_rights(&problem->slice))
		return el_fail(error, EL_NEGATIVE,
		               "positions with castling rights are solved from their moves, not in "
		               "passes");
	struct chess_division *d = calloc(1, sizeof *d);
	if (!d)
		return el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	d->head.open = open_part;
	d->head.begun = part_begun;
	d->head.close = close_division;
	d->slice = problem->slice;
	for (unsigned side = 0; side < 2 && problem->metric->end == EL_END_ZEROING; side++) {
		d->pawns[side] = problem->slice.count[side][CHESS_PAWN];
		d->count += d->pawns[side];
	}
	struct chess_sets sets;
	const enum el_status status =
		divide(d, &sets)
			? chess_successors_open(&sets, problem, &d->successors, error)
			: el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	if (status)
		close_division(&d->head);
	else
		*out = &d->head;
	return status;
}

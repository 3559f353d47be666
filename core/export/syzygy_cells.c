/* SPDX-License-Identifier: MIT */
/*
 * What tables hold. A prober tries captures itself, and for depths all zeroing moves. Values that
 * these moves give need not be stored, so they are free.
 */
#include "syzygy.h"

#include <stdlib.h>
#include <string.h>

void cells_free(struct cells *c)
{
	free(c->cell[0]);
	free(c->cell[1]);
	c->cell[0] = c->cell[1] = NULL;
}

static enum el_status no_memory(const struct el_planes *planes, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory", planes->slice.name);
}

static enum el_status cells_open(const struct el_planes *planes, struct cells *c,
                                 struct el_error *error)
{
	*c = (struct cells){0};
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		c->cell[p] = malloc(planes->slice.positions * sizeof *c->cell[p]);
		if (!c->cell[p])
			return no_memory(planes, error);
	}
	return EL_OK;
}

static uint16_t cell_of(unsigned symbol, enum el_care care)
{
	return (uint16_t)(symbol | (unsigned)care << CARE_SHIFT);
}

/* ---- outcomes ---- */

enum el_status cells_of_outcomes(const struct el_planes *planes, struct cells *c,
                                 struct el_error *error)
{
	uint16_t symbol[EL_WIN + 1];
	bool occurs[EL_OUTCOMES] = {false};
	enum el_status status = cells_open(planes, c, error);
	if (status)
		return status;
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint32_t s = 0; s < planes->plane[p].value_count; s++)
			occurs[planes->plane[p].values[s].outcome] = true;
	/* Files number outcomes in the order EL_LOSS .. EL_WIN. */
	for (uint16_t outcome = EL_LOSS; outcome <= EL_WIN; outcome++) {
		symbol[outcome] = (uint16_t)c->symbols;
		if (occurs[outcome])
			c->value[0][c->symbols++] = outcome;
	}
	c->values[0] = c->symbols;
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		const struct el_plane *plane = &planes->plane[p];
#pragma omp parallel for schedule(static)
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			const struct el_value v = el_plane_value(plane, i);
			c->cell[p][i] = v.outcome == EL_BROKEN
			                        ? cell_of(0, EL_CARE_NOT)
			                        : cell_of(symbol[v.outcome],
			                                  plane->derivable[i] ? EL_CARE_AT_MOST
			                                                      : EL_CARE_EXACT);
		}
	}
	return EL_OK;
}

/* ---- mates in one ---- */

/* Single steps, in ranks and files, of the pieces 2 .. 6: knight, bishop, rook, queen, king. Quiet
   moves are the same forwards and backwards. */
struct leaps {
	const int8_t (*step)[2];
	unsigned count;
	bool slides;
};

static const int8_t knight_steps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                          {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const int8_t straight_then_diagonal[8][2] = {{0, 1}, {1, 0},  {0, -1},  {-1, 0},
                                                    {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const struct leaps leaps[7] = {
	[2] = {knight_steps, 8, false},           [3] = {straight_then_diagonal + 4, 4, true},
	[4] = {straight_then_diagonal, 4, true},  [5] = {straight_then_diagonal, 8, true},
	[6] = {straight_then_diagonal, 8, false},
};

/* Marks, by plane and index, of wins by a mate in one that is no zeroing move. */
struct mates {
	const struct el_planes *planes;
	uint8_t *mark[2]; /* owned */
	uint8_t kind[7];  /* of the game, by number */
};

/* Marks the positions from which a quiet move of a piece gives mate. */
static void mark_piece(struct mates *m, const struct el_position *mated, uint64_t occupied,
                       unsigned number, unsigned to)
{
	const struct leaps *l = &leaps[number];
	for (unsigned i = 0; i < l->count; i++) {
		int rank = (int)rank_of(to), file = (int)file_of(to);
		do {
			struct el_position before = *mated;
			struct el_place place;
			rank += l->step[i][0];
			file += l->step[i][1];
			if (rank < 0 || rank > 7 || file < 0 || file > 7 ||
			    occupied >> (8 * rank + file) & 1)
				break;
			before.side = !mated->side;
			before.set[before.side][m->kind[number]] ^=
				UINT64_C(1) << to | UINT64_C(1) << (8 * rank + file);
			if (m->planes->slice.game->place(&before, &place)) {
#pragma omp atomic write
				m->mark[place.plane][place.index] = 1;
			}
		} while (l->slides);
	}
}

static enum el_status mates_find(struct mates *m, const struct el_planes *planes,
                                 struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	struct material material;
	*m = (struct mates){.planes = planes};
	material_of(slice, &material, m->kind);
	for (unsigned p = 0; p < slice->planes; p++) {
		m->mark[p] = calloc(slice->positions, 1);
		if (!m->mark[p])
			return no_memory(planes, error);
	}
	for (unsigned p = 0; p < slice->planes; p++) {
#pragma omp parallel for schedule(dynamic, 1 << 14)
		for (uint64_t i = 0; i < slice->positions; i++) {
			const struct el_value v = el_plane_value(&planes->plane[p], i);
			struct el_position mated;
			if (v.outcome != EL_LOSS || v.plies ||
			    !slice->game->unplace(slice, p, i, &mated))
				continue;
			uint64_t occupied = 0;
			for (unsigned kind = 0; kind < EL_KINDS; kind++)
				occupied |= mated.set[0][kind] | mated.set[1][kind];
			for (unsigned n = 2; n <= SYZYGY_KING; n++)
				for (uint64_t set = mated.set[!mated.side][m->kind[n]]; set;
				     set &= set - 1)
					mark_piece(m, &mated, occupied, n,
					           (unsigned)__builtin_ctzll(set));
		}
	}
	return EL_OK;
}

/* ---- depths ---- */

static int class_of(enum el_outcome outcome)
{
	static const int8_t classes[] = {
		[EL_LOSS] = CLASS_LOSS, [EL_BLESSED_LOSS] = CLASS_BLESSED,
		[EL_DRAW] = -1,         [EL_CURSED_WIN] = CLASS_CURSED,
		[EL_WIN] = CLASS_WIN,
	};
	return outcome <= EL_WIN ? classes[outcome] : -1;
}

/* Plies beyond the first of the class. A mate counts like a loss in one. */
static uint16_t beyond(struct el_value v)
{
	enum { FIRST_LATE = 2 * EL_RULE_USUAL + 1 };
	if (el_outcome_late(v.outcome))
		return (uint16_t)(v.plies - FIRST_LATE);
	return v.plies ? (uint16_t)(v.plies - 1) : 0;
}

struct tally {
	uint16_t value;
	uint64_t count;
};

static int more_frequent_first(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* Does the prober find the depth without the table? */
static bool is_free(struct el_value v, uint8_t mate)
{
	return class_of(v.outcome) < 0 || (v.outcome == EL_WIN && v.plies == 1 && !mate);
}

enum { VALUES = EL_PLIES_MAX + 1 };

/* Lists the stored values of each class, the most frequent first: those of both planes, because it
   is not known yet which plane will be stored. */
static enum el_status list_depths(const struct mates *m, struct cells *c, struct tally *tally,
                                  struct el_error *error)
{
	enum { LAST_IN_TIME = 2 * EL_RULE_USUAL - 1, FEW = 400 };
	const struct el_planes *planes = m->planes;
	memset(tally, 0, CLASSES * VALUES * sizeof *tally);
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		const struct el_plane *plane = &planes->plane[p];
		uint64_t *count = calloc(UINT16_MAX + 1, sizeof *count); /* of symbols */
		if (!count)
			return no_memory(planes, error);
		for (uint64_t i = 0; i < planes->slice.positions; i++)
			count[plane->symbols[i]] +=
				!is_free(el_plane_value(plane, i), m->mark[p][i]);
		for (uint32_t s = 0; s < plane->value_count; s++) {
			const struct el_value v = plane->values[s];
			if (count[s])
				tally[class_of(v.outcome) * VALUES + beyond(v)].count += count[s];
		}
		free(count);
	}
	for (unsigned class = 0; class < CLASSES; class ++) {
		struct tally *mine = tally + class * VALUES;
		uint64_t count[2] = {0, 0};
		for (uint32_t v = 0; v < VALUES; v++)
			count[v & 1] += mine[v].count;
		const uint64_t fewer = count[0] < count[1] ? count[0] : count[1];
		/* Plies, where they cost little more than moves (nearly all are odd, or nearly all
		   even), or where one ply decides whether a win is in time; else moves. Too late
		   values are always in moves. */
		c->plies[class] = class <= CLASS_LOSS &&
		                  (fewer <= (count[0] + count[1]) / FEW ||
		                   mine[LAST_IN_TIME].count || mine[LAST_IN_TIME - 1].count);
		for (uint32_t v = 0; v < VALUES; v++) {
			const uint64_t times = mine[v].count;
			mine[v].count = 0;
			mine[v].value = (uint16_t)v;
			mine[c->plies[class] ? v : v / 2].count += times;
		}
		qsort(mine, VALUES, sizeof *mine, more_frequent_first);
		uint32_t *listed = &c->values[class];
		for (; mine[*listed].count; ++*listed) {
			if (*listed == SYMBOLS_MAX)
				return el_fail(
					error, EL_NEGATIVE,
					"%s: more different depths than a Syzygy table can hold",
					planes->slice.name);
			c->value[class][*listed] = mine[*listed].value;
		}
		c->symbols = *listed > c->symbols ? *listed : c->symbols;
	}
	c->symbols += !c->symbols;
	return EL_OK;
}

enum el_status cells_of_depths(const struct el_planes *planes, struct cells *c,
                               struct el_error *error)
{
	struct mates mates;
	struct tally *tally = malloc(CLASSES * (EL_PLIES_MAX + 1) * sizeof *tally);
	enum el_status status = cells_open(planes, c, error);
	enum el_status found = mates_find(&mates, planes, error);
	if (!status)
		status = found ? found : tally ? EL_OK : no_memory(planes, error);
	if (!status)
		status = list_depths(&mates, c, tally, error);
	for (unsigned p = 0; p < planes->slice.planes && !status; p++) {
		const struct el_plane *plane = &planes->plane[p];
		uint16_t *symbol = calloc(plane->value_count + 1, sizeof *symbol);
		if (!symbol) {
			status = no_memory(planes, error);
			break;
		}
		/* The place of each value in its class's list of plies or moves. */
		for (uint32_t s = 0; s < plane->value_count; s++) {
			const struct el_value v = plane->values[s];
			const int class = class_of(v.outcome);
			for (uint16_t i = 0; class >= 0 && i < c->values[class]; i++)
				if (c->value[class][i] == beyond(v) / (c->plies[class] ? 1u : 2u))
					symbol[s] = i;
		}
#pragma omp parallel for schedule(static)
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			const bool is = is_free(el_plane_value(plane, i), mates.mark[p][i]);
			c->cell[p][i] = cell_of(is ? 0 : symbol[plane->symbols[i]],
			                        is ? EL_CARE_NOT : EL_CARE_EXACT);
		}
		free(symbol);
	}
	free(mates.mark[0]);
	free(mates.mark[1]);
	free(tally);
	return status;
}

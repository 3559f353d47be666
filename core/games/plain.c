/* SPDX-License-Identifier: MIT */
#include "plain.h"

#include "core/base/clock.h"
#include "events.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>

/* A right to capture en passant: in the position that an index stands for, a pawn has passed over
   this square. */
struct right {
	uint64_t index;
	uint8_t square;
};

/* All rights that quiet moves create, with one side to move. */
struct rights {
	struct right *list; /* by index, then by square; owned */
	size_t count, capacity;
	size_t first[EL_LINKS_MAX + 1]; /* those of a unit: first[unit] .. first[unit + 1] - 1 */
};

struct plain {
	struct el_sets head;
	struct el_problem problem;
	struct rights rights[2]; /* by plane */
	/* borrowed until all units have been begun */
	const struct el_planes *entered[EL_SUCCESSORS_MAX];
	size_t entered_count;
};

/* ---- bits and positions ---- */

static void lay_out(const struct el_slice *slice, struct el_sets *out)
{
	const uint64_t words = (slice->positions + 63) / 64;
	out->words = out->stored_words = (words + EL_LINKS_MAX - 1) / EL_LINKS_MAX;
	out->units = out->sections = (words + out->words - 1) / out->words;
}

/* False if the index is broken. If both sides have the same material, Black to move is White to move
   with the colours swapped. */
static bool position_of(const struct plain *p, unsigned side, size_t unit, size_t bit,
                        struct el_position *out)
{
	const struct el_slice *slice = &p->head.slice;
	const unsigned plane = slice->planes == 1 ? 0 : side;
	const size_t stored = 64 * p->head.stored_words;
	const struct rights *rights = &p->rights[plane];
	if (bit < stored)
		return unit * stored + bit < slice->positions &&
		       slice->game->unplace(slice, plane, unit * stored + bit, out);
	const size_t number = rights->first[unit] + bit - stored;
	if (number >= rights->first[unit + 1] ||
	    !slice->game->unplace(slice, plane, rights->list[number].index, out))
		return false;
	out->en_passant = rights->list[number].square;
	return true;
}

/* The square passed over, in the representative of this position's place. */
static bool right_of(const struct plain *p, const struct el_position *position,
                     const struct el_place *place, struct right *out)
{
	const struct el_game *game = p->head.slice.game;
	struct el_position image = *position, next, place_holder;
	if (!game->unplace(&p->head.slice, place->plane, place->index, &place_holder))
		return false;
	for (unsigned i = 0; i < 4; i++) {
		place_holder.en_passant = image.en_passant;
		if (el_position_equal(&image, &place_holder)) {
			*out = (struct right){place->index, image.en_passant};
			return true;
		}
		(i % 2 ? game->swap_colours : game->mirror)(&image, &next);
		image = next;
	}
	return false;
}

static int right_order(const void *a, const void *b)
{
	const struct right *x = a, *y = b;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->square - y->square;
}

/* ---- moves ---- */

/* A move and its successor position. */
struct step {
	struct el_position after;
	struct el_place place; /* set if the move stays in the slice */
	bool stays;
};

static struct step take_step(const struct plain *p, const struct el_position *before,
                             const struct el_move *move)
{
	const struct el_slice *slice = &p->head.slice;
	struct step s;
	slice->game->play(before, move, &s.after);
	s.stays = slice->game->place(&s.after, &s.place) && s.place.key == slice->key;
	return s;
}

/* Does a quiet move lead into the set? */
static bool leads_into(const struct plain *p, const struct step *s,
                       const uint64_t *const to[EL_LINKS_MAX])
{
	const size_t stored = 64 * p->head.stored_words;
	const size_t unit = s->place.index / stored;
	size_t bit = s->place.index % stored;
	struct right right;
	if (!to[unit])
		return false;
	if (s->after.en_passant != EL_NO_SQUARE && right_of(p, &s->after, &s->place, &right)) {
		const struct rights *rights = &p->rights[s->place.plane];
		const struct right *found =
			bsearch(&right, rights->list, rights->count, sizeof right, right_order);
		bit = stored + (size_t)(found - rights->list) - rights->first[unit];
	}
	return to[unit][bit / 64] >> bit % 64 & 1;
}

static void pre(const struct el_sets *sets, unsigned side, size_t unit,
                const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
                uint64_t *from, void *scratch)
{
	const struct plain *p = (const struct plain *)sets;
	struct el_move moves[EL_MOVES_MAX];
	struct el_position before;
	(void)scratch;
	for (size_t w = 0; w < p->head.words; w++) {
		uint64_t found = 0;
		for (uint64_t bits = among[w]; bits; bits &= bits - 1) {
			bool reaches = false;
			position_of(p, side, unit, 64 * w + (unsigned)__builtin_ctzll(bits),
			            &before);
			const size_t count = p->head.slice.game->moves(&before, moves);
			for (size_t i = 0; i < count && !reaches; i++) {
				const struct step s = take_step(p, &before, &moves[i]);
				reaches = s.stays && leads_into(p, &s, to);
			}
			found |= reaches == some ? bits & -bits : 0;
		}
		from[w] = found;
	}
}

/* A move may lead anywhere. */
static size_t links(const struct el_sets *sets, unsigned side, size_t unit,
                    uint32_t out[EL_LINKS_MAX])
{
	(void)side;
	(void)unit;
	for (size_t i = 0; i < sets->units; i++)
		out[i] = (uint32_t)i;
	return sets->units;
}

static void lost(const struct el_sets *sets, unsigned side, size_t unit, uint64_t *stuck)
{
	struct el_position position;
	for (size_t w = 0; w < sets->words; w++)
		for (uint64_t bits = stuck[w]; bits; bits &= bits - 1)
			if (!position_of((const struct plain *)sets, side, unit,
			                 64 * w + (unsigned)__builtin_ctzll(bits), &position) ||
			    sets->game->stuck(&position).outcome != EL_LOSS)
				stuck[w] &= ~(bits & -bits);
}

/* ---- conversions ---- */

/* The value of a position that a conversion enters. EL_BROKEN if neither a table nor a rule
   determines it; `readable` becomes false if the table cannot be read. */
static struct el_value value_entered(const struct plain *p, struct lent *lent, const struct step *s,
                                     bool *readable)
{
	const struct el_game *game = p->head.slice.game;
	struct el_value value = {.outcome = EL_BROKEN};
	if (game->drawn(&s->after))
		return (struct el_value){.outcome = EL_DRAW};
	struct el_place place;
	const bool placed = game->place(&s->after, &place);
	for (size_t i = 0; placed && i < p->entered_count; i++) {
		const struct el_planes *planes = p->entered[i];
		if (planes->slice.key != place.key)
			continue;
		const uint16_t *symbol = lent_symbol(lent, planes, place.plane, place.index);
		*readable &= symbol != NULL;
		return symbol ? planes->plane[place.plane].values[*symbol] : value;
	}
	el_game_value(game, &s->after, &value);
	return value;
}

static struct effect convert(const struct plain *p, struct lent *lent, unsigned side,
                             const struct el_position *before)
{
	const struct el_game *game = p->head.slice.game;
	struct el_move moves[EL_MOVES_MAX];
	struct effect effect = effect_none;
	bool readable = true;
	const size_t count = game->moves(before, moves);
	for (size_t i = 0; i < count; i++) {
		const struct step s = take_step(p, before, &moves[i]);
		if (s.stays)
			continue;
		const struct el_value value = value_entered(p, lent, &s, &readable);
		const unsigned gain = el_move_gain(game, before, &moves[i]);
		effect = effect_join(effect, readable ? effect_of(&p->problem, side, value, gain)
		                                      : effect_unread);
	}
	return effect;
}

static enum el_status begin(const struct el_sets *sets, unsigned side, size_t unit,
                            struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct plain *p = (const struct plain *)sets;
	const double start = clock_seconds();
	struct lent lent = {.lender = p->problem.lender};
	enum el_status status = EL_OK;
	(void)scratch;
	for (size_t w = 0; w < sets->words && !status; w++) {
		struct effect effects[64];
		for (unsigned x = 0; x < 64; x++) {
			struct el_position before;
			effects[x] = effect_none;
			if (!position_of(p, side, unit, 64 * w + x, &before))
				continue;
			out->legal[w] |= UINT64_C(1) << x;
			effects[x] = convert(p, &lent, side, &before);
		}
		status = events_of_word(out, (uint32_t)w, out->legal[w], effects);
	}
	lent_let_go(&lent);
	if (side < sets->slice.planes)
		out->decided[0] = events_count(&out->wins, sets->stored_words);
	out->seconds[0] = clock_seconds() - start;
	return events_fail(status, &sets->slice, error);
}

/* ---- from bits to the index ---- */

static uint64_t section_begin(const struct el_sets *sets, size_t section)
{
	const uint64_t first = (uint64_t)section * 64 * sets->stored_words;
	return first < sets->slice.positions ? first : sets->slice.positions;
}

static void gather(const struct el_sets *sets, unsigned side, size_t section,
                   const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index)
{
	(void)side;
	memcpy(by_index, by_bit[0],
	       (section_begin(sets, section + 1) - section_begin(sets, section)) *
	               sizeof *by_index);
}

/* ---- opening ---- */

/* Adds the right that a quiet move creates. */
static enum el_status add_right(struct plain *p, const struct step *s)
{
	struct rights *rights = &p->rights[s->place.plane];
	struct right right;
	if (!right_of(p, &s->after, &s->place, &right))
		return EL_DAMAGED;
	enum el_status status = EL_OK;
#pragma omp critical(plain)
	{
		if (rights->count == rights->capacity) {
			const size_t capacity = 2 * rights->capacity + 64;
			struct right *list = realloc(rights->list, capacity * sizeof *list);
			status = list ? EL_OK : EL_MEMORY;
			rights->list = list ? list : rights->list;
			rights->capacity = list ? capacity : rights->capacity;
		}
		if (!status)
			rights->list[rights->count++] = right;
	}
	return status;
}

/* Plays all moves of an index, to check that these operators support them and to collect the rights
   they create. */
static enum el_status look_at(struct plain *p, unsigned plane, uint64_t index)
{
	const struct el_slice *slice = &p->head.slice;
	struct el_move moves[EL_MOVES_MAX];
	struct el_position before;
	enum el_status status = EL_OK;
	if (!slice->game->unplace(slice, plane, index, &before))
		return EL_OK;
	const size_t count = slice->game->moves(&before, moves);
	for (size_t i = 0; i < count && !status; i++) {
		const struct step s = take_step(p, &before, &moves[i]);
		if (s.stays &&
		    el_move_ends(slice->game, p->problem.metric, &before, &moves[i], false))
			status = EL_NEGATIVE;
		else if (s.stays && s.after.en_passant != EL_NO_SQUARE)
			status = add_right(p, &s);
	}
	return status;
}

/* Sorts the rights, drops duplicates, and gives each unit its bits. */
static void number_rights(struct plain *p, struct rights *rights)
{
	const size_t stored = 64 * p->head.stored_words;
	size_t count = 0;
	if (rights->count)
		qsort(rights->list, rights->count, sizeof *rights->list, right_order);
	for (size_t i = 0; i < rights->count; i++)
		if (!count || right_order(&rights->list[count - 1], &rights->list[i]))
			rights->list[count++] = rights->list[i];
	rights->count = count;
	for (size_t unit = 0, next = 0; unit < p->head.units; unit++) {
		rights->first[unit] = next;
		while (next < count && rights->list[next].index / stored == unit)
			next++;
		rights->first[unit + 1] = next;
		const size_t words = p->head.stored_words + (next - rights->first[unit] + 63) / 64;
		p->head.words = words > p->head.words ? words : p->head.words;
	}
}

static enum el_status borrow(struct el_sets *sets, const struct el_problem *problem,
                             struct el_error *error)
{
	struct plain *p = (struct plain *)sets;
	const struct el_slice *slice = &sets->slice;
	enum el_status status = EL_OK;
	for (unsigned plane = 0; plane < slice->planes; plane++) {
#pragma omp parallel for schedule(dynamic, 64)
		for (uint64_t index = 0; index < slice->positions; index++) {
			const enum el_status one = look_at(p, plane, index);
			if (one)
#pragma omp atomic write
				status = one;
		}
		number_rights(p, &p->rights[plane]);
	}
	if (status == EL_NEGATIVE)
		return el_fail(
			error, status,
			"%s: the plain set operators cannot solve %s, because a move ends its "
			"count and stays in the slice",
			slice->name, problem->metric->name);
	if (status == EL_DAMAGED)
		return el_fail(error, status, "%s: a right to capture en passant is not understood",
		               slice->name);
	if (status)
		return el_fail(error, status, "%s: out of memory", slice->name);
	struct el_slice entered[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, entered);
	for (; p->entered_count < count && !status; p->entered_count += !status)
		status = problem->lender->lend(problem->lender->context, &entered[p->entered_count],
		                               problem->metric, &p->entered[p->entered_count],
		                               error);
	return status;
}

static void give_back(struct el_sets *sets)
{
	struct plain *p = (struct plain *)sets;
	while (p->entered_count)
		p->problem.lender->give_back(p->problem.lender->context,
		                             p->entered[--p->entered_count]);
}

static void close_sets(struct el_sets *sets)
{
	struct plain *p = (struct plain *)sets;
	give_back(sets);
	free(p->rights[0].list);
	free(p->rights[1].list);
	free(p);
}

/* There are sets with Black to move even if both sides have the same material: bounds that favour
   one side differ between the sides, and dtr is solved with both. */
static struct el_sets *make(const struct el_problem *problem)
{
	struct plain *p = malloc(sizeof *p);
	if (!p)
		return NULL;
	*p = (struct plain){
		.problem = *problem,
		.head =
			{
				.game = problem->slice.game,
				.slice = problem->slice,
				.sides = 2,
				.stages = {"conversions"},
				.begin = begin,
				.lost = lost,
				.links = links,
				.pre = pre,
				.section = section_begin,
				.section_units = whole_section_unit,
				.gather = gather,
				.close = close_sets,
			},
	};
	lay_out(&problem->slice, &p->head);
	return &p->head;
}

struct el_measure plain_measure(const struct el_slice *slice)
{
	struct el_sets sets;
	lay_out(slice, &sets);
	const uint64_t bits = 64 * sets.words;
	return (struct el_measure){
		.bits = sets.units * bits, .unit_bits = bits, .desk = 2 * 2 * bits};
}

enum el_status plain_divide(const struct el_problem *problem, struct el_division **out,
                            struct el_error *error)
{
	static const struct whole_way way = {plain_measure, make, borrow, give_back};
	return whole_divide(&way, problem, out, error);
}

/* SPDX-License-Identifier: MIT */
#include "index.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- classes ---- */

static enum el_status number_classes(struct morris_classes *c, unsigned men)
{
	const uint32_t sets = choose[MORRIS_POINTS][men];
	uint32_t set, next = (UINT32_C(1) << men) - 1;
	c->of = malloc(sets * sizeof *c->of);
	c->class = malloc(sets / 8 * sizeof *c->class);
	if (!c->of || !c->class)
		return EL_MEMORY;
	for (uint32_t rank = 0; rank < sets; rank++)
		c->of[rank] = UINT32_MAX;
	for (uint32_t rank = 0; rank < sets; rank++) {
		/* The set with the next rank has the same number of men. */
		set = next;
		const uint32_t low = set & -set, carried = set + low;
		next = carried | ((set ^ carried) / low >> 2);
		if (c->of[rank] != UINT32_MAX)
			continue;
		struct morris_class *class = &c->class[c->count];
		*class = (struct morris_class){.men = set};
		for (unsigned s = MORRIS_SYMMETRIES; s-- > 0;) {
			const uint32_t image = morris_turn(set, s);
			class->group |= (uint16_t)((image == set) << s);
			c->of[choose_rank(image)] = c->count * 16 + morris_back(s);
		}
		c->count++;
	}
	return EL_OK;
}

const struct morris_classes *morris_classes(unsigned men)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct morris_classes all[MORRIS_MEN_MAX + 1];
	static const struct morris_classes *_Atomic made[MORRIS_MEN_MAX + 1];
	const struct morris_classes *classes = atomic_load(&made[men]);
	if (classes)
		return classes;
	pthread_mutex_lock(&lock);
	if (!atomic_load(&made[men]) && !number_classes(&all[men], men))
		atomic_store(&made[men], &all[men]);
	classes = atomic_load(&made[men]);
	pthread_mutex_unlock(&lock);
	return classes;
}

/* ---- slices ---- */

struct el_slice morris_slice(const struct el_game *game, unsigned white, unsigned black)
{
	/* Verified by the tests. */
	static const uint32_t classes[MORRIS_MEN_MAX + 1] = {
		[3] = 158,   [4] = 757,   [5] = 2830, [6] = 8774,
		[7] = 22188, [8] = 46879, [9] = 82880};
	struct el_slice slice = {
		.game = game,
		.key = morris_key(white, black),
		.count = {{(uint8_t)white}, {(uint8_t)black}},
		.pieces = (uint8_t)(white + black),
		.planes = white == black ? 1 : 2,
		.positions = (uint64_t)classes[white] * morris_places(white, black),
	};
	snprintf(slice.name, sizeof slice.name, "%s:%uv%u", game->name, white, black);
	return slice;
}

/* ---- places ---- */

/* The men of both sides, the first-named side first. */
struct men {
	uint32_t of[2];
};

/* False if the position is in no slice. `first`: the side named first. */
static bool men_of(const struct el_position *position, struct men *out, unsigned *first)
{
	const uint64_t white = position->set[EL_WHITE][0], black = position->set[EL_BLACK][0];
	if ((white | black) >> MORRIS_POINTS || white & black || position->side > EL_BLACK ||
	    el_position_has_hand(position))
		return false;
	const unsigned count[2] = {morris_count((uint32_t)white), morris_count((uint32_t)black)};
	for (unsigned side = 0; side < 2; side++)
		if (count[side] < MORRIS_MEN_MIN || count[side] > MORRIS_MEN_MAX)
			return false;
	*first = count[1] > count[0] || (count[1] == count[0] && position->side);
	out->of[0] = (uint32_t)position->set[*first][0];
	out->of[1] = (uint32_t)position->set[!*first][0];
	return true;
}

bool morris_place(const struct el_position *position, struct el_place *out)
{
	struct men men;
	unsigned first;
	if (!men_of(position, &men, &first))
		return false;
	const unsigned white = morris_count(men.of[0]), black = morris_count(men.of[1]);
	const struct morris_classes *classes = morris_classes(white);
	if (!classes)
		return false;
	const struct morris_found found = morris_find(classes, men.of[0]);
	const uint32_t least = morris_least(found.class, morris_turn(men.of[1], found.turn));
	out->key = morris_key(white, black);
	out->plane = (uint8_t)(position->side ^ first);
	out->digit[0] = found.number;
	out->digit[1] = choose_rank(least);
	out->index = (uint64_t)found.number * morris_places(white, black) +
	             choose_rank(squeeze(least, found.class->men));
	return true;
}

/* The men of an index, broken or not. */
static bool men_at(const struct el_slice *slice, uint64_t index, struct men *out)
{
	const unsigned white = slice->count[0][0], black = slice->count[1][0];
	const uint32_t places = morris_places(white, black);
	const struct morris_classes *classes = morris_classes(white);
	if (!classes || index >= slice->positions)
		return false;
	out->of[0] = classes->class[index / places].men;
	out->of[1] = spread((uint32_t)choose_unrank((uint32_t)(index % places), black), out->of[0]);
	return true;
}

bool morris_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                    struct el_position *out)
{
	struct men men;
	if (plane >= slice->planes || !men_at(slice, index, &men))
		return false;
	const struct morris_found found =
		morris_find(morris_classes(slice->count[0][0]), men.of[0]);
	if (morris_least(found.class, men.of[1]) != men.of[1])
		return false;
	*out = (struct el_position){
		.set = {{men.of[0]}, {men.of[1]}},
		.side = (uint8_t)plane,
		.en_passant = EL_NO_SQUARE,
		.fullmove = 1,
	};
	return true;
}

/* ---- digits ---- */

void morris_digits(const struct el_slice *slice, struct el_digits *out)
{
	const uint8_t white = slice->count[0][0], black = slice->count[1][0];
	*out = (struct el_digits){
		.count = 2,
		.letter = {'M', 'm'},
		.radix = {(uint32_t)(slice->positions / morris_places(white, black)),
	                  choose[MORRIS_POINTS][black]},
		.pieces = {white, black},
	};
}

void morris_take_apart(const struct el_slice *slice, uint64_t index, uint32_t digit[EL_DIGITS_MAX])
{
	struct men men = {{0}};
	men_at(slice, index, &men);
	digit[0] = (uint32_t)(index / morris_places(slice->count[0][0], slice->count[1][0]));
	digit[1] = choose_rank(men.of[1]);
}

/* ---- symmetries ---- */

unsigned morris_symmetry(const struct el_position *position)
{
	struct men men;
	unsigned first, fewest = MORRIS_SYMMETRIES;
	if (!men_of(position, &men, &first))
		return 0;
	const struct morris_found found =
		morris_find(morris_classes(morris_count(men.of[0])), men.of[0]);
	const uint32_t least = morris_least(found.class, morris_turn(men.of[1], found.turn));
	for (unsigned s = 0; s < MORRIS_SYMMETRIES; s++)
		if (morris_turn(men.of[0], s) == found.class->men &&
		    morris_turn(men.of[1], s) == least &&
		    (fewest == MORRIS_SYMMETRIES || morris_count(s) < morris_count(fewest)))
			fewest = s;
	return 2 * fewest + (first ? EL_SWAPPED : 0);
}

unsigned morris_orbit(const struct el_position *position)
{
	unsigned same = 0;
	for (unsigned s = 0; s < MORRIS_SYMMETRIES; s++)
		same += morris_turn((uint32_t)position->set[0][0], s) == position->set[0][0] &&
		        morris_turn((uint32_t)position->set[1][0], s) == position->set[1][0];
	return MORRIS_SYMMETRIES / same;
}

/* SPDX-License-Identifier: MIT */
#include "index.h"

#include "core/base/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- classes ---- */

static enum el_status number_classes(struct morris_classes *c, unsigned men)
{
	const uint32_t sets = choose[MORRIS_POINTS][men];
	uint32_t set = (UINT32_C(1) << men) - 1; /* of this rank */
	c->of = malloc(sets * sizeof *c->of);
	c->class = malloc((sets / 8 + 1) * sizeof *c->class);
	if (!c->of || !c->class)
		return EL_MEMORY;
	for (uint32_t rank = 0; rank < sets; rank++)
		c->of[rank] = UINT32_MAX;
	for (uint32_t rank = 0; rank < sets; rank++, set = set ? choose_next(set) : 0) {
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

void morris_turn_rings(struct morris_turned *t, const struct morris_found *white)
{
	for (unsigned ring = 0; ring < 3; ring++) {
		t->ring[ring][0] = 0;
		for (uint32_t set = 1; set < 256; set++) {
			const uint32_t low = set & -set, others = set ^ low;
			t->ring[ring][set] =
				others ? t->ring[ring][others] | t->ring[ring][low]
				       : squeeze(morris_turn(low << 8 * ring, white->turn),
			                         white->class->men);
		}
	}
}

/* ---- slices ---- */

struct el_slice morris_slice(const struct el_game *game, const struct morris_force *f,
                             unsigned first)
{
	/* Verified by the tests. */
	static const uint32_t classes[MORRIS_MEN_MAX + 1] = {1,    4,    30,    158,   757,
	                                                     2830, 8774, 22188, 46879, 82880};
	const unsigned white = f->board[first], black = f->board[!first];
	const unsigned hand[2] = {f->hand[first], f->hand[!first]};
	struct el_slice slice = {
		.game = game,
		.key = morris_key(f, first),
		.count = {{(uint8_t)white}, {(uint8_t)black}},
		.hand = {(uint8_t)hand[0], (uint8_t)hand[1]},
		.pieces = (uint8_t)(white + black + hand[0] + hand[1]),
		.planes = white == black || hand[0] != hand[1] ? 1 : 2,
		.positions = (uint64_t)classes[white] * morris_places(white, black),
	};
	snprintf(slice.name, sizeof slice.name, "%s:%uv%u", game->name, white, black);
	if (hand[0] || hand[1])
		el_text_add(slice.name, sizeof slice.name, "+%u+%u", hand[0], hand[1]);
	return slice;
}

/* ---- slices that are entered ---- */

bool morris_enter(const struct el_slice *slice, unsigned us, bool takes, struct el_slice *out,
                  bool *swapped)
{
	struct morris_force f = morris_force(slice);
	if (f.hand[us]) {
		f.hand[us]--;
		f.board[us]++;
	}
	f.board[!us] -= takes;
	const unsigned first = morris_first(&f, !us);
	*swapped = first == EL_BLACK;
	*out = morris_slice(slice->game, &f, first);
	return el_slice_moves(slice, us) && f.board[!us] + f.hand[!us] >= MORRIS_MEN_MIN;
}

bool morris_takes(const struct el_slice *slice, unsigned us)
{
	return slice->count[!us][0] && slice->count[us][0] + !!slice->hand[us] >= MORRIS_LINE;
}

/* ---- places ---- */

/* The men of both sides, the first-named side first. */
struct men {
	uint32_t of[2];
};

/* False if the position is in no slice. `first`: the side named first. */
static bool men_of(const struct el_position *position, struct men *out, struct morris_force *force,
                   unsigned *first)
{
	const uint64_t white = position->set[EL_WHITE][0], black = position->set[EL_BLACK][0];
	if ((white | black) >> MORRIS_POINTS || white & black || position->side > EL_BLACK)
		return false;
	*force = (struct morris_force){
		{morris_count((uint32_t)white), morris_count((uint32_t)black)},
		{position->hand[0], position->hand[1]},
	};
	if (!morris_in_turn(force->hand, position->side))
		return false;
	for (unsigned side = 0; side < 2; side++) {
		const unsigned men = force->board[side] + force->hand[side];
		if (men < MORRIS_MEN_MIN || men > MORRIS_MEN_MAX)
			return false;
	}
	*first = morris_first(force, position->side);
	out->of[0] = (uint32_t)position->set[*first][0];
	out->of[1] = (uint32_t)position->set[!*first][0];
	return true;
}

bool morris_place(const struct el_position *position, struct el_place *out)
{
	struct men men;
	struct morris_force force;
	unsigned first;
	if (!men_of(position, &men, &force, &first))
		return false;
	const unsigned white = force.board[first], black = force.board[!first];
	const struct morris_classes *classes = morris_classes(white);
	if (!classes)
		return false;
	const struct morris_found found = morris_find(classes, men.of[0]);
	const uint32_t least = morris_least(found.class, morris_turn(men.of[1], found.turn));
	out->key = morris_key(&force, first);
	/* If only one side can be to move, there is one plane. */
	out->plane = force.hand[0] == force.hand[1] && position->side != first;
	out->digit[0] = found.number;
	out->digit[1] = choose_rank(least);
	out->index = (uint64_t)found.number * morris_places(white, black) +
	             choose_rank(squeeze(least, found.class->men));
	return true;
}

/* The class of White's men in an index, broken or not, and Black's men; null if out of memory, or if
   there is no such index. */
static const struct morris_class *men_at(const struct el_slice *slice, uint64_t index,
                                         uint32_t *black)
{
	const unsigned white = slice->count[0][0], others = slice->count[1][0];
	const uint32_t places = morris_places(white, others);
	const struct morris_classes *classes = morris_classes(white);
	if (!classes || index >= slice->positions)
		return NULL;
	const struct morris_class *class = &classes->class[index / places];
	*black = spread((uint32_t)choose_unrank((uint32_t)(index % places), others), class->men);
	return class;
}

bool morris_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                    struct el_position *out)
{
	uint32_t black;
	const struct morris_class *class = men_at(slice, index, &black);
	if (plane >= slice->planes || !class || morris_least(class, black) != black)
		return false;
	*out = (struct el_position){
		.set = {{class->men}, {black}},
		.side = (uint8_t)el_slice_mover(slice, plane),
		.en_passant = EL_NO_SQUARE,
		.fullmove = 1,
		.hand = {slice->hand[0], slice->hand[1]},
	};
	return true;
}

/* ---- digits ---- */

void morris_digits(const struct el_slice *slice, struct el_digits *out)
{
	const uint8_t white = slice->count[0][0], black = slice->count[1][0];
	*out = (struct el_digits){
		.count = white && black ? 2 : 0,
		.letter = {'M', 'm'},
		.radix = {(uint32_t)(slice->positions / morris_places(white, black)),
	                  choose[MORRIS_POINTS][black]},
		.pieces = {white, black},
	};
}

void morris_take_apart(const struct el_slice *slice, uint64_t index, uint32_t digit[EL_DIGITS_MAX])
{
	uint32_t black = 0;
	men_at(slice, index, &black);
	digit[0] = (uint32_t)(index / morris_places(slice->count[0][0], slice->count[1][0]));
	digit[1] = choose_rank(black);
}

/* ---- symmetries ---- */

unsigned morris_symmetry(const struct el_position *position)
{
	struct men men;
	struct morris_force force;
	unsigned first, fewest = MORRIS_SYMMETRIES;
	if (!men_of(position, &men, &force, &first))
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
	const uint32_t white = (uint32_t)position->set[0][0];
	const struct morris_found found = morris_find(morris_classes(morris_count(white)), white);
	const uint32_t black = morris_turn((uint32_t)position->set[1][0], found.turn);
	unsigned same = 0;
	for (uint32_t left = found.class->group; left; left &= left - 1)
		same += morris_turn(black, (unsigned)__builtin_ctz(left)) == black;
	return MORRIS_SYMMETRIES / same;
}

/* SPDX-License-Identifier: MIT */
/*
 * The marks of positions for codecs (codec.h): which piece could jump which if it were to move.
 * Computed for all squares of one piece at once, on the 8 by 8 board of codecs.
 */
#include "index.h"

/* The pieces of a slice, in the order of its digits: White's first. */
struct cast {
	unsigned count, white;
	bool king[CHECKERS_PIECES_MAX];
};

static struct cast cast_of(const struct el_slice *slice)
{
	struct cast c = {0};
	for (unsigned side = 0; side < 2; side++) {
		for (unsigned kind = 0; kind < CHECKERS_KINDS; kind++)
			for (unsigned i = 0; i < slice->count[side][kind]; i++)
				c.king[c.count++] = kind == CHECKERS_KING;
		c.white = side ? c.white : c.count;
	}
	return c;
}

static uint64_t step(uint64_t square, enum checkers_direction direction)
{
	static const uint64_t left = UINT64_C(0x0101010101010101), right = left << 7;
	switch (direction) {
	case CHECKERS_UP_LEFT:
		return (square & ~left) << 7;
	case CHECKERS_UP_RIGHT:
		return (square & ~right) << 9;
	case CHECKERS_DOWN_LEFT:
		return (square & ~left) >> 9;
	default:
		return (square & ~right) >> 7;
	}
}

unsigned checkers_marks(const struct el_slice *slice)
{
	const struct cast c = cast_of(slice);
	return 2 * c.white * (c.count - c.white);
}

/* The squares on which piece `moving` leaves no man of its side, or of the other, in the row where the slice
   has one: 0 if it is not cut. */
static uint64_t unled(const struct el_slice *slice, const struct cast *c, const uint8_t *square,
                      unsigned moving)
{
	uint64_t none = 0;
	for (unsigned side = 0; side < 2; side++) {
		const unsigned lead = slice->lead[side];
		if (!lead)
			continue;
		const uint64_t row = UINT64_C(0xff) << 8 * (side ? 8 - lead : lead - 1);
		bool led = false, moves = false;
		for (unsigned i = side ? c->white : 0; i < (side ? c->count : c->white); i++) {
			moves = moves || (!c->king[i] && i == moving);
			led = led || (!c->king[i] && i != moving && row >> square[i] & 1);
		}
		if (!led)
			none |= moves ? ~row : ~UINT64_C(0);
	}
	return none;
}

/* The squares of `moving` on which `from` can jump `to`. */
static uint64_t jumps(const struct cast *c, const uint8_t *square, unsigned from, unsigned to,
                      unsigned moving, uint64_t others)
{
	const uint64_t start = UINT64_C(1) << square[from], over = UINT64_C(1) << square[to];
	const unsigned first = !c->king[from] && from >= c->white ? CHECKERS_DOWN_LEFT : 0;
	const unsigned last =
		!c->king[from] && from < c->white ? CHECKERS_MAN_DIRECTIONS : CHECKERS_DIRECTIONS;
	uint64_t found = 0;
	for (unsigned d = first; d < last; d++) {
		const uint64_t jumped = to == moving ? step(start, d) : over;
		const uint64_t land = step(jumped, d) & ~others;
		if (!land)
			continue;
		if (to == moving)
			found |= jumped;
		else if (from == moving)
			found |= step(over, checkers_opposite(d));
		else if (step(start, d) == over)
			found |= ~land;
	}
	return found;
}

void checkers_look(const struct el_slice *slice, unsigned plane, const uint8_t *square,
                   unsigned moving, uint64_t *word)
{
	const struct cast c = cast_of(slice);
	uint64_t others = 0;
	(void)plane; /* either side may be open to a jump, whoever moves */
	for (unsigned i = 0; i < c.count; i++)
		others |= i == moving ? 0 : UINT64_C(1) << square[i];
	const bool apart = (unsigned)__builtin_popcountll(others) + 1 == c.count;
	*word++ = apart ? others | unled(slice, &c, square, moving) : ~UINT64_C(0);
	for (unsigned from = 0; from < c.count; from++)
		for (unsigned to = 0; to < c.count; to++)
			if ((from < c.white) != (to < c.white))
				*word++ = jumps(&c, square, from, to, moving, others);
}

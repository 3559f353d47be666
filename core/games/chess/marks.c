/* SPDX-License-Identifier: MIT */
/*
 * The marks of positions for codecs (codec.h): which piece attacks or protects which. Computed for
 * all squares of one piece at once, like the solver's words.
 */
#include "index.h"

/* The pieces of a slice, in the order of its digits. */
struct cast {
	unsigned count;
	uint8_t side[CHESS_PIECES_MAX], kind[CHESS_PIECES_MAX];
	unsigned king[2]; /* places of the kings */
};

/* The mark of `from` attacking `to`, which is another piece; 1 is the first. */
static unsigned mark_of(const struct cast *c, unsigned from, unsigned to)
{
	return 1 + from * (c->count - 1) + to - (to > from);
}

unsigned chess_marks(const struct el_slice *slice)
{
	return slice->pieces * (slice->pieces - 1u);
}

void chess_look(const struct el_slice *slice, unsigned plane, const uint8_t *square,
                unsigned moving, uint64_t *word)
{
	struct cast c = {0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_KING; kind < CHESS_KINDS; kind++)
			for (unsigned i = 0; i < slice->count[side][kind]; i++, c.count++) {
				c.side[c.count] = (uint8_t)side;
				c.kind[c.count] = (uint8_t)kind;
				if (kind == CHESS_KING)
					c.king[side] = c.count;
			}
	const unsigned exposed = c.king[!plane]; /* of the side that has moved */
	uint64_t others = 0;
	for (unsigned i = 0; i < c.count; i++)
		others |= i == moving ? 0 : chess_bit(square[i]);
	const bool apart = chess_count(others) + 1 == c.count;
	for (unsigned i = 0; i < c.count; i++) {
		if (i == moving)
			continue;
		/* A piece that does not move attacks others unless the moving one stands between. */
		const uint64_t seen = chess_attacks_of(c.side[i], c.kind[i], square[i], others);
		for (unsigned to = 0; to < c.count; to++)
			if (to == moving)
				word[mark_of(&c, i, to)] = seen;
			else if (to != i)
				word[mark_of(&c, i, to)] =
					seen >> square[to] & 1
						? ~chess_between(square[i], square[to])
						: 0;
		/* The moving one attacks a square from the squares that a like piece there attacks (for a pawn,
		   one of the other side). */
		word[mark_of(&c, moving, i)] =
			chess_attacks_of(!c.side[moving], c.kind[moving], square[i], others);
	}
	word[0] = (apart ? others : ~UINT64_C(0)) | word[mark_of(&c, c.king[0], c.king[1])];
	for (unsigned i = 0; i < c.count; i++)
		if (c.side[i] == plane && i != exposed)
			word[0] |= word[mark_of(&c, i, exposed)];
}

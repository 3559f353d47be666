/* SPDX-License-Identifier: MIT */
/* A slice is the number of men of each side, 3 to 9. White has no fewer than Black. */
#include "index.h"
#include "morris.h"

#include "core/games/slice.h"

#include <stdio.h>

static enum el_status slice_made(const unsigned men[2], const char *text, struct el_slice *out,
                                 struct el_error *error)
{
	for (unsigned side = 0; side < 2; side++)
		if (men[side] < MORRIS_MEN_MIN || men[side] > MORRIS_MEN_MAX)
			return el_fail(error, EL_NEGATIVE,
			               "%s: %u men on one side, expected %d to %d", text, men[side],
			               MORRIS_MEN_MIN, MORRIS_MEN_MAX);
	*out = men[0] >= men[1] ? morris_slice(&el_morris, men[0], men[1])
	                        : morris_slice(&el_morris, men[1], men[0]);
	return EL_OK;
}

bool morris_looks_like_slice(const char *text)
{
	return slice_unprefixed(&el_morris, text);
}

enum el_status morris_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	const char *sides = slice_unprefixed(&el_morris, text);
	char again[32] = "";
	unsigned men[2];
	if (sides && sscanf(sides, "%2uv%2u", &men[0], &men[1]) == 2)
		snprintf(again, sizeof again, "%uv%u", men[0], men[1]);
	/* No other spelling of these numbers is accepted. */
	if (!sides || !*again || strcmp(again, sides))
		return slice_refuse(&el_morris, text, error);
	return slice_made(men, text, out, error);
}

enum el_status morris_slice_of(const struct el_position *position, struct el_slice *out,
                               struct el_error *error)
{
	const unsigned men[2] = {morris_count((uint32_t)position->set[EL_WHITE][0]),
	                         morris_count((uint32_t)position->set[EL_BLACK][0])};
	if (el_position_has_hand(position))
		return el_fail(error, EL_NEGATIVE,
		               "men are in hand: tables begin when all have been placed");
	return slice_made(men, "the position", out, error);
}

/* A mill takes one man; taking one of the last three ends the game. */
size_t morris_successors(const struct el_slice *slice, struct el_slice *out)
{
	const unsigned white = slice->count[0][0], black = slice->count[1][0];
	size_t found = 0;
	if (black > MORRIS_MEN_MIN)
		out[found++] = morris_slice(slice->game, white, black - 1);
	if (white > black)
		out[found++] = morris_slice(slice->game, white - 1, black);
	return found;
}

/* The slices in which White has so many men. */
size_t morris_slices(unsigned group, struct el_slice *out, size_t max)
{
	size_t found = 0;
	if (group > MORRIS_MEN_MAX)
		return 0;
	for (unsigned black = MORRIS_MEN_MIN; black <= group; black++, found++)
		if (found < max)
			out[found] = morris_slice(&el_morris, group, black);
	return found;
}

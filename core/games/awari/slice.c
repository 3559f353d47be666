/* SPDX-License-Identifier: MIT */
/* A slice is the number of stones on the board. Who captured the others does not matter. */
#include "awari.h"

#include "core/games/slice.h"
#include "index.h"

#include <stdio.h>

static enum el_status parse(const struct el_game *game, const char *text, struct el_slice *out,
                            struct el_error *error)
{
	const char *number = slice_unprefixed(game, text);
	char again[32];
	unsigned stones;
	if (!number || sscanf(number, "%9u", &stones) != 1 ||
	    (snprintf(again, sizeof again, "%u", stones), strcmp(again, number)))
		return slice_refuse(game, text, error);
	if (stones > AWARI_STONES)
		return el_fail(error, EL_NEGATIVE, "%s: %u stones, expected at most %d", text,
		               stones, AWARI_STONES);
	*out = awari_slice(game, stones);
	return EL_OK;
}

enum el_status awari_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	return parse(&el_awari, text, out, error);
}

enum el_status oware_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	return parse(&el_oware, text, out, error);
}

static enum el_status slice_with(const struct el_game *game, const struct el_position *position,
                                 struct el_slice *out, struct el_error *error)
{
	const unsigned stones = el_piece_count(position);
	if (stones > AWARI_STONES)
		return el_fail(error, EL_NEGATIVE, "%u stones on the board, expected at most %d",
		               stones, AWARI_STONES);
	*out = awari_slice(game, stones);
	return EL_OK;
}

enum el_status awari_slice_of(const struct el_position *position, struct el_slice *out,
                              struct el_error *error)
{
	return slice_with(&el_awari, position, out, error);
}

enum el_status oware_slice_of(const struct el_position *position, struct el_slice *out,
                              struct el_error *error)
{
	return slice_with(&el_oware, position, out, error);
}

size_t awari_successors(const struct el_slice *slice, struct el_slice *out)
{
	size_t found = 0;
	for (unsigned captured = AWARI_LEAST; captured <= AWARI_MOST && captured <= slice->pieces;
	     captured++)
		out[found++] = awari_slice(slice->game, slice->pieces - captured);
	return found;
}

static size_t slices(const struct el_game *game, unsigned group, struct el_slice *out, size_t max)
{
	if (group > AWARI_STONES)
		return 0;
	if (max)
		*out = awari_slice(game, group);
	return 1;
}

size_t awari_slices(unsigned group, struct el_slice *out, size_t max)
{
	return slices(&el_awari, group, out, max);
}

size_t oware_slices(unsigned group, struct el_slice *out, size_t max)
{
	return slices(&el_oware, group, out, max);
}

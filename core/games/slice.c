/* SPDX-License-Identifier: MIT */
#include "slice.h"

enum el_status slice_refuse(const struct el_game *game, const char *text, struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE, "'%.64s' is not a slice: expected a name such as %s",
	               text, game->example);
}

struct material slice_material(const struct el_position *position)
{
	struct material material;
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		material.count[i / EL_KINDS][i % EL_KINDS] =
			(uint8_t)__builtin_popcountll(position->set[i / EL_KINDS][i % EL_KINDS]);
	return material;
}

enum el_status slice_read(const struct el_game *game, const char *text,
                          const struct letters sides[2], struct material *out,
                          struct el_error *error)
{
	*out = (struct material){0};
	for (unsigned side = 0; side < 2; side++) {
		const char *const begin = sides[side].begin, *const end = sides[side].end;
		uint8_t *count = out->count[side];
		if (game->single & 1 && (begin == end || *begin != *game->kinds))
			return el_fail(error, EL_NEGATIVE,
			               "'%s': expected each side to begin with its %s, as in %s",
			               text, game->kind_names[0], game->example);
		for (const char *p = begin; p < end; p++) {
			const char *letter = strchr(game->kinds, *p);
			if (!letter)
				return el_fail(error, EL_NEGATIVE,
				               "'%s': unknown piece '%c', expected one of %s", text,
				               *p, game->kinds);
			const size_t kind = (size_t)(letter - game->kinds);
			if (game->single >> kind & 1 && count[kind])
				return el_fail(error, EL_NEGATIVE,
				               "'%s': expected one %s on each side", text,
				               game->kind_names[kind]);
			count[kind]++;
		}
	}
	return EL_OK;
}

struct el_slice slice_of(const struct el_game *game, const char *prefix,
                         const uint8_t (*count)[EL_KINDS], const uint8_t lead[2],
                         const uint32_t strength[2])
{
	const unsigned first = strength[1] > strength[0];
	struct el_slice slice = {
		.game = game,
		.key = slice_key(strength[first], strength[!first]),
		.pieces = (uint8_t)(slice_side(count[0]) + slice_side(count[1])),
		.planes = strength[0] == strength[1] ? 1 : 2,
	};
	char *end = stpcpy(slice.name, prefix);
	for (unsigned side = 0; side < 2; side++) {
		memcpy(slice.count[side], count[side ^ first], EL_KINDS);
		slice.lead[side] = lead[side ^ first];
		if (side)
			*end++ = 'v';
		/* a position from outside may have kinds that the game lacks */
		for (unsigned kind = 0; game->kinds[kind]; kind++)
			for (unsigned i = 0; i < slice.count[side][kind]; i++)
				*end++ = game->kinds[kind];
		if (slice.lead[side])
			*end++ = (char)('0' + slice.lead[side]);
	}
	return slice;
}

void slice_list_add(struct slice_list *list, struct el_slice slice)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->slices[i].key == slice.key)
			return;
	list->slices[list->count++] = slice;
}

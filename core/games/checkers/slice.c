/* SPDX-License-Identifier: MIT */
/* Slices of draughts: their material, their names, and their successors. */
#include "checkers.h"
#include "index.h"

/* `text` is the user's name for it. */
static enum el_status slice_made(const struct material *material, const char *text,
                                 struct el_slice *out, struct el_error *error)
{
	const unsigned pieces[2] = {slice_side(material->count[0]), slice_side(material->count[1])};
	if (!pieces[0] || !pieces[1])
		return el_fail(error, EL_NEGATIVE, "%s: a side has no pieces", text);
	if (pieces[0] + pieces[1] > CHECKERS_PIECES_MAX)
		return el_fail(error, EL_NEGATIVE, "%s: %u pieces, expected at most %d", text,
		               pieces[0] + pieces[1], CHECKERS_PIECES_MAX);
	*out = checkers_slice(&el_checkers, material->count);
	return EL_OK;
}

/* ---- slices in words ---- */

bool checkers_looks_like_slice(const char *text)
{
	return slice_unprefixed(&el_checkers, text);
}

enum el_status checkers_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	enum { LONGEST = 64 };
	struct material material;
	const char *sides = slice_unprefixed(&el_checkers, text);
	if (!sides || strlen(text) > LONGEST)
		return slice_refuse(&el_checkers, text, error);
	const char *split = strchr(sides, 'v');
	if (!split)
		return el_fail(error, EL_NEGATIVE,
		               "'%s' names one side, expected two with a v between them, as in %s",
		               text, el_checkers.example);
	const enum el_status status =
		slice_read(&el_checkers, text, sides, split, split + 1, &material, error);
	return status ? status : slice_made(&material, text, out, error);
}

enum el_status checkers_slice_of(const struct el_position *position, struct el_slice *out,
                                 struct el_error *error)
{
	const struct material material = slice_material(position);
	return slice_made(&material, "the position", out, error);
}

/* ---- what a slice turns into ---- */

static void list_add(struct slice_list *list, const struct material *material)
{
	const struct el_slice slice = checkers_slice(&el_checkers, material->count);
	slice_list_add(list, &slice);
}

/* Adds the material left when `side` loses some of its pieces, but not all, which ends the game. */
static void add_captures(struct slice_list *list, const struct material *material, unsigned side)
{
	const uint8_t *count = material->count[side];
	for (uint8_t kings = 0; kings <= count[CHECKERS_KING]; kings++)
		for (uint8_t men = 0; men <= count[CHECKERS_MAN]; men++) {
			const unsigned left = kings + men;
			struct material less = *material;
			less.count[side][CHECKERS_KING] = kings;
			less.count[side][CHECKERS_MAN] = men;
			if (left && left < slice_side(count))
				list_add(list, &less);
		}
}

/* A move captures any number of pieces, crowns a man, or does both. */
size_t checkers_successors(const struct el_slice *slice, struct el_slice *out)
{
	struct slice_list list = {.slices = out};
	struct material material;
	memcpy(material.count, slice->count, sizeof material.count);
	for (unsigned side = 0; side < 2; side++) {
		struct material crowned = material;
		add_captures(&list, &material, !side);
		if (!crowned.count[side][CHECKERS_MAN])
			continue;
		crowned.count[side][CHECKERS_MAN]--;
		crowned.count[side][CHECKERS_KING]++;
		list_add(&list, &crowned);
		add_captures(&list, &crowned, !side);
	}
	return list.count;
}

/* ---- all slices ---- */

/* Kings of either side vary fastest. Skips slices with the weaker side first. */
size_t checkers_slices(unsigned pieces, struct el_slice *out, size_t max)
{
	size_t found = 0;
	if (pieces > CHECKERS_PIECES_MAX)
		return 0;
	for (unsigned first = pieces - pieces / 2; first < pieces; first++) {
		const unsigned second = pieces - first;
		for (unsigned i = 0; i < (first + 1) * (second + 1); i++) {
			const unsigned kings[2] = {i / (second + 1), i % (second + 1)};
			struct material material = {0};
			material.count[0][CHECKERS_KING] = (uint8_t)kings[0];
			material.count[0][CHECKERS_MAN] = (uint8_t)(first - kings[0]);
			material.count[1][CHECKERS_KING] = (uint8_t)kings[1];
			material.count[1][CHECKERS_MAN] = (uint8_t)(second - kings[1]);
			if (checkers_strength(kings[0], first - kings[0]) <
			    checkers_strength(kings[1], second - kings[1]))
				continue;
			if (found < max)
				out[found] = checkers_slice(&el_checkers, material.count);
			found++;
		}
	}
	return found;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of draughts: their material, their names, and their successors. */
#include "checkers.h"
#include "index.h"

#include <string.h>

/* How many pieces of each kind each side has. */
struct material {
	uint8_t count[2][EL_KINDS];
};

static const char letters[] = "KM";
static const char prefix[] = "checkers:";
static const char example[] = "checkers:KMMvKM";

static unsigned side_pieces(const uint8_t count[EL_KINDS])
{
	return count[CHECKERS_KING] + count[CHECKERS_MAN];
}

/* `text` is the user's name for it. */
static enum el_status slice_made(const struct material *material, const char *text,
                                 struct el_slice *out, struct el_error *error)
{
	const unsigned pieces[2] = {side_pieces(material->count[0]),
	                            side_pieces(material->count[1])};
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
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum el_status read_side(const char *text, const char *begin, const char *end,
                                uint8_t count[EL_KINDS], struct el_error *error)
{
	for (const char *p = begin; p < end; p++) {
		const char *letter = strchr(letters, *p);
		if (!letter)
			return el_fail(error, EL_NEGATIVE,
			               "'%s': unknown piece '%c', expected one of %s", text, *p,
			               letters);
		count[letter - letters]++;
	}
	return EL_OK;
}

enum el_status checkers_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	enum { LONGEST = 64 };
	struct material material = {0};
	const size_t length = strlen(text);
	if (length > LONGEST || !checkers_looks_like_slice(text))
		return el_fail(error, EL_NEGATIVE,
		               "'%.*s' is not a slice: expected a name such as %s", LONGEST, text,
		               example);
	const char *sides = text + strlen(prefix), *split = strchr(sides, 'v');
	if (!split)
		return el_fail(error, EL_NEGATIVE,
		               "'%s' names one side, expected two with a v between them, as in %s",
		               text, example);
	enum el_status status = read_side(text, sides, split, material.count[0], error);
	if (status == EL_OK)
		status = read_side(text, split + 1, text + length, material.count[1], error);
	return status == EL_OK ? slice_made(&material, text, out, error) : status;
}

enum el_status checkers_slice_of(const struct el_position *position, struct el_slice *out,
                                 struct el_error *error)
{
	struct material material = {0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHECKERS_KINDS; kind++)
			material.count[side][kind] =
				(uint8_t)checkers_count((uint32_t)position->set[side][kind]);
	return slice_made(&material, "the position", out, error);
}

/* However few pieces there are, a blocked side loses. */
bool checkers_drawn(const struct el_position *position)
{
	(void)position;
	return false;
}

/* ---- what a slice turns into ---- */

/* A growing list without repetitions. */
struct list {
	struct el_slice *slices;
	size_t count;
};

static void list_add(struct list *list, const struct material *material)
{
	const struct el_slice slice = checkers_slice(&el_checkers, material->count);
	for (size_t i = 0; i < list->count; i++)
		if (list->slices[i].key == slice.key)
			return;
	list->slices[list->count++] = slice;
}

/* Adds the material left when `side` loses some of its pieces, but not all, which ends the game. */
static void add_captures(struct list *list, const struct material *material, unsigned side)
{
	const uint8_t *count = material->count[side];
	for (uint8_t kings = 0; kings <= count[CHECKERS_KING]; kings++)
		for (uint8_t men = 0; men <= count[CHECKERS_MAN]; men++) {
			const unsigned left = kings + men;
			struct material less = *material;
			less.count[side][CHECKERS_KING] = kings;
			less.count[side][CHECKERS_MAN] = men;
			if (left && left < side_pieces(count))
				list_add(list, &less);
		}
}

/* A move captures any number of pieces, crowns a man, or does both. */
size_t checkers_successors(const struct el_slice *slice, struct el_slice *out)
{
	struct list list = {.slices = out};
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

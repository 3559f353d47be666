/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of chess: their material, their names, and their successors. */
#include "chess.h"
#include "index.h"

#include <string.h>

/* How many pieces of each kind each side has. */
struct material {
	uint8_t count[2][EL_KINDS];
};

static const char letters[] = "KQRBNP";

static unsigned side_pieces(const uint8_t count[EL_KINDS])
{
	unsigned pieces = 0;
	for (unsigned kind = 0; kind < CHESS_KINDS; kind++)
		pieces += count[kind];
	return pieces;
}

static unsigned all_pieces(const struct material *material)
{
	return side_pieces(material->count[0]) + side_pieces(material->count[1]);
}

/* The slice of any material with one king per side; `text` is the user's name for it. */
static enum el_status slice_made(const struct material *material, const char *text,
                                 struct el_slice *out, struct el_error *error)
{
	unsigned pieces = all_pieces(material);
	if (pieces > CHESS_PIECES_MAX)
		return el_fail(error, EL_NEGATIVE, "%s: %u pieces, expected at most %d", text,
		               pieces, CHESS_PIECES_MAX);
	if (pieces == 2)
		return el_fail(error, EL_NEGATIVE, "%s: bare kings are a draw and need no table",
		               text);
	*out = chess_slice(&el_chess, material->count);
	return EL_OK;
}

/* ---- slices in words ---- */

/* A draughts slice begins with the name of its game: "checkers:KMvK". */
bool chess_looks_like_slice(const char *text)
{
	return !strchr(text, ':');
}

/* Reads a side of a slice's name, which begins with its king, up to `end`. */
static enum el_status read_side(const char *text, const char *begin, const char *end,
                                uint8_t count[EL_KINDS], struct el_error *error)
{
	if (begin == end || *begin != 'K')
		return el_fail(error, EL_NEGATIVE,
		               "'%s': expected each side to begin with its king, as in KQvKR",
		               text);
	for (const char *p = begin; p < end; p++) {
		const char *letter = strchr(letters, *p);
		if (!letter)
			return el_fail(error, EL_NEGATIVE,
			               "'%s': unknown piece '%c', expected one of %s", text, *p,
			               letters);
		if (*letter == 'K' && p != begin)
			return el_fail(error, EL_NEGATIVE, "'%s': expected one king on each side",
			               text);
		count[letter - letters]++;
	}
	return EL_OK;
}

enum el_status chess_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	enum { LONGEST = 64 };
	struct material material = {0};
	const size_t length = strlen(text);
	if (!length || length > LONGEST)
		return el_fail(error, EL_NEGATIVE,
		               "'%.*s' is not a slice: expected a name such as KQvKR", LONGEST,
		               text);
	const char *split = strchr(text, 'v');
	const char *second = split ? split + 1 : strchr(text + 1, 'K');
	if (!second)
		return el_fail(error, EL_NEGATIVE,
		               *text == 'K' ? "'%s' names one king, expected two sides as in KQvKR"
		                            : "'%s' is not a slice: expected a name such as KQvKR",
		               text);
	enum el_status status =
		read_side(text, text, split ? split : second, material.count[0], error);
	if (status == EL_OK)
		status = read_side(text, second, text + length, material.count[1], error);
	return status == EL_OK ? slice_made(&material, text, out, error) : status;
}

static struct material material_of(const struct el_position *position)
{
	struct material material;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHESS_KINDS; kind++)
			material.count[side][kind] =
				(uint8_t)chess_count(position->set[side][kind]);
	return material;
}

/* Report too many pieces before castling rights: dropping the rights would not help then. */
enum el_status chess_slice_of(const struct el_position *position, struct el_slice *out,
                              struct el_error *error)
{
	const struct material material = material_of(position);
	char rights[CHESS_CASTLINGS + 1];
	struct el_slice slice;
	if (material.count[0][CHESS_KING] != 1 || material.count[1][CHESS_KING] != 1)
		return el_fail(error, EL_NEGATIVE, "a slice needs one king on each side");
	enum el_status status = slice_made(&material, "the position", &slice, error);
	if (!status && position->castling)
		return el_fail(
			error, EL_NEGATIVE,
			"tables do not cover castling; to drop the rights, write - in place of %s",
			chess_write_castling(position->castling, rights));
	if (!status)
		*out = slice;
	return status;
}

bool chess_drawn(const struct el_position *position)
{
	return chess_occupied(position) ==
	       (position->set[EL_WHITE][CHESS_KING] | position->set[EL_BLACK][CHESS_KING]);
}

/* ---- what a slice turns into ---- */

/* A growing list without repetitions. */
struct list {
	struct el_slice *slices;
	size_t count;
};

/* Bare kings have no table and are left out. */
static void list_add(struct list *list, const struct material *material)
{
	if (all_pieces(material) < 3)
		return;
	struct el_slice slice = chess_slice(&el_chess, material->count);
	for (size_t i = 0; i < list->count; i++)
		if (list->slices[i].key == slice.key)
			return;
	list->slices[list->count++] = slice;
}

/* Adds the material after `side` loses one piece, for each kind from the queen to `last`. */
static void add_captures(struct list *list, const struct material *material, unsigned side,
                         unsigned last)
{
	for (unsigned kind = CHESS_QUEEN; kind <= last; kind++) {
		struct material less = *material;
		if (!less.count[side][kind])
			continue;
		less.count[side][kind]--;
		list_add(list, &less);
	}
}

/* Adds the promotions of a pawn of `side`; on the last rank it may capture anything but a pawn. */
static void add_promotions(struct list *list, const struct material *material, unsigned side)
{
	if (!material->count[side][CHESS_PAWN])
		return;
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++) {
		struct material promoted = *material;
		promoted.count[side][CHESS_PAWN]--;
		promoted.count[side][kind]++;
		list_add(list, &promoted);
		add_captures(list, &promoted, !side, CHESS_KNIGHT);
	}
}

size_t chess_successors(const struct el_slice *slice, struct el_slice *out)
{
	struct list list = {.slices = out};
	struct material material;
	memcpy(material.count, slice->count, sizeof material.count);
	for (unsigned side = 0; side < 2; side++) {
		add_captures(&list, &material, side, CHESS_PAWN);
		add_promotions(&list, &material, side);
	}
	return list.count;
}

/* ---- all slices ---- */

/* The slices found so far: counts all, keeps the first `max`. */
struct census {
	struct el_slice *out;
	size_t count, max;
};

/*
 * Tries every way to add `left` more pieces, in order: the kinds of the first side from `kind` on,
 * then those of the second. Skips slices with the weaker side first.
 */
static void give_out(struct census *census, struct material *material, unsigned side, unsigned kind,
                     unsigned left)
{
	if (!left) {
		if (chess_strength(material->count[0]) < chess_strength(material->count[1]))
			return;
		if (census->count < census->max)
			census->out[census->count] = chess_slice(&el_chess, material->count);
		census->count++;
		return;
	}
	for (; side < 2; side++, kind = CHESS_QUEEN)
		for (; kind < CHESS_KINDS; kind++) {
			material->count[side][kind]++;
			give_out(census, material, side, kind, left - 1);
			material->count[side][kind]--;
		}
}

size_t chess_slices(unsigned pieces, struct el_slice *out, size_t max)
{
	struct census census = {.out = out, .max = max};
	struct material material = {0};
	material.count[EL_WHITE][CHESS_KING] = material.count[EL_BLACK][CHESS_KING] = 1;
	if (pieces > 2 && pieces <= CHESS_PIECES_MAX)
		give_out(&census, &material, EL_WHITE, CHESS_QUEEN, pieces - 2);
	return census.count;
}

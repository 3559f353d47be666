/* SPDX-License-Identifier: MIT */
/* Slices of chess: their material, their names, and their successors. */
#include "chess.h"
#include "index.h"

static bool has_rooks(const uint8_t (*count)[EL_KINDS])
{
	return count[EL_WHITE][CHESS_ROOK] || count[EL_BLACK][CHESS_ROOK];
}

/* The slice of any material with one king per side, with castling rights or without; `text` is the user's
   name for it. */
static enum el_status slice_made(const struct material *material, bool castling, const char *text,
                                 struct el_slice *out, struct el_error *error)
{
	const unsigned pieces = slice_side(material->count[0]) + slice_side(material->count[1]);
	if (pieces > CHESS_PIECES_MAX)
		return el_fail(error, EL_NEGATIVE, "%s: %u pieces, expected at most %d", text,
		               pieces, CHESS_PIECES_MAX);
	if (pieces == 2)
		return el_fail(error, EL_NEGATIVE, "%s: bare kings are a draw and need no table",
		               text);
	if (castling && !has_rooks(material->count))
		return el_fail(error, EL_NEGATIVE, "%s: no rook, expected one to castle with",
		               text);
	const struct el_slice slice = chess_slice(&el_chess, material->count);
	*out = castling ? chess_castling_slice(&slice) : slice;
	return EL_OK;
}

/* ---- slices in words ---- */

enum el_status chess_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	enum { LONGEST = 64 };
	struct material material;
	size_t length = strlen(text);
	if (!length || length > LONGEST)
		return slice_refuse(&el_chess, text, error);
	const size_t suffix = strlen(CHESS_CASTLING_SUFFIX);
	const bool castling =
		length > suffix && !strcmp(text + length - suffix, CHESS_CASTLING_SUFFIX);
	length -= castling ? suffix : 0;
	const char *split = strchr(text, 'v');
	const char *second = split ? split + 1 : strchr(text + 1, 'K');
	if (!second && *text != 'K')
		return slice_refuse(&el_chess, text, error);
	if (!second)
		return el_fail(error, EL_NEGATIVE,
		               "'%s' names one king, expected two sides as in KQvKR", text);
	const struct letters sides[2] = {{text, split ? split : second}, {second, text + length}};
	const enum el_status status = slice_read(&el_chess, text, sides, &material, error);
	return status ? status : slice_made(&material, castling, text, out, error);
}

enum el_status chess_slice_of(const struct el_position *position, struct el_slice *out,
                              struct el_error *error)
{
	const struct material material = slice_material(position);
	char rights[CHESS_CASTLINGS_MAX + 1];
	uint64_t index;
	if (material.count[0][CHESS_KING] != 1 || material.count[1][CHESS_KING] != 1)
		return el_fail(error, EL_NEGATIVE, "a slice needs one king on each side");
	struct el_slice slice;
	const enum el_status status =
		slice_made(&material, position->castling, "the position", &slice, error);
	if (!status && position->castling && !chess_castling_place(position, EL_WHITE, &index))
		return el_fail(error, EL_NEGATIVE,
		               "tables do not cover castling from other squares than the usual "
		               "ones; to drop the rights, write - in place of %s",
		               chess_write_castling(position, rights));
	if (!status)
		*out = slice;
	return status;
}

bool chess_with_rights(const struct el_slice *slice, struct el_slice *out)
{
	if (!has_rooks(slice->count))
		return false;
	*out = chess_castling_slice(slice);
	return true;
}

bool chess_drawn(const struct el_position *position)
{
	return chess_occupied(position) ==
	       (position->set[EL_WHITE][CHESS_KING] | position->set[EL_BLACK][CHESS_KING]);
}

/* One knight beside the kings, or bishops all on squares of one colour. */
bool chess_dead(const struct el_position *position)
{
	static const uint64_t dark = UINT64_C(0xaa55aa55aa55aa55);
	uint64_t both[EL_KINDS];
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		both[kind] = position->set[EL_WHITE][kind] | position->set[EL_BLACK][kind];
	if (both[CHESS_QUEEN] | both[CHESS_ROOK] | both[CHESS_PAWN])
		return false;
	if (both[CHESS_KNIGHT])
		return !both[CHESS_BISHOP] && chess_count(both[CHESS_KNIGHT]) == 1;
	return !(both[CHESS_BISHOP] & dark) || !(both[CHESS_BISHOP] & ~dark);
}

/* ---- what a slice turns into ---- */

/* Bare kings have no table and are left out. With `castling`, adds the slice with rights too. */
static void list_add(struct slice_list *list, const struct material *material, bool castling)
{
	if (slice_side(material->count[0]) + slice_side(material->count[1]) < 3)
		return;
	const struct el_slice slice = chess_slice(&el_chess, material->count);
	slice_list_add(list, &slice);
	if (!castling || !has_rooks(material->count))
		return;
	const struct el_slice rights = chess_castling_slice(&slice);
	slice_list_add(list, &rights);
}

/* Adds the material after `side` loses one piece, for each kind from the queen to `last`. */
static void add_captures(struct slice_list *list, const struct material *material, unsigned side,
                         unsigned last, bool castling)
{
	for (unsigned kind = CHESS_QUEEN; kind <= last; kind++) {
		struct material less = *material;
		if (!less.count[side][kind])
			continue;
		less.count[side][kind]--;
		list_add(list, &less, castling);
	}
}

size_t chess_successors(const struct el_slice *slice, struct el_slice *out)
{
	struct slice_list list = {.slices = out};
	const bool castling = el_slice_has_rights(slice);
	struct material material;
	memcpy(material.count, slice->count, sizeof material.count);
	if (castling)
		list_add(&list, &material, false);
	for (unsigned side = 0; side < 2; side++) {
		add_captures(&list, &material, side, CHESS_PAWN, castling);
		/* On the last rank a pawn may capture anything but a pawn. */
		const unsigned promotes = material.count[side][CHESS_PAWN] ? CHESS_PAWN : 0;
		for (unsigned kind = CHESS_QUEEN; kind < promotes; kind++) {
			struct material promoted = material;
			promoted.count[side][CHESS_PAWN]--;
			promoted.count[side][kind]++;
			list_add(&list, &promoted, castling);
			add_captures(&list, &promoted, !side, CHESS_KNIGHT, castling);
		}
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

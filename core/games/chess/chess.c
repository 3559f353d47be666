/* SPDX-License-Identifier: MIT */
/* Slices of chess, an index worked out step by step, and the members of el_chess. */
#include "chess.h"
#include "best.h"
#include "core/games/steps.h"
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

static enum el_status chess_slice_parse(const char *text, struct el_slice *out,
                                        struct el_error *error)
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

static enum el_status chess_slice_of(const struct el_position *position, struct el_slice *out,
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

static bool chess_with_rights(const struct el_slice *slice, struct el_slice *out)
{
	if (!has_rooks(slice->count))
		return false;
	*out = chess_castling_slice(slice);
	return true;
}

static bool chess_drawn(const struct el_position *position)
{
	return chess_occupied(position) ==
	       (position->set[EL_WHITE][CHESS_KING] | position->set[EL_BLACK][CHESS_KING]);
}

/* One knight beside the kings, or bishops all on squares of one colour. */
static bool chess_dead(const struct el_position *position)
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
	slice_list_add(list, slice);
	if (castling && has_rooks(material->count))
		slice_list_add(list, chess_castling_slice(&slice));
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

static size_t chess_successors(const struct el_slice *slice, struct el_slice *out)
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

static size_t chess_slices(unsigned pieces, struct el_slice *out, size_t max)
{
	struct census census = {.out = out, .max = max};
	struct material material = {0};
	material.count[EL_WHITE][CHESS_KING] = material.count[EL_BLACK][CHESS_KING] = 1;
	if (pieces > 2 && pieces <= CHESS_PIECES_MAX)
		give_out(&census, &material, EL_WHITE, CHESS_QUEEN, pieces - 2);
	return census.count;
}

/* ---- an index step by step ---- */

static size_t chess_index_steps(const struct el_slice *slice, uint64_t index,
                                struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	if (el_slice_has_rights(slice))
		return chess_castling_steps(slice, index, out);
	const struct chess_groups groups = chess_groups(slice);
	uint32_t rank[CHESS_GROUPS_MAX];
	for (unsigned i = groups.count; i-- > 0; index /= groups.group[i].radix)
		rank[i] = (uint32_t)(index % groups.group[i].radix);
	const unsigned class = (unsigned)index;
	const struct chess_king_numbers n = chess_king_numbers(groups.pawns, class);
	uint8_t white, black;
	chess_king_squares(groups.pawns, class, &white, &black);
	out[0] = (struct el_index_step){
		.group = "kings",
		.count = 2,
		.piece = {{EL_WHITE, CHESS_KING, white, n.white},
	                  {EL_BLACK, CHESS_KING, black, n.black}},
		.first = n.first,
		.rank = class,
		.radix = groups.kings,
		.after = class,
	};
	for (unsigned i = 0; i < groups.count; i++) {
		const struct chess_group *group = &groups.group[i];
		const uint64_t set = chess_unrank_set(rank[i], group->count, group->first);
		const struct step_group like = {
			.game = slice->game,
			.side = group->side,
			.kind = group->kind,
			.set = set,
			.numbers = set >> group->first,
			.area = ~UINT64_C(0) >> 2 * group->first << group->first,
			.squares = (uint8_t)(64 - 2 * group->first),
		};
		step_write(&like, out[i].after, &out[i + 1]);
	}
	return groups.count + 1;
}

/* ---- symmetry ---- */

/* Tries all symmetries, fewest changes first; one of them fits. */
static unsigned chess_symmetry(const struct el_position *position)
{
	static const uint8_t order[8] = {0, 1, 2, 4, 3, 5, 6, 7};
	struct el_position seen = *position, representative = *position;
	struct el_place place;
	struct el_slice slice;
	if (!chess_place(position, &place) || chess_slice_of(position, &slice, NULL) ||
	    !chess_unplace(&slice, place.plane, place.index, &representative))
		return 0;
	const unsigned swapped = place.plane == position->side ? 0 : EL_SWAPPED;
	if (swapped)
		chess_swap_colours(position, &seen);
	unsigned i = 0;
	while (i < 7 && !chess_is_image(&seen, chess_symmetry_of(order[i]), &representative))
		i++;
	return swapped | order[i] * EL_MIRRORED;
}

/* ---- the game ---- */

static const char *const glyphs[] = {"♚", "♛", "♜", "♝", "♞", "♟"};

static const struct el_metric *const metrics[] = {
	&el_wdl,
	&el_win,
	&el_dtm,
	&el_dtc,
	&el_dtz,
	&el_wdl_rule[EL_RULE_USUAL - 1],
	&el_dtz_rule[EL_RULE_USUAL - 1],
	&el_dtr,
	&el_dtzr,
	&el_dtm_rule[EL_RULE_USUAL - 1],
	NULL,
};

static const struct el_rate rates[] = {
	{4, 0, 5.6, 16, 26, 0.152, 0.151, 0.018},
	{4, 1, 9.6, 5, 31, 0.194, 0.090, 0.025},
	{4, EL_PIECES_MAX, 18, 3, 32, 0.230, 0.073, 0.045},
	{5, 0, 7.1, 16, 24, 0.175, 0.136, 0.015},
	{5, 1, 13, 5, 26, 0.214, 0.109, 0.045},
	{5, 2, 21, 3, 26, 0.248, 0.072, 0.060},
	{5, EL_PIECES_MAX, 11, 3, 26, 0.290, 0.072, 0.060},
	{EL_PIECES_MAX, 0, 33, 16, 24, 0.32, 0.23, 0.015},
	{EL_PIECES_MAX, EL_PIECES_MAX, 40, 5, 26, 0.32, 0.23, 0.060},
};

const struct el_game el_chess = {
	.name = "chess",
	.title = "Chess",
	.kinds = "KQRBNP",
	.glyphs = glyphs,
	.kind_names = {"king", "queen", "rook", "bishop", "knight", "pawn"},
	.single = 1 << CHESS_KING,
	.promoting = 1 << CHESS_PAWN,
	.rates = rates,
	.proof = 0.33,
	.sides = {"White", "Black"},
	.lost = "checkmated",
	.pieces_max = CHESS_PIECES_MAX,
	.rights = CHESS_RIGHTS,
	.group_min = 3,
	.group_max = CHESS_PIECES_MAX,
	.group_few = 4,
	.group_is = "pieces",
	.example = "KQvKR",
	.starters = {"KQvK", "KRvK", "KPvK"},
	.starter = "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", /* the longest win */
	.metrics = metrics,
	.files = 8,
	.ranks = 8,
	.first_side = EL_WHITE,
	.first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",

	.square_at = chess_square_at,
	.square_name = chess_square_name,
	.mirror = chess_mirror,
	.swap_colours = chess_swap_colours,

	.looks_like = chess_looks_like,
	.parse = chess_parse,
	.read = chess_read,
	.fields = chess_fields,
	.format = chess_format,
	.castling = chess_castling,
	.check = chess_check,
	.legal = chess_legal,

	.moves = chess_moves,
	.captures = chess_captures,
	.zeroing = chess_zeroing,
	.play = chess_play,
	.stuck = chess_stuck,
	.in_check = chess_in_check,
	.zeroes = chess_zeroes,

	.write_move = chess_write_move,
	.read_move = chess_read_move,
	.pass = chess_pass,

	.index_version = 1,
	.slice_parse = chess_slice_parse,
	.slice_of = chess_slice_of,
	.successors = chess_successors,
	.slices = chess_slices,
	.with_rights = chess_with_rights,
	.drawn = chess_drawn,
	.dead = chess_dead,
	.place = chess_place,
	.unplace = chess_unplace,
	.twofold = chess_twofold,
	.digits = chess_digits,
	.take_apart = chess_take_apart,
	.counts = true,
	.stand = chess_stand,
	.marks = chess_marks,
	.look = chess_look,
	.step = {-1, -8, -9},
	.index_steps = chess_index_steps,
	.symmetry = chess_symmetry,
	.orbit = chess_orbit,

	.measure = chess_measure,
	.divide = chess_divide,
	.best = chess_best,
	.frames = &chess_frames,
};

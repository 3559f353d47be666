/* SPDX-License-Identifier: MIT */
/* Slices of draughts, an index worked out step by step, and the members of el_checkers. */
#include "core/games/plain.h"
#include "core/games/steps.h"
#include "index.h"

#include <stdio.h>
#include <string.h>

/* Is a slice of so many pieces cut, and so by the rank of this side? */
static bool is_cut(const struct material *material, unsigned side)
{
	return slice_side(material->count[0]) + slice_side(material->count[1]) >= CHECKERS_CUT &&
	       material->count[side][CHECKERS_MAN];
}

/* `text` is the user's name for it, `lead` the ranks that it names. */
static enum el_status slice_made(const struct material *material, const uint8_t lead[2],
                                 const char *text, struct el_slice *out, struct el_error *error)
{
	const unsigned pieces[2] = {slice_side(material->count[0]), slice_side(material->count[1])};
	if (!pieces[0] || !pieces[1])
		return el_fail(error, EL_NEGATIVE, "%s: a side has no pieces", text);
	if (pieces[0] + pieces[1] > CHECKERS_PIECES_MAX)
		return el_fail(error, EL_NEGATIVE, "%s: %u pieces, expected at most %d", text,
		               pieces[0] + pieces[1], CHECKERS_PIECES_MAX);
	for (unsigned side = 0; side < 2; side++) {
		const unsigned men = material->count[side][CHECKERS_MAN],
			       least = checkers_lowest_lead(men);
		if (!is_cut(material, side) && lead[side])
			return el_fail(error, EL_NEGATIVE,
			               men ? "%s: ranks are named from %d pieces on"
			                   : "%s: a side without men has no leading rank",
			               text, CHECKERS_CUT);
		if (is_cut(material, side) && !lead[side])
			return el_fail(error, EL_NEGATIVE,
			               "%s: slices of %d pieces are cut by the rank of each side's "
			               "foremost man; expected a name such as checkers:KKMM7vKKMM5",
			               text, CHECKERS_CUT);
		if (lead[side] && (lead[side] < least || lead[side] > CHECKERS_LEAD_MAX))
			return el_fail(error, EL_NEGATIVE,
			               "%s: the foremost of %u %s stands on rank %u; expected %u "
			               "to %d",
			               text, men, men == 1 ? "man" : "men", lead[side], least,
			               CHECKERS_LEAD_MAX);
	}
	*out = checkers_slice(&el_checkers, material->count, lead);
	return EL_OK;
}

/* ---- slices in words ---- */

/* Reads a name; `lead`: the digits after the letters of each side, 0 where there is none. */
static enum el_status read_name(const char *text, struct material *material, uint8_t lead[2],
                                struct el_error *error)
{
	enum { LONGEST = 64 };
	const char *sides = slice_unprefixed(&el_checkers, text);
	if (!sides || strlen(text) > LONGEST)
		return slice_refuse(&el_checkers, text, error);
	const char *split = strchr(sides, 'v');
	if (!split)
		return el_fail(error, EL_NEGATIVE,
		               "'%s' names one side, expected two with a v between them, as in %s",
		               text, el_checkers.example);
	struct letters side[2] = {{sides, split}, {split + 1, text + strlen(text)}};
	for (unsigned i = 0; i < 2; i++) {
		const char last = side[i].end > side[i].begin ? side[i].end[-1] : 0;
		lead[i] = last > '0' && last <= '9' ? (uint8_t)(last - '0') : 0;
		side[i].end -= lead[i] > 0;
	}
	return slice_read(&el_checkers, text, side, material, error);
}

static enum el_status checkers_slice_parse(const char *text, struct el_slice *out,
                                           struct el_error *error)
{
	struct material material;
	uint8_t lead[2];
	const enum el_status status = read_name(text, &material, lead, error);
	return status ? status : slice_made(&material, lead, text, out, error);
}

static enum el_status checkers_slice_of(const struct el_position *position, struct el_slice *out,
                                        struct el_error *error)
{
	const struct material material = slice_material(position);
	uint8_t lead[2] = {0};
	for (unsigned side = 0; side < 2; side++)
		if (is_cut(&material, side))
			lead[side] = (uint8_t)checkers_leading_rank(position, side);
	return slice_made(&material, lead, "the position", out, error);
}

/* ---- what a slice turns into ---- */

/* Adds the material left when `side` loses some of its pieces, but not all, which ends the game. No
   slice of what is left is cut. */
static void add_captures(struct slice_list *list, const struct material *material, unsigned side)
{
	_Static_assert((int)CHECKERS_CUT == (int)CHECKERS_PIECES_MAX,
	               "captures lead to slices that are not cut");
	const uint8_t *count = material->count[side];
	for (uint8_t kings = 0; kings <= count[CHECKERS_KING]; kings++)
		for (uint8_t men = 0; men <= count[CHECKERS_MAN]; men++) {
			const unsigned left = kings + men;
			struct material less = *material;
			less.count[side][CHECKERS_KING] = kings;
			less.count[side][CHECKERS_MAN] = men;
			if (left && left < slice_side(count))
				slice_list_add(list, checkers_slice(&el_checkers, less.count,
				                                    (const uint8_t[2]){0}));
		}
}

/* A move captures any number of pieces, crowns a man, or does both; in a slice that is cut, it may also
   take the foremost man to the next rank. */
static size_t checkers_successors(const struct el_slice *slice, struct el_slice *out)
{
	struct slice_list list = {.slices = out};
	const struct checkers_shape shape = checkers_shape(slice);
	struct material material;
	memcpy(material.count, slice->count, sizeof material.count);
	for (unsigned side = 0; side < 2; side++) {
		struct material crowned = material;
		add_captures(&list, &material, !side);
		if (!crowned.count[side][CHECKERS_MAN])
			continue;
		crowned.count[side][CHECKERS_MAN]--;
		crowned.count[side][CHECKERS_KING]++;
		const struct checkers_leads next = checkers_next_leads(&shape, side);
		uint8_t lead[2] = {slice->lead[0], slice->lead[1]};
		for (unsigned rank = next.first; rank <= next.last; rank++) {
			lead[side] = (uint8_t)rank;
			slice_list_add(&list,
			               checkers_slice(&el_checkers,
			                              (next.crowned ? &crowned : &material)->count,
			                              lead));
		}
		add_captures(&list, &crowned, !side);
	}
	return list.count;
}

/* ---- all slices ---- */

/* Adds the slices of the material, its stronger side first: one, or one for each leading rank. Returns
   how many are found so far. */
static size_t add_ranks(const struct material *material, struct el_slice *out, size_t max,
                        size_t found)
{
	uint8_t first[2] = {0}, last[2] = {0}, lead[2];
	for (unsigned side = 0; side < 2; side++)
		if (is_cut(material, side)) {
			first[side] =
				(uint8_t)checkers_lowest_lead(material->count[side][CHECKERS_MAN]);
			last[side] = CHECKERS_LEAD_MAX;
		}
	const bool alike = !memcmp(material->count[0], material->count[1], EL_KINDS);
	for (lead[0] = last[0] + 1; lead[0]-- > first[0];)
		for (lead[1] = (alike ? lead[0] : last[1]) + 1; lead[1]-- > first[1];) {
			if (found < max)
				out[found] = checkers_slice(&el_checkers, material->count, lead);
			found++;
		}
	return found;
}

/* Kings of either side vary fastest, but for leading ranks, the highest first. Skips slices with the
   weaker side first. */
static size_t checkers_slices(unsigned pieces, struct el_slice *out, size_t max)
{
	size_t found = 0;
	if (pieces > CHECKERS_PIECES_MAX)
		return 0;
	for (unsigned first = pieces - pieces / 2; first < pieces; first++) {
		const unsigned second = pieces - first;
		for (unsigned i = 0; i < (first + 1) * (second + 1); i++) {
			const unsigned kings[2] = {i / (second + 1), i % (second + 1)};
			const struct material material = {
				.count = {{(uint8_t)kings[0], (uint8_t)(first - kings[0])},
			                  {(uint8_t)kings[1], (uint8_t)(second - kings[1])}}};
			if (checkers_strength(kings[0], first - kings[0], 0) >=
			    checkers_strength(kings[1], second - kings[1], 0))
				found = add_ranks(&material, out, max, found);
		}
	}
	return found;
}

static size_t checkers_slices_of(const char *text, struct el_slice *out, size_t max)
{
	struct material material;
	uint8_t lead[2];
	if (read_name(text, &material, lead, NULL) || lead[0] || lead[1] ||
	    (!is_cut(&material, 0) && !is_cut(&material, 1)) || !slice_side(material.count[0]) ||
	    !slice_side(material.count[1]) ||
	    slice_side(material.count[0]) + slice_side(material.count[1]) > CHECKERS_PIECES_MAX)
		return 0;
	const uint8_t(*count)[EL_KINDS] = material.count;
	const uint32_t strength[2] = {
		checkers_strength(count[0][CHECKERS_KING], count[0][CHECKERS_MAN], 0),
		checkers_strength(count[1][CHECKERS_KING], count[1][CHECKERS_MAN], 0),
	};
	const struct material turned = {
		.count = {{count[1][0], count[1][1]}, {count[0][0], count[0][1]}}};
	return add_ranks(strength[1] > strength[0] ? &turned : &material, out, max, 0);
}

/* ---- an index step by step ---- */

/* Writes a group, on the squares of its area that earlier groups leave free, after so many steps; `group`
   has the rest. Returns how many there are then. */
static size_t write_group(struct el_index_step *out, size_t steps, struct step_group group,
                          uint32_t set, uint32_t taken)
{
	const uint32_t removed = ~(uint32_t)group.area | taken;
	group.skips = true;
	group.set = set;
	group.numbers = squeeze(set, removed);
	group.squares = (uint8_t)(CHECKERS_SQUARES - checkers_count(removed));
	step_write(&group, steps ? out[steps - 1].after : 0, &out[steps]);
	return steps + 1;
}

static size_t checkers_index_steps(const struct el_slice *slice, uint64_t index,
                                   struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	const struct checkers_shape shape = checkers_shape(slice);
	const struct checkers_board board = checkers_unindex(&shape, index);
	size_t steps = 0;
	const uint32_t white = board.men[0];
	const struct checkers_class *c = checkers_class_of(&shape, white);
	const bool cut = shape.lead[1];
	struct step_group men = {
		.game = slice->game,
		.kind = CHECKERS_MAN,
		.turned = CHECKERS_SQUARES - 1,
		.base_is = cut ? "fewer white men below that rank, or as many and fewer on it"
	                       : "fewer white men in the bottom row",
	};
	for (unsigned i = 0; white && i < CHECKERS_AREAS; i++) {
		if (!shape.area[i])
			continue;
		/* As far as black men have come is a rank, as White counts them; without black men
		   there is but one area. */
		char where[24] = " above it";
		if (cut && i < 2)
			snprintf(where, sizeof where, " %s rank %u", i ? "on" : "below",
			         9 - shape.lead[1]);
		else if (i < 2)
			strcpy(where, " in the bottom row");
		men.where = cut || !shape.lead[0] ? where : NULL;
		men.area = shape.area[i];
		men.low = c->low[i];
		/* The base goes into the last step for men; one area has none. */
		men.base = i == CHECKERS_AREAS - 1 && !shape.men[1] ? c->base : 0;
		steps = write_group(out, steps, men, white & shape.area[i], 0);
	}
	if (shape.men[1]) {
		men.side = EL_BLACK;
		men.where = NULL;
		men.low = c->black_low;
		men.base = c->base;
		men.area = (uint32_t)~shape.closed;
		if (cut) { /* ranked in its own view */
			men.turned = 0;
			men.area = checkers_turn(~shape.closed);
			steps = write_group(out, steps, men, checkers_turn(board.men[1]),
			                    checkers_turn(white));
		} else {
			steps = write_group(out, steps, men, board.men[1], white);
		}
	}
	uint32_t taken = white | board.men[1];
	for (uint8_t side = 0; side < 2; side++) {
		const struct step_group kings = {.game = slice->game,
		                                 .side = side,
		                                 .kind = CHECKERS_KING,
		                                 .turned = CHECKERS_SQUARES - 1,
		                                 .area = UINT32_MAX};
		if (shape.kings[side])
			steps = write_group(out, steps, kings, board.kings[side], taken);
		taken |= board.kings[side];
	}
	return steps;
}

static unsigned checkers_symmetry(const struct el_position *position)
{
	struct el_place place;
	return checkers_place(position, &place) && place.plane != position->side ? EL_SWAPPED : 0;
}

/* ---- the game ---- */

/* Square 1 is b8, 4 is h8, 5 is a7, 32 is g1. */
uint8_t checkers_square_at(unsigned file, unsigned rank)
{
	if (file > 7 || rank > 7 || (file + rank) % 2)
		return EL_NO_SQUARE;
	return (uint8_t)((7 - rank) * 4 + file / 2);
}

void checkers_square_name(uint8_t square, char out[4])
{
	snprintf(out, 4, "%u", (unsigned)(uint8_t)(square + 1));
}

static void checkers_swap_colours(const struct el_position *position, struct el_position *out)
{
	struct el_position swapped = *position;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHECKERS_KINDS; kind++)
			swapped.set[side][kind] =
				checkers_turn((uint32_t)position->set[!side][kind]);
	swapped.side = !position->side;
	*out = swapped;
}

static const char *const glyphs[] = {"○", "●"};

static const struct el_metric *const metrics[] = {&el_wdl, &el_win, &el_dtw, &el_dtc, NULL};

static const struct el_rate rates[] = {
	{3, CHECKERS_PIECES_MAX, 40, 1, 84, 0.29, 0.29, 0.04},
	{CHECKERS_PIECES_MAX, CHECKERS_PIECES_MAX, 30, 1, 25, 0.36, 0.36, 0.05},
};

const struct el_game el_checkers = {
	.name = "checkers",
	.title = "English draughts",
	.kinds = "KM",
	.glyphs = glyphs,
	.kind_names = {"king", "man"},
	.promoting = 1 << CHECKERS_MAN,
	.rates = rates,
	.proof = 1,
	.sides = {"White", "Black"},
	.lost = "out of moves",
	.pieces_max = CHECKERS_PIECES_MAX,
	.group_min = 2,
	.group_max = CHECKERS_PIECES_MAX,
	.group_few = 4,
	.group_is = "pieces",
	.example = "checkers:KMMvKM",
	.metrics = metrics,
	.forced_captures = true,
	.files = 8,
	.ranks = 8,
	.labelled_squares = true,
	.first_side = EL_BLACK,
	.first = "B:W21-32:B1-12",
	.pdn_type = "21",

	.square_at = checkers_square_at,
	.square_name = checkers_square_name,
	.mirror = plain_mirror,
	.swap_colours = checkers_swap_colours,

	.looks_like = checkers_looks_like,
	.parse = checkers_parse,
	.format = checkers_format,
	.check = checkers_check,
	.legal = checkers_legal,

	.moves = checkers_moves,
	.captures = checkers_captures,
	.play = checkers_play,
	.stuck = plain_stuck,
	.in_check = plain_never,

	.write_move = checkers_write_move,
	.read_move = checkers_read_move,

	.index_version = 1,
	.slice_parse = checkers_slice_parse,
	.slice_of = checkers_slice_of,
	.successors = checkers_successors,
	.slices = checkers_slices,
	.slices_of = checkers_slices_of,
	.drawn = plain_never, /* a blocked side loses, however few pieces there are */
	.place = checkers_place,
	.unplace = checkers_unplace,
	.digits = checkers_digits,
	.take_apart = checkers_take_apart,
	.stand = checkers_stand,
	.stands_on = checkers_stands_on,
	.marks = checkers_marks,
	.look = checkers_look,
	.step = {-7, -9, -16},
	.index_steps = checkers_index_steps,
	.symmetry = checkers_symmetry,
	.orbit = plain_orbit,
	.dense = true,
	.leading_rank = checkers_leading_rank,

	.measure = checkers_measure,
	.divide = checkers_divide,
	.best = checkers_best,
};

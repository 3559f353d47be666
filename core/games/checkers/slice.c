/* SPDX-License-Identifier: MIT */
/* Slices of draughts: their material, their names, and their successors. */
#include "checkers.h"
#include "index.h"

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

enum el_status checkers_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	struct material material;
	uint8_t lead[2];
	const enum el_status status = read_name(text, &material, lead, error);
	return status ? status : slice_made(&material, lead, text, out, error);
}

enum el_status checkers_slice_of(const struct el_position *position, struct el_slice *out,
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

static void list_add(struct slice_list *list, const struct material *material,
                     const uint8_t lead[2])
{
	const struct el_slice slice = checkers_slice(&el_checkers, material->count, lead);
	slice_list_add(list, &slice);
}

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
				list_add(list, &less, (const uint8_t[2]){0});
		}
}

/* A move captures any number of pieces, crowns a man, or does both; in a slice that is cut, it may also
   take the foremost man to the next rank. */
size_t checkers_successors(const struct el_slice *slice, struct el_slice *out)
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
			list_add(&list, next.crowned ? &crowned : &material, lead);
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
size_t checkers_slices(unsigned pieces, struct el_slice *out, size_t max)
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

size_t checkers_slices_of(const char *text, struct el_slice *out, size_t max)
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

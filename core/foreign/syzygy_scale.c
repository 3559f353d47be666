/* SPDX-License-Identifier: MIT */
/*
 * How the values of a Syzygy table of depths become plies. Mostly they are places in a list, one
 * list for each outcome, so that frequent depths have short codes. Depths count from the next ply:
 * 0 is 1 ply. If no position of the table is won or lost on the very last ply of the 50-move rule,
 * moves are kept instead, which halves the number of values; plies computed from them may be one
 * too few. Cursed wins and blessed losses are always in moves, counted from the limit.
 */
#include "syzygy.h"

enum el_status scale_read(struct bytes *bytes, const uint8_t *head, uint8_t flags,
                          struct scale *out)
{
	*out = (struct scale){
		.mapped = flags & SCALE_MAPPED,
		.in_plies =
			{[EL_WIN] = flags & SCALE_WIN_PLIES, [EL_LOSS] = flags & SCALE_LOSS_PLIES},
	};
	if (!out->mapped)
		return EL_OK;
	const bool wide = flags & SCALE_WIDE;
	const size_t width = wide ? 2 : 1;
	if (wide && (bytes->at - head) & 1)
		bytes_take(bytes, 1);
	for (unsigned i = 0; i < SCALE_LISTS; i++) {
		const uint8_t *size = bytes_take(bytes, width);
		if (!size)
			return EL_DAMAGED;
		out->count[i] = wide ? foreign_u16(size) : *size;
		const uint8_t *list = bytes_take(bytes, width * out->count[i]);
		if (!list)
			return EL_DAMAGED;
		out->list[i] = malloc(sizeof *out->list[i] * (out->count[i] + 1u));
		if (!out->list[i])
			return EL_MEMORY;
		for (unsigned k = 0; k < out->count[i]; k++)
			out->list[i][k] = wide ? foreign_u16(list + 2 * k) : list[k];
	}
	return EL_OK;
}

void scale_free(struct scale *scale)
{
	for (unsigned i = 0; i < SCALE_LISTS; i++)
		free(scale->list[i]);
	*scale = (struct scale){0};
}

static const uint8_t list_of[EL_WIN + 1] = {
	[EL_WIN] = 0, [EL_LOSS] = 1, [EL_CURSED_WIN] = 2, [EL_BLESSED_LOSS] = 3};

bool scale_rounds(const struct scale *scale, unsigned outcome)
{
	return outcome != EL_DRAW && !scale->in_plies[outcome] &&
	       (!scale->mapped || scale->count[list_of[outcome]]);
}

bool scale_plies(const struct scale *scale, unsigned value, struct el_value *v)
{
	enum { LIMIT = 2 * EL_RULE_USUAL };
	const bool late = el_outcome_late(v->outcome);
	const bool in_plies = scale->in_plies[v->outcome];
	const unsigned list = list_of[v->outcome];
	if (scale->mapped && value >= scale->count[list])
		return false;
	const unsigned depth = scale->mapped ? scale->list[list][value] : value;
	const unsigned plies = (late ? LIMIT : 0) + (in_plies ? depth : 2 * depth) + 1;
	if (plies > (late ? EL_PLIES_MAX : LIMIT))
		return false;
	v->plies = (uint16_t)plies;
	v->rounded = !in_plies;
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fill stage: what a codec sees where no position is. */
#include "endlab/codec.h"

#include "names.h"

const char *const el_fill_names[] = {
	[EL_FILL_NONE] = "none",
	[EL_FILL_PREVIOUS] = "previous",
	NULL,
};

enum el_status el_fill_parse(const char *text, enum el_fill *out, struct el_error *error)
{
	char known[128] = "";
	for (unsigned i = 0; el_fill_names[i]; i++) {
		if (!strcmp(el_fill_names[i], text)) {
			*out = (enum el_fill)i;
			return EL_OK;
		}
		names_add(known, sizeof known, el_fill_names[i]);
	}
	return el_fail(error, EL_USAGE, "unknown fill '%s': expected one of %s", text, known);
}

/* Broken positions before the first whole one take its symbol; a plane of broken ones stays. */
static void fill_previous(uint16_t *symbols, uint64_t positions, uint16_t broken)
{
	uint64_t first = 0;
	while (first < positions && symbols[first] == broken)
		first++;
	if (first == positions)
		return;
	uint16_t last = symbols[first];
	for (uint64_t i = 0; i < positions; i++) {
		if (symbols[i] == broken)
			symbols[i] = last;
		last = symbols[i];
	}
}

void el_fill_apply(enum el_fill fill, uint16_t *symbols, uint64_t positions, uint16_t broken)
{
	static void (*const fills[])(uint16_t *, uint64_t, uint16_t) = {
		[EL_FILL_NONE] = NULL,
		[EL_FILL_PREVIOUS] = fill_previous,
	};
	if (fills[fill])
		fills[fill](symbols, positions, broken);
}

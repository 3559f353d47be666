/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bounds.h"

#include <strings.h>

/* Of a loss, a draw or a win. */
static char letter(enum el_outcome outcome)
{
	return outcome == EL_LOSS ? 'L' : outcome == EL_DRAW ? 'T' : 'W';
}

const char *bounds_letters(struct bounds_value b, char out[BOUNDS_NAME_MAX])
{
	char *at = out;
	if (b.undecided)
		*at++ = 'u';
	*at++ = letter(el_outcome_lower(b.outcome));
	*at++ = letter(el_outcome_upper(b.outcome));
	*at = '\0';
	return out;
}

bool bounds_read(const char *name, enum el_outcome *out)
{
	static const enum el_outcome outcomes[] = {EL_LOSS, EL_AT_MOST_DRAW,  EL_UNKNOWN,
	                                           EL_DRAW, EL_AT_LEAST_DRAW, EL_WIN};
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
		char known[BOUNDS_NAME_MAX];
		bounds_letters((struct bounds_value){(uint8_t)outcomes[i], false}, known);
		if (strcasecmp(name, known))
			continue;
		*out = outcomes[i];
		return true;
	}
	return false;
}

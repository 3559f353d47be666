/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roles.h"

static const struct {
	enum role role, ground;
} outcomes[] = {
	[EL_LOSS] = {ROLE_LOSS, ROLE_VALUE_LOSS},
	[EL_BLESSED_LOSS] = {ROLE_BLESSED, ROLE_VALUE_BLESSED},
	[EL_DRAW] = {ROLE_DRAW, ROLE_VALUE_DRAW},
	[EL_CURSED_WIN] = {ROLE_CURSED, ROLE_VALUE_CURSED},
	[EL_WIN] = {ROLE_WIN, ROLE_VALUE_WIN},
	[EL_UNKNOWN] = {ROLE_UNKNOWN, ROLE_VALUE_UNKNOWN},
	[EL_BROKEN] = {ROLE_BROKEN, ROLE_VALUE_BROKEN},
	[EL_AT_MOST_DRAW] = {ROLE_AT_MOST, ROLE_VALUE_AT_MOST},
	[EL_AT_LEAST_DRAW] = {ROLE_AT_LEAST, ROLE_VALUE_AT_LEAST},
	[EL_AT_LEAST_CURSED] = {ROLE_AT_LEAST, ROLE_VALUE_AT_LEAST},
	[EL_AT_MOST_BLESSED] = {ROLE_AT_MOST, ROLE_VALUE_AT_MOST},
};

enum role outcome_role(enum el_outcome outcome)
{
	return outcomes[outcome].role;
}

enum role outcome_ground(enum el_outcome outcome)
{
	return outcomes[outcome].ground;
}

enum role quiet_ink(enum role ground)
{
	return ground == ROLE_SQUARE_DARK ? ROLE_SQUARE_NUMBER : ground_ink(ground);
}

enum role ground_ink(enum role ground)
{
	const bool bright = ground == ROLE_VALUE_NOW || ground == ROLE_VALUE_DRAW ||
	                    ground == ROLE_VALUE_AT_LEAST ||
	                    (ground >= ROLE_VALUE_CURSED && ground < ROLE_VALUE_LOSS);
	return ground == ROLE_VALUE_BROKEN ? ROLE_DIM : bright ? ROLE_SQUARE_INK : ROLE_SQUARE_MARK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roles.h"

static const struct {
	enum role role, ground;
} outcomes[] = {
	[EL_LOSS] = {ROLE_LOSS, ROLE_MARK_LOSS},
	[EL_BLESSED_LOSS] = {ROLE_BLESSED, ROLE_MARK_BLESSED},
	[EL_DRAW] = {ROLE_DRAW, ROLE_MARK_DRAW},
	[EL_CURSED_WIN] = {ROLE_CURSED, ROLE_MARK_CURSED},
	[EL_WIN] = {ROLE_WIN, ROLE_MARK_WIN},
	[EL_UNKNOWN] = {ROLE_UNKNOWN, ROLE_MARK_UNKNOWN},
	[EL_BROKEN] = {ROLE_BROKEN, ROLE_GROUND},
	[EL_AT_MOST_DRAW] = {ROLE_AT_MOST, ROLE_MARK_AT_MOST},
	[EL_AT_LEAST_DRAW] = {ROLE_AT_LEAST, ROLE_MARK_AT_LEAST},
	[EL_AT_LEAST_CURSED] = {ROLE_AT_LEAST, ROLE_MARK_AT_LEAST},
	[EL_AT_MOST_BLESSED] = {ROLE_AT_MOST, ROLE_MARK_AT_MOST},
};

enum role outcome_role(enum el_outcome outcome)
{
	return outcomes[outcome].role;
}

enum role outcome_mark_role(enum el_outcome outcome)
{
	return outcomes[outcome].ground;
}

enum role quality_role(const struct quality *q)
{
	if (!el_outcome_exact(q->best.outcome) || !el_outcome_exact(q->got.outcome))
		return ROLE_UNKNOWN;
	return el_value_equal(q->best, q->got)     ? ROLE_WIN
	       : q->best.outcome == q->got.outcome ? ROLE_DRAW
	                                           : ROLE_LOSS;
}

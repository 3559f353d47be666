/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "checkers.h"

enum el_status checkers_sets_open(const struct el_problem *problem, struct el_sets **out,
                                  struct el_error *error)
{
	(void)problem;
	(void)out;
	return el_fail(error, EL_NEGATIVE, "tables of English draughts cannot be built yet");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How things are put into words, for the command line and the screen alike; nobody else does it.
 *
 *     numbers.h  counts, sizes, times        values.h   outcomes and depths
 *     moves.h    move numbers, sides, what a move kept
 *     games.h    an example of each game     nearest.h  "did you mean ...?"
 *     opinions.h what several tables say     summary.h  what a verification found
 *     form.h     how a table is written      words.h    what is typed
 *     json.h, lab/  for other programs
 */
#ifndef TUI_TEXT_TEXT_H
#define TUI_TEXT_TEXT_H

#include "form.h"
#include "games.h"
#include "moves.h"
#include "nearest.h"
#include "numbers.h"
#include "plan.h"
#include "summary.h"
#include "values.h"

#endif

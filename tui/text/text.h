/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that puts things into words, for the command line and the screen alike.
 *
 *     numbers.h   counts, sizes, times      values.h   outcomes and depths
 *     findings.h  what is in whole slices   moves.h    numbers of moves, what a move kept
 *     games.h     pieces, an example of each game
 *     opinions.h  what several tables say   rule.h     rules that count moves, and the clock
 *     tables.h    how a table is written    plan.h     what a build costs
 *     words.h     what is typed             files.h    what is written
 *     carried.h   what the program has within it
 *     json.h, lab/  for other programs
 */
#ifndef TUI_TEXT_TEXT_H
#define TUI_TEXT_TEXT_H

#include "games.h"
#include "moves.h"
#include "numbers.h"
#include "plan.h"
#include "tables.h"
#include "values.h"
#include "words.h"

#endif

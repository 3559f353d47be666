/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of values. */
#ifndef TUI_SCREEN_ROLES_H
#define TUI_SCREEN_ROLES_H

#include "canvas.h"
#include "tui/text/moves.h"
#include "tui/text/values.h"

enum role outcome_role(enum el_outcome);
/* The background of a square with that value: its first shade, as on a light square. */
enum role outcome_ground(enum el_outcome);
/* The foreground for text on such a background. */
enum role ground_ink(enum role ground);
/* The same for what matters less than pieces and values: numbers of squares, empty places. */
enum role quiet_ink(enum role ground);

#endif

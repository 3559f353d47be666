/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of the screen a view with a board gets. */
#ifndef TUI_SHELL_ROOM_H
#define TUI_SHELL_ROOM_H

#include "shell.h"
#include "tui/screen/widgets/layout.h"

/* In projector mode the board takes precedence over everything else. */
struct layout shell_layout(const struct model *, const struct el_game *, enum layout_kind);

#endif

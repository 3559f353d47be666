/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimal lines as games. */
#ifndef TUI_CLI_LINE_H
#define TUI_CLI_LINE_H

#include "command.h"

/* Writes the optimal line from a position, without a rule, as a game in PGN (or PDN). Errors of
   el_library_line. */
enum el_status line_write_pgn(struct cli *, const struct el_game *, const struct el_position *,
                              struct el_error *);

#endif

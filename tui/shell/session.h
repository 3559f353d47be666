/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is kept from one run to the next: the lines of play, the view on screen, how depths and boards
 * are shown, the rule in force. The file `session` (kept.h), one fact a line:
 *
 *     endlab session 1
 *     view Explore
 *     unit plies                 or moves
 *     board white                or black: whose side is below
 *     beside map                 or depths or line: what stands beside a large board
 *     rule 50                    or off; 50 where nothing is said
 *     line 2 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1      begins a line of play; 2: the position shown
 *     move d1d7                  its moves, in order
 *
 * The first line of play is the one on the board; others are those that were left.
 */
#ifndef ENDLAB_TUI_SESSION_H
#define ENDLAB_TUI_SESSION_H

#include "shell.h"

/* Takes up the session that is kept. Where a position was given, that stays on the board and the lines of
   the session are kept beside it. */
void session_resume(struct model *, const char *fen);
/* EL_IO names the file. Lines without moves are not kept, but for the one on the board. */
enum el_status session_save(const struct model *, struct el_error *);

#endif

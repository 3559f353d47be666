/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is kept from one run to the next: the lines of play, the view on screen, how depths and boards
 * are shown, the rule in force. A text file, one fact a line:
 *
 *     endlab session 1
 *     view Explore
 *     unit plies                 or moves
 *     board white                or black: whose side is below
 *     rule 50                    or off; 50 where nothing is said
 *     line 2 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1      begins a line of play; 2: the position shown
 *     move d1d7                  its moves, in order
 *
 * The first line of play is the one on the board; others are those that were left.
 */
#ifndef ENDLAB_TUI_SESSION_H
#define ENDLAB_TUI_SESSION_H

#include "shell.h"

/* Takes up the session of a file (null: none). Where a position was given, that stays on the board and
   the lines of the session are kept beside it. A file that cannot be understood is put aside, which is
   said; one that is not there is no session. False, which is said, when there is one that cannot be
   read: it is not to be written over. */
bool session_resume(struct model *, const char *path, const char *fen);
/* Writes it; EL_IO names the file. Lines without moves are not kept, but for the one on the board. */
enum el_status session_save(const struct model *, const char *path, struct el_error *);

#endif

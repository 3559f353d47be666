/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State kept between runs: the games, the view on screen, how depths and boards are shown, the rule
 * in force. The file `session` (kept.h), one fact per line:
 *
 *     endlab session 2
 *     view Explore
 *     unit plies                 or moves
 *     board white                or black: whose side is below
 *     beside map                 or depths or line: what stands beside a large board
 *     rule 50                    or off; 50 where nothing is said
 *     game 12 40 edited          begins a game; the node shown and the last one of its line, by their
 *                                places (walk_place); edited, saved or unreadable
 *     file 3 /home/ada/kp.pgn    that it is in, and its number there, where it was read or saved
 *      [Event "?"]               its text in PGN or PDN, behind a blank
 *      ...
 *
 * The first game is the one on the board; the others are kept games.
 */
#ifndef TUI_SHELL_SESSION_H
#define TUI_SHELL_SESSION_H

#include "shell.h"

/* Resumes the saved session. If `fen` is given, that position stays on the board, and the session's
   games are kept beside it. */
void session_resume(struct model *, const char *fen);
/* Saves the session; if another program has written the file meanwhile, its games are kept too.
   Games without moves are dropped, except the one on the board and those whose text could not be
   read. EL_IO names the file, unless it was said at the start that nobody can write there, and no
   changed game of a file is lost. */
enum el_status session_save(struct model *, struct el_error *);

#endif

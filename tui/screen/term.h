/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal: keys and mouse in, a canvas out. The only file that knows curses.
 *
 * Input, modes and capabilities come from ncursesw. Output is our own: only cells that changed are
 * written, the cursor is placed absolutely before every run of them and again after every glyph
 * beyond ASCII, so that a terminal that draws one wider than a cell cannot push the rest aside.
 */
#ifndef TUI_SCREEN_TERM_H
#define TUI_SCREEN_TERM_H

#include "event.h"
#include "theme.h"

#include "endlab/status.h"

struct terminal;

/* EL_USAGE, with the terminal untouched, when there is none or it cannot do this. */
enum el_status term_open(const struct theme *, struct terminal **, struct el_error *);
/* Gives the terminal back as it was. */
void term_close(struct terminal *);
void term_size(const struct terminal *, int *rows, int *cols);
/* The next thing that has happened; EVENT_NONE when nothing is waiting. Mouse events carry their
   place in rows and cols, the zone is the caller's to find. A paste is one event. */
struct event term_read(struct terminal *);
/* The descriptor to poll for input. */
int term_fd(const struct terminal *);
/* False once the terminal is gone. */
bool term_alive(const struct terminal *);
void term_show(struct terminal *, const struct canvas *);
/* The next term_show writes every cell. */
void term_forget(struct terminal *);
void term_set_theme(struct terminal *, const struct theme *);
bool term_has_colours(const struct terminal *);
/* Is its font likely to have all block elements? Consoles with few colours have the halves
   alone. */
bool term_has_quadrants(const struct terminal *);
/* Has the terminal put a text of at most COPY_MAX bytes into its clipboard (OSC 52), where it can;
   nothing tells whether it did. */
void term_copy(struct terminal *, const char *text);
/* Gives the terminal to the shell until the program is continued, */
void term_suspend(struct terminal *);
/* and takes it again. In between it can only be closed. */
void term_resume(struct terminal *);
/* What term_close does, as well as a signal handler can: for a program that is about to die. */
void term_rescue(void);

#endif

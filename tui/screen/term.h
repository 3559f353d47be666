/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal: keys and mouse in, a canvas out. The only file that knows curses.
 *
 * Input, modes and capabilities come from ncursesw. Output is our own: it writes only changed cells
 * and places the cursor absolutely before each run and after each non-ASCII glyph, so that a glyph
 * drawn too wide cannot shift the rest.
 */
#ifndef TUI_SCREEN_TERM_H
#define TUI_SCREEN_TERM_H

#include "event.h"
#include "theme.h"

#include "endlab/status.h"

struct terminal;

/* EL_USAGE, with the terminal untouched, if there is none or it lacks a capability. */
enum el_status term_open(const struct theme *, struct terminal **, struct el_error *);
/* Restores the terminal. */
void term_close(struct terminal *);
void term_size(const struct terminal *, int *rows, int *cols);
/* The next event; EVENT_NONE if none is waiting. Mouse events carry their place in rows and cols;
   the caller finds the zone. A paste is one event. */
struct event term_read(struct terminal *);
/* The descriptor to poll for input. */
int term_fd(const struct terminal *);
/* Is there more of a paste to come? Then call term_read again, whether or not there is input. */
bool term_pasting(const struct terminal *);
/* False once the terminal is gone. */
bool term_alive(const struct terminal *);
void term_show(struct terminal *, const struct canvas *);
/* The next term_show writes every cell. */
void term_forget(struct terminal *);
void term_set_theme(struct terminal *, const struct theme *);
/* Are clicks and the wheel events? Otherwise they are left to the terminal, which selects text with them.
   At first they are. */
void term_set_mouse(struct terminal *, bool on);
/* Is its background light? Asks the terminal (OSC 11), before anything is read from it, and waits a
   moment for the answer; without one, COLORFGBG tells. */
bool term_is_light(struct terminal *);
bool term_has_colours(const struct terminal *);
/* Is it the console of Linux, whose fonts have no chess pieces and few blocks? */
bool term_is_console(void);
/* The blocks that its font is likely to have: halves on consoles and with few colours; sextants where
   the terminal is known to draw them by itself, whatever the font. */
enum blocks term_blocks(const struct terminal *);
/* Asks the terminal to put at most COPY_MAX bytes of text into its clipboard (OSC 52). It does not
   report whether it did. */
void term_copy(struct terminal *, const char *text);
/* Gives the terminal to the shell until the program continues. */
void term_suspend(struct terminal *);
/* Takes it back. In between, only term_close may be called. */
void term_resume(struct terminal *);
/* Does what term_close does, as far as a signal handler can: for a program about to die. */
void term_rescue(void);

#endif

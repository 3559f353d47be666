/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals in the explorer: a handler only leaves word of them, and the event loop hears it.
 *
 *     signals_catch -> poll(signals_fd) -> signals_suspending, signals_ending ... -> signals_raise
 *
 * SIGHUP, SIGINT, SIGQUIT and SIGTERM end the program; SIGTSTP suspends it. SIGWINCH, which is curses'
 * own, is only noticed besides. Those that the program
 * was started to ignore stay ignored.
 */
#ifndef ENDLAB_TUI_SIGNALS_H
#define ENDLAB_TUI_SIGNALS_H

#include "endlab/status.h"

#include <stdbool.h>

/*
 * Before curses starts, which leaves signals alone that somebody handles. `rescue` gives the
 * terminal back from within a handler: a second signal, half a second or more after the first, does
 * not wait for a clean end. (What stops programs often does it twice: a shell and the kernel when a
 * terminal is closed, `timeout` always.)
 */
enum el_status signals_catch(void (*rescue)(void), struct el_error *);
/* Once curses has started: its resizes, which it reports as keys, make signals_fd readable too. */
void signals_hear_resize(void);
/* Readable when a signal has come. */
int signals_fd(void);
/* Once for each SIGTSTP. */
bool signals_suspending(void);
/* The signal that is to end the program; 0 when none has come. */
int signals_ending(void);
/* Ends the program as that signal would have, when everything is cleaned up. Returns when none has
   come. */
void signals_raise(void);

#endif

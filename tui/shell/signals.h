/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals in the explorer: a handler only leaves word of them, and the event loop hears it.
 *
 *     signals_catch -> poll(signals_fd) -> signals_suspending, signals_continued, interrupt_signal
 *
 * Those of interrupt.h end the program; SIGTSTP suspends it. SIGWINCH, which is curses' own, is
 * only noticed besides.
 */
#ifndef TUI_SHELL_SIGNALS_H
#define TUI_SHELL_SIGNALS_H

#include "endlab/status.h"

#include <stdbool.h>

/* Before curses starts, which leaves signals alone that somebody handles. `rescue` gives the
   terminal back from within a handler, where the program ends at once. */
enum el_status signals_catch(void (*rescue)(void), struct el_error *);
/* Once curses has started: its resizes, which it reports as keys, make signals_fd readable too. */
void signals_hear_resize(void);
/* Readable when a signal has come. */
int signals_fd(void);
/* Once for each SIGTSTP. */
bool signals_suspending(void);
/* Once for each SIGCONT: others may have used the terminal meanwhile. */
bool signals_continued(void);

#endif

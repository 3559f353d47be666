/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals in the explorer: a handler only records them, and the event loop reacts.
 *
 *     signals_catch -> poll(signals_fd) -> signals_suspending, signals_continued, interrupt_signal
 *
 * Those of interrupt.h end the program; SIGTSTP suspends it. SIGWINCH belongs to curses; its
 * arrival is only noted.
 */
#ifndef TUI_SHELL_SIGNALS_H
#define TUI_SHELL_SIGNALS_H

#include "endlab/status.h"

#include <stdbool.h>

/* Call it before curses starts, which leaves handled signals alone. `rescue` restores the terminal
   from within a handler if the program ends at once. */
enum el_status signals_catch(void (*rescue)(void), struct el_error *);
/* Call it once curses has started: resizes, which curses reports as keys, then make signals_fd
   readable too. */
void signals_hear_resize(void);
/* Readable after a signal. */
int signals_fd(void);
/* True once for each SIGTSTP. */
bool signals_suspending(void);
/* True once for each SIGCONT: others may have used the terminal meanwhile. */
bool signals_continued(void);

#endif

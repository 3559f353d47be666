/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Termination signals: SIGHUP, SIGINT (^C), SIGQUIT and SIGTERM. The first is a request, which
 * reaches commands through a watch and the explorer through signals.h. Another one half a second
 * later or more ends the program at once. (Programs are often signalled twice: by the shell and the
 * kernel when a terminal closes, by `timeout` always.)
 *
 *     interrupt_catch -> interrupt_hear, in a handler -> interrupt_signal ... -> interrupt_raise
 */
#ifndef TUI_SCREEN_INTERRUPT_H
#define TUI_SCREEN_INTERRUPT_H

#include "endlab/status.h"

#include <signal.h>
#include <stdbool.h>

/* From now on these signals call `handler` and make waiting reads return. Signals that the program
   was started to ignore stay ignored. */
void interrupt_catch(void (*handler)(int));
/* Records the signal. A handler calls it, or is this function. */
void interrupt_hear(int number);
/* Registers a function, at most 4, to be called in a handler before the program ends at once: it
   must be async-signal-safe. */
void interrupt_at_end(void (*clean)(void));
/* The signals, for other handlers to block. */
sigset_t interrupt_signals(void);

/* The signal that came; 0: none. */
int interrupt_signal(void);
/* Forgets ^C before the shell's next command. False if it was another signal: the program must
   end. */
bool interrupt_clear(void);
/* Ends the program as the received signal would have; returns if there was none. */
void interrupt_raise(void);

/* Its tick returns 0 once a signal has come. */
extern const struct el_watch interrupt_watch;

#endif

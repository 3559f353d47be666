/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wish to end, as signals bring it: SIGHUP, SIGINT (^C), SIGQUIT and SIGTERM. The first is a
 * request, which commands hear through a watch and the explorer through signals.h. One that comes
 * half a second later or more ends the program at once. (What stops programs often says it twice: a
 * shell and the kernel when a terminal is closed, `timeout` always.)
 *
 *     interrupt_catch -> interrupt_hear, in a handler -> interrupt_signal ... -> interrupt_raise
 */
#ifndef TUI_SCREEN_INTERRUPT_H
#define TUI_SCREEN_INTERRUPT_H

#include "endlab/status.h"

#include <signal.h>
#include <stdbool.h>

/* From now on these signals call `handler`, and waiting reads return. Those that the program was
   started to ignore stay ignored. */
void interrupt_catch(void (*handler)(int));
/* Notes the signal. A handler calls it, or is just this. */
void interrupt_hear(int number);
/* To be called, within a handler, before the program ends at once: async-signal-safe; at most 4. */
void interrupt_at_end(void (*clean)(void));
/* The signals, for other handlers to block. */
sigset_t interrupt_signals(void);

/* The signal that came; 0: none. */
int interrupt_signal(void);
/* Forgets ^C, before the shell's next command. False when it was no ^C: the program is to end. */
bool interrupt_clear(void);
/* Ends the program as the signal that came would have; returns when none came. */
void interrupt_raise(void);

/* Its tick answers 0 once a signal came. */
extern const struct el_watch interrupt_watch;

#endif

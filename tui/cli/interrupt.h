/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ^C asks the work at hand to stop; a second one ends the program at once. */
#ifndef ENDLAB_CLI_INTERRUPT_H
#define ENDLAB_CLI_INTERRUPT_H

#include "endlab/status.h"

#include <stdbool.h>

/* From now on ^C, SIGTERM and SIGHUP are requests to stop; waiting reads return. */
void interrupt_catch(void);
/* Forgets ^C, before the shell's next command. False when it was no ^C: the program is to end. */
bool interrupt_clear(void);
/* Its tick answers 0 once a request came. */
extern const struct el_watch interrupt_watch;

#endif

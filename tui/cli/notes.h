/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `endlab --notes`: what whoever presents a lesson should know of the step on screen, in a terminal of
   his own. */
#ifndef TUI_CLI_NOTES_H
#define TUI_CLI_NOTES_H

#include "command.h"

/* Follows the latest explorer of this user that plays a lesson, until q or a signal, which the
   watch tells of. Returns the exit status. */
int notes_run(struct cli *);

#endif

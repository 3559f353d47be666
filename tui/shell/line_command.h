/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of the command line, typed at the `:` prompt: they run on the worker. */
#ifndef ENDLAB_TUI_LINE_COMMAND_H
#define ENDLAB_TUI_LINE_COMMAND_H

#include "../model/model.h"
#include "../cli/command.h"

enum { LINE_MAX_BYTES = 4096 };

/* Runs a line that begins with the command's name; what it prints is shown as a text. Of a `build`
   that a lesson runs only a failure is said: nothing covers what the lesson shows. */
void line_command(struct model *, const struct command *, const char *text);

#endif

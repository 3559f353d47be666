/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of the command line, typed at the `:` prompt: they run on the worker. */
#ifndef TUI_SHELL_LINE_COMMAND_H
#define TUI_SHELL_LINE_COMMAND_H

#include "shell.h"
#include "tui/cli/command.h"

/* Runs a line that begins with the command's name; what it prints is shown as a text. Of a quiet
   one only a failure is said. */
void line_command(struct model *, const struct command *, const char *text, bool is_quiet);

#endif

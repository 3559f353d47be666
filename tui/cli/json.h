/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands' JSON has in common: one object a line. */
#ifndef TUI_CLI_JSON_H
#define TUI_CLI_JSON_H

#include "command.h"
#include "tui/text/json.h"

/* Writes the object as one line of cli->out and frees it. Returns an exit status: without memory
   nothing is written, and that is said. */
int json_write(struct cli *, cJSON *);

#endif

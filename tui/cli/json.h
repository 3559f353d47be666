/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common form of the commands' JSON: one object a line. */
#ifndef TUI_CLI_JSON_H
#define TUI_CLI_JSON_H

#include "command.h"
#include "tui/text/json.h"

/* Writes the object as one line of cli->out and frees it. Returns an exit status: without memory it
   writes nothing and says so. */
int json_write(struct cli *, cJSON *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one way out of what commands print: whatever a terminal would obey is written as an escape,
 * as in endlab/text.h, wherever it came from. A character in JSON is escaped as JSON has it.
 */
#ifndef TUI_TEXT_CLEAN_H
#define TUI_TEXT_CLEAN_H

#include <stdbool.h>
#include <stdio.h>

/* A stream that writes to `to`, by lines where that is a terminal. Newlines and tabs pass, other
   control characters are escaped. Behind an error nothing more is written, and fclose fails with
   its errno, unless clearerr was called. fclose leaves `to` open. Null without memory. */
FILE *clean_stream(FILE *to);

/* Prints a text that is to stay within its line: newlines and tabs are escaped as well. */
void clean_print(FILE *, const char *text);

/* Does it print as it is? */
bool is_clean(const char *text);

#endif

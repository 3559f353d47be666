/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The only path for what commands print: whatever a terminal would obey becomes an escape, as in
 * core/base/text.h, wherever it came from. JSON uses its own escapes.
 */
#ifndef TUI_TEXT_CLEAN_H
#define TUI_TEXT_CLEAN_H

#include <stdbool.h>
#include <stdio.h>

/* A stream that writes to `to`, line by line if that is a terminal. Newlines and tabs pass; other
   control characters are escaped. After an error it writes nothing more, and fclose fails with its
   errno unless clearerr was called. fclose leaves `to` open. Null without memory. */
FILE *clean_stream(FILE *to);

/* Prints a text that must stay on its line: newlines and tabs are escaped as well. */
void clean_print(FILE *, const char *text);

/* Does the text print unchanged? */
bool is_clean(const char *text);

#endif

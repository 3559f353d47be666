/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help, the manual page and completion scripts, all made from the commands' own structs. */
#ifndef ENDLAB_CLI_HELP_H
#define ENDLAB_CLI_HELP_H

#include "command.h"

enum { PARAGRAPH_MAX = 1024 };

/* Takes the next paragraph of a command's help off `*text`; false at the end. Paragraphs end with
   a newline; one that starts with a blank is an example and is never wrapped. */
bool help_paragraph(const char **text, char out[PARAGRAPH_MAX]);

/* What an option does, and the values that it may have where they have names. Returns `out`. */
const char *help_option(const struct option_help *, char out[PARAGRAPH_MAX]);
/* Names of the shells that there are completion scripts for; ends with null. */
extern const char *const help_shells[];

void help_program(FILE *);
void help_command(FILE *, const struct command *);
/* The manual page as roff. */
void help_manual(FILE *);
/* For "bash", "zsh" or "fish"; EL_USAGE for any other shell. */
enum el_status help_completion(FILE *, const char *shell, struct el_error *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help, the manual page and completion scripts, all made from the commands' own structs. */
#ifndef TUI_CLI_HELP_H
#define TUI_CLI_HELP_H

#include "command.h"

enum { PARAGRAPH_MAX = 1024 };

/*
 * Calls `write` for each paragraph of a command's help. Paragraphs end with a newline; one that
 * starts with a blank is an example and is never wrapped. An example with @SLICE, @GROUP or @FEN in
 * it is written once for each game, with a slice, a group of slices or a position of that game.
 */
void help_paragraphs(FILE *, const char *text, void (*write)(FILE *, const char *paragraph));

/* How slices of the game are written: "KQvK (K king, Q queen, ...)", or "KQvK, 3, 3-4, all" with
   the groups. Returns `out`, as all of these do. */
const char *help_slices(const struct el_game *, bool groups, char out[PARAGRAPH_MAX]);
/* A metric's title, with the game that has it where not all have, and the names of other rules. */
const char *help_metric(const struct el_metric *, char out[PARAGRAPH_MAX]);
/* A position of the game as a word of a command line, quoted where it has blanks. */
const char *help_position(const struct el_game *, char out[EL_FEN_MAX + 2]);

/* What an option does, and the values that it may have where they have names. Returns `out`. */
const char *help_option(const struct option_help *, char out[PARAGRAPH_MAX]);

/* "index, best, smallest". */
const char *help_values(const struct option_values *, char out[PARAGRAPH_MAX]);

/* "effort (0 to 9)". */
const char *help_codec_option(const struct el_codec_option *, char out[PARAGRAPH_MAX]);

void help_program(FILE *);
void help_command(FILE *, const struct command *);
/* A manual page as roff: endlab(1), by no name (""), too, or one of tui/man. EL_USAGE lists
   them. */
enum el_status help_manual(FILE *, const char *page, struct el_error *);
/* The completion script of "bash", "zsh" or "fish"; EL_USAGE for any other shell. */
enum el_status help_completion(FILE *, const char *shell, struct el_error *);
/* Answers such a script: what may stand for the last of the words behind the program's name. */
enum el_status help_complete(FILE *, const char *shell, char **words, int count, struct el_error *);

#endif

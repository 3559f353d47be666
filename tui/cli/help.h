/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help, the manual page and completion scripts, all generated from the commands' structs. */
#ifndef TUI_CLI_HELP_H
#define TUI_CLI_HELP_H

#include "command.h"

enum { PARAGRAPH_MAX = 1024 };

/*
 * Calls `write` for each paragraph of a command's help. A paragraph ends with a newline; one that
 * starts with a blank is an example and is never wrapped. An example containing @SLICE, @GROUP or
 * @FEN is written once for each game, with a slice, a group of slices or a position of that game.
 */
void help_paragraphs(FILE *, const char *text, void (*write)(FILE *, const char *paragraph));

/* How slices of the game are written: "KQvK (K king, Q queen, ...)", or "KQvK, 3, 3-4, all" with
   the groups. Returns `out`, as do all of these. */
const char *help_slices(const struct el_game *, bool groups, char out[PARAGRAPH_MAX]);
/* A metric's title, with its game if not all have it, and its names under other rules. */
const char *help_metric(const struct el_metric *, char out[PARAGRAPH_MAX]);
/* A position of the game as one word of a command line, quoted if it has blanks. */
const char *help_position(const struct el_game *, char out[EL_FEN_MAX + 2]);

/* What an option does, and its values if they have names. Returns `out`. */
const char *help_option(const struct option_help *, char out[PARAGRAPH_MAX]);

/* "index, best, smallest". */
const char *help_values(const struct option_values *, char out[PARAGRAPH_MAX]);

/* "effort (0 to 9)". */
const char *help_codec_option(const struct el_codec_option *, char out[PARAGRAPH_MAX]);

void help_program(FILE *);
void help_command(FILE *, const struct command *);
/* A manual page as roff: endlab(1), also for the name "", or one of tui/man. EL_USAGE lists
   them. */
enum el_status help_manual(FILE *, const char *page, struct el_error *);
/* The completion script of "bash", "zsh" or "fish", unless the stream is null; EL_USAGE for any other
   shell. */
enum el_status help_completion(FILE *, const char *shell, struct el_error *);
/* Answers such a script with the completions of the last word after the program's name. */
enum el_status help_complete(FILE *, const char *shell, char **words, int count, struct el_error *);

#endif

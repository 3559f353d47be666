/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing a command's words by its table of options. */
#ifndef TUI_CLI_ARGUMENTS_H
#define TUI_CLI_ARGUMENTS_H

#include "command.h"

/*
 * Parses one option at argv[*i]: `--name`, `--name value` or `--name=value`. Returns its place in
 * the table and leaves *i at its last word; -1 if the word is no option of the table; -2, with the
 * reason, if its value is missing or not allowed. The value of a switch is "".
 */
int option_take(const struct option_help *table, int argc, char **argv, int *i, const char **value,
                struct el_error *);

/*
 * Options may stand anywhere among the words; after "--" all are words. Moves the words to the
 * front of argv. EL_USAGE names the option or says how many words are expected.
 */
enum el_status arguments_parse(const struct command *, int argc, char **argv, struct arguments *out,
                               struct el_error *);

/* The value given to an option of the command's table; null if not given. */
const char *option_value(const struct arguments *, const char *name);
/* Was it given? */
bool option_given(const struct arguments *, const char *name);

/* Does it look like a position of some game, valid or not? */
bool is_position(const char *text);
/*
 * An unquoted position takes several words on a command line: the fields of a FEN. Returns how many
 * of these words make up the first position, at least 1.
 */
int position_words(char **words, int count);
/* The words joined by blanks; malloc'ed, null without memory. */
char *words_join(char **words, int count);

/* Parsers of the values of options. Without the option *out stays as it is. On failure EL_USAGE, with
   the reason. */
enum el_status number_option(const struct arguments *, const char *option, uint64_t least,
                             uint64_t most, uint64_t *out, struct el_error *);
/* "64M", "1G", "4096K" or bytes. */
enum el_status size_option(const struct arguments *, const char *option, size_t *bytes,
                           struct el_error *);
/* "90s", "10m", "2h" or seconds. */
enum el_status time_option(const struct arguments *, const char *option, double *seconds,
                           struct el_error *);
/* --threads */
enum el_status threads_option(const struct arguments *, int *out, struct el_error *);
enum el_status metric_option(const struct arguments *, const char *option,
                             const struct el_metric **out, struct el_error *);
/* The value of --rule in moves, 0 for off; without the option, the rule of `metric` (may be null)
   or the usual one. EL_USAGE if the metric belongs to another rule. */
enum el_status rule_option(const struct arguments *, const struct el_metric *metric,
                           unsigned *moves, struct el_error *);
enum { METRICS_MAX = 16 };
/* --metric: "dtm,wdl" as a null-terminated list; each metric once. */
enum el_status metrics_option(const struct arguments *,
                              const struct el_metric *out[METRICS_MAX + 1], struct el_error *);
/* EL_USAGE if the game lacks this metric (null: none), or one of these, a null-terminated list. */
enum el_status metric_suits(const struct el_metric *, const struct el_game *, struct el_error *);
enum el_status metrics_suit(const struct el_metric *const *, const struct el_game *,
                            struct el_error *);

#endif

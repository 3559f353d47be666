/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command of the command line: one file in this folder and one line in commands.c. The same
 * commands serve the shell (`endlab shell`) and the explorer's `:` prompt, so a command writes to
 * the streams it is given, takes its library from its context, and never touches the terminal.
 *
 *     words_split(line) -> command_run -> arguments_parse -> command.run
 */
#ifndef TUI_CLI_COMMAND_H
#define TUI_CLI_COMMAND_H

#include "core/library/library.h"

#include <stdbool.h>
#include <stdio.h>

struct arguments;
struct cJSON;
struct lines;

struct cli {
	struct el_library *library;   /* open; shared with the explorer if run from there */
	struct lines *in;             /* lines.h; null: nothing to read */
	FILE *out, *err;              /* of clean.h */
	FILE *bar;                    /* the terminal for a progress bar; null: none */
	const struct el_watch *watch; /* stops the work (^C, a key); may be null */
	struct ranks *ranks; /* that help it (core/os/ranks.h); null: this program is alone */
	/* Enters the sandbox (rights.h) and opens the library; command_run_words calls it. Null: the
	   library is open, because a shell or the explorer runs the command. */
	enum el_status (*begin)(struct cli *, const struct arguments *, struct el_error *);
	const void *beginner; /* for `begin` */
};

/* ---- options ---- */

typedef void offer_word(void *context, const char *word);

/* The values of a kind of option: words, file names, or both. */
struct option_values {
	const char *const *words;                   /* end with null; or else */
	void (*offer)(offer_word *, void *context); /* without both: file names */
	bool files;                                 /* file names as well */
	bool folders;                               /* the file names are folders */
	bool many;                                  /* too many words for help to list */
	/* The meaning of a word, for help; null if the words speak for themselves. */
	const char *(*title)(const char *word);
	const char *form; /* another form it may have, for help; null: none */
};

extern const struct option_values slice_values, metric_values, rule_values, codec_values,
	block_values, fill_values, order_values, derive_values, piece_values, study_metric_values,
	workload_values, front_values, export_values, theme_values, lesson_values, shell_values,
	page_values, file_values, folder_values;

/* An option as the parser, help, completion and the manual page know it. */
struct option_help {
	const char *name; /* "--metric" */
	/* "LIST"; "[PAGE]" if optional, "" when left out; null for a switch */
	const char *value;
	/* "metrics to build, comma-separated": help adds the available names */
	const char *summary;
	const struct option_values *values; /* null: no completions, for example for a number */
	bool is_list;                       /* several values, separated by commas */
	const char *touches; /* as struct command has it; file names need not say so */
};

/* Calls `offer` for each word that may be the value, or an entry of a list. A word is valid during the
   call. Null: no words. */
void option_values_offer(const struct option_values *, offer_word *offer, void *context);

enum { OPTIONS_MAX = 24 }; /* options of one command */

struct command;

/* The parsed words of a command. */
struct arguments {
	const struct command *command;
	const char *values[OPTIONS_MAX]; /* by place in command->options; null: not given */
	char **words;                    /* the other words, in order */
	int count;
};

/* What a command may do in its sandbox, besides reading and writing the files and folders that its
   options name (file_values, folder_values); combined with |. */
enum command_rights {
	WRITES_TABLES = 1,    /* in the library's directory */
	WRITES_BESIDE = 2,    /* beside every table and file that it reads */
	WRITES_TEMPORARY = 4, /* in $TMPDIR */
	WRITES_HERE = 8,      /* in the current folder, if no option names another place */
	UNCONFINED = 16,      /* everything: it runs other commands */
	/* It answers anybody, so it may read tables alone and write nothing. What it listens on and
	   logs to it opens before it calls cli.begin itself. */
	SERVES = 32,
	ASKS = 64, /* a server, with --online */
};

struct command {
	const char *name;                  /* "build" */
	const char *arguments;             /* "SLICE..." */
	const char *summary;               /* one line */
	const char *help;                  /* paragraphs for --help and the manual page */
	const char *complete;              /* argument kind: "slice", "fen", "file" or null */
	const struct option_help *options; /* ends with a null name; may be null */
	int least, most;                   /* how many arguments it takes; most < 0: any number */
	/* takes seconds at most: it must not wait for other commands */
	bool is_quick;
	/* exit status 1 tells what it found, and is no failure */
	bool judges;
	/* what of the user's it reads or changes besides answering from tables and adding new ones,
	   to follow "it touches"; then no lesson may run it; null: nothing */
	const char *touches;
	unsigned rights; /* enum command_rights */
	/* Returns the exit status, as command_exit does. */
	int (*run)(struct cli *, const struct arguments *);
};

/* All commands, null-terminated, in the order of help. */
extern const struct command *const commands[];
/* The program's own options, allowed before or after a command; ends with a null name. */
extern const struct option_help global_options[];
/* The program as if it were a command, with its options and no name. */
extern const struct command command_program;

const struct command *command_find(const char *name);

/* Runs a command: handles --help, wrong options and unknown commands itself. argv[0] is the
   command's name; the order of argv's members may change. */
int command_run(struct cli *, int argc, char **argv);
/* The same for a known command, without --help. */
int command_run_words(struct cli *, const struct command *, int argc, char **argv);
/* Calls `offer` for every candidate for the word at `start` of a line of this command: options,
   values (in a list after those already typed), slices. They need not begin with the typed
   prefix. */
void command_offer_words(const struct command *, const char *line, size_t start, offer_word *offer,
                         void *context);
/* Will command_run only print help? Then it needs no library. */
bool command_asks_help(int argc, char **argv);

/* For el_question.asking: questions of a command may ask a server until the work is stopped. */
const struct el_watch *command_asking(const struct cli *);

/* Prints `endlab: what: why` (`what` may be null) and returns the exit status. */
int command_fail(struct cli *, const char *what, const struct el_error *);
/* The same in one go. EL_OK: a note about an answer that there is nevertheless. */
int command_say(struct cli *, const char *what, enum el_status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Reports each table that was asked in vain, once. */
void command_tell_faults(struct cli *, const char *what, struct el_faults *);
/* Writes the object as one line of cli->out and frees it. Returns an exit status: without memory it
   writes nothing and says so. */
int json_write(struct cli *, struct cJSON *);
/* Why there is no table of the slice under a metric (null: under any): the status of a file that
   could not be opened, or EL_NEGATIVE with how to get a table. */
enum el_status command_missing(struct cli *, const struct el_slice *, const struct el_metric *,
                               struct el_error *);
/* The exit status of a library status: 0 to 4, or 128 and the signal that stopped the work. */
int command_exit(enum el_status);
/* The more severe of two exit statuses: stopped before damage and I/O, these before a negative
   answer. */
int command_worse(int a, int b);
/* Is it the exit status of a stopped command? */
bool command_stopped(int exit_status);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that may begin a line at the `:` prompt, in one table: verbs, names of views, commands
 * of the command line, and actions, which bindings also put on keys. Dispatch, completion, help and
 * the suggestion for an unknown word all read it.
 */
#ifndef TUI_SHELL_TYPED_H
#define TUI_SHELL_TYPED_H

#include "keys.h"
#include "tui/text/words.h"

struct command;

/* A row of a view's own table of words. */
struct verb {
	const char *word;
	const char *arguments;                         /* "N", "none|all|SLICE..."; "": none */
	const char *help;                              /* one sentence, without a full stop */
	void (*run)(struct model *, const char *rest); /* `rest` has no leading blank */
	void (*apply)(struct model *, int argument, const char *rest); /* instead of `run` */
	int argument;                                                  /* of `apply` */
	/* Completions of the last word of `rest`; null: none. */
	void (*complete)(const struct model *, const char *rest, struct words *);
	const char *touches; /* as struct binding has it */
};

/* The verb that a line begins with, ignoring case; *rest is the text after it. Null if the table,
   which may be null, has no such verb. */
const struct verb *verb_of_line(const struct verb *table, const char *line, const char **rest);

void verb_run(const struct verb *, struct model *, const char *rest);

/* Verbs of every view; ends with a null word. */
extern const struct verb global_verbs[];

enum typed_kind { TYPED_VERB, TYPED_VIEW, TYPED_COMMAND, TYPED_ACTION };

struct typed {
	enum typed_kind kind;
	char word[32];
	const char *arguments; /* arguments, as help shows them; null: none */
	const char *help;
	const struct view *view; /* that it belongs to or names; null: all views */
	bool is_here;            /* works without leaving the view on screen */
	/* by kind */
	const struct verb *verb;
	const struct command *command;
	const struct binding *binding;
};

enum { TYPED_MAX = 512 };

struct typed_words {
	struct typed list[TYPED_MAX];
	size_t count;
};

/* Collects all words, those of the view on screen first. */
void typed_words(const struct model *, struct typed_words *out);

/* The row of the word that begins a trimmed line; null if none. `rest` is the text after the word.
   If several rows match, line.h gives the precedence. */
const struct typed *typed_find(const struct model *, const struct typed_words *, const char *line,
                               const char **rest);

/* Completions of the last word of a line: a null-terminated malloc'ed array of malloc'ed strings;
   null if there are none. */
char **typed_complete(const struct model *, const char *line, size_t word_start);

/* Offers the names of all slices that lists show. */
void words_offer_slices(struct words *, const struct model *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that a line at the `:` prompt may begin with, as one table: verbs, names of views,
 * commands of the command line and actions, which bindings put on keys as well. Dispatch,
 * completion, help and the word that is suggested for an unknown one all read it.
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
	void (*run)(struct model *, const char *rest); /* `rest` begins with no blank */
	/* Completions of the last word of `rest`; null: none. */
	void (*complete)(const struct model *, const char *rest, struct words *);
};

/* The verb that a line begins with, whatever the case; *rest is what follows it. Null when it is
   none of the table, which may be null. */
const struct verb *verb_of_line(const struct verb *table, const char *line, const char **rest);

/* Verbs that work in every view; ends with a null word. */
extern const struct verb global_verbs[];

enum typed_kind { TYPED_VERB, TYPED_VIEW, TYPED_COMMAND, TYPED_ACTION };

struct typed {
	enum typed_kind kind;
	char word[32];
	const char *arguments; /* what may follow, as help shows it; null: the word stands alone */
	const char *help;
	const struct view *view; /* that it belongs to, or names; null: of all views */
	bool is_here;            /* in force without leaving the view on screen */
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

/* All words, those of the view on screen first. */
void typed_words(const struct model *, struct typed_words *out);

/* The row that a line is for, a trimmed one; null for none. `rest` is what follows the word.
   Where several rows take it, line.h says which goes first. */
const struct typed *typed_find(const struct model *, const struct typed_words *, const char *line,
                               const char **rest);

/* Completions of the word that ends a line: a malloc'ed array of malloc'ed strings that ends with
   null; null when there is none. */
char **typed_complete(const struct model *, const char *line, size_t word_start);

/* Offers the names of all slices of lists. */
void words_offer_slices(struct words *, const struct model *);

#endif

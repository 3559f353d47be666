/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typed verbs: words that a line at the `:` prompt begins with. Dispatch, help and completion all
   read their tables. */
#ifndef TUI_SHELL_VERBS_H
#define TUI_SHELL_VERBS_H

#include "tui/text/words.h"

struct model;
struct view;

/* Offers the names of all slices of lists. */
void words_offer_slices(struct words *, const struct model *);

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

/* What works in every view; ends with a null word. */
extern const struct verb global_verbs[];

#endif

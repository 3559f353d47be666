/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binding tables: what a key does. Dispatch, hint bar, help and completion all read them. */
#ifndef TUI_SHELL_KEYS_H
#define TUI_SHELL_KEYS_H

#include "tui/screen/event.h"

struct model;
struct view;

struct binding {
	int keys[2];      /* 0: none. Both 0: not on a key, or described by `typed` */
	const char *name; /* "flip": its name on the ':' line and in the help */
	const char *hint; /* a word for the hint bar; null: not shown */
	const char *help; /* one sentence, without a full stop */
	/* At most one is set; neither: the view handles the keys itself. */
	void (*run)(struct model *);
	void (*apply)(struct model *, int argument);
	int argument;       /* of `apply` */
	const char *prompt; /* it opens the prompt with this start of a line */
	const char *(*disabled)(const struct model *); /* why it is disabled; null, or returning
							  null: it is enabled */
	const char *(*refused)(const struct model *, int argument); /* the same, by the argument */
	/* what the help shows if `keys` cannot say it */
	const char *typed;
	/* what of the user's it reads or changes besides the board, the screen and new tables, to
	   follow "it touches"; then it runs only from a key or when typed; null: nothing */
	const char *touches;
};

/* A row of a table of bindings: {keys}, name, hint, help, and what is set of the rest. A macro:
   clang-format would give every member of a long initializer a line of its own. */
/* clang-format off */
#define KEY(...) {__VA_ARGS__}
/* clang-format on */

/* Bindings in force in every view; ends with a null name. */
extern const struct binding global_bindings[];

enum { KEY_NAME_MAX = 12 };
/* "space", "<-", "Tab", "^C", "f". Returns `out`. */
const char *key_name(int key, char out[KEY_NAME_MAX]);
/* Does the view on screen, or a strip, take the key before any binding? */
bool key_taken(const struct model *, int key);
/* The key that a hint shows for a binding: the second one if the first is taken. */
int key_hinted(const struct model *, const struct binding *);

/* Does it do something, or is it only a line of the help? */
bool binding_runs(const struct binding *);
/* Why the binding is disabled now, or null. */
const char *binding_disabled(const struct binding *, const struct model *);
/* Runs it, or says why it is disabled. */
void binding_run(struct model *, const struct binding *);

/*
 * Iterates over the bindings in force, by precedence: strips, the view on screen, all views. With
 * `all`, every other view's follow. Start with zeros except `model` and `all`; `view` is the
 * binding's view, null for a global one.
 */
struct bindings_walk {
	const struct model *model;
	bool all;
	const struct view *view;
	const struct binding *table; /* of the last binding */
	int place;                   /* of the next table */
	const struct binding *next;
};

/* The next binding; null at the end. */
const struct binding *bindings_next(struct bindings_walk *);
/* The binding in force for a key; null if there is none. */
const struct binding *binding_of_key(const struct model *, int key);

#endif

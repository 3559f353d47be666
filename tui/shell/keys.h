/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binding tables: what a key does. Dispatch, hint bar, help and completion all read them. */
#ifndef TUI_SHELL_KEYS_H
#define TUI_SHELL_KEYS_H

#include "tui/screen/event.h"

struct model;
struct view;

struct binding {
	int keys[2];      /* 0: none. Both 0: not on a key, or `typed` says what is typed */
	const char *name; /* "flip": what the ':' line and the help call it */
	const char *hint; /* a word for the hint bar; null: not there */
	const char *help; /* one sentence, without a full stop */
	/* One of the two; neither: the view handles the keys itself. */
	void (*run)(struct model *);
	void (*apply)(struct model *, int argument);
	int argument;                                  /* of `apply` */
	const char *(*disabled)(const struct model *); /* why not now; null, or returning null: it
							  is enabled */
	/* what the help shows where `keys` cannot say it */
	const char *typed;
};

/* What works in every view; ends with a null name. */
extern const struct binding global_bindings[];

enum { KEY_NAME_MAX = 12 };
/* "space", "<-", "Tab", "^C", "f". Returns `out`. */
const char *key_name(int key, char out[KEY_NAME_MAX]);
/* Does the view on screen, or a strip, take the key before any binding? */
bool key_taken(const struct model *, int key);
/* The key that a hint shows for a binding: the second one where the first is taken. */
int key_hinted(const struct model *, const struct binding *);

/* Is it more than a line of the help? */
bool binding_runs(const struct binding *);
/* Null, or why the binding does nothing now. */
const char *binding_disabled(const struct binding *, const struct model *);
/* Does it, or says why it is disabled. */
void binding_run(struct model *, const struct binding *);

/*
 * Goes over the bindings in force, those that go before others first: of strips, of the view on
 * screen, of all views. With `all` those of every other view follow. Of zeros but for the model and
 * `all`; `view` is the one that has the binding, null for a global one.
 */
struct bindings_walk {
	const struct model *model;
	bool all;
	const struct view *view;
	const struct binding *table; /* that the last binding was of */
	int place;                   /* of the next table */
	const struct binding *next;
};

/* The next binding; null at the end. */
const struct binding *bindings_next(struct bindings_walk *);
/* The binding in force of a key; null when it has none. */
const struct binding *binding_of_key(const struct model *, int key);

#endif

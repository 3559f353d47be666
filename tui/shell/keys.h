/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binding tables: what a key does. Dispatch, hint bar, help and completion all read them. */
#ifndef ENDLAB_TUI_KEYS_H
#define ENDLAB_TUI_KEYS_H

#include "../screen/event.h"

struct model;
struct view;

struct binding {
	int keys[2];      /* 0: none. Both 0: not on a key, or `typed` says what is typed */
	const char *name; /* "flip": what the ':' line and the help call it */
	const char *hint; /* a word for the hint bar; null: not there */
	const char *help; /* one sentence, without a full stop */
	void (*run)(struct model *);                 /* null: the view handles the keys itself */
	const char *(*disabled)(const struct model *); /* why not now; null, or returning null: it
							  is enabled */
	const char *typed; /* what the help shows where `keys` cannot say it */
};

/* What works in every view; ends with a null name. */
extern const struct binding global_bindings[];

enum { KEY_NAME_MAX = 12 };
/* "space", "<-", "Tab", "^C", "f". Returns `out`. */
const char *key_name(int key, char out[KEY_NAME_MAX]);

/* The binding of a key in a table; null when it has none there. */
const struct binding *binding_in(const struct binding *table, int key);
/* The binding of a key in a view or in all views; null when it has none. */
const struct binding *binding_of_key(const struct view *, int key);
/* The action of that name: in the view, in all views, of a lesson that plays, in any view (*where is
   set to it then). */
const struct binding *binding_named(const struct view *, const char *name,
                                    const struct view **where);
/* Null, or why the binding does nothing now. */
const char *binding_disabled(const struct binding *, const struct model *);

#endif

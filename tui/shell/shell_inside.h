/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the shell keeps; for its own files alone. */
#ifndef TUI_SHELL_SHELL_INSIDE_H
#define TUI_SHELL_SHELL_INSIDE_H

#include "bookmarks.h"
#include "kept.h"
#include "overlay.h"

enum { STACK_MAX = 16, LINE_MAX_BYTES = 4096 };

/* A view on the stack, and the position that was on the board before it was put there. */
struct place {
	const struct view *view;
	const struct el_game *game;
	struct el_position position;
};

struct shell {
	struct shell_options options;
	int rows, cols;                /* of the screen */
	void **states;                 /* owned: of each view */
	struct place stack[STACK_MAX]; /* from the first view up to the one on screen */
	size_t depth;
	struct prompt_line prompt;
	/* a line that `y` runs when it is the next key; empty: none */
	char offer[LINE_MAX_BYTES];
	char pattern[64]; /* searched for in lists; empty: none yet */
	struct wishes wishes;
	struct kept session;
	struct timespec session_time; /* when its file was written, as far as this program knows */
	struct bookmarks bookmarks;
	bool welcomes; /* the card of welcome.c is there */
	struct kept welcome;
	int theme;
	struct overlay overlay;
	bool covered;  /* see overlay.h */
	bool projects; /* the board before everything else */
};

/* ---- stack.c ---- */

void shell_visit_view(struct model *, const struct view *);
/* A view over the first one alone. */
void shell_show_alone(struct model *, const struct view *);
/* Back to the view below, and the board as it was when that was left; there is one. */
void shell_come_back(struct model *);
/* The uppermost view on the stack that has a name in the title line. */
const struct view *shell_named_view(const struct model *);

/* ---- keys.c ---- */

/* False when the key means nothing. */
bool keys_run(struct model *, int key);

/* To the next row of the list (by = 1), or the one before (-1), that has the pattern, around the
   list. */
void search_step(struct model *, int by);
const char *search_disabled(const struct model *);

/*
 * ---- welcome.c ----
 *
 * A card beside the board of the first view, on the very first run: where a folder of what is kept
 * (kept.h) has neither a session nor the file `welcome`, and no position was given. Any key takes
 * it away for good.
 */

/* Before the session is resumed. */
void welcome_open(struct model *);
/* Takes the card away; false when there was none. */
bool welcome_close(struct model *);
/* Into the view's pane, while there is a card. */
void welcome_draw(const struct model *, struct pane);

#endif

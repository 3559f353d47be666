/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell's internals, for its own files only. */
#ifndef TUI_SHELL_SHELL_INSIDE_H
#define TUI_SHELL_SHELL_INSIDE_H

#include "bookmarks.h"
#include "kept.h"
#include "overlay.h"

enum { STACK_MAX = 16, LINE_MAX_BYTES = 4096 };

/* A view on the stack, and the position on the board before the view was pushed. */
struct place {
	const struct view *view;
	const struct el_game *game;
	struct el_position position;
};

struct shell {
	struct shell_options options;
	int rows, cols;                /* of the screen */
	void **states;                 /* owned: one per view */
	struct place stack[STACK_MAX]; /* from the first view to the one on screen */
	size_t depth;
	struct prompt_line prompt;
	/* a line that `y` runs if it is the next key; empty: none */
	char offer[LINE_MAX_BYTES];
	char pattern[64]; /* searched for in lists; empty: none yet */
	struct wishes wishes;
	struct kept session;
	bool unkept;                  /* the user knows that the session cannot be kept */
	struct timespec session_time; /* the modification time of its file, as last seen */
	struct bookmarks bookmarks;
	bool welcomes; /* the card of welcome.c is shown */
	struct kept welcome;
	int theme;          /* its place in `themes` */
	bool theme_chosen;  /* by the user, who keeps it between runs */
	enum blocks blocks; /* pictures are drawn in these */
	bool blocks_chosen; /* likewise */
	bool mouse_off;     /* it is left to the terminal */
	struct overlay overlay;
	unsigned inputs; /* keys, clicks and pastes so far */
	bool printed;    /* a command's output is kept, to be read */
	bool of_file;    /* a line of a lesson is running */
	bool covered;    /* see overlay.h */
	bool projects;   /* projector mode */
	/* the view whose keys are listed beside its board; null: none. And their page, from 0, modulo the
	   pages there are */
	const struct view *keyed;
	int keys_page;
};

/* ---- stack.c ---- */

void shell_visit_view(struct model *, const struct view *);
/* Shows a view directly over the first one. */
void shell_show_alone(struct model *, const struct view *);
/* Returns to the view below, which must exist, and restores the board as it was when that was
   left. */
void shell_come_back(struct model *);
/* The topmost view on the stack with a name in the title line. */
const struct view *shell_named_view(const struct model *);
/* Tells all views: view.heard. */
void shell_hear(struct model *, const char *line, bool is_key, bool allowed);

/* ---- keys.c ---- */

/* False if the key has no meaning. */
bool keys_run(struct model *, int key);

/* Moves to the next row of the list (by = 1) or the one before (-1) that contains the pattern,
   wrapping around. */
void search_step(struct model *, int by);
const char *search_disabled(const struct model *);

/*
 * ---- welcome.c ----
 *
 * A card beside the board of the first view on the very first run: if the folder (kept.h) has
 * neither a session nor the file `welcome`, and no position was given. Any key removes it for good.
 */

/* Call it before the session is resumed. */
void welcome_open(struct model *);
/* Removes the card; false if there was none. */
bool welcome_close(struct model *);
/* Draws the card, if any, into the view's pane. */
void welcome_draw(const struct model *, struct pane);

#endif

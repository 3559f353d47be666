/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shell around the views: which of them is on screen, what a key does, the `:` prompt. It knows
 * no view by name: it asks each what it is (view.h).
 *
 * The application feeds events in and takes jobs out; the tests do the same without a terminal and
 * without threads:
 *
 *     shell_open -> shell_update(event) -> model_take_job ... shell_job_done -> frame_draw
 */
#ifndef TUI_SHELL_SHELL_H
#define TUI_SHELL_SHELL_H

#include "tui/screen/clipboard.h"
#include "tui/screen/prompt.h"
#include "view.h"

/* ---- for the application ---- */

struct shell_options {
	const struct view *const *views; /* all, null-terminated, the first one at home */
	const char *fen;                 /* where to begin; null: where the last run ended */
	/* folders of lessons, colon-separated; LESSONS_BUILT_IN may be among them
	   (../text/lessons.h), and it may be null */
	const char *lessons;
	/* the folder of what is kept between runs (kept.h); null: nothing is */
	const char *state;
	uint64_t random; /* to begin with */
};

/* EL_MEMORY; EL_NEGATIVE when the FEN is no position. Makes a model with a shell; shell_close. */
enum el_status shell_open(struct model *, struct el_library *, const struct shell_options *,
                          struct el_error *);
/* May be called again, and on a model of zeros. */
void shell_close(struct model *);
void shell_update(struct model *, const struct event *);
/* model_job_done and model_progress, and what views make of it. */
void shell_job_done(struct model *, struct job *);
void shell_progress(struct model *, enum lane, const struct job_progress *);
/* Milliseconds until a tick is due, -1 for none. */
int shell_next_tick(const struct model *);

/* What the application is to do; taken once. */
struct wishes {
	bool quit, suspend, repaint;
	char copy[COPY_MAX + 1]; /* to the clipboard; empty: nothing */
};
struct wishes shell_take_wishes(struct model *);
/* Place in `themes`. */
int shell_theme(const struct model *);
void shell_set_theme(struct model *, int theme);
/* What the prompt at the bottom shows; prompt.c fills it. */
struct prompt_line *shell_prompt_line(const struct model *);
/* Runs what was typed at the prompt. */
void shell_typed(struct model *, const char *line);
const struct shell_options *shell_options(const struct model *);

/* ---- for views ---- */

int shell_rows(const struct model *);
int shell_cols(const struct model *);
/* The rows of the view's pane. */
int shell_view_rows(const struct model *);
/* Projector mode: the largest board, and nothing around it that an audience does not need. */
bool shell_projects(const struct model *);
/* The view on screen, and the one below it on the stack; null for the latter at home. */
const struct view *shell_view(const struct model *);
const struct view *shell_below(const struct model *);
/* Shows a view, by its place among all: goes back to it where it lies on the stack, puts it on top
   where it does not. */
void shell_show(struct model *, int view);
void shell_show_view(struct model *, const struct view *);
/* Puts a view on top, wherever else it is: `q` comes back to the one on screen. */
void shell_visit(struct model *, int view);
bool shell_is_shown(const struct model *, int view);
const struct view *const *shell_views(const struct model *);
/* Back to the view below; false at home. */
bool shell_back(struct model *);
/* Shows the first view alone. */
void shell_home(struct model *);
void shell_quit(struct model *);
/* The position that the views on the stack are about, from the top down; at last that of the line
   of play. Returns its game. */
const struct el_game *shell_position(const struct model *, struct el_position *out);
/* Opens the prompt with the beginning of a line. */
void shell_prompt(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line that `y` runs when it is the next key. */
void shell_offer(struct model *, const char *line);
/* Shows a text, which is taken over (malloc'ed). */
void shell_print(struct model *, const char *title, char *text);
/* Turns the boards around. */
void shell_flip(struct model *);
/* All views as a lesson expects them. */
void shell_plain(struct model *);
/* Of COPY_MAX bytes at most. */
void shell_copy(struct model *, const char *text);
/* The pattern that n and N search for. */
void shell_set_pattern(struct model *, const char *pattern);

/* ---- for the shell itself ---- */

struct shell; /* shell_inside.h */

#endif

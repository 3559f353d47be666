/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shell around the views: which one is on screen, what a key does, the `:` prompt. It knows no
 * view by name: each describes itself (view.h).
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
	const char *fen;                 /* the initial position; null: where the last run ended */
	/* folders of lessons, colon-separated; LESSONS_BUILT_IN may be among them
	   (../text/lessons.h), and it may be null */
	const char *lessons;
	/* the folder of files kept between runs (kept.h); null: none are */
	const char *state;
	uint64_t random; /* the seed */
};

/* Makes a model with a shell; close it with shell_close. EL_MEMORY; EL_NEGATIVE if the FEN is no
   position. */
enum el_status shell_open(struct model *, struct el_library *, const struct shell_options *,
                          struct el_error *);
/* May be called again, and on a zeroed model. EL_IO: a view could not keep what it has; the error is
   what it said. */
enum el_status shell_close(struct model *, struct el_error *);
void shell_update(struct model *, const struct event *);
/* Call model_job_done and model_progress, and let views react. */
void shell_job_done(struct model *, struct job *);
void shell_progress(struct model *, enum lane, const struct job_progress *);
/* Milliseconds until a tick is due, -1 for none. */
int shell_next_tick(const struct model *);

/* Requests to the application; taken once. */
struct wishes {
	bool quit, suspend, repaint;
	char copy[COPY_MAX + 1]; /* for the clipboard; empty: nothing */
};
struct wishes shell_take_wishes(struct model *);
/* The contents of the prompt at the bottom; prompt.c fills it. */
struct prompt_line *shell_prompt_line(const struct model *);
/* Runs what was typed at the prompt. */
void shell_typed(struct model *, const char *line);
const struct shell_options *shell_options(const struct model *);

/* ---- for views ---- */

int shell_rows(const struct model *);
int shell_cols(const struct model *);
/* The rows of the view's pane. */
int shell_view_rows(const struct model *);
/* Projector mode: the largest board, and only what an audience needs around it. */
bool shell_projects(const struct model *);
/* The view on screen, and the one below it on the stack, which is null at home. */
const struct view *shell_view(const struct model *);
const struct view *shell_below(const struct model *);
/* Shows a view, by its place among all: returns to it if it is on the stack, else pushes it. */
void shell_show(struct model *, int view);
void shell_show_view(struct model *, const struct view *);
/* Pushes a view even if it is on the stack already: `q` returns to the one on screen. */
void shell_visit(struct model *, int view);
bool shell_is_shown(const struct model *, int view);
/* Draws the rows of a list that fit, scrolled to the selected one, which is marked. A click selects one. */
void shell_draw_list(const struct model *, const struct list *, struct pane,
                     void (*draw_row)(const struct model *, struct pane row, int i));
/* A view's list; null: it has none. */
struct list *shell_list(const struct model *, const struct view *);
const struct view *const *shell_views(const struct model *);
/* Returns to the view below, unless at home. */
void shell_back(struct model *);
/* Shows the first view alone. */
void shell_home(struct model *);
void shell_quit(struct model *);
/* The position of the topmost view on the stack that has one, else that of the line of play.
   Returns its game. */
const struct el_game *shell_position(const struct model *, struct el_position *out);
/* Opens the prompt with the start of a line. */
void shell_prompt(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Offers a line that `y` runs if it is the next key. */
void shell_offer(struct model *, const char *line);
/* Takes over a text (malloc'ed), and shows it or keeps it for shell_show_printed. */
void shell_print(struct model *, const char *title, char *text, bool shows);
/* Shows the last one. */
void shell_show_printed(struct model *);
const char *shell_nothing_printed(const struct model *);
/* Turns the boards around. */
void shell_flip(struct model *);
/* Puts all views into the state that lessons expect. */
void shell_plain(struct model *);
/* Copies at most COPY_MAX bytes. */
void shell_copy(struct model *, const char *text);
/* The pattern that n and N search for. */
void shell_set_pattern(struct model *, const char *pattern);

/* ---- for the shell itself ---- */

struct shell; /* shell_inside.h */

#endif

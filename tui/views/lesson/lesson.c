/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lesson: the lessons found, and playing one of them. */
#include "lesson.h"

#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

static void close_lessons(struct model *m)
{
	lesson_list_free(lesson_of(m));
	script_free(&lesson_of(m)->script); /* jobs are gone: there is nothing to stop */
	lesson_present_end(m);
	lesson_places_close(lesson_of(m));
}

/* ---- what the keys and lines do ---- */

/* `file`: its name in error messages. */
static void play(struct model *m, const char *path, const char *file, bool anew)
{
	struct script script;
	struct el_error error;
	if (lesson_of(m)->at_work)
		model_fail(m, "a lesson cannot play lessons");
	else if (lesson_is_recorded(m))
		model_fail(m, "A lesson is being recorded. Type :record off to end that first.");
	else if (script_read(path, file, m, &script, &error))
		model_fail(m, "%s", error.text);
	else
		lesson_play(m, &script, path, file, anew);
}

static void play_selected(struct model *m, int anew)
{
	const char *path = lesson_of(m)->entries[lesson_of(m)->list.at].path;
	play(m, path, lesson_file_of(path), anew);
}

static const char *no_lessons(const struct model *m)
{
	return lesson_of(m)->list.count ? NULL : "There is no lesson.";
}

static void show_help(struct model *m)
{
	char path[PATH_MAX], *text;
	struct el_error error;
	if (!lesson_find_file(m, "README.md", path))
		model_fail(m, "README.md, on writing lessons, is in none of the folders %s",
		           shell_options(m)->lessons ? shell_options(m)->lessons : "");
	else if (script_read_file(path, path, &text, &error))
		model_fail(m, "%s", error.text);
	else
		shell_print(m, "how to write a lesson", text, true);
}

static void type_off(struct model *m, const char *rest)
{
	(void)rest;
	shell_back(m); /* the user did not want the list */
	if (lesson_plays(m))
		lesson_end(m);
	else
		model_fail(m, "No lesson is playing.");
}

static void type_help(struct model *m, const char *rest)
{
	(void)rest;
	show_help(m);
}

/* Plays the lesson of this name; other lines are for other handlers. */
static bool run_line(struct model *m, const char *line)
{
	char path[PATH_MAX];
	if (!lesson_find(m, line, path))
		return false;
	play(m, path, strchr(line, '/') ? line : lesson_file_of(path), false);
	return true;
}

static void offer_words(const struct model *m, const char *line, struct words *w)
{
	if (!strchr(line, ' '))
		lesson_offer(m, w);
}

static const struct verb verbs[] = {
	{"off", "", "end the lesson", .run = type_off},
	{"help", "", "show how to write a lesson", .run = type_help},
	{.word = NULL},
};

/* ---- drawing ---- */

enum { NAME_AT = 2, TITLE_AT = 14, STEPS_COLS = 10, SCORE_COLS = 10 };

static void draw_row(const struct model *m, struct pane p, int i)
{
	const struct lesson_entry *e = &lesson_of(m)->entries[i];
	char steps[64];

	struct pane title =
		pane_sub(p, 0, TITLE_AT, 1, p.cols - TITLE_AT - STEPS_COLS - SCORE_COLS - 2);
	pane_text(pane_sub(p, 0, 0, 1, TITLE_AT - 1), 0, NAME_AT, ROLE_HINT_KEY, e->name);
	if (!e->steps) {
		pane_text(pane_sub(p, 0, TITLE_AT, 1, p.cols - TITLE_AT), 0, 0, ROLE_ERROR,
		          e->error.text);
		return;
	}
	pane_text(title, 0, 0, ROLE_TEXT, e->title);
	/* "6 of 14"; a lesson that was finished has a tick even when it is begun anew. */
	if (e->at)
		snprintf(steps, sizeof steps, "%zu of %zu", e->at + 1, e->steps);
	else
		snprintf(steps, sizeof steps, "%zu", e->steps);
	const int end = p.cols - 1 - SCORE_COLS;
	pane_right(p, 0, end, e->at ? ROLE_STRONG : ROLE_DIM, steps);
	if (e->finished)
		pane_put(p, 0, end - STEPS_COLS, ROLE_WIN, p.canvas->ascii ? '*' : 0x2713);
	pane_right(p, 0, p.cols - 1, ROLE_TEXT, e->score);
}

static void draw(const struct model *m, struct pane p)
{
	enum { FOLDER_ROWS = 2 };
	const struct lesson *l = lesson_of(m);
	const int cols = p.cols < 80 ? p.cols : 80;
	struct pane rows = pane_sub(p, 1, 0, p.rows - 2 - FOLDER_ROWS, cols);
	/* The folders searched for lessons. */
	const char *folders = shell_options(m)->lessons ? shell_options(m)->lessons : "";
	const char *end = strstr(folders, ":" LESSONS_BUILT_IN);
	const int length = (int)(end ? (size_t)(end - folders) : strlen(folders));
	pane_print_wrapped(
		pane_sub(p, p.rows - FOLDER_ROWS, NAME_AT, FOLDER_ROWS, cols - NAME_AT - 1), 0,
		ROLE_DIM, "To add lessons, name their folders in $ENDLAB_LESSONS%s%.*s%s.",
		length ? ", which is now " : "", length, folders,
		length ? "" : ", which is not set");

	pane_print(p, 0, NAME_AT, ROLE_DIM, "%d lessons", l->list.count);
	pane_text(p, 0, TITLE_AT, ROLE_DIM, "what it is about");
	pane_right(p, 0, rows.cols - 1 - SCORE_COLS, ROLE_DIM, "steps");
	pane_right(p, 0, rows.cols - 1, ROLE_DIM, "first try");
	if (l->list.count) {
		const struct lesson_entry *e = &l->entries[l->list.at];
		char at[64] = "";
		if (e->at)
			snprintf(at, sizeof at, "At step %zu of %zu. ", e->at + 1, e->steps);
		pane_print(pane_sub(p, p.rows - FOLDER_ROWS - 1, 0, 1, cols), 0, NAME_AT, ROLE_NOTE,
		           "%s%s%s%s", e->finished ? "Finished. " : "", at, e->score,
		           *e->score ? " questions right at the first try." : "");
	}
	shell_draw_list(m, &l->list, rows, draw_row);
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct lesson_entry *e = &lesson_of(m)->entries[row];
	snprintf(out, size, "%s %s", e->name, e->title);
}

static const struct binding bindings[] = {
	KEY({K_ENTER, ' '}, "play-lesson", "play", "play this lesson, from the step where you were",
            .apply = play_selected, .argument = false, .disabled = no_lessons),
	KEY({'a'}, "play-anew", "anew", "play this lesson from its beginning",
            .apply = play_selected, .argument = true, .disabled = no_lessons),
	KEY({'w'}, "lesson-help", "write one", "show how to write a lesson", .run = show_help),
	{.name = NULL},
};

static void ask(struct model *m)
{
	quiz_follow(m);
	lesson_present(m);
}

const struct view lesson_view = {
	.name = "Lesson",
	.summons = 'L',
	.state = &lesson_state,
	.strip = &lesson_strip,
	.summary = "lessons that drive the program",
	.bindings = bindings,
	.verbs = verbs,
	.line = run_line,
	.words = offer_words,
	.draw = draw,
	.enter = lesson_list,
	.list = {&lesson_state, offsetof(struct lesson, list)},
	.row = row_text,
	.ask = ask,
	.go_on = lesson_go_on,
	.open = lesson_places_open,
	.close = close_lessons,
};

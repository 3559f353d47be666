/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lesson: the lessons that were found, and playing one of them. */
#include "../../model/model.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = ".lesson";

/* ---- files ---- */

/* Visits the folders in order, until `visit` returns true; returns whether one did. */
static bool each_folder(const struct model *m, bool (*visit)(void *context, const char *folder),
                        void *context)
{
	const char *at = m->lesson.folders ? m->lesson.folders : "";
	bool done = false;
	while (*at && !done) {
		char folder[PATH_MAX];
		size_t length = strcspn(at, ":");
		bool fits = length && length < sizeof folder;
		snprintf(folder, sizeof folder, "%.*s", fits ? (int)length : 0, at);
		done = fits && visit(context, folder);
		at += length + (at[length] == ':');
	}
	return done;
}

struct search {
	const char *file;
	char path[PATH_MAX];
};

static bool has_file(void *context, const char *folder)
{
	struct search *s = context;
	int length = snprintf(s->path, sizeof s->path, "%s/%s", folder, s->file);
	return length < PATH_MAX && !access(s->path, F_OK);
}

/* A name without a slash is looked for in the folders. One with it is a lesson when there is such a
   file, or when it says of itself that it is one. */
static bool find_lesson(const struct model *m, const char *name, char path[PATH_MAX])
{
	char file[LESSON_NAME_MAX + sizeof suffix];
	struct search search = {.file = file};
	size_t end = strlen(name) - strlen(suffix);
	if (strchr(name, '/')) {
		snprintf(path, PATH_MAX, "%s", name);
		return !access(path, F_OK) || (end < strlen(name) && !strcmp(name + end, suffix));
	}
	int length = snprintf(file, sizeof file, "%s%s", name, suffix);
	bool found = length < (int)sizeof file && each_folder(m, has_file, &search);
	snprintf(path, PATH_MAX, "%s", search.path);
	return found;
}

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int is_lesson(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return entry->d_name[0] != '.' && dot && !strcmp(dot, suffix) &&
	       dot - entry->d_name < LESSON_NAME_MAX;
}

/* ---- the list ---- */

static void free_entries(struct lesson *l)
{
	free(l->entries);
	l->entries = NULL;
	l->list.count = 0;
}

static bool is_listed(const struct lesson *l, const char *name)
{
	for (int i = 0; i < l->list.count; i++)
		if (!strcmp(l->entries[i].name, name))
			return true;
	return false;
}

static void read_entry(const struct model *m, struct lesson_entry *e)
{
	struct script script;
	e->steps = 0;
	e->title[0] = '\0';
	if (script_read(e->path, file_of(e->path), m, &script, &e->error))
		return;
	e->steps = script.step_count;
	snprintf(e->title, sizeof e->title, "%s", script.title);
	script_free(&script);
}

/* Of lessons of one name, the first one found counts. */
static void add_entry(struct model *m, const char *folder, const char *file)
{
	struct lesson *l = &m->lesson;
	char name[LESSON_NAME_MAX];
	snprintf(name, sizeof name, "%.*s", (int)(strrchr(file, '.') - file), file);
	struct lesson_entry *grown =
		is_listed(l, name) ? NULL
	                           : realloc(l->entries, (size_t)(l->list.count + 1) * sizeof *grown);
	if (!grown && !is_listed(l, name))
		model_fail(m, "out of memory");
	if (!grown)
		return;
	l->entries = grown;
	struct lesson_entry *e = &grown[l->list.count];
	memcpy(e->name, name, sizeof name);
	if (snprintf(e->path, sizeof e->path, "%s/%s", folder, file) >= PATH_MAX)
		return;
	read_entry(m, e);
	l->list.count++;
}

static bool list_folder(void *context, const char *folder)
{
	struct dirent **files;
	int count = scandir(folder, &files, is_lesson, alphasort);
	for (int i = 0; i < count; i++) {
		add_entry(context, folder, files[i]->d_name);
		free(files[i]);
	}
	if (count >= 0)
		free(files);
	return false;
}

/* By title, where numbers count as numbers: "2. ..." comes before "10. ...". Lessons that cannot be
   read, which have no title, come last. */
static int by_title(const void *a, const void *b)
{
	const struct lesson_entry *x = a, *y = b;
	if (!x->steps != !y->steps)
		return x->steps ? -1 : 1;
	const int order = strverscmp(x->title, y->title);
	return order ? order : strcmp(x->name, y->name);
}

static void enter(struct model *m)
{
	free_entries(&m->lesson);
	each_folder(m, list_folder, m);
	if (m->lesson.list.count)
		qsort(m->lesson.entries, (size_t)m->lesson.list.count, sizeof *m->lesson.entries,
		      by_title);
	list_set(&m->lesson.list, m->lesson.list.at);
}

static void close_lessons(struct model *m)
{
	free_entries(&m->lesson);
	lesson_stop(m);
}

void lesson_show(struct model *m)
{
	model_show(m, &lesson_view);
}

void lesson_over(struct model *m)
{
	struct lesson *l = &m->lesson;
	char file[PATH_MAX];
	snprintf(file, sizeof file, "%s", file_of(l->file));
	lesson_stop(m);
	lesson_show(m);
	for (int i = 0; i < l->list.count; i++)
		if (!strcmp(file_of(l->entries[i].path), file))
			list_set(&l->list, i + 1);
}

/* ---- what the keys and lines do ---- */

/* `file`: its name for errors. */
static void play(struct model *m, const char *path, const char *file)
{
	struct script script;
	struct el_error error;
	if (m->lesson.at_work)
		model_fail(m, "a lesson cannot play lessons");
	else if (script_read(path, file, m, &script, &error))
		model_fail(m, "%s", error.text);
	else
		lesson_play(m, &script, file);
}

static void play_selected(struct model *m)
{
	const char *path = m->lesson.entries[m->lesson.list.at].path;
	play(m, path, file_of(path));
}

static const char *no_lessons(const struct model *m)
{
	return m->lesson.list.count ? NULL : "there is no lesson";
}

static void show_help(struct model *m)
{
	struct search search = {.file = "README.md"};
	struct el_error error;
	char *text;
	if (!each_folder(m, has_file, &search))
		model_fail(m, "README.md, which says how to write a lesson, is in no folder of "
		              "lessons: %s", m->lesson.folders ? m->lesson.folders : "none is set");
	else if (script_read_file(search.path, search.path, &text, &error))
		model_fail(m, "%s", error.text);
	else
		text_show(m, "how to write a lesson", text);
}

static void turn_off(struct model *m)
{
	model_show(m, model_back(m));
	for (const struct binding *b = lesson_bindings; b->name; b++)
		if (!strcmp(b->name, "lesson-end"))
			model_run(m, b);
}

/* While the view is on screen a bare name will do; what is no lesson is for others. */
static bool run_line(struct model *m, const char *line)
{
	char path[PATH_MAX];
	if (!strncmp(line, "lesson ", 7)) /* typed in full while the list is on screen */
		line += 7 + strspn(line + 7, " ");
	if (!strcmp(line, "off"))
		turn_off(m);
	else if (!strcmp(line, "help"))
		show_help(m);
	else if (find_lesson(m, line, path))
		play(m, path, strchr(line, '/') ? line : file_of(path));
	else
		return false;
	return true;
}

struct offering {
	void (*offer)(void *context, const char *word);
	void *context;
};

static bool offer_folder(void *context, const char *folder)
{
	const struct offering *o = context;
	struct dirent **files;
	int count = scandir(folder, &files, is_lesson, alphasort);
	for (int i = 0; i < count; i++) {
		*strrchr(files[i]->d_name, '.') = '\0';
		o->offer(o->context, files[i]->d_name);
		free(files[i]);
	}
	if (count >= 0)
		free(files);
	return false;
}

static void offer_words(const struct model *m, const char *line,
                        void (*offer)(void *context, const char *word), void *context)
{
	struct offering offering = {offer, context};
	if (strchr(line, ' '))
		return;
	each_folder(m, offer_folder, &offering);
	offer(context, "off");
	offer(context, "help");
}

/* ---- drawing ---- */

enum { NAME_AT = 2, TITLE_AT = 14, STEPS_COLS = 6 };

static void draw_row(const struct model *m, struct pane p, int i)
{
	const struct lesson_entry *e = &m->lesson.entries[i];
	bool is_selected = i == m->lesson.list.at;
	char steps[16];
	if (is_selected)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 0, ROLE_STRONG, is_selected ? ">" : " ");
	pane_zone(p, ZONE_ITEM, i);
	struct pane title = pane_sub(p, 0, TITLE_AT, 1, p.cols - TITLE_AT - STEPS_COLS - 1);
	pane_text(pane_sub(p, 0, 0, 1, TITLE_AT - 1), 0, NAME_AT, ROLE_HINT_KEY, e->name);
	if (!e->steps) {
		pane_text(pane_sub(p, 0, TITLE_AT, 1, p.cols), 0, 0, ROLE_ERROR, e->error.text);
		return;
	}
	pane_text(title, 0, 0, ROLE_TEXT, e->title);
	snprintf(steps, sizeof steps, "%zu", e->steps);
	pane_right(p, 0, p.cols - 1, ROLE_DIM, steps);
}

static void draw(const struct model *m, struct pane p)
{
	const struct lesson *l = &m->lesson;
	struct pane rows = pane_sub(p, 1, 0, p.rows - 1, p.cols < 80 ? p.cols : 80);
	int top = list_top(&l->list, rows.rows);
	pane_text(p, 0, NAME_AT, ROLE_DIM, "lesson");
	pane_text(p, 0, TITLE_AT, ROLE_DIM, "what it is about");
	pane_right(p, 0, rows.cols - 1, ROLE_DIM, "steps");
	if (!l->list.count)
		pane_wrap(pane_sub(rows, 1, NAME_AT, 3, rows.cols - NAME_AT), 0, ROLE_TEXT,
		          "there is no lesson here; $ENDLAB_LESSONS names the folders where they are");
	for (int y = 0; y < rows.rows && top + y < l->list.count; y++)
		draw_row(m, pane_sub(rows, y, 0, 1, rows.cols), top + y);
}

static bool update(struct model *m, const struct event *e)
{
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_ITEM)
		return false;
	bool again = m->lesson.list.at == e->zone.value;
	list_set(&m->lesson.list, e->zone.value);
	if (again)
		play_selected(m);
	return true;
}

static struct list *list(struct model *m)
{
	return &m->lesson.list;
}

static const struct binding bindings[] = {
	{{K_ENTER, ' '}, "play-lesson", "play", "play this lesson", play_selected, no_lessons, NULL},
	{{'w'}, "lesson-help", "write one", "how to write a lesson", show_help, NULL, NULL},
	{.name = NULL},
};

const struct view lesson_view = {
	.name = "Lesson",
	.summary = "lessons that drive the program: n goes on",
	.bindings = bindings,
	.update = update,
	.line = run_line,
	.words = offer_words,
	.draw = draw,
	.enter = enter,
	.list = list,
	.close = close_lessons,
};

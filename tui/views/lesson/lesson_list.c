/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lessons in folders, and the built-in ones. */
#include "lesson.h"

#include "core/base/array.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = LESSON_SUFFIX;

/* ---- files ---- */

static const char *folders_of(const struct model *m)
{
	return shell_options(m)->lessons ? shell_options(m)->lessons : "";
}

/* Takes the next folder of a list; false at its end. */
static bool next_folder(const char **list, char folder[PATH_MAX])
{
	size_t length;
	do {
		length = strcspn(*list, ":");
		snprintf(folder, PATH_MAX, "%.*s", length < PATH_MAX ? (int)length : 0, *list);
		*list += length + ((*list)[length] == ':');
	} while (!*folder && **list);
	return *folder;
}

bool lesson_find_file(const struct model *m, const char *file, char path[PATH_MAX])
{
	char folder[PATH_MAX];
	for (const char *list = folders_of(m); next_folder(&list, folder);)
		if (snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX &&
		    (lesson_built_in(path) || !access(path, F_OK)))
			return true;
	return false;
}

bool lesson_find(const struct model *m, const char *name, char path[PATH_MAX])
{
	char file[LESSON_NAME_MAX + sizeof suffix];
	const size_t end = strlen(name) - strlen(suffix);
	const bool is_named = end < strlen(name) && !strcmp(name + end, suffix);
	if (strchr(name, '/') || is_named) {
		snprintf(path, PATH_MAX, "%s", name);
		return is_named || !access(path, F_OK);
	}
	*path = '\0';
	return snprintf(file, sizeof file, "%s%s", name, suffix) < (int)sizeof file &&
	       lesson_find_file(m, file, path);
}

const char *lesson_file_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool is_of_file_name(const char *file)
{
	const char *dot = strrchr(file, '.');
	return file[0] != '.' && dot && !strcmp(dot, suffix) && dot - file < LESSON_NAME_MAX;
}

static int is_of_file(const struct dirent *entry)
{
	return is_of_file_name(entry->d_name);
}

/* Calls `visit` with each lesson file of a folder, sorted by name. False without memory; a missing
   folder has none. */
static bool each_file(const char *folder,
                      void (*visit)(void *context, const char *folder, const char *file),
                      void *context)
{
	struct dirent **files;
	const bool built_in = !strcmp(folder, LESSONS_BUILT_IN);
	for (size_t i = 0; built_in && lesson_built_in_file(i); i++)
		if (is_of_file_name(lesson_built_in_file(i)))
			visit(context, folder, lesson_built_in_file(i));
	const int count = built_in ? 0 : scandir(folder, &files, is_of_file, alphasort);
	for (int i = 0; i < count; i++) {
		visit(context, folder, files[i]->d_name);
		free(files[i]);
	}
	if (!built_in && count >= 0)
		free(files);
	return count >= 0 || errno != ENOMEM;
}

/* ---- the list ---- */

void lesson_list_free(struct lesson *l)
{
	free(l->entries);
	l->entries = NULL;
	l->list.count = 0;
}

/* If lessons share a name, the first one found counts. */
static void add_entry(void *context, const char *folder, const char *file)
{
	struct model *m = context;
	struct lesson *l = lesson_of(m);
	char name[LESSON_NAME_MAX];
	snprintf(name, sizeof name, "%.*s", (int)(strrchr(file, '.') - file), file);
	for (int i = 0; i < l->list.count; i++)
		if (!strcmp(l->entries[i].name, name))
			return;
	if (!array_grow(&l->entries, (size_t)l->list.count, 1, sizeof *l->entries)) {
		model_fail(m, "out of memory");
		return;
	}
	struct lesson_entry *e = &l->entries[l->list.count];
	memcpy(e->name, name, sizeof name);
	if (snprintf(e->path, sizeof e->path, "%s/%s", folder, file) >= PATH_MAX)
		return;
	struct script script;
	struct lesson_place place;
	e->steps = e->at = 0;
	e->title[0] = e->score[0] = '\0';
	e->finished = false;
	if (!script_read(e->path, lesson_file_of(e->path), m, &script, &e->error)) {
		e->steps = script.step_count;
		snprintf(e->title, sizeof e->title, "%s", script.title);
		const bool fits = lesson_place(m, e->path, &script, &place);
		e->finished = place.finished;
		e->at = fits ? place.step : 0;
		if (fits && !lesson_score(place.answers, e->score, sizeof e->score))
			e->score[0] = '\0';
		script_free(&script);
	}
	l->list.count++;
}

/* By title, comparing numbers as numbers: "2. ..." comes before "10. ...". Unreadable lessons,
   which have no title, come last. */
static int by_title(const void *a, const void *b)
{
	const struct lesson_entry *x = a, *y = b;
	if (!x->steps != !y->steps)
		return x->steps ? -1 : 1;
	const int order = strverscmp(x->title, y->title);
	return order ? order : strcmp(x->name, y->name);
}

void lesson_list(struct model *m)
{
	struct lesson *l = lesson_of(m);
	const bool is_first = !l->entries;
	char folder[PATH_MAX];
	lesson_list_free(l);
	for (const char *list = folders_of(m); next_folder(&list, folder);)
		if (!each_file(folder, add_entry, m))
			model_fail(m, "%s: out of memory", folder);
	if (l->list.count)
		qsort(l->entries, (size_t)l->list.count, sizeof *l->entries, by_title);
	list_set(&l->list, l->list.at);
	/* at first, one that was begun in an earlier run */
	for (int i = l->list.count - 1; is_first && i >= 0; i--)
		if (l->entries[i].at)
			list_set(&l->list, i);
}

void lesson_select_next(struct model *m, const char *file)
{
	struct lesson *l = lesson_of(m);
	for (int i = 0; i < l->list.count; i++)
		if (!strcmp(lesson_file_of(l->entries[i].path), file))
			list_set(&l->list, i + 1);
}

static void offer_file(void *words, const char *folder, const char *file)
{
	char name[LESSON_NAME_MAX];
	(void)folder;
	snprintf(name, sizeof name, "%.*s", (int)(strrchr(file, '.') - file), file);
	words_offer(words, name);
}

void lesson_offer(const struct model *m, struct words *w)
{
	char folder[PATH_MAX];
	for (const char *list = folders_of(m); next_folder(&list, folder);)
		each_file(folder, offer_file, w);
}

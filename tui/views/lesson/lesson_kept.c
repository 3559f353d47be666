/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the view, and what is kept of it between runs: where the reader is in each lesson,
 * and how its questions were answered.
 *
 *     endlab lessons 1
 *     begun 6 ..+.-?... /home/ada/pawns.lesson
 *     finished 1 .+.+ (built in)/krk.lesson
 *
 * The step, from 1, and an answer for each step, as in struct lesson_place. A lesson once finished
 * stays so when it is begun anew.
 */
#include "lesson.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] = "endlab lessons 1";

OWN_STATE(, lesson, struct lesson);

/* ---- the list of places ---- */

static void free_place(struct lesson_place *place)
{
	free(place->path);
	free(place->answers);
	*place = (struct lesson_place){.path = NULL};
}

static void free_places(struct lesson_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free_place(&places->list[i]);
	free(places->list);
	places->list = NULL;
	places->count = 0;
}

static struct lesson_place *find(const struct lesson_places *places, const char *path)
{
	for (size_t i = 0; i < places->count; i++)
		if (!strcmp(places->list[i].path, path))
			return &places->list[i];
	return NULL;
}

/* Puts a copy into the list, for the one of the same path if there is one. False without memory. */
static bool put(struct lesson_places *places, const struct lesson_place *place)
{
	struct lesson_place *old = find(places, place->path), copy = *place;
	copy.path = strdup(place->path);
	copy.answers = strdup(place->answers);
	const bool good = copy.path && copy.answers &&
	                  (old || array_grow(&places->list, places->count, 1, sizeof copy));
	if (!good) {
		free_place(&copy);
		return false;
	}
	if (!old)
		old = &places->list[places->count++];
	else
		free_place(old);
	*old = copy;
	return true;
}

/* ---- the file ---- */

static void write_all(const struct model *m, FILE *out)
{
	const struct lesson_places *places = &lesson_of(m)->places;
	fprintf(out, "%s\n", heading);
	for (const struct lesson_place *p = places->list; p < places->list + places->count; p++)
		if (!strchr(p->path, '\n')) /* a line has no room for it */
			fprintf(out, "%s %zu %s %s\n", p->finished ? "finished" : "begun",
			        p->step + 1, p->answers, p->path);
}

static bool read_line(char *line, struct lesson_place *out)
{
	char *rest = line, *end;
	const char *word = strsep(&rest, " "), *step = strsep(&rest, " ");
	*out = (struct lesson_place){.finished = !strcmp(word, "finished")};
	out->answers = strsep(&rest, " ");
	out->path = rest;
	const bool has_step = step && *step >= '1' && *step <= '9';
	out->step = has_step ? strtoul(step, &end, 10) - 1 : 0;
	return (out->finished || !strcmp(word, "begun")) && has_step && !*end && rest && *rest &&
	       out->step < strlen(out->answers) &&
	       strspn(out->answers, ".+-?") == strlen(out->answers);
}

/* Reads what this program or another one has written last. What cannot be read is put aside, and
   what is known already stays. */
static void follow(struct model *m)
{
	struct lesson_places *places = &lesson_of(m)->places, found = {.file = places->file};
	struct el_error error;
	char *text = places->file.job ? NULL : kept_read(m, &places->file), *rest = text;
	enum el_status status = EL_OK;
	int number = 0;
	for (char *line; !status && (line = strsep(&rest, "\n"));) {
		struct lesson_place place;
		if (++number == 1 ? !strcmp(line, heading) : !*line)
			continue;
		if (number == 1 || !read_line(line, &place))
			status = el_fail(&error, EL_USAGE, "%s:%d: expected %s, found '%.20s'",
			                 places->file.path, number,
			                 number == 1
			                         ? heading
			                         : "begun or finished, a step, answers and a file",
			                 line);
		else if (!put(&found, &place))
			status = el_fail(&error, EL_MEMORY, "out of memory");
	}
	if (text && !status) {
		free_places(places);
		*places = found;
	} else {
		free_places(&found);
	}
	if (status)
		kept_put_aside(m, &places->file, &error);
	free(text);
}

enum el_status lesson_places_open(struct model *m, struct el_error *error)
{
	struct kept *file = &lesson_of(m)->places.file;
	(void)error;
	kept_open(m, file, "lessons", "Places in lessons");
	follow(m);
	/* The session, in the same folder, says so at the start. */
	if (kept_hindrance(file))
		file->path[0] = '\0';
	return EL_OK;
}

void lesson_places_close(struct lesson *l)
{
	free_place(&l->now);
	free_places(&l->places);
}

/* ---- the lessons ---- */

/* A built-in lesson has no other name. */
static void whole_path(const char *path, char out[PATH_MAX])
{
	if (lesson_built_in(path) || !realpath(path, out))
		snprintf(out, PATH_MAX, "%s", path);
}

/* Is it still the lesson that the answers were given to, as far as its steps tell? */
static bool fits(const struct lesson_place *place, const struct script *script)
{
	bool good = strlen(place->answers) == script->step_count;
	for (size_t i = 0; i < script->step_count && good; i++)
		good = place->answers[i] == '.' || script->steps[i].ask.kind;
	return good;
}

bool lesson_place(const struct model *m, const char *path, const struct script *script,
                  struct lesson_place *out)
{
	char whole[PATH_MAX];
	whole_path(path, whole);
	const struct lesson_place *found = find(&lesson_of(m)->places, whole);
	*out = found ? *found : (struct lesson_place){.path = NULL};
	return found && fits(found, script);
}

void lesson_place_begin(struct model *m, const char *path, const struct script *script)
{
	struct lesson_place *now = &lesson_of(m)->now, old;
	char whole[PATH_MAX];
	whole_path(path, whole);
	follow(m);
	const bool goes_on = lesson_place(m, path, script, &old) && old.step;
	free_place(now);
	*now = (struct lesson_place){.path = strdup(whole),
	                             .answers = calloc(1, script->step_count + 1),
	                             .step = goes_on ? old.step : 0,
	                             .finished = old.finished};
	if (!now->path || !now->answers) {
		free_place(now);
		model_fail(m, "out of memory");
	} else if (goes_on) {
		memcpy(now->answers, old.answers, script->step_count);
	} else {
		memset(now->answers, '.', script->step_count);
	}
}

void lesson_place_keep(struct model *m)
{
	struct lesson *l = lesson_of(m);
	const struct lesson_place none = {.answers = ""}, *now = &l->now,
				  *found = now->path ? find(&l->places, now->path) : NULL,
				  *old = found ? found : &none;
	if (!now->path)
		return;
	const bool is_same = old->step == now->step && old->finished == now->finished;
	/* A look at its beginning costs a lesson no score. */
	if (is_same &&
	    (!strcmp(old->answers, now->answers) || (!now->step && !strpbrk(now->answers, "+-?"))))
		return;
	follow(m);
	if (put(&l->places, now))
		kept_write_soon(m, &l->places.file, write_all, "");
	else
		model_fail(m, "out of memory");
}

bool lesson_score(const char *answers, char *out, size_t size)
{
	size_t right = 0, asked = 0;
	for (const char *a = answers; *a; a++) {
		right += *a == '+';
		asked += *a != '.';
	}
	snprintf(out, size, "%zu of %zu", right, asked);
	return strpbrk(answers, "+-");
}

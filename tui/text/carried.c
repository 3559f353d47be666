/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carried.h"

#include <string.h>

struct text_file {
	const char *file, *text;
};

static const struct text_file lessons[] = {
#include "lessons.inc"
};
static const struct text_file pages[] = {
#include "pages.inc"
};
static const struct text_file scripts[] = {
#include "scripts.inc"
};
static const struct sample samples[] = {
#include "samples.inc"
};
enum {
	LESSONS = sizeof lessons / sizeof *lessons,
	PAGES = sizeof pages / sizeof *pages,
	SAMPLES = sizeof samples / sizeof *samples,
};

const char *lesson_built_in(const char *path)
{
	static const char folder[] = LESSONS_BUILT_IN "/";
	const size_t length = sizeof folder - 1;
	for (size_t i = 0; i < LESSONS && !strncmp(path, folder, length); i++)
		if (!strcmp(lessons[i].file, path + length))
			return lessons[i].text;
	return NULL;
}

const char *lesson_built_in_file(size_t i)
{
	return i < LESSONS ? lessons[i].file : NULL;
}

const char *page_find(const char *name)
{
	const size_t length = strlen(name);
	for (size_t i = 0; i < PAGES; i++)
		if (!strncmp(pages[i].file, name, length) &&
		    (!pages[i].file[length] ||
		     pages[i].file + length == strrchr(pages[i].file, '.')))
			return pages[i].text;
	return NULL;
}

const char *page_file(size_t i)
{
	return i < PAGES ? pages[i].file : NULL;
}

const char *script_find(const char *shell)
{
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		if (!strcmp(strrchr(scripts[i].file, '.') + 1, shell))
			return scripts[i].text;
	return NULL;
}

const struct sample *sample_at(size_t i)
{
	return i < SAMPLES ? &samples[i] : NULL;
}

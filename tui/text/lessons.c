/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Makefile writes the files into lessons.inc. */
#include "lessons.h"

#include <string.h>

static const struct {
	const char *file, *text;
} files[] = {
#include "lessons.inc"
};
enum { FILES = sizeof files / sizeof *files };

const char *lesson_built_in(const char *path)
{
	static const char folder[] = LESSONS_BUILT_IN "/";
	const size_t length = sizeof folder - 1;
	if (strncmp(path, folder, length))
		return NULL;
	for (size_t i = 0; i < FILES; i++)
		if (!strcmp(files[i].file, path + length))
			return files[i].text;
	return NULL;
}

const char *lesson_built_in_file(size_t i)
{
	return i < FILES ? files[i].file : NULL;
}

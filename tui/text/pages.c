/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Makefile writes the files into pages.inc. */
#include "pages.h"

#include <string.h>

static const struct {
	const char *file, *text;
} files[] = {
#include "pages.inc"
};
enum { FILES = sizeof files / sizeof *files };

const char *page_find(const char *name)
{
	const size_t length = strlen(name);
	for (size_t i = 0; i < FILES; i++)
		if (!strncmp(files[i].file, name, length) &&
		    (!files[i].file[length] ||
		     files[i].file + length == strrchr(files[i].file, '.')))
			return files[i].text;
	return NULL;
}

const char *page_file(size_t i)
{
	return i < FILES ? files[i].file : NULL;
}

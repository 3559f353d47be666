/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of names in messages: "raw, zstd". */
#ifndef CODECS_NAMES_H
#define CODECS_NAMES_H

#include <stdio.h>
#include <string.h>

/* Appends a name to a list, cutting it where `size` ends. */
static inline void names_add(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);
	snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

#endif

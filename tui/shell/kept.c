/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kept.h"

#include "../text/places.h"
#include "../text/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void kept_open(const struct model *m, struct kept *k, const char *name, const char *what)
{
	const char *folder = shell_options(m)->state;
	k->what = what;
	if (!folder || snprintf(k->path, sizeof k->path, "%s/%s", folder, name) >= (int)sizeof k->path)
		k->path[0] = '\0';
}

/* *why: what keeps it from being read, as errno has it; 0 when there is nothing to be read. */
static char *read_file(const char *path, int *why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *in = fopen(path, "r");
	*why = in || errno == ENOENT || errno == ENOTDIR ? 0 : errno;
	if (!in)
		return NULL;
	errno = 0;
	if (getdelim(&text, &size, '\0', in) < 0) {
		*why = feof(in) ? 0 : errno;
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

char *kept_read(struct model *m, struct kept *k)
{
	int why = 0;
	char *text = *k->path ? read_file(k->path, &why) : NULL;
	if (!why)
		return text;
	model_fail(m, "%s cannot be read, so nothing will be kept: %s: %s", k->what, k->path,
	           strerror(why));
	k->path[0] = '\0';
	return NULL;
}

void kept_put_aside(struct model *m, const struct kept *k, const struct el_error *why)
{
	char aside[PATH_MAX + 8];
	snprintf(aside, sizeof aside, "%s.bad", k->path);
	const bool moved = !rename(k->path, aside);
	model_fail(m, "%s cannot be used: %s%s%s", k->what, why->text, moved ? ". It is kept in " : "",
	           moved ? aside : "");
}

enum el_status kept_write(const struct kept *k, void (*write)(const struct model *, FILE *),
                          const struct model *m, struct el_error *error)
{
	struct whole_file file;
	struct el_error inner;
	if (!*k->path)
		return EL_OK;
	place_make_folders(k->path);
	enum el_status status = whole_file_open(k->path, &file, &inner);
	if (!status) {
		write(m, file.stream);
		status = whole_file_close(&file, EL_OK, &inner);
	}
	return status ? el_fail(error, status, "%s cannot be kept: %s", k->what, inner.text) : EL_OK;
}

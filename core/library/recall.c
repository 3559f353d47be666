/* SPDX-License-Identifier: MIT */
#include "recall.h"

#include "core/os/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum el_status read_text(struct recall *r, struct el_error *error)
{
	struct input input;
	enum el_status status = input_open(r->path, &input, error);
	const size_t size =
		status || input.is.st_size > RECALL_BYTES ? 0 : (size_t)input.is.st_size;
	if (!status && !(r->text = calloc(size + 1, 1)))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", r->path);
	if (!status)
		status = input_read(&input, "what was found before", r->text, size, 0, error);
	input_close(&input);
	return status;
}

enum el_status recall_open(const char *path, struct recall *out, struct el_error *error)
{
	enum { TRIES = 5 }; /* others may be adding lines */
	enum el_status status = EL_IO;
	*out = (struct recall){.path = path};
	if (!path || access(path, F_OK))
		return EL_OK;
	for (unsigned i = 0; i < TRIES && status == EL_IO; i++) {
		recall_close(out);
		status = read_text(out, error);
	}
	if (status)
		return status;
	size_t room = 0;
	for (const char *at = out->text; (at = strchr(at, '\n')); at++)
		room++;
	out->lines = malloc((room + 1) * sizeof *out->lines);
	if (!out->lines)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	/* A line without its end was cut off and does not count. */
	for (char *at = out->text, *end; (end = strchr(at, '\n')); at = end + 1) {
		*end = '\0';
		out->lines[out->count++] = at;
	}
	qsort(out->lines, out->count, sizeof *out->lines, by_text);
	return EL_OK;
}

void recall_close(struct recall *r)
{
	free(r->text);
	free(r->lines);
	r->text = NULL;
	r->lines = NULL;
	r->count = 0;
}

bool recall_has(const struct recall *r, const char *line)
{
	return r->count && bsearch(&line, r->lines, r->count, sizeof line, by_text);
}

/* Opening the file reports a folder that could not be made. */
static void make_folders(const char *file)
{
	char *path = strdup(file);
	for (char *slash = path ? strchr(path + 1, '/') : NULL; slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	free(path);
}

enum el_status recall_add(const struct recall *r, const char *line, struct el_error *error)
{
	int fd;
	if (!r->path)
		return EL_OK;
	if (access(r->path, F_OK))
		make_folders(r->path);
	enum el_status status = output_open(r->path, O_APPEND, &fd, error);
	if (status)
		return status;
	struct stat is;
	char *ended;
	const int length = asprintf(&ended, "%s\n", line);
	if (length < 0) {
		close(fd);
		return el_fail(error, EL_MEMORY, "%s: out of memory", r->path);
	}
	const bool full = !fstat(fd, &is) && is.st_size > RECALL_BYTES;
	errno = ENOSPC; /* only a part was written */
	if ((full && ftruncate(fd, 0)) || write(fd, ended, (size_t)length) != length)
		status = el_fail(error, EL_IO, "%s: cannot write: %m", r->path);
	free(ended);
	close(fd);
	return status;
}

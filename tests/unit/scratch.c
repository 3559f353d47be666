/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void scratch_make(char out[SCRATCH_PATH])
{
	const char *base = getenv("TMPDIR");
	snprintf(out, SCRATCH_PATH, "%s/endlab-test-XXXXXX", base && *base ? base : "/tmp");
	assert_non_null(mkdtemp(out));
}

void scratch_remove(const char *directory)
{
	DIR *dir = opendir(directory);
	assert_non_null(dir);
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			unlinkat(dirfd(dir), e->d_name, 0);
	closedir(dir);
	assert_int_equal(rmdir(directory), 0);
}

size_t scratch_count(const char *directory, const char *part)
{
	DIR *dir = opendir(directory);
	assert_non_null(dir);
	size_t count = 0;
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir))
		count += strstr(e->d_name, part) != NULL;
	closedir(dir);
	return count;
}

/* ---- one file ---- */

struct scratch_path scratch_in(const char *directory, const char *name)
{
	struct scratch_path path;
	snprintf(path.text, sizeof path.text, "%s/%s", directory, name);
	return path;
}

bool scratch_has(const char *directory, const char *name)
{
	const struct scratch_path path = scratch_in(directory, name);
	return !access(path.text, F_OK);
}

void scratch_touch(const char *directory, const char *name)
{
	const struct scratch_path path = scratch_in(directory, name);
	FILE *f = fopen(path.text, "w");
	assert_non_null(f);
	fputs("left over", f);
	fclose(f);
}

static char *read_file(const char *directory, const char *name, size_t *size)
{
	const struct scratch_path path = scratch_in(directory, name);
	FILE *f = fopen(path.text, "rb");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	char *bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	return bytes;
}

void scratch_assert_same(const char *a, const char *b, const char *name)
{
	size_t size_a, size_b;
	char *bytes_a = read_file(a, name, &size_a), *bytes_b = read_file(b, name, &size_b);
	assert_int_equal(size_a, size_b);
	assert_memory_equal(bytes_a, bytes_b, size_a);
	free(bytes_a);
	free(bytes_b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files.h"
#include "trial.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

/* Repeats if a program at work in the folder makes files there meanwhile. */
void files_remove(const char *folder)
{
	for (int i = 0; i < ATTEMPTS && files_exist(folder); i++)
		nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Gives the name of a folder to a file, or to a new folder if `file` is null; repeats if a running
   program makes the folder itself. */
static void replace(const char *folder, const char *file)
{
	for (int i = 0;; i++) {
		files_remove(folder);
		if (!(file ? rename(file, folder) : mkdir(folder, 0777)))
			return;
		if ((errno != EEXIST && errno != EISDIR) || i == ATTEMPTS)
			trial_give_up("%s: %m", folder);
	}
}

void files_empty(const char *folder)
{
	replace(folder, NULL);
}

void files_replace(const char *folder, const char *file)
{
	replace(folder, file);
}

static char scratch[SCRATCH_PATH];
static pid_t maker;

/* A child that has not yet become the program just dies of the signal. */
static void leave(int number)
{
	if (getpid() != maker) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	files_remove(scratch);
	_exit(128 + number);
}

static void clean_up(void)
{
	if (getpid() == maker)
		files_remove(scratch);
}

void files_scratch(char *out, size_t size)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
	const char *base = getenv("TMPDIR");
	snprintf(scratch, sizeof scratch, "%s/endlab-trial-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(scratch))
		trial_give_up("%s: %m", scratch);
	snprintf(out, size, "%s", scratch);
	maker = getpid();
	atexit(clean_up);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], leave);
}

void files_each(const char *folder, bool (*visit)(void *context, const char *name), void *context)
{
	DIR *dir = opendir(folder);
	if (!dir)
		trial_give_up("%s: %m", folder);
	bool on = true;
	for (const struct dirent *e; on && (e = readdir(dir));)
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			on = visit(context, e->d_name);
	closedir(dir);
}

void files_walk(const char *folder, bool (*visit)(void *context, const char *path), void *context)
{
	char *const tops[] = {(char *)(uintptr_t)folder, NULL};
	FTS *tree = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!tree)
		trial_give_up("%s: %m", folder);
	bool on = true;
	for (const FTSENT *e; on && (e = fts_read(tree));)
		if (e->fts_level > 0 && e->fts_info != FTS_DP)
			on = visit(context, e->fts_path + strlen(folder) + 1);
	fts_close(tree);
}

/* ---- files ---- */

const char *files_path(const char *folder, const char *name)
{
	static char paths[16][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 16];
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

const char *files_kept_path(const char *folder, const char *name)
{
	static struct kept {
		struct kept *before;
		char path[];
	} * last;
	const char *path = files_path(folder, name);
	struct kept *kept = malloc(sizeof *kept + strlen(path) + 1);
	if (!kept)
		trial_give_up("out of memory");
	kept->before = last;
	last = kept;
	return strcpy(kept->path, path);
}

bool files_exist(const char *path)
{
	struct stat st;
	return !lstat(path, &st);
}

uint8_t *files_read(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	uint8_t *bytes = malloc(*size + 1);
	if (!bytes || fread(bytes, 1, *size, f) != *size)
		trial_give_up("%s: cannot read", path);
	bytes[*size] = 0;
	fclose(f);
	return bytes;
}

void files_write(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
		trial_give_up("%s: cannot write: %m", path);
}

void files_copy(const char *from, const char *to)
{
	size_t size;
	uint8_t *bytes = files_read(from, &size);
	if (!bytes)
		trial_give_up("%s: %m", from);
	files_write(to, bytes, size);
	free(bytes);
}

bool files_same(const char *a, const char *b)
{
	size_t size_a, size_b;
	uint8_t *bytes_a = files_read(a, &size_a), *bytes_b = files_read(b, &size_b);
	const bool same =
		bytes_a && bytes_b && size_a == size_b && !memcmp(bytes_a, bytes_b, size_a);
	free(bytes_a);
	free(bytes_b);
	return same;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a trial. A failure ends it. */
#ifndef TESTS_TRIAL_FILES_H
#define TESTS_TRIAL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A new folder under $TMPDIR, removed when the trial ends, even by a signal. */
void files_scratch(char *out, size_t size);
/* Removes a folder with everything in it; makes it, or makes it empty. */
void files_remove(const char *folder);
void files_empty(const char *folder);
/* Removes a folder and gives its name to a file. */
void files_replace(const char *folder, const char *file);

/* FOLDER/NAME; valid for the next 16 calls. */
const char *files_path(const char *folder, const char *name);
/* The same, valid for ever. */
const char *files_kept_path(const char *folder, const char *name);
bool files_exist(const char *path);
/* A whole file, malloc'ed with room for a zero byte behind it; null if it cannot be read. */
uint8_t *files_read(const char *path, size_t *size);
void files_write(const char *path, const void *bytes, size_t size);
void files_copy(const char *from, const char *to);
bool files_same(const char *a, const char *b);

/* Calls `visit` with the path, relative to the folder, of each file and folder below it until it
   returns false. */
void files_walk(const char *folder, bool (*visit)(void *context, const char *path), void *context);
/* Calls `visit` with each name in a folder except . and .. until it returns false. */
void files_each(const char *folder, bool (*visit)(void *context, const char *name), void *context);

#endif

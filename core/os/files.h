/* SPDX-License-Identifier: MIT */
/*
 * Files in folders of tables, which may contain anything: only regular files are opened, and
 * nothing is written through a symbolic link.
 */
#ifndef CORE_OS_FILES_H
#define CORE_OS_FILES_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * A file that is read a piece at a time. It has no descriptor of its own, because a library may
 * hold more tables than a process may open files: those read last are kept open, at most 64;
 * the others are reopened for each piece, and recognised by inode, size and date. The struct must
 * not move in memory until it is closed.
 */
struct input {
	char *path;     /* owned; null: not open */
	struct stat is; /* when it was opened */
};

/* The same file, by inode, size and date? */
bool file_is_same(const struct stat *, const struct stat *);
/* Fails with EL_IO, and says what the file is instead of a regular file, by its mode. */
enum el_status file_not_regular(const char *path, mode_t mode, struct el_error *);

/* EL_IO, also if it is not a regular file, which is then not opened at all. Call input_close in any
   case. */
enum el_status input_open(const char *path, struct input *out, struct el_error *);
void input_close(struct input *);

/* Reads exactly `size` bytes. EL_DAMAGED if the file ends early; EL_IO if it cannot be read or has
   been replaced. Errors name the file and `what` is being read. Any number of threads. */
enum el_status input_read(const struct input *, const char *what, void *out, size_t size,
                          uint64_t offset, struct el_error *);

/* Closes the descriptor kept for an input, which nobody may be reading; for null, all that are not in
   use. */
void descriptors_close(const struct input *);

/* Writes (`out`) or reads `size` bytes at offset `at` of a file. False on failure, with errno
   set. */
bool file_transfer(int fd, void *bytes, size_t size, uint64_t at, bool out);

/* Opens one of our files for writing; adds O_RDWR and O_CREAT to `flags`. EL_IO, also for a
   symbolic link or anything else that is not a regular file. */
enum el_status output_open(const char *path, int flags, int *fd, struct el_error *);

/* Syncs the folder of a file, so that its new name is on disk as well; some file systems cannot do
   this and do not need it. EL_IO. */
enum el_status file_sync_folder(const char *path, struct el_error *);

/* Bytes that this process may still write to a folder's disk; UINT64_MAX: the system does not say. */
uint64_t disk_free(const char *folder);

/* Creates a directory and its parents, where missing. */
enum el_status directory_make(const char *path, struct el_error *);

#endif

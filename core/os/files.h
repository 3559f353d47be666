/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files in folders of tables, where anything may lie: only regular files are opened, and nothing is
 * written through a symbolic link.
 */
#ifndef CORE_OS_FILES_H
#define CORE_OS_FILES_H

#include "endlab/status.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * A file that is read a piece at a time. It has no descriptor of its own, because a library may
 * hold more tables than a process may open files: those that were read last are kept open
 * (descriptors.h), and the others are opened for each piece, and known again by inode, size and
 * date. It stays where it is in memory until it is closed.
 */
struct input {
	char *path;     /* owned; null: not open */
	struct stat is; /* when it was opened */
};

/* EL_IO with what it is instead of a regular file, by its mode. */
enum el_status file_not_regular(const char *path, mode_t mode, struct el_error *);

/* EL_IO, also when it is no regular file, which then is not opened at all. input_close in any
   case. */
enum el_status input_open(const char *path, struct input *out, struct el_error *);
void input_close(struct input *);

/* Reads exactly `size` bytes. EL_DAMAGED when the file ends before; EL_IO when it cannot be read or
   has been replaced. Errors say `what` is being read, with the file's name. Any number of threads.
 */
enum el_status input_read(const struct input *, const char *what, void *out, size_t size,
                          uint64_t offset, struct el_error *);

/* Opens a file of ours for writing, O_RDWR and O_CREAT among `flags`, and says where it cannot.
   EL_IO, also for a symbolic link or anything else that is no regular file. */
enum el_status output_open(const char *path, int flags, int *fd, struct el_error *);

/* Syncs the folder that a file is in, so that its new name is on the disk as well; some file
   systems cannot, and need not. EL_IO. */
enum el_status file_sync_folder(const char *path, struct el_error *);

/* Creates a directory, with those above it, where it is missing. */
enum el_status directory_make(const char *path, struct el_error *);

#endif

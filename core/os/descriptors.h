/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pool of descriptors that stay open between reads: those of the files read last. There is one
 * per process, like the limit on open files. Any number of threads.
 */
#ifndef CORE_OS_DESCRIPTORS_H
#define CORE_OS_DESCRIPTORS_H

struct descriptor; /* an open file that somebody uses */

/* This owner's file if it is still open, else null. Give it back soon. */
struct descriptor *descriptor_take(const void *owner);
/* Keeps a file opened for an owner, in use as if it had been taken. Null, with the descriptor left
   to the caller to close, if all places are in use. */
struct descriptor *descriptor_keep(const void *owner, int fd);
int descriptor_number(const struct descriptor *);
void descriptor_give_back(struct descriptor *);

/* Closes the file of an owner, which nobody may be using; for a null owner, all files that are not
   in use. */
void descriptors_close(const void *owner);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The few descriptors that stay open between reads: those of the files that were read last. They
 * belong to the process, as the limit on them does. Any number of threads.
 */
#ifndef CORE_OS_DESCRIPTORS_H
#define CORE_OS_DESCRIPTORS_H

struct descriptor; /* an open file that somebody uses */

/* The file of this owner if it is still open, else null. Give it back soon. */
struct descriptor *descriptor_take(const void *owner);
/* Keeps a file that was opened for an owner, in use as if it had been taken. Null, with the
   descriptor still the caller's to close, if all that can be kept are in use. */
struct descriptor *descriptor_keep(const void *owner, int fd);
int descriptor_number(const struct descriptor *);
void descriptor_give_back(struct descriptor *);

/* Closes the file of an owner, which nobody may be using; if it is null, all files that are not in
   use. */
void descriptors_close(const void *owner);

#endif

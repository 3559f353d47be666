/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The few descriptors that stay open between two reads, of the files that were read last. They belong
 * to the process, as its limit does. Any number of threads.
 */
#ifndef STORE_DESCRIPTORS_H
#define STORE_DESCRIPTORS_H

struct descriptor; /* an open file that somebody uses */

/* The file of this owner, if it is still open; null when it is not. Give it back soon. */
struct descriptor *descriptor_take(const void *owner);
/* Keeps a file that was opened for an owner, in use as if it had been taken; null, and the descriptor is
   the caller's to close, when as many are in use as are kept. */
struct descriptor *descriptor_keep(const void *owner, int fd);
int descriptor_number(const struct descriptor *);
void descriptor_give_back(struct descriptor *);

/* Closes the files of an owner, which nobody may be using; of all that are not in use when it is null. */
void descriptors_close(const void *owner);

#endif

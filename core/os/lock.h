/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lock on a table is a small file beside it, DIRECTORY/.endlab-claim-KQvKR.dtm, which
 * exists from before the table is begun until it is done. Of several builds in one folder, on one
 * machine or many, one then makes the table and the others wait for it.
 *
 *     lock_take -> make the table -> lock_release
 *
 * The file appears complete and with its holder's flock() on it (as a link to a temporary file),
 * and names the host, the process and the kernel's boot. Two things show that the holder lives: the
 * flock, which disappears when a process of this machine dies, however it does; and the file's
 * date, which a thread of the holder renews. Only the date counts where a file system's flocks do
 * not reach other machines. Clocks are never compared with each other: a lock is stale when its
 * date has not changed while somebody has been watching it for LOCK_STALE_SECONDS.
 */
#ifndef CORE_OS_LOCK_H
#define CORE_OS_LOCK_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum {
	LOCK_STALE_SECONDS =
		180, /* without a sign of life; long enough for caches of file attributes */
	LOCK_WHO_MAX = 160,
};

struct lock;

/* Somebody else's lock, as it was last seen. All zero at first. */
struct lock_sight {
	char who[LOCK_WHO_MAX]; /* "host, process 4711" */
	bool stale;             /* its holder was dead, and lock_take took the lock over */
	dev_t device;
	ino_t inode;
	struct timespec beat; /* its date */
	double since;         /* when the date was first seen: clock_seconds */
};

/* The path of the lock on a table with this path; it needs up to 32 bytes more than that. */
void lock_path(const char *table, char *out, size_t size);
/* Is this the name (without folders) of a lock? */
bool lock_named(const char *name);

/*
 * EL_OK: the lock is the caller's until lock_release; if it was a stale one, `sight` says whose.
 * EL_NEGATIVE, without text: somebody else holds it, as `sight` says; calling again later with the
 * same `sight` finds out whether they still live. `patience`, in seconds, is LOCK_STALE_SECONDS
 * except in tests. EL_IO, EL_MEMORY.
 */
enum el_status lock_take(const char *path, double patience, struct lock_sight *sight,
                         struct lock **out, struct el_error *);
/* Removes the file, unless the lock has become somebody else's. Null is allowed. */
void lock_release(struct lock *);

/* Removes a file with the name of a lock if its table exists and its holder, a process of this
   machine, was killed just before it released the lock. Other dead locks are found when their
   tables are made. */
void lock_sweep(const char *folder, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The lock on a table is a small file beside it, DIRECTORY/.endlab-claim-KQvKR.dtm, which exists
 * while the table is being made. If several builds run in one folder, on one machine or many, one
 * makes the table and the others wait for it.
 *
 *     lock_take -> make the table -> lock_release
 *
 * The file appears complete and with its holder's flock() on it (as a link to a temporary file),
 * and names the host, the process and the kernel's boot. Two things show that the holder is alive:
 * the flock, which disappears when a process of this machine dies, for whatever reason; and the
 * file's date, which a thread of the holder renews. On file systems whose flocks do not reach other
 * machines, only the date counts. Clocks are never compared with each other: a lock is stale if its
 * date has not changed during LOCK_STALE_SECONDS of watching.
 */
#ifndef CORE_OS_LOCK_H
#define CORE_OS_LOCK_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum {
	LOCK_STALE_SECONDS =
		180, /* without a sign of life; longer than caches of file attributes live */
	LOCK_WHO_MAX = 160,
};

struct lock;

/* Somebody else's lock, as last seen. Initially all zero. */
struct lock_sight {
	char who[LOCK_WHO_MAX]; /* "host, process 4711" */
	bool stale;             /* its holder was dead, and lock_take took it over */
	dev_t device;
	ino_t inode;
	struct timespec beat; /* the file's date */
	double since;         /* when the date was first seen: clock_seconds */
};

/* Writes the path of the lock on a table, up to 32 bytes longer than the table's path. */
void lock_path(const char *table, char *out, size_t size);
/* Is this the name (without folders) of a lock? */
bool lock_named(const char *name);

/*
 * EL_OK: the caller holds the lock until lock_release; if it replaced a stale one, `sight` says
 * whose. EL_NEGATIVE, without text: somebody else holds it, as `sight` says; call again later with
 * the same `sight` to find out whether they are still alive. `patience`, in seconds, is
 * LOCK_STALE_SECONDS except in tests. EL_IO, EL_MEMORY.
 */
enum el_status lock_take(const char *path, double patience, struct lock_sight *sight,
                         struct lock **out, struct el_error *);
/* Removes the file, unless somebody else has taken the lock over. Null is allowed. */
void lock_release(struct lock *);

/* Removes a lock, by file name, if its table exists and its holder, a process of this machine, was
   killed just before releasing it. Other dead locks are found when their tables are made. */
void lock_sweep(const char *folder, const char *name);

#endif

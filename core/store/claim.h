/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who makes a table: a claim is a small file beside it, DIRECTORY/.endlab-claim-KQvKR.dtm, there from
 * before the table is begun until it is done, so that of several builds in one folder, on one machine
 * or many, one makes the table and the others wait for it.
 *
 *     claim_take -> make the table -> claim_release
 *
 * The file appears whole, with its holder's lock on it (a link to a temporary file), and tells the
 * host, the process and the kernel's boot. Two things say that the holder lives: the lock, which goes
 * when a process of this machine dies, however it does; and the file's date, which a thread of the
 * holder renews. The date alone counts where a file system's locks do not reach other machines. No
 * clock is compared with another one: a claim is stale when its date has not changed for CLAIM_SECONDS
 * of the time that whoever waits has been watching it, so it does not matter what clocks show.
 */
#ifndef STORE_CLAIM_H
#define STORE_CLAIM_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum {
	CLAIM_SECONDS = 180, /* without a sign of life: long enough for caches of file attributes */
	CLAIM_WHO_MAX = 160,
};

struct claim;

/* Somebody else's claim, as it was last seen. All zero at first. */
struct claim_sight {
	char who[CLAIM_WHO_MAX]; /* "host, process 4711" */
	bool stale;              /* its holder is dead: claim_take took the claim over */
	dev_t device;
	ino_t inode;
	struct timespec beat;    /* its date */
	double since;            /* when the date was first seen: clock_seconds */
};

/* The path of the claim on a table with this path. `size` as of the path and 32 more. */
void claim_path(const char *table, char *out, size_t size);
/* Is this the name (without folders) of a claim? */
bool claim_named(const char *name);

/*
 * EL_OK: the claim is the caller's until claim_release; `sight` tells whose stale one it was.
 * EL_NEGATIVE, without words: somebody else holds it, whom `sight` tells; asked again later, with the
 * same `sight`, it finds out whether they still live: `patience`, in seconds, is CLAIM_SECONDS but in
 * tests. EL_IO, EL_MEMORY.
 */
enum el_status claim_take(const char *path, double patience, struct claim_sight *sight,
                          struct claim **out, struct el_error *);
/* Removes the file, unless it has become somebody else's. Null is allowed. */
void claim_release(struct claim *);

/* Removes a file with the name of a claim when its table is there, and its holder, a process of this
   machine, was killed just before it let go. Other dead claims are found when their tables are made. */
void claim_sweep(const char *folder, const char *name);

#endif

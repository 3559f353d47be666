/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who makes a table. A claim is a small file beside it, DIRECTORY/.endlab-claim-KQvKR.dtm, which
 * exists from before the table is begun until it is done. Of several builds in one folder, on one
 * machine or many, one then makes the table and the others wait for it.
 *
 *     claim_take -> make the table -> claim_release
 *
 * The file appears complete and with its holder's lock on it (as a link to a temporary file), and
 * names the host, the process and the kernel's boot. Two things show that the holder lives: the
 * lock, which disappears when a process of this machine dies, however it does; and the file's date,
 * which a thread of the holder renews. Only the date counts where a file system's locks do not
 * reach other machines. Clocks are never compared with each other: a claim is stale when its date
 * has not changed while somebody has been watching it for CLAIM_SECONDS.
 */
#ifndef CORE_OS_CLAIM_H
#define CORE_OS_CLAIM_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum {
	CLAIM_SECONDS = 180, /* without a sign of life; long enough for caches of file attributes */
	CLAIM_WHO_MAX = 160,
};

struct claim;

/* Somebody else's claim, as it was last seen. All zero at first. */
struct claim_sight {
	char who[CLAIM_WHO_MAX]; /* "host, process 4711" */
	bool stale;              /* its holder was dead, and claim_take took the claim over */
	dev_t device;
	ino_t inode;
	struct timespec beat; /* its date */
	double since;         /* when the date was first seen: clock_seconds */
};

/* The path of the claim on a table with this path; it needs up to 32 bytes more than that. */
void claim_path(const char *table, char *out, size_t size);
/* Is this the name (without folders) of a claim? */
bool claim_named(const char *name);

/*
 * EL_OK: the claim is the caller's until claim_release; if it was a stale one, `sight` says whose.
 * EL_NEGATIVE, without text: somebody else holds it, as `sight` says; calling again later with the
 * same `sight` finds out whether they still live. `patience`, in seconds, is CLAIM_SECONDS except
 * in tests. EL_IO, EL_MEMORY.
 */
enum el_status claim_take(const char *path, double patience, struct claim_sight *sight,
                          struct claim **out, struct el_error *);
/* Removes the file, unless the claim has become somebody else's. Null is allowed. */
void claim_release(struct claim *);

/* Removes a file with the name of a claim if its table exists and its holder, a process of this
   machine, was killed just before it released the claim. Other dead claims are found when their
   tables are made. */
void claim_sweep(const char *folder, const char *name);

#endif

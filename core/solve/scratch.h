/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages in memory, as far as a budget goes; the others lie compressed in a scratch file.
 *
 *     scratch_open                       the budget, and the file
 *       paged_open ... paged_close       arrays within it (paged.h)
 *     scratch_close
 *
 * Failures are kept: whoever is refused a page goes on without it, and the next scratch_check says why.
 */
#ifndef ENDLAB_SOLVE_SCRATCH_H
#define ENDLAB_SOLVE_SCRATCH_H

#include "endlab/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCRATCH_UNLIMITED UINT64_MAX

struct scratch;

/* Pages take `budget` bytes of memory at most, but for those in use at once. The file is made in
   `folder` when the first page goes there, and has no name. */
enum el_status scratch_open(const char *folder, uint64_t budget, struct scratch **, struct el_error *);
void scratch_close(struct scratch *); /* null is allowed */
/* EL_MEMORY, EL_IO: the first failure since it was opened. */
enum el_status scratch_check(struct scratch *, struct el_error *);
/* From now on pages take so much memory at most. Nobody uses any. */
void scratch_limit(struct scratch *, uint64_t budget);
/* Gives memory back to the system that no page has now: what is free lies between what is not, and would
   count all the same. */
void scratch_tidy(struct scratch *);
/* Notes that there was no memory for an array, or a page of it. */
void scratch_refuse(struct scratch *);
/* A file in a folder, without a name; -1, with errno. */
int scratch_file(const char *folder);
/* Writes all of these bytes to a place of a file (`out`), or reads them. False, with errno. */
bool scratch_transfer(int fd, void *bytes, size_t size, uint64_t at, bool out);

/* ---- for paged.c ---- */

struct page {
	void *bytes;     /* null: not in memory */
	bool filled;     /* else it is empty */
	bool dirty;      /* the file does not have it as it is */
	bool busy;       /* on its way from or to the file */
	uint32_t users;
	uint32_t stored; /* bytes in the file; 0: none */
	uint64_t place;  /* in the file */
	size_t resident; /* its number among those in memory that may go */
};

struct scratch {
	const char *folder; /* owned */
	uint64_t budget;
	int fd; /* -1: none yet */
	pthread_mutex_t lock;
	pthread_cond_t arrived; /* some page is no longer busy */
	uint64_t end;           /* of the places that have been given out */
	uint64_t memory;        /* bytes of pages in memory */
	uint64_t spare_bytes;   /* of memory that no page has */
	struct spare *spare;    /* owned */
	struct packer *packers; /* that nobody uses; owned */
	uint64_t random;
	struct page **resident; /* pages in memory, in no order; owned */
	size_t resident_count, resident_room;
	size_t *size_of;        /* beside: of each */
	struct el_error error;
	enum el_status failed;
};

/* Memory for a page of an array without a budget; freed by free. No lock. */
void *scratch_memory(size_t size);

/* With the lock held, as all that follow. The first failure counts. */
void scratch_fail(struct scratch *, enum el_status, const char *what);
/* Memory for a page that has none, within the budget. The page is busy; the lock is left for a while. */
bool scratch_bring(struct scratch *, struct page *, size_t size);
/* Fills a page that is busy from the file; the lock is left meanwhile. */
bool scratch_read_in(struct scratch *, const struct page *, size_t size);
/* Takes the memory of a page that nobody uses back, if it has any. */
void scratch_free(struct scratch *, struct page *);

#endif

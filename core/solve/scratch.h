/* SPDX-License-Identifier: MIT */
/*
 * Keeps pages in memory within a budget, and the others in a scratch file, compressed, with a
 * checksum: what the disk gives back is what was written, or a failure.
 *
 *     scratch_open                       the budget, and the file
 *       paged_open ... paged_close       arrays within it (paged.h)
 *     scratch_close
 *
 * Failures are sticky: a caller that does not get a page goes on without it, and the next
 * scratch_check gives the reason.
 */
#ifndef CORE_SOLVE_SCRATCH_H
#define CORE_SOLVE_SCRATCH_H

#include "core/games/sets.h"
#include "endlab/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCRATCH_UNLIMITED UINT64_MAX

struct scratch;

/* Pages take at most `budget` bytes of memory, unless more are in use at once. The first page that
   leaves memory creates the file, which has no name, in `folder`. */
enum el_status scratch_open(const char *folder, uint64_t budget, struct scratch **,
                            struct el_error *);
void scratch_close(struct scratch *); /* null is allowed */
/* EL_MEMORY, EL_IO: the first failure since the scratch was opened. */
enum el_status scratch_check(struct scratch *, struct el_error *);
/* Changes the budget. No page may be in use. */
void scratch_limit(struct scratch *, uint64_t budget);
/* Returns spare memory to the system: it is scattered among pages, and would otherwise still count
   as the program's. */
void scratch_tidy(struct scratch *);
/* Records a failure: there was no memory for an array or a page. */
void scratch_refuse(struct scratch *);

/* ---- for paged.c ---- */

struct page {
	void *bytes; /* null: not in memory */
	size_t size; /* of the page, in bytes */
	bool filled; /* false: empty */
	bool dirty;  /* changed since it was written to the file */
	bool busy;   /* being read from or written to the file */
	uint32_t users;
	uint32_t stored; /* bytes in the file; 0: not there */
	uint64_t place;  /* offset in the file */
	/* Bits cleared since the page was written to the file, which does not have this yet; none if
	   it is dirty. Owned */
	struct el_word *cleared;
	size_t cleared_count;
	size_t resident; /* index in scratch.resident */
};

struct scratch {
	const char *folder; /* owned */
	uint64_t budget;
	int fd; /* -1: none yet */
	pthread_mutex_t lock;
	pthread_cond_t arrived; /* signalled when a page is no longer busy */
	uint64_t end;           /* end of the file: the offset for the next page */
	uint64_t memory;        /* bytes of pages in memory, and of what was cleared in others */
	uint64_t spare_bytes;   /* bytes of spare memory */
	struct spare *spare;    /* page memory that no page uses; owned */
	struct packer *packers; /* idle compressors; owned */
	uint64_t random;
	struct page **resident; /* pages in memory that may leave it, in no order; owned */
	size_t resident_count;
	struct el_error error;
	enum el_status failed;
};

/* Memory for a page of an array that is not limited; free() frees it. Takes no lock. */
void *scratch_memory(size_t size);

/* Records a failure, unless there was one before. For this and all functions below, the caller
   holds the lock. */
void scratch_fail(struct scratch *, enum el_status, const char *what);
/* Gets memory within the budget for a busy page that has none. May release the lock for a
   while. */
bool scratch_bring(struct scratch *, struct page *);
/* Fills a busy page from the file, without the lock meanwhile. */
bool scratch_read_in(struct scratch *, const struct page *);
/* Frees the memory of a page that is not in use, if it has any. */
void scratch_free(struct scratch *, struct page *);
/* Remembers what was cleared in a page that is not dirty. */
void scratch_note(struct scratch *, struct page *, const struct el_word *, size_t count);
/* Forgets it. */
void scratch_forget(struct scratch *, struct page *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages in memory as far as a budget goes, and the others compressed in a scratch file.
 *
 *     scratch_open                       the budget, and the file
 *       paged_open ... paged_close       arrays within it (paged.h)
 *     scratch_close
 *
 * Failures are kept: whoever does not get a page goes on without it, and the next scratch_check
 * says why.
 */
#ifndef CORE_SOLVE_SCRATCH_H
#define CORE_SOLVE_SCRATCH_H

#include "endlab/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCRATCH_UNLIMITED UINT64_MAX

struct scratch;

/* Pages take at most `budget` bytes of memory, unless more are in use at once. The file, which has
   no name, is made in `folder` when the first page goes there. */
enum el_status scratch_open(const char *folder, uint64_t budget, struct scratch **,
                            struct el_error *);
void scratch_close(struct scratch *); /* null is allowed */
/* EL_MEMORY, EL_IO: the first failure since the scratch was opened. */
enum el_status scratch_check(struct scratch *, struct el_error *);
/* Changes the budget, while nobody is using a page. */
void scratch_limit(struct scratch *, uint64_t budget);
/* Gives memory that no page has back to the system: it lies scattered among pages, and would still
   count as the program's. */
void scratch_tidy(struct scratch *);
/* Notes as a failure that there was no memory for an array or a page. */
void scratch_refuse(struct scratch *);
/* Opens a file without a name in a folder. -1 on failure, with errno set. */
int scratch_file(const char *folder);
/* Writes (`out`) or reads all of these bytes at an offset of a file. False on failure, with errno
   set. */
bool scratch_transfer(int fd, void *bytes, size_t size, uint64_t at, bool out);

/* ---- for paged.c ---- */

struct page {
	void *bytes; /* null: not in memory */
	bool filled; /* else it is empty */
	bool dirty;  /* changed since it was written to the file */
	bool busy;   /* being read from or written to the file */
	uint32_t users;
	uint32_t stored; /* bytes in the file; 0: none */
	uint64_t place;  /* in the file */
	size_t resident; /* its place in scratch.resident */
};

struct scratch {
	const char *folder; /* owned */
	uint64_t budget;
	int fd; /* -1: none yet */
	pthread_mutex_t lock;
	pthread_cond_t arrived; /* signalled when a page is no longer busy */
	uint64_t end;           /* of the file: where the next page may go */
	uint64_t memory;        /* bytes of pages in memory */
	uint64_t spare_bytes;   /* of memory that no page has */
	struct spare *spare;    /* owned */
	struct packer *packers; /* compressors that nobody is using; owned */
	uint64_t random;
	struct page **resident; /* pages in memory that may leave it, in no order; owned */
	size_t resident_count;
	size_t *size_of; /* of each of these, in bytes; owned */
	struct el_error error;
	enum el_status failed;
};

/* Memory for a page of an array that is not limited; free() frees it. Takes no lock. */
void *scratch_memory(size_t size);

/* Notes a failure, unless there was one before. The lock is held, here and in all that follow. */
void scratch_fail(struct scratch *, enum el_status, const char *what);
/* Gets memory within the budget for a page that has none and is busy. Releases the lock for a
   while. */
bool scratch_bring(struct scratch *, struct page *, size_t size);
/* Fills a busy page from the file, with the lock released meanwhile. */
bool scratch_read_in(struct scratch *, const struct page *, size_t size);
/* Takes back the memory of a page that nobody is using, if it has any. */
void scratch_free(struct scratch *, struct page *);

#endif

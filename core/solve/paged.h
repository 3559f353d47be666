/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays that need not be in memory: pages of one size, which stay there as far as a budget goes; the
 * others lie compressed in a scratch file. A page that nobody has written to is empty and takes no
 * room anywhere.
 *
 *     scratch_open                       the budget, and the file
 *       paged_open                       an array within it
 *         page_read or page_write, page_release
 *       paged_close
 *     scratch_close
 *
 * Different pages may be used by several threads at once, and one page be read by several.
 * Failures are kept: whoever is refused a page goes on without it, and the next scratch_check says why.
 */
#ifndef ENDLAB_SOLVE_PAGED_H
#define ENDLAB_SOLVE_PAGED_H

#include "endlab/status.h"

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
/* Notes that there was no memory for an array, or a page of it. */
void scratch_refuse(struct scratch *);
/* A file in a folder, without a name; -1, with errno. */
int scratch_file(const char *folder);
/* Writes all of these bytes to a place of a file (`out`), or reads them. False, with errno. */
bool scratch_transfer(int fd, void *bytes, size_t size, uint64_t at, bool out);

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

struct paged {
	struct scratch *scratch;
	struct page *page; /* `count`; owned */
	size_t count, size; /* `size`: bytes of a page */
	bool limited;
	/* Where pages come from that are never written to; else null. */
	enum el_status (*load)(void *context, size_t page, void *bytes, struct el_error *);
	void *context;
};

/* EL_MEMORY, without words. An array that is all zeros may be closed. */
enum el_status paged_open(struct paged *, struct scratch *, size_t count, size_t size);
/* Of pages that are there from the start: `load` fetches one, whenever it is not in memory. */
enum el_status paged_open_from(struct paged *, struct scratch *, size_t count, size_t size,
                               enum el_status (*load)(void *, size_t, void *, struct el_error *),
                               void *context);
void paged_close(struct paged *);

static inline bool page_filled(const struct paged *p, size_t page)
{
	return p->page[page].filled;
}

void *page_fetch(struct paged *, size_t page);      /* of a limited array; see page_read */
void page_give_back(struct paged *, size_t page);
/* To be written from the start: its contents are undefined. Null: refused. */
void *page_new(struct paged *, size_t page);
/* As it is, zeros where it was empty, to be changed. Null: refused. */
void *page_write(struct paged *, size_t page);
/* Makes it empty; nobody uses it. */
void page_drop(struct paged *, size_t page);
/* to = from, from = empty; both of one scratch and one size, and used by nobody. */
void page_move(struct paged *from, struct paged *to, size_t page);

/* Null: empty, or refused. */
static inline const void *page_read(struct paged *p, size_t page)
{
	if (!p->page[page].filled)
		return NULL;
	return p->limited ? page_fetch(p, page) : p->page[page].bytes;
}

/* After page_read, page_new and page_write, unless these gave null. */
static inline void page_release(struct paged *p, size_t page)
{
	if (p->limited)
		page_give_back(p, page);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays that need not be in memory: pages of one size, which stay there as far as the budget of a scratch
 * goes. A page that nobody has written to is empty and takes no room anywhere. Different pages may be
 * used by several threads at once, and one page be read by several.
 */
#ifndef ENDLAB_SOLVE_PAGED_H
#define ENDLAB_SOLVE_PAGED_H

#include "scratch.h"

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

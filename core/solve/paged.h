/* SPDX-License-Identifier: MIT */
/*
 * Arrays that need not be in memory. They consist of pages, which stay in memory as long as the budget
 * of a scratch allows. A page never written to is empty and takes no room.
 * Several threads may use different pages at once, and read the same one.
 */
#ifndef CORE_SOLVE_PAGED_H
#define CORE_SOLVE_PAGED_H

#include "scratch.h"

struct paged {
	struct scratch *scratch;
	struct page *page; /* `count`; owned */
	size_t count;
	bool limited; /* the scratch has a budget: pages may leave memory */
	/* Fetches a page of a read-only array; else null. */
	enum el_status (*load)(void *context, size_t page, void *bytes, struct el_error *);
	void *context;
};

/* An array of pages of `size` bytes. EL_MEMORY, without text. An array of all zeros may be closed. */
enum el_status paged_open(struct paged *, struct scratch *, size_t count, size_t size);
/* An array for a set of positions: a page for each unit. */
enum el_status paged_open_set(struct paged *, struct scratch *, const struct el_sets *);
/* A read-only array: `load` fetches a page whenever it is not in memory. */
enum el_status paged_open_from(struct paged *, struct scratch *, size_t count, size_t size,
                               enum el_status (*load)(void *, size_t, void *, struct el_error *),
                               void *context);
void paged_close(struct paged *);

static inline bool page_filled(const struct paged *p, size_t page)
{
	return p->page[page].filled;
}

/* For limited arrays; called by page_read and page_release. */
void *page_fetch(struct paged *, size_t page);
void page_give_back(struct paged *, size_t page);
/* A page for the caller to write in full: its contents are undefined. Null: out of memory. */
void *page_new(struct paged *, size_t page);
/* Writes a page in full. */
void page_put(struct paged *, size_t page, const void *bytes);
/* A page for the caller to change; zeros if it was empty. Null: no memory, or it cannot be read. */
void *page_write(struct paged *, size_t page);
/* Clears bits of a page of words that nobody is using. If they are few, the page stays where it is, in
   memory or not, and is not written again: they are cleared whenever it is read. */
void page_clear(struct paged *, size_t page, const struct el_word *, size_t count);
/* Empties a page that nobody is using. `page_empty` may keep its memory, for a page that will soon
   be filled again. */
void page_drop(struct paged *, size_t page);
void page_empty(struct paged *, size_t page);
/* Moves a page to another array of the same scratch and page size, and leaves an empty one. Neither
   page may be in use. */
void page_move(struct paged *from, struct paged *to, size_t page);

/* Null: the page is empty, or there is no memory, or it cannot be read (scratch_check). */
static inline const void *page_read(struct paged *p, size_t page)
{
	if (!p->page[page].filled)
		return NULL;
	return p->limited ? page_fetch(p, page) : p->page[page].bytes;
}

/* After page_read, page_new or page_write, unless it returned null. */
static inline void page_release(struct paged *p, size_t page)
{
	if (p->limited)
		page_give_back(p, page);
}

#endif

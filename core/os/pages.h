/* SPDX-License-Identifier: MIT */
/* Files in the system's page cache: checks whether they are there, and removes them. */
#ifndef CORE_OS_PAGES_H
#define CORE_OS_PAGES_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A file whose pages are watched. It is mapped, but never read through the mapping, because that
   would keep its pages in memory. */
struct pages {
	int fd;
	size_t size;
	void *map;
	unsigned char *resident; /* owned; one a page */
	size_t count;
};

/* All files of a folder, links followed. */
struct page_set {
	struct pages *file; /* owned */
	size_t count;
};

/* Call pages_close in any case. */
enum el_status pages_open(const char *folder, struct page_set *out, struct el_error *);
void pages_close(struct page_set *);
/* Drops all of them and checks that they are gone; false if some are not. */
bool pages_drop(struct page_set *);
/* Reads all of them into the page cache, as far as there is room. */
void pages_load(struct page_set *);

/* Tries, on a temporary file, whether dropping works for files in a folder and can be checked:
   null, or why not, in static storage. */
const char *pages_trial(const char *folder);

#endif

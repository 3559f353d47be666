/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files in the system's page cache: whether they are there, and how to get them out. */
#ifndef CORE_LAB_PAGES_H
#define CORE_LAB_PAGES_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A file whose pages are watched. It is mapped and never read through the mapping, which would keep
   its pages where they are. */
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

/* pages_close in any case. */
enum el_status pages_open(const char *folder, struct page_set *out, struct el_error *);
void pages_close(struct page_set *);
/* Drops all of them and looks whether they are gone; false when some are not. */
bool pages_drop(struct page_set *);
/* Reads all of them, so that they are in the page cache as far as there is room. */
void pages_load(struct page_set *);

/* Whether dropping works for files in a folder and can be checked, by trying it on a file that is
   removed again: null, or why not, in static storage. */
const char *pages_trial(const char *folder);

#endif

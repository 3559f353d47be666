/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual pages that the program carries with it, those of tui/man: all but endlab(1), which the
   commands make. */
#ifndef TUI_TEXT_PAGES_H
#define TUI_TEXT_PAGES_H

#include <stddef.h>

/* The source of a page by its name, with or without the section ("endlab-table", "endlab-table.5");
   null for any other name. */
const char *page_find(const char *name);
/* Their file names in alphabetical order, such as "endlab-table.5"; null past the last. */
const char *page_file(size_t i);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The positions that somebody has kept. */
#include "positions.h"

#include "tui/shell/bookmarks.h"

#include <stdio.h>

static size_t count(const struct model *m)
{
	return bookmarks_of(m)->count;
}

static void row(const struct model *m, size_t i, struct listed *out)
{
	const struct bookmark *b = &bookmarks_of(m)->list[i];
	snprintf(out->fen, sizeof out->fen, "%s", b->fen);
	out->name = *b->name ? b->name : NULL;
}

static unsigned version(const struct model *m)
{
	return bookmarks_of(m)->changes;
}

static void empty(const struct model *m, char *out, size_t size)
{
	(void)m;
	snprintf(out, size,
	         "No bookmarks yet. Press K in any view to keep the position shown there.");
}

static void about(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s",
	         count(m) ? "Press D to delete one; press K in any view to keep another." : "");
}

const struct source bookmarks_source = {
	.word = "bookmarks",
	.title = "Bookmarks",
	.note = "metric",
	.asks = true,
	.count = count,
	.row = row,
	.version = version,
	.empty = empty,
	.about = about,
};

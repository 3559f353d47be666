/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Positions, and the lists that need no table: samples, bookmarks, a file. */
#include "positions.h"

#include "tui/shell/bookmarks.h"
#include "tui/text/carried.h"

#include <stdio.h>

OWN_STATE(, positions, struct positions);

/* ---- the positions built into the program ---- */

static size_t count_samples(const struct model *m)
{
	size_t i = 0;
	(void)m;
	while (sample_at(i))
		i++;
	return i;
}

static void sample_row(const struct model *m, size_t i, struct listed *out)
{
	(void)m;
	snprintf(out->fen, sizeof out->fen, "%s", sample_at(i)->fen);
	out->name = sample_at(i)->what;
}

static unsigned samples_version(const struct model *m)
{
	(void)m;
	return 0;
}

const struct source samples_source = {
	.title = "Samples",
	.note = "metric",
	.asks = true,
	.count = count_samples,
	.row = sample_row,
	.version = samples_version,
};

/* ---- the positions that the user has kept ---- */

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
	.title = "Bookmarks",
	.note = "metric",
	.asks = true,
	.count = count,
	.row = row,
	.version = version,
	.empty = empty,
	.about = about,
};

/* ---- the positions of a file ---- */

static size_t opened_count(const struct model *m)
{
	return m->positions.count;
}

static void opened_row(const struct model *m, size_t i, struct listed *out)
{
	const struct position_row *row = &m->positions.rows[i];
	snprintf(out->fen, sizeof out->fen, "%s", row->fen);
	snprintf(out->note, sizeof out->note, "%zu", row->line);
	out->name = row->words;
}

static unsigned opened_version(const struct model *m)
{
	return m->positions.opened;
}

static void opened_about(const struct model *m, char *out, size_t size)
{
	char number[GROUPED_MAX];
	snprintf(out, size, "%s%s%s%s", m->positions.name,
	         m->positions.is_cut ? ": the first " : "",
	         m->positions.is_cut ? grouped(POSITIONS_MAX, number) : "",
	         m->positions.is_cut ? " of its positions" : "");
}

const struct source opened_source = {
	.title = "File",
	.note = "line",
	.asks = true,
	.count = opened_count,
	.row = opened_row,
	.version = opened_version,
	.about = opened_about,
};

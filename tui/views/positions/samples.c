/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The positions that the program carries with it. */
#include "positions.h"

#include "tui/text/carried.h"

#include <stdio.h>

static size_t count(const struct model *m)
{
	size_t i = 0;
	(void)m;
	while (sample_at(i))
		i++;
	return i;
}

static void row(const struct model *m, size_t i, struct listed *out)
{
	(void)m;
	snprintf(out->fen, sizeof out->fen, "%s", sample_at(i)->fen);
	out->name = sample_at(i)->what;
}

static unsigned version(const struct model *m)
{
	(void)m;
	return 0;
}

const struct source samples_source = {
	.word = "samples",
	.title = "Samples",
	.note = "metric",
	.asks = true,
	.count = count,
	.row = row,
	.version = version,
};

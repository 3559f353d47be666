/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Build: all slices of up to four pieces, the marked ones, and their plan. */
#ifndef ENDLAB_TUI_VIEWS_BUILD_H
#define ENDLAB_TUI_VIEWS_BUILD_H

#include "../view.h"

#include "endlab/build.h"

struct build_row {
	struct el_slice slice;
	bool marked;
	bool built;
	uint64_t memory; /* bytes at the peak of its solution; 0 when it is built */
};

struct build {
	struct build_row *rows;  /* owned; list.count of them */
	struct list list;
	struct el_plan plan;     /* for the marked slices; owned */
	struct question ask;     /* about `built`, `memory` and `plan` */
	struct el_slice *asked;  /* owned: what the builds at work and in the queue were asked for */
	size_t asked_count;
};

/* Is the slice at work, or in the queue? */
bool build_is_asked(const struct build *, const struct el_slice *);
/* Builds these slices, and what they need, on the worker. */
void build_start(struct model *, const struct el_slice *slices, size_t count);

#endif

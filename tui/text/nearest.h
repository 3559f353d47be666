/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What somebody may have meant: nearest_start, nearest_offer for each candidate, then `best`. */
#ifndef TUI_TEXT_NEAREST_H
#define TUI_TEXT_NEAREST_H

#include <stddef.h>

/* The candidate most like a word, where one is near enough to be meant. */
struct nearest {
	const char *word, *best;
	size_t distance; /* of `best`; at first the most that is near enough, and one */
};

struct nearest nearest_start(const char *word);
void nearest_offer(struct nearest *, const char *candidate);

#endif

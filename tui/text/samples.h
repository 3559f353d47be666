/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The positions that the program carries with it: those of samples/positions.txt, draughts.txt,
   morris.txt and awari.txt, with what samples/README.md says of them. */
#ifndef TUI_TEXT_SAMPLES_H
#define TUI_TEXT_SAMPLES_H

#include <stddef.h>

struct sample {
	const char *fen;
	const char *what; /* "the longest win: 35 moves" */
};

/* One after the other; null past the last. */
const struct sample *sample_at(size_t i);

#endif

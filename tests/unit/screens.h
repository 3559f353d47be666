/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application without a terminal and without threads: keys go in, screens come out as text. */
#ifndef ENDLAB_TESTS_SCREENS_H
#define ENDLAB_TESTS_SCREENS_H

#include "tui/shell/shell.h"

#include <stdio.h>

struct screens {
	struct model model;
	struct canvas canvas;
	bool hold;                       /* jobs that take long wait */
	struct job *held[8];
	int held_count;
};

/* Call it in the folder of the project, before all others: where the lessons of the screens are. */
void screens_start(void);
/* The same, for a group of tests that works in a new folder; false: there is none. */
bool screens_enter(void);
/* Removes that folder; what the group's clean-up returns. */
int screens_leave(void);
/* Other folders of lessons for screens that are opened from now on; colon-separated, the caller's. */
void screens_lessons(const char *folders);
/* The folder of what is kept between runs from now on; null: nothing is. */
void screens_state(const char *folder);

/* A library in the folder `directory` (made if need be) that has these slices, and partial tables of
   those behind them, which may be null. Both lists are null-terminated. */
void screens_library(const char *directory, const char *const *slices, const char *const *partial,
                     struct el_library **out);

/* Starts at a FEN, or at the sample position when it is null. `hold`: long jobs wait. */
void screens_open(struct screens *, struct el_library *, const char *fen, bool hold);
void screens_close(struct screens *);

void screens_event(struct screens *, struct event);
/* Runs the jobs that are out, and those that come of them. */
void screens_settle(struct screens *);
/* Held jobs are run, and none is held any more. */
void screens_release(struct screens *);
/* Draws; the canvas is then to be looked at. */
void screens_draw(struct screens *);
/* The canvas as text, trailing blanks cut off. */
void screens_print(const struct screens *, FILE *);

/*
 * Replays a script: a key by its name ("Right", "space", "f") or several in a line, a line for the
 * prompt (":KQvKR"), '# ' for a comment, or a directive:
 *
 *     .fen FEN            where the script begins (first)
 *     .first              begins again as on the very first run; keeps what it keeps in `first`
 *     .size COLS ROWS     .ascii   .mono   .theme N
 *     .halves  .blocks    what pieces are drawn in: half blocks alone, all blocks
 *     .click ROW COL      .wheel N
 *     .clock MS           the time, and a tick
 *     .hold / .release    long work waits / is done now
 *     .progress WHAT DONE TOTAL UNIT   what held work says meanwhile
 *     .candidates WORDS;...   what Lab measures
 *     .measured N         so many of them are measured in the run that waits
 *     .screen             prints the screen here; done at the end anyway
 *     .roles              prints which role each cell's background has
 *
 * False, with the line named on stdout, when a line is not understood.
 */
bool screens_replay(FILE *script, struct el_library *, FILE *out);

#endif

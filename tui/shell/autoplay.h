/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes on by itself at a speed that is chosen: the line of Explore, the passes of Teach. */
#ifndef TUI_SHELL_AUTOPLAY_H
#define TUI_SHELL_AUTOPLAY_H

#include "shell.h"

/* Of zeros: it stands still. */
struct autoplay {
	bool running;
	int speed;      /* 0 is the usual one; above it faster */
	int every;      /* milliseconds, whatever the speed; 0: as the speed says */
	long long next; /* when the next step is due, on the clock of model.now */
};

/* What a step is called: "move", "moves". */
struct autoplay_words {
	const char *one, *many;
};

/* Starts, or stops, and says so: "playing the line, 2 moves a second; ...". */
void autoplay_toggle(struct model *, struct autoplay *, const char *doing,
                     const struct autoplay_words *);
/* Starts without a word, a step every so many milliseconds and no slower than at the usual
   speed. */
void autoplay_run(const struct model *, struct autoplay *, int every);
/* Faster (1) or slower (-1), and says how fast. */
void autoplay_change(struct model *, struct autoplay *, int by, const struct autoplay_words *);
/* Is it time for a step? */
bool autoplay_due(const struct model *, const struct autoplay *);
/* A step was taken. */
void autoplay_went(const struct model *, struct autoplay *);
/* As view.next_tick. */
int autoplay_wait(const struct model *, const struct autoplay *);

#endif

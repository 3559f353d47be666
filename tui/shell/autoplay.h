/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Automatic steps at a chosen speed: the line of Explore, the passes of Teach. */
#ifndef TUI_SHELL_AUTOPLAY_H
#define TUI_SHELL_AUTOPLAY_H

#include "shell.h"

/* Zeroed: it stands still. */
struct autoplay {
	bool running;
	int speed;      /* 0 is the usual one; above 0 faster */
	int every;      /* milliseconds, overriding the speed; 0: the speed decides */
	long long next; /* when the next step is due, on the clock of model.now */
};

/* The word for a step: "move", "moves". */
struct autoplay_words {
	const char *one, *many;
};

/* Starts or stops, and says so: "playing the line, 2 moves a second; ...". */
void autoplay_toggle(struct model *, struct autoplay *, const char *doing,
                     const struct autoplay_words *);
/* Starts silently, with a step every `every` milliseconds but no slower than the usual speed. */
void autoplay_run(const struct model *, struct autoplay *, int every);
/* Goes faster (1) or slower (-1), and says how fast. */
void autoplay_change(struct model *, struct autoplay *, int by, const struct autoplay_words *);
/* Is it time for a step? */
bool autoplay_due(const struct model *, const struct autoplay *);
/* Call it after each step. */
void autoplay_went(const struct model *, struct autoplay *);
/* As view.next_tick. */
int autoplay_wait(const struct model *, const struct autoplay *);

#endif

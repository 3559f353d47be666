/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "autoplay.h"

#include <stdio.h>

static const int speeds[] = {2000, 1000, 500, 200, 80}; /* milliseconds a step */
enum { SPEEDS = sizeof speeds / sizeof *speeds, FIRST_SPEED = 2 };

static int milliseconds(const struct autoplay *a)
{
	return a->every ? a->every : speeds[FIRST_SPEED + a->speed];
}

/* "a move every 2 s", "12 moves a second" */
static const char *speed_text(const struct autoplay *a, const struct autoplay_words *words,
                              char out[32])
{
	const int ms = milliseconds(a);
	if (ms > 1000)
		snprintf(out, 32, "a %s every %d s", words->one, ms / 1000);
	else if (ms == 1000)
		snprintf(out, 32, "a %s every second", words->one);
	else
		snprintf(out, 32, "%d %s a second", 1000 / ms, words->many);
	return out;
}

void autoplay_toggle(struct model *m, struct autoplay *a, const char *doing,
                     const struct autoplay_words *words)
{
	char speed[32];
	a->running = !a->running;
	a->every = 0;
	a->next = m->now;
	if (a->running)
		model_note(m, "%s, %s. Press + or - to change that, a to stop.", doing,
		           speed_text(a, words, speed));
	else
		model_note(m, "Stopped.");
}

void autoplay_run(const struct model *m, struct autoplay *a, int every)
{
	const int slowest = speeds[FIRST_SPEED], fastest = speeds[SPEEDS - 1];
	a->running = true;
	a->every = every > slowest ? slowest : every < fastest ? fastest : every;
	a->next = m->now + a->every;
}

void autoplay_change(struct model *m, struct autoplay *a, int by,
                     const struct autoplay_words *words)
{
	char speed[32];
	const int changed = FIRST_SPEED + a->speed + by;
	if (changed >= 0 && changed < SPEEDS)
		a->speed += by;
	a->every = 0;
	model_note(m, "Speed: %s.", speed_text(a, words, speed));
}

bool autoplay_due(const struct model *m, const struct autoplay *a)
{
	return a->running && m->now >= a->next;
}

void autoplay_went(const struct model *m, struct autoplay *a)
{
	a->next = m->now + milliseconds(a);
}

int autoplay_wait(const struct model *m, const struct autoplay *a)
{
	if (!a->running)
		return -1;
	return a->next > m->now ? (int)(a->next - m->now) : 0;
}

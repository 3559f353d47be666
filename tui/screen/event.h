/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events: everything that a view reacts to. */
#ifndef TUI_SCREEN_EVENT_H
#define TUI_SCREEN_EVENT_H

#include "canvas.h"

/* Keys that are not characters; all others are code points. */
enum {
	K_TAB = 9,
	K_ENTER = 10,
	K_ESCAPE = 27,
	K_BACKSPACE = 127,
	K_UP = 0x110000,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_HOME,
	K_END,
	K_PAGE_UP,
	K_PAGE_DOWN,
	K_INSERT,
	K_DELETE,
	K_BACKTAB,
};

enum event_kind {
	EVENT_NONE,
	EVENT_KEY,    /* key */
	EVENT_CLICK,  /* zone */
	EVENT_WHEEL,  /* value: -1 up, 1 down */
	EVENT_PASTE,  /* text, cut */
	EVENT_RESIZE, /* rows, cols */
	EVENT_TICK,   /* time has passed */
};

struct event {
	enum event_kind kind;
	int key;
	int value;
	int rows, cols;   /* the new size; for a mouse event its place */
	struct zone zone; /* of a click */
	/* pasted UTF-8; lines end with '\n'; valid until the next term_read */
	const char *text;
	bool cut; /* the paste was too long and was cut */
};

#endif

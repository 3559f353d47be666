/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list that the common keys and the wheel move in. */
#ifndef TUI_SCREEN_LIST_H
#define TUI_SCREEN_LIST_H

struct list {
	int count, at;
};

/* The first row to draw so that `at` is seen in `rows` rows. */
int list_top(const struct list *, int rows);
/* Keeps `at` within the list. */
void list_set(struct list *, int at);

#endif

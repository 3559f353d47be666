/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list that the common keys and the wheel scroll. */
#ifndef TUI_SCREEN_LIST_H
#define TUI_SCREEN_LIST_H

struct list {
	int count, at;
};

/* The first row to draw so that `at` is among the `rows` rows shown. */
static inline int list_top(const struct list *list, int rows)
{
	const int middle = list->at - rows / 2, last = list->count - rows;
	const int top = middle < last ? middle : last;
	return top > 0 ? top : 0;
}

/* Keeps `at` within the list. */
static inline void list_set(struct list *list, int at)
{
	at = at < list->count ? at : list->count - 1;
	list->at = at > 0 ? at : 0;
}

#endif

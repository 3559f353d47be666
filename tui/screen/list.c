/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "list.h"

int list_top(const struct list *list, int rows)
{
	int top = list->at - rows / 2;
	if (top > list->count - rows)
		top = list->count - rows;
	return top > 0 ? top : 0;
}

void list_set(struct list *list, int at)
{
	if (at >= list->count)
		at = list->count - 1;
	list->at = at > 0 ? at : 0;
}

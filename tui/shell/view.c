/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view.h"

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

void question_change(struct question *q)
{
	q->version++;
	q->known = false;
}

bool question_send(struct question *q)
{
	if (q->known || q->out)
		return false;
	return q->out = true;
}

bool question_answer(struct question *q, unsigned version)
{
	q->out = false;
	return q->known = version == q->version;
}

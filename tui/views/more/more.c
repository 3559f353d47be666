/* SPDX-License-Identifier: GPL-3.0-or-later */
/* More: the views with a key but no place in the title line. */
#include "tui/views/views.h"

#include <stdio.h>

OWN_STATE(static, more, struct list);

/* Null after the last one. Help has such a key too, but also a place. */
static const struct view *view_at(const struct model *m, int row)
{
	for (const struct view *const *v = shell_views(m); *v; v++)
		if ((*v)->summons && !(*v)->key && row-- == 0)
			return *v;
	return NULL;
}

static void show_selected(struct model *m)
{
	shell_show_view(m, view_at(m, more_of(m)->at));
}

static void enter(struct model *m)
{
	int count = 0;
	while (view_at(m, count))
		count++;
	more_of(m)->count = count;
	list_set(more_of(m), more_of(m)->at);
}

enum { KEY_AT = 3, NAME_AT = 6, SUMMARY_AT = 17, FIRST_ROW = 2 };

static void draw(const struct model *m, struct pane p)
{

	const struct view *view;
	int y = FIRST_ROW;
	pane_text(p, 0, 1, ROLE_DIM, "More views. Press a letter, here and in most other views.");
	for (int i = 0; (view = view_at(m, i)); i++) {
		struct pane text = pane_sub(p, y, SUMMARY_AT, 3, p.cols - SUMMARY_AT - 1);
		struct pane row = pane_row(p, y);
		pane_select(row, i == more_of(m)->at);
		pane_print(row, 0, KEY_AT, ROLE_HINT_KEY, "%c", view->summons);
		pane_text(row, 0, NAME_AT, ROLE_STRONG, view->name);
		pane_zone(row, ZONE_ITEM, i);
		y += pane_wrap(text, 0, ROLE_TEXT, view->summary);
	}
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct view *view = view_at(m, row);
	snprintf(out, size, "%s %s", view->name, view->summary);
}

static const struct binding bindings[] = {
	{{K_ENTER}, "show-view", "show", "show the selected view", .run = show_selected},
	{.name = NULL},
};

const struct view more_view = {
	.name = "More",
	.summary = "practice, lessons, positions, and how tables work",
	.key = '7',
	.state = &more_state,
	.bindings = bindings,
	.draw = draw,
	.enter = enter,
	.list = {&more_state, 0},
	.row = row_text,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command has printed, to be scrolled through. */
#include "../model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(struct text *t)
{
	free(t->content);
	t->content = NULL;
}

static int count_lines(const char *text)
{
	int lines = 0;
	for (; *text; text++)
		if (*text == '\n' || !text[1])
			lines++;
	return lines;
}

void text_show(struct model *m, const char *title, char *content)
{
	struct text *t = &m->text;
	text_free(t);
	t->content = content;
	t->lines = (struct list){.count = count_lines(content)};
	snprintf(t->title, sizeof t->title, "%s", title);
	if (m->view != &text_view)
		t->before = m->view;
	model_show(m, &text_view);
}

/* Tabs and what is no text stay out of the cells. */
static void draw_line(struct pane p, int y, const char *line, size_t length)
{
	const char *end = line + length;
	for (int x = 0; line < end;) {
		uint32_t glyph = utf8_decode(&line);
		if (glyph == '\t')
			x += 8 - x % 8;
		else
			pane_put(p, y, x++, ROLE_TEXT, glyph);
	}
}

static void draw(const struct model *m, struct pane p)
{
	const struct text *t = &m->text;
	int rows = p.rows - 2, line = 0;
	/* The place in the list is the first line shown, as far as the text fills the screen. */
	int last = t->lines.count - rows, top = t->lines.at < last ? t->lines.at : last > 0 ? last : 0;
	pane_print(p, 0, 1, ROLE_STRONG, "%s", t->title);
	struct pane body = pane_sub(p, 2, 1, rows, p.cols - 1);
	for (const char *s = t->content; s && *s; line++) {
		size_t length = strcspn(s, "\n");
		if (line >= top && line < top + rows)
			draw_line(body, line - top, s, length);
		s += length + (s[length] == '\n');
	}
	char place[48];
	int end = top + rows < t->lines.count ? top + rows : t->lines.count;
	snprintf(place, sizeof place, "lines %d-%d of %d", t->lines.count ? top + 1 : 0, end,
	         t->lines.count);
	pane_right(p, 0, p.cols - 1, ROLE_DIM, place);
}

static struct list *lines(struct model *m)
{
	return &m->text.lines;
}

static void back(struct model *m)
{
	model_show(m, m->text.before);
}

static const struct binding bindings[] = {
	{{'q', K_ESCAPE}, "close", "back", "close the text", back, NULL, NULL},
	{.name = NULL},
};

const struct view text_view = {
	.name = "Text",
	.summary = "what a command has printed",
	.under = &explore_view,
	.bindings = bindings,
	.draw = draw,
	.list = lines,
};

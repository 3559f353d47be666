/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command has printed, to be scrolled through. */
#include "../views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char title[64];
	char *content;     /* owned; lines end in newlines */
	struct list lines; /* rows on the screen */
};

static const struct state state = {sizeof(struct text)};

static struct text *text_of(const struct model *m)
{
	return state_of(m, &state);
}

static void close_text(struct model *m)
{
	free(text_of(m)->content);
	text_of(m)->content = NULL;
}

/* The next row of at most `cols` cells, which ends at a blank where that leaves it half full; *text is stepped
   past it and its newline or blank. Tabs count one. */
static const char *next_row(const char **text, int cols, size_t *length)
{
	const char *start = *text, *end = start, *blank = NULL;
	for (int x = 0; *end && *end != '\n' && x < cols; x++) {
		blank = *end == ' ' && x > cols / 2 ? end : blank;
		utf8_decode(&end);
	}
	if (blank && *end && *end != '\n' && *end != ' ')
		end = blank;
	*length = (size_t)(end - start);
	*text = *end == '\n' || *end == ' ' ? end + 1 : end;
	return start;
}

static int text_cols(const struct model *m)
{
	return shell_cols(m) > 3 ? shell_cols(m) - 2 : 1;
}

/* Rows on the screen: long lines are folded. */
static int count_rows(const struct model *m)
{
	const char *text = text_of(m)->content ? text_of(m)->content : "";
	size_t length;
	int rows = 0;
	for (; *text; rows++)
		next_row(&text, text_cols(m), &length);
	return rows;
}

/* A row of the screen, for the search. */
static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const char *text = text_of(m)->content ? text_of(m)->content : "", *start = text;
	size_t length = 0;
	for (int i = 0; i <= row && *text; i++)
		start = next_row(&text, text_cols(m), &length);
	snprintf(out, size, "%.*s", (int)length, start);
}

static struct list *lines(struct model *m)
{
	text_of(m)->lines.count = count_rows(m);
	return &text_of(m)->lines;
}

static void print(struct model *m, const char *title, char *content)
{
	struct text *t = text_of(m);
	close_text(m);
	t->content = content;
	t->lines = (struct list){0, 0};
	snprintf(t->title, sizeof t->title, "%s", title);
	shell_show(m, VIEW_TEXT);
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
	const struct text *t = text_of(m);
	struct pane body = pane_sub(p, 2, 1, p.rows - 2, p.cols - 1);
	const char *text = t->content ? t->content : "";
	char place[48];
	/* The place in the list is the first row shown, as far as the text fills the screen. */
	int count = count_rows(m), last = count > body.rows ? count - body.rows : 0;
	int top = t->lines.at < last ? t->lines.at : last, row = 0;
	pane_print(p, 0, 1, ROLE_STRONG, "%s", t->title);
	for (; *text && row < top + body.rows; row++) {
		size_t length;
		const char *start = next_row(&text, text_cols(m), &length);
		if (row >= top)
			draw_line(body, row - top, start, length);
	}
	snprintf(place, sizeof place, "%d-%d of %d", count ? top + 1 : 0, row, count);
	pane_right(p, 0, p.cols - 1, ROLE_DIM, place);
}

static void back(struct model *m)
{
	shell_back(m);
}

static const struct binding bindings[] = {
	{{'q', K_ESCAPE}, "close", "back", "close the text", .run = back},
	{.name = NULL},
};

const struct view text_view = {
	.name = "Text",
	.summary = "what a command printed",
	.state = &state,
	.bindings = bindings,
	.draw = draw,
	.list = lines,
	.row = row_text,
	.print = print,
	.close = close_text,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command's output, for scrolling. */
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char title[64];
	char *content; /* owned; lines end in newlines */
	/* printed since the view was entered, and not shown while the other is read; null: nothing */
	char *next; /* owned */
	char next_title[64];
	/* owned: where each row of the screen begins in it, and the end of the last one */
	const char **row;
	int cols;         /* that long lines are folded at */
	struct list rows; /* of the screen; the one selected is the first one shown */
};

OWN_STATE(static, text, struct text);

static void close_text(struct model *m)
{
	free(text_of(m)->content);
	free(text_of(m)->next);
	free(text_of(m)->row);
	*text_of(m) = (struct text){.content = NULL};
}

/* ---- rows ---- */

/* Behind a row of at most `cols` cells and the newline or blank that ends it. A row ends at a blank
   where that leaves it half full. Tabs count one. */
static const char *behind_row(const char *text, int cols)
{
	const char *blank = NULL;
	for (int x = 0; *text && *text != '\n' && x < cols; x++) {
		blank = *text == ' ' && x > cols / 2 ? text : blank;
		utf8_decode(&text);
	}
	if (blank && *text && *text != '\n' && *text != ' ')
		text = blank;
	return *text == '\n' || *text == ' ' ? text + 1 : text;
}

/* Once for each text and width: a text may have a hundred thousand rows. */
static void fold(struct model *m)
{
	struct text *t = text_of(m);
	const int cols = shell_cols(m) > 3 ? shell_cols(m) - 2 : 1;
	if (!t->content || t->cols == cols)
		return;
	int count = 0;
	for (const char *at = t->content; *at; count++)
		at = behind_row(at, cols);
	const char **row = realloc(t->row, ((size_t)count + 1) * sizeof *row);
	if (!row) {
		model_fail(m, "out of memory");
		return;
	}
	row[0] = t->content;
	for (int i = 0; i < count; i++)
		row[i + 1] = behind_row(row[i], cols);
	t->row = row;
	t->cols = cols;
	t->rows.count = count;
	list_set(&t->rows, t->rows.at);
}

static int row_length(const struct text *t, int i)
{
	const char *end = t->row[i + 1];
	return (int)(end - t->row[i]) - (end[-1] == '\n');
}

/* A row of the screen, for the search. */
static void row_text(const struct model *m, int i, char *out, size_t size)
{
	const struct text *t = text_of(m);
	snprintf(out, size, "%.*s", row_length(t, i), t->row[i]);
}

static void print(struct model *m, const char *title, char *content)
{
	struct text *t = text_of(m);
	free(t->next);
	t->next = content;
	snprintf(t->next_title, sizeof t->next_title, "%s", title);
}

static void enter(struct model *m)
{
	struct text *t = text_of(m), next = {.content = t->next};
	if (!next.content)
		return;
	memcpy(next.title, t->next_title, sizeof next.title);
	t->next = NULL;
	close_text(m);
	*t = next;
	fold(m);
}

static void draw(const struct model *m, struct pane p)
{
	const struct text *t = text_of(m);
	struct pane body = pane_sub(p, 2, 1, p.rows - 2, p.cols - 1);
	/* The last rows fill the screen. */
	const int count = t->rows.count, last = count > body.rows ? count - body.rows : 0;
	const int top = t->rows.at < last ? t->rows.at : last;
	int row = top;
	pane_print(p, 0, 1, ROLE_STRONG, "%s", t->title);
	for (; row < count && row < top + body.rows; row++) {
		/* Tabs and what is no text stay out of the cells. */
		const char *line = t->row[row], *end = line + row_length(t, row);
		for (int x = 0; line < end;) {
			uint32_t glyph = utf8_decode(&line);
			if (glyph == '\t')
				x += 8 - x % 8;
			else
				pane_put(body, row - top, x++, ROLE_TEXT, glyph);
		}
	}
	pane_print_right(p, 0, p.cols - 1, ROLE_DIM, "%d-%d of %d", count ? top + 1 : 0, row,
	                 count);
}

static const struct binding bindings[] = {
	{{'q', K_ESCAPE}, "close", "back", "close the text", .run = shell_back},
	{.name = NULL},
};

const struct view text_view = {
	.name = "Text",
	.summary = "what a command printed",
	.state = &text_state,
	.bindings = bindings,
	.draw = draw,
	.list = {&text_state, offsetof(struct text, rows)},
	.row = row_text,
	.print = print,
	.enter = enter,
	.ask = fold,
	.close = close_text,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that Lab can measure, in columns, with the tables of each. */
#include "lab.h"

#include "tui/text/text.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

static const struct el_slice *slice_at(const struct model *m, int i)
{
	int count;
	return &slices_of(&m->slices, lab_of(m)->slices_game, &count)[i];
}

static void list_game(struct model *m, const struct el_game *game)
{
	struct lab *lab = lab_of(m);
	lab->slices_game = game;
	lab->slices = (struct list){0};
	slices_of(&m->slices, game, &lab->slices.count);
	for (int i = 0; i < lab->slices.count; i++)
		if (!strcmp(slice_at(m, i)->name, lab->slice.name))
			list_set(&lab->slices, i);
}

void lab_slice_choose(struct model *m)
{
	list_game(m, lab_of(m)->slice.game);
	shell_show(m, VIEW_LAB_SLICE);
}

static void enter(struct model *m)
{
	lab_find_slice(m);
	if (!lab_of(m)->slices_game)
		list_game(m, lab_of(m)->slice.game);
}

static void change_game(struct model *m)
{
	list_game(m, next_game(lab_of(m)->slices_game));
}

static void take(struct model *m)
{
	lab_of(m)->chosen = true;
	lab_set_slice(m, slice_at(m, lab_of(m)->slices.at));
	shell_show(m, VIEW_LAB);
}

/* "DTM 310K"; foreign ones are dim. Returns the columns needed, even past the edge. */
static int draw_tables(const struct model *m, struct pane p, const struct el_slice *slice)
{
	char metric[16], size[16];
	int x = 0;
	for (size_t i = 0; i < m->tables.count; i++) {
		const struct el_entry *e = &m->tables.entries[i];
		if (!e->ignored && el_slice_equal(&e->slice, slice))
			x = pane_print(p, 0, x, e->ours ? ROLE_WIN : ROLE_DIM, "%s %s ",
			               metric_text(e->metric, metric), bytes_text(e->bytes, size));
	}
	if (!x && m->tables.ask.known)
		x = pane_text(p, 0, 0, ROLE_DIM, "not built") + 1;
	if (x - 1 > p.cols)
		pane_text(p, 0, p.cols - 3, ROLE_DIM, "...");
	return x;
}

/* Down the columns; shows the page with the selected slice. */
static void draw(const struct model *m, struct pane p)
{
	const struct list *l = &lab_of(m)->slices;
	struct pane body = pane_sub(p, 2, 1, p.rows - 2, p.cols - 1);
	const int names = slices_cols(&m->slices, lab_of(m)->slices_game) + 3;
	int column = names + 1; /* wide enough for the tables of any slice */
	for (int i = 0; i < l->count; i++) {
		const int cols = names + draw_tables(m, (struct pane){0}, slice_at(m, i)) + 1;
		column = cols > column ? cols : column;
	}
	column = column < body.cols ? column : body.cols;
	int columns = body.cols / column, rows = body.rows;
	if (rows < 1 || columns < 1)
		return;
	if (l->count < columns * rows)
		rows = (l->count + columns - 1) / columns;
	int page = columns * rows, top = page ? l->at / page * page : 0;
	int x = pane_text(p, 0, 1, ROLE_STRONG, "Which slice to measure");
	pane_print(p, 0, x + 2, ROLE_DIM, "%s", lab_of(m)->slices_game->title);
	for (int i = top; i < top + page && i < l->count; i++) {
		const struct pane at =
			pane_sub(body, (i - top) % rows, (i - top) / rows * column, 1, column - 1);
		pane_select(at, i == l->at);
		pane_text(at, 0, 1, ROLE_STRONG, slice_at(m, i)->name);
		pane_zone(at, ZONE_ITEM, i);
		draw_tables(m, pane_sub(at, 0, names, 1, at.cols - names), slice_at(m, i));
	}
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	snprintf(out, size, "%s", slice_at(m, row)->name);
}

static void ask(struct model *m)
{
	m->tables.wanted = m->tables.wanted || shell_is_shown(m, VIEW_LAB_SLICE);
}

static void type_name(struct model *m)
{
	shell_show(m, VIEW_LAB);
	shell_prompt(m, "slice ");
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "Lab: %s", lab_of(m)->slice.name);
}

static const struct binding bindings[] = {
	KEY({K_ENTER, ' '}, "take-slice", "take", "measure this slice", .run = take,
            .disabled = lab_busy),
	KEY({'o'}, "slice-game", "game", "list another game's slices", .run = change_game),
	KEY({'s'}, "type-slice", "type a name", "type the name of any slice", .run = type_name),
	{.name = NULL},
};

const struct view lab_slice_view = {
	.name = "Lab's slice",
	.summary = "which slice is measured",
	.bindings = bindings,
	.draw = draw,
	.enter = enter,
	.list = {&lab_state, offsetof(struct lab, slices)},
	.row = row_text,
	.ask = ask,
	.subject = subject,
};

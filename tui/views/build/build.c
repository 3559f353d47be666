/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build: which tables are there, which to make, what they need first. */
#include "../../text/text.h"
#include "../../shell/line.h"
#include "../../text/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 4, SLICES_MAX = 4096 };

/* ---- rows ---- */

struct build_row *build_rows(const struct build *b, const struct el_game *game, int *count)
{
	int first = 0;
	while (first < b->row_count && b->rows[first].slice.game != game)
		first++;
	*count = 0;
	while (first + *count < b->row_count && b->rows[first + *count].slice.game == game)
		++*count;
	return b->rows + first;
}

int build_name_cols(const struct build *b, const struct el_game *game)
{
	int cols = 0, count;
	const struct build_row *rows = build_rows(b, game, &count);
	for (int i = 0; i < count; i++)
		if ((int)strlen(rows[i].slice.name) > cols)
			cols = (int)strlen(rows[i].slice.name);
	return cols;
}

static void list_game(struct build *b, const struct el_game *game)
{
	b->game = game;
	b->list = (struct list){0};
	build_rows(b, game, &b->list.count);
}

static struct build_row *row_at(const struct build *b, int i)
{
	int count;
	return build_rows(b, b->game, &count) + i;
}

static struct build_row *selected(const struct build *b)
{
	return row_at(b, b->list.at);
}

/* Lists the slices. */
static enum el_status open_rows(struct model *m, struct el_error *error)
{
	struct build *b = &m->build;
	struct el_slice *slices = malloc(SLICES_MAX * sizeof *slices);
	size_t count = 0;
	for (const struct el_game *const *game = el_games; *game && slices; game++)
		for (unsigned pieces = (*game)->pieces_min; pieces <= PIECES_MAX; pieces++) {
			size_t room = SLICES_MAX - count,
			       found = (*game)->slices(pieces, slices + count, room);
			count += found < room ? found : room;
		}
	b->rows = slices ? calloc(count + 1, sizeof *b->rows) : NULL;
	for (size_t i = 0; i < count && b->rows; i++)
		b->rows[i].slice = slices[i];
	free(slices);
	b->row_count = (int)count;
	if (b->rows)
		list_game(b, el_games[0]);
	return b->rows ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
}

static void close_rows(struct model *m)
{
	struct build *b = &m->build;
	free(b->rows);
	free(b->asked);
	el_plan_free(&b->plan);
}

/* What tables there are has changed. */
static void forget(struct model *m)
{
	question_change(&m->build.ask);
}

/* ---- what the keys do ---- */

static void mark(struct model *m)
{
	struct build *b = &m->build;
	selected(b)->marked = !selected(b)->marked;
	list_set(&b->list, b->list.at + 1);
	forget(m);
}

/* Marks all that are missing, or none when all of them are marked. */
static void mark_all(struct model *m)
{
	struct build *b = &m->build;
	bool marks = false;
	for (int i = 0; i < b->list.count; i++)
		marks = marks || (!row_at(b, i)->built && !row_at(b, i)->marked);
	for (int i = 0; i < b->list.count; i++)
		row_at(b, i)->marked = marks && !row_at(b, i)->built;
	forget(m);
}

static const char *built_already(const struct model *m)
{
	return selected(&m->build)->built ? "it is built already" : NULL;
}

static bool any_marked(const struct build *b)
{
	for (int i = 0; i < b->row_count; i++)
		if (b->rows[i].marked && !b->rows[i].built)
			return true;
	return false;
}

static void start(struct model *m)
{
	struct build *b = &m->build;
	struct el_slice *slices = malloc((size_t)(b->row_count + 1) * sizeof *slices);
	size_t count = 0;
	if (!slices) {
		model_fail(m, "out of memory");
		return;
	}
	for (int i = 0; i < b->row_count; i++)
		if (b->rows[i].marked && !b->rows[i].built)
			slices[count++] = b->rows[i].slice;
	if (!count)
		slices[count++] = selected(b)->slice;
	build_start(m, slices, count);
	for (int i = 0; i < b->row_count; i++)
		b->rows[i].marked = false;
	forget(m);
	free(slices);
}

static const char *nothing_to_build(const struct model *m)
{
	const struct build *b = &m->build;
	if (any_marked(b))
		return NULL;
	return build_is_asked(b, &selected(b)->slice) ? "it is being built"
							     : built_already(m);
}

static void explore_slice(struct model *m)
{
	char name[EL_SLICE_MAX];
	snprintf(name, sizeof name, "%s", selected(&m->build)->slice.name);
	line_run(m, name);
}

static void change_game(struct model *m)
{
	list_game(&m->build, next_game(m->build.game));
}

/* The game that is explored is listed, unless it was before, and another was chosen then. */
static void enter(struct model *m)
{
	struct build *b = &m->build;
	if (b->visited != m->explore.game)
		list_game(b, m->explore.game);
	b->visited = m->explore.game;
}

static bool update(struct model *m, const struct event *e)
{
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_ITEM)
		return false;
	bool again = m->build.list.at == e->zone.value;
	list_set(&m->build.list, e->zone.value);
	if (again && !built_already(m))
		mark(m);
	return true;
}

/* ---- drawing ---- */

enum { NAME_AT = 3, MEMORY_BEHIND = 18 };

/* Where a row says whether there is a table. */
static int state_at(const struct build *b)
{
	enum { NAME_COLS_MIN = 8 };
	int cols = build_name_cols(b, b->game);
	return NAME_AT + (cols > NAME_COLS_MIN ? cols : NAME_COLS_MIN) + 1;
}

static int memory_end(const struct build *b)
{
	return state_at(b) + MEMORY_BEHIND;
}

static void draw_row(const struct model *m, struct pane p, int i)
{
	const struct build_row *row = row_at(&m->build, i);
	char size[16];
	bool is_selected = i == m->build.list.at;
	if (is_selected)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 0, ROLE_STRONG, is_selected ? ">" : " ");
	pane_text(p, 0, 1, ROLE_STRONG, row->marked ? "*" : " ");
	pane_text(p, 0, NAME_AT, ROLE_TEXT, row->slice.name);
	pane_zone(p, ZONE_ITEM, i);
	if (row->built)
		pane_text(p, 0, state_at(&m->build), ROLE_WIN, "built");
	else if (row->memory)
		pane_text(p, 0, state_at(&m->build), ROLE_DIM, "missing");
	if (row->memory)
		pane_right(p, 0, memory_end(&m->build), ROLE_TEXT, bytes_text(row->memory, size));
}

/* In the order in which they are built, down the columns. */
static void draw_tasks(const struct el_plan *plan, struct pane p)
{
	int width = 12, at = 0;
	for (size_t i = 0; i < plan->count; i++) {
		int needed = (int)strlen(plan->tasks[i].slice.name) + 5;
		width = needed > width ? needed : width;
	}
	for (size_t i = 0; i < plan->count && p.rows > 0; i++, at++) {
		int x = at / p.rows * width;
		if (x + width <= p.cols)
			pane_print(p, at % p.rows, x, ROLE_TEXT, "%2zu %s", i + 1,
			           plan->tasks[i].slice.name);
	}
}

static void draw_plan(const struct model *m, struct pane p)
{
	const struct el_plan *plan = &m->build.plan;
	char size[16], text[64];
	uint64_t peak = 0;
	for (size_t i = 0; i < plan->count; i++)
		peak = plan->tasks[i].bytes > peak ? plan->tasks[i].bytes : peak;
	if (!any_marked(&m->build)) {
		pane_wrap(p, 0, ROLE_DIM,
			  "space marks slices to be built; what they need is added to the plan");
		return;
	}
	snprintf(text, sizeof text, "%zu %s, at most %s of memory", plan->count,
	         plan->count == 1 ? "table" : "tables", bytes_text(peak, size));
	pane_wrap(pane_sub(p, 0, 0, 2, p.cols), 0, ROLE_STRONG, text);
	draw_tasks(plan, pane_sub(p, 2, 0, p.rows - 2, p.cols));
}

static void draw_work(const struct model *m, struct pane p)
{
	const struct job_progress *w = &m->progress;
	char amount[GROUPED_MAX];
	if (!m->jobs_out[LANE_LONG])
		return;
	int room = p.cols - 1, filled = w->total > 0 ? (int)(w->done / w->total * room) : 0;
	pane_print(p, 0, 0, ROLE_BUSY, "%s", w->title);
	int end =
		pane_print(p, 1, 0, ROLE_TEXT, "%s %s", w->stage ? w->stage : "starting", w->what);
	if (w->unit && strcmp(w->unit, "tables")) /* those are counted below */
		pane_print(p, 1, end, ROLE_TEXT, "  %s %s", grouped((uint64_t)w->done, amount),
			   w->unit);
	for (int x = filled; x < room; x++)
		pane_put(p, 2, x, ROLE_DIM, '.');
	pane_bar(p, 2, 0, ROLE_BUSY, filled < room ? filled : room);
	if (w->tables)
		pane_print(p, 3, 0, ROLE_DIM, "%u %s done", w->tables,
			   w->tables == 1 ? "table" : "tables");
}

static void draw(const struct model *m, struct pane p)
{
	const struct build *b = &m->build;
	pane_text(p, 0, NAME_AT, ROLE_DIM, "slice");
	pane_text(p, 0, state_at(b), ROLE_DIM, "table");
	pane_right(p, 0, memory_end(b) - 1, ROLE_DIM, "memory");
	int side_x = memory_end(b) + 4;
	struct pane list = pane_sub(p, 1, 0, p.rows - 1, side_x - 2);
	int top = list_top(&b->list, list.rows);
	for (int y = 0; y < list.rows && top + y < b->list.count; y++)
		draw_row(m, pane_sub(list, y, 0, 1, list.cols), top + y);
	struct pane side = pane_sub(p, 0, side_x, p.rows, p.cols - side_x);
	draw_plan(m, pane_sub(side, 0, 0, side.rows - 5, side.cols));
	draw_work(m, pane_sub(side, side.rows - 4, 0, 4, side.cols));
}

static struct list *list(struct model *m)
{
	return &m->build.list;
}

static void subject(const struct model *m, char *out, size_t size)
{
	int built = 0;
	for (int i = 0; i < m->build.list.count; i++)
		built += row_at(&m->build, i)->built;
	snprintf(out, size, "%s: %d of %d built", m->build.game->name, built,
	         m->build.list.count);
}

static const struct binding bindings[] = {
	{{' '}, "mark", "mark", "mark the slice to be built", mark, built_already, NULL},
	{{'A'}, "mark-all", "all", "mark all that are missing", mark_all, NULL, NULL},
	{{'b'}, "build-marked", "build", "build the marked slices, or this one", start,
	 nothing_to_build, NULL},
	{{'g'}, "build-game", "game", "list another game's slices", change_game, NULL, NULL},
	{{K_ENTER}, "explore-slice", "explore", "explore a random position of this slice",
	 explore_slice, NULL, NULL},
	{.name = NULL},
};

const struct view build_view = {
	.name = "Build",
	.summary = "make tables",
	.key = '5',
	.bindings = bindings,
	.update = update,
	.draw = draw,
	.enter = enter,
	.list = list,
	.subject = subject,
	.open = open_rows,
	.close = close_rows,
	.ask = build_ask,
	.forget = forget,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games: a list to choose from, of the games in the open file. */
#include "tui/screen/list.h"
#include "tui/views/views.h"

#include <limits.h>
#include <stdio.h>

struct games_view {
	struct list list;
	unsigned shown; /* play.games when the row was last set */
};

static const struct state state = {sizeof(struct games_view)};

static struct games_view *view_of(const struct model *m)
{
	return state_of(m, &state);
}

static struct list *list(struct model *m)
{
	return &view_of(m)->list;
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	snprintf(out, size, "%s", m->games.rows[row].label);
}

static const char *no_games(const struct model *m)
{
	return m->games.count     ? NULL
	       : m->games.ask.job ? "The games are still being read."
	                          : "No file of games is open. Type :open FILE to open one.";
}

static void show_selected(struct model *m)
{
	games_show(m, (size_t)list(m)->at);
	shell_home(m);
}

/* Selects the game on the board when the list opens, and when another game is opened. */
static void ask(struct model *m)
{
	struct games_view *v = view_of(m);
	const size_t count = m->games.count, row = games_row(m);
	v->list.count = count < INT_MAX ? (int)count : INT_MAX;
	if (v->shown != m->play.games && row < count)
		v->list.at = (int)row;
	v->shown = m->play.games;
	list_set(&v->list, v->list.at);
}

static void draw_row(const struct model *m, int i, struct pane row)
{
	const struct game_row *game = &m->games.rows[i];
	pane_select(row, i == view_of(m)->list.at);
	const int x = pane_print(row, 0, 2, ROLE_DIM, "%6d", i + 1) + 2;
	struct pane rest = pane_sub(row, 0, x, 1, row.cols - x);
	const int end = pane_text(rest, 0, 0, ROLE_TEXT, game->label);
	if (game->fault)
		pane_text(rest, 0, end + 2, ROLE_ERROR, "a part cannot be read");
	pane_zone(row, ZONE_ITEM, i);
}

static void draw(const struct model *m, struct pane p)
{
	const struct games *g = &m->games;
	const struct list *rows = &view_of(m)->list;
	char number[GROUPED_MAX];
	if (no_games(m)) {
		pane_wrap(pane_sub(p, 0, 1, p.rows, p.cols - 2), 0, ROLE_TEXT, no_games(m));
		return;
	}
	const int x = pane_print(p, 0, 1, ROLE_STRONG, "%s", g->name);
	pane_print(p, 0, x + 2, ROLE_DIM, "%s %s%s", grouped(g->count, number),
	           plural(g->count, "game", "games"),
	           g->ask.job   ? " so far"
	           : g->stopped ? ", and more that were not read"
	                        : "");
	struct pane body = pane_sub(p, 2, 0, p.rows - 2, p.cols);
	const int top = list_top(rows, body.rows);
	for (int i = top; i < rows->count && i - top < body.rows; i++)
		draw_row(m, i, pane_sub(body, i - top, 0, 1, body.cols));
}

static void subject(const struct model *m, char *out, size_t size)
{
	(void)m;
	snprintf(out, size, "games");
}

static const struct binding bindings[] = {
	KEY({K_ENTER}, "open-game", "open", "open the selected game in Explore",
            .run = show_selected, .disabled = no_games),
	{.name = NULL},
};

const struct view games_view = {
	.name = "Games",
	.summary = "choose a game from the file that is open",
	.summons = 'O',
	.state = &state,
	.bindings = bindings,
	.draw = draw,
	.list = list,
	.row = row_text,
	.subject = subject,
	.ask = ask,
};

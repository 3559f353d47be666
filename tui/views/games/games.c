/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games: a list to choose from, of the games in the open file. */
#include "tui/screen/list.h"
#include "tui/text/moves.h"
#include "tui/text/values.h"
#include "tui/views/views.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { HEAD_ROWS = 3 }; /* the file, and two rows of heads */

struct games_view {
	struct list list;
	unsigned shown; /* play.games when the row was last set */
};

OWN_STATE(static, games, struct games_view);

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct game_row *game = &m->games.rows[row];
	snprintf(out, size, "%s  %s%s%s  %u %s", game->players, game->result,
	         *game->date ? "  " : "", game->date, game->moves,
	         plural(game->moves, "move", "moves"));
}

static const char *no_games(const struct model *m)
{
	return m->games.count     ? NULL
	       : m->games.ask.job ? "The games are still being read."
	                          : "No file of games is open. Type :open FILE to open one.";
}

static void show_selected(struct model *m)
{
	games_show(m, (size_t)games_of(m)->list.at, NULL);
	shell_home(m);
}

/* Selects the game on the board when the list opens, and when another game is opened. Wants the sums
   of the rows on screen. */
static void ask(struct model *m)
{
	struct games_view *v = games_of(m);
	const size_t count = m->games.count, row = games_row(m);
	v->list.count = count < INT_MAX ? (int)count : INT_MAX;
	if (v->shown != m->play.games && row < count)
		v->list.at = (int)row;
	v->shown = m->play.games;
	list_set(&v->list, v->list.at);
	const int rows = shell_view_rows(m) - HEAD_ROWS;
	m->games.wanted = (size_t)list_top(&v->list, rows);
	m->games.wanted_count = shell_is_shown(m, VIEW_GAMES) && rows > 0 ? (size_t)rows : 0;
}

/* ---- columns, right of the number and the players ---- */

enum column { RESULT, DATE, MOVES, MISTAKES, HALVES, LOST, FROM, COLUMNS };

/* Columns that have no room give way, the last of `order` first. `of_sides`: a figure for each. */
static const struct {
	const char *name;
	int width; /* with the blanks before it */
	bool of_sides;
} columns[COLUMNS] = {
	[RESULT] = {"result", 9, false},      [DATE] = {"date", 12, false},
	[MOVES] = {"moves", 7, false},        [MISTAKES] = {"mistakes", 10, true},
	[HALVES] = {"half-points", 13, true}, [LOST] = {NULL, 13, true},
	[FROM] = {"from", 8, false},
};
static const enum column order[COLUMNS] = {MISTAKES, LOST, HALVES, FROM, RESULT, MOVES, DATE};

enum { NUMBER_END = 6, PLAYERS_AT = 8, PLAYERS_MIN = 16, PLAYERS_MAX = 40, SIDE_COLS = 5 };

/* The column after each, 0 where it has no room; columns are right-aligned. Returns where the
   players end. */
static int find_ends(int cols, int ends[COLUMNS])
{
	int room = cols - 1 - PLAYERS_AT - PLAYERS_MIN;
	bool fits[COLUMNS] = {false};
	for (int i = 0; i < COLUMNS && room >= columns[order[i]].width; i++) {
		fits[order[i]] = true;
		room -= columns[order[i]].width;
	}
	const int players = PLAYERS_MIN + room < PLAYERS_MAX ? PLAYERS_MIN + room : PLAYERS_MAX;
	int end = PLAYERS_AT + players;
	for (int i = 0; i < COLUMNS; i++)
		ends[i] = fits[i] ? end += columns[i].width : 0;
	return PLAYERS_AT + players;
}

static void draw_heads(const struct model *m, struct pane p)
{
	const struct el_game *game = m->games.rows[games_of(m)->list.at].game;
	int ends[COLUMNS];
	char lost[24];
	find_ends(p.cols, ends);
	snprintf(lost, sizeof lost, "%s lost", depth_unit(el_game_metric(game), false));
	pane_right(p, 1, NUMBER_END, ROLE_DIM, "game");
	pane_text(p, 1, PLAYERS_AT, ROLE_DIM, "players");
	for (int i = 0; i < COLUMNS; i++) {
		const char *name = columns[i].name ? columns[i].name : lost;
		if (!ends[i])
			continue;
		pane_right(p, columns[i].of_sides ? 0 : 1, ends[i], ROLE_DIM, name);
		if (i == FROM)
			pane_right(p, 0, ends[i], ROLE_DIM, "judged");
		for (int side = 0; side < 2 && columns[i].of_sides; side++)
			pane_print(p, 1, ends[i] - 1 - (1 - side) * SIDE_COLS, ROLE_DIM, "%c",
			           game->sides[side][0]);
	}
}

/* Without a column (end 0), nothing. */
static void draw_cell(struct pane row, int end, const char *text)
{
	if (end)
		pane_right(row, 0, end, strcmp(text, "0") ? ROLE_TEXT : ROLE_DIM, text);
}

/* What the moves of the main line cost. */
static void draw_sum(const struct game_row *game, const int ends[COLUMNS], struct pane row)
{
	const struct el_line_sum *sum = &game->sum;
	char text[NUMBER_MAX];
	int last = 0;
	for (int i = MISTAKES; i < COLUMNS; i++)
		last = ends[i] ? ends[i] : last;
	if (game->summed != SUM_KNOWN || !sum->from) {
		pane_right(row, 0, last, ROLE_DIM,
		           game->summed == SUM_OPEN     ? "..."
		           : game->summed == SUM_FAILED ? "cannot be read"
		           : !sum->moves                ? "no moves"
		                                        : "no table covers it");
		return;
	}
	for (unsigned side = 0; side < 2; side++) {
		const unsigned figures[] = {[MISTAKES] = sum->side[side].mistakes,
		                            [HALVES] = sum->side[side].halves,
		                            [LOST] = sum->side[side].lost};
		for (int i = MISTAKES; i <= LOST; i++) {
			snprintf(text, sizeof text, sum->side[side].judged ? "%u" : "-",
			         figures[i]);
			if (ends[i])
				draw_cell(row, ends[i] - (1 - (int)side) * SIDE_COLS, text);
		}
	}
	draw_cell(row, ends[FROM], move_number(game->game, sum->first, sum->from, true, text));
}

static void draw_row(const struct model *m, struct pane row, int i)
{
	const struct game_row *game = &m->games.rows[i];
	int ends[COLUMNS];
	char text[16];
	const int players = find_ends(row.cols, ends);

	pane_print_right(row, 0, NUMBER_END, ROLE_DIM, "%d", i + 1);
	pane_text(pane_sub(row, 0, 0, 1, players), 0, PLAYERS_AT, ROLE_TEXT, game->players);
	draw_cell(row, ends[RESULT], game->result);
	draw_cell(row, ends[DATE], game->date);
	snprintf(text, sizeof text, "%u", game->moves);
	draw_cell(row, ends[MOVES], text);
	draw_sum(game, ends, row);
	if (game->fault)
		pane_put(row, 0, NUMBER_END, ROLE_ERROR, '!');
}

static void draw(const struct model *m, struct pane p)
{
	const struct games *g = &m->games;
	const struct list *rows = &games_of(m)->list;
	char number[GROUPED_MAX];
	if (no_games(m)) {
		pane_wrap(pane_sub(p, 0, 1, p.rows, p.cols - 2), 0, ROLE_TEXT, no_games(m));
		return;
	}
	int x = pane_print(p, 0, 1, ROLE_STRONG, "%s", g->name);
	x = pane_print(p, 0, x + 2, ROLE_DIM, "%s %s%s", grouped(g->count, number),
	               plural(g->count, "game", "games"),
	               g->ask.job   ? " so far"
	               : g->stopped ? ", and more that were not read"
	                            : "");
	/* It begins with the file's name, which stands here already. */
	const char *fault = g->rows[rows->at].fault;
	const size_t name = strlen(g->name);
	char text[512];
	if (fault) {
		const bool named = !strncmp(fault, g->name, name);
		snprintf(text, sizeof text, "! %s%s", named ? "line " : "",
		         fault + (named ? name + 1 : 0));
		pane_text(p, 0, x + 2, ROLE_ERROR, text);
	}
	draw_heads(m, pane_sub(p, 1, 0, HEAD_ROWS - 1, p.cols));
	shell_draw_list(m, rows, pane_from(p, HEAD_ROWS), draw_row);
}

static void subject(const struct model *m, char *out, size_t size)
{
	(void)m;
	snprintf(out, size, "games");
}

static const struct binding bindings[] = {
	KEY({K_ENTER}, "open-game", "open", "open the selected game in Explore",
            .run = show_selected, .disabled = no_games),
	KEY({'s'}, "survey-games", "survey", "see how the endings of these games were played",
            .apply = shell_show, .argument = VIEW_SURVEY, .disabled = no_games),
	{.name = NULL},
};

const struct view games_view = {
	.name = "Games",
	.summary = "choose a game from the file that is open",
	.summons = 'O',
	.state = &games_state,
	.bindings = bindings,
	.draw = draw,
	.list = {&games_state, offsetof(struct games_view, list)},
	.row = row_text,
	.subject = subject,
	.ask = ask,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics.h"

#include "tui/screen/roles.h"
#include "tui/shell/room.h"
#include "tui/text/explain.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <string.h>

/* ---- boards ---- */

static void draw_board(const struct model *m, enum race_rule whose, int scale, struct pane p)
{
	const struct metrics *x = metrics_of(m);
	const struct racer *r = &x->racer[whose];
	const size_t turns = x->racing ? x->turns : 0;
	const struct el_position *now = racer_position(r, &x->position, turns);
	const struct race_turn *last = turns ? racer_turn(r, turns - 1) : NULL;
	if (turns && !last && r->count)
		last = &r->turn[r->count - 1];
	const struct el_move *move = !last ? NULL : *last->answer_san ? &last->answer : &last->move;
	struct board b = board_played(x->game, now, move, NULL, x->flipped);
	b.scale = scale;
	board_draw(&b, p);
}

/* ---- what each metric says ---- */

/* Columns of the list of metrics. */
enum { NAME_AT = 1, VALUE_AT = 8, PLIES_END = 26, BEST_AT = 28 };

/* "15: Ka2 Kb1 ...": the best moves by name, as many as fit in `cols` columns. */
static void best_text(const struct metrics_table *t, const struct metrics_row *row, int cols,
                      char *out, size_t size)
{
	enum { DOTS = 4 };
	snprintf(out, size, "%2zu:", row->count);
	for (size_t i = 0, left = row->count; i < t->move_count && left; i++) {
		const struct metrics_move *m = &t->moves[i];
		if (!metrics_is_best(row, m))
			continue;
		const size_t used = strlen(out);
		left--;
		if ((int)(used + strlen(m->san)) + 1 + (left ? DOTS : 0) > cols ||
		    used + EL_MOVE_MAX + DOTS >= size) {
			el_text_add(out, size, " ...");
			return;
		}
		el_text_add(out, size, " %s", m->san);
	}
}

static void draw_row(const struct model *m, const struct metrics_row *row, bool here, struct pane p)
{
	const struct metrics_table *t = &metrics_of(m)->table;
	char name[16], text[256];
	pane_select(p, here);
	pane_text(p, 0, NAME_AT, ROLE_STRONG, metric_text(row->metric, name));
	if (!row->known) {
		pane_text(p, 0, VALUE_AT, ROLE_DIM, "solving");
		return;
	}
	pane_text(p, 0, VALUE_AT, outcome_role(row->value.outcome),
	          outcome_words(row->value.outcome));
	if (value_is_deep(row->metric, row->value)) {
		snprintf(text, sizeof text, "%u",
		         depth_shown(row->metric, row->value.plies, m->in_moves));
		pane_right(p, 0, PLIES_END, ROLE_STRONG, text);
	}
	best_text(t, row, p.cols - BEST_AT, text, sizeof text);
	if (row->count)
		pane_text(p, 0, BEST_AT, ROLE_TEXT, text);
}

/* The values of one metric's best moves under the others. */
static int draw_worth(const struct model *m, const struct metrics_row *row, struct pane p)
{
	const struct metrics_table *t = &metrics_of(m)->table;
	char text[SENTENCE_MAX * EL_METRICS], one[SENTENCE_MAX];
	snprintf(text, sizeof text,
	         "%s worth:", row->count == 1 ? "Its best move is" : "Its best moves are");
	const char *comma = "";
	for (size_t i = 0; i < t->rows; i++) {
		const struct metrics_row *other = &t->row[i];
		/* only metrics with depths, which do not depend on the clock */
		if (other == row || !other->known || !other->metric->has_depth ||
		    el_metric_chosen_by(other->metric) != other->metric)
			continue;
		/* "DTM 27", "DTM 27-31", "WDL50 draw". */
		const struct el_metric *metric = t->row[i].metric;
		const size_t rank = el_metric_rank(metric);
		const struct el_value best = row->best[rank], worst = row->worst[rank];
		const unsigned a = depth_shown(metric, best.plies, m->in_moves);
		const unsigned b = depth_shown(metric, worst.plies, m->in_moves);
		char name[16];
		metric_text(metric, name);
		if (!value_is_deep(metric, best) || best.outcome != worst.outcome)
			snprintf(one, SENTENCE_MAX, "%s %s", name, outcome_words(worst.outcome));
		else if (a == b)
			snprintf(one, SENTENCE_MAX, "%s %u", name, a);
		else
			snprintf(one, SENTENCE_MAX, "%s %u-%u", name, a < b ? a : b, a < b ? b : a);
		el_text_add(text, sizeof text, "%s %s", comma, one);
		comma = ",";
	}
	return *comma ? pane_wrap(p, 0, ROLE_STRONG, text) : 0;
}

/* The selected row in words. */
static int draw_explanation(const struct model *m, struct pane p)
{
	const struct metrics *x = metrics_of(m);
	const struct metrics_row *row = &x->table.row[x->at];
	char name[16];
	int end = pane_print(p, 0, 0, ROLE_STRONG, "%s", metric_text(row->metric, name));
	end = pane_print(p, 0, end, ROLE_TEXT, "  %s", row->metric->title);
	if (row->values)
		pane_print(p, 0, end, ROLE_DIM, "; %zu values here", row->values);
	return 1 + pane_wrap(p, 1, ROLE_TEXT, explanation_of(row->metric, x->game)->text);
}

/* `below`: there is room below the board for the metric's description. */
static void draw_table(const struct model *m, bool below, struct pane p)
{
	enum { SHORT = 14 };
	const struct metrics *x = metrics_of(m);
	const struct metrics_row *row = &x->table.row[x->at];
	const bool roomy = p.rows > SHORT;
	pane_print(p, 0, 0, ROLE_TEXT, "%s to move", x->game->sides[x->position.side]);
	int y = 1 + roomy;
	pane_text(p, y, VALUE_AT, ROLE_DIM, "value");
	pane_right(p, y, PLIES_END, ROLE_DIM, depth_unit(el_game_metric(x->game), m->in_moves));
	pane_text(p, y++, BEST_AT, ROLE_DIM, "best moves");
	for (size_t i = 0; i < x->table.rows; i++)
		draw_row(m, &x->table.row[i], i == x->at, pane_row(p, y++));
	y += roomy;
	if (!below && y < p.rows)
		y += draw_explanation(m, pane_from(p, y));
	if (y < p.rows && row->known && row->count)
		y += draw_worth(m, row, pane_from(p, y));
	const char *why = !x->table.move_count ? "The game is over. Press r for a won position."
	                                       : metrics_no_race(m);
	if (y < p.rows)
		pane_wrap(p, y, ROLE_DIM,
		          why ? why
		              : "Press space for two players, one of whom knows only outcomes.");
}

/* ---- the two players ---- */

static const struct el_metric *metric_of(const struct metrics *x, enum race_rule rule)
{
	return rule == RACE_OUTCOME ? &el_wdl : el_game_metric(x->game);
}

/* Columns of a player within the list of turns. */
struct columns {
	int x, san, left, bar, end; /* `left` is where the depth ends */
};

enum { NUMBER_COLS = 4, HALF_COLS_MIN = 15 };

/* Without room for two, shows only the player on the board. */
static bool is_shown(const struct metrics *x, int cols, int rule)
{
	return (cols - NUMBER_COLS) / 2 >= HALF_COLS_MIN || rule == (int)x->board;
}

static struct columns columns_of(int cols, int rule)
{
	enum { BOTH = 34, SAN = 8, SAN_BOTH = 18, DEPTH = 4 };
	int half = (cols - NUMBER_COLS) / 2, x = NUMBER_COLS + rule * half;
	if (half < HALF_COLS_MIN) {
		half = cols - NUMBER_COLS;
		x = NUMBER_COLS;
	}
	int san = half >= BOTH ? SAN_BOTH : SAN;
	return (struct columns){x, san, x + san + DEPTH, x + san + DEPTH + 1, x + half - 1};
}

static void draw_turn(const struct model *m, struct pane p, int rule, size_t i)
{
	const struct metrics *x = metrics_of(m);
	const struct racer *r = &x->racer[rule];
	const struct race_turn *t = racer_turn(r, i);
	const struct columns c = columns_of(p.cols, rule);
	const bool repeats = r->circles && i >= r->count;
	unsigned most = 1; /* the greatest depth of the players' known turns */
	for (int other = 0; other < RACE_RULES; other++)
		for (size_t k = 0; k < x->racer[other].count; k++)
			if (x->racer[other].turn[k].left > most)
				most = x->racer[other].turn[k].left;
	char text[2 * EL_MOVE_MAX + 2];
	if (!t)
		return;
	/* The turns of a cycle after which the same position recurs. */
	const bool same = r->circles && x->turns >= r->count && i + 1 >= r->again &&
	                  (i + 1 - r->again) % (r->count - r->again) == 0;
	snprintf(text, sizeof text, "%s%s%s", t->san, c.san > EL_MOVE_MAX / 2 ? " " : "",
	         c.san > EL_MOVE_MAX / 2 ? t->answer_san : "");
	pane_text(pane_sub(p, 0, c.x, 1, c.san - 1), 0, 0, repeats ? ROLE_DIM : ROLE_TEXT, text);
	pane_text(p, 0, c.x + c.san - 1, ROLE_STRONG, same ? "=" : "");
	snprintf(text, sizeof text, "%u", depth_shown(NULL, t->left, m->in_moves));
	pane_right(p, 0, c.left, repeats ? ROLE_DIM : ROLE_STRONG, *t->answer_san ? text : "end");
	int room = c.end - c.bar;
	if (*t->answer_san && room > 0)
		pane_bar(p, 0, c.bar, repeats ? ROLE_DIM : ROLE_WIN,
		         1 + (int)t->left * (room - 1) / (int)most);
}

static void draw_turns(const struct model *m, struct pane p)
{
	const struct metrics *x = metrics_of(m);
	char name[16];
	for (int rule = 0; rule < RACE_RULES; rule++) {
		const struct columns c = columns_of(p.cols, rule);
		if (!is_shown(x, p.cols, rule))
			continue;
		const bool on_board = rule == (int)x->board;
		pane_print(p, 0, c.x - 1, on_board ? ROLE_STRONG : ROLE_DIM, "%c%s",
		           on_board ? '>' : ' ',
		           metric_text(metric_of(x, (enum race_rule)rule), name));
		pane_print(pane_sub(p, 0, c.x, 1, c.end - c.x), 0, 4, ROLE_DIM, "%s left",
		           depth_unit(NULL, m->in_moves));
	}
	size_t rows = p.rows > 1 ? (size_t)p.rows - 1 : 0;
	size_t first = x->turns > rows ? x->turns - rows : 0;
	for (size_t i = first; i < x->turns; i++) {
		struct pane row = pane_row(p, 1 + (int)(i - first));
		pane_print(row, 0, 0, ROLE_DIM, "%3zu", i + 1);
		for (int rule = 0; rule < RACE_RULES; rule++)
			if (is_shown(x, p.cols, rule))
				draw_turn(m, row, rule, i);
	}
}

/* The player's result; empty while the game goes on. */
static void race_text(const struct metrics *x, enum race_rule rule, char *out, size_t size)
{
	const struct racer *r = &x->racer[rule];
	char name[16], there[32];
	metric_text(metric_of(x, rule), name);
	out[0] = '\0';
	if (x->turns < r->count || !racer_is_done(r))
		return;
	snprintf(there, sizeof there, r->again ? "after move %zu" : "at the start", r->again);
	if (r->over)
		snprintf(out, size, "%s: won at move %zu", name, r->count);
	else if (r->circles)
		snprintf(out, size,
		         "%s: move %zu repeats (=) the position %s; a fixed rule against perfect "
		         "defence then repeats for ever",
		         name, r->count, there);
	else
		snprintf(out, size, "%s: no win in %d moves", name, RACE_TURNS);
}

static void draw_race(const struct model *m, struct pane p)
{
	enum { RULES = 3, VERDICTS = 5, FEW_ROWS = 12 };
	const struct metrics *x = metrics_of(m);
	char text[256], name[16];
	const char *why = metrics_no_race(m);
	if (why) {
		pane_wrap(p, 0, ROLE_TEXT, why);
		return;
	}
	snprintf(text, sizeof text,
	         "WDL plays the alphabetically first winning move, %s the first of the quickest. "
	         "The other side defends perfectly.",
	         metric_text(metric_of(x, RACE_DEPTH), name));
	const bool few = p.rows < FEW_ROWS;
	const int verdicts = few ? VERDICTS - 2 : VERDICTS;
	const struct pane rules = pane_sub(p, 0, 0, RULES + (p.cols < 44), p.cols);
	int y = few ? 0 : pane_wrap(rules, 0, ROLE_DIM, text);
	draw_turns(m, pane_sub(p, y, 0, p.rows - y - verdicts, p.cols));
	y = p.rows - verdicts;
	for (int rule = 0; rule < RACE_RULES; rule++) {
		race_text(x, (enum race_rule)rule, text, sizeof text);
		if (*text)
			y += pane_wrap(p, y,
			               rule == RACE_OUTCOME && x->racer[rule].circles ? ROLE_LOSS
			                                                              : ROLE_WIN,
			               text);
	}
}

/* The last turns of a player in words. */
static void draw_line(const struct model *m, struct pane p, enum race_rule rule)
{
	enum { AT = 6, NUMBER = 6 };
	const struct metrics *x = metrics_of(m);
	const struct racer *r = &x->racer[rule];
	char name[16];
	int at = AT;
	size_t first = x->turns;
	for (size_t room = (size_t)p.cols - AT; first && racer_turn(r, first - 1); first--) {
		const struct race_turn *t = racer_turn(r, first - 1);
		const size_t cols = NUMBER + strlen(t->san) + strlen(t->answer_san);
		if (cols > room)
			break;
		room -= cols;
	}
	pane_text(p, 0, 0, ROLE_DIM, metric_text(metric_of(x, rule), name));
	for (size_t i = first; i < x->turns && racer_turn(r, i); i++) {
		const struct race_turn *t = racer_turn(r, i);
		at = pane_print(p, 0, at, ROLE_TEXT, "%zu. %s %s", i + 1, t->san, t->answer_san) +
		     1;
	}
}

/* ---- the whole ---- */

void metrics_draw(const struct model *m, struct pane p)
{
	enum { TABLE_ROWS = 20, BOTH_ROWS = TABLE_ROWS + 16, TABLE_COLS = 42 };
	const struct metrics *x = metrics_of(m);
	const struct layout l = shell_layout(m, x->game ? x->game : play_game(m), BOARD_AND_SECOND);
	struct pane side = pane_part(p, l.side);
	/* The second board is for the second player; until the race begins, a narrow table needs
	   the room more. */
	const bool two = l.second.rows && (x->racing || side.cols >= TABLE_COLS);
	if (l.second.rows && !two)
		side.cols = p.x + p.cols - side.x;
	const bool both = side.rows >= BOTH_ROWS, below = l.below.rows > 1;
	const bool known = x->game && x->table.rows && x->table.row[0].known;
	if (x->game)
		draw_board(m, two ? RACE_OUTCOME : x->board, l.scale, pane_part(p, l.board));
	if (x->game && two)
		draw_board(m, RACE_DEPTH, l.second_scale, pane_part(p, l.second));
	if (!known) {
		char text[200] = "";
		for (size_t i = 0; x->slice.game && x->slice.game->metrics[i]; i++) {
			const struct el_film_wish wish = {.slice = x->slice,
			                                  .metric = x->slice.game->metrics[i]};
			const struct filmed *f =
				el_film_shows(wish.metric) ? films_find(m, &wish) : NULL;
			if (f && f->why[0])
				snprintf(text, sizeof text, "%s In Teach, press Enter to start.",
				         f->why);
		}
		if (!*text && !x->game && !x->drawing)
			snprintf(text, sizeof text,
			         x->slice.game
			                 ? "No position of %s is won. Type :KRvK for another slice."
			                 : "No slice has that material. Type :KRvK to choose one.",
			         x->slice.name);
		else if (!*text)
			snprintf(text, sizeof text, "Solving %s", x->slice.name);
		pane_wrap(side, 0, ROLE_TEXT, text);
	} else if (both) {
		draw_table(m, below && !x->racing, pane_sub(side, 0, 0, TABLE_ROWS, side.cols));
		draw_race(m, pane_from(side, TABLE_ROWS));
	} else if (x->racing)
		draw_race(m, side);
	else
		draw_table(m, below, side);
	if (known && below && x->racing) {
		const struct pane lines = pane_part(p, l.below);
		char fen[EL_FEN_MAX];
		x->game->format(racer_position(&x->racer[x->board], &x->position, x->turns), fen);
		pane_print(lines, 0, 0, ROLE_DIM, "fen   %s", fen);
		for (int rule = 0; rule < RACE_RULES; rule++)
			draw_line(m, pane_row(lines, 1 + rule), (enum race_rule)rule);
	} else if (known && below)
		draw_explanation(m, pane_part(p, l.below));
}

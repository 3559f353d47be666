/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore_screen.h"

#include "../../text/text.h"
#include "../../shell/frame.h"
#include "../../screen/roles.h"
#include "../../screen/widgets/histogram.h"
#include "../../screen/widgets/moves.h"

#include <stdio.h>
#include <string.h>

/* ---- layout ---- */

enum {
	SIDE_COLS_MIN = SLIM_COLS,
	SIDE_COLS = 44,  /* beside a board that could be smaller */
	SIDE_ROWS_MIN = 6,
	BELOW_ROWS = 4,
	BELOW_ROWS_TALL = 5,
	TALL = 40,
	HISTOGRAM_ROWS_MIN = 10,
};

/* From here on it is said how much memory a build takes. */
static const uint64_t MUCH_MEMORY = (uint64_t)1 << 30;

/* The greatest scale of `boards` boards beside a pane of `side` columns, above `below` rows. */
static int scale_for(const struct el_game *game, int rows, int cols, int boards, int side)
{
	int scale = 0;
	for (int k = 1; boards * (board_cols(game, k) + 1) + side <= cols; k++)
		if (board_rows(game, k) + (k > 2 ? BELOW_ROWS : 0) <= rows)
			scale = k;
	return scale;
}

static int rows_below(int rows, int board)
{
	int most = rows >= TALL ? BELOW_ROWS_TALL : BELOW_ROWS;
	int spare = rows - board;
	return spare < 2 ? 0 : spare < most ? spare : most;
}

static void lay_out_wide(struct layout *l, const struct el_game *game, int rows, int cols, bool map)
{
	int width = board_cols(game, l->scale), height = board_rows(game, l->scale);
	int below = rows_below(rows, height), side_x = width + 1;
	int map_x = map ? cols - width : cols;
	l->board.rows = height;
	l->board.cols = width;
	l->side.x = side_x;
	l->side.rows = rows - below;
	l->side.cols = map_x - side_x - (map ? 1 : 0);
	if (l->side.rows - height >= HISTOGRAM_ROWS_MIN) {
		l->histogram.y = height + 1;
		l->histogram.rows = l->side.rows - height - 1;
		l->histogram.cols = width;
	}
	l->below.y = rows - below;
	l->below.rows = below;
	l->below.cols = cols;
	if (map) {
		l->map.x = map_x;
		l->map.rows = rows - below;
		l->map.cols = width;
	}
}

static void lay_out_stacked(struct layout *l, const struct el_game *game, int rows, int cols)
{
	l->board.rows = l->side.y = board_rows(game, l->scale);
	l->board.cols = l->side.cols = cols;
	l->side.rows = rows - l->board.rows;
}

/* Of the board on screen. */
static const struct el_game *game_shown(const struct model *m)
{
	return m->view == &setup_view ? m->setup.game : m->explore.game;
}

struct layout board_layout(const struct model *m, const struct el_game *game, bool two)
{
	int rows = view_rows(m), cols = m->cols;
	struct layout l = {0};
	int both = !two ? 0 : scale_for(game, rows, cols, 2, SIDE_COLS);
	int one = scale_for(game, rows, cols, 1, SIDE_COLS);
	int tight = scale_for(game, rows, cols, 1, SIDE_COLS_MIN);
	int stacked = board_scale(game, rows - SIDE_ROWS_MIN, cols);
	if (two && both < 2)
		both = scale_for(game, rows, cols, 2, 0);
	l.scale = both ? both : one > 2 ? one : tight > 2 ? 2 : tight ? tight : stacked ? stacked : 1;
	if (both || tight || !stacked)
		lay_out_wide(&l, game, rows, cols, both);
	else
		lay_out_stacked(&l, game, rows, cols);
	return l;
}

struct layout explore_layout(const struct model *m)
{
	const struct el_game *game = game_shown(m);
	int rows = view_rows(m);
	int two = scale_for(game, rows, m->cols, 2, SIDE_COLS);
	int one = scale_for(game, rows, m->cols, 1, SIDE_COLS);
	return board_layout(m, game, two > 2 || (two == 2 && one == 2));
}

struct pane layout_board(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->board.y, l->board.x, l->board.rows, l->board.cols);
}

struct pane layout_side(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->side.y, l->side.x, l->side.rows, l->side.cols);
}

struct pane layout_below(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->below.y, l->below.x, l->below.rows, l->below.cols);
}

struct pane layout_map(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->map.y, l->map.x, l->map.rows, l->map.cols);
}

/* ---- the board ---- */

static uint64_t bit(uint8_t square)
{
	return square < 64 ? (uint64_t)1 << square : 0;
}

struct board explore_board(const struct model *m)
{
	const struct explore *x = &m->explore;
	const struct node *node = &x->nodes[x->at];
	struct board b = board_plain(x->game, &node->position, x->flipped);
	b.scale = explore_layout(m).scale;
	if (x->at)
		b.last = bit(node->move.from) | bit(node->move.to) | node->move.captured;
	if (x->game->in_check(&node->position))
		b.check = node->position.set[node->position.side][0];
	struct el_move room[EL_MOVES_MAX];
	struct picker_moves moves = explore_moves(m, room);
	b.picked = x->picker.picked;
	b.cursor = x->picker.pointing ? x->picker.cursor : EL_NO_SQUARE;
	b.targets = picker_targets(&x->picker, &moves);
	return b;
}

static void step(struct model *m, int files, int ranks)
{
	struct explore *x = &m->explore;
	x->picker.cursor = square_step(game_shown(m), x->flipped, x->picker.cursor, files, ranks);
}

void cursor_left(struct model *m)
{
	step(m, -1, 0);
}

void cursor_right(struct model *m)
{
	step(m, 1, 0);
}

void cursor_up(struct model *m)
{
	step(m, 0, 1);
}

void cursor_down(struct model *m)
{
	step(m, 0, -1);
}

/* ---- the value ---- */

static const char *ending(const struct el_answer *a, struct el_value value)
{
	return value.outcome == EL_DRAW ? "stalemate" : a->in_check ? "checkmate" : "lost";
}

/* Returns the rows used. */
static int draw_answer_headline(const struct el_answer *a, struct el_value value, struct pane p)
{
	static const char *const verbs[] = {
		[EL_LOSS] = "loses",
		[EL_BLESSED_LOSS] = "loses, but draws by the 50-move rule",
		[EL_DRAW] = "draws",
		[EL_CURSED_WIN] = "wins, but draws by the 50-move rule",
		[EL_WIN] = "wins",
	};
	const char *side = side_name(a->position.side);
	enum role role = outcome_role(value.outcome);
	bool is_slim = pane_is_slim(p);
	char text[96];
	if (a->over)
		pane_print(p, 0, 0, role, is_slim ? "%s: %s" : "%s has no move: %s", side,
			   ending(a, value));
	else if (el_outcome_exact(value.outcome))
		pane_print(p, 0, 0, role, "%s%s %s", side, is_slim ? "" : " to move",
			   verbs[value.outcome]);
	else {
		snprintf(text, sizeof text, "%s%s: %s", side, is_slim ? "" : " to move",
		         outcome_words(value.outcome));
		return pane_wrap(pane_sub(p, 0, 0, 2, p.cols), 0, role, text);
	}
	return 1;
}

static void draw_known(const struct model *m, const struct el_answer *a, struct pane p)
{
	char sentence[SENTENCE_MAX];
	struct el_value value = a->value[el_metric_rank(a->metric)];
	if (a->over || !value_is_deep(a->metric, value))
		return;
	value_sentence(a->metric, value, m->in_moves, sentence);
	if (pane_is_slim(p)) /* in one unit, then */
		sentence[strcspn(sentence, "(")] = '\0';
	pane_text(p, 1, 0, ROLE_STRONG, sentence);
}

/* Why the tables that there are do not tell more. */
static void draw_why(const struct model *m, const struct study *s, int y, struct pane p)
{
	char text[512];
	bool is_asked = build_is_asked(&m->build, &s->answer.slice);
	snprintf(text, sizeof text, "%s%s", s->answer.why_unknown,
	         !s->missing_count ? "" : is_asked ? "; being built" : "; b builds all of it");
	pane_wrap(pane_sub(p, y, 0, (p.rows > 12 ? 4 : 3) - y, p.cols), 0, ROLE_TEXT, text);
}

/* What makes a missing table, or that it is being made. */
static void missing_text(const struct model *m, const struct study *s, char *out, size_t size)
{
	const struct el_answer *a = &s->answer;
	char memory[32] = "", bytes[16];
	if (s->missing_bytes >= MUCH_MEMORY)
		snprintf(memory, sizeof memory, " in %s of memory",
		         bytes_text(s->missing_bytes, bytes));
	if (!s->missing_count)
		snprintf(out, size, "%s", a->why_unknown);
	else if (build_is_asked(&m->build, &a->slice))
		snprintf(out, size, "being built: the values appear by themselves");
	else if (s->missing_count > 1)
		snprintf(out, size, "b builds it and %u more%s: %s", s->missing_count - 1, memory,
		         s->missing + strlen(a->slice.name) + 1);
	else
		snprintf(out, size, "b builds it%s", memory);
}

static void draw_unbuilt(const struct model *m, const struct study *s, struct pane p)
{
	const struct el_answer *a = &s->answer;
	char text[512];
	if (a->has_slice)
		snprintf(text, sizeof text, "%s is not built", a->slice.name);
	else
		snprintf(text, sizeof text, "%s to move: not known", side_name(a->position.side));
	int rows = pane_wrap(pane_sub(p, 0, 0, 2, p.cols), 0, ROLE_UNKNOWN, text);
	missing_text(m, s, text, sizeof text);
	pane_wrap(pane_sub(p, rows, 0, 3 - rows, p.cols), 0, ROLE_TEXT, text);
}

/* What else the position is about, in one line. */
static void draw_notes(const struct model *m, const struct el_answer *a, struct pane p)
{
	char text[96] = "", square[4];
	size_t used = 0;
	if (a->in_check && !a->over)
		used += (size_t)snprintf(text, sizeof text, "check  ");
	if (a->position.en_passant != EL_NO_SQUARE) {
		m->explore.game->square_name(a->position.en_passant, square);
		used += (size_t)snprintf(text + used, sizeof text - used, "en passant %s  ",
					 square);
	}
	if (a->position.halfmove && !m->explore.game->pdn_type) /* no such rule in draughts */
		snprintf(text + used, sizeof text - used, "halfmove clock %u",
			 a->position.halfmove);
	pane_text(p, 2, 0, ROLE_DIM, text);
}

static void draw_value(const struct model *m, const struct study *s, struct pane p)
{
	const struct el_answer *a = &s->answer;
	char name[16];
	if (!a->metric && !s->metric) {
		draw_unbuilt(m, s, p);
		return;
	}
	const struct el_metric *metric = a->metric ? a->metric : s->metric;
	int rows = draw_answer_headline(a, a->value[el_metric_rank(metric)], p);
	if (!pane_is_slim(p))
		pane_right(p, 0, p.cols - 1, ROLE_DIM, metric_text(metric, name));
	if (!study_is_exact(s)) {
		draw_why(m, s, rows, p);
		return;
	}
	draw_known(m, a, p);
	draw_notes(m, a, p);
}

static void draw_side(const struct model *m, struct pane p)
{
	const struct study *s = m->explore.study;
	if (!s) {
		pane_text(p, 0, 0, ROLE_DIM, "looking it up");
		return;
	}
	draw_value(m, s, p);
	bool roomy = p.rows > 12;
	int top = roomy ? 4 : 3;
	struct pane moves = pane_sub(p, top, 0, p.rows - top - (roomy ? 2 : 0), p.cols);
	moves_draw(&s->answer, &m->explore.moves, m->in_moves, moves);
	if (roomy && s->source[0])
		pane_print(p, p.rows - 1, 0, ROLE_DIM, "source %s", s->source);
}

/* ---- below: the line, and what the last move kept ---- */

static void line_text(const struct explore *x, char *out, size_t size)
{
	const struct el_position *from = &x->nodes[x->at].position;
	const struct best_line *line = &x->line;
	unsigned side = from->side, number = from->fullmove;
	size_t used = 0;
	out[0] = '\0';
	for (size_t i = 0; i < line->count && used < size; i++) {
		char before[NUMBER_MAX];
		move_number(x->game, side, number, i == 0, before);
		used += (size_t)snprintf(out + used, size - used, "%s%s%s ", before,
		                         *before ? " " : "", line->san[i]);
		number += side != x->game->first_side;
		side ^= 1;
	}
	if (line->more && used < size)
		snprintf(out + used, size - used, "...");
}

static void draw_line(const struct model *m, struct pane p)
{
	char text[LINE_MAX_MOVES * (EL_MOVE_MAX / 2)];
	const struct explore *x = &m->explore;
	pane_text(p, 0, 0, ROLE_DIM, "line");
	if (!x->line.count)
		return;
	line_text(x, text, sizeof text);
	pane_wrap(pane_sub(p, 0, 6, p.rows, p.cols - 7), 0, ROLE_TEXT, text);
}

static void draw_last_move(const struct model *m, struct pane p)
{
	const struct explore *x = &m->explore;
	const struct node *n = &x->nodes[x->at];
	char text[160], step[48];
	if (n->quality.metric) {
		quality_text(&n->quality, n->san, m->in_moves, text, sizeof text);
		pane_text(p, 0, 0, ROLE_DIM, "last");
		pane_text(p, 0, 6, quality_role(&n->quality), text);
	}
	if (x->count > 1) {
		snprintf(step, sizeof step, "move %zu of %zu played", x->at, x->count - 1);
		pane_right(p, 0, p.cols - 1, ROLE_DIM, step);
	}
}

static void draw_below(const struct model *m, struct pane p)
{
	char fen[EL_FEN_MAX];
	int y = 0;
	if (p.rows > 3) {
		m->explore.game->format(explore_position(m), fen);
		pane_text(p, y, 0, ROLE_DIM, "fen");
		pane_text(p, y++, 6, ROLE_DIM, fen);
	}
	draw_line(m, pane_sub(p, y, 0, p.rows - y - 1, p.cols));
	draw_last_move(m, pane_sub(p, p.rows - 1, 0, 1, p.cols));
}

/* ---- under a large board: the depths of the whole slice, where they have been counted ---- */

static void draw_histogram(const struct model *m, struct pane p)
{
	const struct study *s = m->explore.study;
	struct el_place place;
	if (!s || !s->answer.metric || !s->answer.has_slice ||
	    !m->explore.game->place(&s->answer.position, &place))
		return;
	const struct finding *f = tables_finding(&m->tables, &s->answer.slice, s->answer.metric);
	if (!f || !f->counted) {
		pane_print(p, 0, 2, ROLE_DIM, "c counts the depths of %s", s->answer.slice.name);
		return;
	}
	struct el_value value = s->answer.value[el_metric_rank(s->answer.metric)];
	char title[96];
	const char *side = side_name(place.plane), *name = f->slice.name;
	snprintf(title, sizeof title, "positions of %s, %s to move, by plies", name, side);
	if (2 + utf8_length(title) > p.cols)
		snprintf(title, sizeof title, "%s, %s to move, by plies", name, side);
	pane_text(p, 0, 2, ROLE_DIM, title);
	histogram_draw(&f->stats.side[place.plane], value.plies,
		       pane_sub(p, 1, 1, p.rows - 1, p.cols - 1));
}

void explore_draw(const struct model *m, struct pane p)
{
	struct layout l = explore_layout(m);
	struct board board = explore_board(m);
	struct pane side = layout_side(&l, p);
	board_draw(&board, layout_board(&l, p));
	int line_rows = !l.below.rows && side.rows > 12 ? 3 : 0;
	draw_side(m, pane_sub(side, 0, 0, side.rows - line_rows, side.cols));
	if (line_rows)
		draw_line(m, pane_sub(side, side.rows - line_rows, 0, line_rows, side.cols));
	if (l.below.rows)
		draw_below(m, layout_below(&l, p));
	if (l.map.rows)
		map_draw_board(m, layout_map(&l, p));
	if (l.histogram.rows)
		draw_histogram(m, pane_sub(p, l.histogram.y, l.histogram.x, l.histogram.rows,
					   l.histogram.cols));
}

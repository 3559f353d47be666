/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "practice.h"

#include "../../screen/roles.h"
#include "../../screen/widgets/layout.h"
#include "../../text/text.h"

#include <stdio.h>
#include <string.h>

/* Rows of the right-hand pane: what is asked, what the last move was worth, the moves, counts. With
   few of them nothing is left between. */
enum { ASKED_ROWS = 2, LAST_ROWS = 3, COUNT_ROWS = 1, FEW_ROWS = 14, GAP = 2 };

static int last_at(int rows)
{
	return ASKED_ROWS + (rows >= FEW_ROWS);
}

static int list_at(int rows)
{
	return last_at(rows) + LAST_ROWS + (rows >= FEW_ROWS);
}

static int list_rows(int rows)
{
	int left = rows - list_at(rows) - COUNT_ROWS - (rows >= FEW_ROWS);
	return left > 1 ? left : 1;
}

static struct pane side_pane(const struct layout *l, struct pane p)
{
	/* No map stands beside it: all the room at the right is its own. */
	return pane_sub(p, l->side.y, l->side.x, l->side.rows, p.cols - l->side.x);
}

/* ---- the board ---- */

static void draw_board(const struct model *m, const struct layout *l, struct pane p)
{
	const struct practice *r = practice_of(m);
	const struct practice_game *g = &r->play;
	static const struct el_position empty = {.en_passant = EL_NO_SQUARE};
	const struct el_position *shown = practice_position(r);
	struct el_move room[EL_MOVES_MAX];
	bool flipped = r->at == PRACTICE_ROUND ? shown->side == EL_BLACK : r->flipped;
	const bool plays = shown && g->game;
	const struct el_move *last = plays && g->count ? &g->plies[g->count - 1].move : NULL;
	struct board b = plays ? board_played(g->game, shown, last, flipped)
	                       : board_plain(r->slice.game, shown ? shown : &empty, flipped);
	b.scale = l->scale;
	if (g->game) {
		struct picker_moves moves = practice_moves(m, room);
		b.picked = r->picker.picked;
		b.cursor = r->picker.pointing ? r->picker.cursor : EL_NO_SQUARE;
		b.targets = picker_targets(&r->picker, &moves);
	}
	board_draw(&b, layout_board(l, p));
}

/* ---- what is asked, and what came of the last move ---- */

static void draw_asked(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	const struct practice_game *g = &r->play;
	char text[48], sentence[SENTENCE_MAX] = "";
	int end = pane_print(p, 0, 0, ROLE_STRONG, "You play %s.", side_name(g->user));
	snprintf(text, sizeof text, "level %d  position %zu of %d", r->level, r->at + 1,
	         PRACTICE_ROUND);
	if (end + 2 + utf8_length(text) < p.cols)
		pane_right(p, 0, p.cols - 1, ROLE_DIM, text);
	struct el_value win = {.outcome = EL_WIN, .plies = (uint16_t)g->score.possible};
	/* Where there is a rule, it goes without saying that the win is in time. */
	if (g->metric)
		value_plain_sentence(g->metric, win, m->in_moves, sentence);
	if (g->score.possible && !g->count)
		pane_print(p, 1, 0, ROLE_TEXT, "%s is possible", sentence);
	else if (g->score.possible)
		pane_print(p, 1, 0, ROLE_DIM, "%s was possible", sentence);
}

static const char *end_text(const struct practice_game *g, char *out, size_t size)
{
	static const char *const texts[] = {
		[PRACTICE_THROWN] = "Press z to take it back, r to see why, space to go on.",
		[PRACTICE_REPEATED] = "The position has occurred three times: no progress.",
		[PRACTICE_GIVEN_UP] = "Given up.",
	};
	const struct practice_score *s = &g->score;
	if (s->end == PRACTICE_FIFTY)
		snprintf(out, size, "%u moves without progress: a draw by the rules of most games.",
		         g->limit / 2);
	if (s->end != PRACTICE_WON)
		return s->end == PRACTICE_FIFTY ? out : texts[s->end];
	snprintf(out, size, "Won in %u %s (best %u): %u %%. Press space to go on.", s->plies,
	         depth_unit_of(s->plies, false), s->possible,
	         practice_percent(s));
	return out;
}

/* Where the win may come too late for the 50-move rule: what is left of it. `v` counts from the
   position on the board. */
static void time_left_text(const struct practice_game *g, const struct el_metric *metric,
                           struct el_value v, char *out, size_t size)
{
	const unsigned limit = g->game->zeroes ? g->limit : 0, clock = g->now.halfmove;
	out[0] = '\0';
	if (el_outcome_exact(el_value_in_time(metric, v, limit, clock)))
		return;
	const unsigned left = limit > clock ? limit - clock : 0;
	snprintf(out, size, ", %u %s left on the clock", left, depth_unit_of(left, false));
}

/* `gone`: plies of the value that have been played since. */
static void value_text(const struct model *m, const struct el_metric *metric, struct el_value v,
                       unsigned gone, char *out, size_t size)
{
	const struct practice_game *g = &practice_of(m)->play;
	char sentence[SENTENCE_MAX], clock[48];
	value_sentence(metric, v, m->in_moves, sentence);
	v.plies = (uint16_t)(v.plies > gone ? v.plies - gone : 0);
	time_left_text(g, metric, v, clock, sizeof clock);
	snprintf(out, size, "now %s%s%s",
	         v.outcome == EL_DRAW   ? "a "
	         : v.outcome == EL_LOSS ? "lost: "
	                                : "",
	         sentence, clock);
}

/* What the user's last move left, where it was not the best; then the answer, and what is left
   after it. Empty where there is nothing to say. */
static void left_text(const struct model *m, const struct practice_ply *last, char *out,
                      size_t size)
{
	const struct practice_game *g = &practice_of(m)->play;
	const struct practice_ply *newest = &g->plies[g->count - 1];
	char value[SENTENCE_MAX + 64] = "";
	out[0] = '\0';
	if (newest == last && !el_value_equal(last->quality.best, last->quality.got)) {
		value_text(m, last->quality.metric, last->quality.got, 1, out, size);
	} else if (newest != last) {
		if (g->known && g->move_count)
			value_text(m, g->metric, g->moves[g->best].film.value, 0, value, sizeof value);
		snprintf(out, size, "%s answered %s%s%.100s", side_name(newest->before.side), newest->san,
		         *value ? ": " : "", value);
	}
}

static void draw_last(const struct model *m, struct pane p)
{
	const struct practice_game *g = &practice_of(m)->play;
	const struct practice_ply *last = practice_last(g);
	char text[160];
	int y = 0;
	if (last) {
		quality_text(&last->quality, last->san, m->in_moves, text, sizeof text);
		y += pane_wrap(p, y, quality_role(&last->quality), text);
	}
	if (g->score.end != PRACTICE_WON && last) {
		left_text(m, last, text, sizeof text);
		y += pane_wrap(p, y, ROLE_TEXT, text);
	}
	if (g->score.end != PRACTICE_GOING)
		pane_wrap(pane_sub(p, y, 0, p.rows - y, p.cols), 0, ROLE_STRONG,
		          end_text(g, text, sizeof text));
	else if (!last)
		pane_wrap(p, 0, ROLE_DIM,
		          "Win in as few plies as you can. Choose a move from the list, press Tab "
		          "to use the board, or type a move after :");
}

/* ---- the moves, by name, in columns ---- */

static struct layout layout_of(const struct model *m)
{
	const struct practice *r = practice_of(m);
	return layout_make(r->chosen ? r->slice.game : play_game(m), ONE_BOARD,
	                   shell_view_rows(m), shell_cols(m));
}

int practice_list_rows(const struct model *m)
{
	struct layout l = layout_of(m);
	return list_rows(l.side.rows);
}

static int widest_name(const struct practice_game *g)
{
	int widest = 0;
	for (size_t i = 0; i < g->move_count; i++) {
		char name[EL_MOVE_MAX];
		practice_name(&g->moves[i], name);
		int cols = utf8_length(name);
		widest = cols > widest ? cols : widest;
	}
	return widest;
}

static void draw_moves(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	if (!p.rows)
		return;
	int rows = p.rows, width = widest_name(&r->play) + GAP + 1;
	int columns = p.cols / width > 0 ? p.cols / width : 1;
	int at = r->list.at / rows, first = at >= columns ? at - columns + 1 : 0;
	for (int i = first * rows; i < r->list.count && i / rows < first + columns; i++) {
		struct pane cell = pane_sub(p, i % rows, (i / rows - first) * width, 1, width - 1);
		bool selected = i == r->list.at && !r->picker.pointing;
		char name[EL_MOVE_MAX];
		practice_name(&r->play.moves[i], name);
		if (selected)
			pane_fill(cell, ROLE_SELECTED);
		pane_text(cell, 0, 0, ROLE_STRONG, selected ? ">" : " ");
		pane_text(cell, 0, GAP, selected ? ROLE_STRONG : ROLE_TEXT, name);
		pane_zone(cell, ZONE_ITEM, i);
	}
}

/* ---- where there is much room: what each move of the user's left ---- */

enum { HISTORY_COLS = 40, WIDE_COLS = 36 + HISTORY_COLS };

static void draw_history(const struct model *m, struct pane p)
{
	enum { BAR_AT = 24 };
	const struct practice_game *g = &practice_of(m)->play;
	unsigned deepest = 1;
	for (size_t i = 0; i < g->count; i++)
		if (g->plies[i].quality.got.plies > deepest)
			deepest = g->plies[i].quality.got.plies;
	pane_print(p, 0, 0, ROLE_DIM, "what each move left, in %s", depth_unit(m->in_moves));
	/* Plies of the user's are every second one, from the first; the newest ones are shown. */
	size_t all = (g->count + 1) / 2, rows = p.rows > 1 ? (size_t)p.rows - 1 : 0;
	size_t first = all > rows ? all - rows : 0;
	for (size_t i = first; i < all; i++) {
		const struct practice_ply *ply = &g->plies[2 * i];
		const struct el_value got = ply->quality.got;
		int y = (int)(i - first) + 1, room = p.cols - BAR_AT;
		pane_print(p, y, 0, ROLE_TEXT, "%3zu  %-9s", i + 1, ply->san);
		if (got.outcome != EL_WIN) {
			pane_text(p, y, 17, outcome_role(got.outcome), outcome_words(got.outcome));
			continue;
		}
		pane_print(p, y, 17, ROLE_STRONG, "%4u", depth_shown(got.plies, m->in_moves));
		pane_bar(p, y, BAR_AT, outcome_role(got.outcome),
		         1 + (int)got.plies * (room - 1) / (int)deepest);
	}
}

static void draw_counts(const struct practice_game *g, struct pane p)
{
	const struct practice_score *s = &g->score;
	unsigned moves = (s->plies + 1) / 2;
	if (pane_is_slim(p))
		pane_print(p, 0, 0, ROLE_DIM, "moves %u  lost %u", moves, s->lost);
	else
		pane_print(p, 0, 0, ROLE_DIM, "moves %u  plies lost %u  thrown %u  back %u", moves,
		           s->lost, s->thrown, s->taken_back);
}

/* The moves are not known yet, or not at all. */
static void draw_unknown(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	struct el_film_wish wish = {.metric = el_game_metric(r->play.game)};
	const struct filmed *f = NULL;
	char text[240];
	if (r->untold && !r->play.game->slice_of(&r->play.now, &wish.slice, NULL))
		f = films_find(m, &wish);
	if (f && f->why[0])
		snprintf(text, sizeof text, "No table tells what these moves are worth. %s", f->why);
	else
		snprintf(text, sizeof text, "%s", r->untold ? "solving the slice that was entered"
		                                            : "looking the moves up");
	pane_wrap(p, 0, ROLE_DIM, text);
}

static void draw_play(const struct model *m, struct pane p)
{
	const struct practice_game *g = &practice_of(m)->play;
	int list_y = list_at(p.rows);
	/* No list stands below what is said of the end. */
	int last_rows = g->score.end == PRACTICE_GOING ? LAST_ROWS : 2 * LAST_ROWS;
	draw_asked(m, pane_sub(p, 0, 0, ASKED_ROWS, p.cols));
	draw_last(m, pane_sub(p, last_at(p.rows), 0, last_rows, p.cols));
	bool wide = p.cols >= WIDE_COLS;
	int list_cols = wide ? p.cols - HISTORY_COLS : p.cols;
	struct pane list = pane_sub(p, list_y, 0, list_rows(p.rows), list_cols - 1);
	if (wide && g->count)
		draw_history(m, pane_sub(p, list_y, list_cols, list.rows, HISTORY_COLS - 1));
	if (g->score.end == PRACTICE_GOING && !g->known)
		draw_unknown(m, list);
	else if (g->score.end == PRACTICE_GOING && practice_is_users_turn(g))
		draw_moves(m, list);
	else if (g->score.end == PRACTICE_GOING)
		pane_print(list, 0, 0, ROLE_DIM, "%s answers", side_name(g->now.side));
	draw_counts(g, pane_sub(p, p.rows - COUNT_ROWS, 0, COUNT_ROWS, p.cols));
}

/* ---- below: what was played, what r shows, the round so far ---- */

static void played_text(const struct practice_game *g, char *out, size_t size)
{
	/* The last moves, as many as are sure to fit. */
	enum { SHOWN = 16 };
	size_t used = 0, first = g->count > SHOWN ? (g->count - SHOWN) / 2 * 2 : 0;
	out[0] = '\0';
	for (size_t i = first; i < g->count && used < size; i++) {
		const struct practice_ply *p = &g->plies[i];
		char number[NUMBER_MAX];
		move_number(g->game, p->before.side, p->before.fullmove, i == first, number);
		used += (size_t)snprintf(out + used, size - used, "%s%s%s ", number,
		                         *number ? " " : "", p->san);
	}
}

static const char *end_word(enum practice_end end)
{
	static const char *const words[] = {
		[PRACTICE_GOING] = "-",
		[PRACTICE_WON] = "won",
		[PRACTICE_THROWN] = "thrown away",
		[PRACTICE_REPEATED] = "repeated",
		[PRACTICE_FIFTY] = "no progress",
		[PRACTICE_GIVEN_UP] = "given up",
	};
	return words[end];
}

static void draw_round(const struct practice *r, struct pane p)
{
	int x = r->at && r->at < PRACTICE_ROUND ? pane_text(p, 0, 0, ROLE_DIM, "round") : 0;
	for (size_t i = 0; x && i < r->at; i++)
		x = pane_print(p, 0, x + 2, ROLE_DIM, "%zu: %u %%", i + 1,
		               practice_percent(&r->round[i]));
}

static void draw_below(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	const struct el_position *shown = practice_position(r);
	char text[512];
	int y = 0;
	if (shown && p.rows > 3) {
		r->slice.game->format(shown, text);
		pane_text(p, y, 0, ROLE_DIM, "fen");
		pane_text(p, y++, 6, ROLE_DIM, text);
	}
	struct pane line = pane_sub(p, y, 0, p.rows - y - 1, p.cols - 1);
	if (r->proof[0]) {
		pane_wrap(line, 0, ROLE_TEXT, r->proof);
	} else if (r->play.game && r->play.count) {
		played_text(&r->play, text, sizeof text);
		pane_text(line, 0, 0, ROLE_DIM, "moves");
		pane_wrap(pane_sub(line, 0, 6, line.rows, line.cols - 6), 0, ROLE_TEXT, text);
	}
	draw_round(r, pane_sub(p, p.rows - 1, 0, 1, p.cols));
}

/* ---- the end of a round ---- */

static void draw_result(const struct practice *r, struct pane p, int i)
{
	const struct practice_score *s = &r->round[i];
	bool selected = i == r->list.at;
	if (selected)
		pane_fill(p, ROLE_SELECTED);
	pane_print(p, 0, 0, ROLE_TEXT, "%c%d %-11s", selected ? '>' : ' ', i + 1,
	           end_word(s->end));
	pane_print(p, 0, 15, ROLE_TEXT, "%5u %5u %5u %4u", s->plies, s->possible, s->lost,
	           s->taken_back);
	pane_print(p, 0, 38, ROLE_STRONG, "%3u", practice_percent(s));
	pane_zone(p, ZONE_ITEM, i);
}

static void draw_results(const struct practice *r, struct pane p)
{
	char text[160];
	unsigned total = practice_total(r->round);
	int next = practice_next_level(r->level, total);
	pane_print(p, 0, 0, ROLE_STRONG, "The round is over: %u %%", total);
	pane_text(p, 2, 15, ROLE_DIM, "plies  best  lost back   %");
	for (int i = 0; i < PRACTICE_ROUND; i++)
		draw_result(r, pane_sub(p, 3 + i, 0, 1, p.cols), i);
	int y = 4 + PRACTICE_ROUND;
	snprintf(text, sizeof text,
	         "A win scores 100 x best / plies, less %d for each move taken back; anything else "
	         "scores 0. The total is the mean.",
	         PRACTICE_TAKE_BACK_PERCENT);
	y += pane_wrap(pane_sub(p, y, 0, 3, p.cols), 0, ROLE_DIM, text) + 1;
	snprintf(text, sizeof text, next > r->level   ? "Press + for level %d next."
	                            : next < r->level ? "Press - for level %d next."
	                                              : "Try level %d again.", next);
	pane_text(p, y++, 0, ROLE_TEXT, text);
	pane_text(p, y, 0, ROLE_TEXT, "Press space for another round.");
}

/* ---- before the first position ---- */

static void draw_waiting(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	struct el_film_wish wish = {.slice = r->slice};
	char text[320];
	if (r->chosen)
		wish.metric = el_game_metric(r->slice.game);
	const struct filmed *f = r->chosen ? films_find(m, &wish) : NULL;
	if (!r->chosen)
		snprintf(text, sizeof text, "No slice has the material in Explore. Type :KRvK to choose one.");
	else if (r->source == PRACTICE_BY_FILMS && f && f->why[0])
		snprintf(text, sizeof text, "No table tells how deep the wins of %s are. %s In Teach, press "
		         "Enter to start.", r->slice.name, f->why);
	else if (r->none || (r->source == PRACTICE_BY_FILMS && f && f->film))
		snprintf(text, sizeof text,
		         "No position of %s is won, so there is nothing to practise. Type :KRvK for another "
		         "slice.",
		         r->slice.name);
	else if (r->source == PRACTICE_BY_FILMS)
		snprintf(text, sizeof text, "Solving %s", r->slice.name);
	else
		snprintf(text, sizeof text, "Looking for a position of %s", r->slice.name);
	pane_wrap(p, 0, ROLE_TEXT, text);
}

void practice_draw(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	struct layout l = layout_of(m);
	struct pane side = side_pane(&l, p);
	if (r->chosen)
		draw_board(m, &l, p);
	if (r->at == PRACTICE_ROUND)
		draw_results(r, side);
	else if (r->play.game)
		draw_play(m, side);
	else
		draw_waiting(m, side);
	if (l.below.rows && practice_position(r))
		draw_below(m, layout_below(&l, p));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "practice.h"

#include "tui/screen/roles.h"
#include "tui/shell/room.h"

#include <stdio.h>
#include <string.h>

/* Rows of the right-hand pane: the question, the last move's value, the moves, counts. With
   FEW_ROWS there are no gaps. */
enum { ASKED_ROWS = 2, LAST_ROWS = 3, COUNT_ROWS = 2, FEW_ROWS = 14, GAP = 2 };

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

/* ---- the board ---- */

static void draw_board(const struct model *m, const struct layout *l, struct pane p)
{
	const struct practice *r = practice_of(m);
	const struct practice_game *g = &r->play;
	static const struct el_position empty = {.en_passant = EL_NO_SQUARE};
	const struct el_position *shown = practice_position(r);
	struct el_move room[EL_MOVES_MAX];
	struct el_position made;
	bool flipped = practice_is_over(r) ? shown->side == EL_BLACK : r->flipped;
	const bool plays = shown && g->game;
	const struct practice_ply *last = plays && g->count ? &g->plies[g->count - 1] : NULL;
	struct board b = last    ? board_played(g->game, shown, &last->move, &last->before, flipped)
	                 : plays ? board_played(g->game, shown, NULL, NULL, flipped)
	                         : board_plain(practice_board(r), shown ? shown : &empty, flipped);
	b.scale = l->scale;
	if (g->game) {
		struct picker_moves moves = practice_moves(m, room);
		picker_show(&r->picker, &moves, &b, &made);
	}
	board_draw(&b, pane_part(p, l->board));
}

/* ---- the question, and the result of the last move ---- */

/* Returns the rows used. */
static int draw_asked(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	char text[PRACTICE_TEXT], place[48];
	practice_question_text(m, text);
	const int end = pane_text(p, 0, 0, ROLE_STRONG, text);
	snprintf(place, sizeof place, "level %d  position %zu of %zu", r->level, r->at + 1,
	         r->round_count);
	if (end + 2 + utf8_length(place) < p.cols)
		pane_right(p, 0, p.cols - 1, ROLE_DIM, place);
	practice_task_text(m, text);
	if (exercises[r->exercise].kind != BY_MOVES)
		return 1 + pane_wrap(p, 1, ROLE_TEXT, text);
	pane_text(p, 1, 0, r->play.count ? ROLE_DIM : ROLE_TEXT, text);
	return ASKED_ROWS;
}

static void draw_last(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	const struct practice_game *g = &r->play;
	const struct practice_ply *last = practice_last(g);
	const bool told = g->score.end != PRACTICE_WON && g->score.end != PRACTICE_FOUND;
	char text[PRACTICE_TEXT] = "";
	int y = 0;
	if (last) {
		quality_text(&last->verdict, last->san, m->in_moves, text, sizeof text);
		y += pane_wrap(p, y,
		               el_value_equal(last->verdict.best, last->verdict.got) ? ROLE_WIN
		               : last->verdict.best.outcome == last->verdict.got.outcome
		                       ? ROLE_DRAW
		                       : ROLE_LOSS,
		               text);
	}
	if (last && told) {
		practice_left_text(m, text);
		y += pane_wrap(p, y, ROLE_TEXT, text);
	}
	if (g->score.end != PRACTICE_GOING) {
		practice_end_text(m, text);
		pane_wrap(p, y, ROLE_STRONG, text);
	} else if (!last)
		pane_wrap(p, 0, ROLE_DIM, exercise_how(r->exercise, r->slice.game));
}

/* ---- marks ---- */

static void draw_marks(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	char text[PRACTICE_TEXT];
	int y = 0;
	if (r->play.score.end) {
		practice_end_text(m, text);
		y += pane_wrap(p, 0, ROLE_STRONG, text) + 1;
	} else {
		y += pane_print_wrapped(p, 0, ROLE_DIM, exercise_how(r->exercise, r->slice.game),
		                        square_word(r->slice.game)) +
		     1;
		pane_print(p, y++, 0, ROLE_TEXT, "marked %d",
		           __builtin_popcountll(r->marks.marked));
	}
	/* The value with the piece at the cursor, once it may be shown. */
	struct pane cursor = pane_sub(p, y, 0, 2, p.cols);
	const struct el_value value = r->values[r->marks.cursor];
	char name[4], sentence[SENTENCE_MAX];
	r->slice.game->square_name(r->marks.cursor, name);
	const int x = pane_print(cursor, 0, 0, ROLE_STRONG, "%s  ", name);
	if (r->marks.graded && value.outcome == EL_BROKEN)
		pane_print(cursor, 0, x, ROLE_DIM, "the %s cannot stand there",
		           piece_word(r->slice.game));
	else if (r->marks.graded)
		pane_wrap(pane_sub(cursor, 0, x, 2, cursor.cols - x), 0,
		          outcome_role(value.outcome),
		          value_plain_sentence(r->told, value, m->in_moves, sentence));
}

/* ---- guesses ---- */

static void draw_guess(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	char text[PRACTICE_TEXT];
	int row = 0;
	for (; row < r->list.count; row++) {
		struct pane outcome = pane_row(p, row);
		const bool here = row == r->list.at, draw = row == 1;
		const enum role role = here ? ROLE_STRONG : ROLE_TEXT;
		char line[32] = "draw";
		if (!draw)
			snprintf(line, sizeof line, "%s wins",
			         r->slice.game->sides[r->play.user ^ (row == 2)]);
		pane_select(outcome, here);
		const int x = pane_text(outcome, 0, GAP, role, line);
		if (here && !draw)
			pane_print(outcome, 0, x, role, " in  < %u >  %s", r->guess,
			           depth_unit_of(r->told, r->guess, m->in_moves));
		if (!r->play.score.end)
			pane_zone(outcome, ZONE_ITEM, row);
	}
	struct pane below = pane_from(p, row + 1);
	if (!r->play.score.end) {
		pane_wrap(below, 0, ROLE_DIM, exercise_how(r->exercise, r->slice.game));
		return;
	}
	practice_end_text(m, text);
	pane_wrap(below, 0, ROLE_STRONG, text);
}

/* ---- the moves, by name, in columns ---- */

static struct layout layout_of(const struct model *m)
{
	const struct practice *r = practice_of(m);
	return shell_layout(m, r->chosen ? r->slice.game : play_game(m), ONE_BOARD);
}

int practice_list_rows(const struct model *m)
{
	return list_rows(layout_of(m).side.rows);
}

/* ---- on wide screens: the value after each of the user's moves ---- */

enum { HISTORY_COLS = 40, WIDE_COLS = 36 + HISTORY_COLS };

static void draw_history(const struct model *m, struct pane p)
{
	enum { BAR_AT = 24 };
	const struct practice_game *g = &practice_of(m)->play;
	unsigned deepest = 1;
	for (size_t i = 0; i < g->count; i++)
		if (g->plies[i].verdict.got.plies > deepest)
			deepest = g->plies[i].verdict.got.plies;
	pane_print(p, 0, 0, ROLE_DIM, "what each move left, in %s",
	           depth_unit(g->answer.metric, m->in_moves));
	/* The user's plies are every second one, from the first; shows the newest ones. */
	size_t all = (g->count + 1) / 2, rows = p.rows > 1 ? (size_t)p.rows - 1 : 0;
	size_t first = all > rows ? all - rows : 0;
	for (size_t i = first; i < all; i++) {
		const struct practice_ply *ply = &g->plies[2 * i];
		const struct el_value got = ply->verdict.got;
		int y = (int)(i - first) + 1, room = p.cols - BAR_AT;
		pane_print(p, y, 0, ROLE_TEXT, "%3zu  %-9s", i + 1, ply->san);
		if (!value_is_deep(ply->verdict.metric, got)) {
			pane_text(p, y, 17, outcome_role(got.outcome), outcome_words(got.outcome));
			continue;
		}
		pane_print(p, y, 17, ROLE_STRONG, "%4u",
		           depth_shown(ply->verdict.metric, got.plies, m->in_moves));
		pane_bar(p, y, BAR_AT, outcome_role(got.outcome),
		         1 + (int)got.plies * (room - 1) / (int)deepest);
	}
}

static void draw_play(const struct model *m, struct pane p)
{
	const struct practice_game *g = &practice_of(m)->play;
	const int list_y = list_at(p.rows);
	/* The text about the end has no list below it. */
	const int last_rows = g->score.end == PRACTICE_GOING ? LAST_ROWS : 2 * LAST_ROWS;
	draw_last(m, pane_sub(p, last_at(p.rows), 0, last_rows, p.cols));
	const bool wide = p.cols >= WIDE_COLS;
	const int list_cols = wide ? p.cols - HISTORY_COLS : p.cols;
	struct pane list = pane_sub(p, list_y, 0, list_rows(p.rows), list_cols - 1);
	if (wide && g->count && exercises[g->score.exercise].deep)
		draw_history(m, pane_sub(p, list_y, list_cols, list.rows, HISTORY_COLS - 1));
	if (g->score.end == PRACTICE_GOING && !g->known) {
		/* Say why the moves are unknown, for now or at all. */
		const struct practice *r = practice_of(m);
		const bool built = r->missing[0] && build_is_asked(&m->builds, &r->to_build);
		pane_wrap(list, 0, ROLE_DIM,
		          built           ? "building; the position goes on when it is ready"
		          : r->missing[0] ? r->missing
		                          : "looking the moves up");
	} else if (g->score.end == PRACTICE_GOING && practice_is_users_turn(g)) {
		const struct practice *r = practice_of(m);
		if (list.rows) {
			char name[EL_MOVE_MAX];
			int rows = list.rows, widest = 0;
			for (size_t i = 0; i < r->play.answer.count; i++) {
				const int cols = utf8_length(practice_name(&r->play, i, name));
				widest = cols > widest ? cols : widest;
			}
			const int width = widest + GAP + 1;
			int columns = list.cols / width > 0 ? list.cols / width : 1;
			int at = r->list.at / rows, first = at >= columns ? at - columns + 1 : 0;
			for (int i = first * rows; i < r->list.count && i / rows < first + columns;
			     i++) {
				struct pane cell = pane_sub(
					list, i % rows, (i / rows - first) * width, 1, width - 1);
				bool selected = i == r->list.at && !r->picker.pointing;
				pane_select(cell, selected);
				pane_text(cell, 0, GAP, selected ? ROLE_STRONG : ROLE_TEXT,
				          practice_name(&r->play, (size_t)i, name));
				pane_zone(cell, ZONE_ITEM, i);
			}
		}
	} else if (g->score.end == PRACTICE_GOING)
		pane_print(list, 0, 0, ROLE_DIM, "%s answers", g->game->sides[g->now.side]);
	struct pane counts = pane_sub(p, p.rows - COUNT_ROWS, 0, COUNT_ROWS, p.cols);
	const struct practice_score *s = &g->score;
	unsigned moves = (s->plies + 1) / 2;
	const char *unit = depth_unit_of(g->answer.metric, s->lost, false);
	char text[160] = "";
	if (exercises[s->exercise].deep)
		snprintf(text, sizeof text, "%u %s, %u %s wasted, ", moves,
		         plural(moves, "move", "moves"), s->lost, unit);
	if (!exercises[s->exercise].deep || !pane_is_slim(counts))
		el_text_add(text, sizeof text, "%u %s thrown away, %u taken back", s->thrown,
		            s->exercise == EXERCISE_WIN    ? plural(s->thrown, "win", "wins")
		            : s->exercise == EXERCISE_HOLD ? plural(s->thrown, "draw", "draws")
		                                           : plural(s->thrown, "result", "results"),
		            s->taken_back);
	else
		text[strlen(text) - 2] = '\0';
	pane_wrap(counts, 0, ROLE_DIM, text);
}

/* ---- below: what was played, what r shows, the round so far ---- */

static void draw_below(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	const struct el_position *shown = practice_position(r);
	const bool tells = r->exercise == EXERCISE_SQUARES && r->play.game && !r->play.score.end;
	char text[PRACTICE_TEXT];
	int y = 0;
	if (!tells && p.rows > 3) {
		practice_board(r)->format(shown, text);
		pane_print(p, y++, 0, ROLE_DIM, "fen   %s", text);
	}
	struct pane line = pane_sub(p, y, 0, p.rows - y - 1, p.cols - 1);
	if (r->proof[0]) {
		pane_wrap(line, 0, ROLE_TEXT, r->proof);
	} else if (r->play.game && r->play.count) {
		practice_played_text(&r->play, text);
		pane_text(line, 0, 0, ROLE_DIM, "moves");
		pane_wrap(pane_sub(line, 0, 6, line.rows, line.cols - 6), 0, ROLE_TEXT, text);
	}
	y = p.rows - 1;
	int x = r->at && !practice_is_over(r) ? pane_text(p, y, 0, ROLE_DIM, "round") : 0;
	for (size_t i = 0; x && i < r->at; i++)
		x = pane_print(p, y, x + 2, ROLE_DIM, "%zu: %u %%", i + 1,
		               practice_percent(&r->round[i]));
}

/* ---- the end of a round ---- */

/* How an exercise is scored. */
static const char *score_text(enum exercise_name exercise, const struct el_game *game,
                              char out[PRACTICE_TEXT])
{
	static const char *const in_stones[EXERCISES] = {
		[EXERCISE_WIN] = "You score 100 x gained / best, less %d for each move taken back.",
		[EXERCISE_SURVIVE] =
			"You score 100 x best / lost, less %d for each move taken back.",
		[EXERCISE_GUESS] = "The outcome scores 50, and the stones up to 50 more.",
	};
	static const char *const texts[EXERCISES] = {
		[EXERCISE_WIN] =
			("A win scores 100 x best / plies, less %d for each move taken back; "
	                 "anything else scores 0."),
		[EXERCISE_HOLD] = "A draw scores 100, less %d for each move taken back.",
		[EXERCISE_SURVIVE] =
			"You score 100 x plies / best, less %d for each move taken back.",
		[EXERCISE_ONLY] = "The move scores 100, less %d for each one taken back.",
		[EXERCISE_SQUARES] = "You score 100 x right / (right + wrong + missed).",
		[EXERCISE_GUESS] = "The outcome scores 50, and its depth up to 50 more.",
	};
	const char *own = game->sows ? in_stones[exercise] : NULL;
	snprintf(out, PRACTICE_TEXT, own ? own : texts[exercise], PRACTICE_TAKE_BACK_PERCENT);
	return out;
}

static void draw_results(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	char text[PRACTICE_TEXT], due[PRACTICE_TEXT];
	const unsigned total = practice_total(r->round, r->round_count);
	const int next = practice_next_level(r->level, total), count = (int)r->round_count;
	pane_print(p, 0, 0, ROLE_STRONG, "The round is over: %u %%", total);
	pane_text(p, 2, 15, ROLE_DIM,
	          r->round[0].possible && r->round[0].game->sows ? "stones best  lost back   %"
	          : r->round[0].possible                         ? "plies  best  lost back   %"
	                                                         : "                         %");
	for (int i = 0; i < count; i++) {
		struct pane result = pane_row(p, 3 + i);
		const struct practice_score *s = &r->round[i];
		if (i == r->list.at)
			pane_fill(result, ROLE_SELECTED);
		pane_print(result, 0, 0, ROLE_TEXT, "%c%d %-11s", i == r->list.at ? '>' : ' ',
		           i + 1, practice_end_word(s->end));
		if (s->possible)
			pane_print(result, 0, 15, ROLE_TEXT, "%5u %5u %5u %4u",
			           s->game->sows ? s->gained : s->plies, s->possible, s->lost,
			           s->taken_back);
		pane_print(result, 0, 38, ROLE_STRONG, "%3u", practice_percent(s));
		pane_zone(result, ZONE_ITEM, i);
	}
	int y = 4 + count;
	score_text(r->exercise, r->slice.game, text);
	el_text_add(text, sizeof text, " The total is the mean.");
	if (!r->returning)
		y += pane_wrap(pane_sub(p, y, 0, 3, p.cols), 0, ROLE_DIM, text) + 1;
	pane_print(p, y++, 0, ROLE_TEXT,
	           next > r->level   ? "Press + for level %d next."
	           : next < r->level ? "Press - for level %d next."
	                             : "Try level %d again.",
	           next);
	pane_text(p, y++, 0, ROLE_TEXT, "Press space for another round.");
	practice_due_text(&r->scores, due);
	if (*due)
		pane_print_wrapped(pane_sub(p, y + 1, 0, 2, p.cols), 0, ROLE_TEXT,
		                   "What went wrong comes back: %.60s.", due);
}

/* ---- before the first position ---- */

void practice_draw(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	const struct layout l = layout_of(m);
	struct pane side = pane_part(p, l.side);
	if (r->play.game && exercises[r->exercise].kind == BY_MARKS) {
		/* The board of an exercise with marks, without the piece. */
		struct el_position shown = r->play.now;
		struct square_mark marks[MARKS_SQUARES];
		struct board b = board_plain(r->slice.game, &shown, r->flipped);
		if (r->slice.game->sows)
			shown.pits[r->piece]--;
		for (unsigned kind = 0; kind < EL_KINDS; kind++)
			shown.set[shown.side][kind] &= ~((uint64_t)1 << r->piece);
		marks_draw(&r->marks, marks);
		b.scale = l.scale;
		b.cursor = r->marks.cursor;
		b.marks = marks;
		board_draw(&b, pane_part(p, l.board));
	} else if (r->chosen)
		draw_board(m, &l, p);
	if (practice_is_over(r))
		draw_results(m, side);
	else if (r->play.game) {
		const int y = draw_asked(m, pane_from(side, 0));
		const int gap = side.rows >= FEW_ROWS;
		struct pane rest = pane_from(side, y + gap);
		const enum exercise_kind kind = exercises[r->exercise].kind;
		if (kind == BY_MOVES)
			draw_play(m, side);
		else
			(kind == BY_MARKS ? draw_marks : draw_guess)(m, rest);
	} else {
		if (!r->begun)
			pane_wrap(side, 0, ROLE_TEXT, "Press q to choose an exercise.");
		else if (r->missing[0] && build_is_asked(&m->builds, &r->to_build))
			pane_print_wrapped(
				side, 0, ROLE_TEXT,
				"%s is being built; the exercise begins when it is ready.",
				r->slice.name);
		else if (r->missing[0])
			pane_wrap(side, 0, ROLE_TEXT, r->missing);
		else if (r->none)
			pane_print_wrapped(
				side, 0, ROLE_TEXT,
				"No position of %s %s, so there is nothing to practise. Type :%s "
				"for another slice, or press q for another exercise.",
				r->slice.name, exercises[r->exercise].none, r->slice.game->example);
		else
			pane_print_wrapped(side, 0, ROLE_TEXT, "Looking for a position of %s",
			                   r->slice.name);
	}
	if (l.below.rows && practice_position(r))
		draw_below(m, pane_part(p, l.below));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws Explore: the board, with the value and moves beside it; and, beside a large board, a map,
   the depths of the slice, or the game with the best line. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/screen/roles.h"
#include "tui/screen/widgets/histogram.h"
#include "tui/screen/widgets/layout.h"
#include "tui/screen/widgets/moves.h"
#include "tui/text/opinions.h"
#include "tui/text/rule.h"
#include "tui/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the value ---- */

/* Above the moves. */
static int value_rows(struct pane p)
{
	return p.rows > 12 ? 4 : 3;
}

static const char *ending(const struct el_answer *a)
{
	return a->outcome == EL_DRAW ? "stalemate" : a->in_check ? "checkmate" : "lost";
}

/* Why the game is over: "White has no move: checkmate". */
static void draw_end(const struct el_answer *a, struct pane p)
{
	const char *side = a->game->sides[a->position.side];
	unsigned pieces = 0;
	if (a->game->sows) {
		const unsigned left = el_piece_count(&a->position);
		pane_print(p, 0, 0, outcome_role(a->outcome), "%s has nothing to sow", side);
		if (left)
			pane_print(p, 1, 0, ROLE_TEXT, "%s gets the %u %s left",
			           a->game->sides[!a->position.side], left,
			           plural(left, "stone", "stones"));
		return;
	}
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		pieces += (unsigned)__builtin_popcountll(a->position.set[a->position.side][kind]);
	if (pane_is_slim(p))
		pane_print(p, 0, 0, outcome_role(a->outcome), "%s: %s", side, ending(a));
	else if (pieces < a->game->side_min)
		pane_print(p, 0, 0, outcome_role(a->outcome), "%s has %u %s left: lost", side,
		           pieces, pieces_word(a->game));
	else
		pane_print(p, 0, 0, outcome_role(a->outcome), "%s has no move: %s", side,
		           ending(a));
}

/* The verb of a value and where the rest of the sentence begins: "is mated", "in 62 plies (31
   moves)". One unit, and without the rule, where there is no room. */
static const char *said(const struct model *m, const struct el_answer *a, struct pane p,
                        char out[PREDICATE_MAX])
{
	const struct el_metric *metric = a->metric ? a->metric : &el_wdl;
	const struct el_value value = a->value[el_metric_rank(metric)];
	const int verb = value_predicate(metric, value, a->outcome, m->in_moves, out);
	char *rest = out + verb + (out[verb] == ':') + (out[verb] != '\0');
	char *rule = strstr(rest, " under the ");
	out[verb] = '\0';
	if (rule && utf8_length(rest) > p.cols)
		*rule = '\0';
	if (pane_is_slim(p))
		rest[strcspn(rest, "(")] = '\0';
	return rest;
}

/* Returns the rows used. */
static int draw_answer_headline(const struct model *m, const struct el_answer *a, struct pane p,
                                int taken)
{
	const struct pane room = pane_sub(p, 0, 0, 2, p.cols - taken);
	const bool is_exact = el_outcome_exact(a->outcome);
	char text[PREDICATE_MAX + 32], verb[PREDICATE_MAX];
	if (a->over) {
		draw_end(a, room);
		return 1;
	}
	if (is_exact)
		said(m, a, room, verb);
	for (int brief = pane_is_slim(p); brief < 2; brief++) {
		snprintf(text, sizeof text, "%s%s%s %s", a->game->sides[a->position.side],
		         brief ? "" : " to move", is_exact ? "" : ":",
		         is_exact ? verb : outcome_words(a->outcome));
		if (utf8_length(text) <= room.cols)
			break;
	}
	return pane_wrap(room, 0, outcome_role(a->outcome), text);
}

static void draw_known(const struct model *m, const struct el_answer *a, struct pane p)
{
	char text[PREDICATE_MAX];
	if (!a->over)
		pane_text(p, 1, 0, ROLE_STRONG, said(m, a, p, text));
}

/* Reasons begin with a small letter. Capitalises those that begin with an English word, not a file
   name. */
static void begin_sentence(char *text)
{
	if (!strncmp(text, "no ", 3) || !strncmp(text, "from ", 5))
		text[0] = (char)toupper((unsigned char)text[0]);
}

enum { NO_SLICE_MAX = 192 };

/* A game that is only beginning needs no long reason. */
static const char *no_slice_words(const struct study *s, char out[NO_SLICE_MAX])
{
	const struct el_answer *a = &s->answer;
	const unsigned pieces = el_piece_count(&a->position);
	if (pieces > a->game->pieces_max)
		snprintf(out, NO_SLICE_MAX, "%u pieces are too many for any table. %s", pieces,
		         a->game->frames ? s->refusal : "");
	else
		return a->why_unknown;
	return out;
}

/* How the position can be solved by itself, or what the work on it does. */
static const char *solving_text(const struct model *m, const struct study *s, char *out,
                                size_t size)
{
	const struct el_answer *a = &s->answer;
	const struct el_solve_report *r = solve_sight(m);
	char cost[PLAN_SUMMARY_MAX], reach[REACH_MAX];
	const bool is_begun = solve_is_begun(m);
	if (r)
		solve_cost(r, cost);
	if (solve_is_asked(m))
		snprintf(out, size, "Solving%s%s; values will appear when ready.", r ? ": " : "",
		         r ? cost : "");
	else if (is_begun && r && solve_is_over(r))
		snprintf(out, size, "There is nothing more to follow.");
	else if (is_begun && r && r->is_last)
		snprintf(out, size, "Open: %s. Press b to follow them: %s.",
		         reach_text(a->game, &r->reach, reach), cost);
	else if (is_begun)
		snprintf(out, size, "Press b to follow more.");
	else
		snprintf(out, size, "Press b to solve this position%s%s.",
		         r || m->solves.ask.known ? ": " : "",
		         r                     ? cost
		         : m->solves.ask.known ? "a long one, counted first"
		                               : "");
	return out;
}

/* How to make a missing table, or that it is being made. A build replaces no file unasked, except
   one of an older layout. */
static void missing_text(const struct model *m, const struct study *s, char *out, size_t size)
{
	const struct el_answer *a = &s->answer;
	char cost[PLAN_COST_MAX + 4] = "", words[NO_SLICE_MAX];
	if (*s->missing_cost)
		snprintf(cost, sizeof cost, " (%s)", s->missing_cost);
	if (s->solves)
		solving_text(m, s, out, size);
	else if (!s->missing_count)
		snprintf(out, size, "%s", a->has_slice ? "" : no_slice_words(s, words));
	else if (s->damage.status == EL_DAMAGED)
		snprintf(out, size, "Type :build %s --repair to make it again", a->slice.name);
	else if (s->damage.status && s->damage.status != EL_OUTDATED)
		*out = '\0'; /* the error and its remedy have been shown */
	else if (build_is_asked(&m->builds, &a->slice))
		snprintf(out, size, "building; values will appear when ready");
	else if (*s->too_large)
		snprintf(out, size, "%s", s->too_large);
	else if (s->missing_count > 1)
		snprintf(out, size, "Press b to build it and %u %s%s: %s", s->missing_count - 1,
		         plural(s->missing_count - 1, "other", "others"), cost,
		         s->missing + strlen(a->slice.name) + 1);
	else
		snprintf(out, size, "Press b to build it%s", cost);
}

/* The metric that is shown; before it, the one that would be shown if its table could be used. Returns the
   columns that this takes from the headline. */
static int draw_metric(const struct model *m, const struct el_answer *a,
                       const struct el_metric *metric, struct pane p)
{
	char name[2][16], text[48];
	const unsigned wanted = m->metric           ? 1u << el_metric_rank(m->metric)
	                        : metric->has_depth ? (1u << el_metric_rank(metric)) - 1
	                                            : ~0u;
	const unsigned lost = a->damaged & wanted;
	metric_text(metric, name[0]);
	if (lost)
		snprintf(text, sizeof text, "%s damaged: %s",
		         metric_text(a->metrics[__builtin_ctz(lost)], name[1]), name[0]);
	pane_right(p, 0, p.cols - 1, lost ? ROLE_ERROR : ROLE_DIM, lost ? text : name[0]);
	return utf8_length(lost ? text : name[0]) + 2;
}

/* Further notes on the position, in one line. */
static void draw_notes(const struct model *m, const struct el_answer *a, struct pane p)
{
	char text[256] = "", square[4];
	if (a->in_check && !a->over)
		snprintf(text, sizeof text, "check  ");
	if (a->position.en_passant != EL_NO_SQUARE) {
		play_game(m)->square_name(a->position.en_passant, square);
		el_text_add(text, sizeof text, "en passant %s  ", square);
	}
	char clock[RULE_WORDS_MAX], hand[HAND_MAX];
	el_text_add(text, sizeof text, "%s", hand_text(a->game, &a->position, hand));
	const bool is_off = a->game->zeroes && !a->rule && a->position.halfmove;
	rule_sentence(a, clock);
	char course[RULE_WORDS_MAX] = "";
	if (a->rule)
		clock_sentence(a, m->in_moves, course);
	if (*course) /* says more */
		snprintf(clock, sizeof clock, "%s", course);
	if (*course && a->position.halfmove)
		el_text_add(text, sizeof text, "clock %u  ", a->position.halfmove);
	if (is_off)
		snprintf(clock, sizeof clock, "halfmove clock %u, rule off", a->position.halfmove);
	el_text_add(text, sizeof text, "%s", clock);
	pane_text(p, 0, 0, ROLE_DIM, text);
}

static void draw_value(const struct model *m, const struct study *s, struct pane p)
{
	const struct el_answer *a = &s->answer;
	if (!a->metric && !a->source.metric) {
		char text[2 * OPINION_MAX], basis[OPINION_MAX];
		if (s->damage.status || a->has_slice) /* no table, or an unusable one */
			snprintf(text, sizeof text, "%s%s", basis_text(a, false, basis),
			         a->why_bare ? "." : "");
		else
			snprintf(text, sizeof text, "%s to move: unknown",
			         a->game->sides[a->position.side]);
		begin_sentence(text);
		int rows = pane_wrap(pane_sub(p, 0, 0, 2, p.cols), 0, ROLE_UNKNOWN, text);
		missing_text(m, s, text, sizeof text);
		pane_wrap(pane_sub(p, rows, 0, value_rows(p) - rows, p.cols), 0, ROLE_TEXT, text);
		return;
	}
	const struct el_metric *metric = a->metric ? a->metric : a->source.metric;
	const int taken = pane_is_slim(p) ? 0 : draw_metric(m, a, metric, p);
	int rows = draw_answer_headline(m, a, p, taken);
	if (!study_is_exact(s)) {
		/* Why the available tables do not tell more. */
		char text[1024], basis[OPINION_MAX];
		bool is_asked = build_is_asked(&m->builds, &s->answer.slice);
		char solving[256];
		basis_text(&s->answer, false, basis);
		begin_sentence(basis);
		solving_text(m, s, solving, sizeof solving);
		if (s->solves && solve_is_begun(m) && solve_sight(m))
			snprintf(text, sizeof text, "%s", solving);
		else if (s->solves && a->source.is_study && !a->metric)
			snprintf(text, sizeof text, "Its study does not reach it. %s", solving);
		else if (s->solves)
			snprintf(text, sizeof text, "%s %s", solving, basis);
		else
			snprintf(text, sizeof text, "%s%s", basis,
			         !s->missing_count || *s->too_large ? ""
			         : is_asked                         ? "; building"
			                    : ". Press b to build what is missing.");
		pane_wrap(pane_sub(p, rows, 0, value_rows(p) - rows, p.cols), 0, ROLE_TEXT, text);
		return;
	}
	if (a->outcome != a->value[el_metric_rank(&el_wdl)].outcome) { /* the clock may decide it */
		char text[RULE_WORDS_MAX];
		/* If the outcome is open, the sentence already has the depth. */
		if (el_outcome_exact(a->outcome) && value_rows(p) > 3)
			draw_known(m, a, pane_sub(p, rows++ - 1, 0, 2, p.cols));
		pane_wrap(pane_sub(p, rows, 0, value_rows(p) - rows, p.cols), 0, ROLE_TEXT,
		          rule_sentence(a, text));
		return;
	}
	draw_known(m, a, p);
	draw_notes(m, a, pane_row(p, 2));
}

enum { ROWS_FOR_BOTH = 10 };

static void draw_side(const struct model *m, struct pane p)
{
	const struct study *s = m->play.study;
	if (!s) {
		pane_text(p, 0, 0, ROLE_DIM, "looking it up");
		return;
	}
	draw_value(m, s, p);
	const enum panel panel = explore_of(m)->panel;
	/* an explanation needs the rows */
	const bool has_source = p.rows > 12 && panel != PANEL_METRIC;
	int top = value_rows(p);
	struct pane moves = pane_sub(p, top, 0, p.rows - top - (has_source ? 2 : 0), p.cols);
	if (panel == PANEL_METRIC)
		explore_draw_explanation(m, moves);
	else if (panel == PANEL_SOURCES && (s->opinions.count || s->answer.why_bare))
		explore_draw_sources(m, moves);
	else if (panel == PANEL_ZUGZWANG && study_is_exact(s))
		explore_draw_zugzwang(m, moves);
	else if (panel == PANEL_CURVE && !explore_no_curve(m))
		explore_draw_curve(m, moves);
	else if (panel == PANEL_FORTRESS && s->answer.metric)
		explore_draw_fortress(m, &explore_of(m)->moves, moves);
	else {
		/* The game's moves, if wanted, and the position's below them. */
		struct pane rest = moves;
		const struct explore *x = explore_of(m);
		const int below = rest.rows >= ROWS_FOR_BOTH ? rest.rows * 5 / 12 : 0;
		if (x->sheet) {
			explore_draw_sheet(m, pane_sub(rest, 0, 0, rest.rows - below, rest.cols));
			rest = pane_sub(rest, rest.rows - below, 0, below, rest.cols);
		}
		if (rest.rows)
			moves_draw(&s->answer, &x->moves, m->in_moves, rest);
	}
	if (has_source || s->opinions.contradict)
		explore_draw_source(m, pane_row(p, has_source ? p.rows - 1 : 2));
}

/* ---- below: the line, and whether the last move kept the value ---- */

static void draw_line(const struct model *m, struct pane p)
{
	char text[LINE_MAX_MOVES * (EL_MOVE_MAX / 2)];
	pane_text(p, 0, 0, ROLE_DIM, "line");
	if (!m->play.best.count && !*m->play.best.end)
		return;
	const size_t size = sizeof text;
	const struct el_game *game = play_game(m);
	const struct el_position *from = play_position(m);
	const struct best_line *line = &m->play.best;
	unsigned side = from->side, number = from->fullmove;
	text[0] = '\0';
	for (size_t i = 0; i < line->count; i++) {
		char before[NUMBER_MAX];
		move_number(game, side, number, i == 0, before);
		el_text_add(text, size, "%s%s%s ", before, *before ? " " : "", line->san[i]);
		number += side != game->first_side;
		side ^= 1;
	}
	if (line->more)
		el_text_add(text, size, "...");
	else if (*line->end)
		el_text_add(text, size, "(%s)", line->end);
	pane_wrap(pane_sub(p, 0, 6, p.rows, p.cols - 7), 0, ROLE_TEXT, text);
}

/* ---- what is shown beside or under a large board automatically ---- */

const char *explore_no_second(const struct model *m)
{
	return explore_layout(m).second.rows ? NULL
	                                     : "A second pane needs a screen of 120 columns.";
}

void explore_next_second(struct model *m)
{
	static const char *const names[] = {"the map", "the depths of the slice",
	                                    "the game and the best line"};
	m->beside = (m->beside + 1) % BESIDES;
	model_note(m, "Beside the board: %s.", names[m->beside]);
}

/* ---- the depths ---- */

/* The study with the table whose depths are counted; null if there is none. */
static const struct study *counted(const struct model *m)
{
	const struct study *s = m->play.study;
	return s && s->answer.metric && s->answer.has_slice && !s->answer.source.is_study ? s
	                                                                                  : NULL;
}

/* Counts unasked, if that takes next to no time. */
void explore_count_shown(struct model *m)
{
	const struct study *s = counted(m);
	const struct el_answer *a = s ? &s->answer : NULL;
	const struct layout l = explore_layout(m);
	const bool is_shown = l.histogram.rows || (l.second.rows && m->beside == BESIDE_HISTOGRAM);
	if (!a || !is_shown || a->slice.pieces > UNASKED_PIECES || !a->metric->has_depth ||
	    a->source.metric != a->metric)
		return;
	struct finding *f = tables_find(m, &a->slice, a->metric);
	if (f && !f->why[0] && !f->stopped && !f->count.known)
		tables_count(m, f, true);
}

static void draw_histogram(const struct model *m, struct pane p)
{
	const struct study *s = counted(m);
	struct el_place place;
	if (!s || !play_game(m)->place(&s->answer.position, &place))
		return;
	const struct finding *f = tables_finding(&m->tables, &s->answer.slice, s->answer.metric);
	if (!f || !f->count.known) {
		pane_print_wrapped(pane_sub(p, 0, 2, p.rows, p.cols - 2), 0, ROLE_DIM,
		                   "%s the %s of %s",
		                   f && f->count.job ? "counting" : "Press c to count",
		                   kind_words(s->answer.metric)->values, s->answer.slice.name);
		return;
	}
	struct el_value value = s->answer.value[el_metric_rank(s->answer.metric)];
	char title[96];
	const char *side = f->slice.game->sides[el_slice_mover(&f->slice, place.plane)],
		   *name = f->slice.name;
	const char *unit = depth_unit(s->answer.metric, false);
	snprintf(title, sizeof title, "positions of %s, %s to move, by %s", name, side, unit);
	if (2 + utf8_length(title) > p.cols)
		snprintf(title, sizeof title, "%s, %s to move, by %s", name, side, unit);
	if (2 + utf8_length(title) > p.cols)
		snprintf(title, sizeof title, "%s by %s", name, unit);
	pane_text(p, 0, 2, ROLE_DIM, title);
	histogram_draw(&f->stats.side[place.plane], unit, value.plies,
	               pane_sub(p, 1, 1, p.rows - 1, p.cols - 1));
}

/* ---- the game, and the best line, a move of each side to a row ---- */

static void draw_best_line(const struct model *m, struct pane p)
{
	enum { NUMBER_COLS = 6, MOVE_COLS = 12 };
	const struct el_game *game = play_game(m);
	const struct best_line *line = &m->play.best;
	unsigned side = play_position(m)->side, number = play_position(m)->fullmove;
	int y = 1;
	pane_text(p, 0, 0, ROLE_DIM, "the best line from here");
	for (size_t i = 0; i < line->count; i++) {
		const int second = side != game->first_side;
		pane_print(p, y, 0, ROLE_DIM, "%4u.", number);
		pane_text(p, y, NUMBER_COLS + second * MOVE_COLS, ROLE_TEXT, line->san[i]);
		y += second;
		number += (unsigned)second;
		side ^= 1;
	}
	y += line->count && side != game->first_side;
	const char *end = line->more || y > p.rows ? "..." : line->end;
	if (y >= p.rows && *end)
		pane_fill(pane_row(p, y = p.rows - 1), ROLE_GROUND);
	pane_text(p, y, NUMBER_COLS, ROLE_DIM, end);
}

static void draw_second(const struct model *m, const struct layout *l, struct pane p)
{
	struct pane second = pane_part(p, l->second);
	if (l->second.rows && m->beside == BESIDE_MAP) {
		struct square_mark marks[MAP_SQUARES] = {0};
		struct board b = board_plain(play_game(m), &m->map.position, m->flipped);
		b.scale = l->second_scale;
		b.picked = m->map.piece;
		b.marks = marks;
		if (m->map.ask.known)
			board_mark_values(m->map.values.metric, m->map.values.value, m->in_moves,
			                  marks);
		board_draw(&b, second);
	}
	if (l->second.rows && m->beside == BESIDE_LINE) {
		const int rows = m->play.walk.tree->node_count > 1 ? second.rows / 2 : 0;
		if (rows)
			explore_draw_sheet(m, pane_sub(second, 0, 0, rows, second.cols));
		draw_best_line(m, pane_from(second, rows));
	}
	/* The depths take all the room available; other panels leave them what remains. */
	if (l->second.rows && m->beside == BESIDE_HISTOGRAM)
		draw_histogram(m,
		               pane_sub(p, l->second.y, l->second.x, l->side.rows, l->second.cols));
	else if (l->histogram.rows)
		draw_histogram(m, pane_part(p, l->histogram));
}

/* ---- the whole ---- */

/* Marks where the selected move ends, or each move of a piece picked up, with its value. */
static void mark_moves(const struct model *m, struct square_mark marks[MAP_SQUARES])
{
	const struct explore *x = explore_of(m);
	const struct study *s = m->play.study;
	const struct el_answer *a = s ? &s->answer : NULL;
	const struct el_metric *metric = a ? a->metric : NULL;
	const bool picked = x->picker.picked != EL_NO_SQUARE;
	if (!picked && x->panel == PANEL_FORTRESS) {
		explore_mark_region(m, marks);
		return;
	}
	for (size_t i = 0; metric && i < a->count; i++) {
		const struct el_move *move = &a->moves[i].move;
		const struct el_value value = a->moves[i].value[el_metric_rank(metric)];
		const uint8_t square = a->game->sows ? move->from : move->to;
		char text[VALUE_NUMBER_MAX];
		if (square >= MAP_SQUARES || marks[square].text[0] ||
		    !el_outcome_exact(value.outcome) ||
		    (picked ? move->from != x->picker.picked : (int)i != x->moves.at))
			continue;
		marks[square].role = (uint8_t)outcome_ground(value.outcome);
		snprintf(marks[square].text, sizeof marks->text, "%.5s",
		         value_mark(metric, value, m->in_moves, text));
	}
}

void explore_draw(const struct model *m, struct pane p)
{
	const struct layout l = explore_layout(m);
	struct pane side = pane_part(p, l.side);
	const struct explore *x = explore_of(m);
	struct el_move room[EL_MOVES_MAX];
	struct picker_moves moves = explore_moves(m, room);
	struct board b = board_played(play_game(m), play_position(m), walk_move(&m->play.walk),
	                              walk_before(&m->play.walk), m->flipped);
	struct el_position made;
	struct square_mark marks[MAP_SQUARES] = {0};
	b.scale = l.scale;
	if (!explore_of(m)->stage)
		mark_moves(m, marks);
	b.marks = marks;
	picker_show(&x->picker, &moves, &b, &made);
	if (explore_sown(m, &made, &b.last))
		b.position = &made;
	overlay_show(m, &b);
	board_draw(&b, pane_part(p, l.board));
	int line_rows = !l.below.rows && side.rows > 12 ? 3 : 0;
	draw_side(m, pane_sub(side, 0, 0, side.rows - line_rows, side.cols));
	if (line_rows)
		draw_line(m, pane_sub(side, side.rows - line_rows, 0, line_rows, side.cols));
	if (l.below.rows) {
		struct pane below = pane_part(p, l.below);
		char fen[EL_FEN_MAX];
		int y = 0;
		if (below.rows > 3) {
			play_game(m)->format(play_position(m), fen);
			pane_print(below, y++, 0, ROLE_DIM, "fen   %s", fen);
		}
		draw_line(m, pane_sub(below, y, 0, below.rows - y - 1, below.cols));
		explore_draw_last(m, pane_row(below, below.rows - 1));
	}
	draw_second(m, &l, p);
}

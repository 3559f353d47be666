/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice: won positions, played against perfect defence; each move is judged at once. */
#include "practice.h"

#include "../../text/rule.h"
#include "../views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long the other side waits with its move. */
enum { REPLY_MS = 700 };

/* ---- rounds ---- */

static void position_changed(struct model *m)
{
	struct practice *p = practice_of(m);
	p->list = (struct list){0, 0};
	p->proof[0] = '\0';
	p->proving = p->untold = false;
	question_change(m, &p->look);
	question_change(m, &p->prove);
	picker_drop(&p->picker);
}

static void want_position(struct model *m)
{
	struct practice *p = practice_of(m);
	p->play.game = NULL;
	p->source = PRACTICE_BY_TABLES;
	p->none = false;
	question_change(m, &p->draw);
	position_changed(m);
}

static void begin_round(struct model *m)
{
	struct practice *p = practice_of(m);
	memset(p->round, 0, sizeof p->round);
	p->at = 0;
	want_position(m);
}

void practice_choose_slice(struct model *m, const struct el_slice *slice)
{
	struct practice *p = practice_of(m);
	p->slice = *slice;
	p->chosen = true;
	p->has_given = false;
	begin_round(m);
}

static bool is_over(const struct practice *p)
{
	return p->at == PRACTICE_ROUND;
}

static void next_position(struct model *m)
{
	struct practice *p = practice_of(m);
	if (p->play.score.end == PRACTICE_GOING)
		p->play.score.end = PRACTICE_GIVEN_UP;
	p->round[p->at++] = p->play.score;
	want_position(m);
	if (is_over(p))
		p->list.count = PRACTICE_ROUND;
}

void practice_say_given(struct model *m, unsigned side)
{
	practice_of(m)->has_given = false;
	model_fail(m, "%s does not win that position; here is another.", side_name(side));
}

void practice_start(struct model *m, const struct el_position *position)
{
	struct practice *p = practice_of(m);
	practice_begin(&p->play, p->slice.game, position);
	p->flipped = position->side == EL_BLACK;
}

/* The position that was asked for, if the side to move wins it. */
static bool take_given(struct model *m, const struct el_film *film, struct el_position *out)
{
	struct practice *p = practice_of(m);
	if (!p->has_given)
		return false;
	p->has_given = false;
	*out = p->given;
	const struct el_film_value v = el_film_value(film, out, film->step_count - 1);
	if (v.value.outcome != EL_WIN)
		practice_say_given(m, out->side);
	return v.value.outcome == EL_WIN;
}

/* A position, when tables do not tell, and the film is there and has one. */
static void find_position(struct model *m)
{
	struct practice *p = practice_of(m);
	struct el_position position;
	const struct el_film_wish wish = {.slice = p->slice,
	                                  .metric = el_game_metric(p->slice.game)};
	if (is_over(p) || p->play.game)
		return;
	if (p->source == PRACTICE_BY_TABLES) {
		practice_ask_position(m);
		return;
	}
	const struct el_film *film = films_want(m, &wish)->film;
	if (!film)
		return;
	if (!take_given(m, film, &position) &&
	    !film_sample(m, film, practice_range(film, p->level), &position))
		return;
	practice_start(m, &position);
}

/* ---- the moves on the board ---- */

/* The rule, and the metric that values have, are the explorer's. */
static void follow_rule(struct model *m)
{
	struct practice *p = practice_of(m);
	const struct el_game *game = p->play.game ? p->play.game : p->slice.game;
	if (p->play.game)
		practice_limit(&p->play, game->zeroes ? 2 * m->rule : 2 * EL_RULE_USUAL);
	if (p->rule == m->rule && p->metric == m->metric)
		return;
	p->rule = m->rule;
	p->metric = m->metric;
	p->untold = p->play.known = false;
	question_change(m, &p->look);
	question_change(m, &p->draw);
}

/* From tables, else from a film; false as long as they are not known. */
static bool find_moves(struct model *m)
{
	struct practice *p = practice_of(m);
	if (p->play.known)
		return true;
	if (p->untold)
		return practice_look(&p->play, m);
	practice_ask_moves(m);
	return false;
}

/* ---- what r shows ---- */

/* The line from a position; false as long as the film is not there. */
static bool find_line(struct model *m, const struct el_position *from, char *out, size_t size)
{
	const struct el_game *game = practice_of(m)->play.game;
	struct el_slice slice;
	bool has_film = !game->drawn(from) && !game->slice_of(from, &slice, NULL);
	if (has_film && !films_at(m, game, from))
		return false;
	practice_line(m, game, from, PRACTICE_PROOF_PLIES, out, size);
	if (!*out)
		snprintf(out, size, "%s", has_film ? "no move is left: stalemate"
		                                   : "nothing is left to win with");
	return true;
}

void practice_show_proof(struct model *m, const char *line)
{
	struct practice *p = practice_of(m);
	const bool thrown = p->play.score.end == PRACTICE_THROWN;
	snprintf(p->proof, sizeof p->proof, "%s  %s", thrown ? "proof" : "best", line);
	p->proving = false;
}

static void find_proof(struct model *m)
{
	struct practice *p = practice_of(m);
	const struct practice_ply *last = practice_last(&p->play);
	const bool thrown = p->play.score.end == PRACTICE_THROWN;
	char line[PRACTICE_PROOF];
	if (!p->proving)
		return;
	const struct el_position *from = thrown ? &p->play.now : &last->before;
	if (!last->by_film)
		practice_ask_proof(m, from);
	else if (find_line(m, from, line, sizeof line))
		practice_show_proof(m, line);
}

static void prove(struct model *m)
{
	practice_of(m)->proving = true;
}

static const char *nothing_to_prove(const struct model *m)
{
	const struct practice *p = practice_of(m);
	const struct practice_ply *last = p->play.game ? practice_last(&p->play) : NULL;
	return !last ? "No move has been played."
	       : el_value_equal(last->quality.best, last->quality.got)
		       ? "The last move was one of the best."
		       : NULL;
}

/* ---- moves ---- */

bool practice_can_move(const struct practice *p)
{
	return p->play.game && p->play.known && p->play.score.end == PRACTICE_GOING &&
	       practice_is_users_turn(&p->play);
}

const char *practice_no_move(const struct model *m)
{
	const struct practice *p = practice_of(m);
	return practice_can_move(p)      ? NULL
	       : !p->play.game  ? "There is no position to play."
	       : p->play.score.end != PRACTICE_GOING
		       ? "This position is finished. Press space to go on."
	       : p->play.known ? "The other side is to move."
	                       : "The values are still being worked out.";
}

void practice_move(struct model *m, int move)
{
	struct practice *p = practice_of(m);
	if (!practice_play(&p->play, (size_t)move)) {
		model_fail(m, "out of memory");
		return;
	}
	position_changed(m);
	p->reply_at = m->now + REPLY_MS;
}

static void reply(struct model *m)
{
	struct practice *p = practice_of(m);
	if (!practice_play(&p->play, p->play.best))
		model_fail(m, "out of memory");
	position_changed(m);
}

static bool is_replying(const struct practice *p)
{
	return p->play.game && p->play.known && p->play.score.end == PRACTICE_GOING &&
	       !practice_is_users_turn(&p->play);
}

static void tick(struct model *m)
{
	if (is_replying(practice_of(m)) && m->now >= practice_of(m)->reply_at)
		reply(m);
}

static int next_tick(const struct model *m)
{
	const struct practice *p = practice_of(m);
	if (!is_replying(p))
		return -1;
	return p->reply_at > m->now ? (int)(p->reply_at - m->now) : 0;
}

/* ---- what the keys do ---- */

static void go_on(struct model *m)
{
	struct practice *p = practice_of(m);
	if (is_over(p))
		begin_round(m);
	else if (is_replying(p))
		reply(m);
	else
		next_position(m);
}

static const char *nowhere_on(const struct model *m)
{
	const struct practice *p = practice_of(m);
	return is_over(p) || is_replying(p)                   ? NULL
	       : !p->play.game                                ? "There is no position to play."
	       : p->play.score.end == PRACTICE_GOING ? "It is your move. Press s to give up the position."
						     : NULL;
}

static const char *nothing_to_give_up(const struct model *m)
{
	return practice_of(m)->play.game ? NULL : "There is no position to play.";
}

static void play_selected(struct model *m)
{
	if (practice_can_move(practice_of(m)))
		practice_move(m, practice_of(m)->list.at);
	else
		go_on(m);
}

static const char *nothing_to_play(const struct model *m)
{
	return practice_can_move(practice_of(m)) ? NULL : nowhere_on(m);
}

static void take_back(struct model *m)
{
	practice_take_back(&practice_of(m)->play);
	position_changed(m);
}

static const char *nothing_to_take_back(const struct model *m)
{
	const struct practice_game *g = &practice_of(m)->play;
	return !g->game || !practice_last(g)      ? "No move has been played."
	       : g->score.end == PRACTICE_WON ? "The position is already won."
					      : NULL;
}

void practice_set_level(struct model *m, int level)
{
	struct practice *p = practice_of(m);
	if (level < 1 || level > PRACTICE_LEVELS) {
		model_fail(m, "level: expected 1 to %d, found %d", PRACTICE_LEVELS, level);
		return;
	}
	bool untouched = p->at == 0 && (!p->play.game || !p->play.count);
	p->level = level;
	if (untouched)
		begin_round(m);
	model_note(m, "Level %d%s.", level,
	           untouched ? "" : is_over(p) ? ". Press space to begin" : " from the next position on");
}

static void change_level(struct model *m, int by)
{
	practice_set_level(m, practice_of(m)->level + by);
}

static void flip(struct model *m)
{
	practice_of(m)->flipped = !practice_of(m)->flipped;
}

static void point(struct model *m)
{
	struct practice *p = practice_of(m);
	picker_point(m, &p->picker, p->play.moves[p->list.at].film.move.from);
}

static void step_columns(struct model *m, int by)
{
	list_set(&practice_of(m)->list, practice_of(m)->list.at + by * practice_list_rows(m));
}

/* The position on the board, where the round is over that of the selected row. */
const struct el_position *practice_position(const struct practice *p)
{
	return is_over(p) ? &p->round[p->list.at].start : p->play.game ? &p->play.now : NULL;
}

static const char *nothing_to_explore(const struct model *m)
{
	return practice_position(practice_of(m)) ? NULL : "There is no position on the board.";
}

static void explore_it(struct model *m)
{
	struct practice *p = practice_of(m);
	if (play_set(m, p->slice.game, practice_position(p)))
		shell_visit(m, VIEW_EXPLORE);
}

static const struct binding bindings[] = {
	{{K_ENTER}, "play", "play", "play the selected move; when it is over, go on",
	 .run = play_selected, .disabled = nothing_to_play},
	{{K_TAB}, "point", "board", "pick a piece and its target with arrows and Enter",
	 .run = point, .disabled = practice_no_move},
	{{'z'}, "take-back", "undo", "take back the last move, at a cost to the score",
	 .run = take_back, .disabled = nothing_to_take_back},
	{{'r'}, "prove", "why", "show what was wrong with the last move", .run = prove,
	 .disabled = nothing_to_prove},
	{{'s'}, "give-up", "give up", "give up this position and go to the next one", .run = next_position,
	 .disabled = nothing_to_give_up},
	{{' '}, "go-on", "next", "go on to the answer, next position or next round",
	 .run = go_on, .disabled = nowhere_on},
	{{'+', '='}, "harder", "level", "ask for deeper wins", .apply = change_level, .argument = 1},
	{{'-'}, "easier", NULL, "ask for shallower wins", .apply = change_level, .argument = -1},
	{{'f'}, "flip", NULL, "turn the board around", .run = flip},
	{{'e'}, "examine", NULL, "show the position and all values in Explore",
	 .run = explore_it, .disabled = nothing_to_explore},
	{{K_LEFT}, "column-left", NULL, "go to the next column of moves on the left", .apply = step_columns, .argument = -1,
	 .disabled = practice_no_move},
	{{K_RIGHT}, "column-right", NULL, "go to the next column of moves on the right",
	 .apply = step_columns, .argument = 1, .disabled = practice_no_move},
	{.name = NULL},
};

/* ---- the view ---- */

/* Another slice than the last time is what is asked for. */
static void enter(struct model *m)
{
	struct practice *p = practice_of(m);
	struct el_slice slice;
	struct el_position studied;
	films_retry(m);
	if (shell_position(m, &studied)->slice_of(&studied, &slice, NULL))
		return;
	bool same = slice.game == p->offered.game && slice.key == p->offered.key;
	p->offered = slice;
	if (!same || !p->chosen)
		practice_choose_slice(m, &slice);
}

static void ask(struct model *m)
{
	struct practice *p = practice_of(m);
	if (!p->chosen)
		return;
	follow_rule(m);
	find_position(m);
	if (p->play.game && find_moves(m) && practice_can_move(p))
		p->list.count = (int)p->play.move_count;
	if (p->play.game)
		find_proof(m);
}

static struct list *list(struct model *m)
{
	return &practice_of(m)->list;
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct practice *p = practice_of(m);
	snprintf(out, size, "%s", is_over(p) ? "" : p->play.moves[row].san);
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct practice *p = practice_of(m);
	const struct el_game *game = p->chosen ? p->slice.game : play_game(m);
	char rule[32];
	const bool usual = !game->zeroes || m->rule == EL_RULE_USUAL;
	snprintf(out, size, "%s%s%s", p->chosen ? p->slice.name : "", p->chosen ? "  " : "",
	         usual ? "practice" : rule_text(m->rule, rule));
}

static enum el_status open_practice(struct model *m, struct el_error *error)
{
	(void)error;
	practice_of(m)->level = 1;
	practice_of(m)->picker = (struct picker){.picked = EL_NO_SQUARE};
	return EL_OK;
}

static void close_practice(struct model *m)
{
	free(practice_of(m)->play.plies);
}

const struct view practice_view = {
	.name = "Practice",
	.summary = "win won positions against perfect defence",
	.state = &practice_state,
	.bindings = bindings,
	.verbs = practice_verbs,
	.update = practice_update,
	.line = practice_typed,
	.words = practice_words,
	.draw = practice_draw,
	.enter = enter,
	.list = list,
	.row = row_text,
	.subject = subject,
	.open = open_practice,
	.close = close_practice,
	.ask = ask,
	.tick = tick,
	.next_tick = next_tick,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice: won positions, played against perfect defence; each move is judged at once. */
#include "../../model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long the other side waits with its move. */
enum { REPLY_MS = 700, PROOF_PLIES = 8 };

/* ---- rounds ---- */

static void position_changed(struct model *m)
{
	struct practice *p = &m->practice;
	p->list = (struct list){0, 0};
	p->proof[0] = '\0';
	p->proving = false;
	picker_drop(&p->picker);
}

static void begin_round(struct model *m)
{
	struct practice *p = &m->practice;
	memset(p->round, 0, sizeof p->round);
	p->at = 0;
	p->play.game = NULL;
	position_changed(m);
}

void practice_choose_slice(struct model *m, const struct el_slice *slice)
{
	struct practice *p = &m->practice;
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
	struct practice *p = &m->practice;
	if (p->play.score.end == PRACTICE_GOING)
		p->play.score.end = PRACTICE_GIVEN_UP;
	p->round[p->at++] = p->play.score;
	p->play.game = NULL;
	position_changed(m);
	if (is_over(p))
		p->list.count = PRACTICE_ROUND;
}

/* The position that was asked for, if the side to move wins it. */
static bool take_given(struct model *m, const struct el_film *film, struct el_position *out)
{
	struct practice *p = &m->practice;
	if (!p->has_given)
		return false;
	p->has_given = false;
	*out = p->given;
	const struct el_film_value v = el_film_value(film, out, film->step_count - 1);
	if (v.value.outcome != EL_WIN)
		model_fail(m, "%s does not win that position; another one was drawn",
		           side_name(out->side));
	return v.value.outcome == EL_WIN;
}

/* A position, when the film is there and has one. */
static void find_position(struct model *m)
{
	struct practice *p = &m->practice;
	struct el_position position;
	const struct el_metric *metric = el_game_metric(p->slice.game);
	const struct el_film *film = film_shelf_get(&p->films, &p->slice, metric)->film;
	if (is_over(p) || p->play.game || !film)
		return;
	if (!take_given(m, film, &position) &&
	    !film_sample(m, film, practice_range(film, p->level), &position))
		return;
	practice_begin(&p->play, p->slice.game, &position);
	p->flipped = position.side == EL_BLACK;
}

/* ---- what r shows ---- */

/* The line from a position; false as long as the film is not there. */
static bool find_line(struct practice *p, const struct el_position *from, char *out, size_t size)
{
	const struct el_game *game = p->play.game;
	struct el_slice slice;
	bool has_film = !game->drawn(from) && !game->slice_of(from, &slice, NULL);
	if (has_film && !film_shelf_at(&p->films, game, from))
		return false;
	practice_line(&p->films, game, from, PROOF_PLIES, out, size);
	if (!*out)
		snprintf(out, size, "%s", has_film ? "no move is left: stalemate"
		                                   : "nothing is left to win with");
	return true;
}

static void find_proof(struct practice *p)
{
	const struct practice_ply *last = practice_last(&p->play);
	bool thrown = p->play.score.end == PRACTICE_THROWN;
	char line[sizeof p->proof - 8];
	if (!p->proving || !find_line(p, thrown ? &p->play.now : &last->before, line, sizeof line))
		return;
	snprintf(p->proof, sizeof p->proof, "%s  %s", thrown ? "proof" : "best", line);
	p->proving = false;
}

static void prove(struct model *m)
{
	m->practice.proving = true;
}

static const char *nothing_to_prove(const struct model *m)
{
	const struct practice *p = &m->practice;
	const struct practice_ply *last = p->play.game ? practice_last(&p->play) : NULL;
	return !last ? "no move has been played"
	       : el_value_equal(last->quality.best, last->quality.got)
		       ? "the last move was one of the best"
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
	const struct practice *p = &m->practice;
	return practice_can_move(p)      ? NULL
	       : !p->play.game  ? "there is no position to play"
	       : p->play.score.end != PRACTICE_GOING
		       ? "this position is done: space goes on"
	       : p->play.known ? "the other side is to move"
	                       : "the values are still being worked out";
}

void practice_move(struct model *m, int move)
{
	struct practice *p = &m->practice;
	if (!practice_play(&p->play, (size_t)move)) {
		model_fail(m, "out of memory");
		return;
	}
	position_changed(m);
	p->reply_at = m->now + REPLY_MS;
}

static void reply(struct model *m)
{
	struct practice *p = &m->practice;
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
	if (is_replying(&m->practice) && m->now >= m->practice.reply_at)
		reply(m);
}

static int next_tick(const struct model *m)
{
	const struct practice *p = &m->practice;
	if (!is_replying(p))
		return -1;
	return p->reply_at > m->now ? (int)(p->reply_at - m->now) : 0;
}

/* ---- what the keys do ---- */

static void go_on(struct model *m)
{
	struct practice *p = &m->practice;
	if (is_over(p))
		begin_round(m);
	else if (is_replying(p))
		reply(m);
	else
		next_position(m);
}

static const char *nowhere_on(const struct model *m)
{
	const struct practice *p = &m->practice;
	return is_over(p) || is_replying(p)                   ? NULL
	       : !p->play.game                                ? "there is no position to play"
	       : p->play.score.end == PRACTICE_GOING ? "it is your move; s gives the position up"
						     : NULL;
}

static const char *nothing_to_give_up(const struct model *m)
{
	return m->practice.play.game ? NULL : "there is no position to play";
}

static void play_selected(struct model *m)
{
	if (practice_can_move(&m->practice))
		practice_move(m, m->practice.list.at);
	else
		go_on(m);
}

static const char *nothing_to_play(const struct model *m)
{
	return practice_can_move(&m->practice) ? NULL : nowhere_on(m);
}

static void take_back(struct model *m)
{
	practice_take_back(&m->practice.play);
	position_changed(m);
}

static const char *nothing_to_take_back(const struct model *m)
{
	const struct practice_game *g = &m->practice.play;
	return !g->game || !practice_last(g)      ? "no move has been played"
	       : g->score.end == PRACTICE_WON ? "it is won"
					      : NULL;
}

void practice_set_level(struct model *m, int level)
{
	struct practice *p = &m->practice;
	if (level < 1 || level > PRACTICE_LEVELS) {
		model_fail(m, "levels go from 1 to %d", PRACTICE_LEVELS);
		return;
	}
	bool untouched = p->at == 0 && (!p->play.game || !p->play.count);
	p->level = level;
	if (untouched)
		begin_round(m);
	model_note(m, "level %d%s", level,
	           untouched ? "" : is_over(p) ? ": space begins" : " from the next position on");
}

static void harder(struct model *m)
{
	practice_set_level(m, m->practice.level + 1);
}

static void easier(struct model *m)
{
	practice_set_level(m, m->practice.level - 1);
}

static void flip(struct model *m)
{
	m->practice.flipped = !m->practice.flipped;
}

static void point(struct model *m)
{
	struct practice *p = &m->practice;
	picker_point(m, &p->picker, p->play.moves[p->list.at].film.move.from);
}

static void step_columns(struct model *m, int by)
{
	list_set(&m->practice.list, m->practice.list.at + by * practice_list_rows(m));
}

static void column_left(struct model *m)
{
	step_columns(m, -1);
}

static void column_right(struct model *m)
{
	step_columns(m, 1);
}

/* The position on the board, where the round is over that of the selected row. */
const struct el_position *practice_position(const struct practice *p)
{
	return is_over(p) ? &p->round[p->list.at].start : p->play.game ? &p->play.now : NULL;
}

static const char *nothing_to_explore(const struct model *m)
{
	return practice_position(&m->practice) ? NULL : "there is no position on the board";
}

static void explore_it(struct model *m)
{
	struct practice *p = &m->practice;
	if (explore_set(m, p->slice.game, practice_position(p)))
		model_visit(m, &explore_view);
}

static const struct binding bindings[] = {
	{{K_ENTER}, "play", "play", "play the selected move; afterwards, go on", play_selected,
	 nothing_to_play, NULL},
	{{K_TAB}, "point", "board", "choose a piece and its target with arrows and Enter", point,
	 practice_no_move, NULL},
	{{'z'}, "take-back", "undo", "take the last move back, which costs a part of the score",
	 take_back, nothing_to_take_back, NULL},
	{{'r'}, "prove", "why", "show what was wrong with the last move", prove, nothing_to_prove,
	 NULL},
	{{'s'}, "give-up", "give up", "leave this position for the next one", next_position,
	 nothing_to_give_up, NULL},
	{{' '}, "go-on", "on", "to the next position, or another round; the answer at once",
	 go_on, nowhere_on, NULL},
	{{'+', '='}, "harder", "level", "deeper wins", harder, NULL, NULL},
	{{'-'}, "easier", NULL, "wins that are less deep", easier, NULL, NULL},
	{{'f'}, "flip", NULL, "turn the board around", flip, NULL, NULL},
	{{'e'}, "examine", NULL, "show the position in Explore, with the values of all moves",
	 explore_it, nothing_to_explore, NULL},
	{{K_LEFT}, "column-left", NULL, "to the column of moves at the left", column_left,
	 practice_no_move, NULL},
	{{K_RIGHT}, "column-right", NULL, "to the column of moves at the right", column_right,
	 practice_no_move, NULL},
	{.name = NULL},
};

/* ---- the view ---- */

/* Another slice than the last time is what is asked for. */
static void enter(struct model *m)
{
	struct practice *p = &m->practice;
	struct el_slice slice;
	struct el_position studied;
	film_shelf_retry(&p->films);
	if (model_studied(m, &studied)->slice_of(&studied, &slice, NULL))
		return;
	bool same = slice.game == p->offered.game && slice.key == p->offered.key;
	p->offered = slice;
	if (!same || !p->chosen)
		practice_choose_slice(m, &slice);
}

static void ask(struct model *m)
{
	struct practice *p = &m->practice;
	if (!p->chosen)
		return;
	find_position(m);
	if (p->play.game && practice_look(&p->play, &p->films) && practice_can_move(p))
		p->list.count = (int)p->play.move_count;
	if (p->play.game)
		find_proof(p);
	film_shelf_ask(m, &p->films);
}

static struct list *list(struct model *m)
{
	return &m->practice.list;
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct practice *p = &m->practice;
	snprintf(out, size, "%s%spractice", p->chosen ? p->slice.name : "", p->chosen ? "  " : "");
}

static enum el_status open_practice(struct model *m, struct el_error *error)
{
	(void)error;
	m->practice.level = 1;
	m->practice.picker = (struct picker){.picked = EL_NO_SQUARE};
	return EL_OK;
}

static void close_practice(struct model *m)
{
	free(m->practice.play.plies);
	film_shelf_drop(&m->practice.films);
}

const struct view practice_view = {
	.name = "Practice",
	.summary = "win won positions against perfect defence",
	.bindings = bindings,
	.update = practice_update,
	.line = practice_typed,
	.words = practice_words,
	.draw = practice_draw,
	.enter = enter,
	.list = list,
	.subject = subject,
	.open = open_practice,
	.close = close_practice,
	.ask = ask,
	.tick = tick,
	.next_tick = next_tick,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice: choosing positions for exercises, judging moves and answers, ending games; against a
   recount over the moves. */
#include "core/probe/probe.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/screens.h"
#include "tests/fixtures/shelf_fixture.h"
#include "tests/fixtures/tables.h"
#include "tui/model/window.h"
#include "tui/views/practice/practice.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a recount: values follow from those of the positions after the moves ---- */

/* A position's value in the table, or by the rules if they end the game. */
static struct el_value value_there(const struct el_game *game, const struct el_position *p)
{
	struct el_move moves[EL_MOVES_MAX];
	if (!game->moves(p, moves))
		return (struct el_value){.outcome = game->stuck(p).outcome};
	return game->drawn(p) ? (struct el_value){.outcome = EL_DRAW} : shelf_value(game, p);
}

/* A move's value for its mover, in plies from before it. */
static struct el_value value_of_move(const struct el_game *game, const struct el_position *p,
                                     const struct el_move *move)
{
	struct el_position next;
	game->play(p, move, &next);
	struct el_value v = value_there(game, &next);
	v.outcome = (uint8_t)(EL_WIN - v.outcome); /* no rule: loss, draw or win */
	v.plies = v.outcome == EL_DRAW ? 0 : (uint16_t)(v.plies + 1);
	return v;
}

/* 1: a is better. */
static int compare(struct el_value a, struct el_value b)
{
	if (a.outcome != b.outcome)
		return a.outcome > b.outcome ? 1 : -1;
	const int longer = (a.plies > b.plies) - (a.plies < b.plies);
	return a.outcome == EL_WIN ? -longer : longer;
}

/* The best of all moves. */
struct recount {
	struct el_value best;
	size_t moves, keeping, losing, shallower;
};

static struct recount recount(const struct el_game *game, const struct el_position *p)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_value values[EL_MOVES_MAX];
	struct recount r = {.moves = game->moves(p, moves)};
	assert_true(r.moves > 0);
	for (size_t i = 0; i < r.moves; i++) {
		values[i] = value_of_move(game, p, &moves[i]);
		if (i == 0 || compare(values[i], r.best) > 0)
			r.best = values[i];
		r.losing += values[i].outcome == EL_LOSS;
	}
	for (size_t i = 0; i < r.moves; i++) {
		r.keeping += values[i].outcome == r.best.outcome;
		r.shallower += values[i].plies < r.best.plies;
	}
	return r;
}

/* ---- exercises, as they are drawn ---- */

static struct screens s;

static struct practice *practice(void)
{
	return practice_of(&s.model);
}

static void type(const char *line)
{
	shell_prompt_line(&s.model)->open = false;
	shell_typed(&s.model, line);
	screens_settle(&s);
}

static void press(int key)
{
	screens_event(&s, (struct event){.kind = EVENT_KEY, .key = key});
}

static void assert_fits(enum exercise_name exercise, const struct recount *r)
{
	switch (exercise) {
	case EXERCISE_WIN:
		assert_int_equal(r->best.outcome, EL_WIN);
		break;
	case EXERCISE_HOLD:
		assert_int_equal(r->best.outcome, EL_DRAW);
		assert_true(r->losing > 0);
		break;
	case EXERCISE_SURVIVE:
		assert_int_equal(r->best.outcome, EL_LOSS);
		assert_true(r->shallower > 0);
		break;
	case EXERCISE_ONLY:
		assert_int_equal(r->keeping, 1);
		assert_true(r->moves >= 3);
		break;
	case EXERCISE_SQUARES:
		assert_int_equal(r->best.outcome, EL_LOSS);
		break;
	default:
		break;
	}
}

/* Asks for all squares in turn. */
static void assert_squares(const struct practice *p)
{
	const struct el_game *game = p->play.game;
	const struct el_value wanted = recount(game, &p->play.now).best;
	struct el_position there;
	assert_true(p->expected >> p->piece & 1);
	for (uint8_t square = 0; square < MARKS_SQUARES; square++) {
		struct el_move moves[EL_MOVES_MAX];
		bool asked = window_try(p->play.game, &p->play.now, p->piece, square, &there) &&
		             !game->check(&there, NULL) && game->moves(&there, moves);
		if (asked)
			asked = !compare(recount(game, &there).best, wanted);
		assert_int_equal(p->expected >> square & 1, asked);
	}
}

static void positions_fit_their_exercise(void **state)
{
	const int positions = tests_are_slow() ? 3 : 12;
	(void)state;
	for (int i = 0; shelf_slices[i]; i++)
		for (enum exercise_name e = 0; e < EXERCISES; e++) {
			char line[80];
			screens_open(&s, shelf_library(), NULL, false);
			s.model.rule = 0;
			for (int n = 0; n < positions; n++) {
				const struct practice *p = practice();
				snprintf(line, sizeof line, "level %d", n % PRACTICE_LEVELS + 1);
				type(line);
				snprintf(line, sizeof line, "practice %s %s", exercises[e].name,
				         shelf_slices[i]);
				type(line);
				assert_ptr_equal(p->play.game, p->slice.game);
				const struct recount r = recount(p->play.game, &p->play.now);
				assert_fits(e, &r);
				assert_int_equal(compare(p->value, r.best), 0);
				if (e == EXERCISE_SQUARES)
					assert_squares(p);
			}
			screens_close(&s);
		}
}

/* Levels grow: on the whole, their positions get deeper. */
static void higher_levels_are_deeper(void **state)
{
	(void)state;
	screens_open(&s, shelf_library(), NULL, false);
	unsigned depth[2] = {0, 0};
	for (int hard = 0; hard < 2; hard++) {
		type(hard ? "level 5" : "level 1");
		for (int i = 0; i < 8; i++) {
			type("practice survive KQvKR");
			depth[hard] += practice()->value.plies;
		}
	}
	assert_true(depth[1] > 2 * depth[0]);
	screens_close(&s);
}

/* Each square separately, marked or not. */
static void marks_are_graded_by_the_squares(void **state)
{
	(void)state;
	screens_open(&s, shelf_library(), NULL, false);
	type("practice squares 8/8/8/8/8/8/1R6/k1K5 b - - 0 1");
	const struct practice *p = practice();
	type("practice squares KRvK");
	press('e'); /* Explore would give the answer away */
	assert_true(s.model.message.text[0]);
	for (uint8_t square = 0; square < MARKS_SQUARES; square++)
		if (p->expected >> square & 1)
			marks_toggle(&practice()->marks, square);
	press('g');
	assert_int_equal(p->play.score.end, PRACTICE_ANSWERED);
	assert_int_equal(practice_percent(&p->play.score), 100);
	press(' ');
	marks_toggle(&practice()->marks, p->piece);
	marks_toggle(&practice()->marks, p->piece ^ 63);
	const bool other = p->expected >> (p->piece ^ 63) & 1;
	const unsigned all = (unsigned)__builtin_popcountll(p->expected);
	press('g');
	assert_int_equal(practice_percent(&p->play.score),
	                 other ? 100 * 2 / all : 100 * 1 / (all + 1));
	press('g');
	assert_int_equal(p->scores.tallies[0].tries, 2);
	screens_close(&s);
}

static void guesses_are_graded_by_outcome_and_depth(void **state)
{
	const struct el_value win = {.outcome = EL_WIN, .plies = 21}, draw = {.outcome = EL_DRAW};
	const struct el_value cursed = {.outcome = EL_CURSED_WIN, .plies = 120};
	(void)state;
	assert_int_equal(practice_guess_percent(&el_dtm, win, EL_WIN, 21, false), 100);
	assert_int_equal(practice_guess_percent(&el_dtm, win, EL_WIN, 11, true), 100);
	assert_int_equal(practice_guess_percent(&el_dtm, win, EL_WIN, 31, false), 77);
	assert_int_equal(practice_guess_percent(&el_dtm, win, EL_WIN, 11, false), 77);
	assert_int_equal(practice_guess_percent(&el_dtm, win, EL_WIN, 900, false), 50);
	assert_int_equal(practice_guess_percent(&el_dtm, win, EL_DRAW, 0, false), 0);
	assert_int_equal(practice_guess_percent(&el_dtm, win, EL_LOSS, 21, false), 0);
	assert_int_equal(practice_guess_percent(&el_dtm, draw, EL_DRAW, 5, false), 100);
	assert_int_equal(practice_guess_percent(&el_dtz_rule[49], cursed, EL_DRAW, 5, false), 100);
	screens_open(&s, shelf_library(), NULL, false);
	type("practice guess 8/8/8/4k3/8/8/8/K6R w - - 0 1");
	const unsigned plies = recount(practice()->play.game, &practice()->play.now).best.plies;
	for (unsigned i = 1; i < plies; i++)
		press(K_RIGHT);
	press(K_ENTER);
	assert_int_equal(practice_percent(&practice()->play.score), 100);
	type("practice guess 8/8/8/4k3/8/8/8/K6R w - - 0 1");
	press(K_DOWN);
	press(K_ENTER);
	assert_int_equal(practice_percent(&practice()->play.score), 0);
	screens_close(&s);
}

/* ---- judging moves ---- */

static void look(struct practice_game *g)
{
	static struct el_answer a;
	const struct el_question question = {.by_demand = true};
	el_library_answer(shelf_library(), g->game, &g->now, &question, &a, NULL);
	assert_true(practice_take(g, &a));
}

/* Whether a move is thrown away, and its cost, by the values of the moves. */
static void judge_all(struct practice_game *g, enum exercise_name exercise)
{
	const struct recount r = recount(g->game, &g->now);
	assert_int_equal(g->answer.count, r.moves);
	for (size_t i = 0; i < r.moves; i++) {
		const struct el_value got =
			value_of_move(g->game, &g->now, &practice_choice(g, i)->move);
		const unsigned thrown = g->score.thrown, taken = g->score.taken_back;
		const bool throws = got.outcome < r.best.outcome && exercise != EXERCISE_SURVIVE;
		assert_true(i == 0 ||
		            strcmp(practice_choice(g, i - 1)->san, practice_choice(g, i)->san) < 0);
		assert_true(practice_play(g, i));
		const struct el_move_verdict *q = &practice_last(g)->verdict;
		assert_int_equal(compare(q->best, r.best), 0);
		assert_int_equal(compare(q->got, got), 0);
		assert_int_equal(g->score.end == PRACTICE_THROWN, throws);
		assert_int_equal(g->score.thrown - thrown, throws);
		if (got.outcome == r.best.outcome && got.outcome == EL_WIN)
			assert_int_equal(g->score.lost, got.plies - r.best.plies);
		if (got.outcome == r.best.outcome && got.outcome == EL_LOSS)
			assert_int_equal(g->score.lost, r.best.plies - got.plies);
		if (exercise == EXERCISE_WIN)
			assert_int_equal(g->score.end == PRACTICE_WON, !throws && got.plies == 1);
		if (exercise == EXERCISE_ONLY)
			assert_int_equal(g->score.end, throws ? PRACTICE_THROWN : PRACTICE_FOUND);
		practice_take_back(g);
		assert_int_equal(g->score.taken_back, taken + 1);
		assert_int_equal(g->score.lost, 0);
		look(g);
	}
}

static void moves_are_judged_as_tables_do(void **state)
{
	enum { POSITIONS = 40 };
	static const enum exercise_name of[] = {
		[EL_LOSS] = EXERCISE_SURVIVE, [EL_DRAW] = EXERCISE_HOLD, [EL_WIN] = EXERCISE_WIN};
	static struct practice_game g;
	uint64_t random = 3;
	(void)state;
	for (int i = 0; shelf_slices[i]; i++) {
		const struct el_slice slice = slice_named(shelf_slices[i]);
		for (int n = 0; n < POSITIONS; n++) {
			struct el_position p;
			struct el_move moves[EL_MOVES_MAX];
			assert_true(slice_sample(&random, &slice, &p));
			if (!slice.game->moves(&p, moves))
				continue;
			const struct recount r = recount(slice.game, &p);
			const enum exercise_name exercise =
				n % 4 || r.keeping > 1 ? of[r.best.outcome] : EXERCISE_ONLY;
			practice_begin(&g, exercise, slice.game, &p);
			look(&g);
			judge_all(&g, exercise);
		}
	}
	free(g.plies);
	memset(&g, 0, sizeof g);
}

/* ---- games and their scores ---- */

/* One of the moves that keep the outcome. */
static size_t some_good(const struct practice_game *g, uint64_t *random)
{
	size_t i;
	do
		i = (size_t)seed_random(random, g->answer.count);
	while (practice_choice(g, i)->outcome != g->answer.moves[0].outcome);
	return i;
}

/* The user throws nothing away: at first at random, then as well as possible. */
static void play_out(struct practice_game *g, uint64_t *random, unsigned at_random)
{
	for (unsigned i = 0; g->score.end == PRACTICE_GOING; i++) {
		look(g);
		const bool wanders = practice_is_users_turn(g) && i / 2 < at_random;
		const size_t best =
			practice_is_users_turn(g) ? practice_best(g) : practice_reply(g);
		assert_true(practice_play(g, wanders ? some_good(g, random) : best));
	}
}

static void plies_played_are_those_possible_and_those_lost(void **state)
{
	enum { GAMES = 60 };
	static struct practice_game g;
	uint64_t random = 11;
	unsigned won = 0, lost = 0, held = 0;
	(void)state;
	for (int i = 0; shelf_slices[i]; i++) {
		const struct el_slice slice = slice_named(shelf_slices[i]);
		for (unsigned n = 0; n < GAMES; n++) {
			struct el_position p;
			struct el_move moves[EL_MOVES_MAX];
			assert_true(slice_sample(&random, &slice, &p));
			if (!slice.game->moves(&p, moves))
				continue;
			const struct el_value v = recount(slice.game, &p).best;
			const enum exercise_name exercise = v.outcome == EL_WIN ? EXERCISE_WIN
			                                    : v.outcome == EL_LOSS
			                                            ? EXERCISE_SURVIVE
			                                            : EXERCISE_HOLD;
			practice_begin(&g, exercise, slice.game, &p);
			play_out(&g, &random, n % 6);
			const struct practice_score *score = &g.score;
			if (exercise == EXERCISE_HOLD) {
				assert_int_equal(practice_percent(score), 100);
				held++;
			}
			if (exercise == EXERCISE_HOLD || score->end == PRACTICE_REPEATED)
				continue;
			assert_int_equal(score->possible, v.plies);
			if (exercise == EXERCISE_WIN) {
				assert_int_equal(score->end, PRACTICE_WON);
				assert_int_equal(score->plies, score->possible + score->lost);
				assert_int_equal(practice_percent(score),
				                 100 * score->possible / score->plies);
				won++;
			} else {
				assert_int_equal(score->end, PRACTICE_LOST);
				assert_int_equal(score->plies + score->lost, score->possible);
				assert_int_equal(practice_percent(score),
				                 100 * score->plies / score->possible);
				lost++;
			}
		}
	}
	assert_true(won > 20 && lost > 20 && held > 5);
	free(g.plies);
	memset(&g, 0, sizeof g);
}

static void scores_count_detours_and_take_backs(void **state)
{
	struct practice_score one = {.end = PRACTICE_WON, .possible = 21, .plies = 21};
	struct practice_score round[PRACTICE_ROUND];
	(void)state;
	assert_int_equal(practice_percent(&one), 100);
	one.taken_back = 2;
	assert_int_equal(practice_percent(&one), 80);
	assert_true(practice_is_right(&one));
	one.thrown = 1;
	assert_false(practice_is_right(&one));
	one.plies = 42;
	assert_int_equal(practice_percent(&one), 30);
	one.taken_back = 9;
	assert_int_equal(practice_percent(&one), 0);
	for (int i = 0; i < PRACTICE_ROUND; i++)
		round[i] = (struct practice_score){.end = PRACTICE_WON, .possible = 9, .plies = 9};
	assert_int_equal(practice_total(round, PRACTICE_ROUND), 100);
	round[0].end = PRACTICE_THROWN;
	assert_int_equal(practice_total(round, PRACTICE_ROUND), 80);
	assert_int_equal(practice_total(round, 2), 50);
	assert_int_equal(practice_next_level(1, 80), 2);
	assert_int_equal(practice_next_level(PRACTICE_LEVELS, 100), PRACTICE_LEVELS);
	assert_int_equal(practice_next_level(3, 79), 3);
	assert_int_equal(practice_next_level(3, 39), 2);
	assert_int_equal(practice_next_level(1, 0), 1);
	struct practice_score held = {.exercise = EXERCISE_HOLD, .end = PRACTICE_REPEATED};
	assert_int_equal(practice_percent(&held), 100);
	held.exercise = EXERCISE_WIN;
	assert_int_equal(practice_percent(&held), 0);
}

/* How often a FEN's board and side to move have occurred. */
static unsigned times_seen(const struct practice_game *g)
{
	char now[EL_FEN_MAX], then[EL_FEN_MAX];
	unsigned times = 1;
	g->game->format(&g->now, now);
	const char *end = strstr(now, " w ") ? strstr(now, " w ") : strstr(now, " b ");
	const size_t length = (size_t)(end - now) + 2;
	for (size_t i = 0; i < g->count; i++) {
		g->game->format(&g->plies[i].before, then);
		times += !strncmp(now, then, length);
	}
	return times;
}

/* Always plays the first winning move by name. */
static void a_position_three_times_ends_it(void **state)
{
	static struct practice_game g;
	const struct el_slice slice = slice_named("KRvK");
	uint64_t random = 5;
	int repeated = 0;
	(void)state;
	for (int i = 0; i < 20;) {
		struct el_position p;
		assert_true(slice_sample(&random, &slice, &p));
		if (value_there(slice.game, &p).outcome != EL_WIN)
			continue;
		i++;
		practice_begin(&g, EXERCISE_WIN, slice.game, &p);
		while (g.score.end == PRACTICE_GOING) {
			size_t move = 0;
			assert_true(times_seen(&g) < 3);
			look(&g);
			while (practice_is_users_turn(&g) &&
			       practice_choice(&g, move)->outcome != EL_WIN)
				move++;
			assert_true(practice_play(
				&g, practice_is_users_turn(&g) ? move : practice_best(&g)));
		}
		repeated += g.score.end == PRACTICE_REPEATED;
		if (g.score.end == PRACTICE_REPEATED)
			assert_int_equal(times_seen(&g), 3);
		assert_int_equal(practice_percent(&g.score) > 0, g.score.end == PRACTICE_WON);
	}
	assert_true(repeated > 0);
	free(g.plies);
	memset(&g, 0, sizeof g);
}

static void fifty_moves_without_progress_end_it(void **state)
{
	static struct practice_game g;
	struct el_position p = position_of("8/8/8/8/8/2k5/8/K6R w - - 0 1");
	(void)state;
	practice_begin(&g, EXERCISE_WIN, &el_chess, &p);
	g.now.halfmove = 99;
	look(&g);
	assert_true(practice_play(&g, practice_best(&g)));
	assert_int_equal(g.score.end, PRACTICE_FIFTY);
	assert_int_equal(practice_percent(&g.score), 0);
	practice_take_back(&g);
	assert_int_equal(g.score.end, PRACTICE_GOING);
	free(g.plies);
	memset(&g, 0, sizeof g);
}

/* A draw ends as one: by its moves, with bare kings, in stalemate. The table repeats no position
   while it has another move. */
static void draws_are_held_to_an_end(void **state)
{
	static struct practice_game g;
	struct el_position p = position_of("8/4k3/8/3K4/4P3/8/8/8 b - - 0 1");
	(void)state;
	practice_begin(&g, EXERCISE_HOLD, &el_chess, &p);
	while (g.score.end == PRACTICE_GOING) {
		look(&g);
		assert_int_equal(g.answer.moves[0].outcome, EL_DRAW);
		assert_true(practice_play(&g, practice_is_users_turn(&g) ? practice_best(&g)
		                                                         : practice_reply(&g)));
	}
	assert_int_equal(practice_percent(&g.score), 100);
	assert_true(g.score.end != PRACTICE_THROWN && g.score.end != PRACTICE_GIVEN_UP);
	assert_true(g.count < 2 * PRACTICE_HOLD_MOVES);
	p = position_of("8/8/8/8/8/5k2/6R1/K7 b - - 0 1");
	practice_begin(&g, EXERCISE_HOLD, &el_chess, &p);
	look(&g);
	size_t i = 0;
	while (strcmp(practice_choice(&g, i)->san, "Kxg2") != 0)
		i++;
	assert_true(practice_play(&g, i));
	assert_int_equal(g.score.end, PRACTICE_BARE);
	free(g.plies);
	memset(&g, 0, sizeof g);
}

/* From Explore with one key, and back to the same board: whatever the position is worth there. */
static void practice_begins_from_the_board(void **state)
{
	static const struct {
		const char *fen;
		enum exercise_name exercise; /* EXERCISES: none fits */
	} boards[] = {
		{"8/8/8/8/8/2k5/8/K2R4 w - - 0 1", EXERCISE_WIN},
		{"8/4k3/8/3K4/4P3/8/8/8 b - - 0 1", EXERCISE_HOLD},
		{"8/8/8/8/8/2k5/8/K2R4 b - - 0 1", EXERCISE_SURVIVE},
		{"8/8/8/8/8/5k2/6R1/K7 b - - 0 1", EXERCISE_HOLD},
		{"8/8/8/8/8/2K5/8/k2r4 w - - 0 1", EXERCISE_SURVIVE},
		{"8/8/8/8/8/5k2/6r1/K7 w - - 0 1", EXERCISES}, /* one move */
		{"7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", EXERCISES}, /* checkmate */
	};
	(void)state;
	for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
		const struct el_position p = position_of(boards[i].fen);
		screens_open(&s, shelf_library(), boards[i].fen, false);
		press('e');
		if (boards[i].exercise == EXERCISES) {
			assert_true(s.model.message.error);
			assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
		} else {
			assert_true(practice()->begun);
			assert_int_equal(practice()->exercise, boards[i].exercise);
			assert_true(el_position_equal(practice_position(practice()), &p));
			press(K_ENTER); /* a move: the explorer's board does not follow */
			press('q');
		}
		assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
		assert_true(el_position_equal(play_position(&s.model), &p));
		screens_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions_fit_their_exercise),
		cmocka_unit_test(higher_levels_are_deeper),
		cmocka_unit_test(marks_are_graded_by_the_squares),
		cmocka_unit_test(guesses_are_graded_by_outcome_and_depth),
		cmocka_unit_test(moves_are_judged_as_tables_do),
		cmocka_unit_test(plies_played_are_those_possible_and_those_lost),
		cmocka_unit_test(scores_count_detours_and_take_backs),
		cmocka_unit_test(a_position_three_times_ends_it),
		cmocka_unit_test(fifty_moves_without_progress_end_it),
		cmocka_unit_test(draws_are_held_to_an_end),
		cmocka_unit_test(practice_begins_from_the_board),
	};
	screens_start();
	return cmocka_run_group_tests(tests, shelf_set_up, shelf_tear_down);
}

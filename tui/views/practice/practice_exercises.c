/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/probe/probe.h"
#include "practice.h"

#include <string.h>

/* ---- values ---- */

int practice_level_of(enum el_outcome outcome)
{
	return outcome == EL_WIN ? 2 : outcome == EL_LOSS ? 0 : 1;
}

bool practice_value(const struct el_answer *a, bool deep, struct el_value *out)
{
	if (!a->metric || (deep && !a->metric->has_depth))
		return false;
	*out = a->value[el_metric_rank(a->metric)];
	if (el_outcome_exact(a->outcome))
		out->outcome = (uint8_t)a->outcome;
	return el_outcome_exact(out->outcome);
}

bool practice_tells_move(const struct el_answer *a, size_t move)
{
	const struct el_ranked *r = &a->moves[move];
	return el_outcome_exact(r->outcome) ||
	       el_outcome_exact(r->value[el_metric_rank(a->metric)].outcome);
}

bool practice_tells(const struct el_answer *a, bool deep)
{
	struct el_value value;
	bool told = practice_value(a, deep, &value);
	for (size_t i = 0; i < a->count && told && !a->source.is_study; i++)
		told = practice_tells_move(a, i);
	return told;
}

/* ---- which positions are suitable ---- */

static bool takes_wins(const struct el_answer *a, struct el_value value, unsigned *hard)
{
	(void)a;
	*hard = value.plies;
	return value.outcome == EL_WIN;
}

/* Losses that are not on the board already. */
static bool takes_losses(const struct el_answer *a, struct el_value value, unsigned *hard)
{
	(void)a;
	*hard = value.plies;
	return value.outcome == EL_LOSS && value.plies;
}

/* Losses in which a worse move loses sooner. */
static bool takes_defences(const struct el_answer *a, struct el_value value, unsigned *hard)
{
	const size_t rank = el_metric_rank(a->metric);
	bool choice = false;
	for (size_t i = 1; i < a->count; i++)
		choice |= el_value_compare(a->metric, a->moves[i].value[rank],
		                           a->moves[0].value[rank]) < 0;
	return takes_losses(a, value, hard) && choice;
}

/* Positions with a legal move. */
static bool takes_any(const struct el_answer *a, struct el_value value, unsigned *hard)
{
	struct el_move moves[EL_MOVES_MAX];
	*hard = practice_level_of(value.outcome) == 1 ? 0 : value.plies;
	return a->game->moves(&a->position, moves);
}

/* Draws with moves that lose, or may: the more of them, the harder. */
static bool takes_draws(const struct el_answer *a, struct el_value value, unsigned *hard)
{
	*hard = 0;
	for (size_t i = 0; i < a->count; i++)
		*hard += el_outcome_lower(a->moves[i].outcome) == EL_LOSS;
	return value.outcome == EL_DRAW && *hard;
}

static bool takes_only_moves(const struct el_answer *a, struct el_value value, unsigned *hard)
{
	enum { CHOICE = 3 };
	*hard = (unsigned)a->count;
	return value.outcome > EL_LOSS && a->count >= CHOICE && a->moves[0].only;
}

#define CHOOSE "Choose a move from the list, press Tab to use the board, or type a move after :"

const struct exercise exercises[EXERCISES] = {
	[EXERCISE_WIN] = {"win", "Win", "win a won position against the best defence",
                          "Win in as few plies as you can. " CHOOSE, "is won", "does not win",
                          BY_MOVES, true, false, 1, takes_wins},
	[EXERCISE_HOLD] = {"hold", "Hold", "hold a draw that a mistake would lose",
                           "Hold the draw; the table sets you problems. " CHOOSE,
                           "is a draw that a mistake would lose", "has no draw to lose in",
                           BY_MOVES, false, true, 1, takes_draws},
	[EXERCISE_SURVIVE] = {"survive", "Survive", "put off a loss for as long as you can",
                              "Last as long as you can. " CHOOSE,
                              "is a loss that can come sooner or later",
                              "has no loss to put off in", BY_MOVES, true, true, 1, takes_defences},
	[EXERCISE_ONLY] = {"only", "Only move", "find the one move that wins, or that draws",
                           "Every other move spoils it. " CHOOSE, "has an only move",
                           "has no only move in", BY_MOVES, false, true, 2, takes_only_moves},
	[EXERCISE_SQUARES] =
		{"squares", "Squares", "mark the squares where a piece is lost",
                 "Move with the arrows; press Enter to mark a %s, and g to have the marks graded.",
                 "is lost", "does not lose", BY_MARKS, true, false, 1, takes_losses},
	[EXERCISE_GUESS] =
		{"guess", "Guess", "say who wins, and how soon, before you are told",
                 "Press up and down for the outcome, left and right for its depth (PgUp and PgDn "
                 "by ten), and Enter to answer.",
                 "is told by a table", "has no move in", BY_GUESS, true, false, 3, takes_any},
};

/* The texts for stones, which do not count time. */
static const struct {
	const char *task, *how;
} in_stones[EXERCISES] = {
	[EXERCISE_WIN] = {"gain as many stones as can be gained",
                          "Gain as many stones as you can. " CHOOSE},
	[EXERCISE_SURVIVE] = {"lose as few stones as can be",
                              "Lose as few stones as you can. " CHOOSE},
	[EXERCISE_SQUARES] = {"mark the pits where a stone is worth so much", NULL},
	[EXERCISE_GUESS] =
		{"say who gains, and how many stones, before you are told",
                 "Press up and down for the outcome, left and right for the stones (PgUp and PgDn "
                 "by ten), and Enter to answer."},
};

const char *exercise_task(enum exercise_name exercise, const struct el_game *game)
{
	const char *own = game && game->sows ? in_stones[exercise].task : NULL;
	return own ? own : exercises[exercise].task;
}

const char *exercise_how(enum exercise_name exercise, const struct el_game *game)
{
	const char *own = game && game->sows ? in_stones[exercise].how : NULL;
	return own ? own : exercises[exercise].how;
}

enum exercise_name exercise_find(const char *name, size_t length)
{
	enum exercise_name i = 0;
	while (i < EXERCISES &&
	       (strlen(exercises[i].name) != length || strncmp(exercises[i].name, name, length)))
		i++;
	return i;
}

/* ---- levels ---- */

struct range practice_range(unsigned hardest, int level,
                            bool (*any)(const void *context, struct range), const void *context)
{
	enum { EASY = 5 };
	const unsigned n = (unsigned)level, fifth = hardest / PRACTICE_LEVELS;
	const unsigned first = fifth < EASY ? fifth : EASY;
	struct range range = {level > 1 ? 1 + hardest * (n - 1) / PRACTICE_LEVELS : 1,
	                      level > 1 ? hardest * n / PRACTICE_LEVELS : first};
	if (level == 2)
		range.from = first + 1;
	while (range.from > 1 && !any(context, range))
		range.from--;
	while (range.to < hardest && !any(context, range))
		range.to++;
	return range;
}

int practice_next_level(int level, unsigned total)
{
	enum { GOOD = 80, POOR = 40 };
	return total >= GOOD && level < PRACTICE_LEVELS ? level + 1
	       : total < POOR && level > 1              ? level - 1
	                                                : level;
}

/* ---- scores ---- */

/* If there is a depth, the outcome counts for half. */
unsigned practice_guess_percent(const struct el_metric *metric, struct el_value value,
                                enum el_outcome guessed, unsigned depth, bool in_moves)
{
	if (practice_level_of(value.outcome) != practice_level_of(guessed))
		return 0;
	if (guessed == EL_DRAW || !value_is_deep(metric, value))
		return 100;
	const unsigned real = depth_shown(metric, value.plies, in_moves);
	const unsigned off = real > depth ? real - depth : depth - real;
	return off < real ? 100 - 50 * off / real : 50;
}

/* Wins: stones gained of those possible; losses: unavoidable stones of those lost. */
static unsigned stones_percent(const struct practice_score *s)
{
	const bool wins = s->exercise == EXERCISE_WIN;
	const unsigned part = wins ? s->gained : s->possible, all = wins ? s->possible : s->gained;
	if (!wins && s->end != PRACTICE_LOST)
		return 100;
	return part >= all ? 100 : 100 * part / all;
}

unsigned practice_percent(const struct practice_score *s)
{
	const unsigned less = s->taken_back * PRACTICE_TAKE_BACK_PERCENT;
	unsigned percent = 100;
	if (s->end == PRACTICE_GOING || s->end == PRACTICE_THROWN || s->end == PRACTICE_GIVEN_UP)
		return 0;
	if (s->end == PRACTICE_ANSWERED)
		return s->answer;
	if (s->game && s->game->sows &&
	    (s->exercise == EXERCISE_WIN || s->exercise == EXERCISE_SURVIVE))
		percent = stones_percent(s);
	else if (s->exercise == EXERCISE_WIN)
		percent = s->end == PRACTICE_WON && s->plies ? 100 * s->possible / s->plies : 0;
	else if (s->exercise == EXERCISE_SURVIVE)
		percent = s->end == PRACTICE_REPEATED || s->end == PRACTICE_FIFTY ||
		                          s->plies >= s->possible
		                  ? 100
		                  : 100 * s->plies / s->possible;
	return percent > less ? percent - less : 0;
}

unsigned practice_total(const struct practice_score *round, size_t count)
{
	unsigned sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += practice_percent(&round[i]);
	return count ? sum / (unsigned)count : 0;
}

bool practice_is_right(const struct practice_score *s)
{
	return !s->thrown && practice_percent(s) >= PRACTICE_RIGHT_PERCENT;
}

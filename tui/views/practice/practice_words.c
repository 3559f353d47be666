/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice's questions, and its feedback on answers, in sentences. */
#include "practice.h"

#include <stdio.h>
#include <string.h>

/* ---- what is asked ---- */

/* Do depths count to the end of the game? If not, the text says what they count. */
static bool counts_on(const struct practice *r)
{
	return el_metric_alike(r->told, el_game_metric(r->slice.game));
}

/* Do they count to mate, which is that of a king? */
static bool is_mate(const struct practice *r)
{
	const struct el_value loss = {.outcome = EL_LOSS, .plies = 2};
	char predicate[PREDICATE_MAX];
	value_predicate(r->told, loss, EL_LOSS, false, predicate);
	return !strncmp(predicate, "is mated", strlen("is mated"));
}

/* "Black's king", "a stone from E": what is tried everywhere. */
static void asked_piece(const struct practice *r, char out[PIECE_TEXT_MAX])
{
	const struct el_game *game = r->slice.game;
	unsigned side, kind;
	if (game->sows || !el_piece_at(&r->play.now, r->piece, &side, &kind))
		piece_text(game, &r->play.now, r->piece, out);
	else
		snprintf(out, PIECE_TEXT_MAX, "%s's %s", game->sides[side], game->kind_names[kind]);
}

/* "Where is Black's king mated in 2 plies?" */
void practice_question_text(const struct model *m, char out[PRACTICE_TEXT])
{
	static const char *const questions[EXERCISES] = {
		[EXERCISE_WIN] = "You play %s.",
		[EXERCISE_HOLD] = "You play %s: hold the draw.",
		[EXERCISE_SURVIVE] = "You play %s: hold out.",
		[EXERCISE_ONLY] = "Find %s's only move.",
		[EXERCISE_GUESS] = "%s to move: who wins?",
	};
	const struct practice *r = practice_of(m);
	if (r->exercise != EXERCISE_SQUARES) {
		snprintf(out, PRACTICE_TEXT, questions[r->exercise],
		         r->slice.game->sides[r->play.user]);
		return;
	}
	const unsigned depth = depth_shown(r->told, r->value.plies, m->in_moves);
	char within[48] = "", piece[PIECE_TEXT_MAX];
	asked_piece(r, piece);
	if (counts_on(r))
		snprintf(within, sizeof within, " in %u %s", depth,
		         depth_unit_of(r->told, depth, m->in_moves));
	if (r->slice.game->sows)
		snprintf(out, PRACTICE_TEXT, "In which pits is %s worth -%u?", piece, depth);
	else
		snprintf(out, PRACTICE_TEXT, "Where is %s %s%s?", piece,
		         is_mate(r) ? "mated" : "lost", within);
}

/* How many of the moves give the outcome away. */
static size_t mistakes(const struct practice_game *g)
{
	size_t count = 0;
	for (size_t i = 0; i < g->answer.count; i++)
		count += practice_level_of(g->answer.moves[i].outcome) <
		         practice_level_of(g->answer.moves[0].outcome);
	return count;
}

void practice_task_text(const struct model *m, char out[PRACTICE_TEXT])
{
	const struct practice *r = practice_of(m);
	const char *side = r->slice.game->sides[r->play.user];
	char depth[SENTENCE_MAX], piece[PIECE_TEXT_MAX];
	out[0] = '\0';
	asked_piece(r, piece);
	if (r->exercise == EXERCISE_WIN || r->exercise == EXERCISE_SURVIVE) {
		/* Under a rule, it is understood that the win is in time. */
		const struct practice_game *g = &r->play;
		const bool wins = g->score.exercise == EXERCISE_WIN;
		const struct el_value value = {.outcome = wins ? EL_WIN : EL_LOSS,
		                               .plies = (uint16_t)g->score.possible};
		char sentence[SENTENCE_MAX] = "";
		if (g->answer.metric)
			value_plain_sentence(g->answer.metric, value, m->in_moves, sentence);
		if (g->score.possible)
			snprintf(out, PRACTICE_TEXT, "%s%s %s possible", value_article(sentence),
			         sentence, g->count ? "was" : "is");
		if (g->score.possible && !wins)
			snprintf(out, PRACTICE_TEXT, "at best %s%s", value_article(sentence),
			         sentence);
	} else if (r->exercise == EXERCISE_GUESS)
		snprintf(out, PRACTICE_TEXT, "%s, in %s", r->told->title,
		         depth_unit(r->told, m->in_moves));
	else if (r->exercise != EXERCISE_SQUARES) {
		/* For exercises that are not about depth, before the first move and after it. */
		const struct practice_game *g = &r->play;
		const bool won = g->answer.count && g->answer.moves[0].outcome == EL_WIN;
		if (r->exercise == EXERCISE_HOLD && g->count && !g->score.end)
			snprintf(out, PRACTICE_TEXT, "held %zu of %d moves", (g->count + 1) / 2,
			         PRACTICE_HOLD_MOVES);
		else if (r->exercise == EXERCISE_HOLD && !g->count && g->known)
			snprintf(out, PRACTICE_TEXT, "%zu of your %zu moves %s", mistakes(g),
			         g->answer.count, mistakes(g) == 1 ? "loses" : "lose");
		else if (r->exercise == EXERCISE_ONLY && g->known)
			snprintf(out, PRACTICE_TEXT, "1 of %zu moves %s", g->answer.count,
			         won ? "wins" : "draws");
	} else if (r->slice.game->sows)
		snprintf(out, PRACTICE_TEXT,
		         "Mark every pit for %s in which %s, to move, would lose exactly %s.",
		         piece, side, depth_words(r->told, r->value.plies, m->in_moves, depth));
	else if (is_mate(r))
		snprintf(out, PRACTICE_TEXT,
		         "Mark every %s on which %s would be mated in exactly %s, %s to move.",
		         square_word(r->slice.game), piece,
		         depth_words(r->told, r->value.plies, m->in_moves, depth), side);
	else if (counts_on(r))
		snprintf(out, PRACTICE_TEXT,
		         "Mark every %s for %s on which %s, to move, would lose in exactly %s.",
		         square_word(r->slice.game), piece, side,
		         depth_words(r->told, r->value.plies, m->in_moves, depth));
	else
		snprintf(out, PRACTICE_TEXT,
		         "Mark every %s for %s on which %s, to move, would lose, %s.",
		         square_word(r->slice.game), piece, side,
		         value_plain_sentence(r->told, r->value, m->in_moves, depth));
}

/* ---- the result of the last move ---- */

/* If the win may come too late for the 50-move rule, the moves left. `v` counts from the position
   on the board. */
static void time_left_text(const struct practice_game *g, const struct el_metric *metric,
                           struct el_value v, char *out, size_t size)
{
	const unsigned limit = g->game->zeroes ? g->limit : 0, clock = g->now.halfmove;
	out[0] = '\0';
	if (el_outcome_exact(el_value_in_time(metric, v, limit, clock)))
		return;
	const unsigned left = limit > clock ? limit - clock : 0;
	snprintf(out, size, ", %u %s left on the clock", left, depth_unit_of(metric, left, false));
}

/* `gone`: plies of the value already played. */
static void value_text(const struct model *m, const struct el_metric *metric, struct el_value v,
                       unsigned gone, char *out, size_t size)
{
	const struct practice_game *g = &practice_of(m)->play;
	char sentence[SENTENCE_MAX], clock[48];
	value_sentence(metric, v, m->in_moves, sentence);
	if (!metric->kind->adds_up)
		v.plies = (uint16_t)(v.plies > gone ? v.plies - gone : 0);
	time_left_text(g, metric, v, clock, sizeof clock);
	const bool is_lost = v.outcome == EL_LOSS && !*value_article(sentence);
	snprintf(out, size, "now %s%s%s", is_lost ? "lost, " : value_article(sentence), sentence,
	         clock);
}

void practice_left_text(const struct model *m, char out[PRACTICE_TEXT])
{
	const struct practice_game *g = &practice_of(m)->play;
	const struct practice_ply *last = practice_last(g), *newest = &g->plies[g->count - 1];
	char value[SENTENCE_MAX + 64] = "";
	out[0] = '\0';
	if (newest == last && !el_value_equal(last->verdict.best, last->verdict.got)) {
		value_text(m, last->metric, last->verdict.got, 1, out, PRACTICE_TEXT);
	} else if (newest != last) {
		if (g->known && g->answer.count)
			value_text(m, g->answer.metric,
			           g->answer.moves[0].value[el_metric_rank(g->answer.metric)], 0,
			           value, sizeof value);
		snprintf(out, PRACTICE_TEXT, "%s answered %s%s%.100s",
		         g->game->sides[newest->before.side], newest->san, *value ? ": " : "",
		         value);
	}
}

/* ---- how it ended ---- */

static const struct {
	const char *word, *sentence; /* null: it has numbers, or another text says it */
} ends[] = {
	[PRACTICE_GOING] = {"-", NULL},
	[PRACTICE_WON] = {"won", NULL},
	[PRACTICE_LOST] = {"lost", NULL},
	[PRACTICE_HELD] = {"held", "You have held the draw"},
	[PRACTICE_FOUND] = {"found", "That is the only move"},
	[PRACTICE_BARE] = {"held", "Nobody can win any more"},
	[PRACTICE_STALEMATE] = {"held", "Stalemate: a draw"},
	[PRACTICE_ANSWERED] = {"answered", NULL},
	[PRACTICE_THROWN] = {"thrown away",
                             "Press U to take it back, r to see why, space to go on."},
	[PRACTICE_REPEATED] = {"repeated", "The position has occurred three times"},
	[PRACTICE_FIFTY] = {"no progress", NULL},
	[PRACTICE_GIVEN_UP] = {"given up", "Given up."},
};

const char *practice_end_word(enum practice_end end)
{
	return ends[end].word;
}

/* The result without the score. */
static void result_text(const struct model *m, char out[PRACTICE_TEXT])
{
	const struct practice *r = practice_of(m);
	const struct practice_score *s = &r->play.score;
	const struct marks_count c = marks_count(&r->marks);
	const int level = practice_level_of(r->value.outcome);
	char sentence[SENTENCE_MAX];
	value_plain_sentence(r->told, r->value, m->in_moves, sentence);
	if (s->game->sows && (s->end == PRACTICE_WON || s->end == PRACTICE_LOST))
		snprintf(out, PRACTICE_TEXT, "You have %s %u %s (best %u)",
		         s->end == PRACTICE_WON ? "gained" : "lost", s->gained,
		         plural(s->gained, "stone", "stones"), s->possible);
	else if (s->end == PRACTICE_WON || s->end == PRACTICE_LOST)
		snprintf(out, PRACTICE_TEXT, "%s %u %s (best %u)",
		         s->end == PRACTICE_WON ? "Won in" : "You lasted", s->plies,
		         depth_unit_of(NULL, s->plies, false), s->possible);
	else if (s->end == PRACTICE_FIFTY)
		snprintf(out, PRACTICE_TEXT,
		         "%u moves without progress: a draw by the rules of most games",
		         r->play.limit / 2);
	else if (s->end != PRACTICE_ANSWERED)
		snprintf(out, PRACTICE_TEXT, "%s", ends[s->end].sentence);
	else if (r->exercise == EXERCISE_SQUARES)
		snprintf(out, PRACTICE_TEXT, "%u right, %u wrong, %u missed", c.right, c.wrong,
		         c.missed);
	else if (level == 1)
		snprintf(out, PRACTICE_TEXT, "It is a %s", sentence);
	else
		snprintf(out, PRACTICE_TEXT, "%s wins: %s",
		         r->slice.game->sides[r->play.user ^ (level == 0)], sentence);
}

void practice_end_text(const struct model *m, char out[PRACTICE_TEXT])
{
	const struct practice_score *s = &practice_of(m)->play.score;
	const bool in_vain = s->exercise == EXERCISE_WIN;
	char result[PRACTICE_TEXT];
	result_text(m, result);
	if (s->end == PRACTICE_THROWN || s->end == PRACTICE_GIVEN_UP)
		snprintf(out, PRACTICE_TEXT, "%s", result);
	else if (in_vain && s->end == PRACTICE_REPEATED)
		snprintf(out, PRACTICE_TEXT, "%.200s: no progress.", result);
	else if (in_vain && s->end == PRACTICE_FIFTY)
		snprintf(out, PRACTICE_TEXT, "%.200s.", result);
	else
		snprintf(out, PRACTICE_TEXT, "%.200s: %u %%. Press space to go on.", result,
		         practice_percent(s));
}

/* ---- moves played, positions due again ---- */

void practice_played_text(const struct practice_game *g, char out[PRACTICE_TEXT])
{
	enum { SHOWN = 16 };
	size_t first = g->count > SHOWN ? (g->count - SHOWN) / 2 * 2 : 0;
	out[0] = '\0';
	for (size_t i = first; i < g->count; i++) {
		const struct practice_ply *p = &g->plies[i];
		char number[NUMBER_MAX];
		move_number(g->game, p->before.side, p->before.fullmove, i == first, number);
		el_text_add(out, PRACTICE_TEXT, "%s%s%s ", number, *number ? " " : "", p->san);
	}
}

void practice_due_text(const struct practice_scores *s, char out[PRACTICE_TEXT])
{
	size_t count;
	const long days = practice_next_due(s, &count);
	out[0] = '\0';
	if (days < 0)
		return;
	snprintf(out, PRACTICE_TEXT, "%zu %s ", count, plural(count, "position", "positions"));
	if (days < 2)
		el_text_add(out, PRACTICE_TEXT, "%s", days ? "tomorrow" : "today");
	else
		el_text_add(out, PRACTICE_TEXT, "in %ld days", days);
}

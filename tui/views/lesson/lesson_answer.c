/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson's questions: the right answers, from tables if they have them, and in words. */
#include "lesson.h"

#include "core/base/text.h"
#include "core/probe/probe.h"
#include "tui/model/window.h"
#include "tui/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static enum ask_result fails(char why[LESSON_WHY_MAX],
                                                                   const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(why, LESSON_WHY_MAX, format, arguments);
	va_end(arguments);
	return ASK_FAILS;
}

/* ---- squares ---- */

/* The outcome that a question names: of squares, of moves or of the position. EL_BROKEN: it is that, or
   none. */
static enum el_outcome outcome_named(const struct lesson_ask *ask)
{
	const enum ask_source s = ask->source;
	return s == ASK_WIN || s == ASK_WINNING    ? EL_WIN
	       : s == ASK_DRAW || s == ASK_DRAWING ? EL_DRAW
	       : s == ASK_LOSS || s == ASK_LOSING  ? EL_LOSS
	       : s == ASK_AT_LEAST_DRAW            ? EL_AT_LEAST_DRAW
	       : s == ASK_AT_MOST_DRAW             ? EL_AT_MOST_DRAW
	       : s == ASK_UNKNOWN                  ? EL_UNKNOWN
	                                           : EL_BROKEN;
}

/* The squares with the greatest depth, or with the least. */
static uint64_t deepest(const struct board_facts *facts, uint64_t board, bool least)
{
	uint64_t found = 0;
	unsigned best = 0;
	for (uint8_t square = 0; square < 64; square++) {
		const struct el_value *v = &facts->value[square];
		if (!(board >> square & 1) || !value_is_deep(facts->metric, *v))
			continue;
		if (!found || (least ? v->plies < best : v->plies > best)) {
			found = 0;
			best = v->plies;
		}
		if (v->plies == best)
			found |= (uint64_t)1 << square;
	}
	return found;
}

static enum ask_result find_squares(const struct model *m, const struct lesson_ask *ask,
                                    struct quiz *out, char why[LESSON_WHY_MAX])
{
	struct board_facts facts;
	/* The squares of the board. */
	uint64_t board = 0;
	unsigned file, rank;
	for (uint8_t square = 0; square < 64; square++)
		if (el_square_find(out->game, square, &file, &rank))
			board |= (uint64_t)1 << square;
	if (ask->source == ASK_GIVEN) {
		const char *words = ask->given;
		char word[ASK_WORD_MAX];
		while (ask_next_word(&words, word)) {
			const uint8_t square = window_square(out->game, word);
			if (square == EL_NO_SQUARE)
				return fails(why,
				             "ask: '%s' is not a square of the board on screen",
				             word);
			out->right |= (uint64_t)1 << square;
		}
		return ASK_FOUND;
	}
	/* The facts from the view on screen about its board, or else from the model's map. */
	if (shell_view(m)->facts ? !shell_view(m)->facts(m, &facts) : !m->map.ask.known)
		return ASK_WAITS;
	if (!shell_view(m)->facts) {
		facts = (struct board_facts){.metric = m->map.values.lacks ? NULL
		                                                           : m->map.values.metric};
		memcpy(facts.value, m->map.values.value, sizeof facts.value);
	}
	if (!facts.metric)
		return fails(why, "ask: no table knows this board");
	if (ask->source == ASK_NEXT)
		out->right = facts.next;
	else if (ask->source == ASK_LONGEST || ask->source == ASK_SHORTEST)
		out->right = deepest(&facts, board, ask->source == ASK_SHORTEST);
	else
		for (uint8_t square = 0; square < 64; square++) {
			const struct el_value v = facts.value[square];
			if (board >> square & 1 && v.outcome == outcome_named(ask) &&
			    (ask->plies < 0 ||
			     (value_is_deep(facts.metric, v) && (long)v.plies == ask->plies)))
				out->right |= (uint64_t)1 << square;
		}
	if (out->right || ask->kind != ASK_SQUARE)
		return ASK_FOUND;
	return fails(why, "ask: no square of this board is right");
}

/* ---- the position: its moves, its depth, its outcome ---- */

/* Finds the study of the position on screen. */
static enum ask_result find_study(const struct model *m, char why[LESSON_WHY_MAX])
{
	if (shell_view(m)->facts)
		return fails(why, "ask: a position is asked about in Explore");
	if (!m->play.study)
		return ASK_WAITS;
	if (m->play.study->answer.metric)
		return ASK_FOUND;
	return fails(why, "ask: no table knows this position");
}

/* An answer is right whatever the values are that are known only within bounds. */
static enum ask_result fail_open(char why[LESSON_WHY_MAX])
{
	return fails(why, "ask: this position is known only within bounds, which leave the answer "
	                  "open");
}

static bool may_be(enum el_outcome outcome, enum el_outcome wanted)
{
	return !el_outcome_exact(outcome) && el_outcome_within(wanted, outcome);
}

/* Do the bounds of some move leave open whether it is right? The best move is certain if no other can
   be better. */
static bool moves_are_open(const struct lesson_ask *ask, const struct el_answer *a)
{
	const enum el_outcome wanted = outcome_named(ask);
	bool open = false;
	for (size_t i = 0; i < a->count && ask->source != ASK_GIVEN; i++) {
		const enum el_outcome outcome = a->moves[i].outcome;
		open = open || may_be(outcome, wanted) ||
		       (ask->source == ASK_BEST && i > 0 && !el_outcome_exact(outcome) &&
		        el_outcome_upper(outcome) > el_outcome_lower(a->moves[0].outcome));
	}
	return open;
}

static bool is_right_move(const struct lesson_ask *ask, const struct el_answer *a,
                          const struct el_ranked *move)
{
	const size_t rank = el_metric_rank(a->metric);
	if (ask->source != ASK_BEST)
		return move->outcome == outcome_named(ask);
	return move->outcome == a->moves[0].outcome &&
	       el_value_equal(move->value[rank], a->moves[0].value[rank]);
}

static bool is_given_move(const struct el_answer *a, const char *words,
                          const struct el_ranked *move)
{
	char word[ASK_WORD_MAX];
	struct el_move read;
	bool found = false;
	while (ask_next_word(&words, word))
		found = found || (!a->game->read_move(&a->position, word, &read, NULL) &&
		                  el_move_equal(&read, &move->move));
	return found;
}

/* Lists the right moves first. */
static enum ask_result find_moves(const struct model *m, const struct lesson_ask *ask,
                                  struct quiz *out, char why[LESSON_WHY_MAX])
{
	const enum ask_result known = find_study(m, why);
	if (known != ASK_FOUND)
		return known;
	const struct el_answer *a = &m->play.study->answer;
	if (moves_are_open(ask, a))
		return fail_open(why);
	for (int right = 1; right >= 0; right--) {
		for (size_t i = 0; i < a->count; i++) {
			const bool is = ask->source == ASK_GIVEN
			                        ? is_given_move(a, ask->given, &a->moves[i])
			                        : is_right_move(ask, a, &a->moves[i]);
			if (is == (bool)right)
				out->moves[out->move_count++] = a->moves[i].move;
		}
		if (right)
			out->right_moves = out->move_count;
	}
	if (out->right_moves)
		return ASK_FOUND;
	return fails(why, "ask: no legal move of this position is right");
}

/* From the summaries that verify keeps: quiz_follow wants the list of them. */
static enum ask_result find_wrong(const struct model *m, struct quiz *out, char why[LESSON_WHY_MAX])
{
	const struct tables *t = &m->tables;
	struct el_slice slice;
	if (!t->ask.known)
		return ASK_WAITS;
	if (out->game->slice_of(&out->position, &slice, NULL))
		slice = (struct el_slice){.game = NULL};
	for (size_t i = 0; i < t->count; i++) {
		const struct el_summary *s = &t->entries[i].summary;
		if (!el_slice_equal(&t->entries[i].slice, &slice) || s->change != EL_UNCHANGED ||
		    s->verified == EL_NOT_VERIFIED)
			continue;
		out->number = s->wrong;
		return ASK_FOUND;
	}
	return fails(why, "ask: no table of this position has been verified");
}

static enum ask_result find_number(const struct model *m, const struct lesson_ask *ask,
                                   struct quiz *out, char why[LESSON_WHY_MAX])
{
	const enum ask_source source = ask->source;
	if (source == ASK_GIVEN) {
		out->number = strtoull(ask->given, NULL, 10);
		return ASK_FOUND;
	}
	if (source == ASK_WRONG)
		return find_wrong(m, out, why);
	if (source <= ASK_NEXT || (source >= ASK_AT_LEAST_DRAW && source <= ASK_UNKNOWN)) {
		const enum ask_result found = find_squares(m, ask, out, why);
		out->number = (unsigned)__builtin_popcountll(out->right);
		return found;
	}
	const enum ask_result known = find_study(m, why);
	if (known != ASK_FOUND)
		return known;
	const struct el_answer *a = &m->play.study->answer;
	if (source == ASK_PLIES || source == ASK_MOVES || source == ASK_STONES) {
		const struct el_value value = a->value[el_metric_rank(a->metric)];
		const bool stones = source == ASK_STONES;
		if (a->metric->kind->adds_up != stones ||
		    !(stones || value_is_deep(a->metric, value)))
			return fails(why, "ask: this position has no %s",
			             stones ? "stones" : "depth");
		out->number = depth_shown(a->metric, value.plies, source == ASK_MOVES);
		return ASK_FOUND;
	}
	if (moves_are_open(ask, a))
		return fail_open(why);
	for (size_t i = 0; i < a->count; i++)
		out->number += is_right_move(ask, a, &a->moves[i]);
	return ASK_FOUND;
}

static enum el_outcome outcome_of(const struct el_answer *a)
{
	return a->value[el_metric_rank(&el_wdl)].outcome;
}

/* What the view on screen shows. */
static enum ask_result find_figure(const struct model *m, const struct lesson_ask *ask,
                                   struct quiz *out, char why[LESSON_WHY_MAX])
{
	const struct figure *f =
		ask_figure(shell_view(m), (int)ask->figure->kind, ask->figure->name);
	uint64_t found = 0;
	if (!f) {
		const struct view *const *v = shell_views(m);
		while (!ask_figure(*v, (int)ask->figure->kind, ask->figure->name))
			v++;
		return fails(why, "ask: '%s' is asked about in %s, not in %s", ask->figure->name,
		             (*v)->name, shell_view(m)->name);
	}
	if (!f->find(m, &found))
		return ASK_WAITS;
	*(f->kind == FIGURE_SQUARES ? &out->right : &out->number) = found;
	return ASK_FOUND;
}

enum ask_result ask_answer(const struct model *m, const struct lesson_ask *ask, struct quiz *out,
                           char why[LESSON_WHY_MAX])
{
	*out = (struct quiz){.state = QUIZ_NONE};
	out->game = shell_position(m, &out->position);
	if (ask->source == ASK_FIGURE)
		return find_figure(m, ask, out, why);
	switch (ask->kind) {
	case ASK_SQUARE:
	case ASK_SQUARES:
		return find_squares(m, ask, out, why);
	case ASK_MOVE:
		return find_moves(m, ask, out, why);
	case ASK_NUMBER:
		return find_number(m, ask, out, why);
	case ASK_VALUE: {
		const char *words = ask->given;
		char word[ASK_WORD_MAX];
		struct bounds_value value = {EL_DRAW, false}, other;
		ask_next_word(&words, word);
		lattice_read(word, &value);
		if (ask->source == ASK_NEGATE)
			value = lattice_negate(value);
		if (ask->source == ASK_MAX && ask_next_word(&words, word) &&
		    lattice_read(word, &other))
			value = lattice_max(value, other);
		out->number = lattice_code(value);
		return ASK_FOUND;
	}
	case ASK_WHETHER: {
		out->number = ask->source == ASK_YES;
		if (ask->source == ASK_YES || ask->source == ASK_NO)
			return ASK_FOUND;
		const enum ask_result known = find_study(m, why);
		if (known != ASK_FOUND)
			return known;
		const struct el_answer *now = &m->play.study->answer,
				       *other = &m->play.study->other;
		const enum el_outcome wanted = outcome_named(ask), to_move = outcome_of(now),
				      otherwise = outcome_of(other);
		const bool is_zugzwang = ask->source == ASK_ZUGZWANG;
		if (is_zugzwang ? !el_outcome_exact(to_move) ||
		                          (other->metric && !el_outcome_exact(otherwise))
		                : may_be(now->outcome, wanted))
			return fail_open(why);
		out->number = is_zugzwang ? other->metric && to_move < el_outcome_negate(otherwise)
		                          : now->outcome == wanted;
		return ASK_FOUND;
	}
	case ASK_NOTHING:
		break;
	}
	return ASK_FAILS;
}

/* ---- the answer in words ---- */

enum { NAMED_SQUARES = 14, NAMED_MOVES = 5 };

static void square_words(const struct quiz *q, char *out, size_t size)
{
	const int count = __builtin_popcountll(q->right);
	*out = '\0';
	if (!count)
		snprintf(out, size, "no %s", square_word(q->game));
	if (count > NAMED_SQUARES)
		snprintf(out, size, "the %d %ss marked", count, square_word(q->game));
	for (uint64_t left = count > NAMED_SQUARES ? 0 : q->right; left; left &= left - 1) {
		char name[4];
		q->game->square_name((uint8_t)__builtin_ctzll(left), name);
		el_words_add(out, size, " ", name);
	}
}

/* If several squares are right, the one that the user found. */
static void found_words(const struct quiz *q, char *out, size_t size)
{
	const int count = __builtin_popcountll(q->right);
	char name[4];
	q->game->square_name((uint8_t)__builtin_ctzll(q->marks.marked), name);
	snprintf(out, size, count > 1 ? "%s, one of %d" : "%s", name, count);
}

void ask_words(const struct lesson_ask *ask, const struct quiz *q, char *out, size_t size)
{
	char number[GROUPED_MAX];
	const char *unit = ask->source == ASK_PLIES    ? q->number == 1 ? " ply" : " plies"
	                   : ask->source == ASK_MOVES  ? q->number == 1 ? " move" : " moves"
	                   : ask->source == ASK_STONES ? q->number == 1 ? " stone" : " stones"
	                                               : "";
	*out = '\0';
	switch (ask->kind) {
	case ASK_SQUARE:
	case ASK_SQUARES:
		(ask->kind == ASK_SQUARE && q->state == QUIZ_RIGHT ? found_words
		                                                   : square_words)(q, out, size);
		break;
	case ASK_MOVE:
		for (size_t i = 0; i < q->right_moves && i < NAMED_MOVES; i++) {
			char name[EL_MOVE_MAX];
			q->game->write_move(&q->position, &q->moves[i], EL_SAN, name);
			el_words_add(out, size, ", ", name);
		}
		if (q->right_moves > NAMED_MOVES)
			el_text_add(out, size, " and %zu more", q->right_moves - NAMED_MOVES);
		break;
	case ASK_NUMBER:
		snprintf(out, size, "%s%s", grouped(q->number, number), unit);
		break;
	case ASK_VALUE:
		snprintf(out, size, "%s", bounds_letters(lattice_decode(q->number), number));
		break;
	case ASK_WHETHER:
		snprintf(out, size, "%s", q->number ? "yes" : "no");
		break;
	case ASK_NOTHING:
		break;
	}
}

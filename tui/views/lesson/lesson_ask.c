/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson's questions: the words of a file, and the right answers, from tables if they have
   them. */
#include "lesson.h"

#include "core/probe/probe.h"
#include "tui/model/window.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

#define BIT(kind) (1u << (kind))
#define BOARD     (BIT(ASK_SQUARE) | BIT(ASK_SQUARES))

static const struct {
	const char *name;
	enum ask_kind kind;
	const char *given; /* what may follow instead of the words below; null: nothing */
	int figure;        /* enum figure_kind; -1: none can follow */
} kinds[] = {
	{"square", ASK_SQUARE, "squares", FIGURE_SQUARES},
	{"squares", ASK_SQUARES, "squares", FIGURE_SQUARES},
	{"move", ASK_MOVE, "moves", -1},
	{"number", ASK_NUMBER, "a number", FIGURE_NUMBER},
	{"value", ASK_VALUE, "a value such as TW or uLT", FIGURE_VALUE},
	{"whether", ASK_WHETHER, NULL, FIGURE_WHETHER},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct {
	const char *name;
	enum ask_source source;
	unsigned kinds;
	enum { NOTHING, VALUE, VALUES, PLIES } follows; /* plies may, values must; two VALUES */
} sources[] = {
	{"yes", ASK_YES, BIT(ASK_WHETHER), NOTHING},
	{"no", ASK_NO, BIT(ASK_WHETHER), NOTHING},
	{"win", ASK_WIN, BOARD | BIT(ASK_NUMBER) | BIT(ASK_WHETHER), PLIES},
	{"draw", ASK_DRAW, BOARD | BIT(ASK_NUMBER) | BIT(ASK_WHETHER), NOTHING},
	{"loss", ASK_LOSS, BOARD | BIT(ASK_NUMBER) | BIT(ASK_WHETHER), PLIES},
	{"zugzwang", ASK_ZUGZWANG, BIT(ASK_WHETHER), NOTHING},
	{"broken", ASK_BROKEN, BOARD | BIT(ASK_NUMBER), NOTHING},
	{"longest", ASK_LONGEST, BOARD, NOTHING},
	{"shortest", ASK_SHORTEST, BOARD, NOTHING},
	{"TW", ASK_AT_LEAST_DRAW, BOARD | BIT(ASK_NUMBER), NOTHING},
	{"LT", ASK_AT_MOST_DRAW, BOARD | BIT(ASK_NUMBER), NOTHING},
	{"LW", ASK_UNKNOWN, BOARD | BIT(ASK_NUMBER), NOTHING},
	{"next", ASK_NEXT, BOARD | BIT(ASK_NUMBER), NOTHING},
	{"best", ASK_BEST, BIT(ASK_MOVE), NOTHING},
	{"winning", ASK_WINNING, BIT(ASK_MOVE) | BIT(ASK_NUMBER), NOTHING},
	{"drawing", ASK_DRAWING, BIT(ASK_MOVE) | BIT(ASK_NUMBER), NOTHING},
	{"losing", ASK_LOSING, BIT(ASK_MOVE) | BIT(ASK_NUMBER), NOTHING},
	{"plies", ASK_PLIES, BIT(ASK_NUMBER), NOTHING},
	{"moves", ASK_MOVES, BIT(ASK_NUMBER), NOTHING},
	{"stones", ASK_STONES, BIT(ASK_NUMBER), NOTHING},
	{"wrong", ASK_WRONG, BIT(ASK_NUMBER), NOTHING},
	{"max", ASK_MAX, BIT(ASK_VALUE), VALUES},
	{"negate", ASK_NEGATE, BIT(ASK_VALUE), VALUE},
};
enum { SOURCES = sizeof sources / sizeof *sources, WORD_MAX = 32 };

/* Takes the next word of a text; false at the end. */
static bool next_word(const char **text, char word[WORD_MAX])
{
	const char *start = *text + strspn(*text, " ");
	const size_t length = strcspn(start, " ");
	snprintf(word, WORD_MAX, "%.*s", (int)length, start);
	*text = start + length;
	return length > 0;
}

static bool is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789")] && strlen(word) < 10;
}

/* "e4" and "18" look like squares; before there is a board, no more can be told. Other names must be
   those of a square of some game. */
static bool is_like_square(const char *word)
{
	size_t g = 0;
	if (strlen(word) < 3 && strpbrk(word, "0123456789"))
		return true;
	while (el_games[g] && window_square(el_games[g], word) == EL_NO_SQUARE)
		g++;
	return el_games[g];
}

static bool is_like_given(enum ask_kind kind, const char *words)
{
	char word[WORD_MAX];
	struct bounds_value value;
	bool good = true;
	size_t count = 0;
	while (good && next_word(&words, word)) {
		good = kind == ASK_NUMBER  ? is_number(word) && !count
		       : kind == ASK_VALUE ? lattice_read(word, &value) && !count
		       : kind == ASK_MOVE  ? is_like_square(word) || strpbrk(word, "0123456789-")
		                           : is_like_square(word);
		count++;
	}
	return good && count && kind != ASK_WHETHER;
}

/* The figure of that name among a view's; null if it has none. */
static const struct figure *figure_of(const struct view *view, int kind, const char *name)
{
	for (const struct figure *f = view->figures; f && f->name; f++)
		if ((int)f->kind == kind && !strcmp(f->name, name))
			return f;
	return NULL;
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Adds what may follow to a message: "squares, win, draw or group". */
static void add_expected(const struct model *m, size_t kind, char why[LESSON_WHY_MAX])
{
	const char *all[SOURCES + 32];
	size_t count = 0, used = strlen(why);
	if (kinds[kind].given)
		all[count++] = kinds[kind].given;
	for (size_t i = 0; i < SOURCES; i++)
		if (sources[i].kinds & BIT(kinds[kind].kind))
			all[count++] = sources[i].name;
	for (const struct view *const *v = shell_views(m); *v; v++)
		for (const struct figure *f = (*v)->figures; f && f->name; f++)
			if ((int)f->kind == kinds[kind].figure &&
			    count < sizeof all / sizeof *all && !is_among(all, count, f->name))
				all[count++] = f->name;
	for (size_t i = 0; i < count && used < LESSON_WHY_MAX; i++)
		used += (size_t)snprintf(why + used, LESSON_WHY_MAX - used, "%s%s",
		                         !i              ? ""
		                         : i + 1 < count ? ", "
		                                         : " or ",
		                         all[i]);
}

bool ask_read(const struct model *m, const char *text, struct lesson_ask *out,
              char why[LESSON_WHY_MAX])
{
	char word[WORD_MAX], more[WORD_MAX];
	size_t kind = 0, source = 0;
	next_word(&text, word);
	while (kind < KINDS && strcmp(word, kinds[kind].name))
		kind++;
	if (kind == KINDS) {
		snprintf(why, LESSON_WHY_MAX,
		         "ask: found %s%s%s, expected square, squares, move, number, value or "
		         "whether",
		         *word ? "'" : "", *word ? word : "nothing", *word ? "'" : "");
		return false;
	}
	text += strspn(text, " ");
	*out = (struct lesson_ask){.kind = kinds[kind].kind, .plies = -1, .given = text};
	next_word(&text, word);
	while (source < SOURCES &&
	       (strcmp(word, sources[source].name) || !(sources[source].kinds & BIT(out->kind))))
		source++;
	for (const struct view *const *v = shell_views(m); source == SOURCES && *v && !out->figure;
	     v++)
		out->figure = figure_of(*v, kinds[kind].figure, word);
	if (source == SOURCES && !out->figure && is_like_given(out->kind, out->given))
		return true;
	if (source == SOURCES && !out->figure) {
		/* "found 'los', expected squares, win, draw or loss". */
		snprintf(why, LESSON_WHY_MAX, "ask %s: found %s%s%s, expected ", kinds[kind].name,
		         *word ? "'" : "", *word ? word : "nothing", *word ? "'" : "");
		add_expected(m, kind, why);
		return false;
	}
	out->source = out->figure ? ASK_FIGURE : sources[source].source;
	const unsigned follows = out->figure ? NOTHING : sources[source].follows;
	if (follows == VALUE || follows == VALUES) {
		unsigned count = 0;
		struct bounds_value value;
		out->given = text;
		while (next_word(&text, more) && lattice_read(more, &value))
			count++;
		if (!*more && count == follows)
			return true;
		snprintf(why, LESSON_WHY_MAX, "ask value %s: found '%s', expected %s", word,
		         out->given + strspn(out->given, " "),
		         follows == VALUES ? "two values such as TT uTW" : "a value such as uTW");
		return false;
	}
	if (!next_word(&text, more))
		return true;
	const bool plies = follows == PLIES && out->kind != ASK_WHETHER;
	if (plies && is_number(more) && !*text)
		out->plies = atol(more);
	else
		snprintf(why, LESSON_WHY_MAX, "ask %s %s: found '%s', expected %s",
		         kinds[kind].name, word, more,
		         plies ? "a number of plies" : "nothing more");
	return out->plies >= 0;
}

/* ---- squares ---- */

/* The facts from the view on screen about its board, or else from the model's map. */
static bool find_facts(const struct model *m, struct board_facts *out)
{
	if (shell_view(m)->facts)
		return shell_view(m)->facts(m, out);
	*out = (struct board_facts){.metric = m->map.values.metric};
	memcpy(out->value, m->map.values.value, sizeof out->value);
	return m->map.ask.known;
}

static bool is_asked(const struct lesson_ask *ask, const struct el_metric *metric,
                     struct el_value value)
{
	const enum el_outcome wanted = ask->source == ASK_WIN             ? EL_WIN
	                               : ask->source == ASK_DRAW          ? EL_DRAW
	                               : ask->source == ASK_LOSS          ? EL_LOSS
	                               : ask->source == ASK_AT_LEAST_DRAW ? EL_AT_LEAST_DRAW
	                               : ask->source == ASK_AT_MOST_DRAW  ? EL_AT_MOST_DRAW
	                               : ask->source == ASK_UNKNOWN       ? EL_UNKNOWN
	                                                                  : EL_BROKEN;
	return value.outcome == wanted && (ask->plies < 0 || (value_is_deep(metric, value) &&
	                                                      (long)value.plies == ask->plies));
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
		char word[WORD_MAX];
		while (next_word(&words, word)) {
			const uint8_t square = window_square(out->game, word);
			if (square == EL_NO_SQUARE) {
				snprintf(why, LESSON_WHY_MAX,
				         "ask: '%s' is not a square of the board on screen", word);
				return ASK_FAILS;
			}
			out->right |= (uint64_t)1 << square;
		}
		return ASK_FOUND;
	}
	if (!find_facts(m, &facts))
		return ASK_WAITS;
	bool known = facts.metric;
	/* A view with facts (Teach) knows every value, some only within bounds. */
	for (uint8_t square = 0; square < 64 && !shell_view(m)->facts; square++)
		known = known && facts.value[square].outcome != EL_UNKNOWN;
	if (!known) {
		snprintf(why, LESSON_WHY_MAX, "ask: no table knows this board");
		return ASK_FAILS;
	}
	if (ask->source == ASK_NEXT)
		out->right = facts.next;
	else if (ask->source == ASK_LONGEST || ask->source == ASK_SHORTEST)
		out->right = deepest(&facts, board, ask->source == ASK_SHORTEST);
	else
		for (uint8_t square = 0; square < 64; square++)
			if (board >> square & 1 && is_asked(ask, facts.metric, facts.value[square]))
				out->right |= (uint64_t)1 << square;
	if (out->right || ask->kind != ASK_SQUARE)
		return ASK_FOUND;
	snprintf(why, LESSON_WHY_MAX, "ask: no square of this board is right");
	return ASK_FAILS;
}

/* ---- the position: its moves, its depth, its outcome ---- */

/* Finds the study of the position on screen. */
static enum ask_result find_study(const struct model *m, char why[LESSON_WHY_MAX])
{
	if (shell_view(m)->facts) {
		snprintf(why, LESSON_WHY_MAX, "ask: a position is asked about in Explore");
		return ASK_FAILS;
	}
	if (!m->play.study)
		return ASK_WAITS;
	if (study_is_exact(m->play.study))
		return ASK_FOUND;
	snprintf(why, LESSON_WHY_MAX, "ask: no table knows this position");
	return ASK_FAILS;
}

static bool is_right_move(const struct lesson_ask *ask, const struct el_answer *a,
                          const struct el_ranked *move)
{
	const size_t rank = el_metric_rank(a->metric);
	switch (ask->source) {
	case ASK_WINNING:
		return move->outcome == EL_WIN;
	case ASK_DRAWING:
		return move->outcome == EL_DRAW;
	case ASK_LOSING:
		return move->outcome == EL_LOSS;
	default:
		break;
	}
	return move->outcome == a->moves[0].outcome &&
	       el_value_equal(move->value[rank], a->moves[0].value[rank]);
}

static bool is_given_move(const struct el_answer *a, const char *words,
                          const struct el_ranked *move)
{
	char word[WORD_MAX];
	struct el_move read;
	bool found = false;
	while (next_word(&words, word))
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
	snprintf(why, LESSON_WHY_MAX, "ask: no legal move of this position is right");
	return ASK_FAILS;
}

static bool counts_squares(enum ask_source source)
{
	return source == ASK_WIN || source == ASK_DRAW || source == ASK_LOSS ||
	       source == ASK_BROKEN || source == ASK_NEXT || source == ASK_AT_LEAST_DRAW ||
	       source == ASK_AT_MOST_DRAW || source == ASK_UNKNOWN;
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
	snprintf(why, LESSON_WHY_MAX, "ask: no table of this position has been verified");
	return ASK_FAILS;
}

/* ---- values with bounds ---- */

char ask_letter(enum ask_kind kind, int key)
{
	static const char letters[] = "uWTL", others[] = "wtl";
	if (kind == ASK_NUMBER)
		return (char)(key >= '0' && key <= '9' ? key : 0);
	if (kind != ASK_VALUE || key <= 0 || key > 'z')
		return 0;
	return (char)(strchr(letters, key) ? key : strchr(others, key) ? key - 'a' + 'A' : 0);
}

uint64_t ask_typed(enum ask_kind kind, const char *text)
{
	struct bounds_value value;
	if (kind == ASK_NUMBER)
		return strtoull(text, NULL, 10);
	return lattice_read(text, &value) ? lattice_code(value) : UINT64_MAX;
}

static uint64_t value_of(const struct lesson_ask *ask)
{
	const char *words = ask->given;
	char word[WORD_MAX];
	struct bounds_value value = {EL_DRAW, false}, other;
	next_word(&words, word);
	lattice_read(word, &value);
	if (ask->source == ASK_NEGATE)
		value = lattice_negate(value);
	if (ask->source == ASK_MAX && next_word(&words, word) && lattice_read(word, &other))
		value = lattice_max(value, other);
	return lattice_code(value);
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
	if (source == ASK_PLIES || source == ASK_MOVES || source == ASK_STONES) {
		const enum ask_result known = find_study(m, why);
		if (known != ASK_FOUND)
			return known;
		const struct el_answer *a = &m->play.study->answer;
		const struct el_value value = a->value[el_metric_rank(a->metric)];
		const bool stones = ask->source == ASK_STONES;
		if (a->metric->kind->adds_up != stones ||
		    !(stones || value_is_deep(a->metric, value))) {
			snprintf(why, LESSON_WHY_MAX, "ask: this position has no %s",
			         stones ? "stones" : "depth");
			return ASK_FAILS;
		}
		out->number = depth_shown(a->metric, value.plies, ask->source == ASK_MOVES);
		return ASK_FOUND;
	}
	const enum ask_result found =
		counts_squares(source) ? find_squares(m, ask, out, why) : find_study(m, why);
	if (found != ASK_FOUND)
		return found;
	if (counts_squares(source)) {
		out->number = (unsigned)__builtin_popcountll(out->right);
		return ASK_FOUND;
	}
	const struct el_answer *a = &m->play.study->answer;
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
		figure_of(shell_view(m), (int)ask->figure->kind, ask->figure->name);
	uint64_t found = 0;
	if (!f) {
		const struct view *const *v = shell_views(m);
		while (!figure_of(*v, (int)ask->figure->kind, ask->figure->name))
			v++;
		snprintf(why, LESSON_WHY_MAX, "ask: '%s' is asked about in %s, not in %s",
		         ask->figure->name, (*v)->name, shell_view(m)->name);
		return ASK_FAILS;
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
	case ASK_VALUE:
		out->number = value_of(ask);
		return ASK_FOUND;
	case ASK_WHETHER: {
		out->number = ask->source == ASK_YES;
		if (ask->source == ASK_YES || ask->source == ASK_NO)
			return ASK_FOUND;
		const enum ask_result known = find_study(m, why);
		if (known != ASK_FOUND)
			return known;
		const struct el_answer *now = &m->play.study->answer,
				       *other = &m->play.study->other;
		out->number =
			ask->source == ASK_WIN    ? now->outcome == EL_WIN
			: ask->source == ASK_DRAW ? now->outcome == EL_DRAW
			: ask->source == ASK_LOSS
				? now->outcome == EL_LOSS
				: other->metric &&
					  outcome_of(now) < el_outcome_negate(outcome_of(other));
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
	size_t used = 0;
	if (!count || count > NAMED_SQUARES) {
		if (count)
			snprintf(out, size, "the %d %ss marked", count, square_word(q->game));
		else
			snprintf(out, size, "no %s", square_word(q->game));
		return;
	}
	for (uint8_t square = 0; square < 64 && used < size; square++) {
		char name[4];
		if (!(q->right >> square & 1))
			continue;
		q->game->square_name(square, name);
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", name);
	}
}

/* If several squares are right, the one that the user found. */
static void found_words(const struct quiz *q, char *out, size_t size)
{
	const int count = __builtin_popcountll(q->right);
	char name[4];
	q->game->square_name((uint8_t)__builtin_ctzll(q->marks.marked), name);
	if (count > 1)
		snprintf(out, size, "%s, one of %d", name, count);
	else
		snprintf(out, size, "%s", name);
}

void ask_words(const struct lesson_ask *ask, const struct quiz *q, char *out, size_t size)
{
	char number[GROUPED_MAX];
	const char *unit = ask->source == ASK_PLIES    ? q->number == 1 ? " ply" : " plies"
	                   : ask->source == ASK_MOVES  ? q->number == 1 ? " move" : " moves"
	                   : ask->source == ASK_STONES ? q->number == 1 ? " stone" : " stones"
	                                               : "";
	switch (ask->kind) {
	case ASK_SQUARE:
	case ASK_SQUARES:
		(ask->kind == ASK_SQUARE && q->state == QUIZ_RIGHT ? found_words
		                                                   : square_words)(q, out, size);
		break;
	case ASK_MOVE: {
		size_t used = 0;
		for (size_t i = 0; i < q->right_moves && i < NAMED_MOVES && used < size; i++) {
			char name[EL_MOVE_MAX];
			q->game->write_move(&q->position, &q->moves[i], EL_SAN, name);
			used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "",
			                         name);
		}
		if (q->right_moves > NAMED_MOVES && used < size)
			snprintf(out + used, size - used, " and %zu more",
			         q->right_moves - NAMED_MOVES);
		break;
	}
	case ASK_NUMBER:
		snprintf(out, size, "%s%s", grouped(q->number, number), unit);
		break;
	case ASK_VALUE:
		bounds_letters(lattice_decode(q->number), number);
		snprintf(out, size, "%s", number);
		break;
	case ASK_WHETHER:
		snprintf(out, size, "%s", q->number ? "yes" : "no");
		break;
	case ASK_NOTHING:
		snprintf(out, size, "%s", "");
		break;
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson's questions: the words of a file, and answers as they are typed. */
#include "lesson.h"

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
enum { SOURCES = sizeof sources / sizeof *sources };

bool ask_next_word(const char **text, char word[ASK_WORD_MAX])
{
	const char *start = *text + strspn(*text, " ");
	const size_t length = strcspn(start, " ");
	snprintf(word, ASK_WORD_MAX, "%.*s", (int)length, start);
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
	char word[ASK_WORD_MAX];
	struct bounds_value value;
	bool good = true;
	size_t count = 0;
	while (good && ask_next_word(&words, word)) {
		good = kind == ASK_NUMBER  ? is_number(word) && !count
		       : kind == ASK_VALUE ? lattice_read(word, &value) && !count
		       : kind == ASK_MOVE  ? is_like_square(word) || strpbrk(word, "0123456789-")
		                           : is_like_square(word);
		count++;
	}
	return good && count && kind != ASK_WHETHER;
}

const struct figure *ask_figure(const struct view *view, int kind, const char *name)
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
	size_t count = 0;
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
	for (size_t i = 0; i < count; i++)
		el_text_add(why, LESSON_WHY_MAX, "%s%s",
		            !i              ? ""
		            : i + 1 < count ? ", "
		                            : " or ",
		            all[i]);
}

bool ask_read(const struct model *m, const char *text, struct lesson_ask *out,
              char why[LESSON_WHY_MAX])
{
	char word[ASK_WORD_MAX], more[ASK_WORD_MAX];
	size_t kind = 0, source = 0;
	ask_next_word(&text, word);
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
	ask_next_word(&text, word);
	while (source < SOURCES &&
	       (strcmp(word, sources[source].name) || !(sources[source].kinds & BIT(out->kind))))
		source++;
	for (const struct view *const *v = shell_views(m); source == SOURCES && *v && !out->figure;
	     v++)
		out->figure = ask_figure(*v, kinds[kind].figure, word);
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
		while (ask_next_word(&text, more) && lattice_read(more, &value))
			count++;
		if (!*more && count == follows)
			return true;
		snprintf(why, LESSON_WHY_MAX, "ask value %s: found '%s', expected %s", word,
		         out->given + strspn(out->given, " "),
		         follows == VALUES ? "two values such as TT uTW" : "a value such as uTW");
		return false;
	}
	if (!ask_next_word(&text, more))
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

/* ---- an answer that is typed ---- */

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

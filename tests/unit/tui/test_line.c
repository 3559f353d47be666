/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line typed at the `:` prompt: words, verbs, searches of Help, completion. */
#include "tests/fixtures/shell_fixture.h"

#include "tui/cli/command.h"
#include "tui/shell/line.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void no_word_suggests_itself(void **state)
{
	struct screens s;
	struct bindings_walk walk = {.model = &s.model, .all = true};
	const struct binding *b;
	char why[LINE_WHY_MAX], word[64], itself[80];
	(void)state;
	screens_open(&s, library, QUEEN, false);
	while ((b = bindings_next(&walk))) {
		snprintf(word, sizeof word, "%s x", b->name);
		snprintf(itself, sizeof itself, "'%s'?", b->name);
		if (!line_is_for_files(&s.model, word, why))
			assert_null(strstr(why, itself));
	}
	for (int view = 0; views[view]; view++)
		for (const struct verb *v = views[view]->verbs; v && v->word; v++)
			assert_true(line_is_for_files(&s.model, v->word, why) || v->touches);
	screens_close(&s);
}

/* Does another row rightly take the line? The view on screen comes first, with its verbs and its
   actions; and a verb or an action may have the name of the view that it shows. */
static bool may_precede(const struct typed *other, const struct typed *t, const struct view *here)
{
	if (other->kind == TYPED_VERB)
		return other->view == here || other->view == t->view;
	return other->kind == TYPED_ACTION &&
	       (t->kind == TYPED_VIEW || (t->kind == TYPED_ACTION && other->view == here));
}

/* On every screen, each word of all views, and of the one on screen, means what its row says. */
static void no_word_shadows_another(void **state)
{
	struct screens s;
	struct typed_words all;
	const char *rest;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int view = 0; views[view]; view++) {
		shell_show(&s.model, view);
		typed_words(&s.model, &all);
		assert_in_range(all.count, 1, TYPED_MAX - 1);
		for (const struct typed *t = all.list; t < all.list + all.count; t++) {
			char line[64];
			const bool is_of_view = t->kind == TYPED_VERB || t->kind == TYPED_ACTION;
			if (is_of_view && t->view && t->view != views[view])
				continue;
			/* Build and Lab have commands that do the same work */
			if (t->kind == TYPED_VIEW && command_find(t->word))
				continue;
			const bool takes_more = t->kind == TYPED_VERB && t->arguments;
			snprintf(line, sizeof line, "%s%s", t->word,
			         t->kind == TYPED_COMMAND ? " -x"
			         : takes_more             ? " x"
			                                  : "");
			const struct typed *found = typed_find(&s.model, &all, line, &rest);
			if (found == t || may_precede(found, t, views[view]))
				continue;
			fail_msg("'%s' in %s is a word of %s", line, views[view]->name,
			         found->view ? found->view->name : "all views");
		}
	}
	screens_close(&s);
}

/* A verb of another view runs there. */
static void verbs_find_their_view(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "pass 3");
	assert_true(shell_is_shown(&s.model, VIEW_TEACH));
	type(&s, "level 2");
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE));
	type(&s, "exit LW");
	assert_true(shell_is_shown(&s.model, VIEW_BOUNDS));
	screens_close(&s);
}

static int place_of(char **words, const char *word)
{
	for (int i = 0; words && words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	return -1;
}

static void free_words(char **words)
{
	for (int i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

static void completion_offers_verbs_first(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	char **words = typed_complete(&s.model, "", 0);
	assert_int_equal(place_of(words, "rule"), 0); /* the view's own, then those of all views */
	int own = 0;
	while (views[VIEW_EXPLORE]->verbs[own].word)
		own++;
	assert_int_equal(place_of(words, "fen"), own);
	assert_true(place_of(words, "teach") > 0);
	assert_true(place_of(words, "build") > 0);
	assert_int_equal(place_of(words, "KQvKR"), -1);
	free_words(words);
	shell_show(&s.model, VIEW_LAB);
	words = typed_complete(&s.model, "", 0);
	assert_int_equal(place_of(words, "candidate"), 0);
	assert_true(place_of(words, "fen") > place_of(words, "save"));
	free_words(words);
	words = typed_complete(&s.model, "K", 0);
	assert_true(place_of(words, "KQvKR") >= 0);
	free_words(words);
	words = typed_complete(&s.model, "metric ", 7);
	assert_true(place_of(words, "wdl") >= 0);
	free_words(words);
	words = typed_complete(&s.model, "build KQvK --codec ", 19);
	assert_true(place_of(words, "zstd") >= 0);
	free_words(words);
	screens_close(&s);
}

/* Help as text; free it. */
static char *help_screen(struct screens *s)
{
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);
	assert_true(shell_is_shown(&s->model, VIEW_HELP));
	screens_draw(s);
	screens_print(s, out);
	fclose(out);
	return shown;
}

static void assert_help_shows(struct screens *s, const char *there, const char *not_there)
{
	char *shown = help_screen(s);
	assert_non_null(strstr(shown, there));
	assert_null(strstr(shown, not_there));
	free(shown);
}

static void help_searches_what_is_typed_after_it(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "help turn the board");
	assert_help_shows(&s, "search: turn the board_", "redo");
	assert_help_shows(&s, "flip", "redo");
	type(&s, "help redo"); /* in Help itself */
	assert_help_shows(&s, "search: redo_", "flip");
	type(&s, "help");
	assert_help_shows(&s, "Every key", "search:");
	type(&s, "Help redo"); /* the name of a view is valid in either case */
	press(&s, K_ESCAPE);
	assert_help_shows(&s, "Every key", "search:");
	type(&s, "help flip");
	press(&s, K_ENTER);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	assert_true(s.model.flipped);
	press(&s, '?');
	press(&s, '?');
	assert_help_shows(&s, "Every key", "search:");
	press(&s, 'q');
	screens_close(&s);
}

static void completion_offers_what_help_knows(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int i = 0; i < 2; i++) {
		char **words = typed_complete(&s.model, "help ", 5);
		assert_true(place_of(words, "flip") >= 0);
		assert_true(place_of(words, "candidate") >= 0);
		assert_true(place_of(words, "recode") >= 0);
		free_words(words);
		type(&s, "help flip"); /* whatever is on screen */
	}
	char **words = typed_complete(&s.model, "help fli", 5);
	assert_string_equal(words[0], "flip");
	assert_null(words[1]);
	free_words(words);
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_word_suggests_itself),
		cmocka_unit_test(no_word_shadows_another),
		cmocka_unit_test(verbs_find_their_view),
		cmocka_unit_test(completion_offers_verbs_first),
		cmocka_unit_test(help_searches_what_is_typed_after_it),
		cmocka_unit_test(completion_offers_what_help_knows),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct el_library *library;

int shell_set_up(void **state)
{
	static const char *const slices[] = {"KQvK", "KRvK", NULL};
	(void)state;
	if (!screens_enter())
		return -1;
	screens_library("tables", slices, NULL, &library);
	return 0;
}

int shell_clean_up(void **state)
{
	(void)state;
	el_library_close(library);
	return screens_leave();
}

void press(struct screens *s, int key)
{
	screens_event(s, (struct event){.kind = EVENT_KEY, .key = key});
}

void type(struct screens *s, const char *line)
{
	shell_prompt_line(&s->model)->open = false;
	shell_typed(&s->model, line);
	screens_settle(s);
}

void assert_fen(const struct screens *s, const char *expected)
{
	char fen[EL_FEN_MAX];
	play_game(&s->model)->format(play_position(&s->model), fen);
	assert_string_equal(fen, expected);
}

void assert_move(const struct screens *s, size_t place, const char *san)
{
	const struct walk *w = &s->model.play.walk;
	char found[EL_MOVE_MAX];
	assert_true(place > 0 && place < w->length);
	w->tree->game->write_move(&el_tree_node(w->tree, w->line[place - 1])->position,
	                          &el_tree_node(w->tree, w->line[place])->move, EL_SAN, found);
	assert_string_equal(found, san);
}

void assert_said(const struct screens *s, const char *words)
{
	if (!strstr(s->model.message.text, words))
		printf("expected '%s', found '%s'\n", words, s->model.message.text);
	assert_non_null(strstr(s->model.message.text, words));
}

void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

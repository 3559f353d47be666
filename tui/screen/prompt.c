/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "prompt.h"
#include "../shell/line.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { HISTORY_LINES = 1000, MATCH_COLUMNS = 200 };

/* Readline's callbacks carry no context. */
static struct {
	const struct model *model;
	char **(*complete)(const char *line, size_t start); /* the shell's; null for `:` */
	FILE *nowhere;
	char bytes[16]; /* of the key being fed */
	int next, count;
	char *line;     /* finished */
	bool finished;
	char matches[256];
	char history[512]; /* file name; empty: none */
} prompt;

/* ---- keys as the bytes a terminal would send ---- */

static const struct {
	int key;
	const char *bytes;
} sequences[] = {
	{K_UP, "\033[A"},     {K_DOWN, "\033[B"},    {K_RIGHT, "\033[C"},    {K_LEFT, "\033[D"},
	{K_HOME, "\033[H"},   {K_END, "\033[F"},     {K_DELETE, "\033[3~"},  {K_BACKSPACE, "\177"},
	{K_ENTER, "\r"},      {K_PAGE_UP, "\033[A"}, {K_PAGE_DOWN, "\033[B"},
};

static void set_bytes(int key)
{
	prompt.next = prompt.count = 0;
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
		if (sequences[i].key == key) {
			prompt.count = (int)strlen(sequences[i].bytes);
			memcpy(prompt.bytes, sequences[i].bytes, (size_t)prompt.count);
			return;
		}
	}
	if (key < K_UP)
		prompt.count = (int)utf8_encode((uint32_t)key, prompt.bytes);
}

static int next_byte(FILE *unused)
{
	(void)unused;
	return prompt.next < prompt.count ? (unsigned char)prompt.bytes[prompt.next++] : EOF;
}

static int byte_waits(void)
{
	return prompt.next < prompt.count;
}

/* ---- completion ---- */

/* Readline asks for the matches one by one; they are all made at the first call. */
static char *next_match(const char *word, int state)
{
	static char **list;
	static size_t at;
	(void)word;
	if (state == 0) {
		at = 0;
		size_t start = (size_t)(rl_point - (int)strlen(word));
		list = prompt.complete ? prompt.complete(rl_line_buffer, start)
		                       : line_complete(prompt.model, rl_line_buffer, start);
	}
	char *match = list ? list[at++] : NULL;
	if (!match) {
		free(list);
		list = NULL;
	}
	return match;
}

/* Words after a command that are not ours to know are file names: readline's own completion. */
static char **complete(const char *word, int start, int end)
{
	(void)end;
	char **matches = rl_completion_matches(word, next_match);
	rl_attempted_completion_over = start == 0;
	return matches;
}

static void show_matches(char **matches, int count, int longest)
{
	size_t used = 0;
	(void)longest;
	for (int i = 1; i <= count && used < MATCH_COLUMNS; i++)
		used += (size_t)snprintf(prompt.matches + used, sizeof prompt.matches - used,
					 "%s  ", matches[i]);
	if (used >= sizeof prompt.matches)
		used = sizeof prompt.matches - 1;
	for (size_t i = used; i > used - 3 && used == sizeof prompt.matches - 1; i--)
		prompt.matches[i - 1] = '.';
}

/* ---- history ---- */

static void make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		/* What cannot be made shows when the file is written: then there is no history. */
		mkdir(path, 0700);
		*slash = '/';
	}
}

static void find_history(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int length = 0;
	if (state && *state == '/')
		length =
			snprintf(prompt.history, sizeof prompt.history, "%s/endlab/history", state);
	else if (home && *home)
		length = snprintf(prompt.history, sizeof prompt.history,
				  "%s/.local/state/endlab/history", home);
	if (length < 0 || (size_t)length >= sizeof prompt.history)
		prompt.history[0] = '\0';
}

static void open_history(void)
{
	find_history();
	using_history();
	stifle_history(HISTORY_LINES);
	if (prompt.history[0])
		read_history(prompt.history);
}

static void close_history(void)
{
	if (prompt.history[0] && history_length > 0) {
		make_directories(prompt.history);
		write_history(prompt.history);
	}
	clear_history();
}

static void remember(const char *line)
{
	if (line && *line && (!history_length ||
	    strcmp(history_get(history_base + history_length - 1)->line, line)))
		add_history(line);
}

/* ---- life ---- */

static void line_is_done(char *line)
{
	prompt.line = line;
	prompt.finished = true;
	rl_callback_handler_remove();
}

static void no_redisplay(void)
{
}

static void no_terminal(int unused)
{
	(void)unused;
}

static void no_terminal_either(void)
{
}

void prompt_open(const struct model *m)
{
	prompt.model = m;
	prompt.nowhere = fopen("/dev/null", "w");
	rl_readline_name = "endlab";
	rl_instream = stdin;
	rl_outstream = prompt.nowhere ? prompt.nowhere : stderr;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_getc_function = next_byte;
	rl_input_available_hook = byte_waits;
	rl_redisplay_function = no_redisplay;
	rl_prep_term_function = no_terminal;
	rl_deprep_term_function = no_terminal_either;
	rl_attempted_completion_function = complete;
	rl_completion_display_matches_hook = show_matches;
	rl_completion_query_items = -1;
	rl_completer_word_break_characters = " \t\n";
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_variable_bind("enable-bracketed-paste", "off");
	rl_variable_bind("keyseq-timeout", "0");
	open_history();
}

void prompt_close(void)
{
	close_history();
	if (prompt.nowhere)
		fclose(prompt.nowhere);
	prompt.nowhere = NULL;
}

static void look(struct model *m)
{
	char until_cursor[sizeof m->prompt.text];
	snprintf(m->prompt.text, sizeof m->prompt.text, "%s", rl_line_buffer);
	snprintf(until_cursor, sizeof until_cursor, "%.*s", rl_point, rl_line_buffer);
	m->prompt.cursor = utf8_length(until_cursor);
	snprintf(m->prompt.matches, sizeof m->prompt.matches, "%s", prompt.matches);
}

void prompt_begin(struct model *m)
{
	prompt.finished = false;
	prompt.line = NULL;
	prompt.matches[0] = '\0';
	rl_callback_handler_install("", line_is_done);
	rl_insert_text(m->prompt.text);
	look(m);
}

static void end(struct model *m)
{
	m->prompt = (struct prompt_line){.open = false};
}

static void abandon(struct model *m)
{
	rl_callback_handler_remove();
	end(m);
}

static bool is_abandoning(int key)
{
	return key == K_ESCAPE || key == 3 || key == 7 || (key == K_BACKSPACE && !rl_end);
}

char *prompt_key(struct model *m, int key)
{
	prompt.matches[0] = '\0';
	if (is_abandoning(key)) {
		abandon(m);
		return NULL;
	}
	set_bytes(key);
	while (!prompt.finished && byte_waits())
		rl_callback_read_char();
	if (!prompt.finished) {
		look(m);
		return NULL;
	}
	end(m);
	remember(prompt.line);
	return prompt.line;
}

/* ---- the shell ---- */

void prompt_shell_open(char **(*complete_line)(const char *line, size_t start))
{
	prompt.complete = complete_line;
	rl_readline_name = "endlab";
	rl_catch_signals = 0; /* they are the program's, and end the wait below */
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = " \t\n";
	open_history();
}

void prompt_shell_close(void)
{
	close_history();
	prompt.complete = NULL;
}

static char *give_up_line(void)
{
	rl_callback_sigcleanup();
	rl_callback_handler_remove();
	putchar('\n');
	return strdup("");
}

char *prompt_shell_line(const char *text)
{
	prompt.finished = false;
	prompt.line = NULL;
	rl_callback_handler_install(text, line_is_done);
	while (!prompt.finished) {
		struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
		if (poll(&input, 1, -1) < 0)
			return give_up_line();
		rl_callback_read_char();
	}
	remember(prompt.line);
	return prompt.line;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "prompt.h"
#include "event.h"

#include "tui/text/clean.h"
#include "tui/text/files.h"
#include "tui/text/numbers.h"

#include "core/base/text.h"

#include <poll.h>
#include <signal.h>
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
	char **(*complete)(void *context, const char *line, size_t start);
	void *context; /* of `complete` */
	FILE *nowhere;
	char bytes[16]; /* of the key being fed */
	int next, count;
	char *line; /* finished */
	bool finished;
	char matches[256];
	char history[PATH_MAX]; /* file name; empty: none */
} prompt;

/* ---- keys as the bytes a terminal would send ---- */

static const struct {
	int key;
	const char *bytes;
} sequences[] = {
	{K_UP, "\033[A"},   {K_DOWN, "\033[B"},    {K_RIGHT, "\033[C"},     {K_LEFT, "\033[D"},
	{K_HOME, "\033[H"}, {K_END, "\033[F"},     {K_DELETE, "\033[3~"},   {K_BACKSPACE, "\177"},
	{K_ENTER, "\r"},    {K_PAGE_UP, "\033[A"}, {K_PAGE_DOWN, "\033[B"},
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

/* Readline removes duplicates only if it sorts. */
static void drop_duplicates(char **list)
{
	size_t kept = 0;
	for (size_t i = 0; list[i]; i++) {
		size_t same = 0;
		while (same < kept && strcmp(list[same], list[i]))
			same++;
		if (same == kept)
			list[kept++] = list[i];
		else
			free(list[i]);
	}
	list[kept] = NULL;
}

/* Readline asks for matches one at a time; the first call makes them all. */
static char *next_match(const char *word, int state)
{
	static char **list;
	static size_t at;
	if (state == 0) {
		at = 0;
		list = prompt.complete(prompt.context, rl_line_buffer,
		                       (size_t)(rl_point - (int)strlen(word)));
		if (list)
			drop_duplicates(list);
	}
	char *match = list ? list[at++] : NULL;
	if (!match) {
		free(list);
		list = NULL;
	}
	return match;
}

/* Other words after a command are file names: readline's own completion lists these in directory
   order unless they are sorted. */
static char **complete(const char *word, int start, int end)
{
	(void)end;
	char **matches = rl_completion_matches(word, next_match);
	rl_attempted_completion_over = start == 0;
	rl_sort_completion_matches = !matches;
	return matches;
}

/* Readline would write some control characters unchanged: names containing them are not offered.
   The first entry is the common prefix of the others, or the only match. */
static int drop_controls(char **matches)
{
	const size_t first = matches[1] != NULL;
	size_t kept = first;
	for (size_t i = first; matches[i]; i++) {
		if (is_clean(matches[i]))
			matches[kept++] = matches[i];
		else
			free(matches[i]);
	}
	if (first && kept == first)
		free(matches[--kept]);
	matches[kept] = NULL;
	return 0;
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

static void close_history(void)
{
	if (prompt.history[0] && history_length > 0) {
		/* All or nothing: on a full disk readline would leave a new file cut off in
		   mid-line. */
		HIST_ENTRY *const *lines = history_list();
		struct whole_file file;
		place_make_folders(prompt.history);
		if (!whole_file_open(prompt.history, &file, NULL)) {
			fchmod(fileno(file.stream), S_IRUSR | S_IWUSR);
			for (; *lines; lines++)
				fprintf(file.stream, "%s\n", (*lines)->line);
			whole_file_close(&file, EL_OK, NULL);
		}
	}
	clear_history();
}

static void remember(const char *line)
{
	if (line && *line &&
	    (!history_length || strcmp(history_get(history_base + history_length - 1)->line, line)))
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

/* Settings of readline for both prompts. */
static void open_readline(char **(*complete_line)(void *context, const char *line, size_t start),
                          void *context)
{
	prompt.complete = complete_line;
	prompt.context = context;
	rl_readline_name = "endlab";
	rl_catch_signals = 0; /* the program handles them */
	rl_attempted_completion_function = complete;
	rl_ignore_some_completions_function = drop_controls;
	rl_completer_word_break_characters = " \t\n";
	if (!place_of_state("history", prompt.history))
		prompt.history[0] = '\0';
	using_history();
	stifle_history(HISTORY_LINES);
	if (prompt.history[0])
		read_history(prompt.history);
}

void prompt_open(char **(*complete_line)(void *context, const char *line, size_t start),
                 void *context)
{
	prompt.nowhere = fopen("/dev/null", "w");
	rl_instream = stdin;
	rl_outstream = prompt.nowhere ? prompt.nowhere : stderr;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_getc_function = next_byte;
	rl_input_available_hook = byte_waits;
	rl_redisplay_function = no_redisplay;
	rl_prep_term_function = no_terminal;
	rl_deprep_term_function = no_terminal_either;
	rl_completion_display_matches_hook = show_matches;
	rl_completion_query_items = -1;
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_variable_bind("enable-bracketed-paste", "off");
	rl_variable_bind("keyseq-timeout", "0");
	open_readline(complete_line, context);
}

void prompt_close(void)
{
	close_history();
	if (prompt.nowhere)
		fclose(prompt.nowhere);
	prompt.nowhere = NULL;
}

static void look(struct prompt_line *line)
{
	char until_cursor[sizeof line->text];
	snprintf(line->text, sizeof line->text, "%s", rl_line_buffer);
	snprintf(until_cursor, sizeof until_cursor, "%.*s", rl_point, rl_line_buffer);
	line->cursor = utf8_length(until_cursor);
	snprintf(line->matches, sizeof line->matches, "%s", prompt.matches);
}

static void start(const char *text)
{
	prompt.finished = false;
	prompt.line = NULL;
	prompt.matches[0] = '\0';
	rl_callback_handler_install(text, line_is_done);
}

void prompt_begin(struct prompt_line *line)
{
	start("");
	rl_insert_text(line->text);
	look(line);
}

/* Clears all state before the next line: no running search that would take its keys, no undo list,
   no key waiting for a second one. */
static void give_up(void)
{
	rl_callback_sigcleanup();
	rl_free_line_state();
	rl_callback_handler_remove();
}

char *prompt_key(struct prompt_line *line, int key)
{
	prompt.matches[0] = '\0';
	if (key == K_ESCAPE || key == 3 || key == 7 || (key == K_BACKSPACE && !rl_end)) {
		give_up();
		*line = (struct prompt_line){.open = false};
		return NULL;
	}
	set_bytes(key);
	while (!prompt.finished && byte_waits())
		rl_callback_read_char();
	if (!prompt.finished) {
		look(line);
		return NULL;
	}
	char *finished = prompt.line;
	prompt.line = NULL;
	*line = (struct prompt_line){.open = false};
	remember(finished);
	return finished;
}

void prompt_insert(struct prompt_line *line, const char *text)
{
	size_t room = rl_end < PROMPT_LINE_MAX ? (size_t)(PROMPT_LINE_MAX - rl_end) : 0;
	size_t length = utf8_fitting(text, room);
	bool cut = text[length];
	char *one_line = strndup(text, length), here[GROUPED_MAX], all[GROUPED_MAX];
	prompt.matches[0] = '\0';
	rl_callback_sigcleanup(); /* a search ends at its match */
	if (one_line) {
		for (char *c = one_line; *c; c++)
			*c = strchr("\n\r\t", *c) ? ' ' : *c;
		while (length > 0 && text[length - 1] == '\n') /* from copying a whole line */
			one_line[--length] = '\0';
		rl_insert_text(one_line);
	}
	if (!one_line)
		snprintf(prompt.matches, sizeof prompt.matches, "out of memory");
	else if (cut)
		snprintf(prompt.matches, sizeof prompt.matches,
		         "The pasted text is too long: %s of %s bytes are here",
		         grouped(length, here), grouped(strlen(text), all));
	free(one_line);
	look(line);
}

/* ---- the shell ---- */

/* Readline shows the first 32 as ^X and writes all other control characters unchanged. Replace byte
   for byte, so that the cursor and the undo list stay valid. */
static void hide_controls(char *text)
{
	for (size_t left = strlen(text); left;) {
		uint32_t character;
		const int bytes = el_utf8(text, left, &character);
		const size_t step = bytes > 0 ? (size_t)bytes : 1;
		if (bytes > 1 && el_is_control(character))
			memset(text, '?', step);
		text += step;
		left -= step;
	}
}

static void show_line(void)
{
	hide_controls(rl_line_buffer);
	if (!is_clean(rl_display_prompt)) { /* a search puts its pattern there */
		hide_controls(rl_display_prompt);
		rl_expand_prompt(rl_display_prompt);
	}
	rl_redisplay();
}

void prompt_shell_open(char **(*complete_line)(void *context, const char *line, size_t start))
{
	rl_redisplay_function = show_line;
	open_readline(complete_line, NULL);
	rl_initialize();
}

void prompt_shell_close(void)
{
	close_history();
	prompt.complete = NULL;
}

/* Signals about the terminal while waiting for a line. A handler may run on any thread. */
static struct {
	_Atomic int resized, suspending, continued;
} heard;

static void hear(int number)
{
	*(number == SIGWINCH  ? &heard.resized
	  : number == SIGTSTP ? &heard.suspending
	                      : &heard.continued) = 1;
}

static const int news[] = {SIGWINCH, SIGTSTP, SIGCONT};
enum { NEWS = sizeof news / sizeof *news };

/* Acts on the signal that ended the wait; false if it was another one. */
static bool follow_news(void)
{
	const bool resized = heard.resized, suspending = heard.suspending;
	if (suspending) {
		/* Give the terminal to the caller until the program continues. */
		const struct sigaction stop = {.sa_handler = SIG_DFL}, go_on = {.sa_handler = hear};
		rl_deprep_terminal();
		sigaction(SIGTSTP, &stop, NULL);
		raise(SIGTSTP);
		sigaction(SIGTSTP, &go_on, NULL);
	}
	const bool continued = heard.continued || suspending;
	heard.resized = heard.suspending = heard.continued = 0;
	if (continued)
		rl_prep_terminal(1);
	if (resized || continued) {
		rl_reset_screen_size();
		rl_forced_update_display();
	}
	return resized || continued;
}

static char *read_shell_line(const char *text)
{
	rl_reset_screen_size();
	start(text);
	while (!prompt.finished) {
		struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
		if (poll(&input, 1, -1) >= 0)
			rl_callback_read_char();
		else if (!follow_news()) {
			/* Give up the line after a signal. */
			give_up();
			putchar('\n');
			return strdup("");
		}
	}
	remember(prompt.line);
	return prompt.line;
}

char *prompt_shell_line(const char *text)
{
	struct sigaction before[NEWS];
	heard.resized = heard.suspending = heard.continued = 0;
	/* No SA_RESTART: the wait must end. Signals that the program was started to ignore stay
	   ignored. */
	const struct sigaction action = {.sa_handler = hear};
	for (int i = 0; i < NEWS; i++) {
		sigaction(news[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(news[i], &action, NULL);
	}
	char *line = read_shell_line(text);
	for (int i = 0; i < NEWS; i++)
		sigaction(news[i], &before[i], NULL);
	return line;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "help.h"
#include "tui/screen/interrupt.h"
#include "tui/screen/prompt.h"
#include "tui/text/lines.h"
#include "tui/text/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int help(struct cli *cli, int argc, char **argv)
{
	const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
	if (argc > 1 && !command)
		return command_say(cli, argv[1], EL_USAGE,
		                   "no such command. Type 'help' for a list.");
	if (command)
		help_command(cli->out, command);
	for (const struct command *const *c = commands; *c && !command; c++)
		fprintf(cli->out, "%-9s %s\n", (*c)->name, (*c)->summary);
	if (!command)
		fputs("help      this list; help COMMAND says more\nquit      leave the shell\n",
		      cli->out);
	return 0;
}

/* Runs one line; false if it asks to leave. */
static bool run_line(struct cli *cli, char *line, int *answer)
{
	char *words[WORDS_MAX];
	int count, status = 0;
	struct el_error error;
	if (words_split(line, words, &count, &error)) {
		status = command_fail(cli, "shell", &error);
	} else if (count && (!strcmp(words[0], "quit") || !strcmp(words[0], "exit") ||
	                     !strcmp(words[0], "q"))) {
		return false;
	} else if (count && !strcmp(words[0], "help")) {
		status = help(cli, count, words);
	} else if (count && is_position(words[0])) { /* outside the shell it opens the explorer */
		status = command_say(cli, words[0], EL_USAGE,
		                     "a position goes behind a command, such as probe");
	} else if (count && strcmp(words[0], "shell")) { /* already in the shell */
		status = command_run(cli, count, words);
	}
	fflush(cli->out);
	*answer = command_worse(*answer, status);
	return true;
}

/* ---- completion ---- */

static char **complete(void *unused, const char *line, size_t start)
{
	(void)unused;
	struct words words = {.prefix = line + start};
	char name[16];
	size_t skipped = strspn(line, " "), length = strcspn(line + skipped, " ");
	snprintf(name, sizeof name, "%.*s", (int)(length < 15 ? length : 15), line + skipped);
	const struct command *command = start > skipped ? command_find(name) : NULL;
	if (command) {
		command_offer_words(command, line, start, words_take, &words);
	} else if (start <= skipped || !strcmp(name, "help")) {
		for (const struct command *const *c = commands; *c; c++)
			words_offer(&words, (*c)->name);
		words_offer(&words, "help");
		words_offer(&words, "quit");
	}
	return words.list;
}

/* ---- where the lines come from ---- */

/* Serves a person at a terminal. */
static int run_prompt(struct cli *cli)
{
	int answer = 0;
	bool more = true;
	fputs("endlab " EL_VERSION ": type 'help' for the commands, 'quit' to leave\n", cli->out);
	fflush(cli->out);
	prompt_shell_open(complete);
	while (more && interrupt_clear()) {
		char *line = prompt_shell_line("endlab> ");
		interrupt_clear();
		if (!line) /* ^D */
			fputc('\n', cli->out);
		more = line && run_line(cli, line, &answer);
		if (interrupt_signal())
			clearerr(cli->out); /* after a stopped command */
		free(line);
	}
	prompt_shell_close();
	return more ? command_worse(answer, command_exit(EL_STOPPED)) : answer;
}

/* Between commands the watch gets a report of no work. */
static const struct el_progress between = {.stage = "waiting", .what = "", .unit = "commands"};

/* Serves a script or a pipe. */
static int run_script(struct cli *cli)
{
	int answer = 0;
	struct line line;
	struct el_error error;
	enum el_status status;
	do {
		status = lines_next(cli->in, cli->out, &line, &error);
		if (!status && line.cut)
			status = el_fail(&error, EL_USAGE, "a line has more than %d bytes",
			                 LINES_BUFFER);
		if (!status && !el_watch_tick(cli->watch, &between))
			status = EL_STOPPED;
	} while (!status && run_line(cli, line.text, &answer));
	if (status == EL_STOPPED && command_stopped(answer))
		return answer; /* already reported */
	if (status == EL_STOPPED)
		el_fail(&error, status, "stopped");
	if (status && status != EL_NEGATIVE)
		answer = command_worse(answer, command_fail(cli, "shell", &error));
	return answer;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	(void)arguments;
	if (cli->in)
		return (isatty(cli->in->text.fd) ? run_prompt : run_script)(cli);
	return command_say(cli, "shell", EL_USAGE,
	                   "the explorer has no standard input; run 'endlab shell' in a terminal");
}

const struct command command_shell = {
	.name = "shell",
	.arguments = "",
	.summary = "run these commands at a prompt, or from a script on standard input",
	.help = "Reads commands line by line and runs them; tables stay open in between. Quotes "
		"and backslashes keep blanks in a word, and # starts a comment. 'help' lists the "
		"commands; 'quit' or the end of input leaves. The exit status is the worst of all "
		"commands.",
	.touches = "standard input",
	.rights = UNCONFINED,
	.run = run,
};

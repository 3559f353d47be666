/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "notes.h"

#include "tui/text/files.h"
#include "tui/text/utf8.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* LOOK_MS: how often to look whether the explorer is still there, and how wide the terminal is. */
enum { LOOK_MS = 1000, COLS_MAX = 76, COLS_MIN = 20, INDENT = 1 };

struct notes {
	struct cli *cli;
	char path[PATH_MAX];
	bool screen; /* standard output is a terminal */
	char *text;  /* the file, owned; null: there is none */
	bool ended;  /* its explorer has ended, without a word */
	int cols;    /* of the terminal */
};

/* ---- the file ---- */

/* Rereads it. Returns whether there is anything new. A file whose explorer has died is removed. */
static bool look(struct notes *n)
{
	char *text = NULL;
	size_t room = 0;
	long process;
	struct winsize size;
	FILE *in = fopen(n->path, "r");
	const bool got = in && getdelim(&text, &room, '\0', in) >= 0;
	const bool lives = got && sscanf(text, PRESENTER_HEADING " %ld", &process) == 1 &&
	                   process > 0 && !(kill((pid_t)process, 0) && errno == ESRCH);
	if (in)
		fclose(in);
	if (got && !lives)
		unlink(n->path);
	if (!lives) {
		free(text);
		text = NULL;
	}
	const bool same_text = text && n->text ? !strcmp(text, n->text) : text == n->text;
	const bool has_size = n->screen && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col;
	int cols = has_size && size.ws_col <= COLS_MAX ? size.ws_col - 1 : COLS_MAX;
	cols = cols < COLS_MIN ? COLS_MIN : cols;
	const bool is_same = same_text && cols == n->cols;
	n->ended = n->ended ? !text : n->text && !text;
	free(n->text);
	n->text = text;
	n->cols = cols;
	return !is_same;
}

/* ---- what is shown ---- */

/* A control sequence, which cli->out would print as text. */
static void control(const struct notes *n, const char *sequence)
{
	fflush(n->cli->out);
	if (n->screen) {
		fputs(sequence, stdout);
		fflush(stdout);
	}
}

static void heading(const struct notes *n, const char *text)
{
	control(n, "\033[1m");
	fprintf(n->cli->out, "\n%*s%s\n", INDENT, "", text);
	control(n, "\033[0m");
}

/* Breaks between words. */
static void paragraph(const struct notes *n, const char *text, int length)
{
	int column = 0;
	for (const char *end = text + length; text < end; text += *text == ' ') {
		char word[1024];
		const int bytes = (int)strcspn(text, " \n");
		snprintf(word, sizeof word, "%.*s", bytes, text);
		const int cells = utf8_length(word);
		const bool breaks = column && column + 1 + cells > n->cols;
		fprintf(n->cli->out, "%s%*s%s", breaks ? "\n" : "", column && !breaks ? 1 : INDENT,
		        "", word);
		column = (column && !breaks ? column + 1 : INDENT) + cells;
		text += bytes;
	}
	fputc('\n', n->cli->out);
}

/* All lines that begin with a word, below a heading. */
static void lines(const struct notes *n, const char *word, const char *title)
{
	const size_t length = strlen(word);
	bool begins = *title;
	for (const char *line = n->text; *line;) {
		const char *end = line + strcspn(line, "\n");
		if (!strncmp(line, word, length) && line[length] == ' ') {
			if (begins)
				heading(n, title);
			begins = false;
			paragraph(n, line + length + 1, (int)(end - line - (long)length - 1));
		}
		line = end + (*end == '\n');
	}
}

static void show(struct notes *n)
{
	FILE *out = n->cli->out;
	const char *title = n->text ? strstr(n->text, "\ntitle ") : NULL;
	const char *at = n->text ? strstr(n->text, "\nstep ") : NULL;
	int step, count;
	control(n, "\033[H\033[2J");
	if (title && at && sscanf(at, "\nstep %d %d", &step, &count) == 2) {
		title += strlen("\ntitle ");
		control(n, "\033[1m");
		fprintf(out, "%*s%.*s", INDENT, "", (int)strcspn(title, "\n"), title);
		control(n, "\033[0m");
		fprintf(out, "  step %d of %d\n\n", step, count);
		lines(n, "text", "");
		lines(n, "note", "Note");
		lines(n, "answer", "Answer");
		lines(n, "hint", "Hint");
		lines(n, "next", "Next");
	} else {
		const char *why = "Waiting for an explorer that plays a lesson.";
		if (n->text)
			why = "No lesson is playing. Press L in the explorer to choose one.";
		else if (n->ended)
			why = "The explorer has ended. Waiting for another lesson.";
		paragraph(n, why, (int)strlen(why));
	}
	if (n->screen)
		fprintf(out, "\n%*sPress q to quit.\n", INDENT, "");
	else
		fputs("----\n", out);
	fflush(out);
}

/* ---- waiting ---- */

int notes_run(struct cli *cli)
{
	struct notes n = {.cli = cli, .screen = isatty(STDOUT_FILENO)};
	struct termios before;
	const bool has_keys = n.screen && !tcgetattr(STDIN_FILENO, &before);
	if (!place_of_state(PRESENTER_NAME, n.path))
		return command_say(
			cli, NULL, EL_USAGE,
			"--notes: no folder for the explorer's state: set XDG_STATE_HOME or HOME");
	place_make_folders(n.path);
	char folder[PATH_MAX];
	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(n.path, '/') - n.path), n.path);
	const int news = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (news < 0 ||
	    inotify_add_watch(news, folder, IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE) < 0) {
		const int answer = command_say(cli, NULL, EL_IO, "%s: cannot be watched: %s",
		                               folder, strerror(errno));
		if (news >= 0)
			close(news);
		return answer;
	}
	if (has_keys) {
		struct termios raw = before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VSUSP] =
			_POSIX_VDISABLE; /* the shell would have a terminal without echo */
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	control(&n, "\033[?1049h\033[?25l");
	look(&n);
	show(&n);
	struct pollfd fds[] = {{news, POLLIN, 0}, {has_keys ? STDIN_FILENO : -1, POLLIN, 0}};
	char bytes[4096];
	bool goes_on = true;
	while (goes_on && !ferror(cli->out) && el_watch_tick(cli->watch, NULL)) {
		poll(fds, 2, LOOK_MS);
		while (read(news, bytes, sizeof bytes) > 0)
			continue;
		if (fds[1].revents) {
			const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
			goes_on = got > 0 && !memchr(bytes, 'q', (size_t)got) &&
			          !memchr(bytes, 'Q', (size_t)got);
		}
		if (goes_on && look(&n))
			show(&n);
	}
	control(&n, "\033[?25h\033[?1049l");
	if (has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	close(news);
	free(n.text);
	return 0;
}

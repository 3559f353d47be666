/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal, seen from its other end: pastes, copies, signals, and restoring it. */
#include "tui/screen/clipboard.h"
#include "tui/screen/interrupt.h"
#include "tui/screen/term.h"
#include "tui/shell/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- pastes, byte by byte ---- */

/* Up to the end marker, which must be the last bytes. */
static void take(struct paste *p, const char *bytes)
{
	paste_begin(p);
	for (size_t i = 0; bytes[i]; i++)
		assert_int_equal(paste_take(p, (unsigned char)bytes[i]), !bytes[i + 1]);
	paste_end(p);
}

static void pastes_are_text_and_nothing_else(void **state)
{
	static const char *const pastes[][2] = {
		{"", ""},
		{"8/8/8 w", "8/8/8 w"},
		{"a\r\nb\nc\rd\r\r\n\te", "a\nb\nc\nd\n\n\te"},
		{"\033[A\033OP\033", "[AOP"},
		{"\003\007q\177\x18", "q"},
		{"\033[201\033[20~\033\033[201x", "[201[20~[201x"},
		{"\xC3\xA9\xE2\x99\x9A", "\xC3\xA9\xE2\x99\x9A"},
		{"a\xFF"
	         "b\xC3",
	         "a?b?"},
		{"\xC2\x9B"
	         "2J\xC0\x9B",
	         "2J"},                                 /* one control character, and an escape */
		{"\xED\xA0\x80\xF7\xBF\xBF\xBF", "??"}, /* no characters at all */
	};
	static struct paste p;
	char bytes[64];
	(void)state;
	for (size_t i = 0; i < sizeof pastes / sizeof *pastes; i++) {
		snprintf(bytes, sizeof bytes, "%s\033[201~", pastes[i][0]);
		take(&p, bytes);
		assert_string_equal(p.text, pastes[i][1]);
		assert_int_equal(p.length, strlen(pastes[i][1]));
		assert_false(p.cut);
	}
}

static void a_paste_has_a_limit(void **state)
{
	static struct paste p;
	(void)state;
	for (size_t length = PASTE_MAX - 1; length <= PASTE_MAX + 1; length++) {
		paste_begin(&p);
		for (size_t i = 0; i < length; i++)
			assert_false(paste_take(&p, 'x'));
		paste_end(&p);
		assert_int_equal(strlen(p.text), length < PASTE_MAX ? length : PASTE_MAX);
		assert_int_equal(p.cut, length > PASTE_MAX);
	}
}

/* Or up to a pause. Bytes after the end marker are left for others. */
static void a_paste_is_read_to_its_end(void **state)
{
	static const char *const sent[] = {"ab\033[201~c", "ab"};
	static struct paste p;
	int ends[2];
	char next;
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(pipe(ends), 0);
		assert_int_equal(write(ends[1], sent[i], strlen(sent[i])), strlen(sent[i]));
		if (i) /* nothing more can come */
			close(ends[1]);
		paste_begin(&p);
		assert_true(paste_read(&p, ends[0]));
		assert_string_equal(p.text, "ab");
		if (!i)
			close(ends[1]);
		assert_int_equal(read(ends[0], &next, 1), i == 0);
		close(ends[0]);
	}
}

/* A slow line pauses in a paste; what follows is not typed. */
static void a_pause_does_not_end_a_paste(void **state)
{
	static struct paste p;
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	paste_begin(&p);
	assert_int_equal(write(ends[1], "a", 1), 1);
	for (unsigned i = 0; i < 8; i++)
		assert_false(paste_read(&p, ends[0]));
	assert_int_equal(write(ends[1], "Q\033[201~", 7), 7);
	assert_true(paste_read(&p, ends[0]));
	assert_string_equal(p.text, "aQ");
	close(ends[0]);
	close(ends[1]);
}

static void copies_are_in_base_64(void **state)
{
	static const char *const copies[][2] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foobar", "Zm9vYmFy"},
		{"\xE2\x99\x9A", "4pma"},
		{"\xFF\xFE", "//4="},
	};
	static char out[COPY_SEQUENCE_MAX], text[COPY_MAX + 2];
	(void)state;
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		char expected[64];
		snprintf(expected, sizeof expected, "\033]52;c;%s\a", copies[i][1]);
		assert_int_equal(copy_sequence(copies[i][0], out), strlen(expected));
		assert_memory_equal(out, expected, strlen(expected));
	}
	memset(text, 'x', COPY_MAX);
	assert_in_range(copy_sequence(text, out), COPY_MAX, COPY_SEQUENCE_MAX);
	text[COPY_MAX] = 'x';
	assert_int_equal(copy_sequence(text, out), 0);
}

/* ---- our own terminal in place of standard input and output ---- */

struct pty {
	int master, slave, saved[2];
	struct terminal *term;
	struct termios modes; /* before it was opened */
};

static int pty_open(void **state)
{
	static struct pty p;
	p = (struct pty){.master = posix_openpt(O_RDWR | O_NOCTTY)};
	if (p.master < 0 || grantpt(p.master) || unlockpt(p.master))
		return -1;
	p.slave = open(ptsname(p.master), O_RDWR | O_NOCTTY);
	fcntl(p.master, F_SETFL, O_NONBLOCK);
	fflush(stdout);
	for (int fd = 0; fd < 2; fd++) {
		p.saved[fd] = dup(fd);
		dup2(p.slave, fd);
	}
	tcgetattr(0, &p.modes);
	setenv("TERM", "xterm", 1);
	if (term_open(&themes[0], &p.term, NULL))
		return -1;
	*state = &p;
	return 0;
}

static int pty_close(void **state)
{
	struct pty *p = *state;
	term_close(p->term);
	fflush(stdout);
	for (int fd = 0; fd < 2; fd++) {
		dup2(p->saved[fd], fd);
		close(p->saved[fd]);
	}
	close(p->master);
	close(p->slave);
	return 0;
}

static void send_bytes(struct pty *p, const char *bytes)
{
	assert_int_equal(write(p->master, bytes, strlen(bytes)), strlen(bytes));
}

/* Everything that the program has written since the last call. */
static const char *received(struct pty *p)
{
	static char bytes[1 << 16];
	size_t length = 0;
	ssize_t got;
	while ((got = read(p->master, bytes + length, sizeof bytes - 1 - length)) > 0)
		length += (size_t)got;
	bytes[length] = '\0';
	return bytes;
}

static struct event next_event(struct pty *p)
{
	struct pollfd in = {.fd = term_fd(p->term), .events = POLLIN};
	poll(&in, 1, 2000);
	struct event e = term_read(p->term);
	while (e.kind == EVENT_NONE && term_pasting(p->term))
		e = term_read(p->term);
	return e;
}

static void assert_key(struct pty *p, int key)
{
	struct event e = next_event(p);
	assert_int_equal(e.kind, EVENT_KEY);
	assert_int_equal(e.key, key);
}

static void assert_paste(struct pty *p, const char *text)
{
	struct event e = next_event(p);
	assert_int_equal(e.kind, EVENT_PASTE);
	assert_string_equal(e.text, text);
	assert_false(e.cut);
}

/* What terminals tell about themselves, and those who only repeat it. */
static void sextants_are_for_those_who_draw_them(void **state)
{
	static const char *const variables[] = {"VTE_VERSION",   "WT_SESSION", "TERM_PROGRAM",
	                                        "XTERM_VERSION", "TMUX",       "STY"};
	static const struct {
		const char *name, *variable, *value, *second;
		enum blocks blocks;
	} cases[] = {
		{"xterm-256color", NULL, NULL, NULL, BLOCKS_QUADRANTS},
		{"xterm-256color", "VTE_VERSION", "6200", NULL, BLOCKS_SEXTANTS},
		{"xterm-256color", "VTE_VERSION", "6003", NULL, BLOCKS_QUADRANTS},
		{"xterm-256color", "VTE_VERSION", "7600", "XTERM_VERSION", BLOCKS_QUADRANTS},
		{"xterm-256color", "VTE_VERSION", "7600", "STY", BLOCKS_QUADRANTS},
		{"xterm-256color", "WT_SESSION", "5a", NULL, BLOCKS_SEXTANTS},
		{"xterm-256color", "WT_SESSION", "5a", "TMUX", BLOCKS_QUADRANTS},
		{"xterm-256color", "TERM_PROGRAM", "WezTerm", NULL, BLOCKS_SEXTANTS},
		{"xterm-256color", "TERM_PROGRAM", "Apple_Terminal", NULL, BLOCKS_QUADRANTS},
		{"screen-256color", "VTE_VERSION", "7600", NULL, BLOCKS_QUADRANTS},
		{"xterm", "VTE_VERSION", "7600", NULL, BLOCKS_HALVES},
		/* Not the Linux console itself: libgpm, which ncurses loads for it, leaks. */
		{"vt100", "VTE_VERSION", "7600", NULL, BLOCKS_HALVES},
	};
	struct pty *p = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
			unsetenv(variables[k]);
		if (cases[i].variable)
			setenv(cases[i].variable, cases[i].value, 1);
		if (cases[i].second)
			setenv(cases[i].second, "1", 1);
		term_close(p->term);
		setenv("TERM", cases[i].name, 1);
		assert_int_equal(term_open(&themes[0], &p->term, NULL), EL_OK);
		assert_int_equal(term_blocks(p->term), cases[i].blocks);
		received(p);
	}
}

static void a_paste_is_one_event(void **state)
{
	struct pty *p = *state;
	assert_non_null(strstr(received(p), "\033[?2004h"));
	send_bytes(p, "a\033[200~Q\rq\033[A\033[201~b");
	assert_key(p, 'a');
	assert_paste(p, "Q\nq[A");
	assert_key(p, 'b');
	send_bytes(p, "\033[200~\033[201~\033[200~2\033[201~\033OA");
	assert_paste(p, "");
	assert_paste(p, "2");
	assert_key(p, K_UP);
	send_bytes(p, "\033[201~c"); /* an end without a beginning */
	assert_key(p, 'c');
}

static void a_paste_without_end_ends(void **state)
{
	struct pty *p = *state;
	send_bytes(p, "\033[200~Qq");
	assert_paste(p, "Qq");
	send_bytes(p, "q");
	assert_key(p, 'q');
}

/* Endless input: the program can still receive a signal in between, and keeps what it can. */
static void an_endless_paste_holds_nothing_up(void **state)
{
	enum { PIECES = PASTE_MAX / 1024 };
	struct pty *p = *state;
	int none = 0;
	pid_t writer = fork();
	if (!writer) {
		static char text[1024];
		memset(text, 'Q', sizeof text);
		fcntl(p->master, F_SETFL, 0);
		ssize_t written = write(p->master, "\033[200~", 6);
		for (int i = 0; i <= PIECES; i++)
			written += write(p->master, text, sizeof text);
		written += write(p->master, "\033[201~", 6);
		_exit(written != 12 + (PIECES + 1) * (ssize_t)sizeof text);
	}
	struct event e;
	struct pollfd in = {.fd = term_fd(p->term), .events = POLLIN};
	while (poll(&in, 1, 2000), (e = term_read(p->term)).kind == EVENT_NONE)
		none++;
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	int status;
	waitpid(writer, &status, 0);
	assert_int_equal(status, 0);
	assert_in_range(none, PASTE_MAX / (128 << 10), PIECES); /* often enough for keys */
	assert_int_equal(e.kind, EVENT_PASTE);
	assert_true(e.cut);
	assert_int_equal(strlen(e.text), PASTE_MAX);
}

static void a_copy_goes_to_the_terminal(void **state)
{
	struct pty *p = *state;
	received(p);
	term_copy(p->term, "8/8 w");
	assert_string_equal(received(p), "\033]52;c;OC84IHc=\a");
}

/* ---- restored ---- */

static void assert_given_back(struct pty *p, const char *bytes)
{
	static const char *const ends[] = {"\033[?1049l", "\033[?2004l", "1000l", "\033[?25h"};
	struct termios now;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		assert_non_null(strstr(bytes, ends[i]));
	tcgetattr(0, &now);
	assert_int_equal(now.c_lflag, p->modes.c_lflag);
	assert_int_equal(now.c_iflag, p->modes.c_iflag);
	assert_int_equal(now.c_oflag, p->modes.c_oflag);
}

static void the_terminal_is_given_back(void **state)
{
	struct pty *p = *state;
	struct termios now;
	tcgetattr(0, &now);
	assert_int_not_equal(now.c_lflag, p->modes.c_lflag);
	received(p);
	term_close(p->term);
	p->term = NULL;
	assert_given_back(p, received(p));
	term_rescue(); /* too late to do anything */
	assert_string_equal(received(p), "");
}

static void the_terminal_is_given_back_in_a_hurry(void **state)
{
	struct pty *p = *state;
	received(p);
	term_rescue();
	assert_given_back(p, received(p));
	term_rescue();
	assert_string_equal(received(p), "");
}

/* ---- signals ---- */

static int said; /* a pipe of the child's */

static void rescue(void)
{
	ssize_t written = write(said, "r", 1);
	(void)written;
}

static void raise_late(int number)
{
	usleep(700000);
	raise(number);
}

static void catch_as_the_explorer(void)
{
	if (signals_catch(rescue, NULL))
		_exit(9);
}

static void catch_as_a_command(void)
{
	interrupt_at_end(rescue);
	interrupt_catch(interrupt_hear);
}

/* Runs `body` in a separate process that catches signals. Returns its exit status; *rescues: how
   often the terminal was rescued. */
static int in_a_child(void (*catch_them)(void), void (*body)(void), int *rescues)
{
	int ends[2], status;
	char byte;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (!child) {
		said = ends[1];
		signal(SIGQUIT, SIG_IGN);
		catch_them();
		body();
		interrupt_raise();
		_exit(0);
	}
	close(ends[1]);
	*rescues = 0;
	while (read(ends[0], &byte, 1) > 0)
		++*rescues;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void no_signal(void)
{
	raise(SIGQUIT); /* ignored from the start */
	if (interrupt_signal() || signals_suspending())
		_exit(8);
}

static void one_signal(void)
{
	struct pollfd in = {.fd = signals_fd(), .events = POLLIN};
	raise(SIGHUP);
	if (poll(&in, 1, 0) != 1 || interrupt_signal() != SIGHUP)
		_exit(8);
}

static void two_at_once(void)
{
	raise(SIGTERM);
	raise(SIGHUP);
	raise(SIGTERM);
	if (interrupt_signal() != SIGTERM)
		_exit(8);
}

static void a_request_that_is_heard(void)
{
	if (!el_watch_tick(&interrupt_watch, NULL))
		_exit(8);
	raise(SIGTERM);
	raise(SIGHUP);
	if (el_watch_tick(&interrupt_watch, NULL) || interrupt_clear())
		_exit(8);
}

static void one_to_forget(void)
{
	raise(SIGINT);
	if (interrupt_signal() != SIGINT || !interrupt_clear() || interrupt_signal())
		_exit(8);
	raise_late(SIGINT); /* the first one again */
	if (!interrupt_clear())
		_exit(8);
}

/* Input that came with a ^C is not lost. */
static void one_behind_an_interrupt(void)
{
	raise(SIGINT);
	raise(SIGHUP);
	if (interrupt_clear())
		_exit(8);
}

static void one_and_an_impatient_one(void)
{
	raise(SIGTERM);
	raise_late(SIGINT);
	_exit(8);
}

static void one_to_suspend(void)
{
	raise(SIGTSTP);
	if (!signals_suspending() || signals_suspending() || interrupt_signal())
		_exit(8);
}

static void signals_end_the_program_as_they_would(void **state)
{
	static const struct {
		void (*catch_them)(void), (*body)(void);
		int signal, rescues;
	} cases[] = {
		{catch_as_the_explorer, no_signal, 0, 0},
		{catch_as_the_explorer, one_signal, SIGHUP, 0},
		{catch_as_the_explorer, two_at_once, SIGTERM, 0},
		{catch_as_the_explorer, one_and_an_impatient_one, SIGINT, 1},
		{catch_as_the_explorer, one_to_suspend, 0, 0},
		{catch_as_a_command, two_at_once, SIGTERM, 0},
		{catch_as_a_command, one_and_an_impatient_one, SIGINT, 1},
		{catch_as_a_command, a_request_that_is_heard, SIGTERM, 0},
		{catch_as_a_command, one_to_forget, 0, 0},
		{catch_as_a_command, one_behind_an_interrupt, SIGHUP, 0},
	};
	int rescues;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int status = in_a_child(cases[i].catch_them, cases[i].body, &rescues);
		assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, cases[i].signal);
		assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0);
		assert_int_equal(rescues, cases[i].rescues);
	}
}

#define in_a_pty(test) cmocka_unit_test_setup_teardown(test, pty_open, pty_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pastes_are_text_and_nothing_else),
		cmocka_unit_test(a_paste_has_a_limit),
		cmocka_unit_test(a_paste_is_read_to_its_end),
		cmocka_unit_test(a_pause_does_not_end_a_paste),
		cmocka_unit_test(copies_are_in_base_64),
		in_a_pty(sextants_are_for_those_who_draw_them),
		in_a_pty(a_paste_is_one_event),
		in_a_pty(a_paste_without_end_ends),
		in_a_pty(an_endless_paste_holds_nothing_up),
		in_a_pty(a_copy_goes_to_the_terminal),
		in_a_pty(the_terminal_is_given_back),
		in_a_pty(the_terminal_is_given_back_in_a_hurry),
		cmocka_unit_test(signals_end_the_program_as_they_would),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

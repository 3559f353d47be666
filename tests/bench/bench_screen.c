/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the program in its own terminal (80x24), from outside: bench_screen ENDLAB DIRECTORY.
 * Prints the milliseconds to the first screen, then from a key to its answer while tables are built
 * in the background, and in a game of 300 moves with 200 variations, and last to the first screen
 * with that game in the session. The directory should hold the 3-piece tables.
 */
#include "bench.h"

#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYS = 200, PAUSE_US = 20000, STARTS = 5, MOVES = 300, VARIATIONS = 200 };

struct terminal {
	int fd;
	pid_t pid;
	char seen[1 << 16]; /* since the last key */
	size_t length;
};

/* Keeps sessions here, away from those of the user. */
static char state[] = "/tmp/bench_screen.XXXXXX";

static void remove_state(void)
{
	char command[sizeof state + 16];
	snprintf(command, sizeof command, "rm -r %s", state);
	if (system(command))
		fprintf(stderr, "bench: %s is left behind\n", state);
}

static struct terminal start(const char *program, const char *directory)
{
	struct terminal t = {.length = 0};
	const struct winsize size = {.ws_row = 24, .ws_col = 80};
	t.pid = forkpty(&t.fd, NULL, NULL, &size);
	if (t.pid < 0)
		bench_fail("no terminal to be had");
	if (t.pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("XDG_STATE_HOME", state, 1);
		execl(program, program, "--dir", directory, (char *)NULL);
		_exit(127);
	}
	return t;
}

/* Milliseconds until `word` is sent to the screen. Only cells that change are sent, so none of its
   cells may show it already. */
static double wait_for(struct terminal *t, const char *word)
{
	const double begin = bench_now();
	t->length = 0;
	for (;;) {
		struct pollfd p = {t->fd, POLLIN, 0};
		if (poll(&p, 1, 10000) <= 0)
			bench_fail("the program does not answer");
		ssize_t got = read(t->fd, t->seen + t->length, sizeof t->seen - t->length - 1);
		if (got <= 0)
			bench_fail("the program ended");
		t->length += (size_t)got;
		t->seen[t->length] = '\0';
		if (strstr(t->seen, word))
			return 1e3 * (bench_now() - begin);
		if (t->length > sizeof t->seen / 2) {
			memmove(t->seen, t->seen + t->length - 64, 64);
			t->length = 64;
		}
	}
}

/* Reads the rest, until nothing more comes. */
static void drain(struct terminal *t)
{
	char rest[4096];
	struct pollfd p = {t->fd, POLLIN, 0};
	while (poll(&p, 1, PAUSE_US / 1000) > 0 && read(t->fd, rest, sizeof rest) > 0)
		;
}

static void press(struct terminal *t, const char *keys)
{
	if (write(t->fd, keys, strlen(keys)) < 0)
		bench_fail("cannot write to the terminal");
}

static void stop(struct terminal *t)
{
	press(t, "Q");
	char rest[4096];
	while (read(t->fd, rest, sizeof rest) > 0)
		;
	close(t->fd);
	waitpid(t->pid, NULL, 0);
}

/* A new user is welcomed; the first key dismisses the card for good. */
static void be_welcomed(const char *program, const char *directory)
{
	struct terminal t = start(program, directory);
	wait_for(&t, "Welcome");
	press(&t, "1");
	wait_for(&t, "source");
	stop(&t);
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The rook goes to and fro, and so does the king, who has other moves. */
static void write_game(char path[64])
{
	snprintf(path, 64, "%s/game.pgn", state);
	FILE *out = fopen(path, "w");
	if (!out)
		bench_fail("no file of games");
	fputs("[FEN \"k7/8/8/8/8/8/8/K6R w - - 0 1\"]\n\n", out);
	for (int i = 1; i <= MOVES; i++) {
		const bool odd = i % 2;
		fprintf(out, "%d. %s %s\n", i, odd ? "Rh2" : "Rh1", odd ? "Ka7" : "Ka8");
		if (i <= VARIATIONS)
			fprintf(out, "(%d... %s %d. Rg%d)\n", i, odd ? "Kb8" : "Kb7", i + 1,
			        odd ? 2 : 1);
	}
	fputs("*\n", out);
	fclose(out);
}

static void first_screens(const char *program, const char *directory, const char *what)
{
	double first[STARTS];
	for (int i = 0; i < STARTS; i++) {
		struct terminal t = start(program, directory);
		first[i] = wait_for(&t, "source");
		stop(&t);
	}
	qsort(first, STARTS, sizeof *first, by_value);
	printf("first screen%s: median of %d %.0f ms, slowest %.0f ms\n", what, STARTS,
	       first[STARTS / 2], first[STARTS - 1]);
}

static void print_keys(const char *when, double key[KEYS])
{
	qsort(key, KEYS, sizeof *key, by_value);
	printf("a key %s: median %.1f ms, 99 %% within %.1f ms, slowest %.1f ms (%d keys)\n", when,
	       key[KEYS / 2], key[KEYS * 99 / 100], key[KEYS - 1], KEYS);
}

static void keys_during_a_build(struct terminal *t)
{
	double key[KEYS];
	press(t, ":build KPvKP KRPvK KQPvK\r");
	wait_for(t, "%");
	for (int i = 0; i < KEYS; i++) {
		usleep(PAUSE_US);
		press(t, i % 2 ? "1" : "6");
		key[i] = wait_for(t, i % 2 ? "source" : "Every key");
	}
	print_keys("during a build", key);
}

/* To the first byte of the answer. */
static void keys_in_a_game(struct terminal *t)
{
	static const char *const keys[] = {"\033OC", "\033OC", "v", "\033OC",
	                                   "\033OF", "\033OD", "]", "\033OH"};
	double key[KEYS];
	char path[64], line[80];
	write_game(path);
	snprintf(line, sizeof line, ":open %s\r", path);
	press(t, line);
	wait_for(t, "game.pgn");
	usleep(50 * PAUSE_US);
	for (int i = 0; i < KEYS; i++) {
		drain(t);
		press(t, keys[(size_t)i % (sizeof keys / sizeof *keys)]);
		key[i] = wait_for(t, "\033");
	}
	print_keys("in a game of 300 moves with 200 variations", key);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		bench_fail("usage: bench_screen ENDLAB DIRECTORY");
	if (!mkdtemp(state))
		bench_fail("no scratch folder");
	atexit(remove_state);
	be_welcomed(argv[1], argv[2]);
	first_screens(argv[1], argv[2], "");
	struct terminal t = start(argv[1], argv[2]);
	wait_for(&t, "source");
	keys_during_a_build(&t);
	stop(&t);
	t = start(argv[1], argv[2]);
	wait_for(&t, "source");
	keys_in_a_game(&t);
	stop(&t);
	first_screens(argv[1], argv[2], " with that game");
	return 0;
}

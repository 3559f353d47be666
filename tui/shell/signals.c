/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 500 }; /* how long the same wish may be said twice */

/* A handler has no other way to leave word. */
static struct {
	volatile sig_atomic_t ending, suspending;
	volatile int64_t since; /* when `ending` came; milliseconds */
	int fd;                 /* eventfd */
	void (*rescue)(void);
	void (*resize)(int); /* of curses */
} heard = {.fd = -1};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void ring(void)
{
	uint64_t one = 1;
	int error = errno;
	ssize_t written = write(heard.fd, &one, sizeof one);
	(void)written;
	errno = error;
}

static void die_of(int number)
{
	sigset_t set;
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* in a handler it is blocked */
}

static void hear_end(int number)
{
	if (!heard.ending) {
		heard.since = now_ms();
		heard.ending = number;
	} else if (now_ms() - heard.since >= PATIENCE_MS) {
		heard.rescue();
		die_of(number);
	}
	ring();
}

static void hear_suspend(int number)
{
	heard.suspending = number;
	ring();
}

static void hear_resize(int number)
{
	heard.resize(number);
	ring();
}

static void hear(int number, const struct sigaction *action)
{
	struct sigaction before;
	sigaction(number, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(number, action, NULL);
}

enum el_status signals_catch(void (*rescue)(void), struct el_error *error)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	heard.rescue = rescue;
	heard.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (heard.fd < 0)
		return el_fail(error, EL_IO, "cannot listen to signals: %s", strerror(errno));
	/* No SA_RESTART at the end: a terminal that takes no more output must not hold it up. */
	struct sigaction end = {.sa_handler = hear_end};
	struct sigaction suspend = {.sa_handler = hear_suspend, .sa_flags = SA_RESTART};
	sigemptyset(&end.sa_mask);
	sigemptyset(&suspend.sa_mask);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		sigaddset(&end.sa_mask, ends[i]); /* one handler at a time */
		sigaddset(&suspend.sa_mask, ends[i]);
	}
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		hear(ends[i], &end);
	hear(SIGTSTP, &suspend);
	return EL_OK;
}

void signals_hear_resize(void)
{
	struct sigaction resize;
	sigaction(SIGWINCH, NULL, &resize);
	heard.resize = resize.sa_handler;
	resize.sa_handler = hear_resize;
	if (heard.resize != SIG_DFL && heard.resize != SIG_IGN)
		sigaction(SIGWINCH, &resize, NULL);
}

int signals_fd(void)
{
	return heard.fd;
}

bool signals_suspending(void)
{
	uint64_t count;
	ssize_t got = read(heard.fd, &count, sizeof count);
	(void)got;
	bool suspending = heard.suspending;
	heard.suspending = 0;
	return suspending;
}

int signals_ending(void)
{
	return heard.ending;
}

void signals_raise(void)
{
	if (heard.ending)
		die_of(heard.ending);
}

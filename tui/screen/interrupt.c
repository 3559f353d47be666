/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interrupt.h"

#include "core/base/clock.h"

#include <stddef.h>
#include <stdint.h>

enum { PATIENCE_MS = 500, CLEANS_MAX = 4 };

static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/* A handler may run on any thread. */
static struct {
	_Atomic int number;    /* of the received signal */
	_Atomic int64_t since; /* when it was received; milliseconds */
	void (*clean[CLEANS_MAX])(void);
	size_t cleans;
} heard;

static void die_of(int number)
{
	sigset_t set;
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* a handler blocks it */
}

void interrupt_hear(int number)
{
	if (heard.number && clock_ms() - heard.since >= PATIENCE_MS) {
		for (size_t i = 0; i < heard.cleans; i++)
			heard.clean[i]();
		die_of(number);
	}
	if (!heard.number)
		heard.since = clock_ms();
	if (!heard.number || heard.number == SIGINT) /* which may be forgotten */
		heard.number = number;
}

void interrupt_at_end(void (*clean)(void))
{
	if (heard.cleans < CLEANS_MAX)
		heard.clean[heard.cleans++] = clean;
}

sigset_t interrupt_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaddset(&set, signals[i]);
	return set;
}

/* No SA_RESTART: waiting for a pipe or a terminal must not delay the end. */
void interrupt_catch(void (*handler)(int))
{
	const struct sigaction action = {.sa_handler = handler, .sa_mask = interrupt_signals()};
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction before;
		sigaction(signals[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) /* shells make background jobs ignore ^C */
			sigaction(signals[i], &action, NULL);
	}
}

int interrupt_signal(void)
{
	return heard.number;
}

bool interrupt_clear(void)
{
	if (heard.number && heard.number != SIGINT)
		return false;
	heard.number = 0;
	return true;
}

void interrupt_raise(void)
{
	if (heard.number)
		die_of(heard.number);
}

static int go_on(void *context, const struct el_progress *progress)
{
	(void)context;
	(void)progress;
	return !heard.number;
}

const struct el_watch interrupt_watch = {.tick = go_on};

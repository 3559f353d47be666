/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The signal that came; a handler has no other way to leave word. */
static volatile sig_atomic_t requested;

static void request(int signal_number)
{
	if (requested) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
	requested = signal_number;
}

void interrupt_catch(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = request}; /* no SA_RESTART: reads shall return */
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction before;
		sigaction(signals[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) /* a shell has its background jobs ignore ^C */
			sigaction(signals[i], &action, NULL);
	}
}

bool interrupt_clear(void)
{
	if (requested == SIGTERM || requested == SIGHUP)
		return false;
	requested = 0;
	return true;
}

static int go_on(void *context, const struct el_progress *progress)
{
	(void)context;
	(void)progress;
	return !requested;
}

const struct el_watch interrupt_watch = {.tick = go_on};

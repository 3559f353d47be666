/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "signals.h"
#include "core/os/system.h"
#include "tui/screen/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* A handler may run on any thread. */
static struct {
	_Atomic int suspending, continued;
	int fd;              /* a bell */
	void (*resize)(int); /* curses' handler */
} heard = {.fd = -1};

static void hear(int number)
{
	if (number == SIGTSTP)
		heard.suspending = number;
	else if (number == SIGCONT)
		heard.continued = number;
	else if (number == SIGWINCH)
		heard.resize(number);
	else
		interrupt_hear(number);
	bell_ring(heard.fd);
}

static void catch_one(int number)
{
	const struct sigaction action = {
		.sa_handler = hear, .sa_flags = SA_RESTART, .sa_mask = interrupt_signals()};
	struct sigaction before;
	sigaction(number, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

enum el_status signals_catch(void (*rescue)(void), struct el_error *error)
{
	heard.fd = bell_open();
	if (heard.fd < 0)
		return el_fail(error, EL_IO, "cannot listen to signals: %s", strerror(errno));
	interrupt_at_end(rescue);
	interrupt_catch(hear);
	catch_one(SIGTSTP);
	catch_one(SIGCONT);
	return EL_OK;
}

void signals_hear_resize(void)
{
	struct sigaction resize;
	sigaction(SIGWINCH, NULL, &resize);
	heard.resize = resize.sa_handler;
	resize.sa_handler = hear;
	resize.sa_flags |=
		SA_RESTART; /* a write cut off by a resize would pass for a dead terminal */
	if (heard.resize != SIG_DFL && heard.resize != SIG_IGN)
		sigaction(SIGWINCH, &resize, NULL);
}

int signals_fd(void)
{
	return heard.fd;
}

bool signals_suspending(void)
{
	bell_hush(heard.fd);
	const bool suspending = heard.suspending;
	heard.suspending = 0;
	return suspending;
}

bool signals_continued(void)
{
	const bool continued = heard.continued;
	heard.continued = 0;
	return continued;
}

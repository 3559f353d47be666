/* SPDX-License-Identifier: MIT */
#include "endlab/status.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

enum el_status el_fail(struct el_error *error, enum el_status status, const char *format, ...)
{
	char text[sizeof error->text];
	if (!error)
		return status;
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	el_show(text, error->text, sizeof error->text);
	error->status = status;
	return status;
}

int el_watch_tick(const struct el_watch *watch, const struct el_progress *progress)
{
	return !watch || !watch->tick || watch->tick(watch->context, progress);
}

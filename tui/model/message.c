/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>

void model_note(struct model *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->message.text, sizeof m->message.text, format, args);
	va_end(args);
	m->message.error = false;
}

void model_fail(struct model *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->message.text, sizeof m->message.text, format, args);
	va_end(args);
	m->message.error = true;
	m->failures++;
}

void model_hush(struct model *m)
{
	m->message.text[0] = '\0';
	m->message.error = false;
}

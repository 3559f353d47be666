/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clean.h"
#include "core/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cleaner {
	FILE *to, *self;
	int error;    /* of the last write; 0: none */
	char held[4]; /* an incomplete character */
	size_t count;
};

/* No branch per byte, for speed. */
static bool is_plain(const char *bytes, size_t size)
{
	bool odd = false;
	for (size_t i = 0; i < size; i++)
		odd |= ((unsigned char)(bytes[i] - ' ') > '~' - ' ') & (bytes[i] != '\n') &
		       (bytes[i] != '\t');
	return !odd;
}

/* Writes the complete characters held; keeps an incomplete one. */
static void let_go(struct cleaner *c)
{
	size_t taken;
	do {
		char shown[EL_SHOWN_MAX];
		const size_t bytes = el_show_first(c->held, c->count, &taken, shown);
		const bool passes = *c->held == '\n' || *c->held == '\t';
		fwrite(passes ? c->held : shown, 1, passes ? 1 : bytes, c->to);
		c->count -= taken;
		memmove(c->held, c->held + taken, c->count);
	} while (c->count && taken);
}

static void put(struct cleaner *c, const char *bytes, size_t size)
{
	if (!c->count && is_plain(bytes, size)) {
		fwrite(bytes, 1, size, c->to);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		c->held[c->count++] = bytes[i];
		let_go(c);
	}
}

/* Was everything written? If not, errno says why. */
static bool is_through(struct cleaner *c)
{
	if (!ferror(c->self))
		c->error = fflush(c->to) || ferror(c->to) ? errno : 0;
	errno = c->error;
	return !c->error;
}

static ssize_t write_clean(void *cookie, const char *bytes, size_t size)
{
	struct cleaner *c = cookie;
	if (!ferror(c->self)) {
		clearerr(c->to);
		put(c, bytes, size);
	}
	return is_through(c) ? (ssize_t)size : 0;
}

static int close_clean(void *cookie)
{
	struct cleaner *c = cookie;
	c->held[c->count] = '\0';
	if (!ferror(c->self))
		clean_print(c->to, c->held);
	const int answer = is_through(c) ? 0 : EOF;
	free(c);
	return answer;
}

FILE *clean_stream(FILE *to)
{
	static const cookie_io_functions_t functions = {.write = write_clean, .close = close_clean};
	struct cleaner *c = calloc(1, sizeof *c);
	FILE *out = c ? fopencookie(c, "w", functions) : NULL;
	if (!out) {
		free(c);
		return NULL;
	}
	*c = (struct cleaner){.to = to, .self = out};
	setvbuf(out, NULL, isatty(fileno(to)) ? _IOLBF : _IOFBF, BUFSIZ);
	return out;
}

bool is_clean(const char *text)
{
	for (size_t left = strlen(text); left;) {
		uint32_t character;
		const int bytes = el_utf8(text, left, &character);
		if (bytes <= 0 || el_is_control(character))
			return false;
		text += bytes;
		left -= (size_t)bytes;
	}
	return true;
}

void clean_print(FILE *out, const char *text)
{
	/* Includes the zero, so that the last character is never taken as incomplete. */
	size_t left = strlen(text) + 1, taken;
	for (; *text; text += taken, left -= taken) {
		char shown[EL_SHOWN_MAX];
		fwrite(shown, 1, el_show_first(text, left, &taken, shown), out);
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lines.h"

#include <errno.h>
#include <string.h>

static void move_to_front(struct lines *lines)
{
	memmove(lines->bytes, lines->bytes + lines->start, lines->end - lines->start);
	lines->end -= lines->start;
	lines->start = 0;
}

/* Moves the rest to the front and reads more after it. There must be room. */
static enum el_status read_more(struct lines *lines, FILE *answers, struct el_error *error)
{
	if (answers)
		fflush(answers);
	move_to_front(lines);
	/* A piece of UTF-16 may need a few bytes more than there is room. */
	ssize_t n = text_read(&lines->text, lines->bytes + lines->end,
	                      LINES_BUFFER + LINES_SPARE - lines->end);
	if (n < 0 && errno == EINTR)
		return EL_STOPPED;
	if (n < 0 && lines->text.error.status)
		return el_fail(error, EL_DAMAGED, "%s", lines->text.error.text);
	if (n < 0)
		return el_fail(error, EL_IO, "%s: %s", lines->text.name, strerror(errno));
	lines->end += (size_t)n;
	lines->ended = n == 0;
	return EL_OK;
}

/* The end of the next line, or null if not in the buffer yet. */
static char *line_end(struct lines *lines, size_t from)
{
	char *const text = lines->bytes + from, *lf = memchr(text, '\n', lines->end - from);
	char *cr = memchr(text, '\r', lf ? (size_t)(lf - text) : lines->end - from);
	return cr ? cr : lf;
}

/* Begins the next line behind an end: LF, CR, or any CRs and an LF. */
static void pass_end(struct lines *lines, const char *end)
{
	const char *const all = lines->bytes + lines->end, *p = end;
	while (p < all && *p == '\r')
		p++;
	const char *const next = p < all && *p == '\n' ? p + 1 : end + 1;
	lines->halved = *end == '\r' && next == all;
	lines->start = (size_t)(next - lines->bytes);
}

/* For a full buffer without a line end: returns its contents and skips the rest of the line. */
static enum el_status hand_out_cut(struct lines *lines, FILE *answers, struct line *out,
                                   struct el_error *error)
{
	enum { KEPT = 256 };
	char *end;
	while (!(end = line_end(lines, KEPT)) && !lines->ended) {
		lines->end = KEPT; /* forget the rest */
		enum el_status status = read_more(lines, answers, error);
		if (status)
			return status;
	}
	out->cut = true;
	out->text = lines->bytes;
	out->length = KEPT;
	lines->start = lines->end;
	if (end)
		pass_end(lines, end);
	lines->bytes[KEPT] = '\0';
	return EL_OK;
}

/* Looks at the first line, which is completely in the buffer or fills it. */
static void skip_mark(struct lines *lines)
{
	const char *first = lines->bytes + lines->start;
	if (!lines->begun && lines->end - lines->start >= 3 && !memcmp(first, "\xEF\xBB\xBF", 3))
		lines->start += 3;
	lines->begun = true;
}

enum el_status lines_next(struct lines *lines, FILE *answers, struct line *out,
                          struct el_error *error)
{
	*out = (struct line){0};
	char *end;
	size_t looked = lines->start;
	for (;;) {
		if (lines->halved && lines->start < lines->end) {
			lines->start += lines->bytes[lines->start] == '\n';
			lines->halved = false;
		}
		end = line_end(lines, looked > lines->start ? looked : lines->start);
		if (end || lines->ended)
			break;
		if (lines->end - lines->start >= LINES_BUFFER)
			skip_mark(lines);
		if (lines->end - lines->start >= LINES_BUFFER) {
			move_to_front(lines);
			return hand_out_cut(lines, answers, out, error);
		}
		size_t waiting = lines->end - lines->start;
		enum el_status status = read_more(lines, answers, error);
		if (status)
			return status;
		looked = waiting;
	}
	skip_mark(lines);
	if (!end && lines->start == lines->end)
		return EL_NEGATIVE;
	size_t length =
		end ? (size_t)(end - lines->bytes) - lines->start : lines->end - lines->start;
	out->text = lines->bytes + lines->start;
	lines->start = lines->end;
	if (end)
		pass_end(lines, end);
	while (length && !out->text[length - 1])
		length--;
	out->text[length] = '\0';
	out->length = length;
	return EL_OK;
}

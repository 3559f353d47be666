/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines from a file descriptor, without allocation. Before waiting for input it flushes pending
 * answers, which suits a person, a coprocess and a bulk file alike. A line ends in LF, CRLF or CR, and
 * zero bytes before its end are dropped, as some programs write them; a byte order mark before the first
 * line is skipped. The bytes may be packed (text_file).
 */
#ifndef TUI_TEXT_LINES_H
#define TUI_TEXT_LINES_H

#include "files.h"

#include <stddef.h>

enum { LINES_BUFFER = 1 << 16, LINES_SPARE = 8 };

struct lines {
	struct text_file text; /* begin with its descriptor and name, and zeros */
	size_t start, end;     /* bytes read but not yet returned */
	bool ended;
	bool begun;  /* the first line was returned */
	bool halved; /* the last line ended in the last CR read: an LF after it belongs to its end */
	char bytes[LINES_BUFFER + LINES_SPARE + 1];
};

struct line {
	char *text;    /* without its end; zero-terminated; valid until the next call */
	size_t length; /* may pass a zero byte inside the line */
	bool cut;      /* the line did not fit; its rest was skipped */
};

/* `answers` may be null. EL_NEGATIVE at the end, without a message; EL_IO; EL_DAMAGED if what is packed is not sound; EL_STOPPED
   if a signal came while waiting. */
enum el_status lines_next(struct lines *, FILE *answers, struct line *out, struct el_error *);

#endif

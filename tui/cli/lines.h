/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines from a file descriptor, without allocation. Before it would wait for more input it flushes
 * the answers given so far, so a person, a coprocess and a bulk file are all served as they expect.
 * A line ends in LF or CRLF; a byte order mark of UTF-8 before the first one is no part of it.
 */
#ifndef TUI_CLI_LINES_H
#define TUI_CLI_LINES_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LINES_BUFFER = 1 << 16 };

struct lines {
	int fd;
	size_t start, end; /* what is read and not handed out yet */
	bool ended;
	bool begun; /* the first line was handed out */
	char bytes[LINES_BUFFER + 1];
};

struct line {
	char *text;    /* without its end; zero-terminated; valid until the next call */
	size_t length; /* may pass a zero byte inside the line */
	bool cut;      /* the line did not fit; the rest of it was skipped */
};

/* EL_NEGATIVE at the end, without words; EL_IO; EL_UNREADABLE where a mark says that it is UTF-16;
   EL_STOPPED when a signal came while waiting. */
enum el_status lines_next(struct lines *, FILE *answers, struct line *out, struct el_error *);

#endif

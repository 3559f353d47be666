/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes between the program and its terminal's clipboard: pastes in, copies out.
 *
 *     paste_begin -> paste_take ... until it is true, or nothing comes -> paste_end -> paste.text
 */
#ifndef TUI_SCREEN_CLIPBOARD_H
#define TUI_SCREEN_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>

/* PASTE_MAX: bytes kept of a paste. COPY_MAX: bytes of the longest text copied; terminals accept
   little and do not report an excess. */
enum { PASTE_MAX = 4 << 20, COPY_MAX = 8 << 10 };

/* A bracketed paste: what a terminal sends between ESC [ 200 ~ and ESC [ 201 ~. */
struct paste {
	char text[PASTE_MAX + 1]; /* once it has ended: UTF-8, null-terminated */
	size_t length;
	bool cut;          /* there was more */
	bool after_return; /* the last byte was a return */
	size_t matched;    /* bytes of the end marker received */
	int silence;       /* since the last byte; ms */
};

void paste_begin(struct paste *);
/* True if this byte completes the end marker. */
bool paste_take(struct paste *, unsigned char byte);
/* Makes the text displayable: line ends become '\n', other control characters except tabs are
   removed, bytes that are not UTF-8 become '?'. */
void paste_end(struct paste *);
/* Does the rest after paste_begin, reading from `fd`. False: the paste is long, or the line is slow,
   and the next call reads more; meanwhile the caller can do other work. Five seconds of silence end a
   paste that lacks its end marker, so that keys work again. */
bool paste_read(struct paste *, int fd);

enum { COPY_SEQUENCE_MAX = COPY_MAX / 3 * 4 + 16 };
/* The sequence (OSC 52) that makes a terminal copy a text. Returns its length; 0 if the text is too
   long. */
size_t copy_sequence(const char *text, char out[COPY_SEQUENCE_MAX]);

#endif

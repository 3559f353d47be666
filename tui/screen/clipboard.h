/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes between the program and its terminal's clipboard, as bytes: pastes in, copies out.
 *
 *     paste_begin -> paste_take ... until it is true, or nothing comes -> paste_end -> paste.text
 */
#ifndef TUI_SCREEN_CLIPBOARD_H
#define TUI_SCREEN_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>

/* PASTE_MAX: bytes of a paste that are kept. COPY_MAX: bytes of the longest text that is copied;
   terminals take little, and say nothing when it is too much. */
enum { PASTE_MAX = 64 << 10, COPY_MAX = 8 << 10 };

/* A bracketed paste: what a terminal sends between ESC [ 200 ~ and ESC [ 201 ~. */
struct paste {
	char text[PASTE_MAX + 1]; /* once it has ended: UTF-8, null-terminated */
	size_t length;
	bool cut;          /* there was more */
	bool after_return; /* the last byte was one */
	size_t matched;    /* bytes of the end marker that have come */
};

void paste_begin(struct paste *);
/* True when this byte is the last one of the end marker. */
bool paste_take(struct paste *, unsigned char byte);
/* Makes the text fit to be shown: line ends are '\n', other control characters but tabs are gone,
   bytes that are no UTF-8 are '?'. */
void paste_end(struct paste *);
/* All of that after paste_begin, with what `fd` has to read. One that does not end as it should
   ends with a pause, so that keys are keys again. False: a long one goes on, and the next call
   reads more; in between the caller can look after other things. */
bool paste_read(struct paste *, int fd);

enum { COPY_SEQUENCE_MAX = COPY_MAX / 3 * 4 + 16 };
/* The sequence (OSC 52) that has a terminal copy a text. Its length; 0 for too long a text. */
size_t copy_sequence(const char *text, char out[COPY_SEQUENCE_MAX]);

#endif

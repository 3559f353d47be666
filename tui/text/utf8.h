/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text as code points. */
#ifndef TUI_TEXT_UTF8_H
#define TUI_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* One code point of UTF-8, stepping `*text` past it; bytes that are none become '?'. */
uint32_t utf8_decode(const char **text);
/* Returns the bytes written, at most 4; no terminator. */
size_t utf8_encode(uint32_t glyph, char out[4]);
/* Code points in a text: its cells, since every glyph that is drawn is one cell wide. */
int utf8_length(const char *text);
/* How many bytes of a text go into `room`, whole characters only. */
size_t utf8_fitting(const char *text, size_t room);
/* How many bytes its first `characters` take, or all of them. */
size_t utf8_bytes(const char *text, int characters);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text as code points. */
#ifndef TUI_TEXT_UTF8_H
#define TUI_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Reads one code point and advances `*text` past it; invalid bytes become '?'. */
uint32_t utf8_decode(const char **text);
/* Returns the number of bytes written, at most 4; no terminator. */
size_t utf8_encode(uint32_t glyph, char out[4]);
/* Code points in a text: also its cells, since every glyph drawn is one cell wide. */
int utf8_length(const char *text);
/* How many bytes of a text fit into `room` without splitting a character. */
size_t utf8_fitting(const char *text, size_t room);
/* How many bytes its first `characters` take, or all of them if there are fewer. */
size_t utf8_bytes(const char *text, int characters);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "utf8.h"

#include <stdbool.h>
#include <string.h>

uint32_t utf8_decode(const char **text)
{
	static const unsigned char mask[] = {0x7F, 0x1F, 0x0F, 0x07};
	unsigned char lead = (unsigned char)*(*text)++;
	int tail = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : -1;
	if (tail < 0 || lead >= 0xF8)
		return '?';
	uint32_t glyph = lead & mask[tail];
	for (; tail > 0; tail--, (*text)++) {
		unsigned char c = (unsigned char)**text;
		if ((c & 0xC0) != 0x80)
			return '?';
		glyph = glyph << 6 | (c & 0x3F);
	}
	const bool is_none = glyph > 0x10FFFF || (glyph >= 0xD800 && glyph < 0xE000);
	return is_none ? '?' : glyph;
}

size_t utf8_encode(uint32_t glyph, char out[4])
{
	if (glyph < 0x80) {
		out[0] = (char)glyph;
		return 1;
	}
	size_t tail = glyph < 0x800 ? 1 : glyph < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
	out[0] = (char)(lead[tail] | glyph >> (6 * tail));
	for (size_t i = 1; i <= tail; i++)
		out[i] = (char)(0x80 | (glyph >> (6 * (tail - i)) & 0x3F));
	return tail + 1;
}

int utf8_length(const char *text)
{
	int length = 0;
	while (*text) {
		utf8_decode(&text);
		length++;
	}
	return length;
}

size_t utf8_fitting(const char *text, size_t room)
{
	size_t length = strlen(text);
	if (length <= room)
		return length;
	while (room > 0 && (text[room] & 0xC0) == 0x80)
		room--;
	return room;
}

size_t utf8_bytes(const char *text, int characters)
{
	const char *end = text;
	for (; *end && characters > 0; characters--)
		utf8_decode(&end);
	return (size_t)(end - text);
}

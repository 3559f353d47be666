/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int el_utf8(const char *text, size_t length, uint32_t *out)
{
	static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
	const unsigned char *bytes = (const unsigned char *)text;
	const unsigned char lead = bytes[0];
	/* bytes of the character that starts with this one; 0: none does */
	const int count = lead < 0x80                  ? 1
	                  : lead < 0xC2 || lead > 0xF4 ? 0
	                  : lead < 0xE0                ? 2
	                  : lead < 0xF0                ? 3
	                                               : 4;
	uint32_t character = lead & mask[count];
	for (int i = 1; i < count; i++) {
		if ((size_t)i == length)
			return 0;
		if ((bytes[i] & 0xC0) != 0x80)
			return -1;
		character = character << 6 | (bytes[i] & 0x3F);
	}
	*out = character;
	/* an overlong encoding, half of a surrogate pair, or past the last character */
	const bool none = (count == 3 && character < 0x800) ||
	                  (count == 4 && character < 0x10000) ||
	                  (character >= 0xD800 && character < 0xE000) || character > 0x10FFFF;
	return !count || none ? -1 : count;
}

bool el_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

size_t el_show_first(const char *text, size_t length, size_t *taken, char out[EL_SHOWN_MAX])
{
	uint32_t character;
	const int bytes = el_utf8(text, length, &character);
	*taken = bytes < 0 ? 1 : (size_t)bytes;
	if (bytes < 0)
		return (size_t)snprintf(out, EL_SHOWN_MAX, "\\x%02hhx", (unsigned char)*text);
	if (bytes > 0 && el_is_control(character))
		return (size_t)snprintf(out, EL_SHOWN_MAX, "\\u%04hx", (uint16_t)character);
	memcpy(out, text, *taken);
	return *taken;
}

void el_show(const char *text, char *out, size_t room)
{
	size_t left = strlen(text), used = 0, taken;
	/* Most texts are printable ASCII. This is fast, because no branch depends on a byte. */
	bool odd = left >= room;
	for (size_t i = 0; i < left; i++)
		odd |= (unsigned char)(text[i] - ' ') > '~' - ' ';
	if (!odd) {
		memcpy(out, text, left + 1);
		return;
	}
	/* Includes the terminator, so that a truncated last character is an error, not a
	   beginning. */
	for (left++; *text; text += taken, left -= taken) {
		char shown[EL_SHOWN_MAX];
		const size_t bytes = el_show_first(text, left, &taken, shown);
		if (used + bytes >= room)
			break;
		memcpy(out + used, shown, bytes);
		used += bytes;
	}
	out[used] = '\0';
}

/* ---- lists of words ---- */

void el_text_add(char *text, size_t size, const char *format, ...)
{
	const size_t used = strlen(text);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text + used, size - used, format, arguments);
	va_end(arguments);
}

void el_words_add(char *list, size_t size, const char *comma, const char *word)
{
	el_text_add(list, size, "%s%s", *list ? comma : "", word);
}

enum el_status el_words_find(const char *const *known, const char *word, const char *what,
                             unsigned *place, struct el_error *error)
{
	char list[256] = "";
	for (*place = 0; known[*place]; ++*place) {
		if (!strcmp(known[*place], word))
			return EL_OK;
		el_words_add(list, sizeof list, ", ", known[*place]);
	}
	return el_fail(error, EL_USAGE, "%s '%s': expected one of %s", what, word, list);
}

/* ---- amounts ---- */

const char *el_amount(double amount, const char *const *units, unsigned last,
                      char out[EL_AMOUNT_MAX])
{
	unsigned unit = 0;
	for (; amount >= 999.5 && unit < last; unit++)
		amount /= 1000;
	snprintf(out, EL_AMOUNT_MAX, amount < 9.95 && unit ? "%.1f %s" : "%.0f %s", amount,
	         units[unit]);
	return out;
}

const char *el_bytes(double bytes, char out[EL_AMOUNT_MAX])
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
	return el_amount(bytes, units, 4, out);
}

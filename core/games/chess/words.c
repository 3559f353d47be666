/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words.h"

#include "core/games/game.h"

#include <string.h>

struct chess_word chess_word_of(const char *text, size_t length)
{
	return (struct chess_word){text, (int)(length < EL_FEN_MAX ? length : EL_FEN_MAX)};
}

bool chess_is_word(const struct chess_word *word, const char *text)
{
	return (size_t)word->length == strlen(text) && !strncmp(word->text, text, strlen(text));
}

bool chess_number(const struct chess_word *digits, uint16_t least, uint16_t *number)
{
	unsigned value = digits->length && digits->length <= 5 ? 0 : UINT16_MAX + 1u;
	for (int i = 0; i < digits->length && value <= UINT16_MAX; i++) {
		char c = digits->text[i];
		value = c >= '0' && c <= '9' ? value * 10 + (unsigned)(c - '0') : UINT16_MAX + 1u;
	}
	if (value < least || value > UINT16_MAX)
		return false;
	*number = (uint16_t)value;
	return true;
}

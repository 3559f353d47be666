/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a FEN or EPD, and the numbers of its clocks. */
#ifndef CORE_GAMES_CHESS_WORDS_H
#define CORE_GAMES_CHESS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHESS_BLANKS    " \t\r\n"
#define CHESS_HALFMOVES "a number from 0 to 65535"
#define CHESS_FULLMOVES "a number from 1 to 65535"

/* A part of a text, not terminated. A long one is truncated: its beginning is enough to show that
   it is wrong. */
struct chess_word {
	const char *text;
	int length;
};

static inline bool chess_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct chess_word chess_word_of(const char *text, size_t length);
bool chess_is_word(const struct chess_word *, const char *text);
/* Sets *number; false, with *number untouched, if the word is not a number from `least` to
   65535. */
bool chess_number(const struct chess_word *, uint16_t least, uint16_t *number);

#endif

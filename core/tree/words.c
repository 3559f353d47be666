/* SPDX-License-Identifier: MIT */
/* What games contain besides PGN: two tables, which the manual shows as well, and how words are looked up. */
#include "core/base/text.h"
#include "read.h"

#include <ctype.h>
#include <string.h>

#define DIGITS "0123456789"

const struct el_spelling el_signs[] = {
	{"‐ ‑ ‒ – — ― −", "-", "dashes and the minus sign"},
	{"×", "x", NULL},
	{"½", "1/2", NULL},
	{"♔ ♚", "K", NULL},
	{"♕ ♛", "Q", NULL},
	{"♖ ♜", "R", NULL},
	{"♗ ♝", "B", NULL},
	{"♘ ♞", "N", NULL},
	{"♙ ♟", "", "pawns have no letter"},
	{NULL, NULL, NULL},
};

const struct el_spelling el_words[] = {
	/* results */
	{"1:0 +:-", "1-0", NULL},
	{"0:1 -:+", "0-1", NULL},
	{"1/2 1/2:1/2 0.5-0.5 0.5:0.5", "1/2-1/2", NULL},
	/* null moves */
	{"Z0 null pass @@@@", "--", "the side to move passes"},
	/* judgements of moves */
	{"□", "$7", "the only move"},
	{"TN N", "$146", "a novelty"},
	/* judgements of positions */
	{"=", "$10", "equal"},
	{"∞ ~", "$13", "unclear"},
	{"⩲ += +/=", "$14", "White is slightly better"},
	{"⩱ =+ =/+", "$15", "Black is slightly better"},
	{"± +/-", "$16", "White is better"},
	{"∓ -/+", "$17", "Black is better"},
	{"+-", "$18", "White is winning"},
	{"-+", "$19", "Black is winning"},
	{"+--", "$20", "White should have won by now"},
	{"--+", "$21", "Black should have won by now"},
	{"⨀ ⊙", "$22", "zugzwang"},
	{"○", "$26", "more space"},
	{"⟳ ↻", "$32", "ahead in development"},
	{"↑", "$36", "the initiative"},
	{"→", "$40", "an attack"},
	{"=∞ ∞= ~=", "$44", "compensation"},
	{"⇆ ⇄ ⟺ ⇔", "$132", "counterplay"},
	{"⊕ ⨁", "$138", "time trouble"},
	{"∆ Δ △", "$140", "with the idea"},
	{"⌓", "$142", "better is"},
	{"RR", "$145", "an editor's comment"},
	{"D", "$220", "a diagram"},
	/* without a meaning of their own */
	{"e.p. ep", "", "en passant"},
	{"+ ++ # ch ch. mate", "", "check"},
	{"⊥ ∟ ∥ ⟂", "", "signs without a number in PGN"},
	{NULL, NULL, NULL},
};

/* The row with this spelling; null if there is none. */
static const struct el_spelling *find(const struct el_spelling *table, const char *word,
                                      size_t length)
{
	for (; length && table->written; table++)
		for (const char *p = table->written; *p; p += strspn(p, " ")) {
			const size_t size = strcspn(p, " ");
			if (size == length && !memcmp(p, word, length))
				return table;
			p += size;
		}
	return NULL;
}

const char *tree_spelled(const char *word)
{
	const struct el_spelling *row = find(el_words, word, strlen(word));
	return row ? row->read : NULL;
}

size_t tree_spelled_suffix(const char *word, const char **read)
{
	const char *p = word;
	*read = NULL;
	while (*p && !(*read = tree_spelled(p)))
		p++;
	return *read && **read == '$' ? (size_t)(p - word) : 0;
}

size_t tree_take_character(const char *text, size_t length, uint32_t *character)
{
	const int taken = el_utf8(text, length, character);
	if (taken > 0)
		return (size_t)taken;
	const unsigned char byte = (unsigned char)*text;
	*character = byte == 0x85 ? 0x2026 : byte == 0x96 ? 0x2013 : byte == 0x97 ? 0x2014 : byte;
	return 1;
}

size_t tree_put_character(uint32_t c, char out[4])
{
	const unsigned count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
	for (unsigned i = count; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3F));
	out[0] = (char)(lead[count] | c);
	return count;
}

void tree_plain(const char *text, size_t length, char *out, size_t room)
{
	size_t used = 0, taken;
	for (; length; text += taken, length -= taken) {
		uint32_t character;
		char sign[4];
		taken = tree_take_character(text, length, &character);
		if (character == 0xFE0E || character == 0xFE0F)
			continue; /* how a sign is to be shown */
		if (el_is_control(character))
			character = 0xFFFD;
		size_t size = tree_put_character(character, sign);
		const char *put = sign;
		const struct el_spelling *row = size > 1 ? find(el_signs, sign, size) : NULL;
		if (row) {
			put = row->read;
			size = strlen(put);
		}
		if (used + size >= room)
			break;
		memcpy(out + used, put, size);
		used += size;
	}
	out[used] = '\0';
}

size_t lex_blank(const char *p, const char *end)
{
	uint32_t c;
	if (p == end)
		return 0;
	if ((unsigned char)*p < 0x80)
		return lex_is_blank(*p);
	const size_t taken = tree_take_character(p, (size_t)(end - p), &c);
	return c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200F) ||
	                       (c >= 0x2028 && c <= 0x202F) || c == 0x205F || c == 0x2060 ||
	                       c == 0x3000 || c == 0xFEFF
	               ? taken
	               : 0;
}

size_t lex_character(const char *p, const char *end)
{
	uint32_t character;
	return (unsigned char)*p < 0x80 ? 1 : tree_take_character(p, (size_t)(end - p), &character);
}

const char *tree_result(const char *word, const struct el_game *game)
{
	static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*",
	                                      "2-0", "0-2", "1-1",     "0-0"};
	if (isalpha((unsigned char)*word))
		return NULL;
	const char *spelled = strpbrk(word, ":/.") ? tree_spelled(word) : NULL;
	word = spelled ? spelled : word;
	const size_t last = game->pdn_type ? 8 : 7; /* in chess, 0-0 is castling */
	for (size_t i = 0; i < last; i++)
		if (!strcmp(results[i], word))
			return results[i];
	/* In a game of stones, those that each side has. */
	const size_t south = strspn(word, DIGITS),
		     north = strspn(word + south + (word[south] == '-'), DIGITS);
	const bool stones = south && south < 3 && word[south] == '-' && north && north < 3;
	return game->sows && stones && !word[south + 1 + north] ? word : NULL;
}

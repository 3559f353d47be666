/* SPDX-License-Identifier: MIT */
/* Positions in the style of Portable Draughts Notation, "W:W21,22:B1", shared by several games. */
#ifndef CORE_GAMES_PDN_H
#define CORE_GAMES_PDN_H

#include "game.h"

#include <ctype.h>
#include <string.h>

/* Does the text name points, "Wd7" or ",d7", or men in hand, "+9"? */
static inline bool pdn_names_points(const char *text)
{
	for (const char *p = text; *p; p++)
		if (*p == '+' || (strchr("WB,", *p) && p[1] >= 'a' && p[1] <= 'g'))
			return true;
	return false;
}

/* Does a text look like a position, with points or with numbered squares? No other notation has a
   colon after the first letter. Lower case is accepted here, so that the parser can report it. */
static inline bool pdn_looks_like(const char *text, bool points)
{
	text += strspn(text, " \t\r\n");
	return *text && strchr("WB", toupper((unsigned char)*text)) && text[1] == ':' &&
	       pdn_names_points(text) == points;
}

/* ---- reading ---- */

struct pdn_parser {
	const char *text, *p; /* the text, and its next character */
	struct el_position position;
	struct el_error *error;
};

extern const char pdn_blanks[];
extern const char pdn_sides[]; /* the letters, by enum el_side */

/* Fails with the found number, point, other character, or end of text. */
enum el_status pdn_fail(const struct pdn_parser *, const char *expected);
/* Takes the character if it is next. */
bool pdn_take(struct pdn_parser *, char);
/* The side of a letter, or -1. */
int pdn_side(char);
/* Takes a number from `least` to `most`; `most` is below a million. */
enum el_status pdn_take_number(struct pdn_parser *, unsigned least, unsigned most,
                               const char *expected, unsigned *number);

#endif

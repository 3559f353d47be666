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

/* A parser at the first character that is no blank. */
struct pdn_parser pdn_begin(const char *text, struct el_error *);
extern const char pdn_sides[]; /* the letters, by enum el_side */

/* Fails with the found number, point, other character, or end of text. */
enum el_status pdn_fail(const struct pdn_parser *, const char *expected);
/* Takes the character if it is next. */
bool pdn_take(struct pdn_parser *, char);
/* The side of a letter, or -1. */
int pdn_side(char);
/* Takes the letter of the side to move, then what `read` takes for each side, in either order. `side`: whose
   it must be, or -1, which `read` sets. */
enum el_status pdn_take_sides(struct pdn_parser *,
                              enum el_status (*read)(struct pdn_parser *, int *side));
/* Takes blanks up to the end of the text, and checks the position, which is the result. */
enum el_status pdn_finish(struct pdn_parser *, const char *expected,
                          enum el_status (*check)(const struct el_position *, struct el_error *),
                          struct el_position *out);
/* Takes a number from `least` to `most`; `most` is below a million. */
enum el_status pdn_take_number(struct pdn_parser *, unsigned least, unsigned most,
                               const char *expected, unsigned *number);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions in the manner of Portable Draughts Notation, "W:W21,22:B1", which more than one game has. */
#ifndef ENDLAB_GAMES_PDN_H
#define ENDLAB_GAMES_PDN_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Do pieces stand on points with letters, "Wd7" or ",d7", or are they in hand, "+9"? */
static inline bool pdn_names_points(const char *text)
{
	for (const char *p = text; *p; p++)
		if (*p == '+' || (strchr("WB,", *p) && p[1] >= 'a' && p[1] <= 'g'))
			return true;
	return false;
}

/* Is a text meant as a position, with points or with squares that have numbers? No position of another
   kind has a colon behind its first letter. Small letters are told to be wrong. */
static inline bool pdn_looks_like(const char *text, bool points)
{
	text += strspn(text, " \t\r\n");
	return *text && strchr("WB", toupper((unsigned char)*text)) && text[1] == ':' &&
	       pdn_names_points(text) == points;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pdn.h"

#include <stdio.h>

const char pdn_blanks[] = " \t\r\n";
const char pdn_sides[] = "WB";

enum { LONGEST = 20 }; /* characters of what is found */

/* How many characters belong together at the next one. A letter behind a colon is that of a
   side. */
static size_t word_length(const struct pdn_reader *reader)
{
	const char *p = reader->p;
	const size_t digits = strspn(p, "0123456789");
	if (digits)
		return digits < LONGEST ? digits : LONGEST;
	const bool begins = p == reader->text || p[-1] == ':';
	return !begins && *p >= 'a' && *p <= 'h' && isdigit((unsigned char)p[1]) ? 2 : 1;
}

enum el_status pdn_fail(const struct pdn_reader *reader, const char *expected)
{
	const char *p = reader->p;
	char found[LONGEST + 1] = "the end";
	if (isdigit((unsigned char)*p))
		snprintf(found, sizeof found, "%.*s", (int)word_length(reader), p);
	else if (*p)
		snprintf(found, sizeof found, "'%.*s'", (int)word_length(reader),
		         isprint((unsigned char)*p) ? p : "?");
	return el_fail(reader->error, EL_NEGATIVE, "character %zu: expected %s, found %s",
	               (size_t)(p - reader->text) + 1, expected, found);
}

bool pdn_take(struct pdn_reader *reader, char c)
{
	if (*reader->p != c)
		return false;
	reader->p++;
	return true;
}

int pdn_side(char c)
{
	const char *letter = c ? strchr(pdn_sides, c) : NULL;
	return letter ? (int)(letter - pdn_sides) : -1;
}

enum el_status pdn_take_number(struct pdn_reader *reader, unsigned least, unsigned most,
                               const char *expected, unsigned *number)
{
	const char *p = reader->p;
	*number = 0;
	for (; isdigit((unsigned char)*p) && *number <= most; p++)
		*number = *number * 10 + (unsigned)(*p - '0');
	if (p == reader->p || *number < least || *number > most)
		return pdn_fail(reader, expected);
	reader->p = p;
	return EL_OK;
}

/* SPDX-License-Identifier: MIT */
#include "pdn.h"

#include <stdio.h>

const char pdn_blanks[] = " \t\r\n";
const char pdn_sides[] = "WB";

enum { LONGEST = 20 }; /* characters of the text found, in errors */

struct pdn_parser pdn_begin(const char *text, struct el_error *error)
{
	return (struct pdn_parser){
		.text = text,
		.p = text + strspn(text, pdn_blanks),
		.position = {.en_passant = EL_NO_SQUARE, .fullmove = 1},
		.error = error,
	};
}

/* How many characters the next word has. A letter after a colon stands for a side. */
static size_t word_length(const struct pdn_parser *parser)
{
	const char *p = parser->p;
	const size_t digits = strspn(p, "0123456789");
	if (digits)
		return digits < LONGEST ? digits : LONGEST;
	const bool begins = p == parser->text || p[-1] == ':';
	return !begins && *p >= 'a' && *p <= 'h' && isdigit((unsigned char)p[1]) ? 2 : 1;
}

enum el_status pdn_fail(const struct pdn_parser *parser, const char *expected)
{
	const char *p = parser->p;
	char found[LONGEST + 1] = "the end";
	if (isdigit((unsigned char)*p))
		snprintf(found, sizeof found, "%.*s", (int)word_length(parser), p);
	else if (*p)
		snprintf(found, sizeof found, "'%.*s'", (int)word_length(parser),
		         isprint((unsigned char)*p) ? p : "?");
	return el_fail(parser->error, EL_NEGATIVE, "character %zu: expected %s, found %s",
	               (size_t)(p - parser->text) + 1, expected, found);
}

bool pdn_take(struct pdn_parser *parser, char c)
{
	if (*parser->p != c)
		return false;
	parser->p++;
	return true;
}

int pdn_side(char c)
{
	const char *letter = c ? strchr(pdn_sides, c) : NULL;
	return letter ? (int)(letter - pdn_sides) : -1;
}

enum el_status pdn_take_sides(struct pdn_parser *parser,
                              enum el_status (*read)(struct pdn_parser *, int *side))
{
	const int mover = pdn_side(*parser->p);
	int side = -1;
	if (mover < 0)
		return pdn_fail(parser, "the side to move, 'W' or 'B'");
	parser->position.side = (uint8_t)mover;
	parser->p++;
	const enum el_status status = read(parser, &side);
	side = !side;
	return status ? status : read(parser, &side);
}

enum el_status pdn_finish(struct pdn_parser *parser, const char *expected,
                          enum el_status (*check)(const struct el_position *, struct el_error *),
                          struct el_position *out)
{
	parser->p += strspn(parser->p, pdn_blanks);
	if (*parser->p)
		return pdn_fail(parser, expected);
	const enum el_status status = check(&parser->position, parser->error);
	if (!status)
		*out = parser->position;
	return status;
}

enum el_status pdn_take_number(struct pdn_parser *parser, unsigned least, unsigned most,
                               const char *expected, unsigned *number)
{
	const char *p = parser->p;
	*number = 0;
	for (; isdigit((unsigned char)*p) && *number <= most; p++)
		*number = *number * 10 + (unsigned)(*p - '0');
	if (p == parser->p || *number < least || *number > most)
		return pdn_fail(parser, expected);
	parser->p = p;
	return EL_OK;
}

/* SPDX-License-Identifier: MIT */
/*
 * Positions in Portable Draughts Notation, read strictly: "W:WK3,20:BK30" is the side to move, then
 * the squares of each side's pieces, with a K before kings. Squares may be ranges, "21-24", and the
 * colours may come in either order. The counters that some programs append, ":H0:F1", are the plies
 * without a capture or man move and the move number.
 */
#include "checkers.h"

#include "core/games/pdn.h"

#include <stdio.h>
#include <string.h>

/* ---- pieces ---- */

/* "K3", "20", "21-24" */
static enum el_status read_pieces(struct pdn_parser *parser, unsigned side)
{
	static const char square[] = "a square from 1 to 32";
	const unsigned kind = pdn_take(parser, 'K') ? CHECKERS_KING : CHECKERS_MAN;
	const char *expected = kind == CHECKERS_KING ? square : "'K' or a square from 1 to 32";
	unsigned first, last;
	enum el_status status = pdn_take_number(parser, 1, CHECKERS_SQUARES, expected, &first);
	last = first;
	if (status == EL_OK && pdn_take(parser, '-'))
		status = pdn_take_number(parser, 1, CHECKERS_SQUARES, square, &last);
	if (status == EL_OK && last < first)
		return el_fail(parser->error, EL_NEGATIVE,
		               "the range %u-%u: expected the smaller number first", first, last);
	for (; status == EL_OK && first <= last; first++) {
		unsigned there, what;
		if (el_piece_at(&parser->position, (uint8_t)(first - 1), &there, &what))
			return el_fail(parser->error, EL_NEGATIVE, "two pieces are on %u", first);
		parser->position.set[side][kind] |= checkers_bit(first - 1);
	}
	return status;
}

/* ":WK3,20". An empty list is a fault of the position, not of the
   text. */
static enum el_status read_side(struct pdn_parser *parser, int *side)
{
	static const char *const expected[2][3] = {{"':W' or ':B'", "':W'", "':B'"},
	                                           {"'W' or 'B'", "'W'", "'B'"}};
	const bool colon = pdn_take(parser, ':');
	const int found = pdn_side(*parser->p);
	if (!colon || found < 0 || (*side >= 0 && found != *side))
		return pdn_fail(parser, expected[colon][*side + 1]);
	parser->p++;
	*side = found;
	enum el_status status = EL_OK;
	if (!*parser->p || strchr(":. \t\r\n", *parser->p))
		return EL_OK;
	do
		status = read_pieces(parser, (unsigned)found);
	while (status == EL_OK && pdn_take(parser, ','));
	return status;
}

/* ---- the rest ---- */

/* ":H0" or ":F1", both optional. */
static enum el_status read_counter(struct pdn_parser *parser, char letter, uint16_t *counter)
{
	unsigned number = *counter;
	enum el_status status = EL_OK;
	if (parser->p[0] == ':' && parser->p[1] == letter) {
		parser->p += 2;
		status = pdn_take_number(parser, 0, UINT16_MAX, "a number up to 65535", &number);
	}
	*counter = (uint16_t)number;
	return status;
}

bool checkers_looks_like(const char *fen)
{
	return pdn_looks_like(fen, false);
}

enum el_status checkers_parse(const char *fen, struct el_position *out, struct el_error *error)
{
	struct pdn_parser parser = pdn_begin(fen, error);
	enum el_status status = pdn_take_sides(&parser, read_side);
	if (status == EL_OK)
		status = read_counter(&parser, 'H', &parser.position.halfmove);
	if (status == EL_OK)
		status = read_counter(&parser, 'F', &parser.position.fullmove);
	if (status != EL_OK)
		return status;
	pdn_take(&parser, '.');
	return pdn_finish(&parser, "',' or the end", checkers_check, out);
}

/* ---- writing ---- */

static char *write_side(const struct el_position *position, unsigned side, char *p)
{
	const uint32_t kings = (uint32_t)position->set[side][CHECKERS_KING];
	uint32_t pieces = kings | (uint32_t)position->set[side][CHECKERS_MAN];
	p += sprintf(p, ":%c", pdn_sides[side]);
	for (const char *comma = ""; pieces; comma = ",") {
		const unsigned square = checkers_pop(&pieces);
		p += sprintf(p, "%s%s%u", comma, kings >> square & 1 ? "K" : "", square + 1);
	}
	return p;
}

/* A position being set up may have more pieces than fit: the text is truncated. */
void checkers_format(const struct el_position *position, char out[EL_FEN_MAX])
{
	char text[2 * CHECKERS_SQUARES * 4 + 16]; /* ",K32" on each square */
	text[0] = pdn_sides[position->side != EL_WHITE];
	write_side(position, EL_BLACK, write_side(position, EL_WHITE, text + 1));
	snprintf(out, EL_FEN_MAX, "%.*s", EL_FEN_MAX - 1, text);
}

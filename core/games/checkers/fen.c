/* SPDX-License-Identifier: MIT */
/*
 * Positions in Portable Draughts Notation, read strictly: "W:WK3,20:BK30" is the side to move, then
 * the squares of each side's pieces, with a K before kings. Squares may be ranges, "21-24", and the
 * colours may come in either order. The counters that some programs append, ":H0:F1", are the plies
 * without a capture or man move and the move number.
 */
#include "checkers.h"

#include "core/games/pdn.h"

#include <stdarg.h>
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

enum { EITHER = -1 };

/* ":WK3,20"; sets *side if it was not given. An empty list is a fault of the position, not of the
   text. */
static enum el_status read_side(struct pdn_parser *parser, int *side)
{
	static const char *const expected[2][3] = {{"':W' or ':B'", "':W'", "':B'"},
	                                           {"'W' or 'B'", "'W'", "'B'"}};
	const bool colon = pdn_take(parser, ':');
	const int found = pdn_side(*parser->p);
	if (!colon || found < 0 || (*side != EITHER && found != *side))
		return pdn_fail(parser, expected[colon][*side - EITHER]);
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
	struct pdn_parser parser = {
		.text = fen,
		.p = fen,
		.position = {.en_passant = EL_NO_SQUARE, .fullmove = 1},
		.error = error,
	};
	int first = EITHER, second;
	parser.p += strspn(parser.p, pdn_blanks);
	const int mover = pdn_side(*parser.p);
	if (mover < 0)
		return pdn_fail(&parser, "the side to move, 'W' or 'B'");
	parser.position.side = (uint8_t)mover;
	parser.p++;

	enum el_status status = read_side(&parser, &first);
	second = !first;
	if (status == EL_OK)
		status = read_side(&parser, &second);
	if (status == EL_OK)
		status = read_counter(&parser, 'H', &parser.position.halfmove);
	if (status == EL_OK)
		status = read_counter(&parser, 'F', &parser.position.fullmove);
	if (status != EL_OK)
		return status;
	pdn_take(&parser, '.');
	parser.p += strspn(parser.p, pdn_blanks);
	if (*parser.p)
		return pdn_fail(&parser, "',' or the end");
	status = checkers_check(&parser.position, error);
	if (status == EL_OK)
		*out = parser.position;
	return status;
}

/* ---- writing ---- */

/* A position being set up may have more pieces than fit: the text is truncated. */
struct writer {
	char *out;
	size_t used;
};

static void __attribute__((format(printf, 2, 3)))
put_text(struct writer *writer, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int length =
		vsnprintf(writer->out + writer->used, EL_FEN_MAX - writer->used, format, arguments);
	va_end(arguments);
	const size_t room = EL_FEN_MAX - 1 - writer->used;
	writer->used += (size_t)length < room ? (size_t)length : room;
}

static void write_side(struct writer *writer, const struct el_position *position, unsigned side)
{
	const uint32_t kings = (uint32_t)position->set[side][CHECKERS_KING];
	uint32_t pieces = kings | (uint32_t)position->set[side][CHECKERS_MAN];
	put_text(writer, ":%c", pdn_sides[side]);
	for (const char *comma = ""; pieces; comma = ",") {
		const unsigned square = checkers_pop(&pieces);
		put_text(writer, "%s%s%u", comma, kings >> square & 1 ? "K" : "", square + 1);
	}
}

void checkers_format(const struct el_position *position, char out[EL_FEN_MAX])
{
	struct writer writer = {.out = out};
	put_text(&writer, "%c", pdn_sides[position->side != EL_WHITE]);
	write_side(&writer, position, EL_WHITE);
	write_side(&writer, position, EL_BLACK);
}

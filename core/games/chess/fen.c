/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forsyth-Edwards notation, read strictly: every error names its place. EPD operations may follow;
 * they begin with a letter, which no clock does.
 */
#include "chess.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "KQRBNPkqrbnp"; /* side * CHESS_KINDS + kind */

enum { BOARD, SIDE, CASTLING, EN_PASSANT, HALFMOVE, FULLMOVE, FIELDS };

static const char *const field_names[FIELDS] = {"board",      "side to move",   "castling",
                                                "en passant", "halfmove clock", "move number"};

struct parser {
	struct chess_word field[FIELDS];
	unsigned count;         /* of all fields, including those past FIELDS */
	const char *operations; /* after the fields */
	struct el_position position;
	struct el_error *error;
};

/* Letters without any semicolon are a typing error in a clock. */
static bool begins_operation(const char *text)
{
	return (chess_is_letter(*text) || *text == '"' || *text == ';') && strchr(text, ';');
}

static void split(struct parser *parser, const char *fen)
{
	const char *p = fen + strspn(fen, CHESS_BLANKS);
	while (*p && !(parser->count >= HALFMOVE && begins_operation(p))) {
		size_t length = strcspn(p, CHESS_BLANKS);
		if (parser->count < FIELDS)
			parser->field[parser->count] = chess_word_of(p, length);
		parser->count++;
		p += length;
		p += strspn(p, CHESS_BLANKS);
	}
	parser->operations = p;
}

/* ---- fields ---- */

/* Reads one character of the board; `file` is its file, 8 or more past the end of the rank. */
static const char *read_square(struct parser *parser, char c, char before, unsigned rank,
                               unsigned *file)
{
	const char *letter = strchr(letters, c);
	if (c >= '1' && c <= '8') {
		*file += (unsigned)(c - '0');
		return before >= '1' && before <= '8' ? "two numbers in a row" : NULL;
	}
	if (!letter)
		return "expected one of KQRBNPkqrbnp, a number from 1 to 8, or '/'";
	if (*file < 8) {
		size_t piece = (size_t)(letter - letters);
		parser->position.set[piece / CHESS_KINDS][piece % CHESS_KINDS] |=
			chess_bit(rank * 8 + *file);
	}
	++*file;
	return NULL;
}

static enum el_status read_rank(struct parser *parser, const char *text, size_t length,
                                unsigned rank)
{
	unsigned file = 0;
	for (size_t i = 0; i < length; i++) {
		const char *why = read_square(parser, text[i], i ? text[i - 1] : '/', rank, &file);
		if (why)
			return el_fail(parser->error, EL_NEGATIVE,
			               "field 1 (board), rank %u '%.*s', character %zu '%c': %s",
			               rank + 1, (int)length, text, i + 1, text[i], why);
	}
	if (file != 8)
		return el_fail(parser->error, EL_NEGATIVE,
		               "field 1 (board), rank %u '%.*s': %u squares, expected 8", rank + 1,
		               (int)length, text, file);
	return EL_OK;
}

static enum el_status read_board(struct parser *parser)
{
	const struct chess_word *board = &parser->field[BOARD];
	const char *p = board->text, *end = p + board->length;
	unsigned ranks = 1;
	for (const char *c = p; c < end; c++)
		ranks += *c == '/';
	if (ranks != 8)
		return el_fail(parser->error, EL_NEGATIVE,
		               "field 1 (board) '%.*s': %u ranks, expected 8", board->length,
		               board->text, ranks);
	for (unsigned rank = 8; rank-- > 0;) {
		const char *slash = memchr(p, '/', (size_t)(end - p));
		size_t length = (size_t)((slash ? slash : end) - p);
		enum el_status status = read_rank(parser, p, length, rank);
		if (status != EL_OK)
			return status;
		p += length + 1;
	}
	return EL_OK;
}

static enum el_status fail_field(const struct parser *parser, unsigned field, const char *expected)
{
	return el_fail(parser->error, EL_NEGATIVE, "field %u (%s): expected %s, found '%.*s'",
	               field + 1, field_names[field], expected, parser->field[field].length,
	               parser->field[field].text);
}

static enum el_status read_side(struct parser *parser)
{
	const struct chess_word *side = &parser->field[SIDE];
	if (side->length != 1 || !strchr("wb", *side->text))
		return fail_field(parser, SIDE, "'w' or 'b'");
	parser->position.side = *side->text == 'w' ? EL_WHITE : EL_BLACK;
	return EL_OK;
}

/* Some of KQkq, in this order. chess_check tests whether king and rook are at home. */
static enum el_status read_castling(struct parser *parser)
{
	static const char all[] = CHESS_CASTLING_LETTERS;
	const struct chess_word *castling = &parser->field[CASTLING];
	const char *from = all;
	for (int i = 0; i < castling->length && !chess_is_word(castling, "-"); i++) {
		const char *right = strchr(from, castling->text[i]);
		if (!right)
			return fail_field(parser, CASTLING, "'-' or some of KQkq in this order");
		parser->position.castling |= (uint8_t)(1 << (right - all));
		from = right + 1;
	}
	return EL_OK;
}

/* chess_check tests whether a pawn can have passed the square. */
static enum el_status read_en_passant(struct parser *parser)
{
	const struct chess_word *field = &parser->field[EN_PASSANT];
	const bool white = parser->position.side == EL_WHITE;
	if (chess_is_word(field, "-"))
		return EL_OK;
	if (field->length != 2 || field->text[0] < 'a' || field->text[0] > 'h' ||
	    field->text[1] != (white ? '6' : '3'))
		return fail_field(parser, EN_PASSANT,
		                  white ? "'-' or a square on rank 6 (White is to move)"
		                        : "'-' or a square on rank 3 (Black is to move)");
	parser->position.en_passant =
		chess_square_at((unsigned)(field->text[0] - 'a'), (unsigned)(field->text[1] - '1'));
	return EL_OK;
}

static enum el_status read_clock(struct parser *parser, unsigned field, uint16_t least,
                                 uint16_t *number)
{
	static const char *const expected[][2] = {
		{CHESS_HALFMOVES, CHESS_HALFMOVES ", or an operation that ends in ';'"},
		{CHESS_FULLMOVES, CHESS_FULLMOVES ", or an operation that ends in ';'"},
	};
	if (chess_number(&parser->field[field], least, number))
		return EL_OK;
	const bool is_operation = chess_is_letter(*parser->field[field].text);
	return fail_field(parser, field, expected[field - HALFMOVE][is_operation]);
}

static enum el_status read_halfmove(struct parser *parser)
{
	return read_clock(parser, HALFMOVE, 0, &parser->position.halfmove);
}

static enum el_status read_fullmove(struct parser *parser)
{
	return read_clock(parser, FULLMOVE, 1, &parser->position.fullmove);
}

/* ---- the whole; the clocks may be left out ---- */

static enum el_status read_fields(struct parser *parser)
{
	static enum el_status (*const read[FIELDS])(struct parser *) = {
		read_board, read_side, read_castling, read_en_passant, read_halfmove, read_fullmove,
	};
	if (parser->count < HALFMOVE || parser->count > FIELDS)
		return el_fail(parser->error, EL_NEGATIVE,
		               "%u field%s, expected 4 to 6: board, side to move, castling, "
		               "en passant, halfmove clock, move number",
		               parser->count, parser->count == 1 ? "" : "s");
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < parser->count && status == EL_OK; i++)
		status = read[i](parser);
	if (status == EL_OK)
		status = chess_read_operations(parser->operations, parser->count - HALFMOVE,
		                               &parser->position, parser->error);
	return status;
}

/* Other games also write boards with slashes, but with a star for an empty point. */
bool chess_looks_like(const char *fen)
{
	const char *board = fen + strspn(fen, CHESS_BLANKS);
	size_t length = strcspn(board, CHESS_BLANKS);
	if (strcspn(board, "O@*") == 0 || !length)
		return false; /* rings of Nine Men's Morris, or an empty text */
	return memchr(board, '/', length) || strspn(board, "KQRBNPkqrbnp12345678") == length;
}

enum el_status chess_parse(const char *fen, struct el_position *out, struct el_error *error)
{
	struct parser parser = {
		.position = {.en_passant = EL_NO_SQUARE, .fullmove = 1},
		.error = error,
	};
	split(&parser, fen);
	enum el_status status = read_fields(&parser);
	if (status == EL_OK)
		status = chess_check(&parser.position, error);
	if (status != EL_OK)
		return status;
	chess_settle_en_passant(&parser.position);
	*out = parser.position;
	return EL_OK;
}

/* The letter of the piece on a square, or 0. */
static char letter_on(const struct el_position *position, unsigned square)
{
	for (unsigned i = 0; i < 2 * CHESS_KINDS; i++)
		if (position->set[i / CHESS_KINDS][i % CHESS_KINDS] >> square & 1)
			return letters[i];
	return '\0';
}

static char *write_rank(const struct el_position *position, unsigned rank, char *out)
{
	char empty = 0;
	for (unsigned square = rank * 8; square < rank * 8 + 8; square++) {
		char letter = letter_on(position, square);
		if (letter && empty)
			*out++ = (char)('0' + empty);
		empty = letter ? 0 : (char)(empty + 1);
		if (letter)
			*out++ = letter;
	}
	if (empty)
		*out++ = (char)('0' + empty);
	return out;
}

const char *chess_write_castling(uint8_t rights, char out[CHESS_CASTLINGS + 1])
{
	char *end = out;
	for (unsigned right = 0; right < CHESS_CASTLINGS; right++)
		if (rights >> right & 1)
			*end++ = CHESS_CASTLING_LETTERS[right];
	if (end == out)
		*end++ = '-';
	*end = '\0';
	return out;
}

void chess_format(const struct el_position *position, char out[EL_FEN_MAX])
{
	char board[72], castling[CHESS_CASTLINGS + 1], passed[4] = "-", *p = board;
	for (unsigned rank = 8; rank-- > 0;) {
		p = write_rank(position, rank, p);
		*p++ = rank ? '/' : '\0';
	}
	if (position->en_passant != EL_NO_SQUARE)
		chess_square_name(position->en_passant, passed);
	snprintf(out, EL_FEN_MAX, "%s %c %s %s %u %u", board, "wb"[position->side != EL_WHITE],
	         chess_write_castling(position->castling, castling), passed, position -> halfmove,
	         position -> fullmove);
}

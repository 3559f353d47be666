/* SPDX-License-Identifier: MIT */
/*
 * Forsyth-Edwards notation, read strictly: every error names its place. The operations of Extended
 * Position Description may follow, `bm Qc7; id "one; two";`: they begin with a letter, which no
 * clock does. Those that set the clocks are applied, all others are skipped.
 */
#include "chess.h"

#include <stdio.h>
#include <string.h>

#define BLANKS    " \t\r\n"
#define HALFMOVES "a number from 0 to 65535"
#define FULLMOVES "a number from 1 to 65535"

static const char letters[] = "KQRBNPkqrbnp"; /* side * CHESS_KINDS + kind */

/* A part of a text, not terminated. A long one is truncated: its beginning is enough to show that
   it is wrong. */
struct word {
	const char *text;
	int length;
};

enum { BOARD, SIDE, CASTLING, EN_PASSANT, HALFMOVE, FULLMOVE, FIELDS };

static const char *const field_names[FIELDS] = {"board",      "side to move",   "castling",
                                                "en passant", "halfmove clock", "move number"};

struct parser {
	struct word field[FIELDS];
	unsigned count;         /* of all fields, including those past FIELDS */
	const char *operations; /* after the fields */
	struct el_position position;
	struct el_error *error;
};

/* ---- words ---- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static struct word word_of(const char *text, size_t length)
{
	return (struct word){text, (int)(length < EL_FEN_MAX ? length : EL_FEN_MAX)};
}

static bool is_word(const struct word *word, const char *text)
{
	return (size_t)word->length == strlen(text) && !strncmp(word->text, text, strlen(text));
}

/* Sets *number; false, with *number untouched, if the word is not a number from `least` to
   65535. */
static bool read_number(const struct word *digits, uint16_t least, uint16_t *number)
{
	unsigned value = digits->length && digits->length <= 5 ? 0 : UINT16_MAX + 1u;
	for (int i = 0; i < digits->length && value <= UINT16_MAX; i++) {
		char c = digits->text[i];
		value = c >= '0' && c <= '9' ? value * 10 + (unsigned)(c - '0') : UINT16_MAX + 1u;
	}
	if (value < least || value > UINT16_MAX)
		return false;
	*number = (uint16_t)value;
	return true;
}

/* Letters without any semicolon are a typing error in a clock. */
static bool begins_operation(const char *text)
{
	return (is_letter(*text) || *text == '"' || *text == ';') && strchr(text, ';');
}

static void split(struct parser *parser, const char *fen)
{
	const char *p = fen + strspn(fen, BLANKS);
	while (*p && !(parser->count >= HALFMOVE && begins_operation(p))) {
		size_t length = strcspn(p, BLANKS);
		if (parser->count < FIELDS)
			parser->field[parser->count] = word_of(p, length);
		parser->count++;
		p += length;
		p += strspn(p, BLANKS);
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
	const struct word *board = &parser->field[BOARD];
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
	const struct word *side = &parser->field[SIDE];
	if (side->length != 1 || !strchr("wb", *side->text))
		return fail_field(parser, SIDE, "'w' or 'b'");
	parser->position.side = *side->text == 'w' ? EL_WHITE : EL_BLACK;
	return EL_OK;
}

/* Some of KQkq, in this order. chess_check tests whether king and rook are at home. */
static enum el_status read_castling(struct parser *parser)
{
	static const char all[] = CHESS_CASTLING_LETTERS;
	const struct word *castling = &parser->field[CASTLING];
	const char *from = all;
	for (int i = 0; i < castling->length && !is_word(castling, "-"); i++) {
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
	const struct word *field = &parser->field[EN_PASSANT];
	const bool white = parser->position.side == EL_WHITE;
	if (is_word(field, "-"))
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
		{HALFMOVES, HALFMOVES ", or an operation that ends in ';'"},
		{FULLMOVES, FULLMOVES ", or an operation that ends in ';'"},
	};
	if (read_number(&parser->field[field], least, number))
		return EL_OK;
	const bool is_operation = is_letter(*parser->field[field].text);
	return fail_field(parser, field, expected[field - HALFMOVE][is_operation]);
}

/* ---- operations ---- */

enum { OPCODE_MOST = 15 }; /* letters of an opcode, by the standard */

struct operation {
	unsigned number;             /* from 1 on */
	struct word opcode, operand; /* the first operand; empty: there is none */
};

struct clock {
	const char *opcode, *expected;
	bool given; /* by an earlier field or operation */
	uint16_t least, *number;
};

static enum el_status fail(const struct operation *o, const char *why, struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE, "operation %u (%.*s): %s", o->number, o->opcode.length,
	               o->opcode.text, why);
}

/* Reads one operation and advances *text. */
static enum el_status take(const char **text, struct operation *o, struct el_error *error)
{
	const char *p = *text;
	o->opcode = word_of(p, strcspn(p, BLANKS ";"));
	o->operand = (struct word){0};
	bool good = is_letter(*p) && o->opcode.length <= OPCODE_MOST;
	for (int i = 1; i < o->opcode.length; i++)
		good &= is_letter(p[i]) || (p[i] >= '0' && p[i] <= '9') || p[i] == '_';
	if (!good)
		return el_fail(
			error, EL_NEGATIVE,
			"operation %u: expected an opcode such as 'bm' or 'id', found '%.*s'",
			o->number, o->opcode.length ? o->opcode.length : 1, p);
	p += o->opcode.length;
	/* Operands are quoted strings, or words without blanks and semicolons. */
	for (p += strspn(p, BLANKS); *p && *p != ';'; p += strspn(p, BLANKS)) {
		const bool quoted = *p == '"';
		const char *end = quoted ? strchr(p + 1, '"') : p + strcspn(p, BLANKS ";");
		if (!end)
			return fail(
				o,
				"expected '\"' at the end of its string, found the end of the line",
				error);
		end += quoted;
		if (!o->operand.length)
			o->operand = word_of(p, (size_t)(end - p));
		p = end;
	}
	if (!*p)
		return fail(o, "expected ';' behind it, found the end of the line", error);
	*text = p + 1;
	return EL_OK;
}

static enum el_status set_clock(const struct operation *o, struct clock *clock,
                                struct el_error *error)
{
	uint16_t number = 0;
	if (!read_number(&o->operand, clock->least, &number))
		return el_fail(error, EL_NEGATIVE, "operation %u (%s): expected %s, found '%.*s'",
		               o->number, clock->opcode, clock->expected, o->operand.length,
		               o->operand.length ? o->operand.text : "");
	if (clock->given && number != *clock->number)
		return el_fail(error, EL_NEGATIVE,
		               "operation %u (%s): found %u, but the number was %u before",
		               o->number, clock->opcode, number, *clock->number);
	clock->given = true;
	*clock->number = number;
	return EL_OK;
}

/* Reads the text after the fields: opcodes with operands, each ending in a semicolon. */
static enum el_status read_operations(struct parser *parser)
{
	struct clock known[] = {
		{"hmvc", HALFMOVES, parser->count > HALFMOVE, 0, &parser->position.halfmove},
		{"fmvn", FULLMOVES, parser->count > FULLMOVE, 1, &parser->position.fullmove},
	};
	struct operation o = {.number = 1};
	enum el_status status = EL_OK;
	const char *text = parser->operations;
	for (; !status && *(text += strspn(text, BLANKS)); o.number++) {
		status = take(&text, &o, parser->error);
		for (size_t i = 0; !status && i < sizeof known / sizeof *known; i++)
			if (is_word(&o.opcode, known[i].opcode))
				status = set_clock(&o, &known[i], parser->error);
	}
	return status;
}

/* ---- the whole; the clocks may be left out ---- */

/* Other games also write boards with slashes, but with a star for an empty point. */
bool chess_looks_like(const char *fen)
{
	const char *board = fen + strspn(fen, BLANKS);
	size_t length = strcspn(board, BLANKS);
	if (strcspn(board, "O@*") == 0 || !length)
		return false; /* rings of Nine Men's Morris, or an empty text */
	return memchr(board, '/', length) || strspn(board, "KQRBNPkqrbnp12345678") == length;
}

enum el_status chess_parse(const char *fen, struct el_position *out, struct el_error *error)
{
	static enum el_status (*const read[HALFMOVE])(struct parser *) = {
		read_board, read_side, read_castling, read_en_passant};
	struct parser parser = {
		.position = {.en_passant = EL_NO_SQUARE, .fullmove = 1},
		.error = error,
	};
	struct el_position *position = &parser.position;
	split(&parser, fen);
	if (parser.count < HALFMOVE || parser.count > FIELDS)
		return el_fail(error, EL_NEGATIVE,
		               "%u field%s, expected 4 to 6: board, side to move, castling, "
		               "en passant, halfmove clock, move number",
		               parser.count, parser.count == 1 ? "" : "s");
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < HALFMOVE && !status; i++)
		status = read[i](&parser);
	if (!status && parser.count > HALFMOVE)
		status = read_clock(&parser, HALFMOVE, 0, &position->halfmove);
	if (!status && parser.count > FULLMOVE)
		status = read_clock(&parser, FULLMOVE, 1, &position->fullmove);
	if (!status)
		status = read_operations(&parser);
	if (!status)
		status = chess_check(position, error);
	if (status)
		return status;
	chess_settle_en_passant(position);
	*out = *position;
	return EL_OK;
}

/* ---- writing ---- */

static char *write_rank(const struct el_position *position, unsigned rank, char *out)
{
	char empty = 0;
	for (unsigned square = rank * 8; square < rank * 8 + 8; square++) {
		unsigned side, kind;
		if (!el_piece_at(position, (uint8_t)square, &side, &kind)) {
			empty++;
			continue;
		}
		if (empty)
			*out++ = (char)('0' + empty);
		empty = 0;
		*out++ = letters[side * CHESS_KINDS + kind];
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

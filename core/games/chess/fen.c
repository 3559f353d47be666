/* SPDX-License-Identifier: MIT */
/*
 * Forsyth-Edwards notation: two to six fields, with castling rights as in FEN, X-FEN or Shredder-FEN.
 * Blanks may be underscores, as in addresses of web pages; UCI's "position fen" may precede; a "-" may
 * stand for a clock. The operations of Extended Position Description may follow,
 * `bm Qc7; id "one; two";`: they begin with a letter, which no clock does. Those that set the clocks
 * are applied, all others are skipped.
 *
 * Read strictly, every error names its place. The lenient form leaves out what other programs write
 * although it cannot be, and notes it.
 */
#include "chess.h"

#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BLANKS  " \t\r\n"
#define NUMBERS "a number from 0 to 65535"

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
	char *note; /* null: read strictly */
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

/* Sets *number; false, with *number untouched, if the word is not a number up to 65535. */
static bool read_number(const struct word *digits, uint16_t *number)
{
	unsigned value = digits->length && digits->length <= 5 ? 0 : UINT16_MAX + 1u;
	for (int i = 0; i < digits->length && value <= UINT16_MAX; i++) {
		char c = digits->text[i];
		value = c >= '0' && c <= '9' ? value * 10 + (unsigned)(c - '0') : UINT16_MAX + 1u;
	}
	if (value > UINT16_MAX)
		return false;
	*number = (uint16_t)value;
	return true;
}

/* Adds a sentence to the note. */
static void __attribute__((format(printf, 2, 3)))
forgive(struct parser *parser, const char *format, ...)
{
	char text[EL_NOTE_MAX];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	el_words_add(parser->note, EL_NOTE_MAX, "; ", text);
}

/* Between fields. Loops, since strspn prepares for long texts. */
static bool is_blank(char c)
{
	return c == ' ' || c == '_' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_blanks(const char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

static const char *skip_field(const char *p)
{
	while (*p && *p != ';' && !is_blank(*p))
		p++;
	return p;
}

/* The board, behind the words with which UCI sets a position. */
static const char *board_of(const char *text)
{
	static const char *const words[] = {"position", "fen"};
	text = skip_blanks(text);
	for (size_t i = 0; i < 2; i++) {
		const size_t length = strlen(words[i]);
		if (!strncmp(text, words[i], length) && is_blank(text[length]))
			text = skip_blanks(text + length);
	}
	return text;
}

/* In the place of a clock, a letter is taken for a typing error in it, as are letters without any
   semicolon if read strictly. */
static bool begins_operation(const struct parser *parser, const char *text)
{
	const bool is_opcode = is_letter(*text) && strcspn(text, BLANKS) > 1;
	return (is_opcode && parser->note) ||
	       ((is_letter(*text) || *text == '"') && strchr(text, ';'));
}

static void split(struct parser *parser, const char *fen)
{
	const char *p = board_of(fen);
	while (*p && *p != ';' && !(parser->count >= HALFMOVE && begins_operation(parser, p))) {
		const char *end = skip_field(p);
		if (parser->count < FIELDS)
			parser->field[parser->count] = word_of(p, (size_t)(end - p));
		parser->count++;
		p = skip_blanks(end);
	}
	parser->operations = p;
}

/* ---- fields ---- */

static enum el_status read_rank(struct parser *parser, const char *text, size_t length,
                                unsigned rank)
{
	unsigned file = 0;
	bool number = false;
	for (size_t i = 0; i < length; i++) {
		const char *letter = strchr(letters, text[i]), *why = NULL;
		const bool after_number = number;
		number = text[i] >= '1' && text[i] <= '8';
		if (number && after_number)
			why = "two numbers in a row";
		else if (!number && !letter)
			why = "expected one of KQRBNPkqrbnp, a number from 1 to 8, or '/'";
		if (why)
			return el_fail(parser->error, EL_NEGATIVE,
			               "field 1 (board), rank %u '%.*s', character %zu '%c': %s",
			               rank + 1, (int)length, text, i + 1, text[i], why);
		if (letter && file < 8) {
			const size_t piece = (size_t)(letter - letters);
			parser->position.set[piece / CHESS_KINDS][piece % CHESS_KINDS] |=
				chess_bit(rank * 8 + file);
		}
		file += number ? (unsigned)(text[i] - '0') : 1;
	}
	if (file != 8)
		return el_fail(parser->error, EL_NEGATIVE,
		               "field 1 (board), rank %u '%.*s': %u square%s, expected 8", rank + 1,
		               (int)length, text, file, file == 1 ? "" : "s");
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
		               "field 1 (board) '%.*s': %u rank%s, expected 8", board->length,
		               board->text, ranks, ranks == 1 ? "" : "s");
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

/* Letters of the wings, KQkq, or of the rooks' files, HAha: what the board can have of them. */
static enum el_status read_castling(struct parser *parser)
{
	const struct word *castling = &parser->field[CASTLING];
	char out[CHESS_CASTLINGS_MAX + 1] = "", first[96];
	size_t count = 0;
	for (int i = 0; i < castling->length && !is_word(castling, "-"); i++) {
		const char letter = castling->text[i];
		struct el_error why;
		uint16_t right;
		if (!letter || !strchr("KQkqABCDEFGHabcdefgh", letter) ||
		    castling->length > CHESS_CASTLINGS_MAX)
			return fail_field(parser, CASTLING,
			                  "'-' or some of KQkq, or of the files of rooks, HAha");
		if (!chess_right_of(&parser->position, letter, &right, &why)) {
			parser->position.castling |= right;
			continue;
		}
		if (!parser->note)
			return el_fail(parser->error, EL_NEGATIVE, "castling %c: %s", letter,
			               why.text);
		if (!count)
			snprintf(first, sizeof first, "%.90s", why.text);
		out[count++] = letter;
	}
	if (count)
		forgive(parser, "castling %s left out: %s", out, first);
	return EL_OK;
}

static enum el_status read_en_passant(struct parser *parser)
{
	const struct word *field = &parser->field[EN_PASSANT];
	struct el_error why;
	if (is_word(field, "-"))
		return EL_OK;
	if (field->length != 2 || field->text[0] < 'a' || field->text[0] > 'h' ||
	    field->text[1] < '1' || field->text[1] > '8')
		return fail_field(parser, EN_PASSANT, "'-' or a square");
	parser->position.en_passant =
		chess_square_at((unsigned)(field->text[0] - 'a'), (unsigned)(field->text[1] - '1'));
	if (!chess_check_en_passant(&parser->position, &why)) {
		chess_settle_en_passant(&parser->position);
		return EL_OK;
	}
	if (!parser->note)
		return el_fail(parser->error, EL_NEGATIVE, "%s", why.text);
	parser->position.en_passant = EL_NO_SQUARE;
	forgive(parser, "en passant left out%s", strchr(why.text, ':'));
	return EL_OK;
}

static enum el_status read_clock(struct parser *parser, unsigned field, uint16_t *number)
{
	const bool is_operation = is_letter(*parser->field[field].text);
	if (is_word(&parser->field[field], "-") || read_number(&parser->field[field], number))
		return EL_OK;
	return fail_field(parser, field,
	                  is_operation ? NUMBERS ", or an operation that ends in ';'" : NUMBERS);
}

/* ---- operations ---- */

enum {
	OPCODE_MOST = 15, /* letters of an opcode, by the standard */
	SHOWN_MOST = 40,  /* bytes of what is none, in a note */
};

struct operation {
	unsigned number;             /* from 1 on */
	struct word opcode, operand; /* the first operand; empty: there is none */
};

struct clock {
	const char *opcode;
	bool given; /* by an earlier field or operation */
	uint16_t *number;
};

static enum el_status fail(const struct operation *o, const char *why, struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE, "operation %u (%.*s): %s", o->number, o->opcode.length,
	               o->opcode.text, why);
}

/* Reads one operation and advances *text. */
static enum el_status take(struct parser *parser, const char **text, struct operation *o)
{
	struct el_error *error = parser->error;
	const char *p = *text;
	o->opcode = word_of(p, strcspn(p, BLANKS ";"));
	o->operand = (struct word){0};
	bool good = is_letter(*p) && o->opcode.length <= OPCODE_MOST;
	for (int i = 1; i < o->opcode.length; i++)
		good &= is_letter(p[i]) || (p[i] >= '0' && p[i] <= '9') || p[i] == '_';
	if (!good && !parser->note)
		return el_fail(
			error, EL_NEGATIVE,
			"operation %u: expected an opcode such as 'bm' or 'id', found '%.*s'",
			o->number, o->opcode.length ? o->opcode.length : 1, p);
	if (!good) {
		const size_t length = strcspn(p, ";");
		size_t shown = length < SHOWN_MOST ? length : SHOWN_MOST;
		while (shown < length && (p[shown] & 0xC0) == 0x80) /* a whole character */
			shown--;
		forgive(parser, "'%.*s' left out: it is no operation of EPD", (int)shown, p);
		*text = p + length;
		return EL_OK;
	}
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
	if (is_word(&o->opcode, "moves"))
		return fail(o, "moves behind a position are not played: expected it alone", error);
	if (!strchr(parser->operations, ';')) /* perhaps a typing error in a clock */
		forgive(parser, "%.*s read without its ';'", o->opcode.length, o->opcode.text);
	*text = p + (*p == ';');
	return EL_OK;
}

/* Reads the text after the fields: opcodes with operands, each ending in a semicolon. */
static enum el_status read_operations(struct parser *parser)
{
	struct clock known[] = {
		{"hmvc", parser->count > HALFMOVE, &parser->position.halfmove},
		{"fmvn", parser->count > FULLMOVE, &parser->position.fullmove},
	};
	struct operation o = {.number = 1};
	const char *text = parser->operations;
	for (; *(text += strspn(text, BLANKS ";")); o.number++) {
		const enum el_status status = take(parser, &text, &o);
		if (status)
			return status;
		for (struct clock *c = known; c < known + sizeof known / sizeof *known; c++) {
			uint16_t number = 0;
			if (!is_word(&o.opcode, c->opcode))
				continue;
			if (!read_number(&o.operand, &number))
				return el_fail(parser->error, EL_NEGATIVE,
				               "operation %u (%s): expected " NUMBERS
				               ", found '%.*s'",
				               o.number, c->opcode, o.operand.length,
				               o.operand.length ? o.operand.text : "");
			if (c->given && number != *c->number)
				return el_fail(
					parser->error, EL_NEGATIVE,
					"operation %u (%s): found %u, but the number was %u before",
					o.number, c->opcode, number, *c->number);
			c->given = true;
			*c->number = number;
		}
	}
	return EL_OK;
}

/* ---- the whole ---- */

/* Other games also write boards with slashes, but with a star for an empty point. */
bool chess_looks_like(const char *fen)
{
	const char *board = board_of(fen);
	const size_t length = (size_t)(skip_field(board) - board);
	if (strcspn(board, "O@*") == 0 || !length)
		return false; /* rings of Nine Men's Morris, or an empty text */
	return memchr(board, '/', length) || strspn(board, "KQRBNPkqrbnp12345678") == length;
}

size_t chess_fields(const char *line)
{
	char note[EL_NOTE_MAX];
	struct parser parser = {.note = note};
	split(&parser, line);
	return (size_t)(parser.operations - line);
}

enum el_status chess_read(const char *fen, char *note, struct el_position *out,
                          struct el_error *error)
{
	struct parser parser = {
		.position = {.en_passant = EL_NO_SQUARE, .fullmove = 1},
		.note = note,
		.error = error,
	};
	struct el_position *position = &parser.position;
	if (note)
		*note = '\0';
	split(&parser, fen);
	const unsigned least = note ? BOARD + 1 : SIDE + 1;
	if (parser.count < least || parser.count > FIELDS)
		return el_fail(error, EL_NEGATIVE,
		               "%u field%s, expected 2 to 6: board, side to move, castling, "
		               "en passant, halfmove clock, move number",
		               parser.count, parser.count == 1 ? "" : "s");
	enum el_status status = read_board(&parser);
	if (!status && parser.count > SIDE)
		status = read_side(&parser);
	else if (!status)
		forgive(&parser, "White to move, since no side is given");
	if (!status) /* before the rights, which depend on the board */
		status = chess_check(position, error);
	if (!status && parser.count > CASTLING)
		status = read_castling(&parser);
	if (!status && parser.count > EN_PASSANT)
		status = read_en_passant(&parser);
	if (!status && parser.count > HALFMOVE)
		status = read_clock(&parser, HALFMOVE, &position->halfmove);
	if (!status && parser.count > FULLMOVE)
		status = read_clock(&parser, FULLMOVE, &position->fullmove);
	if (!status)
		status = read_operations(&parser);
	if (status)
		return status;
	if (!position->fullmove) /* as some programs number the first move */
		position->fullmove = 1;
	*out = *position;
	return EL_OK;
}

enum el_status chess_parse(const char *fen, struct el_position *out, struct el_error *error)
{
	return chess_read(fen, NULL, out, error);
}

/* ---- writing ---- */

/* A wing's letter means its outermost rook. */
const char *chess_write_castling(const struct el_position *position,
                                 char out[CHESS_CASTLINGS_MAX + 1])
{
	char *end = out;
	for (unsigned side = 0; side < 2 && position->castling; side++) {
		const unsigned first = side == EL_WHITE ? 0 : 56;
		const uint64_t *set = position->set[side];
		const uint64_t king = set[CHESS_KING] >> first & 255;
		const uint64_t rooks = set[CHESS_ROOK] >> first & 255;
		for (uint64_t right = 128; right; right >>= 1) {
			const bool queenside = right < king;
			const uint64_t beyond = rooks & (queenside ? right - 1 : ~(2 * right - 1));
			if (!(position->castling >> 8 * side & right))
				continue;
			const char letter = beyond      ? (char)('A' + chess_first(right))
			                    : queenside ? 'Q'
			                                : 'K';
			*end++ = (char)(side == EL_WHITE ? letter : letter - 'A' + 'a');
		}
	}
	if (end == out)
		*end++ = '-';
	*end = '\0';
	return out;
}

void chess_format(const struct el_position *position, char out[EL_FEN_MAX])
{
	char board[72], castling[CHESS_CASTLINGS_MAX + 1], passed[4] = "-", *p = board;
	for (unsigned rank = 8; rank-- > 0;) {
		unsigned empty = 0, side, kind;
		for (unsigned file = 0; file < 8; file++) {
			const bool taken =
				el_piece_at(position, chess_square_at(file, rank), &side, &kind);
			if (taken && empty)
				*p++ = (char)('0' + empty);
			if (taken)
				*p++ = letters[side * CHESS_KINDS + kind];
			empty = taken ? 0 : empty + 1;
		}
		if (empty)
			*p++ = (char)('0' + empty);
		*p++ = rank ? '/' : '\0';
	}
	if (position->en_passant != EL_NO_SQUARE)
		chess_square_name(position->en_passant, passed);
	snprintf(out, EL_FEN_MAX, "%s %c %s %s %u %u", board, "wb"[position->side != EL_WHITE],
	         chess_write_castling(position, castling), passed, position -> halfmove,
	         position -> fullmove);
}

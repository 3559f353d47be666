/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations that follow a position in Extended Position Description: `bm Qc7; id "one; two";`.
 * Those that set the clocks are applied, all others are skipped.
 */
#include "chess.h"
#include "words.h"

#include <string.h>

enum { OPCODE_MOST = 15 }; /* letters of an opcode, by the standard */

struct operation {
	unsigned number;                   /* from 1 on */
	struct chess_word opcode, operand; /* the first operand; empty: there is none */
};

struct clock {
	const char *opcode, *expected;
	bool given; /* by an earlier field or operation */
	uint16_t least, *number;
};

static bool is_opcode(const struct chess_word *word)
{
	bool good = chess_is_letter(*word->text) && word->length <= OPCODE_MOST;
	for (int i = 1; i < word->length; i++) {
		const char c = word->text[i];
		good &= chess_is_letter(c) || (c >= '0' && c <= '9') || c == '_';
	}
	return good;
}

/* Skips a quoted string, or a word without blanks and semicolons. Null: the quotes are not
   closed. */
static const char *skip_operand(const char *p)
{
	if (*p != '"')
		return p + strcspn(p, CHESS_BLANKS ";");
	const char *end = strchr(p + 1, '"');
	return end ? end + 1 : NULL;
}

static enum el_status fail(const struct operation *o, const char *why, struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE, "operation %u (%.*s): %s", o->number, o->opcode.length,
	               o->opcode.text, why);
}

/* Reads one operation and advances *text. */
static enum el_status take(const char **text, struct operation *o, struct el_error *error)
{
	const char *p = *text;
	o->opcode = chess_word_of(p, strcspn(p, CHESS_BLANKS ";"));
	o->operand = (struct chess_word){0};
	if (!o->opcode.length || !is_opcode(&o->opcode))
		return el_fail(
			error, EL_NEGATIVE,
			"operation %u: expected an opcode such as 'bm' or 'id', found '%.*s'",
			o->number, o->opcode.length ? o->opcode.length : 1, p);
	p += o->opcode.length;
	for (p += strspn(p, CHESS_BLANKS); *p && *p != ';'; p += strspn(p, CHESS_BLANKS)) {
		const char *end = skip_operand(p);
		if (!end)
			return fail(
				o,
				"expected '\"' at the end of its string, found the end of the line",
				error);
		if (!o->operand.length)
			o->operand = chess_word_of(p, (size_t)(end - p));
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
	if (!chess_number(&o->operand, clock->least, &number))
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

enum el_status chess_read_operations(const char *text, unsigned clocks,
                                     struct el_position *position, struct el_error *error)
{
	struct clock known[] = {
		{"hmvc", CHESS_HALFMOVES, clocks > 0, 0, &position->halfmove},
		{"fmvn", CHESS_FULLMOVES, clocks > 1, 1, &position->fullmove},
	};
	struct operation o = {.number = 1};
	enum el_status status = EL_OK;
	for (; !status && *(text += strspn(text, CHESS_BLANKS)); o.number++) {
		status = take(&text, &o, error);
		for (size_t i = 0; !status && i < sizeof known / sizeof *known; i++)
			if (chess_is_word(&o.opcode, known[i].opcode))
				status = set_clock(&o, &known[i], error);
	}
	return status;
}

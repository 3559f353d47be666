/* SPDX-License-Identifier: MIT */
/*
 * Positions in the style of Portable Draughts Notation, "W:Wa1,d1,g1:Ba7,d7,g4": the side to move,
 * then the points of each side's men, followed by the number still in hand, "+9". The notation of
 * the program Sanmill is read and written as well. Moves: "d1-d2", "d1-d2xa7"; placing a man, "d2".
 */
#include "morris.h"

#include "core/games/pdn.h"

#include <stdio.h>
#include <string.h>

/* Reads a point's name and advances *text; EL_NO_SQUARE, with *text unchanged, if there is none. */
static uint8_t take_point(const char **text)
{
	if ((*text)[0] < 'a' || (*text)[0] > 'g' || (*text)[1] < '1' || (*text)[1] > '7')
		return EL_NO_SQUARE;
	const uint8_t point =
		morris_square_at((unsigned)((*text)[0] - 'a'), (unsigned)((*text)[1] - '1'));
	*text += point == EL_NO_SQUARE ? 0 : 2;
	return point;
}

/* ---- positions ---- */

/* ":Wa1,d1+7" */
static enum el_status read_side(struct pdn_parser *parser, int *side)
{
	static const char *const expected[] = {"'W' or 'B'", "'W'", "'B'"};
	uint64_t(*set)[EL_KINDS] = parser->position.set;
	enum el_status status = EL_OK;
	unsigned hand = 0;
	if (!pdn_take(parser, ':'))
		return pdn_fail(parser, "':'");
	const int found = pdn_side(*parser->p);
	if (found < 0 || (*side >= 0 && found != *side))
		return pdn_fail(parser, expected[*side + 1]);
	parser->p++;
	*side = found;
	if (*parser->p && !strchr("+:. \t\r\n", *parser->p))
		do {
			const char *name = parser->p;
			const uint8_t point = take_point(&parser->p);
			if (point == EL_NO_SQUARE)
				return pdn_fail(parser, "a point such as a1 or d7");
			if ((set[EL_WHITE][0] | set[EL_BLACK][0]) >> point & 1)
				return el_fail(parser->error, EL_NEGATIVE, "two men are on %.2s",
				               name);
			set[found][0] |= morris_bit(point);
		} while (pdn_take(parser, ','));
	if (pdn_take(parser, '+'))
		status = pdn_take_number(parser, 0, MORRIS_MEN_MAX,
		                         "a number of men in hand, up to 9", &hand);
	parser->position.hand[found] = (uint8_t)hand;
	return status;
}

/* ---- Sanmill's ---- */

static bool looks_like_sanmill(const char *text)
{
	return strspn(text, "O@*") == MORRIS_PLACES && text[MORRIS_PLACES] == '/';
}

/* The fields after the counts tell the history, which the rules here do not need. */
static enum el_status read_sanmill(struct pdn_parser *parser)
{
	static const char *const fields[][2] = {
		{"wb", "the side to move, 'w' or 'b'"},
		{"mp", "the phase, 'm' or 'p'"},
		{"sp", "the action, 's' or 'p': no man is to be removed"},
	};
	enum el_status status = EL_OK;
	/* The rings are listed from inner to outer, each from the middle of its upper side. */
	for (unsigned i = 0; i < MORRIS_POINTS; i++, parser->p++) {
		const unsigned ring = 2 - i / MORRIS_PLACES, place = (i + 1) % MORRIS_PLACES;
		if (i && i % MORRIS_PLACES == 0 && !pdn_take(parser, '/'))
			return pdn_fail(parser, "'/'");
		if (*parser->p == 'O' || *parser->p == '@')
			parser->position.set[*parser->p == '@'][0] |=
				morris_bit(ring * MORRIS_PLACES + place);
		else if (*parser->p != '*')
			return pdn_fail(parser, "'O', '@' or '*'");
	}
	for (unsigned i = 0; i < 3; i++) {
		parser->p += strspn(parser->p, pdn_blanks);
		if (!*parser->p || !strchr(fields[i][0], *parser->p))
			return pdn_fail(parser, fields[i][1]);
		if (i == 0)
			parser->position.side = *parser->p == 'b';
		parser->p++;
	}
	/* The numbers of men on the board, which must match it, and in hand. */
	for (unsigned i = 0; i < 2 && !status; i++) {
		const unsigned there = morris_count((uint32_t)parser->position.set[i][0]);
		unsigned board = 0, hand = 0;
		parser->p += strspn(parser->p, pdn_blanks);
		const size_t at = (size_t)(parser->p - parser->text) + 1;
		status = pdn_take_number(parser, 0, MORRIS_MEN_MAX, "men on the board", &board);
		if (!status && board != there)
			return el_fail(parser->error, EL_NEGATIVE,
			               "character %zu: %u men on the board, but %u are there", at,
			               board, there);
		parser->p += strspn(parser->p, pdn_blanks);
		if (!status)
			status = pdn_take_number(parser, 0, MORRIS_MEN_MAX, "men in hand", &hand);
		parser->position.hand[i] = (uint8_t)hand;
	}
	parser->p += strlen(parser->p);
	return status;
}

/* ---- either ---- */

bool morris_looks_like(const char *text)
{
	return looks_like_sanmill(text + strspn(text, pdn_blanks)) || pdn_looks_like(text, true);
}

enum el_status morris_parse(const char *text, struct el_position *out, struct el_error *error)
{
	struct pdn_parser parser = pdn_begin(text, error);
	const enum el_status status = looks_like_sanmill(parser.p)
	                                      ? read_sanmill(&parser)
	                                      : pdn_take_sides(&parser, read_side);
	pdn_take(&parser, '.');
	return status ? status : pdn_finish(&parser, "',', '+' or the end", morris_check, out);
}

/* The points of a side in the order of their names. */
static char *write_side(const struct el_position *position, unsigned side, char *p)
{
	const char *comma = "";
	p += sprintf(p, ":%c", pdn_sides[side]);
	for (unsigned file = 0; file < 7; file++)
		for (unsigned rank = 0; rank < 7; rank++) {
			const uint8_t point = morris_square_at(file, rank);
			if (point == EL_NO_SQUARE || !(position->set[side][0] >> point & 1))
				continue;
			p += sprintf(p, "%s%c%u", comma, 'a' + (int)file, rank + 1);
			comma = ",";
		}
	return position->hand[side] ? p + sprintf(p, "+%u", position->hand[side]) : p;
}

_Static_assert(MORRIS_POINTS * 3 + 16 <= EL_FEN_MAX, "it fits with one man on each point");

/* On a board that is not a legal position, either side may have men in hand. */
void morris_format(const struct el_position *position, char out[EL_FEN_MAX])
{
	char text[2 * MORRIS_POINTS * 3 + 16];
	text[0] = pdn_sides[position->side != EL_WHITE];
	write_side(position, EL_BLACK, write_side(position, EL_WHITE, text + 1));
	snprintf(out, EL_FEN_MAX, "%.*s", EL_FEN_MAX - 1, text);
}

/* ---- moves ---- */

void morris_write_move(const struct el_position *position, const struct el_move *move,
                       enum el_notation notation, char out[EL_MOVE_MAX])
{
	char from[4], to[4], taken[4] = "";
	(void)position;
	(void)notation;
	morris_square_name(move->from, from);
	morris_square_name(move->to, to);
	if (move->captured)
		morris_square_name((uint8_t)__builtin_ctzll(move->captured), taken);
	snprintf(out, EL_MOVE_MAX, "%s%s%s%s%s", from, *from ? "-" : "", to, *taken ? "x" : "",
	         taken);
}

/* The parsed move; EL_NO_SQUARE: not given. */
struct request {
	uint8_t from, to, taken;
};

static bool understand(const char *text, struct request *out)
{
	const uint8_t first = take_point(&text);
	*out = (struct request){EL_NO_SQUARE, first, EL_NO_SQUARE};
	if (first == EL_NO_SQUARE)
		return false;
	if (*text == '-' || (*text >= 'a' && *text <= 'g')) {
		text += *text == '-';
		out->from = first;
		out->to = take_point(&text);
	}
	if (*text == 'x') {
		text++;
		out->taken = take_point(&text);
		if (out->taken == EL_NO_SQUARE)
			return false;
	}
	return out->to != EL_NO_SQUARE && !*text;
}

/* Says why no move fits. */
static enum el_status refuse(const struct el_position *position, const struct request *asked,
                             const char *text, struct el_error *error)
{
	const char *mover = el_morris.sides[position->side];
	const uint32_t own = (uint32_t)position->set[position->side][0],
		       theirs = (uint32_t)position->set[!position->side][0];
	const bool places = position->hand[position->side];
	char from[4], to[4], taken[4];
	morris_square_name(asked->from, from);
	morris_square_name(asked->to, to);
	morris_square_name(asked->taken, taken);
	if (morris_count(own) + position->hand[position->side] < MORRIS_MEN_MIN)
		return el_fail(error, EL_NEGATIVE,
		               "'%s' is illegal: %s has two men left and has lost", text, mover);
	if (places != (asked->from == EL_NO_SQUARE))
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: %s %s", text, mover,
		               places ? "has men in hand to place first" : "has no man in hand");
	if (!places && !(own >> asked->from & 1))
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: %s has no man on %s", text,
		               mover, from);
	if ((own | theirs) >> asked->to & 1)
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: %s is not empty", text, to);
	if (!places && !(morris_reach(asked->from, morris_count(own)) >> asked->to & 1))
		return el_fail(
			error, EL_NEGATIVE,
			"'%s' is illegal: no line leads from %s to %s, and only three men fly",
			text, from, to);
	const uint32_t others = places ? own : own ^ morris_bit(asked->from);
	const bool closes = morris_closes(others | morris_bit(asked->to), asked->to);
	if (!closes)
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: it closes no mill", text);
	if (asked->taken == EL_NO_SQUARE) {
		morris_square_name((uint8_t)__builtin_ctz(morris_removable(theirs)), taken);
		return el_fail(error, EL_NEGATIVE,
		               "'%s' is illegal: it closes a mill and must take a man, as in %sx%s",
		               text, text, taken);
	}
	if (!(theirs >> asked->taken & 1))
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: there is no man to take on %s",
		               text, taken);
	return el_fail(error, EL_NEGATIVE,
	               "'%s' is illegal: the man on %s is in a mill, and others are not", text,
	               taken);
}

enum el_status morris_read_move(const struct el_position *position, const char *text,
                                struct el_move *out, struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct request asked;
	if (strlen(text) >= EL_MOVE_MAX || !understand(text, &asked))
		return el_fail(error, EL_USAGE,
		               "'%.*s' is not a move: expected one such as d1-d2, d1-d2xa7 or d2",
		               EL_MOVE_MAX, text);
	const uint64_t taken = asked.taken == EL_NO_SQUARE ? 0 : UINT64_C(1) << asked.taken;
	const size_t count = morris_moves(position, moves);
	for (size_t i = 0; i < count; i++)
		if (moves[i].from == asked.from && moves[i].to == asked.to &&
		    moves[i].captured == taken) {
			*out = moves[i];
			return EL_OK;
		}
	return refuse(position, &asked, text, error);
}

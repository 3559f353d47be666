/* SPDX-License-Identifier: MIT */
/*
 * Positions in the notation of the program Aalina, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S": the stones in
 * pits A to F and a to f, in South's and North's store, then the side to move. A move is the letter
 * of a pit. A position of oware has "oware:" before it, which may be missing where the game is known.
 */
#include "awari.h"

#include "core/games/pdn.h"

#include <stdio.h>
#include <stdlib.h>

static const char sides[] = "SN";

/* ---- positions ---- */

static const char oware[] = "oware:";

bool awari_looks_like(const char *text)
{
	text += strspn(text, pdn_blanks);
	const size_t digits = strspn(text, "0123456789");
	return digits && text[digits] == '-';
}

bool oware_looks_like(const char *text)
{
	text += strspn(text, pdn_blanks);
	return !strncmp(text, oware, strlen(oware)) && awari_looks_like(text + strlen(oware));
}

static enum el_status read_numbers(struct pdn_parser *parser)
{
	struct el_position *position = &parser->position;
	enum el_status status = EL_OK;
	for (uint8_t i = 0; i < AWARI_PITS + 2 && !status; i++) {
		const bool is_pit = i < AWARI_PITS;
		char expected[48], name[4];
		unsigned stones = 0;
		awari_square_name(i, name);
		snprintf(expected, sizeof expected,
		         is_pit ? "the stones in pit %s, up to %d"
		                : "the stones in %s's store, up to %d",
		         is_pit ? name : el_awari.sides[i - AWARI_PITS], AWARI_STONES);
		status = pdn_take_number(parser, 0, AWARI_STONES, expected, &stones);
		*(is_pit ? &position->pits[i] : &position->stores[i - AWARI_PITS]) =
			(uint8_t)stones;
		if (!status && !pdn_take(parser, '-'))
			status = pdn_fail(parser, "'-'");
	}
	return status;
}

static enum el_status parse(const char *prefix, const char *text, struct el_position *out,
                            struct el_error *error)
{
	struct pdn_parser parser = pdn_begin(text, error);
	if (!strncmp(parser.p, prefix, strlen(prefix)))
		parser.p += strlen(prefix);
	const enum el_status status = read_numbers(&parser);
	if (status)
		return status;
	const char *side = *parser.p ? strchr(sides, *parser.p) : NULL;
	if (!side)
		return pdn_fail(&parser, "the side to move, 'S' or 'N'");
	parser.position.side = (uint8_t)(side - sides);
	parser.p++;
	return pdn_finish(&parser, "the end", awari_check, out);
}

enum el_status awari_parse(const char *text, struct el_position *out, struct el_error *error)
{
	return parse("", text, out, error);
}

enum el_status oware_parse(const char *text, struct el_position *out, struct el_error *error)
{
	return parse(oware, text, out, error);
}

_Static_assert(sizeof oware + (AWARI_PITS + 2) * 4 + 2 <= EL_FEN_MAX,
               "it fits with three digits each");

static void write_numbers(const struct el_position *position, char *p)
{
	for (unsigned pit = 0; pit < AWARI_PITS; pit++)
		p += sprintf(p, "%u-", position->pits[pit]);
	sprintf(p, "%u-%u-%c", position->stores[0], position->stores[1],
	        sides[position->side != EL_WHITE]);
}

void awari_format(const struct el_position *position, char out[EL_FEN_MAX])
{
	write_numbers(position, out);
}

void oware_format(const struct el_position *position, char out[EL_FEN_MAX])
{
	memcpy(out, oware, sizeof oware);
	write_numbers(position, out + strlen(oware));
}

/* ---- moves ---- */

void awari_write_move(const struct el_position *position, const struct el_move *move,
                      enum el_notation notation, char out[EL_MOVE_MAX])
{
	char name[4];
	(void)position;
	(void)notation;
	awari_square_name(move->from, name);
	snprintf(out, EL_MOVE_MAX, "%s", name);
}

static enum el_status read_move(size_t (*list)(const struct el_position *, struct el_move *),
                                const struct el_position *position, const char *text,
                                struct el_move *out, struct el_error *error)
{
	static const char letters[] = "ABCDEFabcdef";
	struct el_move moves[EL_MOVES_MAX];
	/* Others number the mover's pits from 1 to 6, or South's so and North's from 7 to 12. */
	const unsigned number = (unsigned)strtoul(text, NULL, 10), row = position->side * AWARI_ROW;
	const bool counts = number >= 1 && number <= AWARI_PITS && strlen(text) <= 2 &&
	                    strspn(text, "0123456789") == strlen(text);
	const unsigned nth = number - 1 + (number <= AWARI_ROW ? row : 0);
	/* The program Aualé adds the stones captured, "F+5". */
	const size_t captures = *text && text[1] == '+' ? 1 + strspn(text + 2, "0123456789") : 0;
	const bool ends = *text && captures != 1 && !text[1 + captures];
	const char *letter = counts ? letters + nth : ends ? strchr(letters, *text) : NULL;
	if (!letter)
		return el_fail(
			error, EL_USAGE,
			"'%.*s' is not a move: expected a pit, A to F or a to f, or its number",
			EL_MOVE_MAX, text);
	const unsigned pit = (unsigned)(letter - letters);
	const size_t count = list(position, moves);
	for (size_t i = 0; i < count; i++)
		if (moves[i].from == pit) {
			*out = moves[i];
			return EL_OK;
		}

	/* Why the pit cannot be sown. */
	const char *mover = el_awari.sides[position->side],
		   *other = el_awari.sides[!position->side];
	if (pit / AWARI_ROW != position->side)
		return el_fail(error, EL_NEGATIVE,
		               "'%.*s' is illegal: the pit is %s's, and %s is to move", EL_MOVE_MAX,
		               text, other, mover);
	if (!position->pits[pit])
		return el_fail(error, EL_NEGATIVE, "'%.*s' is illegal: the pit is empty",
		               EL_MOVE_MAX, text);
	return el_fail(error, EL_NEGATIVE,
	               "'%.*s' is illegal: it leaves %s no stone, and another move does not",
	               EL_MOVE_MAX, text, other);
}

enum el_status awari_read_move(const struct el_position *position, const char *text,
                               struct el_move *out, struct el_error *error)
{
	return read_move(awari_moves, position, text, out, error);
}

enum el_status oware_read_move(const struct el_position *position, const char *text,
                               struct el_move *out, struct el_error *error)
{
	return read_move(oware_moves, position, text, out, error);
}

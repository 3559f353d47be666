/* SPDX-License-Identifier: MIT */
/*
 * Moves in Portable Draughts Notation: "9-13", "9x18". A multiple capture is written by its ends,
 * "9x27". It is written with all squares on its way, "9x18x27", for programs, and for people if the
 * ends do not determine which pieces are taken.
 */
#include "checkers.h"

#include <ctype.h>
#include <string.h>

/* "32x23x14x5x...": ten squares and nine signs. */
_Static_assert((CHECKERS_JUMPS_MAX + 1) * 3 <= EL_MOVE_MAX, "every move fits");

/* The squares of a move in el_position's numbering: its ends and, in a capture, those between. */
struct path {
	unsigned count;
	uint8_t square[CHECKERS_JUMPS_MAX + 1];
};

static struct path path_of(const struct checkers_route *route, unsigned side)
{
	struct path path = {.count = route->count};
	for (unsigned i = 0; i < route->count; i++)
		path.square[i] = checkers_seen_square(route->square[i], side);
	return path;
}

static uint8_t last_of(const struct path *path)
{
	return path->square[path->count - 1];
}

/* ---- writing ---- */

/* The first route with a move's effect, and whether another move has the same ends. */
struct search {
	const struct el_move *move;
	unsigned side;
	struct path path;
	bool ambiguous;
};

static void look_at_route(void *context, const struct checkers_route *route)
{
	struct search *search = context;
	const struct path path = path_of(route, search->side);
	if (path.square[0] != search->move->from || last_of(&path) != search->move->to)
		return;
	if (checkers_seen(route->captured, search->side) != search->move->captured)
		search->ambiguous = true;
	else if (!search->path.count)
		search->path = path;
}

static void write_path(const struct path *path, char sign, char out[EL_MOVE_MAX])
{
	size_t used = 0;
	for (unsigned i = 0; i < path->count; i++) {
		char name[4];
		checkers_square_name(path->square[i], name);
		if (i)
			out[used++] = sign;
		for (const char *c = name; *c; c++)
			out[used++] = *c;
	}
	out[used] = '\0';
}

void checkers_write_move(const struct el_position *position, const struct el_move *move,
                         enum el_notation notation, char out[EL_MOVE_MAX])
{
	const struct path ends = {2, {move->from, move->to}};
	struct search search = {.move = move, .side = position->side};
	if (move->captured) {
		const struct checkers_board board = checkers_board_of(position, position->side);
		checkers_routes(&board, look_at_route, &search);
	}
	if (search.path.count && (notation == EL_UCI || search.ambiguous))
		write_path(&search.path, 'x', out);
	else
		write_path(&ends, move->captured ? 'x' : '-', out);
}

/* ---- reading ---- */

/* The parsed move, the legal moves, and those that match: the squares asked for are on their way. */
struct choice {
	struct path asked;
	bool captures; /* written as a capture; optional */
	unsigned side;
	size_t count, fitting;
	size_t exact; /* the one with a route of exactly these squares, or SIZE_MAX */
	struct el_move moves[EL_MOVES_MAX];
	bool fits[EL_MOVES_MAX];
};

/* "9-13", "9x18x27", "9:18" */
static bool understand(const char *text, struct choice *out)
{
	struct path *path = &out->asked;
	while (path->count <= CHECKERS_JUMPS_MAX) {
		unsigned number = 0;
		for (unsigned n = 0; n < 3 && isdigit((unsigned char)*text); n++)
			number = number * 10 + (unsigned)(*text++ - '0');
		if (number < 1 || number > CHECKERS_SQUARES)
			return false;
		path->square[path->count++] = (uint8_t)(number - 1);
		if (!*text)
			return path->count >= 2;
		if (!strchr("-x:", *text))
			return false;
		out->captures |= *text++ != '-';
	}
	return false;
}

static void choose_move(struct choice *choice, size_t i)
{
	choice->fitting += !choice->fits[i];
	choice->fits[i] = true;
}

/* The route fits if its ends are the same and the squares asked for are on it, in this order. */
static void choose_route(void *context, const struct checkers_route *route)
{
	struct choice *choice = context;
	const struct path path = path_of(route, choice->side), *asked = &choice->asked;
	unsigned found = 0;
	for (unsigned i = 0; i < path.count && found < asked->count; i++)
		found += path.square[i] == asked->square[found];
	if (path.square[0] != asked->square[0] || last_of(&path) != last_of(asked) ||
	    found < asked->count)
		return;
	const uint32_t captured = checkers_seen(route->captured, choice->side);
	const struct el_move *move = choice->moves;
	while (move->from != path.square[0] || move->to != last_of(&path) ||
	       move->captured != captured)
		move++;
	const size_t i = (size_t)(move - choice->moves);
	choose_move(choice, i);
	if (path.count == asked->count)
		choice->exact = i;
}

/* Says why no move fits. */
static enum el_status refuse(const struct el_position *position, const struct choice *choice,
                             const char *text, struct el_error *error)
{
	const uint8_t from = choice->asked.square[0], to = last_of(&choice->asked);
	const uint64_t *own = position->set[position->side];
	if (!((own[CHECKERS_KING] | own[CHECKERS_MAN]) >> from & 1))
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: %s has no piece on %u", text,
		               position->side == EL_WHITE ? "White" : "Black", from + 1u);
	if (choice->count && choice->moves[0].captured) {
		char must[EL_MOVE_MAX];
		checkers_write_move(position, &choice->moves[0], EL_SAN, must);
		return el_fail(error, EL_NEGATIVE,
		               "'%s' is illegal: a capture must be made and completed, such as %s",
		               text, must);
	}
	if (choice->captures)
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: there is nothing to capture",
		               text);
	return el_fail(error, EL_NEGATIVE, "'%s' is illegal: the %s on %u cannot go to %u", text,
	               own[CHECKERS_KING] >> from & 1 ? "king" : "man", from + 1u, to + 1u);
}

enum el_status checkers_read_move(const struct el_position *position, const char *text,
                                  struct el_move *out, struct el_error *error)
{
	struct choice choice = {.side = position->side, .exact = SIZE_MAX};
	if (strlen(text) >= EL_MOVE_MAX || !understand(text, &choice))
		return el_fail(error, EL_USAGE,
		               "'%.*s' is not a move: expected one such as 9-13, 9x18 or 9x18x27",
		               EL_MOVE_MAX, text);
	choice.count = checkers_moves(position, choice.moves);
	const bool must = choice.count && choice.moves[0].captured;
	if (must) {
		const struct checkers_board board = checkers_board_of(position, position->side);
		checkers_routes(&board, choose_route, &choice);
	} else if (choice.asked.count == 2) { /* some programs write 10x14 for 10-14 */
		for (size_t i = 0; i < choice.count; i++)
			if (choice.moves[i].from == choice.asked.square[0] &&
			    choice.moves[i].to == choice.asked.square[1])
				choose_move(&choice, i);
	}
	if (!choice.fitting)
		return refuse(position, &choice, text, error);

	/* The first two moves that fit; if it is not clear which is meant, both are named. */
	const struct el_move *fitting[2] = {NULL, NULL};
	for (size_t i = choice.count; i-- > 0;)
		if (choice.fits[i]) {
			fitting[1] = fitting[0];
			fitting[0] = &choice.moves[i];
		}
	if (fitting[1] && choice.exact == SIZE_MAX) {
		char words[2][EL_MOVE_MAX];
		for (unsigned i = 0; i < 2; i++)
			checkers_write_move(position, fitting[i], EL_UCI, words[i]);
		return el_fail(error, EL_NEGATIVE, "'%s' is ambiguous: %s or %s", text, words[0],
		               words[1]);
	}
	*out = choice.exact == SIZE_MAX ? *fitting[0] : choice.moves[choice.exact];
	return EL_OK;
}

/* SPDX-License-Identifier: MIT */
/* The rules: legal moves, their effect on the board, and which positions are legal. */
#include "core/games/plain.h"
#include "index.h"

/* ---- routes of captures ---- */

struct walk {
	struct checkers_route route;
	uint32_t theirs; /* jumped pieces stay on the board until the move is over */
	uint32_t empty;  /* including the square the piece left */
	void (*found)(void *context, const struct checkers_route *);
	void *context;
};

/* Continues jumping from `at`. A crowned man stops automatically: there is no row above it. */
static void walk_on(struct walk *walk, uint32_t at)
{
	struct checkers_route *route = &walk->route;
	const unsigned directions = route->king ? CHECKERS_DIRECTIONS : CHECKERS_MAN_DIRECTIONS;
	bool over = true;
	route->square[route->count++] = (uint8_t)checkers_first(at);
	for (unsigned d = 0; d < directions; d++) {
		const uint32_t jumped = checkers_shift(at, d) & walk->theirs & ~route->captured;
		const uint32_t to = checkers_shift(jumped, d) & walk->empty;
		if (!to)
			continue;
		over = false;
		route->captured |= jumped;
		walk_on(walk, to);
		route->captured &= ~jumped;
	}
	if (over)
		walk->found(walk->context, route);
	route->count--;
}

/* The pieces of the viewing side that can jump, or those that can step. */
static uint32_t movers(const struct checkers_board *board, bool jump)
{
	const uint32_t theirs = checkers_theirs(board), empty = checkers_empty(board);
	uint32_t found = 0;
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
		uint32_t from = checkers_shift(empty, checkers_opposite(d));
		if (jump)
			from = checkers_shift(from & theirs, checkers_opposite(d));
		found |= from &
		         (board->kings[0] | (d < CHECKERS_MAN_DIRECTIONS ? board->men[0] : 0));
	}
	return found;
}

void checkers_routes(const struct checkers_board *board,
                     void (*found)(void *context, const struct checkers_route *), void *context)
{
	const uint32_t empty = checkers_empty(board);
	for (uint32_t jumpers = movers(board, true); jumpers;) {
		const uint32_t from = checkers_bit(checkers_pop(&jumpers));
		struct walk walk = {
			.route.king = board->kings[0] & from,
			.theirs = checkers_theirs(board),
			.empty = empty | from,
			.found = found,
			.context = context,
		};
		walk_on(&walk, from);
	}
}

/* ---- generating moves ---- */

/* Collects the moves of one side in a list. */
struct generator {
	unsigned us;
	struct el_move *out;
	size_t count;
};

static struct el_move make_move(unsigned us, bool king, unsigned from, unsigned to,
                                uint32_t captured)
{
	const bool crowned = checkers_bit(to) & CHECKERS_TOP;
	return (struct el_move){
		.from = checkers_seen_square(from, us),
		.to = checkers_seen_square(to, us),
		.kind = king ? CHECKERS_KING : CHECKERS_MAN,
		.becomes = king || crowned ? CHECKERS_KING : CHECKERS_MAN,
		.captured = checkers_seen(captured, us),
	};
}

/* Two routes with the same effect on the board are one move. */
static void emit_capture(void *context, const struct checkers_route *route)
{
	struct generator *g = context;
	const struct el_move move = make_move(g->us, route->king, route->square[0],
	                                      route->square[route->count - 1], route->captured);
	for (size_t i = g->count; i-- > 0 && g->out[i].from == move.from;)
		if (g->out[i].to == move.to && g->out[i].captured == move.captured)
			return;
	g->out[g->count++] = move;
}

size_t checkers_captures(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	const struct checkers_board board = checkers_board_of(position, position->side);
	struct generator g = {.us = position->side, .out = out};
	checkers_routes(&board, emit_capture, &g);
	return g.count;
}

/* Twelve pieces have at most 48 steps, and CHECKERS_CAPTURES_MAX captures each. */
_Static_assert(CHECKERS_SIDE_MAX *CHECKERS_CAPTURES_MAX <= EL_MOVES_MAX, "a list holds all moves");

size_t checkers_moves(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	const struct checkers_board board = checkers_board_of(position, position->side);
	const uint32_t empty = checkers_empty(&board);
	size_t count = checkers_captures(position, out);
	if (count)
		return count;
	for (uint32_t steppers = movers(&board, false); steppers;) {
		const unsigned from = checkers_pop(&steppers);
		const bool king = board.kings[0] & checkers_bit(from);
		const unsigned directions = king ? CHECKERS_DIRECTIONS : CHECKERS_MAN_DIRECTIONS;
		for (unsigned d = 0; d < directions; d++) {
			const uint32_t to = checkers_shift(checkers_bit(from), d) & empty;
			if (to)
				out[count++] = make_move(position->side, king, from,
				                         checkers_first(to), 0);
		}
	}
	return count;
}

/* ---- playing them ---- */

/* `out` may be the position itself. */
void checkers_play(const struct el_position *position, const struct el_move *move,
                   struct el_position *out)
{
	const unsigned us = position->side;
	*out = *position;
	out->set[us][move->kind] &= ~(uint64_t)checkers_bit(move->from);
	out->set[us][move->becomes] |= checkers_bit(move->to);
	for (unsigned kind = 0; kind < CHECKERS_KINDS; kind++)
		out->set[!us][kind] &= ~move->captured;

	const bool zeroing = move->captured || move->kind == CHECKERS_MAN;
	el_position_turn(out, zeroing, EL_WHITE);
}

/* ---- which positions are legal ---- */

static const char *const side_names[] = {"White", "Black"};

static uint64_t side_set(const struct el_position *position, unsigned side)
{
	return position->set[side][CHECKERS_KING] | position->set[side][CHECKERS_MAN];
}

/* The side to move may have lost its last piece. */
enum el_status checkers_check(const struct el_position *position, struct el_error *error)
{
	if (position->side > EL_BLACK)
		return el_fail(error, EL_NEGATIVE, "side to move %u, expected %d or %d",
		               position->side, EL_WHITE, EL_BLACK);
	if (position->en_passant != EL_NO_SQUARE)
		return el_fail(error, EL_NEGATIVE,
		               "en passant on square %u, expected none in draughts",
		               position->en_passant);
	if (position->castling)
		return el_fail(error, EL_NEGATIVE, "castling rights %u, expected none in draughts",
		               position->castling);
	if (plain_strangers(position, CHECKERS_KINDS))
		return el_fail(error, EL_NEGATIVE, "a piece that is neither king nor man");
	uint64_t seen = 0;
	for (unsigned i = 0; i < 2 * CHECKERS_KINDS; i++) {
		const uint64_t set = position->set[i / CHECKERS_KINDS][i % CHECKERS_KINDS];
		if (set >> CHECKERS_SQUARES)
			return el_fail(error, EL_NEGATIVE, "%s has a piece off the 32 squares",
			               side_names[i / CHECKERS_KINDS]);
		if (seen & set)
			return el_fail(error, EL_NEGATIVE, "two pieces are on %u",
			               checkers_first((uint32_t)(seen & set)) + 1);
		seen |= set;
	}
	for (unsigned side = 0; side < 2; side++) {
		const struct checkers_board board = checkers_board_of(position, side);
		const unsigned pieces = checkers_count(board.men[0] | board.kings[0]);
		const uint32_t crowned = checkers_seen(board.men[0] & CHECKERS_TOP, side);
		if (pieces > CHECKERS_SIDE_MAX)
			return el_fail(error, EL_NEGATIVE, "%s has %u pieces, expected at most %d",
			               side_names[side], pieces, CHECKERS_SIDE_MAX);
		if (crowned)
			return el_fail(
				error, EL_NEGATIVE, "a %s man on %u: there it would be a king",
				side == EL_WHITE ? "white" : "black", checkers_first(crowned) + 1);
	}
	if (!side_set(position, !position->side))
		return el_fail(error, EL_NEGATIVE, "%s has no pieces", side_names[!position->side]);
	return EL_OK;
}

/* As many squares are occupied as `place` counted pieces, unless two pieces share one. */
bool checkers_legal(const struct el_position *position, const struct el_place *place)
{
	if (!place)
		return checkers_check(position, NULL) == EL_OK;
	const uint64_t occupied = side_set(position, EL_WHITE) | side_set(position, EL_BLACK);
	return position->en_passant == EL_NO_SQUARE && !position->castling &&
	       !plain_strangers(position, CHECKERS_KINDS) && !(occupied >> CHECKERS_SQUARES) &&
	       checkers_count((uint32_t)occupied) == checkers_key_pieces(place->key);
}

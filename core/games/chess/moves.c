/* SPDX-License-Identifier: MIT */
/* The rules: legal moves, their effect on the board, and which positions are legal. */
#include "chess.h"

/* ---- generating moves ---- */

/* Collects the moves of one position in a list. */
struct generator {
	const struct el_position *position;
	unsigned us, king; /* the side to move, and its king's square */
	uint64_t own, theirs, occupied;
	uint64_t guards; /* a piece that leaves one of these squares may expose its king */
	bool pseudo;     /* also list moves that leave the king in check */
	bool captures;   /* list only captures */
	bool pawns;      /* and every move of a pawn */
	struct el_move *out;
	size_t count;
};

static unsigned king_of(const struct el_position *position, unsigned side)
{
	return chess_first(position->set[side][CHESS_KING]);
}

static bool king_attacked(const struct el_position *position, unsigned side)
{
	return chess_attacked(position, !side, ~UINT64_C(0), king_of(position, side),
	                      chess_occupied(position));
}

static struct generator generator_make(const struct el_position *position)
{
	struct generator g = {
		.position = position,
		.us = position->side,
		.king = king_of(position, position->side),
		.own = chess_side_set(position, position->side),
		.theirs = chess_side_set(position, !position->side),
	};
	g.occupied = g.own | g.theirs;
	if (king_attacked(position, g.us)) {
		g.guards = ~UINT64_C(0);
		return g;
	}
	/* If an enemy slider stands on a line through the king, leaving a square that the king sees
	   on such lines may uncover a check. */
	const uint64_t *set = position->set[!g.us];
	if ((set[CHESS_QUEEN] | set[CHESS_ROOK]) & chess_rook_attacks(g.king, 0))
		g.guards |= chess_rook_attacks(g.king, g.occupied);
	if ((set[CHESS_QUEEN] | set[CHESS_BISHOP]) & chess_bishop_attacks(g.king, 0))
		g.guards |= chess_bishop_attacks(g.king, g.occupied);
	return g;
}

/* Is the mover's king out of check after the move? Correct for any pseudo-legal move. */
static bool is_safe(const struct generator *g, const struct el_move *move)
{
	bool ordinary = !move->captured || move->captured == chess_bit(move->to);
	if (ordinary && move->kind != CHESS_KING && !(g->guards >> move->from & 1))
		return true;
	uint64_t after =
		(g->occupied & ~chess_bit(move->from) & ~move->captured) | chess_bit(move->to);
	return !chess_attacked(g->position, !g->us, ~move->captured,
	                       move->kind == CHESS_KING ? move->to : g->king, after);
}

static void emit(struct generator *g, struct el_move move)
{
	if (g->pseudo || is_safe(g, &move))
		g->out[g->count++] = move;
}

static struct el_move plain_move(const struct generator *g, unsigned kind, unsigned from,
                                 unsigned to)
{
	return (struct el_move){.from = (uint8_t)from,
	                        .to = (uint8_t)to,
	                        .kind = (uint8_t)kind,
	                        .becomes = (uint8_t)kind,
	                        .captured = g->theirs & chess_bit(to)};
}

static void emit_pawn(struct generator *g, unsigned from, unsigned to)
{
	struct el_move move = plain_move(g, CHESS_PAWN, from, to);
	if (!(chess_bit(to) & (CHESS_RANK_1 | CHESS_RANK_8))) {
		emit(g, move);
		return;
	}
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++) {
		move.becomes = (uint8_t)kind;
		emit(g, move);
	}
}

/* The square behind one, from the view of a pawn of `side`. */
static unsigned step_back(unsigned side, unsigned square)
{
	return side == EL_WHITE ? square - 8 : square + 8;
}

static unsigned step_ahead(unsigned side, unsigned square)
{
	return step_back(!side, square);
}

static struct el_move en_passant_move(const struct generator *g, unsigned from)
{
	unsigned to = g->position->en_passant;
	struct el_move move = plain_move(g, CHESS_PAWN, from, to);
	move.captured = chess_bit(step_back(g->us, to));
	return move;
}

static void emit_pawn_moves(struct generator *g, unsigned from)
{
	const unsigned home = g->us == EL_WHITE ? 1 : 6;
	unsigned ahead = step_ahead(g->us, from);
	if ((!g->captures || g->pawns) && !(g->occupied >> ahead & 1)) {
		emit_pawn(g, from, ahead);
		unsigned further = step_ahead(g->us, ahead);
		if (chess_rank(from) == home && !(g->occupied >> further & 1))
			emit_pawn(g, from, further);
	}
	uint64_t attacks = chess_pawn_attacks(g->us, from);
	for (uint64_t targets = attacks & g->theirs; targets;)
		emit_pawn(g, from, chess_pop(&targets));
	if (g->position->en_passant != EL_NO_SQUARE && attacks >> g->position->en_passant & 1)
		emit(g, en_passant_move(g, from));
}

static const char *castling_fault(const struct generator *g, unsigned right)
{
	const struct chess_castling c = chess_castling(right);
	if (right / 2 != g->us || !(g->position->castling >> right & 1))
		return right % 2 ? "there is no right to castle queenside"
		                 : "there is no right to castle kingside";
	if (chess_between(c.king, c.rook) & g->occupied)
		return "a piece is between king and rook";
	const unsigned path[] = {c.king, c.rook_to, c.king_to};
	static const char *const faults[] = {"the king is in check",
	                                     "the king would pass through check",
	                                     "the king would be in check"};
	for (unsigned i = 0; i < 3; i++)
		if (chess_attacked(g->position, !g->us, ~UINT64_C(0), path[i], g->occupied))
			return faults[i];
	return NULL;
}

const char *chess_castling_fault(const struct el_position *position, unsigned right)
{
	const struct generator g = generator_make(position);
	return castling_fault(&g, right);
}

static size_t generate(struct generator g, struct el_move out[EL_MOVES_MAX])
{
	const uint64_t *set = g.position->set[g.us], wanted = g.captures ? g.theirs : ~g.own;
	g.out = out;
	for (enum chess_kind kind = CHESS_KING; kind < CHESS_PAWN; kind++)
		for (uint64_t pieces = set[kind]; pieces;) {
			const unsigned from = chess_pop(&pieces);
			uint64_t targets = chess_attacks(kind, from, g.occupied) & wanted;
			while (targets)
				emit(&g, plain_move(&g, kind, from, chess_pop(&targets)));
		}
	for (uint64_t pawns = set[CHESS_PAWN]; pawns;)
		emit_pawn_moves(&g, chess_pop(&pawns));
	if (!g.position->castling || g.captures)
		return g.count;
	for (unsigned right = 2 * g.us; right < 2 * g.us + 2; right++)
		if (!castling_fault(&g, right))
			out[g.count++] =
				plain_move(&g, CHESS_KING, g.king, chess_castling(right).king_to);
	return g.count;
}

size_t chess_generate(const struct el_position *position, bool pseudo,
                      struct el_move out[EL_MOVES_MAX])
{
	struct generator g = generator_make(position);
	g.pseudo = pseudo;
	return generate(g, out);
}

size_t chess_captures(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	/* Find out quickly if no piece of the side to move attacks one of the other side. */
	const unsigned us = position->side;
	const uint64_t theirs = chess_side_set(position, !us);
	const uint64_t occupied = theirs | chess_side_set(position, us);
	uint64_t attacked = 0;
	for (enum chess_kind kind = CHESS_KING; kind < CHESS_KINDS; kind++)
		for (uint64_t pieces = position->set[us][kind]; pieces;)
			attacked |= chess_attacks_of(us, kind, chess_pop(&pieces), occupied);
	if (position->en_passant == EL_NO_SQUARE && !(attacked & theirs))
		return 0;
	struct generator g = generator_make(position);
	g.captures = true;
	return generate(g, out);
}

size_t chess_zeroing(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	if (!position->set[position->side][CHESS_PAWN])
		return chess_captures(position, out);
	struct generator g = generator_make(position);
	g.captures = g.pawns = true;
	return generate(g, out);
}

size_t chess_moves(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	return chess_generate(position, false, out);
}

/* ---- playing them ---- */

void chess_settle_en_passant(struct el_position *position)
{
	if (position->en_passant == EL_NO_SQUARE)
		return;
	const struct generator g = generator_make(position);
	uint64_t pawns =
		chess_pawn_attacks(!g.us, position->en_passant) & position->set[g.us][CHESS_PAWN];
	while (pawns) {
		struct el_move move = en_passant_move(&g, chess_pop(&pawns));
		if (is_safe(&g, &move))
			return;
	}
	position->en_passant = EL_NO_SQUARE;
}

/* `out` may be the position itself. Its members are changed in place, because the caller reads them
   at once. */
void chess_play(const struct el_position *position, const struct el_move *move,
                struct el_position *out)
{
	const unsigned us = position->side;
	*out = *position;
	out->set[us][move->kind] &= ~chess_bit(move->from);
	out->set[us][move->becomes] |= chess_bit(move->to);
	for (unsigned kind = 0; move->captured && kind < CHESS_KINDS; kind++)
		out->set[!us][kind] &= ~move->captured;

	bool zeroing = move->captured || move->kind == CHESS_PAWN;
	el_position_turn(out, zeroing, EL_BLACK);
	if (move->kind == CHESS_PAWN && (move->from ^ move->to) == 16) {
		out->en_passant = (uint8_t)((move->from + move->to) / 2);
		chess_settle_en_passant(out);
	}
	if (!out->castling || el_move_passes(move))
		return;
	/* Castling also moves the rook, and a king or rook that leaves its square, or is captured
	   there, loses its rights. */
	const uint64_t touched = chess_bit(move->from) | move->captured;
	for (unsigned right = 0; right < CHESS_CASTLINGS; right++) {
		const struct chess_castling c = chess_castling(right);
		if (chess_is_castling(move) && move->from == c.king && move->to == c.king_to)
			out->set[us][CHESS_ROOK] ^= chess_bit(c.rook) | chess_bit(c.rook_to);
		if (touched & (chess_bit(c.king) | chess_bit(c.rook)))
			out->castling &= (uint8_t) ~(1 << right);
	}
}

bool chess_in_check(const struct el_position *position)
{
	return king_attacked(position, position->side);
}

bool chess_zeroes(const struct el_position *position, const struct el_move *move)
{
	(void)position;
	return move->captured || move->kind == CHESS_PAWN;
}

struct el_value chess_stuck(const struct el_position *position)
{
	return (struct el_value){.outcome = chess_in_check(position) ? EL_LOSS : EL_DRAW};
}

/* ---- which positions are legal ---- */

static const char *const side_names[] = {"White", "Black"};

/* One king, and no more pieces than promotions can explain, so that moves fit EL_MOVES_MAX. */
static enum el_status check_counts(const struct el_position *position, unsigned side,
                                   struct el_error *error)
{
	static const unsigned at_first[CHESS_KINDS] = {1, 1, 2, 2, 2, 8};
	const uint64_t *set = position->set[side];
	const unsigned kings = chess_count(set[CHESS_KING]), pawns = chess_count(set[CHESS_PAWN]);
	unsigned promoted = 0;
	if (kings == 0)
		return el_fail(error, EL_NEGATIVE, "%s has no king", side_names[side]);
	if (kings > 1)
		return el_fail(error, EL_NEGATIVE, "%s has %u kings, expected 1", side_names[side],
		               kings);
	if (pawns > 8)
		return el_fail(error, EL_NEGATIVE, "%s has %u pawns, expected at most 8",
		               side_names[side], pawns);
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++) {
		unsigned count = chess_count(set[kind]);
		promoted += count > at_first[kind] ? count - at_first[kind] : 0;
	}
	if (promoted + pawns > 8)
		return el_fail(
			error, EL_NEGATIVE,
			"%s has %u pawns and %u promoted pieces, expected at most 8 together",
			side_names[side], pawns, promoted);
	return EL_OK;
}

/* The pawn that may be captured has just passed the square: it stands beyond it, and the squares it
   left and passed are empty. */
static enum el_status check_en_passant(const struct el_position *position, struct el_error *error)
{
	const unsigned us = position->side, passed = position->en_passant;
	char name[4];
	if (passed == EL_NO_SQUARE)
		return EL_OK;
	chess_square_name((uint8_t)passed, name);
	if (passed > 63 || chess_rank(passed) != (us == EL_WHITE ? 5 : 2))
		return el_fail(error, EL_NEGATIVE, "en passant on %s: expected a square on rank %c",
		               passed > 63 ? "no square" : name, us == EL_WHITE ? '6' : '3');
	const unsigned stands = step_back(us, passed), left = step_ahead(us, passed);
	if (!(position->set[!us][CHESS_PAWN] >> stands & 1) ||
	    (chess_occupied(position) & (chess_bit(passed) | chess_bit(left))))
		return el_fail(error, EL_NEGATIVE,
		               "en passant on %s: no %s pawn can just have passed it", name,
		               us == EL_WHITE ? "black" : "white");
	return EL_OK;
}

/* King and rook of each right are at home. */
static enum el_status check_castling(const struct el_position *position, struct el_error *error)
{
	if (position->castling >> CHESS_CASTLINGS)
		return el_fail(error, EL_NEGATIVE,
		               "castling rights %u, expected a number from 0 to 15",
		               position->castling);
	for (unsigned right = 0; right < CHESS_CASTLINGS; right++) {
		const struct chess_castling c = chess_castling(right);
		const uint64_t *set = position->set[right / 2];
		const bool moved = !(set[CHESS_KING] >> c.king & 1);
		char name[4];
		if (!(position->castling >> right & 1) || (!moved && set[CHESS_ROOK] >> c.rook & 1))
			continue;
		chess_square_name((uint8_t)(moved ? c.king : c.rook), name);
		return el_fail(error, EL_NEGATIVE, "castling %c: %s has no %s on %s",
		               CHESS_CASTLING_LETTERS[right], side_names[right / 2],
		               moved ? "king" : "rook", name);
	}
	return EL_OK;
}

enum el_status chess_check(const struct el_position *position, struct el_error *error)
{
	const unsigned us = position->side;
	enum el_status status = EL_OK;
	uint64_t seen = 0;
	char name[4];
	if (us > EL_BLACK)
		return el_fail(error, EL_NEGATIVE, "side to move %u, expected %d or %d", us,
		               EL_WHITE, EL_BLACK);
	for (unsigned side = 0; side < 2 && status == EL_OK; side++)
		status = check_counts(position, side, error);
	if (status != EL_OK)
		return status;
	for (unsigned i = 0; i < 2 * CHESS_KINDS; i++) {
		const uint64_t set = position->set[i / CHESS_KINDS][i % CHESS_KINDS];
		if (seen & set) {
			chess_square_name((uint8_t)chess_first(seen & set), name);
			return el_fail(error, EL_NEGATIVE, "two pieces are on %s", name);
		}
		seen |= set;
	}
	const uint64_t ends = (position->set[0][CHESS_PAWN] | position->set[1][CHESS_PAWN]) &
	                      (CHESS_RANK_1 | CHESS_RANK_8);
	if (ends) {
		chess_square_name((uint8_t)chess_first(ends), name);
		return el_fail(error, EL_NEGATIVE, "a pawn is on %s, expected ranks 2 to 7", name);
	}
	if (chess_king_attacks(king_of(position, us)) & position->set[!us][CHESS_KING])
		return el_fail(error, EL_NEGATIVE, "the kings are next to each other");
	if (king_attacked(position, !us))
		return el_fail(error, EL_NEGATIVE, "%s is in check with %s to move",
		               side_names[!us], side_names[us]);
	status = check_en_passant(position, error);
	return status == EL_OK && position->castling ? check_castling(position, error) : status;
}

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

/* The square ahead of a pawn of `side`. */
static unsigned step_ahead(unsigned side, unsigned square)
{
	return side == EL_WHITE ? square + 8 : square - 8;
}

static struct el_move en_passant_move(const struct generator *g, unsigned from)
{
	unsigned to = g->position->en_passant;
	struct el_move move = plain_move(g, CHESS_PAWN, from, to);
	move.captured = chess_bit(step_ahead(!g->us, to));
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

/* The king goes to the c- or g-file and the rook to its other side, wherever both stand: as in
   Chess960, of which ordinary chess is a case. */
static const char *castle(const struct generator *g, unsigned rook, struct el_move *out)
{
	const unsigned first = g->king & 56, to = first + (rook < g->king ? 2 : 6);
	const unsigned rook_to = rook < g->king ? to + 1 : to - 1;
	const uint64_t others = g->occupied & ~(chess_bit(g->king) | chess_bit(rook));
	uint64_t way = chess_between(g->king, to);
	*out = (struct el_move){.from = (uint8_t)g->king,
	                        .to = (uint8_t)to,
	                        .kind = CHESS_KING,
	                        .becomes = CHESS_KING,
	                        .castles = (uint8_t)(rook + 1)};
	if (others & (way | chess_bit(to) | chess_between(rook, rook_to) | chess_bit(rook_to)))
		return "a piece is in the way";
	if (g->guards == ~UINT64_C(0))
		return "the king is in check";
	while (way)
		if (chess_attacked(g->position, !g->us, ~UINT64_C(0), chess_pop(&way), g->occupied))
			return "the king would pass through check";
	if (chess_attacked(g->position, !g->us, ~UINT64_C(0), to, others | chess_bit(rook_to)))
		return "the king would be in check";
	return NULL;
}

const char *chess_castle(const struct el_position *position, unsigned rook, struct el_move *out)
{
	const struct generator g = generator_make(position);
	return castle(&g, rook, out);
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
	for (uint64_t rooks = chess_castling_rooks(g.position, g.us); rooks;)
		g.count += !castle(&g, chess_pop(&rooks), &out[g.count]);
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
	/* Castling also moves the rook, unless it stays, as one on the d-file may. A king that moves
	   loses both rights; a rook that leaves its square, or is captured there, loses its own. */
	if (move->castles) {
		out->set[us][CHESS_ROOK] &= ~chess_bit(move->castles - 1u);
		out->set[us][CHESS_ROOK] |=
			chess_bit(chess_file(move->to) == 2 ? move->to + 1u : move->to - 1u);
	}
	const uint64_t touched = chess_bit(move->from) | move->captured;
	const unsigned kept = move->kind == CHESS_KING ? us == EL_WHITE ? 0xff00 : 0x00ff : 0xffff;
	out->castling &= (uint16_t)(kept & ~((touched & 255) | touched >> 56 << 8));
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
enum el_status chess_check_en_passant(const struct el_position *position, struct el_error *error)
{
	const unsigned us = position->side, passed = position->en_passant;
	char name[4];
	if (passed == EL_NO_SQUARE)
		return EL_OK;
	chess_square_name((uint8_t)passed, name);
	if (passed > 63 || chess_rank(passed) != (us == EL_WHITE ? 5 : 2))
		return el_fail(error, EL_NEGATIVE,
		               "en passant on %s: expected a square on rank %c (%s is to move)",
		               passed > 63 ? "no square" : name, us == EL_WHITE ? '6' : '3',
		               side_names[us]);
	const unsigned stands = step_ahead(!us, passed), left = step_ahead(us, passed);
	if (!(position->set[!us][CHESS_PAWN] >> stands & 1) ||
	    (chess_occupied(position) & (chess_bit(passed) | chess_bit(left))))
		return el_fail(error, EL_NEGATIVE,
		               "en passant on %s: no %s pawn can just have passed it", name,
		               us == EL_WHITE ? "black" : "white");
	return EL_OK;
}

/* In Chess960 the king stands between its rooks, so never in a corner. */
enum el_status chess_right_of(const struct el_position *position, char letter, uint16_t *right,
                              struct el_error *error)
{
	const unsigned side = letter < 'a' ? EL_WHITE : EL_BLACK;
	const unsigned first = side == EL_WHITE ? 0 : 56;
	const char upper = (char)(side == EL_WHITE ? letter : letter - 'a' + 'A');
	const char rank = side == EL_WHITE ? '1' : '8';
	const uint64_t kings = position->set[side][CHESS_KING];
	const uint64_t rooks = position->set[side][CHESS_ROOK] & CHESS_RANK_1 << first;
	if (!kings || kings & (kings - 1) || kings & ~(UINT64_C(0x7e) << first))
		return el_fail(error, EL_NEGATIVE, "%s has no king on b%c to g%c", side_names[side],
		               rank, rank);
	const uint64_t left = rooks & (kings - 1), beyond = rooks & ~(kings - 1);
	const uint64_t found = upper == 'K'
	                               ? (beyond ? chess_bit(63) >> __builtin_clzll(beyond) : 0)
	                       : upper == 'Q' ? left & -left
	                                      : rooks & chess_bit(first + (unsigned)(upper - 'A'));
	const char king = (char)('a' + chess_file(chess_first(kings)));
	if (!found && upper != 'K' && upper != 'Q')
		return el_fail(error, EL_NEGATIVE, "%s has no rook on %c%c", side_names[side],
		               upper - 'A' + 'a', rank);
	if (!found)
		return el_fail(error, EL_NEGATIVE, "%s has no rook on %c%c to %c%c",
		               side_names[side], upper == 'K' ? king + 1 : 'a', rank,
		               upper == 'K' ? 'h' : king - 1, rank);
	const uint64_t wing = found < kings ? left : beyond;
	if (chess_castling_rooks(position, side) & wing & ~found)
		return el_fail(error, EL_NEGATIVE,
		               "another rook on that side of %s's king has the right",
		               side_names[side]);
	*right = (uint16_t)(found >> first << 8 * side);
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
	status = chess_check_en_passant(position, error);
	for (unsigned bit = 0; position->castling >> bit && !status; bit++) {
		const char letter = (char)((bit < 8 ? 'A' : 'a') + bit % 8);
		struct el_error why;
		uint16_t right;
		if (position->castling >> bit & 1 && chess_right_of(position, letter, &right, &why))
			return el_fail(error, EL_NEGATIVE, "castling %c: %s", letter, why.text);
	}
	return status;
}

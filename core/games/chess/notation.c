/* SPDX-License-Identifier: MIT */
/* Moves as text: standard algebraic notation for people, the UCI protocol's notation for
   programs. */
#include "chess.h"

#include <ctype.h>
#include <string.h>

/* ---- writing ---- */

static bool is_promotion(const struct el_move *move)
{
	return move->becomes != move->kind;
}

/* Does a king castle from the e-file with a rook in a corner? */
static bool is_ordinary(const struct el_move *move)
{
	const unsigned file = chess_file(move->castles - 1u);
	return chess_file(move->from) == 4 && (file == 0 || file == 7);
}

static char *write_square(char *out, unsigned square)
{
	chess_square_name((uint8_t)square, out);
	return out + 2;
}

/* Writes the shortest origin that distinguishes a piece from its like: nothing, file, rank, or
   both. */
static char *write_origin(char *out, const struct el_move *moves, size_t count,
                          const struct el_move *move)
{
	bool others = false, same_file = false, same_rank = false;
	for (size_t i = 0; i < count; i++) {
		const struct el_move *other = &moves[i];
		if (other->kind != move->kind || other->to != move->to || other->from == move->from)
			continue;
		others = true;
		same_file |= chess_file(other->from) == chess_file(move->from);
		same_rank |= chess_rank(other->from) == chess_rank(move->from);
	}
	if (others && (!same_file || same_rank))
		*out++ = (char)('a' + chess_file(move->from));
	if (others && same_file)
		*out++ = (char)('1' + chess_rank(move->from));
	return out;
}

/* "+", "#" or nothing, for the position after the move. */
static const char *check_mark(const struct el_position *position, const struct el_move *move)
{
	struct el_move replies[EL_MOVES_MAX];
	struct el_position next;
	chess_play(position, move, &next);
	if (!chess_in_check(&next))
		return "";
	return chess_moves(&next, replies) ? "+" : "#";
}

void chess_write_move(const struct el_position *position, const struct el_move *move,
                      enum el_notation notation, char out[EL_MOVE_MAX])
{
	if (el_move_passes(move)) {
		strcpy(out, notation == EL_UCI ? "0000" : "--");
		return;
	}
	if (notation == EL_UCI) {
		/* Elsewhere than in ordinary chess, the king's squares may be those of a step: there
		   it takes its rook. */
		const unsigned rook = move->castles - 1u,
			       to = move->castles && !is_ordinary(move) ? rook : move->to;
		out = write_square(write_square(out, move->from), to);
		if (is_promotion(move))
			*out++ = (char)tolower(el_chess.kinds[move->becomes]);
		*out = '\0';
		return;
	}
	if (move->castles) {
		strcpy(stpcpy(out, chess_file(move->to) == 6 ? "O-O" : "O-O-O"),
		       check_mark(position, move));
		return;
	}
	if (move->kind != CHESS_PAWN) {
		struct el_move moves[EL_MOVES_MAX];
		*out++ = el_chess.kinds[move->kind];
		out = write_origin(out, moves, chess_moves(position, moves), move);
	} else if (move->captured) {
		*out++ = (char)('a' + chess_file(move->from));
	}
	if (move->captured)
		*out++ = 'x';
	out = write_square(out, move->to);
	if (is_promotion(move)) {
		*out++ = '=';
		*out++ = el_chess.kinds[move->becomes];
	}
	strcpy(out, check_mark(position, move));
}

/* ---- reading ---- */

enum { ANY = -1 };

/* The parsed move; ANY if the text leaves a field open. */
struct request {
	int kind, file, rank, becomes;
	unsigned to;
	bool captures; /* written as a capture; optional */
};

/* Removes and returns the last character of a text; 0 if it is not one of these. */
static char chop(const char *text, size_t *length, const char *these)
{
	if (!*length || !strchr(these, text[*length - 1]))
		return '\0';
	return text[--*length];
}

static int kind_of(char letter)
{
	const char *found = letter ? strchr(el_chess.kinds, toupper((unsigned char)letter)) : NULL;
	return found ? (int)(found - el_chess.kinds) : ANY;
}

static void chop_marks(const char *text, size_t *length)
{
	static const char *const passant[] = {"e.p.", "ep"};
	while (chop(text, length, "+#!? "))
		;
	for (unsigned i = 0; i < 2; i++) {
		const size_t size = strlen(passant[i]);
		if (*length > size && memcmp(text + *length - size, passant[i], size) == 0)
			*length -= size;
	}
	while (chop(text, length, " "))
		;
}

/* Parses from the end, which is less ambiguous: "exd8=Q" is Q, =, d8, x, e. */
static bool understand(const char *text, struct request *out)
{
	size_t length = strlen(text);
	chop_marks(text, &length);
	out->becomes = kind_of(chop(text, &length, "QRBNqrbn"));
	if (out->becomes != ANY)
		chop(text, &length, "=");
	char rank = chop(text, &length, "12345678"), file = chop(text, &length, "abcdefgh");
	if (!rank || !file)
		return false;
	out->to = chess_square_at((unsigned)(file - 'a'), (unsigned)(rank - '1'));
	out->captures = chop(text, &length, "x:");
	if (!out->captures)
		chop(text, &length, "-");
	rank = chop(text, &length, "12345678");
	file = chop(text, &length, "abcdefgh");
	char letter = chop(text, &length, "KQRBN");
	out->rank = rank ? rank - '1' : ANY;
	out->file = file ? file - 'a' : ANY;
	/* "e5e6" names two squares and no piece: any piece fits. */
	out->kind = letter ? kind_of(letter) : rank && file ? ANY : CHESS_PAWN;
	return length == 0;
}

static bool agrees(int wanted, unsigned found)
{
	return wanted == ANY || (unsigned)wanted == found;
}

static bool names_castling(const struct request *request, const struct el_move *move)
{
	return agrees(request->kind, CHESS_KING) && request->file == (int)chess_file(move->from) &&
	       request->rank == (int)chess_rank(move->from) && el_move_goes_to(move, request->to);
}

/* Keeps the moves that fit; returns how many. "Kg1" is a step of the king. */
static size_t choose(const struct request *request, struct el_move *moves, size_t count)
{
	size_t chosen = 0;
	for (const struct el_move *move = moves; move < moves + count; move++)
		if (move->castles
		            ? names_castling(request, move)
		            : move->to == request->to && agrees(request->kind, move->kind) &&
		                      agrees(request->file, chess_file(move->from)) &&
		                      agrees(request->rank, chess_rank(move->from)) &&
		                      (move->captured || !request->captures) &&
		                      agrees(request->becomes,
		                             is_promotion(move) ? move->becomes : CHESS_KINDS))
			moves[chosen++] = *move;
	return chosen;
}

/* Says why no legal move fits, by dropping conditions one by one. */
static enum el_status refuse(const struct el_position *position, const struct request *request,
                             const char *text, struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	char square[4];
	chess_square_name((uint8_t)request->to, square);
	if (choose(request, moves, chess_generate(position, true, moves)))
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: it leaves the king in check",
		               text);
	struct request less = *request;
	less.captures = false;
	if (choose(&less, moves, chess_moves(position, moves)))
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: nothing can be taken on %s",
		               text, square);
	less.becomes = ANY;
	if (choose(&less, moves, chess_moves(position, moves)))
		return el_fail(error, EL_NEGATIVE, "'%s' is illegal: it is not a promotion", text);
	return el_fail(error, EL_NEGATIVE, "'%s' is illegal: no such %s can go to %s", text,
	               request->kind == ANY ? "piece" : el_chess.kind_names[request->kind], square);
}

/* "O-O", also with zeros or in lower case: the wing, or ANY. */
static int wing_of(const char *text)
{
	size_t length = strlen(text);
	chop_marks(text, &length);
	for (size_t i = 0; i < length; i++)
		if (i % 2 ? text[i] != '-' : text[i] != *text || !strchr("O0o", *text))
			return ANY;
	return length == 3 ? 0 : length == 5 ? 1 : ANY;
}

/* Castles on a wing, or says why not. */
static enum el_status read_castling(const struct el_position *position, int wing, const char *text,
                                    struct el_move *out, struct el_error *error)
{
	const char *why = wing ? "there is no right to castle queenside"
	                       : "there is no right to castle kingside";
	const unsigned king = chess_first(position->set[position->side][CHESS_KING]);
	for (uint64_t rooks = chess_castling_rooks(position, position->side); rooks;) {
		const unsigned rook = chess_pop(&rooks);
		if ((rook < king) == wing)
			why = chess_castle(position, rook, out);
	}
	return why ? el_fail(error, EL_NEGATIVE, "'%s' is illegal: %s", text, why) : EL_OK;
}

/* The king moves to where it stands. */
enum el_status chess_pass(const struct el_position *position, struct el_move *out,
                          struct el_error *error)
{
	const uint8_t king = (uint8_t)__builtin_ctzll(position->set[position->side][CHESS_KING]);
	if (chess_in_check(position))
		return el_fail(error, EL_NEGATIVE, "'--' is illegal: a side in check cannot pass");
	*out = (struct el_move){
		.from = king, .to = king, .kind = CHESS_KING, .becomes = CHESS_KING};
	return EL_OK;
}

enum el_status chess_read_move(const struct el_position *position, const char *text,
                               struct el_move *out, struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct request request;
	const int wing = strlen(text) < EL_MOVE_MAX ? wing_of(text) : ANY;
	if (wing != ANY)
		return read_castling(position, wing, text, out, error);
	if (strlen(text) >= EL_MOVE_MAX || !understand(text, &request))
		return el_fail(error, EL_USAGE,
		               "'%.*s' is not a move: expected one such as Qe6+, exd8=Q or e5e6",
		               EL_MOVE_MAX, text);
	size_t count = choose(&request, moves, chess_moves(position, moves));
	for (uint64_t rooks = chess_castling_rooks(position, position->side); !count && rooks;) {
		struct el_move castling;
		const char *why = chess_castle(position, chess_pop(&rooks), &castling);
		if (names_castling(&request, &castling))
			return el_fail(error, EL_NEGATIVE, "'%s' is illegal: %s", text, why);
	}
	if (count == 0)
		return refuse(position, &request, text, error);
	if (count == 1) {
		*out = moves[0];
		return EL_OK;
	}
	/* The text lacks a promotion, or does not distinguish like pieces. */
	const struct el_move *last = &moves[count - 1];
	char san[2][EL_MOVE_MAX];
	chess_write_move(position, moves, EL_SAN, san[0]);
	chess_write_move(position, last, EL_SAN, san[1]);
	if (is_promotion(moves) && moves->from == last->from)
		return el_fail(error, EL_NEGATIVE,
		               "'%s' does not say what the pawn becomes: %s ... %s", text, san[0],
		               san[1]);
	return el_fail(error, EL_NEGATIVE, "'%s' is ambiguous: %s or %s", text, san[0], san[1]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "brute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A state is a number: from the top, one bit for a right to capture en passant (only where both
 * sides have a pawn), one bit for the side to move, then six bits a piece: its square, a1 = 0,
 * h8 = 63, the white king first. The white king is kept on files a-d, and without pawns on ranks
 * 1-4, by mirroring the whole board: no square lies on those mirrors, so images never coincide.
 */
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN, NO_PIECE = -1 };
enum { PIECES = 4, TABLES = 64, MOVES = 128 };

/* What `value` says of a state: DECIDED + plies, odd ones being wins and even ones losses, or
   OPEN + the number of legal moves not known to lose, which at the end means a draw. */
enum { ILLEGAL, DECIDED, OPEN = 1024, STALEMATE = OPEN + 255 };

/* Where a move that changes the material goes: piece i there is piece from[i] here. */
struct way_out {
	const struct brute_table *to;
	uint8_t from[PIECES];
	bool swapped; /* the colours */
};

struct brute_table {
	char name[16];
	unsigned pieces, pawns;
	struct {
		uint8_t side, kind;
	} piece[PIECES]; /* king, others, king, others */
	bool en_passant;
	uint8_t shift[PIECES]; /* where a piece's square is in a state */
	uint32_t ones;         /* the lowest bit of every square */
	uint32_t side_bit, right_bit;
	uint32_t states;
	uint16_t *value;
	int8_t step[16][64]; /* by direction: the next square, or -1 beyond the edge */
	/* By the piece that is taken (PIECES: none), the one that moves and what it becomes. */
	struct way_out out[PIECES + 1][PIECES][PAWN + 1];
};

struct brute {
	struct brute_table *table[TABLES];
	unsigned tables;
};

struct board {
	uint32_t state; /* that it shows */
	int8_t at[64];  /* the piece on a square, or NO_PIECE */
	uint8_t square[PIECES];
	uint8_t side;
	bool en_passant;
};

struct move {
	uint8_t piece, to, becomes;
	int8_t taken; /* the piece that is captured, or NO_PIECE */
	bool stays;   /* the material is the same afterwards */
};

static void need(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "brute: %s\n", what);
	abort();
}

static int file_of(int square) { return square & 7; }
static int rank_of(int square) { return square >> 3; }

/* The square a step away, or -1 beyond the edge. */
static int step(int square, int files, int ranks)
{
	int file = file_of(square) + files, rank = rank_of(square) + ranks;
	return (file | rank) & ~7 ? -1 : rank * 8 + file;
}

/* {files, ranks} of a step: a rook's, a bishop's, a knight's. */
static const int8_t steps[16][2] = {
	{1, 0},   {-1, 0},  {0, 1},   {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1},
	{-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}, {1, 2}, {2, 1},  {2, -1}, {1, -2},
};

/* How the pieces other than pawns go: the first direction, the end of them, again and again. */
static const struct going {
	uint8_t first, end;
	bool slides;
} goings[PAWN] = {
	[KING] = {0, 8, false},  [QUEEN] = {0, 8, true},    [ROOK] = {0, 4, true},
	[BISHOP] = {4, 8, true}, [KNIGHT] = {8, 16, false},
};

static int forward(int side) { return side == EL_WHITE ? 1 : -1; }
static int start_rank(int side) { return side == EL_WHITE ? 1 : 6; }
static int last_rank(int side) { return side == EL_WHITE ? 7 : 0; }

/* ---- states and boards ---- */

/* Mirrors the files of the whole board, and the ranks, where the white king asks for it. */
static uint32_t canonical(const struct brute_table *t, uint32_t state)
{
	uint32_t king = state >> t->shift[0];
	if (king & 4)
		state ^= 7 * t->ones;
	if (king & 32 && t->pawns == 0)
		state ^= 56 * t->ones;
	return state;
}

static uint32_t state_of(const struct brute_table *t, const uint8_t square[PIECES], unsigned side,
                         bool en_passant)
{
	uint32_t state = (en_passant ? t->right_bit : 0) | (side ? t->side_bit : 0);
	for (unsigned i = 0; i < t->pieces; i++)
		state |= (uint32_t)square[i] << t->shift[i];
	return canonical(t, state);
}

/* The state with one piece elsewhere and the other side to move, no right to capture en passant. */
static uint32_t state_with(const struct brute_table *t, const struct board *b, unsigned piece,
                           int square)
{
	uint32_t changed = (uint32_t)(b->square[piece] ^ square) << t->shift[piece];
	uint32_t state = ((b->state ^ changed) & ~t->right_bit) ^ t->side_bit;
	return piece == 0 ? canonical(t, state) : state;
}

/* False when two pieces share a square or a pawn stands where none can; the board is then void. */
static bool set_up(const struct brute_table *t, uint32_t state, struct board *b)
{
	b->state = state;
	memset(b->at, NO_PIECE, sizeof b->at);
	b->side = (state & t->side_bit) != 0;
	b->en_passant = t->en_passant && (state & t->right_bit) != 0;
	for (unsigned i = 0; i < t->pieces; i++) {
		int square = (int)(state >> t->shift[i] & 63);
		if (b->at[square] != NO_PIECE)
			return false;
		if (t->piece[i].kind == PAWN && (rank_of(square) == 0 || rank_of(square) == 7))
			return false;
		b->at[square] = (int8_t)i;
		b->square[i] = (uint8_t)square;
	}
	return true;
}

static bool is_piece(const struct brute_table *t, int piece, int side, int kind)
{
	return piece != NO_PIECE && t->piece[piece].side == side && t->piece[piece].kind == kind;
}

static int piece_of(const struct brute_table *t, int side, int kind)
{
	for (int i = 0; i < (int)t->pieces; i++)
		if (is_piece(t, i, side, kind))
			return i;
	return NO_PIECE;
}

/* ---- attacks and legality ---- */

static bool piece_attacks(const struct brute_table *t, const struct board *b, unsigned piece,
                          int target)
{
	int from = b->square[piece], files = file_of(target) - file_of(from);
	int ranks = rank_of(target) - rank_of(from);
	if (t->piece[piece].kind == PAWN)
		return abs(files) == 1 && ranks == forward(t->piece[piece].side);
	const struct going *going = &goings[t->piece[piece].kind];
	for (int i = going->first; i < going->end; i++) {
		int square = from;
		do {
			square = t->step[i][square];
			if (square == target)
				return true;
		} while (going->slides && square >= 0 && b->at[square] == NO_PIECE);
	}
	return false;
}

static bool king_attacked(const struct brute_table *t, const struct board *b, int side)
{
	int king = b->square[piece_of(t, side, KING)];
	for (unsigned i = 0; i < t->pieces; i++)
		if (t->piece[i].side != side && piece_attacks(t, b, i, king))
			return true;
	return false;
}

/* The square behind a pawn that could be captured en passant by some pawn of `side`, or -1: the
   other side's pawn stands where a double step ends, over two empty squares, beside that pawn. */
static int passed_square(const struct brute_table *t, const struct board *b, int side)
{
	int other = 1 - side, pawn = piece_of(t, other, PAWN);
	if (!t->en_passant)
		return -1;
	int square = b->square[pawn], back = -forward(other);
	if (rank_of(square) != start_rank(other) + 2 * forward(other))
		return -1;
	int behind = step(square, 0, back), origin = step(behind, 0, back);
	if (b->at[behind] != NO_PIECE || b->at[origin] != NO_PIECE)
		return -1;
	for (int files = -1; files <= 1; files += 2) {
		int beside = step(square, files, 0);
		if (beside >= 0 && is_piece(t, b->at[beside], side, PAWN))
			return behind;
	}
	return -1;
}

static bool legal(const struct brute_table *t, const struct board *b)
{
	if (b->en_passant && passed_square(t, b, b->side) < 0)
		return false;
	return !king_attacked(t, b, 1 - b->side);
}

/* ---- moves ---- */

struct list {
	struct move move[MOVES];
	unsigned count;
};

static void add(const struct brute_table *t, struct list *list, unsigned piece, int to,
                int becomes, int taken)
{
	bool stays = taken == NO_PIECE && becomes == t->piece[piece].kind;
	list->move[list->count++] =
		(struct move){(uint8_t)piece, (uint8_t)to, (uint8_t)becomes, (int8_t)taken, stays};
}

static void add_pawn_move(const struct brute_table *t, unsigned piece, int to, int taken,
                          struct list *list)
{
	if (rank_of(to) != last_rank(t->piece[piece].side)) {
		add(t, list, piece, to, PAWN, taken);
		return;
	}
	for (int kind = QUEEN; kind <= KNIGHT; kind++)
		add(t, list, piece, to, kind, taken);
}

static void pawn_moves(const struct brute_table *t, const struct board *b, unsigned piece,
                       struct list *list)
{
	int side = t->piece[piece].side, from = b->square[piece], up = forward(side);
	int one = step(from, 0, up);
	if (b->at[one] == NO_PIECE) {
		add_pawn_move(t, piece, one, NO_PIECE, list);
		if (rank_of(from) == start_rank(side) && b->at[step(one, 0, up)] == NO_PIECE)
			add(t, list, piece, step(one, 0, up), PAWN, NO_PIECE);
	}
	int passed = b->en_passant ? passed_square(t, b, side) : -1;
	for (int files = -1; files <= 1; files += 2) {
		int to = step(from, files, up);
		if (to < 0)
			continue;
		if (b->at[to] != NO_PIECE && t->piece[b->at[to]].side != side)
			add_pawn_move(t, piece, to, b->at[to], list);
		else if (to == passed)
			add(t, list, piece, to, PAWN, b->at[step(to, 0, -up)]);
	}
}

static bool is_own(const struct brute_table *t, const struct board *b, int square)
{
	return b->at[square] != NO_PIECE && t->piece[b->at[square]].side == b->side;
}

static void piece_moves(const struct brute_table *t, const struct board *b, unsigned piece,
                        struct list *list)
{
	const struct going *going = &goings[t->piece[piece].kind];
	for (int i = going->first; i < going->end; i++) {
		int to = b->square[piece];
		do {
			to = t->step[i][to];
			if (to >= 0 && !is_own(t, b, to))
				add(t, list, piece, to, t->piece[piece].kind, b->at[to]);
		} while (going->slides && to >= 0 && b->at[to] == NO_PIECE);
	}
}

/* All moves of the side to move; a king may be left in check, and kings may be taken. */
static void all_moves(const struct brute_table *t, const struct board *b, struct list *list)
{
	list->count = 0;
	for (unsigned i = 0; i < t->pieces; i++) {
		if (t->piece[i].side != b->side)
			continue;
		if (t->piece[i].kind == PAWN)
			pawn_moves(t, b, i, list);
		else
			piece_moves(t, b, i, list);
	}
}

/* After a double step beside a pawn of the other side, that side may capture en passant. */
static bool gives_right(const struct brute_table *t, const struct board *b, const struct move *m)
{
	uint8_t from = b->square[m->piece];
	if (!t->en_passant || m->becomes != PAWN || abs(rank_of(m->to) - rank_of(from)) != 2)
		return false;
	struct board after = *b;
	after.at[from] = NO_PIECE;
	after.at[m->to] = (int8_t)m->piece;
	after.square[m->piece] = m->to;
	return passed_square(t, &after, 1 - b->side) >= 0;
}

/* The value of the position after a move that keeps the material. */
static uint16_t value_after_quiet(const struct brute_table *t, const struct board *b,
                                  const struct move *m)
{
	uint32_t state = state_with(t, b, m->piece, m->to);
	return t->value[gives_right(t, b, m) ? state | t->right_bit : state];
}

/* The same for a move that changes it. The other king cannot be taken: the position was legal. */
static uint16_t value_after_conversion(const struct brute_table *t, const struct board *b,
                                       const struct move *m)
{
	unsigned taken = m->taken == NO_PIECE ? PIECES : (unsigned)m->taken;
	const struct way_out *out = &t->out[taken][m->piece][m->becomes];
	uint8_t squares[PIECES];
	for (unsigned i = 0; i < out->to->pieces; i++) {
		uint8_t square = out->from[i] == m->piece ? m->to : b->square[out->from[i]];
		squares[i] = out->swapped ? square ^ 56 : square;
	}
	unsigned side = b->side ^ 1u ^ out->swapped;
	return out->to->value[state_of(out->to, squares, side, false)];
}

static uint16_t value_after(const struct brute_table *t, const struct board *b,
                            const struct move *m)
{
	return m->stays ? value_after_quiet(t, b, m) : value_after_conversion(t, b, m);
}

static bool is_decided(uint16_t value) { return value >= DECIDED && value < OPEN; }
static bool is_win(uint16_t value) { return is_decided(value) && (value - DECIDED) % 2 == 1; }
static bool is_loss(uint16_t value) { return is_decided(value) && (value - DECIDED) % 2 == 0; }

/* ---- the solution ---- */

/* The first look at a legal position: its moves are counted, and those that change the material
   are judged at once, for their tables are solved. */
static void first_look(struct brute_table *t, uint32_t state, const struct board *b)
{
	struct list list;
	unsigned moves = 0, losing = 0;
	uint16_t shortest = OPEN, longest = 0;
	all_moves(t, b, &list);
	for (unsigned i = 0; i < list.count; i++) {
		uint16_t after = value_after(t, b, &list.move[i]);
		if (after == ILLEGAL)
			continue;
		moves++;
		if (list.move[i].stays)
			continue;
		if (is_loss(after) && after + 1 < shortest)
			shortest = (uint16_t)(after + 1);
		if (is_win(after) && ++losing && after > longest)
			longest = after;
	}
	uint16_t *value = &t->value[state];
	if (moves == 0)
		*value = king_attacked(t, b, b->side) ? DECIDED : STALEMATE;
	else if (shortest < OPEN)
		*value = shortest;
	else
		*value = (uint16_t)(moves == losing ? longest + 1u : OPEN + moves - losing);
}

/* All moves of a position lose: it is lost one ply later than the longest of them. */
static uint16_t longest_loss(const struct brute_table *t, uint32_t state)
{
	struct board b;
	struct list list;
	uint16_t longest = 0;
	set_up(t, state, &b);
	all_moves(t, &b, &list);
	for (unsigned i = 0; i < list.count; i++) {
		uint16_t after = value_after(t, &b, &list.move[i]);
		need(after == ILLEGAL || is_win(after), "a move of a lost position does not lose");
		if (after > longest)
			longest = after;
	}
	return (uint16_t)(longest + 1);
}

/* A move from `before` into a position of value `after` has just been decided. */
static void settle(struct brute_table *t, uint32_t before, uint16_t after, uint16_t *deepest)
{
	uint16_t *value = &t->value[before];
	if (*value == ILLEGAL)
		return;
	if (is_loss(after) && *value > after + 1)
		*value = (uint16_t)(after + 1);
	else if (is_win(after) && *value > OPEN && --*value == OPEN)
		*value = longest_loss(t, before);
	if (is_decided(*value) && *value > *deepest)
		*deepest = *value;
}

/* Takes back a quiet move of `piece` from where it stands to `from`. A position before it may or
   may not have had a right to capture en passant, which the move then let go. */
static void take_back(struct brute_table *t, const struct board *b, unsigned piece, int from,
                      uint16_t value, uint16_t *deepest)
{
	uint32_t state = state_with(t, b, piece, from);
	settle(t, state, value, deepest);
	if (t->en_passant)
		settle(t, state | t->right_bit, value, deepest);
}

static void take_back_pawn(struct brute_table *t, const struct board *b, unsigned piece,
                           uint16_t value, uint16_t *deepest)
{
	int side = t->piece[piece].side, to = b->square[piece], back = -forward(side);
	int one = step(to, 0, back);
	if (rank_of(to) == start_rank(side) || b->at[one] != NO_PIECE)
		return;
	if (!b->en_passant)
		take_back(t, b, piece, one, value, deepest);
	int two = step(one, 0, back);
	if (two < 0 || rank_of(two) != start_rank(side) || b->at[two] != NO_PIECE)
		return;
	if (b->en_passant == (passed_square(t, b, b->side) >= 0))
		take_back(t, b, piece, two, value, deepest);
}

static void take_back_piece(struct brute_table *t, const struct board *b, unsigned piece,
                            uint16_t value, uint16_t *deepest)
{
	const struct going *going = &goings[t->piece[piece].kind];
	for (int i = going->first; i < going->end; i++) {
		int from = b->square[piece];
		do {
			from = t->step[i][from];
			if (from >= 0 && b->at[from] == NO_PIECE)
				take_back(t, b, piece, from, value, deepest);
		} while (going->slides && from >= 0 && b->at[from] == NO_PIECE);
	}
}

/* Tells every position that has a quiet move into this one. With a right to capture en passant
   the last move was the double step. */
static void tell_predecessors(struct brute_table *t, uint32_t state, uint16_t *deepest)
{
	struct board b;
	uint16_t value = t->value[state];
	set_up(t, state, &b);
	for (unsigned i = 0; i < t->pieces; i++) {
		if (t->piece[i].side == b.side)
			continue;
		if (t->piece[i].kind == PAWN)
			take_back_pawn(t, &b, i, value, deepest);
		else if (!b.en_passant)
			take_back_piece(t, &b, i, value, deepest);
	}
}

/* The three passes take `part` states from `first`, which have the white king in common. */
static uint32_t part_of(const struct brute_table *t) { return (uint32_t)1 << t->shift[0]; }

static void find_legal(struct brute_table *t, uint32_t first)
{
	struct board b;
	for (uint32_t s = first; s < first + part_of(t); s++)
		if (set_up(t, s, &b) && legal(t, &b))
			t->value[s] = OPEN;
}

static void look_at_all(struct brute_table *t, uint32_t first, uint16_t *deepest)
{
	struct board b;
	for (uint32_t s = first; s < first + part_of(t); s++) {
		if (t->value[s] == ILLEGAL)
			continue;
		set_up(t, s, &b);
		first_look(t, s, &b);
		if (is_decided(t->value[s]) && t->value[s] > *deepest)
			*deepest = t->value[s];
	}
}

static void tell_all(struct brute_table *t, uint32_t first, uint16_t value, uint16_t *deepest)
{
	for (uint32_t s = first; s < first + part_of(t); s++)
		if (t->value[s] == value)
			tell_predecessors(t, s, deepest);
}

/* The next part whose white king stands where `canonical` puts it. */
static uint32_t next_part(const struct brute_table *t, uint32_t first)
{
	do {
		first += part_of(t);
	} while (first < t->states && canonical(t, first) != first);
	return first;
}

static void solve(struct brute_table *t)
{
	uint16_t deepest = DECIDED;
	for (uint32_t first = 0; first < t->states; first = next_part(t, first))
		find_legal(t, first);
	for (uint32_t first = 0; first < t->states; first = next_part(t, first))
		look_at_all(t, first, &deepest);
	for (uint16_t value = DECIDED; value <= deepest; value++)
		for (uint32_t first = 0; first < t->states; first = next_part(t, first))
			tell_all(t, first, value, &deepest);
}

/* ---- materials ---- */

static int material_compare(const unsigned a[PAWN + 1], const unsigned b[PAWN + 1])
{
	unsigned total_a = 0, total_b = 0;
	for (int k = KING; k <= PAWN; k++)
		total_a += a[k], total_b += b[k];
	if (total_a != total_b)
		return total_a < total_b ? -1 : 1;
	for (int k = QUEEN; k <= PAWN; k++)
		if (a[k] != b[k])
			return a[k] < b[k] ? -1 : 1;
	return 0;
}

/* "KQvKR" of counts by side; the side with more or stronger pieces first, which *swapped tells. */
static void name_of(unsigned count[2][PAWN + 1], char name[16], bool *swapped)
{
	char *p = name;
	*swapped = material_compare(count[0], count[1]) < 0;
	for (unsigned side = 0; side < 2; side++) {
		if (side)
			*p++ = 'v';
		for (int kind = KING; kind <= PAWN; kind++)
			for (unsigned i = 0; i < count[side ^ *swapped][kind]; i++)
				*p++ = "KQRBNP"[kind];
	}
	*p = 0;
}

static void count_of(const char *name, unsigned count[2][PAWN + 1])
{
	unsigned side = 0;
	memset(count, 0, 2 * sizeof count[0]);
	for (; *name; name++) {
		const char *letter = strchr("KQRBNP", *name);
		need(*name == 'v' || letter != NULL, "no such piece");
		if (*name == 'v')
			side = 1;
		else
			count[side][letter - "KQRBNP"]++;
	}
}

const struct brute_table *brute_table(const struct brute *brute, const char *name)
{
	for (unsigned i = 0; i < brute->tables; i++)
		if (strcmp(brute->table[i]->name, name) == 0)
			return brute->table[i];
	return NULL;
}

static struct brute_table *new_table(const char *name)
{
	unsigned count[2][PAWN + 1];
	struct brute_table *t = calloc(1, sizeof *t);
	need(t != NULL && strlen(name) < sizeof t->name, "no memory");
	strcpy(t->name, name);
	count_of(name, count);
	need(count[0][KING] == 1 && count[1][KING] == 1, "not one king a side");
	for (unsigned side = 0; side < 2; side++)
		for (int kind = KING; kind <= PAWN; kind++)
			for (unsigned i = 0; i < count[side][kind]; i++) {
				need(t->pieces < PIECES, "too many pieces");
				t->piece[t->pieces].side = (uint8_t)side;
				t->piece[t->pieces++].kind = (uint8_t)kind;
			}
	t->pawns = count[0][PAWN] + count[1][PAWN];
	t->en_passant = count[0][PAWN] && count[1][PAWN];
	for (unsigned i = 0; i < t->pieces; i++) {
		t->shift[i] = (uint8_t)(6 * (t->pieces - 1 - i));
		t->ones |= (uint32_t)1 << t->shift[i];
	}
	for (int direction = 0; direction < 16; direction++)
		for (int square = 0; square < 64; square++)
			t->step[direction][square] =
				(int8_t)step(square, steps[direction][0], steps[direction][1]);
	t->side_bit = (uint32_t)1 << 6 * t->pieces;
	t->right_bit = t->side_bit << 1;
	t->states = t->side_bit << (t->en_passant ? 2 : 1);
	t->value = calloc(t->states, sizeof *t->value);
	need(t->value != NULL, "no memory");
	return t;
}

static const struct brute_table *add_table(struct brute *brute, const char *name);

/* Where the pieces go when `taken` (PIECES: none) leaves and `moved` becomes `kind`. */
static void find_way_out(struct brute *brute, const struct brute_table *t, unsigned taken,
                         unsigned moved, int kind, struct way_out *out)
{
	unsigned count[2][PAWN + 1];
	uint8_t kinds[PIECES];
	bool used[PIECES] = {false};
	char name[16];
	memset(count, 0, sizeof count);
	for (unsigned i = 0; i < t->pieces; i++) {
		kinds[i] = i == moved ? (uint8_t)kind : t->piece[i].kind;
		used[i] = i == taken;
		count[t->piece[i].side][kinds[i]] += i != taken;
	}
	name_of(count, name, &out->swapped);
	out->to = add_table(brute, name);
	for (unsigned i = 0; i < out->to->pieces; i++) {
		unsigned from = 0;
		while (used[from] || kinds[from] != out->to->piece[i].kind ||
		       t->piece[from].side != (out->to->piece[i].side ^ out->swapped))
			from++;
		used[from] = true;
		out->from[i] = (uint8_t)from;
	}
}

/* A move of `moved` that takes `taken` or becomes another kind changes the material. */
static bool is_way_out(const struct brute_table *t, unsigned taken, unsigned moved, int kind)
{
	bool promotes = kind != t->piece[moved].kind;
	if (promotes && (t->piece[moved].kind != PAWN || kind == KING))
		return false;
	if (taken == PIECES)
		return promotes;
	return taken < t->pieces && t->piece[taken].kind != KING &&
	       t->piece[taken].side != t->piece[moved].side;
}

static void find_ways_out(struct brute *brute, struct brute_table *t)
{
	for (unsigned taken = 0; taken <= PIECES; taken++)
		for (unsigned moved = 0; moved < t->pieces; moved++)
			for (int kind = KING; kind <= PAWN; kind++)
				if (is_way_out(t, taken, moved, kind))
					find_way_out(brute, t, taken, moved, kind,
					             &t->out[taken][moved][kind]);
}

static const struct brute_table *add_table(struct brute *brute, const char *name)
{
	const struct brute_table *known = brute_table(brute, name);
	if (known != NULL)
		return known;
	need(brute->tables < TABLES, "too many slices");
	struct brute_table *t = new_table(name);
	brute->table[brute->tables++] = t;
	find_ways_out(brute, t);
	return t;
}

/* Slices with as many pieces and as many pawns do not depend on one another. */
struct brute *brute_solve(const char *const *names)
{
	struct brute *brute = calloc(1, sizeof *brute);
	need(brute != NULL, "no memory");
	for (; *names != NULL; names++)
		add_table(brute, *names);
	for (unsigned pieces = 2; pieces <= PIECES; pieces++)
		for (unsigned pawns = 0; pawns <= PIECES - 2; pawns++) {
#pragma omp parallel for schedule(dynamic, 1)
			for (unsigned i = 0; i < brute->tables; i++) {
				struct brute_table *t = brute->table[i];
				if (t->pieces == pieces && t->pawns == pawns)
					solve(t);
			}
		}
	return brute;
}

void brute_free(struct brute *brute)
{
	if (brute == NULL)
		return;
	for (unsigned i = 0; i < brute->tables; i++) {
		free(brute->table[i]->value);
		free(brute->table[i]);
	}
	free(brute);
}

/* ---- answers ---- */

static struct el_value as_value(uint16_t value)
{
	if (!is_decided(value))
		return (struct el_value){EL_DRAW, 0};
	return (struct el_value){is_win(value) ? EL_WIN : EL_LOSS, (uint16_t)(value - DECIDED)};
}

/* Some legal move captures en passant. */
static bool right_is_used(const struct brute_table *t, const struct board *b)
{
	struct list list;
	all_moves(t, b, &list);
	for (unsigned i = 0; i < list.count; i++) {
		const struct move *m = &list.move[i];
		bool en_passant = m->taken != NO_PIECE && b->at[m->to] == NO_PIECE;
		if (en_passant && value_after(t, b, m) != ILLEGAL)
			return true;
	}
	return false;
}

uint32_t brute_states(const struct brute_table *t) { return t->states; }

bool brute_state(const struct brute_table *t, uint32_t state, struct el_position *position,
                 struct el_value *value, unsigned *orbit)
{
	struct board b;
	if (t->value[state] == ILLEGAL)
		return false;
	set_up(t, state, &b);
	if (b.en_passant && !right_is_used(t, &b))
		return false;
	*position = (struct el_position){.side = b.side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned i = 0; i < t->pieces; i++)
		position->set[t->piece[i].side][t->piece[i].kind] |= (uint64_t)1 << b.square[i];
	if (b.en_passant)
		position->en_passant = (uint8_t)passed_square(t, &b, b.side);
	*value = as_value(t->value[state]);
	*orbit = t->pawns ? 2 : 4;
	return true;
}

/* The squares of the position's pieces in the table's order, which has the same material. */
static void list_squares(const struct brute_table *t, const struct el_position *p, bool swapped,
                         uint8_t squares[PIECES])
{
	uint64_t sets[2][EL_KINDS];
	memcpy(sets, p->set, sizeof sets);
	for (unsigned i = 0; i < t->pieces; i++) {
		uint64_t *set = &sets[t->piece[i].side ^ swapped][t->piece[i].kind];
		int square = __builtin_ctzll(*set);
		*set &= *set - 1;
		squares[i] = (uint8_t)(swapped ? square ^ 56 : square);
	}
}

bool brute_value(const struct brute *brute, const struct el_position *p, struct el_value *value)
{
	unsigned count[2][PAWN + 1];
	char name[16];
	bool swapped;
	for (unsigned side = 0; side < 2; side++)
		for (int kind = KING; kind <= PAWN; kind++)
			count[side][kind] = (unsigned)__builtin_popcountll(p->set[side][kind]);
	name_of(count, name, &swapped);
	const struct brute_table *t = brute_table(brute, name);
	if (t == NULL)
		return false;
	uint8_t squares[PIECES];
	list_squares(t, p, swapped, squares);
	bool right = p->en_passant != EL_NO_SQUARE;
	if (right && !t->en_passant)
		return false;
	uint16_t found = t->value[state_of(t, squares, p->side ^ swapped, right)];
	if (found == ILLEGAL)
		return false;
	*value = as_value(found);
	return true;
}

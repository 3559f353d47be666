/* SPDX-License-Identifier: MIT */
#include "best.h"

#include <stdlib.h>
#include <string.h>

/* In chess_best.view: the king as the mover, and no man captured. */
enum { KING = MEN_MAX, NONE = MEN_MAX, MOVERS = MEN_MAX + 1 };

static struct chess_view *view_of(const struct chess_best *b, unsigned mover, unsigned captured,
                                  unsigned becomes)
{
	return &b->view[(mover * MOVERS + captured) * CHESS_KINDS + becomes];
}

/* ---- rows ---- */

/* Rows are numbered by the squares of all men but the last, the first man's the most significant. */
static void row_squares(const struct chess_best *b, size_t row, uint8_t square[MEN_MAX])
{
	for (unsigned p = b->count - 1; p-- > 0; row >>= 6)
		square[p] = row & 63;
}

/*
 * The first row from *row on that is not broken, with the squares of its men; false: none is left. Of
 * rows that differ only in the order of like men, the one with descending squares stands for all:
 * their indexes follow each other.
 */
static bool next_row(const struct chess_section *s, size_t *row, uint8_t square[MEN_MAX])
{
	const struct chess_best *b = s->best;
	for (; *row < s->rows; ++*row) {
		bool doubled = !s->occupied[*row];
		row_squares(b, *row, square);
		for (unsigned p = 0; p + 2 < b->count; p++)
			doubled |=
				b->man[p].group == b->man[p + 1].group && square[p] < square[p + 1];
		if (!doubled)
			return true;
	}
	return false;
}

/* The squares of the kings and of all men but the lane and another one (or NONE); 0: the row is broken. */
static uint64_t occupied_by(const struct chess_section *s, const uint8_t *square, unsigned but)
{
	const struct chess_best *b = s->best;
	uint64_t occupied = chess_bit(s->king[0]) | chess_bit(s->king[1]);
	for (unsigned p = 0; p + 1 < b->count && occupied; p++) {
		const uint64_t at = chess_bit(square[p]);
		const bool edge =
			b->man[p].kind == CHESS_PAWN && at & (CHESS_RANK_1 | CHESS_RANK_8);
		if (p != but)
			occupied = occupied & at || edge ? 0 : occupied | at;
	}
	return occupied;
}

static void join_squares(int16_t *to, int16_t score, uint64_t squares)
{
	while (squares)
		best_raise(&to[chess_pop(&squares)], score);
}

/* Adds what the view's scores are in this row, with the lane on `squares` and the king of the mover
   not in check. */
static void join_row(const struct chess_section *s, const struct chess_look *look,
                     const uint8_t *square, uint64_t squares, int16_t *to)
{
	int16_t scores[ROW];
	if (look->view->count)
		squares &= chess_row_safe(look->view, look->king, square, look->lane, s->us);
	if (!squares)
		return;
	chess_row_scores(s->best, look, square, squares, scores);
	chess_row_join(to, scores);
}

/* ---- moves of men ---- */

static const int8_t directions[][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                       {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}; /* files, ranks */

/*
 * Against the direction of the moves: what a square reaches is the next square, and what that one
 * reaches, unless something stands there. So a line takes one pass.
 */
static void walk_line(unsigned square, int step, unsigned steps, uint64_t occupied,
                      const int16_t *reached, int16_t *found, size_t stride)
{
	int16_t best[ROW] = {0};
	for (;; square = (unsigned)((int)square - step)) {
		const uint64_t at = chess_bit(square);
		if (!(occupied & at)) {
			chess_row_join(found + square * stride, best);
			chess_row_join(best, reached + square * stride);
			best[square] = 0;
		} else {
			for (unsigned i = 0; i < ROW; i++)
				best[i] = 0;
		}
		if (!steps--)
			return;
	}
}

/* Walks a man along its moves: rows are `stride` apart by its square, and the lane is another man.
   Adds to `found` the best of what it reaches without passing `occupied` or the lane. */
static void walk(enum chess_kind kind, uint64_t occupied, const int16_t *reached, int16_t *found,
                 size_t stride)
{
	if (kind == CHESS_KNIGHT) {
		for (unsigned square = 0; square < 64; square++) {
			if (occupied & chess_bit(square))
				continue;
			for (uint64_t to = chess_knight_attacks(square) & ~occupied; to;)
				chess_row_join(found + square * stride,
				               reached + chess_pop(&to) * stride);
		}
		return;
	}
	const unsigned first = kind == CHESS_BISHOP ? 4 : 0, end = kind == CHESS_ROOK ? 4 : 8;
	for (unsigned d = first; d < end; d++) {
		const int file = directions[d][0], rank = directions[d][1];
		for (int square = 0; square < 64; square++) {
			/* Only lines' ends: the next square would be off the board. */
			const int f = square & 7, r = square >> 3;
			const int to_file = f + file, to_rank = r + rank;
			if (to_file >= 0 && to_file < 8 && to_rank >= 0 && to_rank < 8)
				continue;
			const int back_file = file > 0 ? f : file < 0 ? 7 - f : 7;
			const int back_rank = rank > 0 ? r : rank < 0 ? 7 - r : 7;
			const int steps = back_file < back_rank ? back_file : back_rank;
			walk_line((unsigned)square, 8 * rank + file, (unsigned)steps, occupied,
			          reached, found, stride);
		}
	}
}

static void transpose_rows(const int16_t *from, int16_t *to)
{
	enum { TILE = 8 };
	for (unsigned i = 0; i < ROW; i += TILE)
		for (unsigned k = 0; k < ROW; k += TILE)
			for (unsigned a = i; a < i + TILE; a++)
				for (unsigned b = k; b < k + TILE; b++)
					to[b * ROW + a] = from[a * ROW + b];
}

/* What each position without a conversion leads to, by that position. */
static void read_reached(struct chess_section *s)
{
	const struct chess_best *b = s->best;
	struct chess_look look;
	uint8_t square[MEN_MAX];
	memset(s->reached, 0, s->rows * ROW * sizeof *s->reached);
	if (!chess_look_open(s, &b->quiet[s->us], s->king, b->count - 1, &look))
		return;
	for (size_t row = 0; row < s->rows; row++) {
		row_squares(b, row, square);
		if (s->occupied[row])
			join_row(s, &look, square, ~s->occupied[row], s->reached + row * ROW);
	}
}

static void walk_lane(struct chess_section *s)
{
	const struct chess_best *b = s->best;
	const enum chess_kind kind = b->man[b->count - 1].kind;
	int16_t turned[ROW * ROW], found[ROW * ROW], back[ROW * ROW];
	uint8_t square[MEN_MAX];
	if (b->count == 1) {
		for (unsigned from = 0; from < 64; from++)
			for (uint64_t to = chess_attacks(kind, from, s->occupied[0]); to;)
				best_raise(&s->found[from], s->reached[chess_pop(&to)]);
		return;
	}
	/* The man before it becomes the lane. */
	for (size_t first = 0; first < s->rows; first += ROW) {
		row_squares(b, first, square);
		const uint64_t occupied = occupied_by(s, square, b->count - 2);
		if (!occupied)
			continue;
		transpose_rows(s->reached + first * ROW, turned);
		memset(found, 0, sizeof found);
		walk(kind, occupied, turned, found, ROW);
		transpose_rows(found, back);
		for (unsigned i = 0; i < ROW; i++)
			chess_row_join(s->found + (first + i) * ROW, back + i * ROW);
	}
}

static void walk_man(struct chess_section *s, unsigned man)
{
	const struct chess_best *b = s->best;
	/* How many rows apart consecutive squares of the man are. */
	const size_t stride = (size_t)1 << 6 * (b->count - 2 - man);
	uint8_t square[MEN_MAX];
	for (size_t row = 0; row < s->rows; row++) {
		if (row / stride % 64)
			continue;
		row_squares(b, row, square);
		const uint64_t occupied = occupied_by(s, square, man);
		if (occupied)
			walk(b->man[man].kind, occupied, s->reached + row * ROW,
			     s->found + row * ROW, stride * ROW);
	}
}

/* ---- moves of pawns ---- */

/* A double step after which a pawn could be captured en passant: no table stores what it leads
   to. */
static int16_t seen_step(struct chess_section *s, const uint8_t *square, unsigned lane_at,
                         unsigned pawn)
{
	const struct chess_best *b = s->best;
	if (b->head.problem->moves == BEST_ZEROING)
		return BEST_STUCK;
	struct el_position position = {
		.side = (uint8_t)s->us, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned side = 0; side < 2; side++)
		position.set[side][CHESS_KING] = chess_bit(s->king[side]);
	for (unsigned p = 0; p < b->count; p++)
		position.set[b->man[p].side][b->man[p].kind] |=
			chess_bit(p + 1 == b->count ? lane_at : square[p]);
	const unsigned from = pawn + 1 == b->count ? lane_at : square[pawn];
	const struct el_move move = {.from = (uint8_t)from,
	                             .to = (uint8_t)(s->us == EL_WHITE ? from + 16 : from - 16),
	                             .kind = CHESS_PAWN,
	                             .becomes = CHESS_PAWN};
	return best_of_move(&b->head.reached, &position, &move, &s->lent[1], &s->is_unread, NULL);
}

/* The squares of the lane for which an enemy pawn stands beside `at`, where a pawn arrives. */
static uint64_t seen_from(const struct chess_section *s, const uint8_t *square, unsigned at)
{
	const struct chess_best *b = s->best;
	const uint64_t beside = chess_sideways(chess_bit(at));
	uint64_t seen = 0;
	for (unsigned p = 0; p < b->count; p++) {
		if (b->man[p].side == s->us || b->man[p].kind != CHESS_PAWN)
			continue;
		if (p + 1 == b->count)
			seen |= beside;
		else if (beside >> square[p] & 1)
			return ~UINT64_C(0);
	}
	return seen;
}

static void push_man(struct chess_section *s, unsigned man)
{
	const struct chess_best *b = s->best;
	const int ahead = s->us == EL_WHITE ? 8 : -8;
	const unsigned home = s->us == EL_WHITE ? 1 : 6, last = s->us == EL_WHITE ? 6 : 1;
	const unsigned lane = b->count - 1;
	struct chess_look look;
	uint8_t square[MEN_MAX];
	if (!chess_look_open(s, &b->pushed[s->us], s->king, lane, &look))
		return;
	for (size_t row = 0; next_row(s, &row, square); row++) {
		const unsigned from = square[man];
		const unsigned to = (unsigned)((int)from + ahead),
			       twice = (unsigned)((int)to + ahead);
		int16_t *found = s->found + row * ROW;
		if (s->occupied[row] >> to & 1 || chess_rank(from) == last)
			continue;
		square[man] = (uint8_t)to;
		join_row(s, &look, square, ~chess_bit(from), found);
		square[man] = (uint8_t)from;
		if (chess_rank(from) != home || s->occupied[row] >> twice & 1)
			continue;
		uint64_t seen = seen_from(s, square, twice);
		square[man] = (uint8_t)twice;
		join_row(s, &look, square, ~(chess_bit(from) | chess_bit(to) | seen), found);
		seen &= chess_row_safe(look.view, look.king, square, lane, s->us) &
		        ~(chess_bit(from) | chess_bit(to));
		square[man] = (uint8_t)from;
		while (seen) {
			const unsigned at = chess_pop(&seen);
			join_squares(found, seen_step(s, square, at, man), chess_bit(at));
		}
	}
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++) {
		if (!chess_look_open(s, view_of(b, man, NONE, kind), s->king, lane, &look))
			return;
		for (size_t row = 0; next_row(s, &row, square); row++) {
			const unsigned from = square[man], to = (unsigned)((int)from + ahead);
			if (chess_rank(from) != last || s->occupied[row] >> to & 1)
				continue;
			square[man] = (uint8_t)to;
			join_row(s, &look, square, ~chess_bit(from), s->found + row * ROW);
		}
	}
}

/* Adds to each square's score that of the square ahead of it, or two ahead. */
static void join_ahead(const int16_t *scores, uint64_t from, int ahead, int16_t *to)
{
	while (from) {
		const unsigned at = chess_pop(&from);
		best_raise(&to[at], scores[(int)at + ahead]);
	}
}

static void push_lane(struct chess_section *s)
{
	const struct chess_best *b = s->best;
	const bool white = s->us == EL_WHITE;
	const int ahead = white ? 8 : -8;
	const unsigned lane = b->count - 1;
	const uint64_t home = CHESS_RANK_1 << (white ? 8 : 48),
		       last = CHESS_RANK_1 << (white ? 48 : 8);
	const uint64_t inner = ~(CHESS_RANK_1 | CHESS_RANK_8);
	struct chess_look look;
	uint8_t square[MEN_MAX];
	if (!chess_look_open(s, &b->pushed[s->us], s->king, lane, &look))
		return;
	for (size_t row = 0; next_row(s, &row, square); row++) {
		int16_t scores[ROW] = {0}, *found = s->found + row * ROW;
		const uint64_t free = ~s->occupied[row];
		join_row(s, &look, square, free, scores);
		join_ahead(scores, inner & ~last, ahead, found);
		for (uint64_t from = home & (white ? free >> 8 : free << 8); from;) {
			const unsigned at = chess_pop(&from);
			const unsigned to = (unsigned)((int)at + 2 * ahead);
			const bool seen = seen_from(s, square, to);
			if (!scores[to])
				continue;
			join_squares(found, seen ? seen_step(s, square, at, lane) : scores[to],
			             chess_bit(at));
		}
	}
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++) {
		if (!chess_look_open(s, view_of(b, lane, NONE, kind), s->king, lane, &look))
			return;
		for (size_t row = 0; next_row(s, &row, square); row++) {
			int16_t scores[ROW] = {0};
			join_row(s, &look, square, ~s->occupied[row] & ~inner, scores);
			join_ahead(scores, last, ahead, s->found + row * ROW);
		}
	}
}

/* ---- captures ---- */

/* The number of a man of the slice in a view. */
static unsigned number_in(const struct chess_view *view, unsigned own)
{
	unsigned k = 0;
	while (k + 1 < view->count && view->man[k].own != own)
		k++;
	return k;
}

/* `man` captures `captured`, and becomes the kind of the view, which he does on `targets`. */
static void capture(struct chess_section *s, unsigned man, unsigned captured,
                    const struct chess_view *view, uint64_t targets)
{
	const struct chess_best *b = s->best;
	const struct chess_man mover = b->man[man];
	const unsigned lane = b->count - 1;
	const bool by_lane = man == lane, of_lane = captured == lane;
	struct chess_look look;
	uint8_t square[MEN_MAX];
	/* The lane of the view is the man whose square varies along a row, after the move. */
	const unsigned varies = number_in(view, by_lane || of_lane ? man : lane);
	if (!chess_look_open(s, view, s->king, varies, &look))
		return;
	for (size_t row = 0; next_row(s, &row, square); row++) {
		const uint64_t occupied = s->occupied[row];
		int16_t *found = s->found + row * ROW;
		if (of_lane) {
			const uint64_t to =
				chess_attacks_of(s->us, mover.kind, square[man], occupied) &
				~occupied & targets;
			if (to)
				join_row(s, &look, square, to, found);
			continue;
		}
		const unsigned at = square[captured];
		if (!(targets >> at & 1))
			continue;
		/* Seen from the target, a pawn attacks as one of the other side. */
		const uint64_t from = chess_attacks_of(!s->us, mover.kind, at, occupied);
		if (by_lane) {
			if (from & ~occupied)
				join_squares(found, chess_one_score(s, &look, square, at),
				             from & ~occupied);
		} else if (from >> square[man] & 1) {
			const unsigned was = square[man];
			square[man] = (uint8_t)at;
			join_row(s, &look, square, ~(chess_between(was, at) | chess_bit(was)),
			         found);
		}
	}
}

/* ---- moves of the king ---- */

static void king_captures(struct chess_section *s, unsigned captured, const uint8_t king[2])
{
	const struct chess_best *b = s->best;
	const struct chess_view *view = view_of(b, KING, captured, CHESS_KING);
	const unsigned to = king[s->us], lane = b->count - 1;
	struct chess_look look;
	uint8_t square[MEN_MAX];
	if (captured != lane) {
		if (!chess_look_open(s, view, king, number_in(view, lane), &look))
			return;
		for (size_t row = 0; next_row(s, &row, square); row++)
			if (square[captured] == to)
				join_row(s, &look, square, ~chess_bit(s->king[s->us]),
				         s->found + row * ROW);
		return;
	}
	/* Rows of the man before the lane, which stands on the square captured on. */
	if (!chess_look_open(s, view, king, view->count ? view->count - 1 : 0, &look))
		return;
	if (!view->count) {
		join_squares(s->found, b->head.reached.drawn, chess_bit(to));
		return;
	}
	for (size_t first = 0; first < s->rows; first += ROW) {
		int16_t scores[ROW] = {0};
		row_squares(b, first, square);
		join_row(s, &look, square, ~chess_bit(s->king[s->us]), scores);
		for (unsigned i = 0; i < ROW; i++)
			best_raise(&s->found[(first + i) * ROW + to], scores[i]);
	}
}

static void move_king(struct chess_section *s)
{
	const struct chess_best *b = s->best;
	const unsigned from = s->king[s->us];
	uint8_t square[MEN_MAX];
	for (uint64_t targets = chess_king_attacks(from); targets;) {
		const unsigned to = chess_pop(&targets);
		uint8_t king[2] = {s->king[0], s->king[1]};
		struct chess_look look;
		king[s->us] = (uint8_t)to;
		if (to == s->king[!s->us] || chess_king_attacks(to) & chess_bit(s->king[!s->us]))
			continue;
		const bool stays = b->head.problem->moves == BEST_ALL &&
		                   chess_look_open(s, &b->quiet[s->us], king, b->count - 1, &look);
		for (size_t row = 0; stays && next_row(s, &row, square); row++)
			if (!(s->occupied[row] >> to & 1))
				join_row(s, &look, square, ~chess_bit(from), s->found + row * ROW);
		for (unsigned p = 0; p < b->count; p++)
			if (b->man[p].side != s->us)
				king_captures(s, p, king);
	}
}

/* ---- a section ---- */

static void move_men(struct chess_section *s)
{
	const struct chess_best *b = s->best;
	const uint64_t edges = CHESS_RANK_1 | CHESS_RANK_8;
	const bool stays = b->head.problem->moves == BEST_ALL;
	const bool pushes = b->head.problem->moves != BEST_CAPTURES;
	for (unsigned man = 0; man < b->count; man++) {
		const struct chess_man mover = b->man[man];
		const bool is_lane = man + 1 == b->count, is_pawn = mover.kind == CHESS_PAWN;
		if (mover.side != s->us)
			continue;
		if (pushes && is_pawn)
			is_lane ? push_lane(s) : push_man(s, man);
		else if (stays && !is_pawn)
			is_lane ? walk_lane(s) : walk_man(s, man);
		for (unsigned p = 0; p < b->count; p++) {
			if (b->man[p].side == s->us)
				continue;
			capture(s, man, p, view_of(b, man, p, mover.kind),
			        is_pawn ? ~edges : ~UINT64_C(0));
			/* no pawn stands where another promotes */
			const bool may_promote = is_pawn && b->man[p].kind != CHESS_PAWN;
			for (unsigned kind = CHESS_QUEEN; may_promote && kind < CHESS_PAWN; kind++)
				capture(s, man, p, view_of(b, man, p, kind), edges);
		}
	}
}

static void write_out(struct chess_section *s, int16_t *out)
{
	const struct chess_best *b = s->best;
	struct chess_view stored = b->quiet[s->us];
	struct chess_look look;
	uint8_t square[MEN_MAX];
	for (uint64_t i = 0; i < stored.size; i++)
		out[i] = BEST_BROKEN;
	/* as before the move: in the colours of the slice, and only its indexes are asked for */
	stored.swapped = false;
	stored.entered = NULL;
	memcpy(stored.man, b->man, sizeof stored.man);
	if (!chess_look_open(s, &stored, s->king, b->count - 1, &look))
		return;
	for (size_t row = 0; next_row(s, &row, square); row++) {
		uint64_t legal = chess_row_safe(&stored, s->king, square, b->count - 1, !s->us);
		uint32_t index[ROW];
		if (!legal)
			continue;
		chess_row_index(b, &look, square, index);
		while (legal) {
			const unsigned at = chess_pop(&legal);
			out[index[at]] = s->found[row * ROW + at];
		}
	}
}

static enum el_status best_of(const struct el_best *best, unsigned side, size_t section,
                              int16_t *out, void *scratch, struct el_error *error)
{
	const struct chess_best *b = (const struct chess_best *)best;
	const struct el_lender *lender = best->problem->lender;
	struct chess_section s = {
		.best = b,
		.us = side,
		.rows = (size_t)1 << 6 * (b->count - 1),
		.lent = scratch,
	};
	s.lent[0] = s.lent[1] = (struct lent){.lender = lender};
	s.occupied = (uint64_t *)((char *)scratch + (2 * sizeof *s.lent + 63) / 64 * 64);
	s.reached = (int16_t *)(s.occupied + (s.rows + 7) / 8 * 8);
	/* without quiet moves nothing is reached in the slice */
	s.found = best->problem->moves ? s.reached : s.reached + s.rows * ROW;
	memset(s.found, 0, s.rows * ROW * sizeof *s.found);
	chess_king_squares(b->quiet[0].groups.pawns, (unsigned)section, &s.king[0], &s.king[1]);
	for (size_t row = 0; row < s.rows; row++) {
		uint8_t square[MEN_MAX];
		row_squares(b, row, square);
		s.occupied[row] = occupied_by(&s, square, NONE);
	}
	if (!best->problem->moves)
		read_reached(&s);
	move_men(&s);
	move_king(&s);
	write_out(&s, out);
	lent_let_go(&s.lent[0]);
	lent_let_go(&s.lent[1]);
	return s.is_unread ? lender->check(lender->context, error) : EL_OK;
}

static uint64_t section(const struct el_best *best, size_t number)
{
	return number * ((const struct chess_best *)best)->quiet[0].size;
}

/* ---- opening ---- */

/* The view after a move of `us` that leaves these men, in the slice's colours. */
static enum el_status view_open(struct chess_best *b, struct chess_view *v, unsigned us,
                                const struct best_entered *entered, struct el_error *error)
{
	const struct el_slice *own = &b->head.problem->planes->slice;
	uint8_t count[2][EL_KINDS] = {0};
	count[0][CHESS_KING] = count[1][CHESS_KING] = 1;
	for (unsigned k = 0; k < v->count; k++)
		count[v->man[k].side][v->man[k].kind]++;
	if (!v->count)
		return EL_OK;
	const struct el_slice slice = chess_slice(own->game, count);
	v->entered = entered ? entered : best_entered_find(&b->head.reached, slice.key);
	if (!v->entered || !v->entered->planes)
		return el_fail(error, EL_NEGATIVE, "%s: no table of %s", own->name, slice.name);
	v->swapped =
		slice.planes == 1 ? us == EL_WHITE : memcmp(slice.count, count, sizeof count) != 0;
	v->plane = !us ^ v->swapped;
	v->groups = chess_groups(&slice);
	uint64_t stride = 1;
	for (unsigned g = v->groups.count; g--; stride *= v->groups.group[g].radix)
		v->stride[g] = (uint32_t)stride;
	v->size = stride;
	for (unsigned k = 0; k < v->count; k++)
		for (unsigned g = 0; g < v->groups.count; g++)
			if (v->groups.group[g].side == (v->man[k].side ^ v->swapped) &&
			    v->groups.group[g].kind == v->man[k].kind)
				v->man[k].group = (uint8_t)g;
	return EL_OK;
}

/* All conversions: each view is set if men like these make such a move. */
static enum el_status views_open(struct chess_best *b, struct el_error *error)
{
	enum el_status status = EL_OK;
	b->view = calloc((size_t)MOVERS * MOVERS * CHESS_KINDS, sizeof *b->view);
	if (!b->view)
		return el_fail(error, EL_MEMORY, "out of memory");
	for (unsigned n = 0; n < MOVERS * MOVERS * CHESS_KINDS * 2u && !status; n++) {
		const unsigned us = n % 2, becomes = n / 2 % CHESS_KINDS;
		const unsigned captured = n / 2 / CHESS_KINDS % MOVERS;
		const unsigned mover = n / 2 / CHESS_KINDS / MOVERS;
		const bool is_king = mover == KING, captures = captured != NONE;
		const unsigned kind = is_king ? CHESS_KING : b->man[mover].kind;
		const bool promotes =
			kind == CHESS_PAWN && becomes != CHESS_KING && becomes != CHESS_PAWN;
		if ((!is_king && (mover >= b->count || b->man[mover].side != us)) ||
		    (captures && (captured >= b->count || b->man[captured].side == us)) ||
		    (becomes != kind && !promotes) ||
		    (!captures && (!promotes || b->head.problem->moves == BEST_CAPTURES)) ||
		    (captures && promotes && b->man[captured].kind == CHESS_PAWN))
			continue;
		struct chess_view *v = view_of(b, mover, captured, becomes);
		for (unsigned p = 0; p < b->count; p++) {
			if (p == captured)
				continue;
			v->man[v->count] = b->man[p];
			if (p == mover)
				v->man[v->count].kind = (uint8_t)becomes;
			v->count++;
		}
		status = view_open(b, v, us, NULL, error);
	}
	return status;
}

static void free_views(struct el_best *best)
{
	free(((struct chess_best *)best)->view);
}

/* The tables are read a class of kings at a time. */
static void set_piece(struct best_entered *e)
{
	if (e->planes)
		e->piece = e->planes->slice.positions / chess_groups(&e->planes->slice).kings;
}

enum el_status chess_best(const struct el_best_problem *problem, struct el_best **out,
                          struct el_error *error)
{
	const struct el_planes *planes = problem->planes;
	const struct el_slice *slice = &planes->slice;
	const struct chess_groups groups = chess_groups(slice);
	const unsigned men = slice->pieces - 2u;
	if (el_slice_has_rights(slice))
		return el_fail(
			error, EL_NEGATIVE,
			"%s: the moves of positions with castling rights are looked at one by one",
			slice->name);
	const size_t rows = (size_t)1 << 6 * (men - 1);
	const size_t size = slice->positions / groups.kings;
	const struct el_best members = {
		.sections = groups.kings,
		.longest = size,
		.piece = size,
		.scratch = (2 * sizeof(struct lent) + 63) / 64 * 64 + (rows + 7) / 8 * 64 +
	                   (problem->moves ? 1 : 2) * rows * ROW * sizeof(int16_t),
		.section = section,
		.of = best_of,
		.close = free_views,
	};
	if (men > BEST_MEN_MAX)
		return plain_best_open(problem, out, error);
	enum el_status status = best_make(problem, sizeof(struct chess_best), &members, out, error);
	if (status)
		return status;
	struct chess_best *b = (struct chess_best *)*out;
	struct best_reached *r = &b->head.reached;
	set_piece(&r->quiet);
	set_piece(&r->ended);
	for (size_t i = 0; i < r->count; i++)
		set_piece(&r->entered[i]);
	for (unsigned g = 0; g < groups.count; g++)
		for (unsigned i = 0; i < groups.group[g].count; i++, b->count++)
			b->man[b->count] =
				(struct chess_man){groups.group[g].side, groups.group[g].kind,
			                           (uint8_t)b->count, (uint8_t)g};
	for (unsigned i = 0; i < 64; i++)
		for (unsigned k = 0; k < 64; k++)
			b->pair[i][k] = choose[i > k ? i : k][2] + (i > k ? k : i);
	for (unsigned i = 0; i < 256; i++)
		for (unsigned k = 0; k < 8; k++)
			b->keep[i][k] = i >> k & 1 ? -1 : 0;
	const struct best_entered *pushed =
		planes->metric->end == EL_END_ZEROING ? &r->ended : &r->quiet;
	for (unsigned us = 0; us < 2 && !status; us++) {
		b->quiet[us].count = b->count;
		memcpy(b->quiet[us].man, b->man, sizeof b->man);
		status = view_open(b, &b->quiet[us], us, &r->quiet, error);
		b->pushed[us] = b->quiet[us];
		b->pushed[us].entered = pushed;
	}
	if (!status)
		status = views_open(b, error);
	if (status)
		el_best_close(*out);
	return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "brute_castling.h"

#include "brute_phase.h"

#include <stdlib.h>
#include <string.h>

/*
 * The home squares of kings and rooks, and the rights as bits: White's on the queen's side, on the king's
 * side, Black's. A number of a position: the rights, the side to move, and the squares of the pieces that need
 * not be at home, six bits each.
 */
enum { RIGHTS = 16 };

static const uint8_t king_home[2] = {4, 60}, rook_home[4] = {0, 7, 56, 63};

/* Of one slice and its rights: which piece stands at home because of them, or NO_PIECE. */
struct homes {
	bool possible;
	int8_t rook[4];
	bool at_home[PIECES];
	unsigned free_count;
	uint8_t free[PIECES];
	uint32_t positions; /* with either side to move */
	/* 1 + the plies of a win or, unless it is `won`, of a loss; 0: a draw, or not known yet */
	uint16_t *decided;
	bool *won, *legal;
	/* By clock, then by position, if solved so: as brute_clock_take has it. */
	uint8_t *at;
};

/* Positions without rights that moves lead to. */
struct asked {
	uint32_t *number[TABLES]; /* by state: from 1 on; 0: not asked for */
	uint32_t count;
	uint8_t *at; /* by number, then by clock */
};

struct brute_castling {
	const struct brute *brute;
	const struct brute_metrics *metrics;
	enum brute_metric metric;
	unsigned limit;
	struct homes *homes[TABLES]; /* RIGHTS of each slice */
	struct asked *asked;         /* if solved by clock */
};

/* A position with rights. */
struct castler {
	const struct brute_table *table;
	unsigned rights;
	struct board board;
};

static bool find_homes(const struct brute_table *t, unsigned rights, struct homes *h)
{
	*h = (struct homes){.possible = rights != 0};
	for (unsigned right = 0; right < 4; right++) {
		h->rook[right] = NO_PIECE;
		const unsigned side = right / 2;
		if (!(rights >> right & 1))
			continue;
		for (unsigned i = 0; i < t->pieces; i++) {
			if (t->piece[i].side != side)
				continue;
			if (t->piece[i].kind == KING)
				h->at_home[i] = true;
			if (t->piece[i].kind == ROOK && !h->at_home[i] &&
			    h->rook[right] == NO_PIECE) {
				h->rook[right] = (int8_t)i;
				h->at_home[i] = true;
			}
		}
		h->possible &= h->rook[right] != NO_PIECE;
	}
	for (unsigned i = 0; i < t->pieces; i++)
		if (!h->at_home[i])
			h->free[h->free_count++] = (uint8_t)i;
	h->positions = 2u << 6 * h->free_count;
	return h->possible;
}

/* Pieces of a kind are alike: of those free, and of those at home, any may be meant. */
static void place_at_home(const struct brute_table *t, const struct homes *h,
                          uint8_t square[PIECES])
{
	for (unsigned i = 0; i < t->pieces; i++)
		if (t->piece[i].kind == KING && h->at_home[i])
			square[i] = king_home[t->piece[i].side];
	for (unsigned right = 0; right < 4; right++)
		if (h->rook[right] != NO_PIECE)
			square[h->rook[right]] = rook_home[right];
}

static bool set_up(const struct brute_table *t, unsigned rights, const struct homes *h,
                   uint32_t number, struct castler *out)
{
	uint8_t square[PIECES] = {0};
	uint32_t state = number & 1 ? t->side_bit : 0;
	place_at_home(t, h, square);
	for (unsigned i = 0; i < h->free_count; i++)
		square[h->free[i]] = number >> (1 + 6 * i) & 63;
	for (unsigned i = 0; i < t->pieces; i++)
		state |= (uint32_t)square[i] << t->shift[i];
	*out = (struct castler){.table = t, .rights = rights};
	return brute_set_up(t, state, &out->board);
}

/* ---- moves ---- */

struct outcome {
	bool legal, ends;      /* ends: the count of the metric */
	struct el_value value; /* for the mover's opponent; or if it is open, */
	struct homes *within;
	uint32_t number; /* in it, or of what was asked for */
};

/* The castler after a move, with the squares of a slice that may be another one. */
static void settle(const struct brute_castling *c, const struct brute_table *t,
                   const uint8_t square[PIECES], unsigned side, unsigned rights,
                   struct outcome *out)
{
	struct homes *h = &c->homes[t->number][rights];
	bool used[PIECES] = {false};
	uint32_t number = side;
	/* Who stands at home is whoever does, of that kind. */
	for (unsigned right = 0; right < 4; right++)
		for (unsigned i = 0; i < t->pieces; i++)
			if (h->rook[right] != NO_PIECE && square[i] == rook_home[right])
				used[i] = true;
	for (unsigned i = 0; i < t->pieces; i++)
		if (t->piece[i].kind == KING && h->at_home[i])
			used[i] = true;
	for (unsigned f = 0; f < h->free_count; f++) {
		unsigned i = 0;
		while (used[i] || t->piece[i].kind != t->piece[h->free[f]].kind ||
		       t->piece[i].side != t->piece[h->free[f]].side)
			i++;
		used[i] = true;
		number |= (uint32_t)square[i] << (1 + 6 * f);
	}
	brute_need(h->possible, "rights without a rook");
	out->within = h;
	out->number = number;
}

static unsigned rights_after(const struct castler *b, const uint8_t before[PIECES], unsigned moved,
                             int to, unsigned rights)
{
	for (unsigned right = 0; right < 4; right++) {
		const bool king = b->table->piece[moved].kind == KING &&
		                  b->table->piece[moved].side == right / 2;
		if (king || before[moved] == rook_home[right] || to == rook_home[right])
			rights &= ~(1u << right);
	}
	return rights;
}

/* The rightless position after a move, as the oracle without castling knows it. */
static void ask(const struct brute_castling *c, const struct brute_table *t,
                const uint8_t square[PIECES], unsigned side, enum brute_metric metric,
                struct outcome *out)
{
	const uint32_t state = brute_state_of(t, square, side, false);
	if (c->asked) {
		uint32_t *number = &c->asked->number[t->number][state];
#pragma omp critical(asked)
		*number = *number ? *number : ++c->asked->count;
		out->number = *number;
		return;
	}
	out->legal = brute_state_metric(c->metrics, t, state, metric, c->limit, &out->value);
}

static enum brute_metric entered(const struct brute_castling *c)
{
	return c->metric == BRUTE_DTC || c->metric == BRUTE_DTZ ? BRUTE_WDL
	       : c->metric == BRUTE_DTZK                        ? BRUTE_WDLK
	                                                        : c->metric;
}

static void look_at_move(const struct brute_castling *c, const struct castler *b,
                         const struct move *m, struct outcome *out)
{
	const struct brute_table *t = b->table;
	const unsigned rights = rights_after(b, b->board.square, m->piece, m->to, b->rights);
	uint8_t square[PIECES];
	unsigned side = 1u - b->board.side, turned = rights;
	*out = (struct outcome){.legal = true};
	out->ends = c->metric == BRUTE_DTC ? !m->stays
	            : c->metric == BRUTE_DTZ || c->metric == BRUTE_DTZK || c->asked
	                    ? !m->stays || t->piece[m->piece].kind == PAWN
	                    : false;
	memcpy(square, b->board.square, sizeof square);
	square[m->piece] = m->to;
	/* Does it leave the king in check? */
	struct castler after = *b;
	after.board.at[b->board.square[m->piece]] = NO_PIECE;
	after.board.at[m->to] = (int8_t)m->piece;
	memcpy(after.board.square, square, sizeof square);
	if (m->taken != NO_PIECE) { /* it attacks nobody from where it is gone */
		struct brute_table without = *t;
		without.piece[m->taken].side = b->board.side;
		out->legal = !brute_king_attacked(&without, &after.board, b->board.side);
	} else {
		out->legal = !brute_king_attacked(t, &after.board, b->board.side);
	}
	if (!out->legal)
		return;
	if (!m->stays) {
		const unsigned taken = m->taken == NO_PIECE ? PIECES : (unsigned)m->taken;
		const struct way_out *way = &t->out[taken][m->piece][m->becomes];
		uint8_t moved[PIECES];
		memcpy(moved, square, sizeof moved);
		for (unsigned i = 0; i < way->to->pieces; i++)
			square[i] = way->swapped ? moved[way->from[i]] ^ 56 : moved[way->from[i]];
		side ^= way->swapped;
		turned = way->swapped ? rights >> 2 | (rights & 3) << 2 : rights;
		t = way->to;
	}
	if (turned)
		settle(c, t, square, side, turned, out);
	else
		ask(c, t, square, side, out->ends ? entered(c) : c->metric, out);
	brute_need(out->legal, "a legal position is not known");
}

/* Castling: king and rook at home with the right, nothing between them, and no attack on the squares from the
   king's to where it goes. */
static bool castle(const struct brute_castling *c, const struct castler *b, unsigned right,
                   struct outcome *out)
{
	const struct brute_table *t = b->table;
	const unsigned side = right / 2;
	const int home = king_home[side], towards = right % 2 ? 1 : -1;
	if (!(b->rights >> right & 1) || side != b->board.side)
		return false;
	for (int s = home + towards; s != rook_home[right]; s += towards)
		if (b->board.at[s] != NO_PIECE)
			return false;
	const unsigned king = (unsigned)b->board.at[home],
		       rook = (unsigned)b->board.at[rook_home[right]];
	for (int way = 0; way <= 2; way++) {
		struct board there = b->board;
		there.at[home] = NO_PIECE;
		there.at[home + way * towards] = (int8_t)king;
		there.square[king] = (uint8_t)(home + way * towards);
		if (brute_king_attacked(t, &there, (int)side))
			return false;
	}
	uint8_t square[PIECES];
	memcpy(square, b->board.square, sizeof square);
	square[king] = (uint8_t)(home + 2 * towards);
	square[rook] = (uint8_t)(home + towards);
	const unsigned rights = b->rights & (side ? 3u : 12u);
	*out = (struct outcome){.legal = true};
	if (rights)
		settle(c, t, square, 1 - side, rights, out);
	else
		ask(c, t, square, 1 - side, c->metric, out);
	return out->legal;
}

/* ---- the solution ---- */

/* All legal moves of a position. */
struct moves {
	struct outcome *move;
	unsigned count;
	bool in_check;
};

static void find_moves(const struct brute_castling *c, const struct castler *b, struct moves *out)
{
	struct list list;
	brute_moves(b->table, &b->board, &list);
	out->in_check = brute_king_attacked(b->table, &b->board, b->board.side);
	out->count = 0;
	out->move = malloc((list.count + 4) * sizeof *out->move);
	brute_need(out->move != NULL, "no memory");
	for (unsigned i = 0; i < list.count + 4; i++) {
		struct outcome *o = &out->move[out->count];
		if (i < list.count)
			look_at_move(c, b, &list.move[i], o);
		if (i < list.count ? o->legal : castle(c, b, i - list.count, o))
			out->count++;
	}
}

/* What the moves of a position say in ply n: 1 if one wins in n, -1 if all lose and the longest in n, 0 as yet
   nothing. */
static int judge(const struct brute_castling *c, const struct moves *m, unsigned n)
{
	unsigned losing = 0, longest = 0;
	bool wins = false;
	for (const struct outcome *o = m->move; o < m->move + m->count; o++) {
		unsigned plies = o->value.plies + 1u;
		enum el_outcome theirs = o->value.outcome;
		if (o->within) {
			plies = o->within->decided[o->number]; /* one more than its own */
			theirs = !plies ? EL_DRAW : o->within->won[o->number] ? EL_WIN : EL_LOSS;
		}
		plies = o->ends ? 1 : plies;
		wins |= theirs == EL_LOSS && plies == n;
		losing += theirs == EL_WIN && plies <= n;
		longest = theirs == EL_WIN && plies > longest ? plies : longest;
	}
	if (!m->count)
		return n == 0 && m->in_check ? -1 : 0;
	if (c->limit && n > c->limit) /* too late under the rule */
		return 0;
	return wins ? 1 : losing == m->count && longest == n ? -1 : 0;
}

enum { LONGEST = 160 };

static void by_ply(const struct brute_castling *c, struct homes *all, struct moves *moves[RIGHTS])
{
	for (unsigned n = 0; n < LONGEST; n++)
		for (unsigned rights = 1; rights < RIGHTS; rights++)
			for (uint32_t i = 0; moves[rights] && i < all[rights].positions; i++) {
				const struct moves *m = &moves[rights][i];
				if (!m->move || all[rights].decided[i])
					continue;
				const int found = judge(c, m, n);
				all[rights].won[i] = found > 0;
				all[rights].decided[i] = found ? (uint16_t)(n + 1) : 0;
			}
}

/* The value with a clock, as brute_clock_take has it. */
static uint8_t value_at(const struct brute_castling *c, const struct moves *m, unsigned clock)
{
	unsigned best = 0, worst = 0, losing = 0;
	if (!m->count)
		return m->in_check;
	for (const struct outcome *o = m->move; o < m->move + m->count && clock < c->limit; o++) {
		const unsigned next = o->ends ? 0 : clock + 1;
		const unsigned reached =
			o->within ? o->within->at[next * (size_t)o->within->positions + o->number]
				  : c->asked->at[o->number * (c->limit + 1) + next];
		if (reached % 2 == 1 && (best == 0 || reached + 1 < best))
			best = reached + 1;
		losing += reached != 0 && reached % 2 == 0;
		worst = reached % 2 == 0 && reached + 1 > worst ? reached + 1 : worst;
	}
	brute_need(best < UINT8_MAX && worst < UINT8_MAX, "too many plies");
	return (uint8_t)(best ? best : losing == m->count ? worst : 0);
}

static void by_clock(const struct brute_castling *c, struct homes *all, struct moves *moves[RIGHTS])
{
	for (unsigned clock = c->limit + 1; clock-- > 0;)
		for (unsigned rights = 1; rights < RIGHTS; rights++)
			for (uint32_t i = 0; moves[rights] && i < all[rights].positions; i++)
				if (moves[rights][i].move)
					all[rights].at[clock * (size_t)all[rights].positions + i] =
						value_at(c, &moves[rights][i], clock);
}

/* Solves the positions of a slice with its pawn, if it has one, on a square. Pawns are only moved, and pieces
   captured, into what is solved already. `lists`: only asks for the values that it needs. */
static void solve(const struct brute_castling *c, const struct brute_table *t, unsigned pawn_square,
                  bool lists)
{
	struct homes *all = c->homes[t->number];
	struct moves *moves[RIGHTS] = {NULL};
	for (unsigned rights = 1; rights < RIGHTS; rights++) {
		const struct homes *h = &all[rights];
		if (!h->possible)
			continue;
		moves[rights] = calloc(h->positions, sizeof *moves[rights]);
		brute_need(moves[rights] != NULL, "no memory");
#pragma omp parallel for schedule(dynamic, 64)
		for (uint32_t i = 0; i < h->positions; i++) {
			struct castler b;
			bool here = h->legal[i] && set_up(t, rights, h, i, &b);
			for (unsigned k = 0; here && k < t->pieces; k++)
				here = t->piece[k].kind != PAWN || b.board.square[k] == pawn_square;
			if (here)
				find_moves(c, &b, &moves[rights][i]);
		}
	}
	if (!lists)
		(c->asked ? by_clock : by_ply)(c, all, moves);
	for (unsigned rights = 1; rights < RIGHTS; rights++) {
		for (uint32_t i = 0; moves[rights] && i < all[rights].positions; i++)
			free(moves[rights][i].move);
		free(moves[rights]);
	}
}

static void solve_all(const struct brute_castling *c, bool lists)
{
	for (unsigned pieces = 3; pieces <= PIECES; pieces++)
		for (unsigned pawns = 0; pawns <= 1; pawns++)
			for (unsigned i = 0; i < c->brute->tables; i++) {
				const struct brute_table *t = c->brute->table[i];
				bool whites = false;
				if (t->pieces != pieces || t->pawns != pawns)
					continue;
				for (unsigned k = 0; k < pieces; k++)
					whites |= t->piece[k].kind == PAWN &&
					          t->piece[k].side == EL_WHITE;
				for (unsigned square = 8; square < (pawns ? 56 : 9); square++)
					solve(c, t, whites ? 63 - square : square, lists);
			}
}

static struct brute_castling *open_castling(const struct brute *brute)
{
	struct brute_castling *c = brute_memory(1, sizeof *c);
	c->brute = brute;
	for (unsigned i = 0; i < brute->tables; i++) {
		const struct brute_table *t = brute->table[i];
		c->homes[i] = brute_memory(RIGHTS, sizeof **c->homes);
		for (unsigned rights = 0; rights < RIGHTS; rights++) {
			struct homes *h = &c->homes[i][rights];
			if (!find_homes(t, rights, h))
				continue;
			h->decided = brute_memory(h->positions, sizeof *h->decided);
			h->won = brute_memory(h->positions, sizeof *h->won);
			h->legal = brute_memory(h->positions, sizeof *h->legal);
			for (uint32_t n = 0; n < h->positions; n++) {
				struct castler b;
				h->legal[n] =
					set_up(t, rights, h, n, &b) && brute_legal(t, &b.board);
			}
		}
	}
	return c;
}

struct brute_castling *brute_castle(const struct brute *brute, const struct brute_metrics *metrics,
                                    enum brute_metric metric, unsigned limit)
{
	struct brute_castling *c = open_castling(brute);
	c->metrics = metrics;
	c->metric = metric;
	c->limit = limit;
	solve_all(c, false);
	return c;
}

static void take_asked(void *context, const struct brute_table *table, uint32_t state,
                       const uint8_t at[BRUTE_CLOCK_MAX + 1])
{
	const struct brute_castling *c = context;
	const uint32_t number = c->asked->number[table->number][state];
	if (number)
		memcpy(c->asked->at + number * (c->limit + 1), at, c->limit + 1);
}

struct brute_castling *brute_castle_by_clock(const struct brute *brute, unsigned limit)
{
	struct brute_castling *c = open_castling(brute);
	c->limit = limit;
	c->asked = brute_memory(1, sizeof *c->asked);
	for (unsigned i = 0; i < brute->tables; i++) {
		c->asked->number[i] =
			brute_memory(brute->table[i]->states, sizeof *c->asked->number[i]);
		for (unsigned rights = 1; rights < RIGHTS; rights++) {
			struct homes *h = &c->homes[i][rights];
			if (h->possible)
				h->at = brute_memory((limit + 1) * (size_t)h->positions, 1);
		}
	}
	solve_all(c, true);
	c->asked->at = brute_memory((c->asked->count + 1) * (size_t)(limit + 1), 1);
	brute_clock_each(brute, limit, c, take_asked);
	solve_all(c, false);
	return c;
}

void brute_castling_free(struct brute_castling *c)
{
	for (unsigned i = 0; i < TABLES; i++) {
		for (unsigned rights = 0; rights < RIGHTS && c->homes[i]; rights++) {
			free(c->homes[i][rights].decided);
			free(c->homes[i][rights].won);
			free(c->homes[i][rights].legal);
			free(c->homes[i][rights].at);
		}
		free(c->homes[i]);
		if (c->asked)
			free(c->asked->number[i]);
	}
	if (c->asked)
		free(c->asked->at);
	free(c->asked);
	free(c);
}

/* What a caller is told of a position. */
struct taker {
	void *context;
	void (*value)(void *context, const struct el_position *, struct el_value);
	void (*clocks)(void *context, const struct el_position *,
	               const uint8_t at[BRUTE_CLOCK_MAX + 1]);
};

static void tell(const struct brute_castling *c, const struct homes *h, uint32_t n,
                 const struct el_position *p, const struct taker *taker)
{
	uint8_t at[BRUTE_CLOCK_MAX + 1] = {0};
	struct el_value v = {.outcome = EL_DRAW};
	for (unsigned clock = 0; taker->clocks && clock <= c->limit; clock++)
		at[clock] = h->at[clock * (size_t)h->positions + n];
	if (h->decided[n])
		v = (struct el_value){.outcome = h->won[n] ? EL_WIN : EL_LOSS,
		                      .plies = (uint16_t)(h->decided[n] - 1)};
	if (taker->clocks)
		taker->clocks(taker->context, p, at);
	else
		taker->value(taker->context, p, v);
}

static unsigned long each(const struct brute_castling *c, const char *name,
                          const struct taker *taker)
{
	const struct brute_table *t = brute_table(c->brute, name);
	unsigned long count = 0;
	brute_need(t != NULL, "no such slice");
	for (unsigned rights = 1; rights < RIGHTS; rights++) {
		const struct homes *h = &c->homes[t->number][rights];
		for (uint32_t n = 0; h->possible && n < h->positions; n++) {
			struct castler b;
			if (!h->legal[n])
				continue;
			set_up(t, rights, h, n, &b);
			struct el_position p = {
				.side = b.board.side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
			for (unsigned i = 0; i < t->pieces; i++)
				p.set[t->piece[i].side][t->piece[i].kind] |= (uint64_t)1
				                                             << b.board.square[i];
			for (unsigned right = 0; right < 4; right++)
				if (rights >> right & 1)
					p.castling |= (uint16_t)(1u << (8 * (right / 2) +
					                                (right % 2 ? 7 : 0)));
			tell(c, h, n, &p, taker);
			count++;
		}
	}
	return count;
}

unsigned long brute_castling_each(const struct brute_castling *c, const char *name, void *context,
                                  void (*take)(void *context, const struct el_position *,
                                               struct el_value))
{
	return each(c, name, &(struct taker){.context = context, .value = take});
}

unsigned long brute_castling_clocks(const struct brute_castling *c, const char *name, void *context,
                                    void (*take)(void *context, const struct el_position *,
                                                 const uint8_t at[BRUTE_CLOCK_MAX + 1]))
{
	return each(c, name, &(struct taker){.context = context, .clocks = take});
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds who wins at Nine Men's Morris, and in how many plies: rounds decide who has lost, then who
 * wins in 1 ply, then who loses in 2, and so on. Positions that are images of each other are one
 * node: the mover's men are the least set of points among the images, and the other side's the
 * least among the images that achieve that.
 */
#include "merels.h"

#include <stdint.h>
#include <stdlib.h>

/* The depth of an undecided position, and finally of a draw. */
enum { OPEN = UINT16_MAX };

enum { SPACES = 64, LOST = MERELS_FEW - 1 }; /* men of a side that has lost */

/* The sets of a number of points. */
struct sets {
	uint32_t count, *set;     /* by rank */
	uint32_t *class;          /* by rank; the images of a set are in its class */
	uint16_t *to_least;       /* by rank; bit i: image i makes it the least of its class */
	uint32_t classes, *least; /* a set; by class */
};

/* Positions with so many men of the mover and of the other side, on the board and in hand. The node is first + class * (sets
   of the others) + rank of theirs; some nodes have no position. */
struct space {
	unsigned men, others, hand, others_hand;
	uint32_t first, end;
};

struct merels {
	uint32_t choose[MERELS_POINTS + 1][MERELS_SOLVED + 1];
	unsigned char image[MERELS_IMAGES][MERELS_POINTS];
	struct sets sets[MERELS_SOLVED + 1]; /* by men */
	struct space space[SPACES];
	unsigned spaces;
	uint32_t nodes;
	uint16_t *dtw, *dtc; /* by node */
};

static void *claim(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	merels_need(memory != NULL, "no memory");
	return memory;
}

/* ---- sets of points ---- */

/* Takes the least number out of a set that has one. */
static unsigned take(uint32_t *set)
{
	const unsigned least = (unsigned)__builtin_ctz(*set);
	*set ^= UINT32_C(1) << least;
	return least;
}

/* The rank of p1 < p2 < ... is C(p1, 1) + C(p2, 2) + ... */
static uint32_t rank_of(const struct merels *m, uint32_t set)
{
	uint32_t rank = 0;
	for (unsigned nth = 1; set; nth++)
		rank += m->choose[take(&set)][nth];
	return rank;
}

static uint32_t image_of(const struct merels *m, uint32_t set, unsigned image)
{
	uint32_t out = 0;
	while (set)
		out |= UINT32_C(1) << m->image[image][take(&set)];
	return out;
}

/* Lists all sets of a number of points, adding those below `end`. */
static void list_sets(const struct merels *m, struct sets *s, uint32_t set, unsigned end,
                      unsigned left)
{
	if (left == 0)
		s->set[rank_of(m, set)] = set;
	for (unsigned point = 0; left > 0 && point < end; point++)
		list_sets(m, s, set | UINT32_C(1) << point, point, left - 1);
}

/* A set without a class is the least of a new one. */
static void name_class(const struct merels *m, struct sets *s, uint32_t rank)
{
	const uint32_t least = s->set[rank];
	if (s->to_least[rank])
		return;
	for (unsigned image = 0; image < MERELS_IMAGES; image++) {
		const uint32_t other = rank_of(m, image_of(m, least, image));
		s->class[other] = s->classes;
		for (unsigned back = 0; back < MERELS_IMAGES; back++)
			if (image_of(m, s->set[other], back) == least)
				s->to_least[other] |= (uint16_t)(1 << back);
	}
	s->least[s->classes++] = least;
}

static void make_sets(struct merels *m, unsigned men)
{
	struct sets *s = &m->sets[men];
	s->count = m->choose[MERELS_POINTS][men];
	s->set = claim(s->count, sizeof *s->set);
	s->class = claim(s->count, sizeof *s->class);
	s->to_least = claim(s->count, sizeof *s->to_least);
	s->least = claim(s->count, sizeof *s->least);
	list_sets(m, s, 0, MERELS_POINTS, men);
	for (uint32_t rank = 0; rank < s->count; rank++)
		name_class(m, s, rank);
}

/* ---- nodes ---- */

static const struct space *find_space(const struct merels *m, unsigned men, unsigned others,
                                      unsigned hand, unsigned others_hand)
{
	for (const struct space *s = m->space; s < m->space + m->spaces; s++)
		if (s->men == men && s->others == others && s->hand == hand &&
		    s->others_hand == others_hand)
			return s;
	return NULL;
}

static void add_space(struct merels *m, unsigned men, unsigned others, unsigned hand,
                      unsigned others_hand)
{
	merels_need(m->spaces < SPACES, "too many subspaces");
	if (find_space(m, men, others, hand, others_hand))
		return;
	m->space[m->spaces++] = (struct space){
		men,         others,   hand,
		others_hand, m->nodes, m->nodes + m->sets[men].classes * m->sets[others].count};
	m->nodes = m->space[m->spaces - 1].end;
}

static uint32_t points_of(const struct merels_board *board, char man)
{
	uint32_t set = 0;
	for (unsigned point = 0; point < MERELS_POINTS; point++)
		set |= (uint32_t)(board->at[point] == man) << point;
	return set;
}

static bool find_node(const struct merels *m, const struct merels_board *board, uint32_t *node)
{
	const bool white = board->side == MERELS_WHITE;
	const uint32_t men = points_of(board, white ? 'W' : 'B'),
		       others = points_of(board, white ? 'B' : 'W');
	const unsigned us = (unsigned)board->side;
	const struct space *space =
		find_space(m, (unsigned)__builtin_popcount(men),
	                   (unsigned)__builtin_popcount(others), board->hand[us], board->hand[!us]);
	if (!space)
		return false;
	const struct sets *s = &m->sets[space->men];
	const uint32_t rank = rank_of(m, men);
	uint32_t least = UINT32_MAX;
	for (uint32_t images = s->to_least[rank]; images;) {
		const uint32_t theirs = rank_of(m, image_of(m, others, take(&images)));
		least = theirs < least ? theirs : least;
	}
	*node = space->first + s->class[rank] * m->sets[space->others].count + least;
	return true;
}

/* The position of a node, with White to move; false if it has none. */
static bool board_of(const struct merels *m, uint32_t node, struct merels_board *out)
{
	const struct space *space = m->space;
	uint32_t found;
	while (node >= space->end)
		space++;
	const struct sets *theirs = &m->sets[space->others];
	const uint32_t men = m->sets[space->men].least[(node - space->first) / theirs->count];
	const uint32_t others = theirs->set[(node - space->first) % theirs->count];
	*out = (struct merels_board){
		.side = MERELS_WHITE,
		.hand = {(unsigned char)space->hand, (unsigned char)space->others_hand},
	};
	for (unsigned point = 0; point < MERELS_POINTS; point++)
		out->at[point] = men >> point & 1 ? 'W' : others >> point & 1 ? 'B' : '.';
	return !(men & others) && find_node(m, out, &found) && found == node;
}

/* ---- rounds ---- */

static bool is_won(uint16_t dtw)
{
	return dtw != OPEN && dtw % 2 == 1;
}

static bool is_lost(uint16_t dtw)
{
	return dtw != OPEN && dtw % 2 == 0;
}

/* One count, with `depth` as dtw or dtc: in dtc, a capture ends the count. */
struct count {
	const struct merels *m;
	uint16_t *depth;
	bool converts;
	uint32_t *decided; /* the nodes, in the order of the rounds */
	size_t decisions;
	uint16_t round;
	bool lost; /* is the position whose moves are taken back lost for its side to move? */
};

/* Was the position after a move decided before this round? */
static bool is_early(const struct count *c, const struct merels_move *move, uint32_t *node)
{
	merels_need(find_node(c->m, &move->after, node), "a move leads nowhere");
	return (c->converts && move->taken != MERELS_NOWHERE ? 0 : c->depth[*node]) < c->round;
}

static bool leads_to_win(const struct merels_move *move, void *context)
{
	const struct count *c = context;
	uint32_t node;
	return is_early(c, move, &node) && is_won(c->m->dtw[node]);
}

static bool leads_to_no_loss(const struct merels_move *move, void *context)
{
	const struct count *c = context;
	uint32_t node;
	return !is_early(c, move, &node) || !is_lost(c->m->dtw[node]);
}

static bool loses(struct count *c, const struct merels_board *board)
{
	return merels_each_move(board, leads_to_win, c);
}

static bool wins(struct count *c, const struct merels_board *board)
{
	return !merels_each_move(board, leads_to_no_loss, c);
}

static void decide(struct count *c, uint32_t node)
{
	c->depth[node] = c->round;
	c->decided[c->decisions++] = node;
}

/* A side that can move to a new loss wins; one that can move to a new win may lose. Either way the
   depth is that of the round: smaller depths have been found before. */
static void look_before(const struct merels_board *board, void *context)
{
	struct count *c = context;
	uint32_t node;
	if (find_node(c->m, board, &node) && c->depth[node] == OPEN && (c->lost || loses(c, board)))
		decide(c, node);
}

/* A side that cannot move has lost: all of its moves lead to wins. */
static void decide_stuck(struct count *c)
{
	struct merels_board board;
	for (uint32_t node = 0; node < c->m->nodes; node++)
		if (board_of(c->m, node, &board) && loses(c, &board))
			decide(c, node);
}

/* Decides the positions that captures win or lose at once. */
static void decide_captures(struct count *c)
{
	struct merels_board board;
	for (uint32_t node = 0; node < c->m->nodes; node++)
		if (c->m->dtw[node] > 0 && c->m->dtw[node] != OPEN &&
		    board_of(c->m, node, &board) &&
		    (is_won(c->m->dtw[node]) ? wins(c, &board) : loses(c, &board)))
			decide(c, node);
}

static uint16_t *count_up(struct merels *m, bool converts)
{
	struct count c = {.m = m, .converts = converts};
	size_t before = 0; /* where those of the last round begin */
	c.depth = claim(m->nodes, sizeof *c.depth);
	c.decided = claim(m->nodes, sizeof *c.decided);
	for (uint32_t node = 0; node < m->nodes; node++)
		c.depth[node] = OPEN;
	m->dtw = m->dtw ? m->dtw : c.depth;
	decide_stuck(&c);
	while (before < c.decisions) {
		const size_t end = c.decisions;
		c.round++;
		if (converts && c.round == 1)
			decide_captures(&c);
		for (; before < end; before++) {
			struct merels_board board;
			board_of(m, c.decided[before], &board);
			c.lost = is_lost(m->dtw[c.decided[before]]);
			merels_before(&board, look_before, &c);
		}
	}
	free(c.decided);
	return c.depth;
}

struct merels *merels_solve(unsigned men, unsigned others)
{
	struct merels *m = claim(1, sizeof *m);
	const unsigned most = men > others ? men : others, least = men + others - most;
	merels_need(least >= MERELS_FEW && most <= MERELS_SOLVED, "too many men, or too few");
	for (unsigned n = 0; n <= MERELS_POINTS; n++)
		for (unsigned k = 0; k <= MERELS_SOLVED; k++)
			m->choose[n][k] = k == 0   ? 1
			                  : n == 0 ? 0
			                           : m->choose[n - 1][k - 1] + m->choose[n - 1][k];
	for (unsigned image = 0; image < MERELS_IMAGES; image++)
		for (unsigned point = 0; point < MERELS_POINTS; point++)
			m->image[image][point] = (unsigned char)merels_image(image, point);
	for (unsigned n = 0; n <= most; n++)
		make_sets(m, n);
	for (unsigned a = LOST; a <= most; a++)
		for (unsigned b = MERELS_FEW; b <= most; b++)
			if (a <= least || b <= least)
				add_space(m, a, b, 0, 0);
	m->dtw = count_up(m, false);
	m->dtc = count_up(m, true);
	for (uint32_t node = 0; node < m->nodes; node++)
		merels_need((m->dtw[node] == OPEN) == (m->dtc[node] == OPEN),
		            "dtw and dtc disagree");
	return m;
}

/* ---- men in hand ---- */

/* A position with men in hand, by the values of those that placing one leads to. */
struct placing {
	const struct merels *m;
	bool escapes;
	unsigned win, loss; /* the depth of either; 0: there is none, or it is impossible */
};

static bool look_at(const struct merels_move *move, void *context)
{
	struct placing *p = context;
	const unsigned us = (unsigned)move->after.side;
	struct merels_value value = {.outcome = MERELS_LOSS};
	if (merels_men(&move->after, us) + move->after.hand[us] >= MERELS_FEW)
		merels_need(merels_lookup(p->m, &move->after, &value), "a placing leads nowhere");
	if (value.outcome == MERELS_LOSS && (!p->win || value.dtw + 1 < p->win))
		p->win = value.dtw + 1;
	if (value.outcome == MERELS_WIN && value.dtw + 1 > p->loss)
		p->loss = value.dtw + 1;
	p->escapes |= value.outcome != MERELS_WIN;
	return true;
}

static void place_in(struct merels *m, const struct space *space)
{
	struct merels_board board;
	m->dtw = realloc(m->dtw, space->end * sizeof *m->dtw);
	m->dtc = realloc(m->dtc, space->end * sizeof *m->dtc);
	merels_need(m->dtw && m->dtc, "no memory");
	for (uint32_t node = space->first; node < space->end; node++) {
		struct placing p = {.m = m};
		if (board_of(m, node, &board))
			merels_each_move(&board, look_at, &p);
		m->dtw[node] = (uint16_t)(p.win ? p.win : p.escapes ? OPEN : p.loss);
		m->dtc[node] = 0;
	}
}

void merels_place(struct merels *m, unsigned most)
{
	for (unsigned hands = 1; hands <= 2 * most; hands++) {
		/* Who is to move has as many in hand as the other, or one more. */
		const unsigned hand = (hands + 1) / 2, others_hand = hands / 2;
		for (unsigned men = 0; men + hand <= most; men++)
			for (unsigned others = 0; others + others_hand <= most; others++) {
				if (men + hand < MERELS_FEW || others + others_hand < MERELS_FEW)
					continue;
				add_space(m, men, others, hand, others_hand);
				place_in(m, &m->space[m->spaces - 1]);
			}
	}
}

void merels_free(struct merels *m)
{
	if (!m)
		return;
	for (unsigned n = 0; n <= MERELS_SOLVED; n++) {
		free(m->sets[n].set);
		free(m->sets[n].class);
		free(m->sets[n].to_least);
		free(m->sets[n].least);
	}
	free(m->dtw);
	free(m->dtc);
	free(m);
}

/* ---- answers ---- */

static struct merels_value value_of(const struct merels *m, uint32_t node)
{
	if (m->dtw[node] == OPEN)
		return (struct merels_value){.outcome = MERELS_DRAW};
	return (struct merels_value){
		.outcome = is_won(m->dtw[node]) ? MERELS_WIN : MERELS_LOSS,
		.dtw = m->dtw[node],
		.dtc = m->dtc[node],
	};
}

bool merels_lookup(const struct merels *m, const struct merels_board *board,
                   struct merels_value *out)
{
	uint32_t node;
	if (!find_node(m, board, &node))
		return false;
	*out = value_of(m, node);
	return true;
}

void merels_each(const struct merels *m, unsigned men, unsigned others, unsigned hand,
                 unsigned others_hand, merels_visit_value *visit, void *context)
{
	const struct space *space = find_space(m, men, others, hand, others_hand);
	merels_need(space != NULL, "a subspace was not solved");
	for (uint32_t node = space->first; node < space->end; node++) {
		struct merels_board board;
		const struct merels_value value = value_of(m, node);
		if (board_of(m, node, &board))
			visit(&board, &value, context);
	}
}

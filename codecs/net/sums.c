/* SPDX-License-Identifier: MIT */
/*
 * Adds up in advance rows that are used together.
 *
 *     for a coder     for each two classes, the rows of two neighbours, or bends; for each set of six
 *                     marks, their rows
 *     for a run       squares and distances of the pieces that stay; the marks for each square of the
 *                     moving piece
 *     for a stretch   these, and the neighbours that no position of it has in the block
 *
 * net_sums_ask (sums.h) adds the rest for each position that asks.
 */
#include "sums.h"

#include <stdlib.h>

/* Adds a row of the model. */
static void add_row(net_wide *sum, const struct net_model *m, uint32_t row)
{
	const int16_t *from = m->row + (size_t)row * m->hidden;
	for (unsigned i = 0; i < m->hidden; i++)
		sum[i / NET_WIDE][i % NET_WIDE] += from[i];
}

/* ---- of a coder ---- */

/* Adds up pairs of rows by class, for `count` features from row `first` on. */
static net_wide *add_couples(const struct net_sums *s, const struct net_model *m, net_wide *sum,
                             uint32_t first, unsigned count)
{
	for (unsigned i = 0; i < count; i += 2)
		for (unsigned both = 0; both < BOARD_CLASSES * BOARD_CLASSES;
		     both++, sum += s->wides) {
			add_row(sum, m, first + i * BOARD_CLASSES + both / BOARD_CLASSES);
			if (i + 1 < count)
				add_row(sum, m,
				        first + (i + 1) * BOARD_CLASSES + both % BOARD_CLASSES);
		}
	return sum;
}

static unsigned mark_groups(const struct el_codec_board *board)
{
	return (board->marks + NET_MARKS - 1) / NET_MARKS;
}

size_t net_sums_most(const struct net_layout *l, const struct el_codec_board *board)
{
	const size_t couples =
		(BOARD_COUPLES + 1 + BOARD_BENDS_MAX / 2) * BOARD_CLASSES * BOARD_CLASSES;
	const size_t sets = mark_groups(board) * NET_MARK_SETS;
	return (couples + sets + l->rows + NET_DECISIONS) * NET_WIDES_MAX * sizeof(net_wide);
}

enum el_status net_sums_open(struct net_sums *s, const struct net_model *m,
                             const struct board_view *view, unsigned finer, struct el_error *error)
{
	const unsigned moves = board_last_axis(view)->pieces * BOARD_STEPS;
	const unsigned neighbours = m->layout.pieces * BOARD_STEPS;
	s->layout = m->layout;
	s->wides = (m->hidden + NET_WIDE - 1) / NET_WIDE;
	s->stays = (neighbours - moves + 1) / 2;
	s->couples = s->stays + (moves + 1) / 2;
	s->groups = mark_groups(view->board);
	const unsigned bends = (m->layout.value - m->layout.bend) / BOARD_CLASSES;
	const size_t couples = s->couples * BOARD_CLASSES * BOARD_CLASSES * s->wides;
	const size_t bent = bends / 2 * BOARD_CLASSES * BOARD_CLASSES * s->wides;
	const size_t sets = s->groups * NET_MARK_SETS * s->wides;
	const size_t rows = (m->layout.mark - m->layout.value) * s->wides;
	s->all =
		calloc(couples + bent + sets + rows + NET_DECISIONS * s->wides + 1, sizeof *s->all);
	if (!s->all)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	s->couple = s->all;
	s->bend = s->couple + couples;
	s->mark = s->bend + bent;
	s->row = s->mark + sets;
	s->out = s->row + rows;
	for (unsigned a = 0; a < 64; a++)
		for (unsigned b = 0; b < 64; b++)
			s->apart[a][b] = (uint8_t)net_apart(a, b);
	net_wide *moving = add_couples(s, m, s->couple, 0, neighbours - moves);
	add_couples(s, m, moving, (neighbours - moves) * BOARD_CLASSES, moves);
	add_couples(s, m, s->bend, m->layout.bend, bends);
	net_wide *sum = s->mark;
	for (unsigned group = 0; group < s->groups; group++)
		for (unsigned set = 0; set < NET_MARK_SETS; set++, sum += s->wides)
			for (unsigned i = 0; i < NET_MARKS; i++) {
				const uint32_t row = m->layout.mark + group * NET_MARKS + i;
				if (set >> i & 1 && row < m->layout.rows)
					add_row(sum, m, row);
			}
	for (uint32_t row = m->layout.value; row < m->layout.mark; row++)
		add_row(s->row + (row - m->layout.value) * s->wides, m, row);
	for (unsigned d = 0; d < NET_DECISIONS; d++)
		for (unsigned i = 0; i < m->hidden; i++)
			s->out[d * s->wides + i / NET_WIDE][i % NET_WIDE] = (int16_t)net_within(
				m->out[d * m->hidden + i] * (1 << finer), NET_FINE_MOST);
	return EL_OK;
}

void net_sums_close(struct net_sums *s)
{
	free(s->all);
}

/* ---- of a run ---- */

/* Transposes words of marks, with a bit per square, into words of squares, with a bit per mark.
   Only squares that differ from the majority cost time. */
static void turn_marks(struct net_sums *s, const struct board_walk *w)
{
	const unsigned marks = w->view->board->marks;
	uint64_t most = 0;
	for (unsigned i = 0; i < marks; i++)
		if (__builtin_popcountll(w->word[1 + i] & w->run) * 2 >
		    __builtin_popcountll(w->run))
			most |= UINT64_C(1) << i;
	for (unsigned square = 0; square < 64; square++)
		s->marks[square] = most;
	for (unsigned i = 0; i < marks; i++) {
		const uint64_t same = most >> i & 1 ? ~UINT64_C(0) : 0;
		for (uint64_t left = (w->word[1 + i] ^ same) & w->run; left; left &= left - 1)
			s->marks[__builtin_ctzll(left)] ^= UINT64_C(1) << i;
	}
}

/* One of the copied rows. */
static const net_wide *row_of(const struct net_sums *s, uint32_t row)
{
	return s->row + (size_t)(row - s->layout.value) * s->wides;
}

void net_sums_stand(struct net_sums *s, const struct board_walk *w)
{
	const struct net_layout *l = &s->layout;
	struct net_sum still = {{0}, {0}, {0}, {0}};
	s->square = row_of(s, net_square_row(l, w->moving, 0));
	s->others = 0;
	for (unsigned p = 0; p < l->pieces; p++) {
		if (p == w->moving)
			continue;
		s->distance[s->others] = row_of(s, net_distance_rows(l, w->moving, p));
		s->far[s->others++] = s->apart[w->square[p]];
		net_sum_add(&still, s->wides, row_of(s, net_square_row(l, p, w->square[p])), 0);
		for (unsigned q = 0; q < p; q++)
			if (q != w->moving)
				net_sum_add(&still, s->wides, row_of(s, net_distance_rows(l, p, q)),
				            s->apart[w->square[p]][w->square[q]]);
	}
	net_sum_store(&still, s->wides, s->still);
	turn_marks(s, w);
}

/* ---- of a stretch ---- */

void net_sums_stretch(struct net_sums *s, const struct board_stretch *t)
{
	struct net_sum base = {{0}, {0}, {0}, {0}};
	net_sum_add(&base, s->wides, s->still, 0);
	s->couples_there = s->bends_there = 0;
	for (unsigned i = 0; i < s->stays; i++)
		if (t->from[2 * i] || (2 * i + 1 < t->stays && t->from[2 * i + 1]))
			s->couple_there[s->couples_there++] = (uint8_t)i;
		else
			net_sum_add(&base, s->wides, s->couple, i * NET_BOTH);
	for (unsigned i = 0; i < t->stays / BOARD_STEPS * BOARD_VOTING; i++)
		if (t->from[board_bend_near(i)])
			s->bend_there[s->bends_there++] = (uint8_t)i;
		else
			net_sum_add(&base, s->wides, s->bend, i * NET_BOTH);
	net_sum_store(&base, s->wides, s->base);
}

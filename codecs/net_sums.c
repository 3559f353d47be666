/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that are asked for together, added up before anybody asks.
 *
 *     when a coder is opened   rows of two neighbours, for each two classes; of six marks, for each
 *                              set of them
 *     when a run begins        squares and distances of the pieces that stay; which marks there are on
 *                              each square of the one that moves
 *
 * What is left for a position is net_sums_add (net_sums.h).
 */
#include "net_sums.h"

#include <stdlib.h>
#include <string.h>

static void add_row(int16_t *sum, const struct net_model *m, uint32_t row)
{
	const int16_t *from = m->row + (size_t)row * m->hidden;
	for (unsigned i = 0; i < m->hidden; i++)
		sum[i] = (int16_t)(sum[i] + from[i]);
}

/* ---- of a coder ---- */

static void add_couples(struct net_sums *s)
{
	const struct net_model *m = s->model;
	const unsigned neighbours = m->layout.pieces * NET_STEPS;
	int16_t *sum = s->couple;
	for (unsigned i = 0; i < 2 * s->couples; i += 2)
		for (unsigned both = 0; both < NET_CLASSES * NET_CLASSES; both++, sum += m->hidden) {
			add_row(sum, m, i * NET_CLASSES + both / NET_CLASSES);
			if (i + 1 < neighbours)
				add_row(sum, m, (i + 1) * NET_CLASSES + both % NET_CLASSES);
		}
}

static void add_marks(struct net_sums *s, unsigned marks)
{
	const struct net_model *m = s->model;
	int16_t *sum = s->mark;
	for (unsigned group = 0; group < s->groups; group++)
		for (unsigned set = 0; set < NET_MARK_SETS; set++, sum += m->hidden)
			for (unsigned i = 0; i < NET_MARKS; i++)
				if (set >> i & 1 && group * NET_MARKS + i < marks)
					add_row(sum, m, m->layout.mark + group * NET_MARKS + i);
}

enum el_status net_sums_open(struct net_sums *s, const struct net_model *m, unsigned marks,
                             struct el_error *error)
{
	const size_t row = m->hidden * sizeof(int16_t);
	s->model = m;
	s->couples = (m->layout.pieces * NET_STEPS + 1) / 2;
	s->groups = (marks + NET_MARKS - 1) / NET_MARKS;
	s->couple = calloc(s->couples * NET_CLASSES * NET_CLASSES * row + 1, 1);
	s->mark = calloc(s->groups * NET_MARK_SETS * row + 1, 1);
	if (!s->couple || !s->mark)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	for (unsigned a = 0; a < 64; a++)
		for (unsigned b = 0; b < 64; b++)
			s->apart[a][b] = (uint8_t)net_apart(a, b);
	add_couples(s);
	add_marks(s, marks);
	return EL_OK;
}

void net_sums_close(struct net_sums *s)
{
	free(s->couple);
	free(s->mark);
}

/* ---- of a run ---- */

/* A bit of each mark's word, by square, becomes a bit of each square's word, by mark: only squares that
   are not as most are cost anything. */
static void turn_marks(struct net_sums *s, const struct net_walk *w)
{
	const unsigned marks = w->view->board->marks;
	uint64_t most = 0;
	for (unsigned i = 0; i < marks; i++)
		most |= (uint64_t)(__builtin_popcountll(w->word[1 + i] & w->run) * 2 >
		                   __builtin_popcountll(w->run)) << i;
	for (unsigned square = 0; square < 64; square++)
		s->marks[square] = most;
	for (unsigned i = 0; i < marks; i++) {
		const uint64_t same = most >> i & 1 ? ~UINT64_C(0) : 0;
		for (uint64_t left = (w->word[1 + i] ^ same) & w->run; left; left &= left - 1)
			s->marks[__builtin_ctzll(left)] ^= UINT64_C(1) << i;
	}
}

static void move_one(struct net_sums *s, const struct net_walk *w)
{
	const struct net_model *m = s->model;
	s->square = m->row + (size_t)net_square_row(&m->layout, w->moving, 0) * m->hidden;
	s->others = 0;
	for (unsigned q = 0; q < m->layout.pieces; q++) {
		if (q == w->moving)
			continue;
		const uint32_t rows = net_distance_rows(&m->layout, w->moving, q);
		s->distance[s->others] = m->row + (size_t)rows * m->hidden;
		s->far[s->others++] = s->apart[w->square[q]];
	}
}

void net_sums_stand(struct net_sums *s, const struct net_walk *w)
{
	const struct net_layout *l = &s->model->layout;
	memset(s->still, 0, sizeof s->still);
	for (unsigned p = 0; p < l->pieces; p++) {
		if (p == w->moving)
			continue;
		add_row(s->still, s->model, net_square_row(l, p, w->square[p]));
		for (unsigned q = 0; q < p; q++)
			if (q != w->moving)
				add_row(s->still, s->model,
				        net_distance_row(l, p, w->square[p], q, w->square[q]));
	}
	move_one(s, w);
	turn_marks(s, w);
}

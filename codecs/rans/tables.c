/* SPDX-License-Identifier: MIT */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

/* ---- the board ---- */

unsigned rans_board_answer(const struct rans_layout *l, const uint8_t *square, uint64_t marks,
                           unsigned q)
{
	if (q >= l->mark)
		return marks >> (q - l->mark) & 1;
	if (q < l->distance)
		return q < l->file ? square[q] >> 3 : square[q - l->file] & 7;
	const unsigned pairs = l->straight - l->distance, pair = (q - l->distance) % pairs;
	unsigned p = 1;
	while (rans_pair(p + 1, 0) <= pair)
		p++;
	const uint8_t a = square[p], b = square[pair - rans_pair(p, 0)];
	const int files = abs((a & 7) - (b & 7)), ranks = abs((a >> 3) - (b >> 3));
	if (q < l->straight)
		return (unsigned)(files > ranks ? files : ranks);
	return q < l->diagonal ? !files || !ranks : files == ranks;
}

static void draw_board(struct rans_tables *t)
{
	for (int a = 0; a < 64; a++)
		for (int b = 0; b < 64; b++) {
			const int files = abs((a & 7) - (b & 7)), ranks = abs((a >> 3) - (b >> 3));
			const uint64_t bit = UINT64_C(1) << b;
			for (int d = files > ranks ? files : ranks; d < 8; d++)
				t->within[d][a] |= bit;
			t->off_lines[a] |= files && ranks ? bit : 0;
			t->off_diagonals[a] |= files != ranks ? bit : 0;
			for (int most = a == 0 ? b >> 3 : 8; most < 8; most++)
				t->ranks[most] |= bit;
			for (int most = a == 0 ? b & 7 : 8; most < 8; most++)
				t->files[most] |= bit;
		}
}

/* The same questions as rans_board_answer's. */
static struct rans_board_ask prepare_ask(const struct rans_tables *t, struct rans_node n)
{
	const struct rans_layout *l = &t->layout;
	const unsigned q = n.question, most = n.most < 7 ? n.most : 7;
	if (q >= l->mark && !most)
		return (struct rans_board_ask){
			.mark = (uint8_t)(q - l->mark), .by = EL_BOARD_PIECES, .moves = UINT64_MAX};
	if (q >= l->mark || (q >= l->straight && most))
		return (struct rans_board_ask){
			.set = t->within[7], .by = EL_BOARD_PIECES, .moves = UINT64_MAX};
	if (q < l->distance) {
		const unsigned piece = q < l->file ? q : q - l->file;
		return (struct rans_board_ask){.set = q < l->file ? &t->ranks[most]
		                                                  : &t->files[most],
		                               .by = EL_BOARD_PIECES,
		                               .at = (uint8_t)piece,
		                               .moves = piece == l->moving ? UINT64_MAX : 0};
	}
	const unsigned pairs = l->straight - l->distance, pair = (q - l->distance) % pairs;
	unsigned p = 1;
	while (rans_pair(p + 1, 0) <= pair)
		p++;
	const unsigned other = pair - rans_pair(p, 0);
	return (struct rans_board_ask){
		.set = q < l->straight   ? t->within[most]
	               : q < l->diagonal ? t->off_lines
	                                 : t->off_diagonals,
		.by = (uint8_t)(p == l->moving ? other : p),
		.at = (uint8_t)(p == l->moving ? p : other),
		.moves = p == l->moving || other == l->moving ? UINT64_MAX : 0,
	};
}

void rans_tables_rows(const struct rans_tables *t, const struct board_walk *w, uint32_t row[64])
{
	/* By node, the squares that reach it: from parents to children, without a branch that
	   depends on them. */
	uint64_t reach[RANS_NODES], word[1 + EL_BOARD_MARKS];
	uint8_t square[EL_BOARD_PIECES + 1] = {0};
	unsigned leaf[RANS_LEAVES], leaves = 0;
	memcpy(square, w->square, EL_BOARD_PIECES);
	for (unsigned m = 0; m < EL_BOARD_MARKS; m++)
		word[m] = ~w->word[1 + m];
	reach[0] = w->run & ~w->word[0];
	for (unsigned i = 0; i < t->board_asks; i++) {
		const struct rans_board_ask *ask = &t->board_ask[i];
		const uint64_t some = ask->set ? ask->set[square[ask->by]] : word[ask->mark];
		const uint64_t all = 0 - (some >> square[ask->at] & 1);
		const uint64_t yes = (some & ask->moves) | (all & ~ask->moves);
		reach[ask->child] = reach[ask->node] & yes;
		reach[ask->child + 1] = reach[ask->node] & ~yes;
	}
	for (unsigned i = 0; i < t->board.leaves; i++) {
		leaf[leaves] = i;
		leaves += reach[t->board_leaf[i]] != 0;
	}
	for (unsigned i = 0; i < leaves; i++)
		for (uint64_t here = reach[t->board_leaf[leaf[i]]]; here; here &= here - 1)
			row[__builtin_ctzll(here)] = leaf[i] * (uint32_t)t->near.leaves;
	for (uint64_t broken = w->word[0]; broken; broken &= broken - 1)
		row[__builtin_ctzll(broken)] = 0;
}

/* ---- neighbours that stay ---- */

void rans_tables_still(const struct rans_tables *t, const struct board_stretch *s,
                       uint16_t cell[BOARD_STRETCH])
{
	memset(cell, 0, BOARD_STRETCH * sizeof *cell);
	for (unsigned k = 0; k < t->stays; k++) {
		const uint16_t *add = t->ask[k].add;
		uint16_t class[BOARD_STRETCH] = {0};
		if (!s->from[t->ask[k].still])
			continue;
		board_add_classes(s, t->ask[k].still, 1, class);
		/* Vectors add what each answer has more than the one below. */
		for (int16_t answer = 1; answer < BOARD_CLASSES; answer++) {
			const uint16_t more = (uint16_t)(add[answer] - add[answer - 1]);
			for (unsigned j = 0; more && j < BOARD_STRETCH; j++)
				cell[j] = (uint16_t)(cell[j] +
				                     ((int16_t) class[j] >= answer ? more : 0));
		}
	}
}

/* ---- tables ---- */

static enum el_status damaged(struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "rans: what was learned makes no sense");
}

/* Numbers the cells: which answers the tree of neighbours tells apart, and where each leads. */
static enum el_status number_cells(struct rans_tables *t, const struct rans_model *m,
                                   struct el_error *error)
{
	const struct rans_tree *tree = &m->near;
	const struct rans_layout *l = &t->layout;
	unsigned cells = 1;
	/* by ask: the cells of one step, and the least answer of each step */
	uint16_t least[RANS_QUESTIONS][RANS_ANSWERS], steps[RANS_QUESTIONS], weight[RANS_QUESTIONS];
	const unsigned stays = l->pieces ? l->moving * BOARD_STEPS : l->bends;
	unsigned asks = 0;
	t->by_guess = calloc(l->value_count, sizeof *t->by_guess);
	if (!t->by_guess)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	for (unsigned q = 0; q < l->questions; q++) {
		bool splits[RANS_ANSWERS + 1] = {false};
		struct rans_ask *ask = &t->ask[asks];
		unsigned step = 0;
		for (unsigned i = 0; i < tree->nodes; i++)
			if (tree->node[i].question == q && tree->node[i].most < RANS_ANSWERS - 1)
				splits[tree->node[i].most + 1] = true;
		least[asks][0] = 0;
		for (unsigned answer = 0; answer < RANS_ANSWERS; answer++) {
			if (splits[answer])
				least[asks][++step] = (uint16_t)answer;
			ask->add[answer] = (uint16_t)(step * cells);
		}
		if (step) {
			const unsigned bend = q - l->bends;
			ask->question = q;
			ask->still = q < stays ? q : board_bend_near(bend / BOARD_VOTING);
			ask->step = q < l->bends ? q - stays : bend % BOARD_VOTING;
			weight[asks] = (uint16_t)cells;
			steps[asks++] = (uint16_t)(step + 1);
			cells *= step + 1;
			if (cells > RANS_CELLS)
				return damaged(error);
		}
		for (uint32_t v = 0; q == l->guess && v < l->value_count; v++)
			t->by_guess[v] = ask->add[rans_guess_answer(
				l, (struct rans_guess){(uint16_t)v, 0, 0}, q)];
		if (q == l->lead)
			memcpy(t->by_lead, ask->add, sizeof t->by_lead);
		for (uint8_t n = 0; q > l->guess && n <= RANS_VOTERS; n++)
			(q == l->agree ? t->by_agree : t->by_voters)[n] =
				ask->add[rans_guess_answer(l, (struct rans_guess){0, n, n}, q)];
		t->stays = q < stays ? asks : t->stays;
		t->moves = q < l->bends ? asks : t->moves;
		t->bends = q < l->lead ? asks : t->bends;
	}
	t->cell = malloc(cells);
	if (!t->cell)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	for (unsigned cell = 0; cell < cells; cell++) {
		uint16_t answer[RANS_QUESTIONS] = {0};
		unsigned at = 0;
		for (unsigned k = 0; k < asks; k++)
			answer[t->ask[k].question] = least[k][cell / weight[k] % steps[k]];
		while (t->near.child[at])
			at = t->near.child[at] +
			     (answer[tree->node[at].question] > tree->node[at].most ? 1u : 0);
		t->cell[cell] = (uint8_t)t->near.first[at];
	}
	return EL_OK;
}

/* The third tree: each of its leaves is a context, for all leaves of the other trees below it. */
static enum el_status name_contexts(struct rans_tables *t, const struct rans_model *m,
                                    struct el_error *error)
{
	struct pair {
		uint16_t near, board;
	} *node = malloc(m->nodes * sizeof *node);
	t->context = calloc((size_t)t->near.leaves * t->board.leaves, sizeof *t->context);
	if (!node || !t->context) {
		free(node);
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	}
	unsigned children = 1, contexts = 0;
	enum el_status status = EL_OK;
	node[0] = (struct pair){0, 0};
	for (unsigned i = 0; i < m->nodes && !status; i++) {
		const struct pair here = node[i];
		if (m->split[i] == RANS_LEAF) {
			for (unsigned b = t->board.first[here.board]; b < t->board.end[here.board];
			     b++)
				for (unsigned n = t->near.first[here.near];
				     n < t->near.end[here.near]; n++)
					t->context[b * t->near.leaves + n] = (uint16_t)contexts;
			contexts++;
			continue;
		}
		const bool by_near = m->split[i] == RANS_BY_NEAR;
		const uint16_t child =
			by_near ? t->near.child[here.near] : t->board.child[here.board];
		if (!child)
			status = damaged(error);
		for (uint16_t k = 0; k < 2; k++)
			node[children++] = by_near ? (struct pair){child + k, here.board}
			                           : (struct pair){here.near, child + k};
	}
	free(node);
	return status;
}

/* Every token has a frequency of at least one. */
static enum el_status find_starts(struct rans_tables *t, const struct rans_model *m,
                                  struct el_error *error)
{
	t->start = malloc(m->contexts * sizeof *t->start);
	if (!t->start)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	for (unsigned i = 0; i < m->contexts; i++) {
		uint64_t all = 0;
		uint32_t frequency[RANS_TOKENS], left = RANS_ONE;
		unsigned most = 0;
		for (unsigned k = 0; k < RANS_TOKENS; k++) {
			const uint8_t *weight = m->weight[i];
			all += rans_weight(weight[k]);
			most = weight[k] > weight[most] ? k : most;
		}
		for (unsigned k = 0; k < RANS_TOKENS; k++) {
			frequency[k] = 1 + (uint32_t)(rans_weight(m->weight[i][k]) *
			                              (uint64_t)(RANS_ONE - RANS_TOKENS) / all);
			left -= frequency[k];
		}
		frequency[most] += left;
		uint32_t start = 0;
		for (unsigned k = 0; k < RANS_TOKENS; start += frequency[k++])
			t->start[i][k] = (uint16_t)start;
	}
	return EL_OK;
}

enum el_status rans_tables_make(struct rans_tables *t, const struct rans_layout *layout,
                                const struct rans_model *m, struct el_error *error)
{
	*t = (struct rans_tables){.layout = *layout, .common = m->common};
	if (m->common >= layout->value_count)
		return damaged(error);
	draw_board(t);
	rans_shape(&m->near, &t->near);
	rans_shape(&m->board, &t->board);
	for (unsigned i = 0; i < m->board.nodes; i++)
		if (t->board.child[i]) {
			struct rans_board_ask ask = prepare_ask(t, m->board.node[i]);
			ask.node = (uint16_t)i;
			ask.child = t->board.child[i];
			t->board_ask[t->board_asks++] = ask;
		} else {
			t->board_leaf[t->board.first[i]] = (uint16_t)i;
		}
	enum el_status status = number_cells(t, m, error);
	if (!status)
		status = name_contexts(t, m, error);
	if (!status)
		status = find_starts(t, m, error);
	return status;
}

void rans_tables_free(struct rans_tables *t)
{
	free(t->by_guess);
	free(t->cell);
	free(t->context);
	free(t->start);
}

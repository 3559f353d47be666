/* SPDX-License-Identifier: MIT */
/*
 * What is learned as bytes, one range-coded stream:
 *
 *     the commonest symbol, the tree of neighbours, that of the board, the third one, the weights
 *
 * A number is coded bit by bit, the highest first, under adaptive probabilities of its own kind.
 */
#include "rans.h"

#include "codecs/range.h"

#include <stdlib.h>

/* ---- questions ---- */

struct rans_layout rans_layout(const struct el_codec_params *params)
{
	const struct el_codec_board *board = params->board;
	struct rans_layout l = {.value_count = params->value_count};
	for (unsigned a = 0; board && a < board->axes; a++)
		l.pieces += board->axis[a].pieces;
	if (board)
		l.moving = l.pieces - board->axis[board->axes - 1].pieces;
	const unsigned pairs = l.pieces ? rans_pair(l.pieces, 0) : 0;
	l.bends = board ? l.pieces * BOARD_STEPS : 1;
	l.lead = l.bends + l.moving * BOARD_BENDS;
	l.guess = l.lead + 1;
	l.agree = l.guess + 1;
	l.voters = l.agree + 1;
	l.questions = l.voters + 1;
	l.rank = 0;
	l.file = l.rank + l.pieces;
	l.distance = l.file + l.pieces;
	l.straight = l.distance + pairs;
	l.diagonal = l.straight + pairs;
	l.mark = l.diagonal + pairs;
	l.board_questions = l.mark + (board ? board->marks : 0);
	return l;
}

void rans_shape(const struct rans_tree *tree, struct rans_shape *out)
{
	unsigned children = 1;
	*out = (struct rans_shape){0};
	for (unsigned i = 0; i < tree->nodes; i++)
		if (tree->node[i].question != RANS_LEAF) {
			out->child[i] = (uint16_t)children;
			children += 2;
		}
	/* Children come after their parents: count leaves upwards, number them downwards. */
	for (unsigned i = tree->nodes; i-- > 0;) {
		const unsigned child = out->child[i];
		out->end[i] = (uint16_t)(child ? out->end[child] + out->end[child + 1] : 1);
	}
	out->leaves = out->end[0];
	for (unsigned i = 0; i < tree->nodes; i++) {
		const unsigned child = out->child[i], first = out->first[i];
		out->end[i] = (uint16_t)(first + out->end[i]);
		if (child) {
			out->first[child] = (uint16_t)first;
			out->first[child + 1] = (uint16_t)(first + out->end[child]);
		}
	}
}

/* ---- numbers as bits ---- */

/* Adaptive probabilities for a number of `bits` bits, by the bits before. */
struct habit {
	uint16_t bit[256];
};

static void begin(struct habit *habit, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (unsigned k = 0; k < 256; k++)
			habit[i].bit[k] = RANGE_ONE / 2;
}

static unsigned number(struct range_stream *s, struct habit *h, unsigned bits, unsigned value)
{
	unsigned known = 1;
	while (bits--)
		known = known << 1 | range_code(s, &h->bit[known], value >> bits & 1);
	return known;
}

static uint8_t byte(struct range_stream *s, struct habit *h, uint8_t value)
{
	return (uint8_t)number(s, h, 8, value);
}

static bool code_tree(struct range_stream *s, struct rans_tree *tree, unsigned questions)
{
	struct habit question, most;
	begin(&question, 1);
	begin(&most, 1);
	unsigned nodes = 1;
	for (unsigned i = 0; i < nodes; i++) {
		struct rans_node *n = &tree->node[i];
		n->question = byte(s, &question, n->question);
		if (n->question == RANS_LEAF)
			continue;
		n->most = byte(s, &most, n->most);
		nodes += 2;
		if (n->question >= questions || nodes > RANS_NODES)
			return false;
	}
	tree->nodes = nodes;
	return true;
}

/* ---- all of it ---- */

static bool code_model(struct range_stream *s, struct rans_model *m, const struct rans_layout *l)
{
	struct habit plain, weight[RANS_TOKENS];
	begin(&plain, 1);
	begin(weight, RANS_TOKENS);
	const unsigned high = byte(s, &plain, (uint8_t)(m->common >> 8));
	m->common = (uint16_t)(high << 8 | byte(s, &plain, (uint8_t)m->common));
	if (!code_tree(s, &m->near, l->questions) || !code_tree(s, &m->board, l->board_questions))
		return false;
	begin(&plain, 1);
	unsigned nodes = 1, contexts = 0;
	for (unsigned i = 0; i < nodes; i++) {
		m->split[i] = byte(s, &plain, m->split[i]);
		contexts += m->split[i] == RANS_LEAF;
		nodes += m->split[i] == RANS_LEAF ? 0 : 2;
		if ((m->split[i] != RANS_LEAF && m->split[i] > RANS_BY_BOARD) ||
		    nodes > sizeof m->split)
			return false;
	}
	m->nodes = nodes;
	m->contexts = contexts;
	if (s->reader && !(m->weight = calloc(contexts, sizeof *m->weight)))
		return false;
	for (unsigned c = 0; c < contexts; c++)
		for (unsigned t = 0; t < RANS_TOKENS; t++)
			m->weight[c][t] =
				(uint8_t)(number(s, &weight[t], 7, m->weight[c][t]) & 127);
	return true;
}

void rans_model_free(struct rans_model *m)
{
	free(m->weight);
	m->weight = NULL;
}

enum el_status rans_model_write(const struct rans_model *m, const struct rans_layout *layout,
                                uint8_t **bytes, size_t *size, struct el_error *error)
{
	const size_t room = 64 + 8 * (2 * (size_t)RANS_NODES + m->nodes) +
	                    2 * (size_t)m->contexts * sizeof *m->weight * 8;
	struct rans_model *copy =
		malloc(sizeof *copy); /* coding stores each number back, unchanged */
	*bytes = malloc(room);
	if (!copy || !*bytes) {
		free(copy);
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	}
	*copy = *m;
	struct range_writer writer = range_write(*bytes, room);
	code_model(&(struct range_stream){.writer = &writer}, copy, layout);
	range_end(&writer);
	*size = writer.size;
	free(copy);
	return EL_OK;
}

enum el_status rans_model_read(struct rans_model *m, const struct rans_layout *layout,
                               const uint8_t *bytes, size_t size, struct el_error *error)
{
	*m = (struct rans_model){0};
	if (!size) {
		/* Nothing learned: one context, all tokens alike. */
		m->near.nodes = m->board.nodes = m->nodes = m->contexts = 1;
		m->near.node[0].question = m->board.node[0].question = m->split[0] = RANS_LEAF;
		m->weight = calloc(1, sizeof *m->weight);
	} else {
		struct range_reader reader = range_read(bytes, size);
		if (!code_model(&(struct range_stream){.reader = &reader}, m, layout) &&
		    m->contexts == 0)
			return el_fail(error, EL_DAMAGED, "rans: what was learned makes no sense");
	}
	return m->weight ? EL_OK : el_fail(error, EL_MEMORY, "rans: out of memory");
}

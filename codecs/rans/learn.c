/* SPDX-License-Identifier: MIT */
/*
 * Learning. From a sample of positions two trees grow, one of questions about neighbours and one
 * about the board. Then the tokens of many more positions are counted by the leaves that they lead
 * to: from these counts the third tree grows, and its leaves, the contexts, have their weights.
 *
 * Each tree grows by the split that saves most, as entropy tells, until there is little to save.
 * Sums are computed with exact operations alone (codecs/exact.h), so the same plane gives the same
 * trees on every processor.
 */
#include "tables.h"

#include "codecs/exact.h"
#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROOM = 3 << 24,           /* bytes of answers, at most */
	MOST = 1 << 19,           /* positions of the sample, at most */
	COUNTED = 1 << 22,        /* positions whose tokens are counted, at most */
	LEAST = 1 << 15,          /* positions that a sample has, if there are as many */
	SHARE = 4,                /* of a small plane, the sample takes one in so many */
	GLANCE = 1 << 15,         /* a split is chosen by so many positions at most */
	NODE_BITS = 64,           /* what a split of the first two trees has to save */
	CONTEXT_BITS = 120,       /* of the third */
	COSTS = 1 << 12,          /* logarithms kept ready */
	PRIOR = 2,                /* positions that every context is taken to have had */
	ASKED = 6,                /* questions about neighbours: more gain nothing and cost time */
	LEAVES = RANS_LEAVES / 2, /* of a tree: more take longer to decode and gain little */
};

typedef uint32_t tally[RANS_TOKENS];

struct learner {
	const struct el_codec_params *params;
	const struct el_codec_plane *plane;
	const struct el_watch *watch;
	struct el_error *error;
	struct rans_layout layout;
	struct board_view view;
	struct board_over over;
	/* The sample: */
	uint32_t room, count;
	uint8_t *answers;   /* [question][room]: about neighbours, then about the board; owned */
	uint8_t *token;     /* owned, as all below */
	double scale;       /* positions of the plane for each one that was looked at */
	double cost[COSTS]; /* [n]: n log2 n */
	struct rans_model model;
};

static enum el_status out_of_memory(struct learner *t)
{
	return el_fail(t->error, EL_MEMORY, "rans: out of memory");
}

static enum el_status tick(struct learner *t, double done)
{
	const struct el_progress progress = {
		.stage = "learning", .what = "rans", .done = done, .total = 1, .unit = "trees"};
	return el_watch_tick(t->watch, &progress)
	               ? EL_OK
	               : el_fail(t->error, EL_STOPPED, "learning: stopped");
}

/* ---- the sample ---- */

static void keep(struct learner *t, unsigned j, uint16_t symbol)
{
	const struct board_stretch *s = &t->over.stretch;
	const struct board_walk *w = &t->over.walk;
	const struct rans_layout *l = &t->layout;
	const struct rans_guess g = rans_guess(s, s->pieces, j);
	uint8_t square[EL_BOARD_PIECES], *to = t->answers + t->count;
	uint64_t marks = 0;
	uint32_t rest;
	memcpy(square, w->square, sizeof square);
	square[w->moving] = s->square[j * s->pieces];
	for (unsigned m = 0; m < t->params->board->marks; m++)
		marks |= (w->word[1 + m] >> square[w->moving] & 1) << m;
	for (unsigned q = 0; q < l->questions; q++, to += t->room)
		*to = (uint8_t)rans_near_answer(l, s, j, g, q);
	for (unsigned q = 0; q < l->board_questions; q++, to += t->room)
		*to = (uint8_t)rans_board_answer(l, square, marks, q);
	t->token[t->count++] = (uint8_t)rans_token(symbol, g.symbol, t->model.common, &rest);
}

static void keep_line(struct learner *t, const uint16_t *symbols, size_t i)
{
	const uint16_t before = symbols[i - (i > 1 ? 2 : 1)];
	const struct rans_guess g = {symbols[i - 1], before == symbols[i - 1], 1};
	uint32_t rest;
	for (unsigned q = 0; q < t->layout.questions; q++)
		t->answers[(size_t)q * t->room + t->count] =
			(uint8_t)rans_line_answer(&t->layout, before, g, q);
	t->token[t->count++] = (uint8_t)rans_token(symbols[i], g.symbol, t->model.common, &rest);
}

/* Takes whole blocks. */
static enum el_status take_sample(struct learner *t)
{
	const struct el_codec_plane *plane = t->plane;
	const struct board_stretch *s = &t->over.stretch;
	const unsigned questions = t->layout.questions + t->layout.board_questions;
	const uint64_t size = t->params->block_positions;
	const uint64_t blocks = (plane->positions + size - 1) / size;
	uint64_t most = plane->positions / SHARE > LEAST ? plane->positions / SHARE : LEAST;
	most = most > MOST ? MOST : most;
	most = most * questions > ROOM ? ROOM / questions : most;
	uint64_t taken = most / size;
	taken = taken < 1 ? 1 : taken > blocks ? blocks : taken;
	t->room = (uint32_t)(most + size < plane->positions ? most + size : plane->positions);
	t->answers = malloc((size_t)questions * t->room + 1);
	t->token = malloc(t->room);
	uint32_t *seen = calloc(t->params->value_count, sizeof *seen);
	if (!t->answers || !t->token || !seen) {
		free(seen);
		return out_of_memory(t);
	}
	for (uint64_t i = 0; i < plane->positions; i++)
		seen[plane->symbols[i]]++;
	for (uint32_t v = 1; v < t->params->value_count; v++)
		t->model.common = seen[v] > seen[t->model.common] ? (uint16_t)v : t->model.common;
	free(seen);
	uint64_t looked = 0;
	for (uint64_t i = 0; i < taken; i++) {
		const uint64_t at = sample_place(i, taken, blocks) * size,
			       rest = plane->positions - at;
		const size_t count = (size_t)(rest < size ? rest : size);
		const uint16_t *symbols = plane->symbols + at;
		if (t->count + count > t->room)
			break;
		looked += count;
		for (size_t k = 1; k < count && !t->params->board; k++)
			keep_line(t, symbols, k);
		if (!t->params->board)
			continue;
		for (bool more = board_over_start(&t->over, &t->view, el_codec_number(plane, at),
		                                  symbols, 0, count);
		     more; more = board_over_next(&t->over))
			for (unsigned j = 0; j < s->count; j++)
				if (!board_stretch_broken(s, j))
					keep(t, j, symbols[s->start + j]);
	}
	t->scale = looked ? (double)plane->positions / (double)looked : 1;
	return EL_OK;
}

static double cost_of(const struct learner *t, uint32_t count)
{
	return count < COSTS ? t->cost[count] : count * exact_log2(count);
}

/* The cost of tokens, in bits, under their own frequencies. */
static double bits_of(const struct learner *t, const tally count)
{
	uint32_t all = 0;
	double sum = 0;
	for (unsigned k = 0; k < RANS_TOKENS; k++) {
		all += count[k];
		sum += cost_of(t, count[k]);
	}
	return cost_of(t, all) - sum;
}

/* ---- the first two trees ---- */

/* A node that may be split yet: its positions, and the split that saves most. */
struct open {
	unsigned node;
	uint32_t first, end; /* of `order` */
	double saved;
	struct rans_node split;
};

/* A tree while it grows: nodes in the order of their making. */
struct growth {
	const uint8_t *answers; /* of the first question */
	unsigned questions, leaves;
	uint32_t *order; /* the positions, leaf by leaf; owned */
	struct rans_node node[RANS_NODES];
	uint16_t child[RANS_NODES];
	unsigned nodes;
	struct open open[RANS_LEAVES];
	/* Steps of each question that the tree tells apart. If `counts`, the questions with more
	   than one and the product of all steps have bounds. */
	uint8_t steps[RANS_QUESTIONS];
	bool splits[RANS_QUESTIONS][RANS_ANSWERS], counts;
	unsigned asked;
	uint32_t cells;
};

/* May the tree tell these answers apart, too? */
static bool has_room(const struct growth *g, unsigned question, unsigned most)
{
	const uint32_t steps = g->steps[question];
	if (!g->counts || g->splits[question][most])
		return true;
	return (steps > 1 || g->asked < ASKED) && g->cells / steps * (steps + 1) <= RANS_CELLS;
}

static void find_split(const struct learner *t, const struct growth *g, struct open *o)
{
	const uint32_t step = 1 + (o->end - o->first) / GLANCE;
	tally all = {0};
	o->saved = 0;
	for (uint32_t i = o->first; i < o->end; i += step)
		all[t->token[g->order[i]]]++;
	const double before = bits_of(t, all);
	if (before * step * t->scale < NODE_BITS)
		return;
	for (unsigned q = 0; q < g->questions; q++) {
		const uint8_t *answer = g->answers + (size_t)q * t->room;
		tally seen[RANS_ANSWERS] = {{0}}, low = {0}, high;
		for (uint32_t i = o->first; i < o->end; i += step)
			seen[answer[g->order[i]]][t->token[g->order[i]]]++;
		memcpy(high, all, sizeof high);
		for (unsigned most = 0; most + 1 < RANS_ANSWERS; most++) {
			uint32_t any = 0;
			for (unsigned k = 0; k < RANS_TOKENS; k++) {
				low[k] += seen[most][k];
				high[k] -= seen[most][k];
				any |= seen[most][k];
			}
			if (!any || !has_room(g, q, most))
				continue;
			const double saved =
				(before - bits_of(t, low) - bits_of(t, high)) * step * t->scale;
			if (saved > o->saved) {
				o->saved = saved;
				o->split = (struct rans_node){(uint8_t)q, (uint8_t)most};
			}
		}
	}
}

/* Splits open leaf `i`: the positions whose answer is greater move to a new leaf. */
static void split(const struct learner *t, struct growth *g, unsigned i)
{
	struct open *o = &g->open[i];
	const struct rans_node n = o->split;
	const uint8_t *answer = g->answers + (size_t)n.question * t->room;
	uint32_t low = o->first, high = o->end;
	while (low < high)
		if (answer[g->order[low]] <= n.most) {
			low++;
		} else {
			const uint32_t moved = g->order[low];
			g->order[low] = g->order[--high];
			g->order[high] = moved;
		}
	if (g->counts && !g->splits[n.question][n.most]) {
		g->cells = g->cells / g->steps[n.question] * (g->steps[n.question] + 1u);
		g->asked += g->steps[n.question]++ == 1;
		g->splits[n.question][n.most] = true;
	}
	g->node[o->node] = n;
	g->child[o->node] = (uint16_t)g->nodes;
	g->node[g->nodes].question = g->node[g->nodes + 1].question = RANS_LEAF;
	g->open[g->leaves] = (struct open){.node = g->nodes + 1, .first = low, .end = o->end};
	*o = (struct open){.node = g->nodes, .first = o->first, .end = low};
	g->nodes += 2;
	find_split(t, g, o);
	find_split(t, g, &g->open[g->leaves++]);
}

/* Puts the nodes of a tree in the order of their level. */
static void put_in_order(const struct growth *g, struct rans_tree *out)
{
	uint16_t from[RANS_NODES];
	from[0] = 0;
	out->nodes = 1;
	for (unsigned i = 0; i < out->nodes; i++) {
		out->node[i] = g->node[from[i]];
		if (g->child[from[i]]) {
			from[out->nodes++] = g->child[from[i]];
			from[out->nodes++] = (uint16_t)(g->child[from[i]] + 1);
		}
	}
}

static enum el_status grow(struct learner *t, const uint8_t *answers, unsigned questions,
                           bool counts, struct rans_tree *out)
{
	struct growth *g = calloc(1, sizeof *g);
	if (g)
		g->order = malloc((t->count + 1) * sizeof *g->order);
	if (!g || !g->order) {
		free(g);
		return out_of_memory(t);
	}
	g->answers = answers;
	g->questions = questions;
	g->nodes = g->leaves = g->cells = 1;
	g->counts = counts;
	memset(g->steps, 1, sizeof g->steps);
	g->node[0].question = RANS_LEAF;
	for (uint32_t i = 0; i < t->count; i++)
		g->order[i] = i;
	g->open[0] = (struct open){.end = t->count};
	find_split(t, g, &g->open[0]);
	enum el_status status = EL_OK;
	while (g->leaves < LEAVES && !status) {
		unsigned best = 0;
		for (unsigned i = 1; i < g->leaves; i++)
			best = g->open[i].saved > g->open[best].saved ? i : best;
		struct open *o = &g->open[best];
		if (o->saved < NODE_BITS)
			break;
		/* Other splits may have taken the room that this one needs. */
		if (has_room(g, o->split.question, o->split.most))
			split(t, g, best);
		else
			find_split(t, g, o);
		status = tick(t, (double)g->leaves / LEAVES);
	}
	put_in_order(g, out);
	free(g->order);
	free(g);
	return status;
}

/* ---- the third ---- */

/* A node: the nodes of the other two trees that it stands for, and its better split. */
struct joint {
	uint16_t near, board, child;
	uint8_t by;
	double saved;
	tally count;
};

struct joining {
	struct rans_shape near, board;
	tally *cell; /* [leaf of the board's tree][leaf of neighbours]; owned, as the next */
	struct joint *node;
	unsigned nodes;
};

static void count_tokens(const struct joining *g, unsigned near, unsigned board, tally out)
{
	memset(out, 0, sizeof(tally));
	for (unsigned b = g->board.first[board]; b < g->board.end[board]; b++)
		for (unsigned n = g->near.first[near]; n < g->near.end[near]; n++)
			for (unsigned k = 0; k < RANS_TOKENS; k++)
				out[k] += g->cell[b * g->near.leaves + n][k];
}

static void weigh(const struct learner *t, const struct joining *g, struct joint *at)
{
	const double before = bits_of(t, at->count);
	at->saved = 0;
	for (uint8_t by = RANS_BY_NEAR; by <= RANS_BY_BOARD; by++) {
		const unsigned child =
			by == RANS_BY_NEAR ? g->near.child[at->near] : g->board.child[at->board];
		tally low, high;
		if (!child || before * t->scale < CONTEXT_BITS)
			continue;
		count_tokens(g, by == RANS_BY_NEAR ? child : at->near,
		             by == RANS_BY_NEAR ? at->board : child, low);
		for (unsigned k = 0; k < RANS_TOKENS; k++)
			high[k] = at->count[k] - low[k];
		const double saved = (before - bits_of(t, low) - bits_of(t, high)) * t->scale;
		if (saved > at->saved) {
			at->saved = saved;
			at->by = by;
		}
	}
}

static void branch(const struct learner *t, struct joining *g, unsigned i)
{
	struct joint *at = &g->node[i];
	at->child = (uint16_t)g->nodes;
	for (uint16_t k = 0; k < 2; k++) {
		struct joint *child = &g->node[g->nodes++];
		*child = (struct joint){.near = at->near, .board = at->board};
		if (at->by == RANS_BY_NEAR)
			child->near = (uint16_t)(g->near.child[at->near] + k);
		else
			child->board = (uint16_t)(g->board.child[at->board] + k);
		count_tokens(g, child->near, child->board, child->count);
		weigh(t, g, child);
	}
	at->saved = 0;
}

/* Counts tokens by the leaves of both trees: a coder of these trees and one context finds them. */
static enum el_status count_cells(struct learner *t, tally *cell)
{
	const struct el_codec_plane *plane = t->plane;
	const uint64_t size = t->params->block_positions;
	const uint64_t blocks = (plane->positions + size - 1) / size,
		       most = (COUNTED + size - 1) / size;
	const uint64_t taken = blocks < most ? blocks : most;
	uint8_t *bytes = NULL, none[1][RANS_TOKENS] = {{0}};
	size_t found = 0;
	void *coder = NULL;
	uint64_t counted = 0;
	t->model.nodes = t->model.contexts = 1;
	t->model.split[0] = RANS_LEAF;
	t->model.weight = none;
	enum el_status status = rans_model_write(&t->model, &t->layout, &bytes, &found, t->error);
	t->model.weight = NULL;
	if (!status)
		status = rans_open(t->params, bytes, found, &coder, t->error);
	for (uint64_t i = 0; i < taken && !status; i++) {
		const uint64_t at = sample_place(i, taken, blocks) * size,
			       rest = plane->positions - at;
		const size_t count = (size_t)(rest < size ? rest : size);
		rans_begin(coder, el_codec_number(plane, at));
		rans_count(coder, plane->symbols + at, count, cell);
		counted += count;
	}
	t->scale = counted ? (double)plane->positions / (double)counted : 1;
	if (coder)
		rans_close(coder);
	free(bytes);
	return status;
}

/* The codes of a context's weights: tokens are as likely as it has had them, and a few more as the
   plane has. */
static void find_weights(const tally count, const tally whole, uint8_t code[RANS_TOKENS])
{
	double likely[RANS_TOKENS], most = 0, all = 0;
	for (unsigned k = 0; k < RANS_TOKENS; k++)
		all += whole[k];
	for (unsigned k = 0; k < RANS_TOKENS; k++) {
		likely[k] = count[k] + PRIOR * (whole[k] + 0.01) / (all + 1);
		most = likely[k] > most ? likely[k] : most;
	}
	for (unsigned k = 0; k < RANS_TOKENS; k++) {
		const double weight = likely[k] / most * rans_weight(RANS_WEIGHTS - 1);
		code[k] = 0;
		while (code[k] + 1 < RANS_WEIGHTS &&
		       2 * weight > (double)rans_weight(code[k]) + rans_weight(code[k] + 1))
			code[k]++;
	}
}

/* Writes down the third tree, its nodes in the order of their level. */
static enum el_status write_down(struct learner *t, const struct joining *g)
{
	struct rans_model *m = &t->model;
	uint16_t *from = malloc(g->nodes * sizeof *from);
	m->weight = calloc(g->nodes / 2 + 1, sizeof *m->weight);
	if (!from || !m->weight) {
		free(from);
		return out_of_memory(t);
	}
	from[0] = 0;
	m->nodes = 1;
	m->contexts = 0;
	for (unsigned i = 0; i < m->nodes; i++) {
		const struct joint *at = &g->node[from[i]];
		m->split[i] = at->child ? at->by : RANS_LEAF;
		if (at->child) {
			from[m->nodes++] = at->child;
			from[m->nodes++] = (uint16_t)(at->child + 1);
		} else {
			find_weights(at->count, g->node[0].count, m->weight[m->contexts++]);
		}
	}
	free(from);
	return EL_OK;
}

static enum el_status join(struct learner *t)
{
	struct rans_model *m = &t->model;
	const unsigned most = (unsigned)t->params->option[RANS_OPTION_CONTEXTS];
	struct joining g = {0};
	rans_shape(&m->near, &g.near);
	rans_shape(&m->board, &g.board);
	g.cell = calloc((size_t)g.near.leaves * g.board.leaves, sizeof *g.cell);
	g.node = calloc(2 * (size_t)most, sizeof *g.node);
	enum el_status status = g.cell && g.node ? EL_OK : out_of_memory(t);
	if (!status)
		status = count_cells(t, g.cell);
	if (!status) {
		g.nodes = 1;
		count_tokens(&g, 0, 0, g.node[0].count);
		weigh(t, &g, &g.node[0]);
	}
	for (unsigned contexts = 1; contexts < most && !status; contexts++) {
		unsigned best = 0;
		for (unsigned i = 1; i < g.nodes; i++)
			best = g.node[i].saved > g.node[best].saved ? i : best;
		if (g.node[best].saved < CONTEXT_BITS)
			break;
		branch(t, &g, best);
		if (contexts % 64 == 0)
			status = tick(t, (double)contexts / most);
	}
	if (!status)
		status = write_down(t, &g);
	free(g.cell);
	free(g.node);
	return status;
}

enum el_status rans_prepare(const struct el_codec_params *params,
                            const struct el_codec_plane *plane, const struct el_watch *watch,
                            uint8_t **learned, size_t *size, struct el_error *error)
{
	*learned = NULL;
	*size = 0;
	struct learner *t = calloc(1, sizeof *t);
	if (!t)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	t->params = params;
	t->plane = plane;
	t->watch = watch;
	t->error = error;
	t->layout = rans_layout(params);
	for (uint32_t n = 1; n < COSTS; n++)
		t->cost[n] = n * exact_log2(n);
	const struct rans_layout *l = &t->layout;
	enum el_status status = EL_OK;
	if (params->board)
		status = board_view_open(params->board, &t->view, error);
	if (!status)
		status = take_sample(t);
	if (!status)
		status = grow(t, t->answers, l->questions, true, &t->model.near);
	if (!status)
		status = grow(t, t->answers + (size_t)l->questions * t->room, l->board_questions,
		              false, &t->model.board);
	if (!status)
		status = join(t);
	if (!status)
		status = rans_model_write(&t->model, l, learned, size, error);
	rans_model_free(&t->model);
	board_view_close(&t->view);
	free(t->answers);
	free(t->token);
	free(t);
	return status;
}

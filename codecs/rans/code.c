/* SPDX-License-Identifier: MIT */
/*
 * Blocks. A bit tells whether all broken positions (indexes that the rules alone make impossible)
 * have the guess as their symbol; if so, nothing more is stored of them. Every other position is a
 * token and the bits that belong to it.
 *
 * The bytes are the coder's state, less LEAST, and the words that it takes in on its way, the low
 * byte first. Zeros at the end are left out. A block in which every symbol is the
 * commonest one has no bytes.
 */
#include "code.h"

#include "codecs/board/fill.h"

#include <stdlib.h>
#include <string.h>

#define INLINE RANS_INLINE

enum {
	LEAST = 1 << 16, /* the coder's state, at least */
	WORD = 16,       /* bits that it takes in at once */
	PLAIN = 8,       /* most bits of a plain number */
	PARTS = 3,       /* of a symbol, at most: a token, 16 bits */
};

/* A question about neighbours: what its answers add to the number of a cell. */
struct ask {
	unsigned question;
	uint16_t add[RANS_ANSWERS];
};

/* A node of the board's tree, ready for all squares of the moving piece: those with the answers that
   lead to the first child are set[square of piece `by`]. */
struct board_ask {
	const uint64_t *set; /* null: those without mark `mark` */
	uint8_t by;          /* EL_BOARD_PIECES: the set is the first one */
	uint8_t at;          /* a piece that stays: the set is all or nothing, by its square */
	bool moves;          /* the moving piece is asked about, not `at` */
	uint8_t mark;
};

struct rans_coder {
	struct el_codec_params params;
	struct board_view view;
	struct rans_layout layout;
	struct rans_model model;
	unsigned pieces; /* of the last axis; 0 without a board */
	uint64_t first;  /* of the block */
	struct board_over over;
	/* The questions that the tree of neighbours asks: about those of pieces that stay, those of
	   the last axis, and bends. */
	struct ask ask[RANS_QUESTIONS];
	unsigned stays, moves, bends; /* where each kind ends */
	/* What a guess adds, how many agree with it, and how many voters there are; the first by
	   symbol, owned. */
	uint16_t *by_guess, by_agree[RANS_VOTERS + 1], by_voters[RANS_VOTERS + 1];
	uint8_t *cell; /* [cell]: the leaf that its answers lead to; owned */
	/* [leaf of the board's tree][leaf of neighbours]: the context; owned */
	uint16_t *context;
	uint16_t (*start)[RANS_TOKENS]; /* by context and token, of RANS_ONE; owned */
	struct rans_shape near, board;
	struct board_ask board_ask[RANS_NODES]; /* by node of the board's tree */
	/* Sets of squares. By how far and square: at most so many king's moves away. By square:
	   not on its lines, not on its diagonals. By rank or file: up to it. */
	uint64_t within[8][64], off_lines[64], off_diagonals[64], ranks[8], files[8];
	uint32_t row[64]; /* of a run: by square, where the contexts of its leaf begin */
};

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

static void draw_board(struct rans_coder *c)
{
	for (int a = 0; a < 64; a++)
		for (int b = 0; b < 64; b++) {
			const int files = abs((a & 7) - (b & 7)), ranks = abs((a >> 3) - (b >> 3));
			const uint64_t bit = UINT64_C(1) << b;
			for (int d = files > ranks ? files : ranks; d < 8; d++)
				c->within[d][a] |= bit;
			c->off_lines[a] |= files && ranks ? bit : 0;
			c->off_diagonals[a] |= files != ranks ? bit : 0;
			for (int most = a == 0 ? b >> 3 : 8; most < 8; most++)
				c->ranks[most] |= bit;
			for (int most = a == 0 ? b & 7 : 8; most < 8; most++)
				c->files[most] |= bit;
		}
}

/* The same questions as rans_board_answer's. */
static struct board_ask prepare_ask(const struct rans_coder *c, struct rans_node n)
{
	const struct rans_layout *l = &c->layout;
	const unsigned q = n.question, most = n.most < 7 ? n.most : 7;
	if (q >= l->mark && !most)
		return (struct board_ask){.mark = (uint8_t)(q - l->mark), .moves = true};
	if (q >= l->mark || (q >= l->straight && most))
		return (struct board_ask){
			.set = c->within[7], .by = EL_BOARD_PIECES, .moves = true};
	if (q < l->distance) {
		const unsigned piece = q < l->file ? q : q - l->file;
		return (struct board_ask){.set = q < l->file ? &c->ranks[most] : &c->files[most],
		                          .by = EL_BOARD_PIECES,
		                          .at = (uint8_t)piece,
		                          .moves = piece == l->moving};
	}
	const unsigned pairs = l->straight - l->distance, pair = (q - l->distance) % pairs;
	unsigned p = 1;
	while (rans_pair(p + 1, 0) <= pair)
		p++;
	const unsigned other = pair - rans_pair(p, 0);
	return (struct board_ask){
		.set = q < l->straight   ? c->within[most]
	               : q < l->diagonal ? c->off_lines
	                                 : c->off_diagonals,
		.by = (uint8_t)(p == l->moving ? other : p),
		.at = (uint8_t)(p == l->moving ? p : other),
		.moves = p == l->moving || other == l->moving,
	};
}

/* Sets `row` for the run: all squares go down the board's tree together. */
static void find_rows(struct rans_coder *c, const struct board_walk *w)
{
	/* Nodes to visit with the squares that reach them: only those that any reaches. */
	uint64_t squares[RANS_LEAVES];
	uint16_t node[RANS_LEAVES];
	uint8_t square[EL_BOARD_PIECES + 1] = {0};
	unsigned left = 0;
	memcpy(square, w->square, EL_BOARD_PIECES);
	uint64_t here = w->run & ~w->word[0];
	unsigned at = 0;
	while (here || left) {
		if (!here) {
			here = squares[--left];
			at = node[left];
		}
		const unsigned child = c->board.child[at];
		if (!child) {
			const uint32_t row = c->board.first[at] * (uint32_t)c->near.leaves;
			for (; here; here &= here - 1)
				c->row[__builtin_ctzll(here)] = row;
			continue;
		}
		const struct board_ask *ask = &c->board_ask[at];
		uint64_t yes = ask->set ? ask->set[square[ask->by]] : ~w->word[1 + ask->mark];
		if (!ask->moves)
			yes = 0 - (yes >> square[ask->at] & 1);
		squares[left] = here & ~yes;
		node[left] = (uint16_t)(child + 1);
		left += squares[left] != 0;
		here &= yes;
		at = child;
	}
	for (uint64_t broken = w->word[0]; broken; broken &= broken - 1)
		c->row[__builtin_ctzll(broken)] = 0;
}

/* ---- tables ---- */

static enum el_status damaged(struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "rans: what was learned makes no sense");
}

/* Numbers the cells: which answers the tree of neighbours tells apart, and where each leads. */
static enum el_status number_cells(struct rans_coder *c, struct el_error *error)
{
	const struct rans_tree *tree = &c->model.near;
	const struct rans_layout *l = &c->layout;
	unsigned cells = 1;
	/* by ask: the cells of one step, and the least answer of each step */
	uint16_t least[RANS_QUESTIONS][RANS_ANSWERS], steps[RANS_QUESTIONS], weight[RANS_QUESTIONS];
	const unsigned stays = l->pieces ? l->moving * BOARD_STEPS : l->bends;
	unsigned asks = 0;
	c->by_guess = calloc(l->value_count, sizeof *c->by_guess);
	if (!c->by_guess)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	for (unsigned q = 0; q < l->questions; q++) {
		bool splits[RANS_ANSWERS + 1] = {false};
		struct ask *ask = &c->ask[asks];
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
			ask->question = q;
			weight[asks] = (uint16_t)cells;
			steps[asks++] = (uint16_t)(step + 1);
			cells *= step + 1;
			if (cells > RANS_CELLS)
				return damaged(error);
		}
		for (uint32_t v = 0; q == l->guess && v < l->value_count; v++)
			c->by_guess[v] = ask->add[rans_guess_answer(
				l, (struct rans_guess){(uint16_t)v, 0, 0}, q)];
		for (uint8_t n = 0; q > l->guess && n <= RANS_VOTERS; n++)
			(q == l->agree ? c->by_agree : c->by_voters)[n] =
				ask->add[rans_guess_answer(l, (struct rans_guess){0, n, n}, q)];
		c->stays = q < stays ? asks : c->stays;
		c->moves = q < l->bends ? asks : c->moves;
		c->bends = q < l->guess ? asks : c->bends;
	}
	c->cell = malloc(cells);
	if (!c->cell)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	for (unsigned cell = 0; cell < cells; cell++) {
		uint16_t answer[RANS_QUESTIONS] = {0};
		unsigned at = 0;
		for (unsigned k = 0; k < asks; k++)
			answer[c->ask[k].question] = least[k][cell / weight[k] % steps[k]];
		while (c->near.child[at])
			at = c->near.child[at] +
			     (answer[tree->node[at].question] > tree->node[at].most ? 1u : 0);
		c->cell[cell] = (uint8_t)c->near.first[at];
	}
	return EL_OK;
}

/* The third tree: each of its leaves is a context, for all leaves of the other trees below it. */
static enum el_status name_contexts(struct rans_coder *c, struct el_error *error)
{
	const struct rans_model *m = &c->model;
	struct pair {
		uint16_t near, board;
	} *node = malloc(m->nodes * sizeof *node);
	c->context = calloc((size_t)c->near.leaves * c->board.leaves, sizeof *c->context);
	if (!node || !c->context) {
		free(node);
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	}
	unsigned children = 1, contexts = 0;
	enum el_status status = EL_OK;
	node[0] = (struct pair){0, 0};
	for (unsigned i = 0; i < m->nodes && !status; i++) {
		const struct pair here = node[i];
		if (m->split[i] == RANS_LEAF) {
			for (unsigned b = c->board.first[here.board]; b < c->board.end[here.board];
			     b++)
				for (unsigned n = c->near.first[here.near];
				     n < c->near.end[here.near]; n++)
					c->context[b * c->near.leaves + n] = (uint16_t)contexts;
			contexts++;
			continue;
		}
		const bool by_near = m->split[i] == RANS_BY_NEAR;
		const uint16_t child =
			by_near ? c->near.child[here.near] : c->board.child[here.board];
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
static enum el_status find_starts(struct rans_coder *c, struct el_error *error)
{
	c->start = malloc(c->model.contexts * sizeof *c->start);
	if (!c->start)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	for (unsigned i = 0; i < c->model.contexts; i++) {
		uint64_t all = 0;
		uint32_t frequency[RANS_TOKENS], left = RANS_ONE;
		unsigned most = 0;
		for (unsigned t = 0; t < RANS_TOKENS; t++) {
			const uint8_t *weight = c->model.weight[i];
			all += rans_weight(weight[t]);
			most = weight[t] > weight[most] ? t : most;
		}
		for (unsigned t = 0; t < RANS_TOKENS; t++) {
			frequency[t] = 1 + (uint32_t)(rans_weight(c->model.weight[i][t]) *
			                              (uint64_t)(RANS_ONE - RANS_TOKENS) / all);
			left -= frequency[t];
		}
		frequency[most] += left;
		uint32_t start = 0;
		for (unsigned t = 0; t < RANS_TOKENS; start += frequency[t++])
			c->start[i][t] = (uint16_t)start;
	}
	return EL_OK;
}

enum el_status rans_open(const struct el_codec_params *params, const uint8_t *learned, size_t size,
                         void **coder, struct el_error *error)
{
	struct rans_coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	c->params = *params;
	c->layout = rans_layout(params);
	enum el_status status = rans_model_read(&c->model, &c->layout, learned, size, error);
	if (!status && c->model.common >= params->value_count)
		status = damaged(error);
	if (!status && params->board)
		status = board_view_open(params->board, &c->view, error);
	if (!status && params->board)
		c->pieces = board_last_axis(&c->view)->pieces;
	if (!status) {
		draw_board(c);
		rans_shape(&c->model.near, &c->near);
		rans_shape(&c->model.board, &c->board);
		for (unsigned i = 0; i < c->model.board.nodes; i++)
			if (c->board.child[i])
				c->board_ask[i] = prepare_ask(c, c->model.board.node[i]);
		status = number_cells(c, error);
	}
	if (!status)
		status = name_contexts(c, error);
	if (!status)
		status = find_starts(c, error);
	if (status)
		rans_close(c);
	else
		*coder = c;
	return status;
}

void rans_close(void *coder)
{
	struct rans_coder *c = coder;
	board_view_close(&c->view);
	rans_model_free(&c->model);
	free(c->by_guess);
	free(c->cell);
	free(c->context);
	free(c->start);
	free(c);
}

size_t rans_memory(const struct el_codec_params *params, size_t learned)
{
	const struct el_codec_board *board = params->board;
	size_t all = sizeof(struct rans_coder) + RANS_CELLS +
	             params->value_count * sizeof(uint16_t) +
	             RANS_LEAVES * RANS_LEAVES * sizeof(uint16_t) +
	             RANS_CONTEXTS * RANS_TOKENS * (sizeof(uint16_t) + 1);
	(void)learned;
	for (unsigned a = 0; board && a < board->axes; a++)
		all += (size_t)board->axis[a].radix * board->axis[a].pieces * BOARD_STEPS *
		       sizeof(uint32_t);
	return all;
}

void rans_begin(void *coder, uint64_t first)
{
	((struct rans_coder *)coder)->first = first;
}

uint16_t rans_common(const void *coder)
{
	return ((const struct rans_coder *)coder)->model.common;
}

uint16_t rans_guess_of(const struct board_stretch *s, unsigned j)
{
	return rans_guess(s, s->pieces, j).symbol;
}

enum el_status rans_fill(const struct el_codec_params *params, const struct el_codec_plane *plane,
                         const struct el_watch *watch, struct el_error *error)
{
	return board_fill("rans", rans_guess_of, params, plane, watch, error);
}

enum el_status rans_fill_one(void *coder, const struct el_codec_plane *block,
                             struct el_error *error)
{
	const struct rans_coder *c = coder;
	(void)error;
	board_fill_block(c->params.board ? &c->view : NULL, rans_guess_of, c->params.value_count,
	                 c->first, block);
	return EL_OK;
}

/* ---- the state ---- */

/* A part of what is written: [start, start + frequency) of RANS_ONE. */
struct part {
	uint16_t start, frequency;
};

/* A reader, or the parts to write; the last is written first. */
struct stream {
	uint32_t state;
	const uint8_t *at, *end;
	struct part *part; /* null: this is a reader */
	size_t parts;
};

INLINE uint32_t take_word(struct stream *s)
{
	if (s->end - s->at >= 2) {
		s->at += 2;
		return s->at[-2] | (uint32_t)s->at[-1] << 8;
	}
	return s->at < s->end ? *s->at++ : 0;
}

INLINE void move_on(struct stream *s, uint32_t start, uint32_t frequency)
{
	s->state = frequency * (s->state >> RANS_BITS) + (s->state & (RANS_ONE - 1)) - start;
	if (s->state < LEAST)
		s->state = s->state << WORD | take_word(s);
}

INLINE unsigned token(struct stream *s, const uint16_t start[RANS_TOKENS], unsigned known)
{
	const uint16_t slot = s->state & (RANS_ONE - 1);
	unsigned t = known;
	if (!s->part && slot < start[1]) {
		t = 0;
	} else if (!s->part) {
		/* Counts in words of many tokens at once. */
		uint16_t below = 0;
		for (unsigned k = 0; k < RANS_TOKENS; k++)
			below = (uint16_t)(below + (start[k] <= slot));
		t = below - 1u;
	}
	const uint32_t end = t + 1 < RANS_TOKENS ? start[t + 1] : RANS_ONE;
	if (s->part)
		s->part[s->parts++] = (struct part){start[t], (uint16_t)(end - start[t])};
	else
		move_on(s, start[t], end - start[t]);
	return t;
}

/* A number of `bits` bits, all equally likely. */
INLINE uint32_t plain(struct stream *s, unsigned bits, uint32_t known)
{
	uint32_t value = 0;
	while (bits) {
		const unsigned now = bits < PLAIN ? bits : PLAIN;
		bits -= now;
		const uint32_t frequency = RANS_ONE >> now;
		const uint32_t here = s->part ? known >> bits & ((1u << now) - 1)
		                              : (s->state & (RANS_ONE - 1)) >> (RANS_BITS - now);
		if (s->part)
			s->part[s->parts++] =
				(struct part){(uint16_t)(here * frequency), (uint16_t)frequency};
		else
			move_on(s, here * frequency, frequency);
		value = value << now | here;
	}
	return value;
}

/* ---- a block: written and read in the same steps ---- */

struct block {
	struct rans_coder *coder;
	struct stream stream;
	const uint16_t *from; /* null: it is read */
	uint16_t *to;
	size_t count;
	const struct rans_listener *listener;
	uint32_t (*cell)[RANS_TOKENS]; /* tokens are counted, nothing else */
	unsigned pieces;               /* of the last axis; constant where speed matters */
	bool skips;
};

/* Codes a symbol; `leaves` stands for those of both trees. Returns value_count or more for invalid
   bytes. */
INLINE uint32_t symbol(struct block *b, struct rans_guess g, unsigned leaves, size_t at)
{
	const struct rans_coder *c = b->coder;
	const uint16_t *start = c->start[c->context[leaves]];
	uint32_t known = b->from ? b->from[at] : 0, rest = 0;
	if (b->cell) {
		b->cell[leaves][rans_token(known, g.symbol, c->model.common, &rest)]++;
		return known;
	}
	const unsigned t = token(&b->stream, start,
	                         b->from ? rans_token(known, g.symbol, c->model.common, &rest) : 0);
	if (t == 0) {
		known = g.symbol;
	} else if (t == RANS_COMMON) {
		known = c->model.common;
	} else {
		const unsigned k = (t - 1) / 2;
		const uint32_t away = 1 + (k ? rans_far[k - 1].to : 0) +
		                      plain(&b->stream, rans_far[k].bits, rest);
		/* Below zero becomes too great. */
		known = t & 1 ? g.symbol - away : g.symbol + away;
	}
	if (b->listener)
		b->listener->told(b->listener->context, at, &g, start, t);
	return known;
}

INLINE unsigned of_guess(const struct rans_coder *c, struct rans_guess g)
{
	return c->by_guess[g.symbol] + c->by_agree[g.agree] + (unsigned)c->by_voters[g.voters];
}

/* The first symbol of a block has no neighbours. Its guess is the plane's commonest symbol. */
INLINE uint32_t first_symbol(struct block *b)
{
	const struct rans_coder *c = b->coder;
	const struct rans_guess g = {c->model.common, 0, 0};
	unsigned cell = of_guess(c, g);
	for (unsigned k = 0; k < c->bends; k++)
		cell += c->ask[k].add[0];
	const uint32_t found = symbol(b, g, c->cell[cell], 0);
	if (b->to)
		b->to[0] = (uint16_t)found;
	return found;
}

/* Positions on a board, but the first. Returns the place of an invalid symbol, or `count`. */
INLINE size_t over_board(struct block *b)
{
	struct rans_coder *c = b->coder;
	const struct board_stretch *s = &c->over.stretch;
	const struct rans_layout *l = &c->layout;
	for (bool more = board_over_start(&c->over, &c->view, c->first, b->from ? b->from : b->to,
	                                  0, b->count);
	     more; more = board_over_next(&c->over)) {
		if (c->over.walk.fresh)
			find_rows(c, &c->over.walk);
		c->over.walk.fresh = false;
		/* Which neighbours there are is the same for the whole stretch. */
		const struct ask *there[RANS_QUESTIONS];
		const uint16_t *near[RANS_QUESTIONS];
		unsigned stays = 0, base = 0;
		for (unsigned k = 0; k < c->stays; k++)
			if (s->from[c->ask[k].question]) {
				near[stays] = s->near[c->ask[k].question];
				there[stays++] = &c->ask[k];
			} else {
				base += c->ask[k].add[0];
			}
		for (unsigned j = 0; j < s->count; j++) {
			const size_t at = s->start + j;
			const struct rans_guess g = rans_guess(s, b->pieces, j);
			if (b->skips && s->broken >> s->square[j * b->pieces] & 1) {
				if (b->to)
					b->to[at] = g.symbol;
				if (b->listener)
					b->listener->told(b->listener->context, at, &g, NULL, 0);
				continue;
			}
			unsigned cell = base + of_guess(c, g);
			for (unsigned k = 0; k < stays; k++)
				cell += there[k]->add[board_class(near[k][j], g.symbol)];
			for (unsigned k = c->stays; k < c->moves; k++) {
				const unsigned i = c->ask[k].question - s->stays;
				cell += c->ask[k].add[board_class(
					board_moving_near(s, b->pieces, j, i), g.symbol)];
			}
			for (unsigned k = c->moves; k < c->bends; k++) {
				const unsigned bend = c->ask[k].question - l->bends;
				cell += c->ask[k].add[board_class(
					board_bend(s, b->pieces, j,
				                   board_bend_near(bend / BOARD_VOTING),
				                   bend % BOARD_VOTING),
					g.symbol)];
			}
			const unsigned leaves = c->row[s->square[j * b->pieces]] + c->cell[cell];
			const uint32_t found = symbol(b, g, leaves, at);
			if (found >= l->value_count)
				return at;
			if (b->to)
				b->to[at] = (uint16_t)found;
		}
	}
	return b->count;
}

/* Like over_board, without one: the guess is the previous symbol. */
INLINE size_t in_line(struct block *b)
{
	const struct rans_coder *c = b->coder;
	const uint16_t *symbols = b->from ? b->from : b->to;
	for (size_t i = 1; i < b->count; i++) {
		const uint16_t guess = symbols[i - 1], before = symbols[i - (i > 1 ? 2 : 1)];
		const struct rans_guess g = {guess, before == guess, 1};
		unsigned cell = of_guess(c, g);
		for (unsigned k = 0; k < c->bends; k++)
			cell += c->ask[k].add[rans_line_answer(&c->layout, before, g,
			                                       c->ask[k].question)];
		const uint32_t found = symbol(b, g, c->cell[cell], i);
		if (found >= c->layout.value_count)
			return i;
		if (b->to)
			b->to[i] = (uint16_t)found;
	}
	return b->count;
}

void rans_count(void *coder, const uint16_t *symbols, size_t count, uint32_t cell[][RANS_TOKENS])
{
	struct rans_coder *c = coder;
	struct block b = {.coder = c,
	                  .from = symbols,
	                  .count = count,
	                  .cell = cell,
	                  .pieces = c->pieces,
	                  .skips = true};
	first_symbol(&b);
	if (c->pieces)
		over_board(&b);
	else
		in_line(&b);
}

INLINE size_t whole(struct block *b)
{
	struct rans_coder *c = b->coder;
	if (b->pieces)
		b->skips = plain(&b->stream, 1, b->skips);
	if (first_symbol(b) >= c->layout.value_count)
		return 0;
	return b->pieces ? over_board(b) : in_line(b);
}

enum el_status rans_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                           size_t capacity, size_t *size, struct el_error *error)
{
	struct rans_coder *c = coder;
	size_t same = 0;
	while (same < count && symbols[same] == c->model.common)
		same++;
	*size = 0;
	if (same == count)
		return EL_OK;
	struct block b = {.coder = c, .from = symbols, .count = count, .pieces = c->pieces};
	b.skips = c->pieces &&
	          board_is_filled(&c->over, &c->view, rans_guess_of, c->first, symbols, count);
	b.stream.part = malloc(PARTS * (count + 1) * sizeof *b.stream.part);
	if (!b.stream.part)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	whole(&b);
	/* From the last part to the first; words are written from the end of `out`, then moved. */
	uint32_t state = LEAST;
	uint8_t *at = out + capacity;
	bool full = capacity < 4;
	while (b.stream.parts-- && !full) {
		const struct part part = b.stream.part[b.stream.parts];
		const uint32_t frequency = part.frequency;
		if (state >= (uint64_t)frequency << (2 * WORD - RANS_BITS)) {
			full = at - out < 6;
			if (!full) {
				*--at = (uint8_t)(state >> 8);
				*--at = (uint8_t)state;
			}
			state >>= WORD;
		}
		state = (state / frequency << RANS_BITS) + state % frequency + part.start;
	}
	free(b.stream.part);
	if (full)
		return el_fail(error, EL_USAGE, "rans: a block needs more than %zu bytes",
		               capacity);
	state -= LEAST;
	for (unsigned i = 0; i < 4; i++)
		out[i] = (uint8_t)(state >> 8 * i);
	*size = 4 + (size_t)(out + capacity - at);
	memmove(out + 4, at, *size - 4);
	while (*size > 1 && !out[*size - 1])
		--*size;
	return EL_OK;
}

INLINE size_t read_block(struct block b, const uint8_t *bytes, size_t size)
{
	uint8_t head[4] = {0};
	memcpy(head, bytes, size < 4 ? size : 4);
	b.stream.state = LEAST + (head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16 |
	                          (uint32_t)head[3] << 24);
	b.stream.at = bytes + (size < 4 ? size : 4);
	b.stream.end = bytes + size;
	return whole(&b);
}

static enum el_status check_read(const struct rans_coder *c, size_t sound, size_t count,
                                 struct el_error *error)
{
	return sound == count ? EL_OK
	                      : el_fail(error, EL_DAMAGED,
	                                "rans: expected symbols below %u at position %zu",
	                                c->layout.value_count, sound);
}

enum el_status rans_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                           size_t count, struct el_error *error)
{
	struct rans_coder *c = coder;
	struct block b = {.coder = c, .to = symbols, .count = count, .pieces = c->pieces};
	size_t sound;
	if (!size) {
		for (size_t i = 0; i < count; i++)
			symbols[i] = c->model.common;
		return EL_OK;
	}
	if (c->pieces == 1) {
		b.pieces = 1;
		sound = read_block(b, bytes, size);
	} else {
		sound = read_block(b, bytes, size);
	}
	return check_read(c, sound, count, error);
}

enum el_status rans_listen(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                           size_t count, const struct rans_listener *listener,
                           struct el_error *error)
{
	struct rans_coder *c = coder;
	if (size)
		return check_read(c,
		                  read_block((struct block){.coder = c,
		                                            .to = symbols,
		                                            .count = count,
		                                            .pieces = c->pieces,
		                                            .listener = listener},
		                             bytes, size),
		                  count, error);
	for (size_t i = 0; i < count; i++) {
		symbols[i] = c->model.common;
		listener->told(listener->context, i, &(struct rans_guess){symbols[i], 0, 0}, NULL,
		               0);
	}
	return EL_OK;
}

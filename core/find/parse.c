/* SPDX-License-Identifier: MIT */
/*
 * Reads a question:
 *
 *     question    any [or any]...             any       all [and] all...
 *     all         not all | ( question ) | a fact | PIECE on SQUARES | behind(PIECE, PIECE)
 *                 | sum (= != < <= > >=) sum
 *     sum         [-] number [(+ -) number]...
 *     number      digits | a file's letter | a metric | what counts moves
 *                 | file(PIECE) | rank(PIECE) | distance(PIECE, PIECE) | stones(PIT)
 *     SQUARES     (square | square-square | file F | rank R | edge | corner | light | dark) [, ...]
 */
#include "words.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- words ---- */

/* About nanoseconds that a position takes; siblings are asked in this order. */
enum cost {
	COST_VALUE = 1,
	COST_SIDE = 2,
	COST_SQUARES = 5,
	COST_RELATION = 10,
	COST_RULES = 50,
	COST_TURN = 80,
	COST_MOVES = 2000,
	COST_LINE = 50000,
};

static const struct word {
	const char *word;
	/* A fact by itself, or NODE_COMPARE: a number. Other words: NODE_AND, and nothing else is set. */
	enum node_kind node;
	unsigned
		number; /* of the node; of a number: enum moves_kind or, with pieces, enum term_kind */
	enum cost cost;
	unsigned pieces; /* that it is a function of */
} words[] = {
	{.word = "and"},
	{.word = "or"},
	{.word = "not"},
	{.word = "on"},
	{.word = "only-move"},
	{"win", NODE_OUTCOME, EL_WIN, COST_VALUE, 0},
	{"draw", NODE_OUTCOME, EL_DRAW, COST_VALUE, 0},
	{"loss", NODE_OUTCOME, EL_LOSS, COST_VALUE, 0},
	{"cursed-win", NODE_OUTCOME, EL_CURSED_WIN, COST_VALUE, 0},
	{"blessed-loss", NODE_OUTCOME, EL_BLESSED_LOSS, COST_VALUE, 0},
	{"at-least-draw", NODE_OUTCOME, EL_AT_LEAST_DRAW, COST_VALUE, 0},
	{"at-most-draw", NODE_OUTCOME, EL_AT_MOST_DRAW, COST_VALUE, 0},
	{"unknown", NODE_OUTCOME, EL_UNKNOWN, COST_VALUE, 0},
	{"check", NODE_FACT, FACT_CHECK, COST_RULES, 0},
	{"checkmate", NODE_FACT, FACT_CHECKMATE, COST_RULES, 0},
	{"stalemate", NODE_FACT, FACT_STALEMATE, COST_RULES, 0},
	{"over", NODE_FACT, FACT_OVER, COST_RULES, 0},
	{"capture", NODE_FACT, FACT_CAPTURE, COST_RULES, 0},
	{"zugzwang", NODE_FACT, FACT_ZUGZWANG, COST_TURN, 0},
	{"full-zugzwang", NODE_FACT, FACT_FULL, COST_TURN, 0},
	{"half-zugzwang", NODE_FACT, FACT_HALF, COST_TURN, 0},
	{"only-line", NODE_FACT, FACT_ONLY_LINE, COST_LINE, 0},
	{"legal-moves", NODE_COMPARE, MOVES_LEGAL, COST_RULES, 0},
	{"capturing-moves", NODE_COMPARE, MOVES_CAPTURING, COST_RULES, 0},
	{"mating-moves", NODE_COMPARE, MOVES_MATING, COST_MOVES, 0},
	{"stalemating-moves", NODE_COMPARE, MOVES_STALEMATING, COST_MOVES, 0},
	{"winning-moves", NODE_COMPARE, MOVES_WINNING, COST_MOVES, 0},
	{"drawing-moves", NODE_COMPARE, MOVES_DRAWING, COST_MOVES, 0},
	{"losing-moves", NODE_COMPARE, MOVES_LOSING, COST_MOVES, 0},
	{"keeping-moves", NODE_COMPARE, MOVES_KEEPING, COST_MOVES, 0},
	{"file", NODE_COMPARE, TERM_FILE, COST_RELATION, 1},
	{"rank", NODE_COMPARE, TERM_RANK, COST_RELATION, 1},
	{"distance", NODE_COMPARE, TERM_DISTANCE, COST_RELATION, 2},
	{.word = "behind"},
	{"white-to-move", NODE_SIDE, EL_WHITE, COST_SIDE, 0},
	{"black-to-move", NODE_SIDE, EL_BLACK, COST_SIDE, 0},
	{"white-wins", NODE_WINS, EL_WHITE, COST_SIDE, 0},
	{"black-wins", NODE_WINS, EL_BLACK, COST_SIDE, 0},
	{.word = "edge"},
	{.word = "corner"},
	{.word = "light"},
	{.word = "dark"},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

const char *el_query_word(const struct el_game *game, size_t i)
{
	if (i < LENGTH(words))
		return words[i].word;
	i -= LENGTH(words);
	/* metrics with numbers */
	for (const struct el_metric *const *m = game->metrics; *m; m++)
		if ((*m)->kind->unit && !i--)
			return (*m)->name;
	return NULL;
}

/* The current token, if it is a fact or a number by itself; else null. */
static const struct word *word_here(const struct parser *p)
{
	const struct word *w = words;
	while (w < words + LENGTH(words) && (w->node == NODE_AND || !query_is(p, w->word)))
		w++;
	return w < words + LENGTH(words) ? w : NULL;
}

/* ---- nodes ---- */

/* -1 and a fault if there is no room for one more. */
static int add(struct parser *p, struct node node)
{
	struct el_query *q = p->query;
	if (p->status)
		return -1;
	if (q->nodes == QUERY_NODES)
		return query_fail(p, p->at, 1, "too long: at most %d facts in a question",
		                  QUERY_NODES);
	q->node[q->nodes] = node;
	return q->nodes++;
}

/* Joins siblings, the cheapest first. */
static int join(struct parser *p, enum node_kind kind, const int *child, unsigned count)
{
	struct el_query *q = p->query;
	struct node node = {.kind = kind, .child = -1, .next = -1, .value_of = -1};
	if (p->status)
		return -1;
	for (unsigned i = 0; i < count; i++) {
		struct node *n = &q->node[child[i]];
		int *link = &node.child;
		while (*link >= 0 && q->node[*link].cost <= n->cost)
			link = &q->node[*link].next;
		n->next = *link;
		*link = child[i];
		node.cost += n->cost;
	}
	return add(p, node);
}

static struct node leaf(enum node_kind kind, enum cost cost)
{
	return (struct node){.kind = kind, .cost = cost, .child = -1, .next = -1, .value_of = -1};
}

/* ---- comparisons ---- */

/* The place of a metric that a question names; -1: a fault. */
static int metric_place(struct parser *p, const struct el_metric *metric)
{
	struct el_query *q = p->query;
	struct el_error why;
	unsigned i = 0;
	while (i < q->metrics && q->metric[i] != metric)
		i++;
	if (i < q->metrics)
		return (int)i;
	if (el_game_check_metric(p->game, metric, &why))
		return query_fail(p, p->at, p->length, "%s", why.text);
	if (i == QUERY_METRICS)
		return query_fail(p, p->at, p->length, "at most %d metrics in a question",
		                  QUERY_METRICS);
	q->metric[q->metrics++] = metric;
	return (int)i;
}

static bool metric_here(const struct parser *p, const struct el_metric **metric)
{
	char word[16] = "";
	if (p->token != WORD || p->length >= sizeof word)
		return false;
	for (size_t i = 0; i < p->length; i++)
		word[i] = (char)tolower((unsigned char)p->text[p->at + i]);
	return !el_metric_parse(word, metric, NULL) && (*metric)->kind->unit;
}

static void add_term(struct parser *p, struct node *node, struct term term, int sign)
{
	if (node->terms == QUERY_TERMS) {
		query_fail(p, p->at, p->length, "at most %d numbers in a comparison", QUERY_TERMS);
		return;
	}
	term.sign = (int8_t)sign;
	node->term[node->terms++] = term;
}

/* "(PIECE, PIECE)" */
static void read_pieces(struct parser *p, struct node *node, struct term *term, unsigned pieces)
{
	if (!query_take(p, "("))
		query_expected(p, "'(' and a piece");
	for (unsigned i = 0; i < pieces && !p->status; i++) {
		if (i && !query_take(p, ","))
			query_expected(p, "',' and another piece");
		const int number =
			p->status ? -1 : query_mention(p, node, i ? term->argument[0] : -1);
		term->argument[i] = (uint8_t)number;
	}
	if (!p->status && !query_take(p, ")"))
		query_expected(p, "')'");
}

static void number(struct parser *p, struct node *node, int sign)
{
	const struct el_metric *metric;
	const struct word *w = word_here(p);
	const char *word = p->text + p->at;
	if (p->token == DIGITS) {
		if (p->length > 5) {
			query_fail(p, p->at, p->length, "a number is too large");
			return;
		}
		node->constant += sign * atoi(word);
		query_advance(p);
		return;
	}
	if (w && w->node == NODE_COMPARE && w->pieces) {
		struct term term = {.kind = (uint8_t)w->number};
		node->cost += w->cost;
		query_advance(p);
		read_pieces(p, node, &term, w->pieces);
		add_term(p, node, term, sign);
		return;
	}
	if (w && w->node == NODE_COMPARE) {
		p->query->outcomes = p->query->outcomes || w->number >= MOVES_WINNING;
		node->cost += w->cost;
		add_term(p, node, (struct term){TERM_MOVES, {(uint8_t)w->number}, 0}, sign);
		query_advance(p);
		return;
	}
	if (query_take(p, "stones")) {
		struct term term = {.kind = TERM_STONES};
		if (!query_take(p, "("))
			query_expected(p, "'(' and a pit");
		else if (!p->game->sows)
			query_fail(p, p->at, p->length, "%s has no stones", p->game->title);
		else if (!query_square(p->game, p->text + p->at, p->length, &term.argument[0]))
			query_expected(p, "a pit: A to F, or a to f");
		query_advance(p);
		if (!p->status && !query_take(p, ")"))
			query_expected(p, "')'");
		node->cost += COST_SQUARES;
		node->sided = true;
		add_term(p, node, term, sign);
		return;
	}
	if (metric_here(p, &metric)) {
		const int place = metric_place(p, metric);
		add_term(p, node, (struct term){TERM_NUMBER, {(uint8_t)place}, 0}, sign);
		node->cost += COST_VALUE;
		query_advance(p);
		return;
	}
	if (p->token == WORD && p->length == 1 &&
	    tolower((unsigned char)*word) - 'a' < p->game->files) {
		node->constant += sign * (tolower((unsigned char)*word) - 'a' + 1);
		query_advance(p);
		return;
	}
	query_expected(p, "a number, as in 'dtm > 60', 'file(K) = e' or 'legal-moves = 1'");
}

static void sum(struct parser *p, struct node *node, int sign)
{
	int one = query_take(p, "-") ? -sign : sign;
	number(p, node, one);
	while (!p->status && (query_is(p, "+") || query_is(p, "-"))) {
		one = query_is(p, "-") ? -sign : sign;
		query_advance(p);
		number(p, node, one);
	}
}

/* If every number is a value under one metric, the answer depends on that alone. */
static void find_value(struct node *node)
{
	for (unsigned i = 0; i < node->terms; i++) {
		const struct term *t = &node->term[i];
		if (t->kind != TERM_NUMBER || (i && t->argument[0] != node->term[0].argument[0]))
			return;
	}
	node->value_of = node->terms ? node->term[0].argument[0] : -1;
}

static int comparison(struct parser *p)
{
	static const struct {
		const char *sign;
		bool less, equal, more;
	} signs[] = {{"=", .equal = true}, {"!=", .less = true, .more = true},
	             {"<", .less = true},  {"<=", .less = true, .equal = true},
	             {">", .more = true},  {">=", .equal = true, .more = true}};
	struct node node = leaf(NODE_COMPARE, 0);
	sum(p, &node, 1);
	size_t i = 0;
	while (i < LENGTH(signs) && !query_is(p, signs[i].sign))
		i++;
	if (!p->status && i == LENGTH(signs))
		query_expected(p, "one of = != < <= > >=");
	if (p->status)
		return -1;
	query_advance(p);
	node.less = signs[i].less;
	node.equal = signs[i].equal;
	node.more = signs[i].more;
	sum(p, &node, -1);
	if (!p->status && !node.terms)
		return query_fail(p, p->at, 1, "compares two constants");
	find_value(&node);
	return add(p, node);
}

/* ---- facts ---- */

static int question(struct parser *p);

static int fact(struct parser *p)
{
	struct el_query *q = p->query;
	const struct word *w = word_here(p);
	struct mention piece;
	if (w && w->node != NODE_COMPARE) {
		struct node node = leaf(w->node, w->cost);
		const bool outcome = w->node == NODE_OUTCOME;
		node.number = w->number;
		node.sided = w->cost == COST_SIDE;
		q->outcomes =
			q->outcomes || outcome || w->node == NODE_WINS || w->cost >= COST_TURN;
		q->rule = q->rule ||
		          (outcome && (w->number == EL_CURSED_WIN || w->number == EL_BLESSED_LOSS));
		q->lines = q->lines || w->cost == COST_LINE;
		query_advance(p);
		return add(p, node);
	}
	if (query_is(p, "only-move")) {
		struct node node = leaf(NODE_COMPARE, COST_MOVES);
		node.equal = true;
		node.constant = -1;
		q->outcomes = true;
		add_term(p, &node, (struct term){TERM_MOVES, {MOVES_KEEPING}, 0}, 1);
		query_advance(p);
		return add(p, node);
	}
	if (query_take(p, "behind")) {
		struct node node = leaf(NODE_COMPARE, COST_RELATION);
		struct term term = {.kind = TERM_BEHIND};
		node.equal = true;
		node.constant = -1;
		read_pieces(p, &node, &term, 2);
		add_term(p, &node, term, 1);
		return add(p, node);
	}
	if (query_piece_here(p, &piece)) {
		struct node node = leaf(NODE_ON, COST_SQUARES);
		query_mention(p, &node, -1);
		if (!query_take(p, "on"))
			return query_expected(p, "'on' and squares after a piece");
		node.squares = query_squares(p);
		return add(p, node);
	}
	if (p->token == WORD)
		return query_fail(p, p->at, p->length, "'%.*s' is not a word that find knows",
		                  (int)(p->length > 40 ? 40 : p->length), p->text + p->at);
	return query_expected(p, "a fact, such as win, check or dtm > 60");
}

static int negated(struct parser *p)
{
	enum { DEEP = 64 };
	const struct el_metric *metric;
	const struct word *w = word_here(p);
	const bool is_number = p->token == DIGITS || query_is(p, "-") || query_is(p, "stones") ||
	                       metric_here(p, &metric) || (w && w->node == NODE_COMPARE);
	int child, node;
	if (++p->depth > DEEP)
		return query_fail(p, p->at, 1, "too deep: at most %d parentheses and negations",
		                  DEEP);
	if (query_take(p, "not")) {
		child = negated(p);
		node = join(p, NODE_NOT, &child, 1);
	} else if (query_is(p, "(")) {
		query_advance(p);
		node = question(p);
		if (!p->status && !query_take(p, ")"))
			query_expected(p, "')'");
	} else {
		node = is_number ? comparison(p) : fact(p);
	}
	p->depth--;
	return node;
}

/* Facts side by side must all hold, with or without `and`. */
static int all(struct parser *p)
{
	int child[QUERY_NODES];
	unsigned count = 0;
	do {
		child[count++] = negated(p);
		const bool more = query_take(p, "and");
		if (!more && (p->token == END || query_is(p, "or") || query_is(p, ")")))
			break;
	} while (!p->status && count < QUERY_NODES);
	return count == 1 ? child[0] : join(p, NODE_AND, child, count);
}

static int question(struct parser *p)
{
	int child[QUERY_NODES];
	unsigned count = 0;
	do
		child[count++] = all(p);
	while (!p->status && count < QUERY_NODES && query_take(p, "or"));
	return count == 1 ? child[0] : join(p, NODE_OR, child, count);
}

enum el_status el_query_parse(const struct el_game *game, const char *text, struct el_query **out,
                              struct el_query_fault *fault, struct el_error *error)
{
	struct parser p = {.game = game, .text = text, .fault = fault, .error = error};
	p.query = calloc(1, sizeof *p.query);
	*out = NULL;
	*fault = (struct el_query_fault){0};
	if (!p.query)
		return el_fail(error, EL_MEMORY, "out of memory");
	p.query->game = game;
	query_advance(&p);
	p.query->root = question(&p);
	if (!p.status && p.token != END)
		query_expected(&p, "'and', 'or' or the end");
	if (p.status)
		free(p.query);
	else
		*out = p.query;
	return p.status;
}

void el_query_free(struct el_query *q)
{
	free(q);
}

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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const enum el_outcome outcomes[] = {
	EL_WIN,          EL_DRAW,          EL_LOSS,         EL_CURSED_WIN,
	EL_BLESSED_LOSS, EL_AT_LEAST_DRAW, EL_AT_MOST_DRAW, EL_UNKNOWN,
};

static const struct {
	const char *word;
	enum fact fact;
	enum cost cost;
} facts[] = {
	{"check", FACT_CHECK, COST_RULES},         {"checkmate", FACT_CHECKMATE, COST_RULES},
	{"stalemate", FACT_STALEMATE, COST_RULES}, {"over", FACT_OVER, COST_RULES},
	{"capture", FACT_CAPTURE, COST_RULES},     {"zugzwang", FACT_ZUGZWANG, COST_TURN},
	{"full-zugzwang", FACT_FULL, COST_TURN},   {"half-zugzwang", FACT_HALF, COST_TURN},
	{"only-line", FACT_ONLY_LINE, COST_LINE},
};

static const struct {
	const char *word;
	enum moves_kind moves;
} counts[] = {
	{"legal-moves", MOVES_LEGAL},     {"capturing-moves", MOVES_CAPTURING},
	{"mating-moves", MOVES_MATING},   {"stalemating-moves", MOVES_STALEMATING},
	{"winning-moves", MOVES_WINNING}, {"drawing-moves", MOVES_DRAWING},
	{"losing-moves", MOVES_LOSING},   {"keeping-moves", MOVES_KEEPING},
};

static const struct {
	const char *word;
	enum term_kind term;
	unsigned pieces;
} functions[] = {
	{"file", TERM_FILE, 1},
	{"rank", TERM_RANK, 1},
	{"distance", TERM_DISTANCE, 2},
	{"behind", TERM_BEHIND, 2},
};

static const char *const regions[] = {"edge", "corner", "light", "dark"};
static const char *const joints[] = {"and", "or", "not", "on", "only-move"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const side_words[] = {"white-to-move", "black-to-move", "white-wins",
                                         "black-wins"};

const char *el_query_word(const struct el_game *game, size_t i)
{
	if (i < LENGTH(joints))
		return joints[i];
	i -= LENGTH(joints);
	if (i < LENGTH(outcomes))
		return el_outcome_name(outcomes[i]);
	i -= LENGTH(outcomes);
	if (i < LENGTH(facts))
		return facts[i].word;
	i -= LENGTH(facts);
	if (i < LENGTH(counts))
		return counts[i].word;
	i -= LENGTH(counts);
	if (i < LENGTH(functions))
		return functions[i].word;
	i -= LENGTH(functions);
	if (i < LENGTH(side_words))
		return side_words[i];
	i -= LENGTH(side_words);
	if (i < LENGTH(regions))
		return regions[i];
	i -= LENGTH(regions);
	/* metrics with numbers */
	for (const struct el_metric *const *m = game->metrics; *m; m++)
		if ((*m)->kind->unit && !i--)
			return (*m)->name;
	return NULL;
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

/* Does a number begin here? */
static bool number_here(const struct parser *p)
{
	const struct el_metric *metric;
	bool found = p->token == DIGITS || query_is(p, "-") || query_is(p, "stones") ||
	             metric_here(p, &metric);
	for (size_t i = 0; i < LENGTH(counts); i++)
		found = found || query_is(p, counts[i].word);
	for (size_t i = 0; i < LENGTH(functions); i++)
		found = found ||
		        (query_is(p, functions[i].word) && functions[i].term != TERM_BEHIND);
	return found;
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
	for (size_t i = 0; i < LENGTH(counts); i++)
		if (query_is(p, counts[i].word)) {
			p->query->outcomes = p->query->outcomes || counts[i].moves >= MOVES_WINNING;
			node->cost += counts[i].moves <= MOVES_CAPTURING ? COST_RULES : COST_MOVES;
			add_term(p, node, (struct term){TERM_MOVES, {(uint8_t)counts[i].moves}, 0},
			         sign);
			query_advance(p);
			return;
		}
	for (size_t i = 0; i < LENGTH(functions); i++)
		if (functions[i].term != TERM_BEHIND && query_take(p, functions[i].word)) {
			struct term term = {.kind = (uint8_t)functions[i].term};
			node->cost += COST_RELATION;
			read_pieces(p, node, &term, functions[i].pieces);
			add_term(p, node, term, sign);
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
	struct mention piece;
	for (unsigned i = 0; i < LENGTH(outcomes); i++)
		if (query_is(p, el_outcome_name(outcomes[i]))) {
			struct node node = leaf(NODE_OUTCOME, COST_VALUE);
			node.number = outcomes[i];
			q->outcomes = true;
			q->rule = q->rule || outcomes[i] == EL_CURSED_WIN ||
			          outcomes[i] == EL_BLESSED_LOSS;
			query_advance(p);
			return add(p, node);
		}
	for (unsigned i = 0; i < LENGTH(side_words); i++)
		if (query_is(p, side_words[i])) {
			struct node node = leaf(i < 2 ? NODE_SIDE : NODE_WINS, COST_SIDE);
			node.number = i % 2;
			node.sided = true;
			q->outcomes = q->outcomes || i >= 2;
			query_advance(p);
			return add(p, node);
		}
	for (size_t i = 0; i < LENGTH(facts); i++)
		if (query_is(p, facts[i].word)) {
			struct node node = leaf(NODE_FACT, facts[i].cost);
			node.number = facts[i].fact;
			q->lines = q->lines || facts[i].fact == FACT_ONLY_LINE;
			q->outcomes = q->outcomes || facts[i].cost >= COST_TURN;
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
		node = number_here(p) ? comparison(p) : fact(p);
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

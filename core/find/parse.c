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
#include "query.h"

#include <ctype.h>
#include <stdarg.h>
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

enum { REGIONS = 6 };
static const char *const regions[REGIONS] = {"file", "rank", "edge", "corner", "light", "dark"};
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
	if (i < LENGTH(regions) - 2)
		return regions[i + 2];
	i -= LENGTH(regions) - 2;
	/* metrics with numbers */
	for (const struct el_metric *const *m = game->metrics; *m; m++)
		if ((*m)->kind->unit && !i--)
			return (*m)->name;
	return NULL;
}

/* ---- tokens ---- */

enum token { END, WORD, DIGITS, SIGN, FAULTY };

struct parser {
	const struct el_game *game;
	const char *text;
	size_t at, length; /* of the current token */
	enum token token;
	unsigned depth; /* of parentheses and negations */
	struct el_query *query;
	struct el_query_fault *fault;
	struct el_error *error;
	enum el_status status; /* the first fault */
};

__attribute__((format(printf, 4, 5))) static int fail_at(struct parser *p, size_t at, size_t length,
                                                         const char *format, ...)
{
	char text[sizeof p->error->text];
	va_list arguments;
	if (p->status)
		return -1;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	*p->fault = (struct el_query_fault){at, length};
	p->status = el_fail(p->error, EL_USAGE, "%s", text);
	return -1;
}

static void advance(struct parser *p)
{
	const char *text = p->text;
	size_t at = p->at + p->length;
	at += strspn(text + at, " \t\n");
	const char *start = text + at, *end = start;
	if (!*start) {
		p->token = END;
	} else if (isdigit((unsigned char)*start)) {
		end += strspn(start, "0123456789");
		p->token = DIGITS;
	} else if (isalpha((unsigned char)*start)) {
		/* A hyphen belongs to a word if a letter follows. */
		while (isalnum((unsigned char)*end) ||
		       (*end == '-' && isalpha((unsigned char)end[1])))
			end++;
		p->token = WORD;
	} else {
		end += 1 + (strchr("<>!", *start) && start[1] == '=');
		p->token = strchr("()=<>!+-,", *start) ? SIGN : FAULTY;
	}
	p->at = at;
	p->length = (size_t)(end - start);
}

static bool is(const struct parser *p, const char *word)
{
	return p->length && strlen(word) == p->length &&
	       (p->token == WORD ? !strncasecmp(p->text + p->at, word, p->length)
	                         : !strncmp(p->text + p->at, word, p->length));
}

static bool take(struct parser *p, const char *word)
{
	const bool found = is(p, word);
	if (found)
		advance(p);
	return found;
}

/* A fault at the current token. */
static int expected(struct parser *p, const char *what)
{
	const int length = (int)(p->length > 40 ? 40 : p->length);
	if (p->token == END)
		return fail_at(p, p->at, 1, "expected %s at the end", what);
	return fail_at(p, p->at, p->length, "'%.*s': expected %s", length, p->text + p->at, what);
}

/* ---- nodes ---- */

/* -1 and a fault if there is no room for one more. */
static int add(struct parser *p, struct node node)
{
	struct el_query *q = p->query;
	if (p->status)
		return -1;
	if (q->nodes == QUERY_NODES)
		return fail_at(p, p->at, 1, "too long: at most %d facts in a question",
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

/* ---- pieces and squares ---- */

/* Is the token a piece? */
static bool piece_here(const struct parser *p, struct mention *out)
{
	const struct el_game *game = p->game;
	const char letter = p->text[p->at];
	if (p->token != WORD || p->length != 1 || game->sows)
		return false;
	const bool black = islower((unsigned char)letter);
	const char *kind = strchr(game->kinds, toupper((unsigned char)letter));
	if (kind)
		*out = (struct mention){black, (uint8_t)(kind - game->kinds)};
	return kind;
}

/*
 * The number of a piece of a node; -1: a fault. In a comparison a letter stands for the same piece
 * throughout, but not for the piece with the number `other` (-1: none).
 */
static int mention(struct parser *p, struct node *node, int other)
{
	struct mention m;
	unsigned i = 0;
	if (!piece_here(p, &m)) {
		char what[64];
		snprintf(what, sizeof what, "a piece: one of %s, or in small letters of %s",
		         p->game->kinds, p->game->sides[EL_BLACK]);
		return p->game->sows ? expected(p, "no piece: the game has none")
		                     : expected(p, what);
	}
	while (i < node->mentions && (node->mention[i].side != m.side ||
	                              node->mention[i].kind != m.kind || (int)i == other))
		i++;
	if (i == QUERY_MENTIONS)
		return fail_at(p, p->at, p->length, "at most %d pieces in a comparison",
		               QUERY_MENTIONS);
	advance(p);
	node->sided = true;
	node->mention[i] = m;
	node->mentions += i == node->mentions;
	return (int)i;
}

static bool square_named(const struct el_game *game, const char *text, size_t length,
                         uint8_t *square)
{
	char name[4];
	unsigned file, rank;
	for (*square = 0; *square < 64; ++*square) {
		if (!el_square_find(game, *square, &file, &rank))
			continue;
		game->square_name(*square, name);
		if (strlen(name) == length && !strncmp(name, text, length))
			return true;
	}
	return false;
}

static bool between(int x, int a, int b)
{
	return (a <= x && x <= b) || (b <= x && x <= a);
}

/* All squares between two: by number where squares have numbers, else a rectangle. */
static uint64_t squares_between(const struct el_game *game, uint8_t a, uint8_t b)
{
	const uint8_t square[] = {a, b};
	unsigned file[3], rank[3];
	char name[3][4];
	uint64_t set = 0;
	for (int i = 0; i < 2; i++) {
		el_square_find(game, square[i], &file[i], &rank[i]);
		game->square_name(square[i], name[i]);
	}
	for (uint8_t s = 0; s < 64; s++) {
		if (!el_square_find(game, s, &file[2], &rank[2]))
			continue;
		game->square_name(s, name[2]);
		if (game->labelled_squares
		            ? between(atoi(name[2]), atoi(name[0]), atoi(name[1]))
		            : between((int)file[2], (int)file[0], (int)file[1]) &&
		                      between((int)rank[2], (int)rank[0], (int)rank[1]))
			set |= UINT64_C(1) << s;
	}
	return set;
}

/* The number of a file or rank, from 0; -1: a fault. */
static int line_number(struct parser *p, bool is_file)
{
	const struct el_game *game = p->game;
	const char *word = p->text + p->at;
	int number = -1;
	if (is_file && p->token == WORD && p->length == 1)
		number = tolower((unsigned char)*word) - 'a';
	else if (!is_file && p->token == DIGITS && p->length <= 2)
		number = atoi(word) - 1;
	if (number < 0 || number >= (is_file ? game->files : game->ranks)) {
		char what[32];
		if (is_file)
			snprintf(what, sizeof what, "a file from a to %c", 'a' + game->files - 1);
		else
			snprintf(what, sizeof what, "a rank from 1 to %u", game->ranks);
		return expected(p, what);
	}
	advance(p);
	return number;
}

static uint64_t region(struct parser *p, unsigned which)
{
	const struct el_game *game = p->game;
	const int number = which < 2 ? line_number(p, which == 0) : 0;
	uint64_t set = 0;
	unsigned file, rank;
	for (uint8_t s = 0; s < 64 && number >= 0; s++) {
		if (!el_square_find(game, s, &file, &rank))
			continue;
		const bool on_file = file == 0 || file + 1u == game->files;
		const bool on_rank = rank == 0 || rank + 1u == game->ranks;
		const bool inside[REGIONS] = {
			file == (unsigned)number, rank == (unsigned)number, on_file || on_rank,
			on_file && on_rank,       (file + rank) % 2 == 1,   (file + rank) % 2 == 0,
		};
		set |= (uint64_t)inside[which] << s;
	}
	return set;
}

static uint64_t squares(struct parser *p)
{
	uint64_t set = 0;
	do {
		unsigned r = 0;
		while (r < REGIONS && !is(p, regions[r]))
			r++;
		if (r < REGIONS && p->token == WORD) {
			advance(p);
			set |= region(p, r);
			continue;
		}
		/* "b2-c3" is one word, "9-12" are three. */
		const char *word = p->text + p->at, *hyphen = memchr(word, '-', p->length);
		const size_t first = hyphen ? (size_t)(hyphen - word) : p->length;
		uint8_t from, to;
		if (!square_named(p->game, word, first, &from)) {
			expected(p, "a square, as in 'on a1,b2-c3', or file, rank, edge, corner, "
			            "light, "
			            "dark");
			return 0;
		}
		to = from;
		if (!hyphen)
			advance(p);
		if (hyphen || take(p, "-")) {
			word = hyphen ? hyphen + 1 : p->text + p->at;
			if (!square_named(p->game, word, p->length - (hyphen ? first + 1 : 0),
			                  &to)) {
				expected(p, "two opposite corners of a rectangle, as in b2-c3");
				return 0;
			}
			advance(p);
		}
		set |= squares_between(p->game, from, to);
	} while (!p->status && take(p, ","));
	return set;
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
		return fail_at(p, p->at, p->length, "%s", why.text);
	if (i == QUERY_METRICS)
		return fail_at(p, p->at, p->length, "at most %d metrics in a question",
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
	bool found = p->token == DIGITS || is(p, "-") || is(p, "stones") || metric_here(p, &metric);
	for (size_t i = 0; i < LENGTH(counts); i++)
		found = found || is(p, counts[i].word);
	for (size_t i = 0; i < LENGTH(functions); i++)
		found = found || (is(p, functions[i].word) && functions[i].term != TERM_BEHIND);
	return found;
}

static void add_term(struct parser *p, struct node *node, struct term term, int sign)
{
	if (node->terms == QUERY_TERMS) {
		fail_at(p, p->at, p->length, "at most %d numbers in a comparison", QUERY_TERMS);
		return;
	}
	term.sign = (int8_t)sign;
	node->term[node->terms++] = term;
}

/* "(PIECE, PIECE)" */
static void read_pieces(struct parser *p, struct node *node, struct term *term, unsigned pieces)
{
	if (!take(p, "("))
		expected(p, "'(' and a piece");
	for (unsigned i = 0; i < pieces && !p->status; i++) {
		if (i && !take(p, ","))
			expected(p, "',' and another piece");
		const int number = p->status ? -1 : mention(p, node, i ? term->argument[0] : -1);
		term->argument[i] = (uint8_t)number;
	}
	if (!p->status && !take(p, ")"))
		expected(p, "')'");
}

static void number(struct parser *p, struct node *node, int sign)
{
	const struct el_metric *metric;
	const char *word = p->text + p->at;
	if (p->token == DIGITS) {
		if (p->length > 5) {
			fail_at(p, p->at, p->length, "a number is too large");
			return;
		}
		node->constant += sign * atoi(word);
		advance(p);
		return;
	}
	for (size_t i = 0; i < LENGTH(counts); i++)
		if (is(p, counts[i].word)) {
			p->query->outcomes = p->query->outcomes || counts[i].moves >= MOVES_WINNING;
			node->cost += counts[i].moves <= MOVES_CAPTURING ? COST_RULES : COST_MOVES;
			add_term(p, node, (struct term){TERM_MOVES, {(uint8_t)counts[i].moves}, 0},
			         sign);
			advance(p);
			return;
		}
	for (size_t i = 0; i < LENGTH(functions); i++)
		if (functions[i].term != TERM_BEHIND && take(p, functions[i].word)) {
			struct term term = {.kind = (uint8_t)functions[i].term};
			node->cost += COST_RELATION;
			read_pieces(p, node, &term, functions[i].pieces);
			add_term(p, node, term, sign);
			return;
		}
	if (take(p, "stones")) {
		struct term term = {.kind = TERM_STONES};
		if (!take(p, "("))
			expected(p, "'(' and a pit");
		else if (!p->game->sows)
			fail_at(p, p->at, p->length, "%s has no stones", p->game->title);
		else if (!square_named(p->game, p->text + p->at, p->length, &term.argument[0]))
			expected(p, "a pit: A to F, or a to f");
		advance(p);
		if (!p->status && !take(p, ")"))
			expected(p, "')'");
		node->cost += COST_SQUARES;
		node->sided = true;
		add_term(p, node, term, sign);
		return;
	}
	if (metric_here(p, &metric)) {
		const int place = metric_place(p, metric);
		add_term(p, node, (struct term){TERM_NUMBER, {(uint8_t)place}, 0}, sign);
		node->cost += COST_VALUE;
		advance(p);
		return;
	}
	if (p->token == WORD && p->length == 1 &&
	    tolower((unsigned char)*word) - 'a' < p->game->files) {
		node->constant += sign * (tolower((unsigned char)*word) - 'a' + 1);
		advance(p);
		return;
	}
	expected(p, "a number, as in 'dtm > 60', 'file(K) = e' or 'legal-moves = 1'");
}

static void sum(struct parser *p, struct node *node, int sign)
{
	int one = take(p, "-") ? -sign : sign;
	number(p, node, one);
	while (!p->status && (is(p, "+") || is(p, "-"))) {
		one = is(p, "-") ? -sign : sign;
		advance(p);
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
	while (i < LENGTH(signs) && !is(p, signs[i].sign))
		i++;
	if (!p->status && i == LENGTH(signs))
		expected(p, "one of = != < <= > >=");
	if (p->status)
		return -1;
	advance(p);
	node.less = signs[i].less;
	node.equal = signs[i].equal;
	node.more = signs[i].more;
	sum(p, &node, -1);
	if (!p->status && !node.terms)
		return fail_at(p, p->at, 1, "compares two constants");
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
		if (is(p, el_outcome_name(outcomes[i]))) {
			struct node node = leaf(NODE_OUTCOME, COST_VALUE);
			node.number = outcomes[i];
			q->outcomes = true;
			q->rule = q->rule || outcomes[i] == EL_CURSED_WIN ||
			          outcomes[i] == EL_BLESSED_LOSS;
			advance(p);
			return add(p, node);
		}
	for (unsigned i = 0; i < LENGTH(side_words); i++)
		if (is(p, side_words[i])) {
			struct node node = leaf(i < 2 ? NODE_SIDE : NODE_WINS, COST_SIDE);
			node.number = i % 2;
			node.sided = true;
			q->outcomes = q->outcomes || i >= 2;
			advance(p);
			return add(p, node);
		}
	for (size_t i = 0; i < LENGTH(facts); i++)
		if (is(p, facts[i].word)) {
			struct node node = leaf(NODE_FACT, facts[i].cost);
			node.number = facts[i].fact;
			q->lines = q->lines || facts[i].fact == FACT_ONLY_LINE;
			q->outcomes = q->outcomes || facts[i].cost >= COST_TURN;
			advance(p);
			return add(p, node);
		}
	if (is(p, "only-move")) {
		struct node node = leaf(NODE_COMPARE, COST_MOVES);
		node.equal = true;
		node.constant = -1;
		q->outcomes = true;
		add_term(p, &node, (struct term){TERM_MOVES, {MOVES_KEEPING}, 0}, 1);
		advance(p);
		return add(p, node);
	}
	if (take(p, "behind")) {
		struct node node = leaf(NODE_COMPARE, COST_RELATION);
		struct term term = {.kind = TERM_BEHIND};
		node.equal = true;
		node.constant = -1;
		read_pieces(p, &node, &term, 2);
		add_term(p, &node, term, 1);
		return add(p, node);
	}
	if (piece_here(p, &piece)) {
		struct node node = leaf(NODE_ON, COST_SQUARES);
		mention(p, &node, -1);
		if (!take(p, "on"))
			return expected(p, "'on' and squares after a piece");
		node.squares = squares(p);
		return add(p, node);
	}
	if (p->token == WORD)
		return fail_at(p, p->at, p->length, "'%.*s' is no word of questions about %s",
		               (int)(p->length > 40 ? 40 : p->length), p->text + p->at,
		               p->game->title);
	return expected(p, "a fact, such as win, check or dtm > 60");
}

static int negated(struct parser *p)
{
	enum { DEEP = 64 };
	int child, node;
	if (++p->depth > DEEP)
		return fail_at(p, p->at, 1, "too deep: at most %d parentheses and negations", DEEP);
	if (take(p, "not")) {
		child = negated(p);
		node = join(p, NODE_NOT, &child, 1);
	} else if (is(p, "(")) {
		advance(p);
		node = question(p);
		if (!p->status && !take(p, ")"))
			expected(p, "')'");
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
		const bool more = take(p, "and");
		if (!more && (p->token == END || is(p, "or") || is(p, ")")))
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
	while (!p->status && count < QUERY_NODES && take(p, "or"));
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
	advance(&p);
	p.query->root = question(&p);
	if (!p.status && p.token != END)
		expected(&p, "'and', 'or' or the end");
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fortresses against a closure over explicit positions: every placement with the defender's pieces
 * in the region, its moves one by one, and no set operators. The greatest closed set must be the
 * one found, and no square can be taken away from the region.
 */
#include "core/examine/examine.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_library *library;

static int open_tables(void **state)
{
	(void)state;
	const char *tables = tests_are_slow() ? small_test_tables() : test_tables();
	if (tables)
		library = fixture_library(tables, NULL);
	return tables ? 0 : -1;
}

static int close_tables(void **state)
{
	(void)state;
	el_library_close(library);
	return 0;
}

/* ---- every placement in a region ---- */

/* A drawn placement, with its successors in the slice that are draws too. */
struct node {
	uint32_t number; /* of the placement */
	uint32_t first;  /* of its successors; they end where the next node's begin */
	bool attacks;    /* the attacker is to move */
	bool holds;      /* stalemate, or a move to a draw in another slice */
	bool in;
};

/* A placement is a number: the square of each piece, and the side to move. */
struct world {
	const struct el_game *game;
	struct el_slice slice;
	struct el_planes planes;
	struct {
		unsigned side, kind;
		bool stays; /* only on squares of the region */
	} piece[4];
	unsigned pieces, defender;
	uint8_t squares[64], region[64]; /* lists */
	unsigned square_count, region_count;
	int8_t place_in[2][64]; /* by `stays` and square: its place in the list, or -1 */
	uint32_t numbers;
	int32_t *node_of; /* by number; -1: no draw */
	struct node *nodes;
	uint32_t *successors;
	uint32_t node_count, successor_count;
};

static bool placement(const struct world *w, uint32_t number, struct el_position *out)
{
	*out = (struct el_position){.en_passant = EL_NO_SQUARE, .fullmove = 1};
	out->side = number % 2;
	number /= 2;
	uint64_t occupied = 0;
	for (unsigned i = 0; i < w->pieces; i++) {
		const unsigned count = w->piece[i].stays ? w->region_count : w->square_count;
		const uint8_t *list = w->piece[i].stays ? w->region : w->squares;
		const uint64_t at = UINT64_C(1) << list[number % count];
		uint64_t *set = &out->set[w->piece[i].side][w->piece[i].kind];
		number /= count;
		if (occupied & at || *set > at) /* like pieces in one order only */
			return false;
		occupied |= at;
		*set |= at;
	}
	return !w->game->check(out, NULL);
}

/* -1: a piece is outside the region. */
static int64_t number_of(const struct world *w, const struct el_position *p)
{
	struct el_position left = *p;
	int64_t number = 0, factor = 2;
	for (unsigned i = 0; i < w->pieces; i++) {
		uint64_t *set = &left.set[w->piece[i].side][w->piece[i].kind];
		const int place = w->place_in[w->piece[i].stays][__builtin_ctzll(*set)];
		if (place < 0)
			return -1;
		*set &= *set - 1;
		number += factor * place;
		factor *= w->piece[i].stays ? w->region_count : w->square_count;
	}
	return number + p->side;
}

static struct el_value value_of(const struct world *w, const struct el_position *p)
{
	struct el_place place;
	struct el_value value;
	struct el_error error;
	if (w->game->place(p, &place) && place.key == w->slice.key)
		return el_plane_value(&w->planes.plane[place.plane], place.index);
	if (el_library_value(library, w->game, p, &el_wdl, EL_PROBE_FULL, &value, &error))
		fail_msg("%s", error.text);
	return value;
}

/* ---- moves ---- */

static void add_moves(struct world *w, struct node *node)
{
	struct el_position p, after;
	struct el_move moves[EL_MOVES_MAX];
	assert_true(placement(w, node->number, &p));
	const size_t count = w->game->moves(&p, moves);
	node->first = w->successor_count;
	node->attacks = p.side != w->defender;
	node->holds = !count;
	for (size_t i = 0; i < count; i++) {
		struct el_place place;
		w->game->play(&p, &moves[i], &after);
		const bool stays = w->game->place(&after, &place) && place.key == w->slice.key;
		const enum el_outcome outcome = value_of(w, &after).outcome;
		assert_true(outcome >= EL_DRAW); /* nobody wins from a draw */
		if (!stays)
			node->holds |= outcome == EL_DRAW;
		const int64_t to = stays && outcome == EL_DRAW ? number_of(w, &after) : -1;
		assert_true(to < 0 || w->node_of[to] >= 0);
		if (to >= 0)
			w->successors[w->successor_count++] = (uint32_t)w->node_of[to];
	}
}

static struct world open_world(const struct el_fortress *f, const struct el_position *root)
{
	struct world w = {.game = f->slice.game, .slice = f->slice, .defender = f->defender};
	w.planes = fixture_stored(library, f->slice.name, el_game_metric(w.game));
	w.numbers = 2;
	for (uint8_t square = 0; square < 64; square++) {
		unsigned file, rank;
		if (!el_square_find(w.game, square, &file, &rank))
			continue;
		const bool stays = f->region >> square & 1;
		w.place_in[0][square] = (int8_t)w.square_count;
		w.place_in[1][square] = (int8_t)(stays ? (int)w.region_count : -1);
		w.squares[w.square_count++] = square;
		if (stays)
			w.region[w.region_count++] = square;
	}
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		for (uint64_t set = root->set[i / EL_KINDS][i % EL_KINDS]; set; set &= set - 1) {
			const bool stays =
				i / EL_KINDS == f->defender && f->kinds >> i % EL_KINDS & 1;
			w.piece[w.pieces].side = i / EL_KINDS;
			w.piece[w.pieces].kind = i % EL_KINDS;
			w.piece[w.pieces++].stays = stays;
			w.numbers *= stays ? w.region_count : w.square_count;
		}
	/* the draws, then their moves */
	w.node_of = malloc(w.numbers * sizeof *w.node_of);
	struct el_position p;
	for (uint32_t n = 0; n < w.numbers; n++) {
		const bool drawn = placement(&w, n, &p) && value_of(&w, &p).outcome == EL_DRAW;
		w.node_of[n] = drawn ? (int32_t)w.node_count++ : -1;
	}
	w.nodes = calloc(w.node_count + 1, sizeof *w.nodes);
	w.successors = malloc((size_t)w.node_count * 64 * sizeof *w.successors);
	assert_non_null(w.nodes);
	assert_non_null(w.successors);
	for (uint32_t n = 0; n < w.numbers; n++)
		if (w.node_of[n] >= 0)
			w.nodes[w.node_of[n]].number = n;
	for (uint32_t i = 0; i < w.node_count; i++)
		add_moves(&w, &w.nodes[i]);
	w.nodes[w.node_count].first = w.successor_count;
	return w;
}

static void close_world(struct world *w)
{
	free(w->node_of);
	free(w->nodes);
	free(w->successors);
	el_planes_free(&w->planes);
}

/* The greatest closed set among the placements with no staying piece on a square of `without`. */
static void close_set(struct world *w, const struct el_fortress *f, uint64_t without)
{
	struct el_position p;
	for (uint32_t i = 0; i < w->node_count; i++) {
		uint64_t stays = 0;
		placement(w, w->nodes[i].number, &p);
		for (unsigned kind = 0; kind < EL_KINDS; kind++)
			stays |= f->kinds >> kind & 1 ? p.set[w->defender][kind] : 0;
		w->nodes[i].in = !(stays & without);
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < w->node_count; i++) {
			struct node *n = &w->nodes[i];
			bool some = n->holds, all = true;
			for (uint32_t k = n->first; k < n[1].first && n->in; k++) {
				some |= w->nodes[w->successors[k]].in;
				all &= w->nodes[w->successors[k]].in;
			}
			if (n->in && !(n->attacks ? all : some))
				n->in = false, changed = true;
		}
	}
}

static bool is_in(const struct world *w, const struct el_position *p)
{
	const int64_t number = number_of(w, p);
	return number >= 0 && w->node_of[number] >= 0 && w->nodes[w->node_of[number]].in;
}

/* The square's images by the symmetries of the board that the slice's index uses. */
static uint64_t images_of(const struct world *w, unsigned square)
{
	const unsigned file = square % 8, rank = square / 8;
	uint64_t images = UINT64_C(1) << square;
	bool pawns = false;
	for (unsigned i = 0; i < w->pieces; i++)
		pawns |= w->game->kinds[w->piece[i].kind] == 'P';
	if (w->game != &el_chess)
		return images;
	images |= UINT64_C(1) << (8 * rank + 7 - file);
	for (unsigned i = 0; i < 8 && !pawns; i++) {
		const unsigned x = i & 1 ? 7 - file : file, y = i & 2 ? 7 - rank : rank;
		images |= UINT64_C(1) << (i & 4 ? 8 * x + y : 8 * y + x);
	}
	return images;
}

/* ---- tests ---- */

/* A set of squares, "a8 b8". */
static uint64_t squares(const char *names)
{
	uint64_t set = 0;
	for (; *names; names += names[2] ? 3 : 2)
		set |= UINT64_C(1) << (8 * (names[1] - '1') + names[0] - 'a');
	return set;
}

/* Leaves only what can arise from a position. */
static void keep_reached(struct world *w, const struct el_position *root)
{
	uint32_t *stack = malloc((w->node_count + 1) * sizeof *stack), height = 0;
	bool *reached = calloc(w->node_count + 1, sizeof *reached);
	assert_true(stack && reached);
	stack[height++] = (uint32_t)w->node_of[number_of(w, root)];
	reached[stack[0]] = true;
	while (height) {
		const struct node *n = &w->nodes[stack[--height]];
		for (uint32_t k = n->first; k < n[1].first; k++) {
			const uint32_t to = w->successors[k];
			if (w->nodes[to].in && !reached[to]) {
				reached[to] = true;
				stack[height++] = to;
			}
		}
	}
	for (uint32_t i = 0; i < w->node_count; i++)
		w->nodes[i].in = reached[i];
	free(stack);
	free(reached);
}

/* The fortress is exactly what is in, placement by placement. */
static void assert_same(const struct world *w, const struct el_fortress *f)
{
	struct el_position p;
	uint64_t count[2] = {0, 0}, different = 0;
	for (uint32_t n = 0; n < w->numbers; n++) {
		if (!placement(w, n, &p))
			continue;
		const bool in = w->node_of[n] >= 0 && w->nodes[w->node_of[n]].in;
		count[p.side] += in;
		different += in != el_fortress_holds(f, &p);
	}
	assert_int_equal(different, 0);
	assert_int_equal(count[EL_WHITE], f->positions[EL_WHITE]);
	assert_int_equal(count[EL_BLACK], f->positions[EL_BLACK]);
}

static void check_fortress(const char *fen, unsigned defender, const char *expected)
{
	const struct el_game *game;
	struct el_position root;
	struct el_fortress f;
	struct el_error error;
	assert_int_equal(el_position_parse(fen, &game, &root, &error), EL_OK);
	if (el_fortress_find(library, game, &root, EL_FORTRESS_ANY, NULL, &f, &error))
		fail_msg("%s", error.text);
	assert_int_equal(f.defender, defender);
	/* as found with sets: each square with its images */
	struct world w = open_world(&f, &root);
	close_set(&w, &f, 0);
	assert_true(is_in(&w, &root));
	assert_same(&w, &f);
	for (uint64_t left = f.region; left; left &= left - 1) {
		close_set(&w, &f, images_of(&w, (unsigned)__builtin_ctzll(left)));
		assert_false(is_in(&w, &root));
	}
	/* as refined: each square alone, and only what can arise */
	const uint64_t before = f.region;
	assert_int_equal(el_fortress_refine(&f, NULL, &error), EL_OK);
	assert_int_equal(f.region & ~before, 0);
	if (expected)
		assert_int_equal(f.region, squares(expected));
	close_set(&w, &f, before & ~f.region);
	assert_true(is_in(&w, &root));
	keep_reached(&w, &root);
	assert_same(&w, &f);
	for (uint64_t left = f.region; left; left &= left - 1) {
		close_set(&w, &f, (before & ~f.region) | (left & -left));
		assert_false(is_in(&w, &root));
	}
	close_world(&w);
	el_fortress_free(&f);
}

static void test_three_pieces(void **state)
{
	(void)state;
	/* the king in front of the pawn, and in front of a rook's pawn; and for White */
	check_fortress("8/4k3/8/4P3/4K3/8/8/8 b - - 0 1", EL_BLACK, NULL);
	check_fortress("k7/8/K7/P7/8/8/8/8 w - - 0 1", EL_BLACK, NULL);
	check_fortress("8/8/8/4k3/4p3/8/4K3/8 w - - 0 1", EL_WHITE, NULL);
	check_fortress("8/8/8/2k5/2p5/8/8/1K6 b - - 0 1", EL_WHITE, NULL);
}

static void test_four_pieces(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	/* the wrong bishop: the corner */
	check_fortress("k7/8/2K5/4B3/P7/8/8/8 w - - 0 1", EL_BLACK, "a7 b7 a8 b8");
	/* a rook's pawn one step away: stalemate holds */
	check_fortress("7K/8/8/8/8/8/pk6/3Q4 w - - 0 1", EL_BLACK, "a1 b1 b2");
	/* without pawns a square has seven images: the queen's pin; and two with most of the
	   positions of their slice */
	check_fortress("8/8/8/8/8/2K5/1Q6/k1b5 b - - 0 1", EL_BLACK, NULL);
	if (tests_are_thorough()) {
		check_fortress("6bk/8/5K2/8/8/8/8/R7 w - - 0 1", EL_BLACK, "g6 h6 f7 h7 f8 g8 h8");
		check_fortress("8/8/8/8/4n3/4k3/8/3K3R b - - 0 1", EL_BLACK, "e3");
	}
}

/* All of the defender's pieces stay, in draughts; the double corner is the last one. */
static void test_draughts(void **state)
{
	(void)state;
	struct el_library *chess = library;
	fixture_build_in(folder, "checkers:KKvKM checkers:MMvK", NULL);
	library = fixture_library(folder, NULL);
	check_fortress("W:WK25,K29:BK26", EL_BLACK, NULL);
	check_fortress("W:W14,18:BK23", EL_BLACK, NULL);
	check_fortress("B:WK10:B15,19", EL_WHITE, NULL);
	check_fortress("W:WK12,K27:B13,K32", EL_BLACK, NULL);
	el_library_close(library);
	library = chess;
}

static void test_refused(void **state)
{
	(void)state;
	static const char *const fens[][2] = {
		{"8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", "the position is not a draw"},
		{"8/8/8/8/r7/2k5/8/K6R w - - 0 1", "both sides have the same material"},
		{"W:Wa1,d1,g1:Ba7,d7,g4", "symmetries of its board"},
		{"0-1-0-1-1-0-0-0-0-0-0-3-0-0-S", "stones are sown"},
	};
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		const struct el_game *game;
		struct el_position p;
		struct el_fortress f;
		struct el_error error;
		assert_int_equal(el_position_parse(fens[i][0], &game, &p, &error), EL_OK);
		assert_int_equal(
			el_fortress_find(library, game, &p, EL_FORTRESS_ANY, NULL, &f, &error),
			EL_NEGATIVE);
		if (!strstr(error.text, fens[i][1]))
			fail_msg("%s", error.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_pieces),
		cmocka_unit_test(test_four_pieces),
		IN_FOLDER(test_draughts),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, open_tables, close_tables);
}

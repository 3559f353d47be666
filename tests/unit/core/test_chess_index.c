/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index: every index against its position, and every placement against its index. */
#include "core/games/chess/index.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the parts of the index ---- */

static void test_king_classes(void **state)
{
	(void)state;
	for (unsigned pawns = 0; pawns < 2; pawns++) {
		unsigned count = pawns ? CHESS_KINGS_PAWNS : CHESS_KINGS_PAWNLESS, seen = 0;
		for (unsigned white = 0; white < 64; white++)
			for (unsigned black = 0; black < 64; black++) {
				int class = chess_king_class(pawns, white, black);
				uint8_t squares[2];
				if (class < 0)
					continue;
				assert_int_equal(class, seen++);
				chess_king_squares(pawns, (unsigned)class, &squares[0],
				                   &squares[1]);
				assert_int_equal(squares[0], white);
				assert_int_equal(squares[1], black);
			}
		assert_int_equal(seen, count);
	}
}

/* One of so many ranks and indexes: all of them take half a minute. */
static unsigned share(void)
{
	return tests_are_thorough() ? 1 : 5 * test_stride();
}

static void test_ranks(void **state)
{
	(void)state;
	for (unsigned k = 1; k <= CHESS_LIKE_MAX; k++)
		for (unsigned first = 0; first <= 8; first += 8)
			for (uint32_t rank = 0; rank < choose[64 - 2 * first][k]; rank += share()) {
				uint64_t set = chess_unrank_set(rank, k, first);
				if (chess_count(set) != k || chess_rank_set(set, first) != rank)
					fail_msg("rank %u of %u squares", rank, k);
			}
	assert_int_equal(choose[64][4], 635376);
	assert_int_equal(choose[48][3], 17296);
}

/* ---- whole slices ---- */

/* The results for one plane. */
struct census {
	uint64_t unique;  /* valid indexes: legal positions without symmetric ones */
	uint64_t wrong;   /* those that do not come back from their position */
	uint64_t example; /* one of these */
};

static bool comes_back(const struct el_slice *slice, unsigned plane, uint64_t index,
                       const struct el_position *position)
{
	struct el_place place;
	return position->side == plane && el_chess.place(position, &place) &&
	       place.key == slice->key && place.plane == plane && place.index == index;
}

static struct census census_take(const struct el_slice *slice, unsigned plane, uint64_t stride)
{
	uint64_t unique = 0, wrong = 0, example = 0;
#pragma omp parallel for reduction(+ : unique, wrong) reduction(max : example)
	for (uint64_t index = 0; index < slice->positions; index += stride) {
		struct el_position position;
		if (!el_chess.unplace(slice, plane, index, &position))
			continue;
		unique++;
		if (!comes_back(slice, plane, index, &position)) {
			wrong++;
			example = index;
		}
	}
	return (struct census){unique, wrong, example};
}

/* The placements of a plane: the sum of all orbits. */
static uint64_t count_placements(const struct el_slice *slice, unsigned plane)
{
	uint64_t placements = 0;
#pragma omp parallel for reduction(+ : placements)
	for (uint64_t index = 0; index < slice->positions; index++) {
		struct el_position position;
		if (el_chess.unplace(slice, plane, index, &position))
			placements += el_chess.orbit(&position);
	}
	return placements;
}

static void test_all_indexes(void **state)
{
	static struct el_slice slices[35];
	size_t count = el_chess.slices(3, slices, 5);
	(void)state;
	count += el_chess.slices(4, slices + count, 30);
	if (share() > 1)
		printf("note: every %u-th index only\n", share());
	for (size_t i = 0; i < count; i++)
		for (unsigned plane = 0; plane < slices[i].planes; plane++) {
			struct census census = census_take(&slices[i], plane, share());
			if (census.wrong)
				fail_msg("%s: %llu wrong, such as %llu", slices[i].name,
				         (unsigned long long)census.wrong,
				         (unsigned long long)census.example);
		}
}

/* Published: KQK and KRK by Thompson and many others; KPK 163,328 and 168,024 placements
   (chessprogramming.org, "KPK"). */
static void test_known_counts(void **state)
{
	static const struct {
		const char *name;
		uint64_t unique[2], placements[2]; /* 0: not published */
	} cases[] = {
		{"KQvK", {18081, 28056}, {0, 0}},
		{"KRvK", {21959, 25260 + 2796}, {0, 0}},
		{"KPvK", {81664, 84012}, {163328, 168024}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (unsigned plane = 0; plane < 2; plane++) {
			struct el_slice slice = slice_named(cases[i].name);
			struct census census = census_take(&slice, plane, 1);
			assert_int_equal(census.unique, cases[i].unique[plane]);
			if (cases[i].placements[plane])
				assert_int_equal(count_placements(&slice, plane),
				                 cases[i].placements[plane]);
		}
}

/* A board turned and reflected by moving each piece by itself. */
static struct el_position image(const struct el_position *position, unsigned symmetry)
{
	struct el_position out = *position;
	for (unsigned i = 0; i < 2 * EL_KINDS; i++) {
		uint64_t set = 0;
		for (unsigned s = 0; s < 64; s++) {
			unsigned file = s % 8, rank = s / 8;
			if (!(position->set[i / EL_KINDS][i % EL_KINDS] >> s & 1))
				continue;
			file = symmetry & 1 ? 7 - file : file;
			rank = symmetry & 2 ? 7 - rank : rank;
			set |= UINT64_C(1) << (symmetry & 4 ? file * 8 + rank : rank * 8 + file);
		}
		out.set[i / EL_KINDS][i % EL_KINDS] = set;
	}
	return out;
}

static bool has_pawns(const struct el_slice *slice)
{
	return slice->count[0][CHESS_PAWN] || slice->count[1][CHESS_PAWN];
}

static void assert_same_place(const struct el_place *a, const struct el_place *b)
{
	assert_int_equal(a->key, b->key);
	assert_int_equal(a->plane, b->plane);
	assert_int_equal(a->index, b->index);
}

/* All images of a position have its place, and its orbit counts them. */
static void check_images(const struct el_slice *slice, const struct el_position *position)
{
	struct el_position images[8], swapped, back;
	struct el_place place, other;
	unsigned distinct = 0;
	assert_true(el_chess.place(position, &place));
	assert_int_equal(place.key, slice->key);
	assert_in_range(place.index, 0, slice->positions - 1);
	for (unsigned i = 0; i < (has_pawns(slice) ? 2u : 8u); i++) {
		bool seen = false;
		images[i] = image(position, i);
		for (unsigned j = 0; j < i; j++)
			seen |= !memcmp(images[j].set, images[i].set, sizeof images[i].set);
		distinct += !seen;
		el_chess.swap_colours(&images[i], &swapped);
		assert_true(el_chess.place(&images[i], &other));
		assert_same_place(&other, &place);
		assert_true(el_chess.place(&swapped, &other));
		assert_same_place(&other, &place);
		assert_int_equal(el_chess.orbit(&images[i]), el_chess.orbit(position));
	}
	assert_int_equal(el_chess.orbit(position), distinct);

	assert_true(el_chess.unplace(slice, place.plane, place.index, &back));
	assert_int_equal(el_chess.orbit(&back), distinct);
	assert_true(el_chess.place(&back, &other));
	assert_same_place(&other, &place);
}

/* All ways to put the pieces of a slice of three or four on the board. */
struct placements {
	const struct el_slice *slice;
	unsigned count, side[EL_PIECES_MAX], kind[EL_PIECES_MAX]; /* the pieces, kings first */
	/* placements; the indexes that they have */
	uint64_t legal[2], found[2];
	uint8_t *seen[2]; /* by index */
	/* a legal placement has no valid index */
	bool wrong;
};

static void count_placement(struct placements *all, struct el_position *position)
{
	for (unsigned side = 0; side < 2; side++) {
		struct el_place place;
		position->side = (uint8_t)side;
		if (el_chess.check(position, NULL) != EL_OK)
			continue;
		if (!el_chess.place(position, &place) || place.key != all->slice->key ||
		    place.index >= all->slice->positions || place.plane >= all->slice->planes) {
			all->wrong = true;
			continue;
		}
		all->legal[place.plane]++;
		all->found[place.plane] += !all->seen[place.plane][place.index];
		all->seen[place.plane][place.index] = 1;
	}
}

/* Places piece `piece` and the following ones; like pieces in ascending order. */
static void put_pieces(struct placements *all, unsigned piece, unsigned from, uint64_t occupied,
                       struct el_position *position)
{
	if (piece == all->count) {
		count_placement(all, position);
		return;
	}
	uint64_t *set = &position->set[all->side[piece]][all->kind[piece]];
	for (unsigned square = from; square < 64; square++) {
		uint64_t at = UINT64_C(1) << square;
		bool like_next = piece + 1 < all->count && piece >= 2 &&
		                 all->side[piece + 1] == all->side[piece] &&
		                 all->kind[piece + 1] == all->kind[piece];
		if (occupied & at)
			continue;
		*set |= at;
		put_pieces(all, piece + 1, like_next ? square + 1 : 0, occupied | at, position);
		*set &= ~at;
	}
}

static void list_pieces(struct placements *all)
{
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		for (unsigned side = 0; side < 2; side++)
			for (unsigned i = 0; i < all->slice->count[side][kind]; i++) {
				all->side[all->count] = side;
				all->kind[all->count++] = kind;
			}
}

/* Both directions agree: the indexes of placements are those with placements, and the orbits add up
   to the placements. */
static void test_all_placements(void **state)
{
	static const char *const names[] = {"KQvK", "KRvK",  "KBvK", "KNvK",
	                                    "KPvK", "KNNvK", "KRvKR"};
	const size_t count = test_stride() > 1 ? 5 : sizeof names / sizeof *names;
	(void)state;
	for (size_t i = 0; i < count; i++) {
		const struct el_slice slice = slice_named(names[i]);
		struct placements all = {.slice = &slice};
		struct el_position position = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
		for (unsigned plane = 0; plane < 2; plane++)
			assert_non_null(all.seen[plane] = calloc(slice.positions, 1));
		list_pieces(&all);
		put_pieces(&all, 0, 0, 0, &position);
		assert_false(all.wrong);
		for (unsigned plane = 0; plane < slice.planes; plane++) {
			struct census census = census_take(&slice, plane, 1);
			assert_int_equal(census.unique, all.found[plane]);
			/* one plane holds both sides to move */
			assert_int_equal(count_placements(&slice, plane) * (3 - slice.planes),
			                 all.legal[plane]);
		}
		free(all.seen[0]);
		free(all.seen[1]);
	}
}

static void test_images(void **state)
{
	static struct el_slice slices[2520];
	const unsigned positions = 60 / share() + 1;
	uint64_t seed = 5;
	(void)state;
	for (unsigned pieces = 3; pieces <= el_chess.group_max; pieces++) {
		size_t count = el_chess.slices(pieces, slices, 2520);
		for (size_t i = 0; i < count; i++)
			for (unsigned n = 0; n < positions * (pieces < 5 ? 20 : 1); n++) {
				struct el_position position = random_position(&slices[i], &seed);
				check_images(&slices[i], &position);
			}
	}
}

static bool on_diagonal(const struct el_position *position)
{
	return !((position->set[0][CHESS_KING] | position->set[1][CHESS_KING]) & ~CHESS_DIAGONAL);
}

/* Kings on the diagonal have a rule of their own, and random positions seldom have them. */
static void test_images_on_the_diagonal(void **state)
{
	static const char *const names[] = {"KQvK", "KQQvK", "KRvKN", "KBBvKN", "KNNNvKB"};
	uint64_t seed = 5;
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct el_slice slice = slice_named(names[i]);
		for (unsigned n = 0; n < 50000 / test_stride(); n++) {
			struct el_position position = random_position(&slice, &seed);
			if (on_diagonal(&position))
				check_images(&slice, &position);
		}
	}
}

static void test_sampled_indexes(void **state)
{
	static struct el_slice slices[110 + 365 + 1001];
	const unsigned samples = 3000 / share() + 1;
	size_t count = el_chess.slices(5, slices, 110);
	uint64_t seed = 9;
	(void)state;
	count += el_chess.slices(6, slices + count, 365);
	count += el_chess.slices(7, slices + count, 1001);
	for (size_t i = 0; i < count; i++)
		for (unsigned n = 0; n < samples; n++) {
			struct el_position position;
			unsigned plane = slices[i].planes == 2 ? n % 2 : 0;
			uint64_t index = random_next(&seed) % slices[i].positions;
			if (el_chess.unplace(&slices[i], plane, index, &position))
				assert_true(comes_back(&slices[i], plane, index, &position) &&
				            el_chess.check(&position, NULL) == EL_OK);
		}
}

/* Any set-up board is refused or placed, and indexes outside are broken. */
static void test_outside(void **state)
{
	const struct el_slice slice = slice_named("KQvKR");
	struct el_position position = {.en_passant = EL_NO_SQUARE}, before = position;
	struct el_place place;
	uint64_t seed = 11;
	(void)state;
	assert_false(el_chess.unplace(&slice, 0, slice.positions, &position));
	assert_false(el_chess.unplace(&slice, 0, UINT64_MAX, &position));
	assert_false(el_chess.unplace(&slice, 2, 0, &position));
	assert_memory_equal(&position, &before, sizeof before);
	assert_false(el_chess.place(&position, &place));
	position = position_of("8/8/8/8/8/1k6/8/K7 w - - 0 1");
	assert_false(el_chess.place(&position, &place));
	position = position_of("8/8/1qrnpppp/8/8/1k6/8/7K b - - 0 1");
	assert_false(el_chess.place(&position, &place));
	for (unsigned n = 0; n < 100000; n++) {
		for (unsigned i = 0; i < 2 * EL_KINDS; i++) {
			uint64_t set = random_next(&seed) & random_next(&seed);
			set &= n % 4 ? random_next(&seed) & random_next(&seed) : ~UINT64_C(0);
			set &= n % 2 ? random_next(&seed) & random_next(&seed) : ~UINT64_C(0);
			position.set[i / EL_KINDS][i % EL_KINDS] = set;
		}
		if (el_chess.place(&position, &place))
			assert_in_range(place.plane, 0, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_king_classes),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_all_indexes),
		cmocka_unit_test(test_known_counts),
		cmocka_unit_test(test_all_placements),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_images_on_the_diagonal),
		cmocka_unit_test(test_sampled_indexes),
		cmocka_unit_test(test_outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

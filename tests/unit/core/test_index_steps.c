/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of an index, recomputed with plain arithmetic from the squares that they name, for
   every index of whole slices; and the transformations that bring a position to its place. */
#include "tests/fixtures/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ---- arithmetic ---- */

enum { N_MAX = 64, K_MAX = 8 };

static uint64_t pascal[N_MAX + 1][K_MAX + 1];

static int set_up(void **state)
{
	(void)state;
	for (unsigned n = 0; n <= N_MAX; n++)
		for (unsigned k = 0; k <= K_MAX && k <= n; k++)
			pascal[n][k] = k == 0 ? 1 : pascal[n - 1][k - 1] + pascal[n - 1][k];
	return 0;
}

/* ---- one step ---- */

/* A set of like pieces: numbers ascend, and determine rank and radix. */
static bool group_is_right(const struct el_index_step *s)
{
	uint64_t rank = 0;
	for (unsigned i = 0; i < s->count; i++) {
		const struct el_index_piece *p = &s->piece[i];
		if (p->number >= s->squares || (i && p->number <= p[-1].number) ||
		    p->side != s->piece[0].side || p->kind != s->piece[0].kind)
			return false;
		rank += pascal[p->number][i + 1];
	}
	return s->rank + s->low == rank && s->radix + s->low == pascal[s->squares][s->count] &&
	       s->first == 0;
}

/* Each piece stands where its number lies in the area, skipping the squares that others have
   taken. */
static bool area_is_right(const struct el_index_step *s, uint64_t *occupied)
{
	unsigned number = 0, piece = 0;
	uint64_t taken = 0;
	for (unsigned i = 0; i < s->area_count; i++) {
		const uint64_t square = UINT64_C(1) << s->area[i];
		if (s->skips && *occupied & square)
			continue;
		if (piece < s->count && s->piece[piece].number == number) {
			if (s->piece[piece++].square != s->area[i])
				return false;
			taken |= square;
		}
		number++;
	}
	*occupied |= taken;
	return piece == s->count && number == s->squares;
}

/* Groups that are not numbered by squares occupy theirs all the same. */
static bool areas_are_right(const struct el_index_step *step, size_t count)
{
	uint64_t occupied = 0;
	bool right = true;
	for (size_t i = 0; i < count; i++) {
		right = right && (!step[i].squares || area_is_right(&step[i], &occupied));
		for (unsigned j = 0; j < step[i].count && !step[i].squares; j++)
			occupied |= UINT64_C(1) << step[i].piece[j].square;
	}
	return right;
}

/* Every step continues from the one before; the last one gives the index. */
static bool chain_is_right(const struct el_index_step *step, size_t count, uint64_t index)
{
	uint64_t after = 0;
	for (size_t i = 0; i < count; i++) {
		const struct el_index_step *s = &step[i];
		if (s->before != after || s->rank >= s->radix ||
		    s->after != s->before * s->radix + s->rank + s->base)
			return false;
		after = s->after;
	}
	return after == index && areas_are_right(step, count);
}

/* The pieces of all steps as a position; false if two share a square. */
static bool position_of_steps(const struct el_index_step *step, size_t count,
                              struct el_position *out)
{
	uint64_t occupied = 0;
	*out = (struct el_position){.en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (size_t i = 0; i < count; i++)
		for (unsigned j = 0; j < step[i].count; j++) {
			const struct el_index_piece *p = &step[i].piece[j];
			const uint64_t at = UINT64_C(1) << p->square;
			if (occupied & at)
				return false;
			occupied |= at;
			out->set[p->side][p->kind] |= at;
		}
	return true;
}

/* Checks every index of some slices, or a share of each. */
static void check_slices(const char *const *names, size_t count,
                         bool (*is_right)(const struct el_slice *, uint64_t index))
{
	for (size_t i = 0; i < count; i++) {
		const struct el_slice slice = slice_named(names[i]);
		uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
		for (uint64_t index = 0; index < slice.positions; index += test_stride())
			wrong += !is_right(&slice, index);
		if (wrong)
			fail_msg("%s: %llu wrong", names[i], (unsigned long long)wrong);
	}
}

/* ---- chess ---- */

enum { KING, PAWN = 5, CLASSES_MAX = 1806 };

/* The pairs of kings in order: White's in the triangle a1-d1-d4 (with pawns on files a-d), Black's
   not beside it, and not above the diagonal if White's is on it. */
struct king_classes {
	unsigned count;
	struct {
		uint8_t white, black, white_number, black_number;
		uint32_t first;
	} class[CLASSES_MAX];
};

static bool in_region(bool pawns, int file, int rank)
{
	return file < 4 && (pawns || rank <= file);
}

static void add_classes(struct king_classes *k, bool pawns, int white, uint8_t white_number)
{
	const int file = white % 8, rank = white / 8;
	const uint32_t first = k->count;
	for (int black = 0; black < 64; black++) {
		const int other_file = black % 8, other_rank = black / 8;
		const bool beside = other_file - file <= 1 && file - other_file <= 1 &&
		                    other_rank - rank <= 1 && rank - other_rank <= 1;
		if (beside || (!pawns && file == rank && other_rank > other_file))
			continue;
		assert_true(k->count < CLASSES_MAX);
		k->class[k->count].white = (uint8_t)white;
		k->class[k->count].black = (uint8_t)black;
		k->class[k->count].white_number = white_number;
		k->class[k->count].black_number = (uint8_t)(k->count - first);
		k->class[k->count++].first = first;
	}
}

static void list_classes(struct king_classes *k, bool pawns)
{
	uint8_t number = 0;
	k->count = 0;
	for (int white = 0; white < 64; white++)
		if (in_region(pawns, white % 8, white / 8))
			add_classes(k, pawns, white, number++);
	assert_int_equal(k->count, pawns ? 1806 : 462);
}

static bool kings_are_right(const struct el_index_step *s, const struct king_classes *k)
{
	const struct el_index_piece *w = &s->piece[0], *b = &s->piece[1];
	return s->rank < k->count && s->radix == k->count && s->count == 2 && s->squares == 0 &&
	       w->side == EL_WHITE && b->side == EL_BLACK && w->kind == KING && b->kind == KING &&
	       w->square == k->class[s->rank].white && b->square == k->class[s->rank].black &&
	       w->number == k->class[s->rank].white_number &&
	       b->number == k->class[s->rank].black_number && s->first == k->class[s->rank].first &&
	       s->rank == s->first + b->number;
}

/* Pieces are numbered from a1, pawns from a2; no square is skipped. */
static bool chess_group_is_right(const struct el_index_step *s)
{
	const bool pawns = s->piece[0].kind == PAWN;
	for (unsigned i = 0; i < s->count; i++)
		if (s->piece[i].number + (pawns ? 8 : 0) != s->piece[i].square)
			return false;
	return s->squares == (pawns ? 48 : 64) && s->base == 0 && group_is_right(s);
}

/* Not broken: the same position. Broken: two pieces share a square, or it is illegal, or its place
   is a smaller index. */
static bool agrees_with_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                                const struct el_index_step *step, size_t count)
{
	struct el_position made, found;
	struct el_place place;
	const bool apart = position_of_steps(step, count, &made);
	made.side = (uint8_t)el_slice_mover(slice, plane);
	memcpy(made.hand, slice->hand, sizeof made.hand);
	if (slice->game->unplace(slice, plane, index, &found))
		return apart && !memcmp(made.set, found.set, sizeof made.set);
	if (!apart || slice->game->check(&made, NULL))
		return true;
	return slice->game->place(&made, &place) && place.index < index;
}

static struct king_classes classes[2]; /* without pawns, and with them */

static bool chess_is_right(const struct el_slice *slice, uint64_t index)
{
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	const size_t count = slice->game->index_steps(slice, index, step);
	const bool pawns = slice->count[0][PAWN] || slice->count[1][PAWN];
	bool right =
		chain_is_right(step, count, index) && kings_are_right(&step[0], &classes[pawns]);
	for (size_t i = 1; i < count; i++)
		right = right && chess_group_is_right(&step[i]);
	for (unsigned plane = 0; plane < slice->planes; plane++)
		right = right && agrees_with_unplace(slice, plane, index, step, count);
	return right;
}

static void test_chess(void **state)
{
	static const char *const names[] = {"KRvK", "KPvK", "KBBvK", "KRvKP", "KRvKR"};
	(void)state;
	list_classes(&classes[0], false);
	list_classes(&classes[1], true);
	check_slices(names, sizeof names / sizeof *names, chess_is_right);
}

/* Not broken: the same position. Broken: two pieces share a square, or it is illegal. */
static bool castling_is_right(const struct el_slice *slice, uint64_t index)
{
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	struct el_position made, found;
	const size_t count = slice->game->index_steps(slice, index, step);
	const bool apart = position_of_steps(step, count, &made);
	bool right = count > 0 && chain_is_right(step, count, index);
	for (size_t i = 0; i < count; i++)
		right = right && group_is_right(&step[i]);
	for (unsigned plane = 0; plane < slice->planes && right; plane++) {
		made.side = (uint8_t)plane;
		if (slice->game->unplace(slice, plane, index, &found))
			right = apart && !memcmp(made.set, found.set, sizeof made.set);
		else
			right = !apart || slice->game->check(&made, NULL);
	}
	return right;
}

static void test_castling(void **state)
{
	static const char *const names[] = {"KRvK+castling", "KRRvK+castling", "KRvKR+castling",
	                                    "KRvKP+castling", "KRRvKR+castling"};
	(void)state;
	check_slices(names, sizeof names / sizeof *names, castling_is_right);
}

/* ---- draughts ---- */

enum { MAN = 1, SQUARES = 32, ROW = 4 };

/* White's square 32 is numbered 0, its square 1 is 31. */
static unsigned seen_by_white(unsigned square)
{
	return SQUARES - 1 - square;
}

/* The area of a group: `row` counts from 0, as White sees it. */
static bool may_stand(const struct el_index_step *s, unsigned seen)
{
	const unsigned row = seen / ROW;
	if (strstr(s->group, "bottom"))
		return row == 0;
	if (strstr(s->group, "above"))
		return row > 0 && row < 7;
	return strstr(s->group, "black m") ? row > 0 : true;
}

/* The square with a number, among those that the pieces of earlier steps leave the group. */
static bool draughts_group_is_right(const struct el_index_step *s, uint64_t *occupied)
{
	unsigned free = 0, piece = 0;
	uint64_t taken = 0;
	for (unsigned seen = 0; seen < SQUARES; seen++) {
		const unsigned square = seen_by_white(seen);
		if (!may_stand(s, seen) || *occupied >> square & 1)
			continue;
		if (piece < s->count && s->piece[piece].number == free) {
			if (s->piece[piece++].square != square)
				return false;
			taken |= UINT64_C(1) << square;
		}
		free++;
	}
	*occupied |= taken;
	return piece == s->count && s->squares == free && group_is_right(s);
}

/* The ways to place men with fewer than `bottom` white ones in the bottom row. */
static uint64_t fewer_in_the_bottom_row(const struct el_slice *slice, unsigned bottom)
{
	const unsigned white = slice->count[0][MAN], black = slice->count[1][MAN];
	uint64_t ways = 0;
	for (unsigned k = 0; k < bottom; k++)
		ways += pascal[4][k] * pascal[24][white - k] * pascal[28 - (white - k)][black];
	return ways;
}

static uint64_t expected_base(const struct el_slice *slice, const struct el_index_step *step,
                              size_t at)
{
	const bool of_men = slice->count[0][MAN] > 0;
	const bool last = of_men && at == (slice->count[1][MAN] ? 2 : 1);
	return last ? fewer_in_the_bottom_row(slice, step[0].count) : 0;
}

static bool draughts_is_right(const struct el_slice *slice, uint64_t index)
{
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	const size_t count = slice->game->index_steps(slice, index, step);
	bool right = chain_is_right(step, count, index);
	uint64_t occupied = 0;
	for (size_t i = 0; i < count; i++)
		right = right && draughts_group_is_right(&step[i], &occupied) &&
		        step[i].base == expected_base(slice, step, i);
	for (unsigned plane = 0; plane < slice->planes; plane++)
		right = right && agrees_with_unplace(slice, plane, index, step, count);
	return right;
}

static void test_draughts(void **state)
{
	static const char *const names[] = {"checkers:KvK",   "checkers:KMvK",  "checkers:MMvM",
	                                    "checkers:MMvMM", "checkers:KMvKM", "checkers:MMvK",
	                                    "checkers:KKvMM", "checkers:MMMvM"};
	(void)state;
	check_slices(names, sizeof names / sizeof *names, draughts_is_right);
}

/* The last numbers of a group of men that has one in the row where they lead: sets without are left out,
   and there are so many of them. */
static bool lead_is_right(const struct el_slice *slice, const struct el_index_step *s)
{
	const unsigned side = s->piece[0].side;
	unsigned in_row = 0, piece = 0;
	for (unsigned i = 0; i < s->area_count; i++) {
		bool free = true;
		for (unsigned j = 0; j < s->count; j++)
			free = free && s->piece[j].square != s->area[i];
		piece += !free;
		const unsigned row =
			side == EL_WHITE ? seen_by_white(s->area[i]) / ROW : s->area[i] / ROW;
		in_row += !free && row + 1 == slice->lead[side];
	}
	const bool led = s->low || s->radix != pascal[s->squares][s->count];
	return !s->count || s->piece[0].kind != MAN || (piece == s->count && (!led || in_row));
}

static bool cut_is_right(const struct el_slice *slice, uint64_t index)
{
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	const size_t count = slice->game->index_steps(slice, index, step);
	unsigned led = 0;
	bool right = chain_is_right(step, count, index);
	for (size_t i = 0; i < count; i++) {
		right = right && group_is_right(&step[i]) && lead_is_right(slice, &step[i]);
		led += step[i].low > 0;
	}
	right = right && led <= 2;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		right = right && agrees_with_unplace(slice, plane, index, step, count);
	return right;
}

static void test_cut_draughts(void **state)
{
	static const char *const names[] = {"checkers:MMMM2vMMMM3", "checkers:MMMM1vMMMM1",
	                                    "checkers:KMMM2vMMMM1", "checkers:MMMMMM2vMM7",
	                                    "checkers:KKvMMMMMM2",  "checkers:MMMMMMM3vK"};
	(void)state;
	check_slices(names, sizeof names / sizeof *names, cut_is_right);
}

/* ---- morris ---- */

/* White's men, identified by their class, then Black's on the remaining points. */
static bool morris_is_right(const struct el_slice *slice, uint64_t index)
{
	const unsigned white = slice->count[0][0], black = slice->count[1][0], points = 24;
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	const size_t count = slice->game->index_steps(slice, index, step);
	bool right = count == 2 && chain_is_right(step, count, index) && step[0].classed &&
	             !step[0].squares && !step[1].classed && group_is_right(&step[1]) &&
	             step[1].skips && step[0].count == white && step[1].count == black &&
	             step[1].squares == points - white && step[1].area_count == points &&
	             step[0].base == 0 && step[1].base == 0 &&
	             (uint64_t)step[0].radix * step[1].radix == slice->positions;
	for (unsigned i = 0; i < step[0].count; i++)
		right = right && step[0].piece[i].side == EL_WHITE && step[0].piece[i].kind == 0;
	for (unsigned i = 0; i < step[1].count; i++)
		right = right && step[1].piece[i].side == EL_BLACK && step[1].piece[i].kind == 0;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		right = right && agrees_with_unplace(slice, plane, index, step, count);
	return right;
}

static void test_morris(void **state)
{
	static const char *const names[] = {"morris:3v3",     "morris:4v3",     "morris:0v0+3+3",
	                                    "morris:3v0+2+3", "morris:2v1+1+2", "morris:3v2+1+1"};
	(void)state;
	check_slices(names, sizeof names / sizeof *names, morris_is_right);
}

/* ---- awari ---- */

enum { ROW_PITS = 6, BARS = ROW_PITS - 1 };

/* The stones between the bars, and before and behind them. */
static bool bars_are_right(const struct el_index_step *s, unsigned side,
                           const uint8_t row[ROW_PITS])
{
	unsigned behind = 0, stones = 0;
	bool right = s->bars && s->count == BARS && !s->area_count && !s->skips && !s->classed &&
	             group_is_right(s);
	for (unsigned pit = 0; pit < ROW_PITS; pit++)
		stones += row[pit];
	for (unsigned i = 0; i < BARS; i++) {
		behind += row[i];
		right = right && s->piece[i].number == behind + i && s->piece[i].side == side &&
		        s->piece[i].square == side * ROW_PITS + i;
	}
	return right && s->squares == stones + BARS;
}

/* Boards with fewer stones in South's pits. */
static uint64_t fewer_in_own_pits(unsigned stones, unsigned own)
{
	uint64_t boards = 0;
	for (unsigned fewer = 0; fewer < own; fewer++)
		boards += pascal[fewer + BARS][BARS] * pascal[stones - fewer + BARS][BARS];
	return boards;
}

static bool awari_is_right(const struct el_slice *slice, uint64_t index)
{
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	struct el_position position;
	const size_t count = slice->game->index_steps(slice, index, step);
	uint64_t after = 0;
	bool right = slice->game->unplace(slice, 0, index, &position) && count == 2 &&
	             bars_are_right(&step[0], EL_WHITE, position.pits) &&
	             bars_are_right(&step[1], EL_BLACK, position.pits + ROW_PITS) &&
	             step[0].base == 0 && !step[0].base_is && !step[1].base_is == !step[1].base &&
	             step[1].base == fewer_in_own_pits(slice->pieces, step[0].squares - BARS);
	for (size_t i = 0; i < count; i++) {
		right = right && step[i].before == after && step[i].rank < step[i].radix &&
		        step[i].after == after * step[i].radix + step[i].rank + step[i].base;
		after = step[i].after;
	}
	return right && after == index;
}

static void test_awari(void **state)
{
	static const char *const names[] = {"awari:0", "awari:1", "awari:2", "awari:6", "awari:8"};
	(void)state;
	check_slices(names, sizeof names / sizeof *names, awari_is_right);
	const struct el_slice all = slice_named("awari:48");
	for (uint64_t n = 0; n < 1000; n++)
		assert_true(awari_is_right(&all, all.positions / 1000 * n + n * n));
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	assert_int_equal(all.game->index_steps(&all, all.positions, step), 0);
}

/* ---- names ---- */

/* The groups of an index, joined. */
static void assert_groups(const char *slice_name, uint64_t index, const char *expected)
{
	const struct el_slice slice = slice_named(slice_name);
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	char text[EL_INDEX_STEPS_MAX * (EL_INDEX_GROUP_MAX + 2)] = "";
	const size_t count = slice.game->index_steps(&slice, index, step);
	for (size_t i = 0; i < count; i++) {
		strcat(text, i ? ", " : "");
		strcat(text, step[i].group);
	}
	assert_string_equal(text, expected);
}

static void test_names(void **state)
{
	(void)state;
	assert_groups("KBBvK", 0, "kings, 2 white bishops");
	assert_groups("KRvKP", 0, "kings, white rook, black pawn");
	assert_groups("checkers:MMvM", 0,
	              "no white men in the bottom row, 2 white men above it, black man");
	assert_groups("checkers:KMMM7vMMMM2", 0,
	              "no white men below rank 7, 3 white men on rank 7, 4 black men, white king");
	assert_groups("checkers:MMMM6vMMMM5", 0,
	              "no white men below rank 4, no white men on rank 4, 4 white men above it, 4 "
	              "black men");
	assert_groups("checkers:KMMMMMM2vK", 0, "6 white men, white king, black king");
	assert_groups("morris:4v3", 7, "4 white men, 3 black men");
	assert_groups("awari:3", 0, "0 stones of South, 3 stones of North");
	assert_groups("awari:1", 7, "1 stone of South, 0 stones of North");
	assert_groups("checkers:KMvKM", slice_named("checkers:KMvKM").positions - 1,
	              "white man in the bottom row, no white men above it, black man, white king, "
	              "black king");
}

/* ---- symmetry ---- */

static unsigned changed(unsigned changes, unsigned square)
{
	square ^= changes & EL_MIRRORED ? 7 : 0;
	square ^= changes & EL_FLIPPED ? 56 : 0;
	return changes & EL_TRANSPOSED ? square % 8 * 8 + square / 8 : square;
}

static struct el_position image_of(const struct el_game *game, const struct el_position *p,
                                   unsigned changes)
{
	struct el_position from = *p, out = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
	if (changes & EL_SWAPPED)
		game->swap_colours(p, &from);
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		for (unsigned square = 0; square < 64; square++)
			if (from.set[i / EL_KINDS][i % EL_KINDS] >> square & 1)
				out.set[i / EL_KINDS][i % EL_KINDS] |= UINT64_C(1)
				                                       << changed(changes, square);
	out.side = from.side;
	return out;
}

/* The transformations bring the position to its place, and no smaller set of them does. */
static void assert_symmetry(const struct el_slice *slice, const struct el_position *p)
{
	const struct el_game *game = slice->game;
	const unsigned changes = game->symmetry(p);
	struct el_place place;
	struct el_position representative;
	assert_true(game->place(p, &place));
	assert_true(game->unplace(slice, place.plane, place.index, &representative));
	for (unsigned other = 0; other < 16; other++) {
		const struct el_position image = image_of(game, p, other);
		const bool fits = image.side == representative.side &&
		                  !memcmp(image.set, representative.set, sizeof image.set);
		if (other == changes)
			assert_true(fits);
		else if (__builtin_popcount(other) < __builtin_popcount(changes))
			assert_false(fits);
	}
}

static void test_symmetry(void **state)
{
	static const char *const names[] = {"KQvK",  "KBBvK",         "KRvKP",         "KPvKP",
	                                    "KRvKR", "checkers:KMvK", "checkers:MMvMM"};
	uint64_t seed = 462;
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct el_slice slice = slice_named(names[i]);
		for (unsigned n = 0; n < 2000; n++) {
			const struct el_position p = random_position(&slice, &seed);
			assert_symmetry(&slice, &p);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chess),    cmocka_unit_test(test_castling),
		cmocka_unit_test(test_draughts), cmocka_unit_test(test_cut_draughts),
		cmocka_unit_test(test_morris),   cmocka_unit_test(test_awari),
		cmocka_unit_test(test_names),    cmocka_unit_test(test_symmetry),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}

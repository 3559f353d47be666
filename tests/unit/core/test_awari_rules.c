/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of Awari and Oware against the tests' own (awele.h): the board, counts of move sequences, and
   every move of all boards with few stones and of many random ones. */
#include "tests/fixtures/awari_fixture.h"
#include "tests/fixtures/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The rules of the run: every test goes through both games (main). */
static const struct el_game *game = &el_awari;

/* ---- the board ---- */

/* North's pits are above South's, so stones go round anticlockwise. */
static void test_pits(void **state)
{
	static const char *const rows[] = {"ABCDEF", "fedcba"};
	unsigned pits = 0;
	char name[4];
	(void)state;
	for (unsigned file = 0; file < 9; file++)
		for (unsigned rank = 0; rank < 9; rank++) {
			const uint8_t pit = game->square_at(file, rank);
			unsigned back_file, back_rank;
			if (file >= AWELE_ROW || rank > 1) {
				assert_int_equal(pit, EL_NO_SQUARE);
				continue;
			}
			game->square_name(pit, name);
			assert_int_equal(name[0], rows[rank][file]);
			assert_int_equal(name[0], awele_name(pit));
			assert_int_equal(name[1], '\0');
			assert_true(el_square_find(game, pit, &back_file, &back_rank));
			assert_true(back_file == file && back_rank == rank);
			pits++;
		}
	assert_int_equal(pits, AWELE_PITS);
	assert_int_equal(game->files, AWELE_ROW);
	assert_int_equal(game->ranks, 2);
}

static void test_taken(void **state)
{
	const struct el_position position = position_of("1-0-0-0-0-2-0-13-0-0-0-1-0-0-S");
	(void)state;
	for (uint8_t pit = 0; pit < 64; pit++) {
		unsigned side = 7;
		const bool taken = el_square_taken(game, &position, pit, &side);
		assert_int_equal(taken, pit < AWELE_PITS && position.pits[pit]);
		assert_int_equal(side, taken ? pit / AWELE_ROW : 7);
	}
	assert_int_equal(el_piece_count(&position), 17);
}

static void test_images(void **state)
{
	static const char *const expected[IMAGES] = {
		"1-2-3-4-5-6-0-0-0-0-0-7-8-12-S",
		"1-2-3-4-5-6-0-0-0-0-0-7-8-12-S",
		"0-0-0-0-0-7-1-2-3-4-5-6-12-8-N",
		"0-0-0-0-0-7-1-2-3-4-5-6-12-8-N",
	};
	const struct el_position position = position_of(expected[0]);
	struct el_position images[IMAGES];
	(void)state;
	images_of(game, &position, images);
	for (unsigned i = 0; i < IMAGES; i++) {
		char text[EL_FEN_MAX];
		el_awari.format(&images[i], text);
		assert_string_equal(text, expected[i]);
	}
}

/* ---- counts ---- */

static uint64_t perft(const struct el_position *position, unsigned depth)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_position next;
	const size_t count = game->moves(position, moves);
	uint64_t leaves = 0;
	if (depth <= 1)
		return depth ? count : 1;
	for (size_t i = 0; i < count; i++) {
		game->play(position, &moves[i], &next);
		leaves += perft(&next, depth - 1);
	}
	return leaves;
}

/* The counts of Sala Soler's Aalina; see test_awele.c. */
static void test_perft(void **state)
{
	static const uint64_t known[] = {1, 6, 36, 190, 1014, 5219, 27332, 139157, 711414};
	const struct el_position opening = position_of(game->first);
	const unsigned most = test_stride() > 1 ? 5 : 8;
	uint64_t seed = 7;
	(void)state;
	for (unsigned depth = 0; depth <= most; depth++)
		assert_int_equal(perft(&opening, depth), known[depth]);
	for (unsigned n = 0; n < 400 / test_stride() + 20; n++) {
		const struct el_position position = awari_heaps(1 + n % AWELE_STONES, &seed);
		const struct awele_board board = awari_to_awele(game, &position);
		for (unsigned depth = 0; depth <= 5; depth++)
			assert_int_equal(perft(&position, depth), awele_perft(&board, depth));
	}
}

/* ---- every move ---- */

static void check_clocks(const struct el_position *before, const struct el_position *after,
                         unsigned gain)
{
	assert_int_equal(after->halfmove, gain ? 0 : before->halfmove + 1);
	assert_int_equal(after->fullmove, before->fullmove + (before->side == EL_BLACK));
	assert_int_equal(after->en_passant, EL_NO_SQUARE);
	assert_int_equal(after->castling, 0);
}

/* One move in both implementations: its pit, where its last stone falls, what it captures and
   where, and the board after it; also played in place, and read back from its words. */
static void check_move(const struct el_position *position, const struct el_move *move,
                       const struct awele_move *own)
{
	const struct el_position expected = awari_from_awele(&own->after);
	struct el_position after, same = *position;
	struct el_move read;
	struct el_error error = {.text = ""};
	assert_int_equal(move->from, own->pit);
	assert_int_equal(move->to, own->last);
	assert_int_equal(move->captured, own->emptied);
	assert_int_equal(move->kind, 0);
	assert_int_equal(move->becomes, 0);
	assert_int_equal(game->gain(position, move), own->captured);
	assert_int_equal(el_move_gain(game, position, move), own->captured);
	assert_int_equal(el_move_ends(game, &el_score, position, move, own->captured),
	                 own->captured > 0);
	game->play(position, move, &after);
	check_clocks(position, &after, own->captured);
	assert_true(el_position_equal(&after, &expected));
	assert_memory_equal(after.stores, expected.stores, sizeof after.stores);
	assert_true(game->legal(&after, NULL) == game->legal(position, NULL));
	game->play(&same, move, &same);
	assert_memory_equal(&same, &after, sizeof same);
	for (unsigned notation = EL_SAN; notation <= EL_UCI; notation++) {
		char text[EL_MOVE_MAX];
		const char name[] = {awele_name(own->pit), '\0'};
		game->write_move(position, move, (enum el_notation)notation, text);
		assert_string_equal(text, name);
		assert_int_equal(game->read_move(position, text, &read, &error), EL_OK);
		assert_true(el_move_equal(&read, move));
	}
}

/* Letters of pits without a move are refused. */
static void check_letters(const struct el_position *position, const struct awele_move *own,
                          size_t count)
{
	for (unsigned pit = 0; pit < AWELE_PITS; pit++) {
		const char name[] = {awele_name(pit), '\0'};
		struct el_move move;
		bool found = false;
		for (size_t i = 0; i < count; i++)
			found |= own[i].pit == pit;
		assert_int_equal(game->read_move(position, name, &move, NULL),
		                 found ? EL_OK : EL_NEGATIVE);
	}
}

static void check_moves(const struct el_position *position)
{
	const struct awele_board board = awari_to_awele(game, position);
	struct el_move moves[EL_MOVES_MAX], captures[EL_MOVES_MAX];
	struct awele_move own[AWELE_MOVES];
	const size_t count = game->moves(position, moves),
		     takes = game->captures(position, captures);
	size_t taken = 0;
	assert_int_equal(count, awele_moves(&board, own));
	for (size_t i = 0; i < count; i++) {
		check_move(position, &moves[i], &own[i]);
		if (moves[i].captured)
			assert_true(taken < takes && el_move_equal(&captures[taken++], &moves[i]));
	}
	assert_int_equal(taken, takes);
	check_letters(position, own, count);
	assert_false(game->in_check(position));
	assert_false(game->drawn(position));
}

/* A side without a move loses the remaining stones. */
static bool check_end(const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_value value = {.plies = 99};
	const int stones = (int)el_piece_count(position);
	const bool over = !game->moves(position, moves);
	assert_int_equal(el_game_value(game, position, &value), over);
	if (over) {
		assert_int_equal(game->stuck(position).outcome, stones ? EL_LOSS : EL_DRAW);
		assert_true(el_value_equal(value, el_value_of_stones(-stones)));
		assert_true(el_value_equal(game->stuck(position), value));
	}
	return over;
}

struct visit {
	uint64_t count, over;
};

static void visit_board(const struct awele_board *board, struct visit *v)
{
	const struct awele_board turned = awele_turned(board);
	const struct el_position south = awari_from_awele(board), north = awari_from_awele(&turned);
	check_moves(&south);
	check_moves(&north);
	v->over += check_end(&south);
	assert_int_equal(check_end(&north), check_end(&south));
	v->count++;
}

/* Puts the remaining stones into the pits from `pit` on, in every way. */
static void each_board(struct awele_board *board, unsigned pit, unsigned left, struct visit *v)
{
	if (pit == AWELE_PITS - 1) {
		board->pit[pit] = (unsigned char)left;
		if (v->count++ % test_stride() == 0) {
			v->count--;
			visit_board(board, v);
		}
		return;
	}
	for (unsigned in = 0; in <= left; in++) {
		board->pit[pit] = (unsigned char)in;
		each_board(board, pit + 1, left - in, v);
	}
}

static void test_all_boards(void **state)
{
	static const uint64_t boards[] = {1, 12, 78, 364, 1365, 4368, 12376, 31824},
			      over[] = {1, 6, 21, 56, 126, 252, 462, 792};
	(void)state;
	for (unsigned stones = 0; stones < sizeof boards / sizeof *boards; stones++) {
		struct awele_board board = {.side = 'S', .oware = game == &el_oware};
		struct visit v = {0};
		each_board(&board, 0, stones, &v);
		assert_int_equal(v.count, boards[stones]);
		if (test_stride() == 1)
			assert_int_equal(v.over, over[stones]);
	}
}

/* With empty stores, or with all 48 stones in the game. */
static void test_random_boards(void **state)
{
	uint64_t seed = 48;
	(void)state;
	for (unsigned n = 0; n < 60000 / test_stride() + 200; n++) {
		struct el_position position = awari_heaps(n % (AWELE_STONES + 1), &seed);
		if (n % 2) {
			const unsigned left = AWELE_STONES - el_piece_count(&position);
			position.stores[0] = (uint8_t)(random_next(&seed) % (left + 1));
			position.stores[1] = (uint8_t)(left - position.stores[0]);
		}
		position.halfmove = (uint16_t)(n % 1000);
		check_moves(&position);
		check_end(&position);
	}
}

/* Plays until a side cannot move. No stone is lost. */
static void test_random_games(void **state)
{
	uint64_t seed = 18;
	unsigned over = 0;
	(void)state;
	for (unsigned n = 0; n < 200 / test_stride() + 5; n++) {
		struct el_position position = position_of(game->first);
		for (unsigned ply = 0; ply < 500; ply++) {
			struct el_move moves[EL_MOVES_MAX];
			const size_t count = game->moves(&position, moves);
			assert_int_equal(game->check(&position, NULL), EL_OK);
			check_moves(&position);
			over += check_end(&position);
			if (!count)
				break;
			game->play(&position, &moves[(random_next(&seed) >> 20) % count],
			           &position);
		}
	}
	assert_true(over > 0);
}

/* ---- by hand ---- */

static void test_play(void **state)
{
	static const struct {
		const char *before, *move;
		unsigned gain;
		const char *after[2]; /* in oware: null if the same */
	} cases[] = {
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "C", 0, {"4-4-0-5-5-5-5-4-4-4-4-4-0-0-N"}},
		/* Sowing skips the pit of origin, from twelve stones on. */
		{"12-0-0-0-0-0-0-0-0-0-0-0-0-0-S", "A", 0, {"0-2-1-1-1-1-1-1-1-1-1-1-0-0-N"}},
		{"0-0-23-0-0-0-0-0-0-0-0-0-0-0-S", "C", 0, {"2-2-0-3-2-2-2-2-2-2-2-2-0-0-N"}},
		/* One pit, several, never one's own; the chain ends at a pit that does not hold two
		   or three. */
		{"0-0-0-0-0-1-1-1-0-0-0-0-0-0-S", "F", 2, {"0-0-0-0-0-0-0-1-0-0-0-0-2-0-N"}},
		{"0-0-0-0-0-16-0-0-0-0-0-0-0-0-S", "F", 10, {"1-1-1-1-1-0-0-0-0-0-0-1-10-0-N"}},
		{"0-0-0-0-3-0-3-1-0-1-0-0-0-0-S", "E", 2, {"0-0-0-0-0-1-4-0-0-1-0-0-2-0-N"}},
		{"1-2-1-0-0-0-0-0-0-0-1-2-0-7-N", "f", 5, {"0-0-1-0-0-0-0-0-0-0-1-0-0-12-S"}},
		{"1-0-0-0-0-7-1-1-1-1-1-1-0-0-S", "F", 0, {"2-0-0-0-0-0-2-2-2-2-2-2-0-0-N"}},
		/* All stones of the other side, if there is nothing else; none in oware. */
		{"0-0-0-0-0-2-1-1-0-0-0-0-20-9-S",
	         "F",
	         4,
	         {"0-0-0-0-0-0-0-0-0-0-0-0-24-9-N", "0-0-0-0-0-0-2-2-0-0-0-0-20-9-N"}},
		{"0-0-0-0-0-0-33-0-0-0-0-0-0-0-N",
	         "a",
	         18,
	         {"0-0-0-0-0-0-0-3-3-3-3-3-0-18-S", "3-3-3-3-3-3-0-3-3-3-3-3-0-0-S"}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct awele_board board = awele_read(cases[i].before);
		struct el_position position = awari_from_awele(&board);
		struct el_move move;
		const bool spares = game == &el_oware && cases[i].after[1];
		const unsigned gain = spares ? 0 : cases[i].gain;
		char text[EL_FEN_MAX];
		position.halfmove = 7;
		position.fullmove = UINT16_MAX;
		assert_int_equal(game->read_move(&position, cases[i].move, &move, NULL), EL_OK);
		assert_int_equal(game->gain(&position, &move), gain);
		game->play(&position, &move, &position);
		el_awari.format(&position, text);
		assert_string_equal(text, cases[i].after[spares]);
		assert_int_equal(position.halfmove, gain ? 0 : 8);
		assert_int_equal(position.fullmove, UINT16_MAX);
	}
}

/* Feeding, and capturing all. */
static void test_allowed(void **state)
{
	/* the board, its moves, and those in oware if they differ */
	static const char *const cases[][3] = {
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "ABCDEF"},
		{"4-0-4-0-4-4-5-0-0-5-4-4-0-0-N", "adef"},
		{"1-0-0-0-0-1-0-0-0-0-0-0-0-0-S", "F"},
		{"1-0-0-3-2-1-0-0-0-0-0-0-0-0-S", "DEF"},
		{"5-4-3-2-1-0-0-0-0-0-0-0-0-0-S", "ABCDE"},
		{"1-0-0-0-0-2-1-1-0-0-0-0-0-0-S", "A", "AF"},
		{"1-0-0-0-0-2-1-1-1-0-0-0-0-0-S", "AF"},
		{"0-0-0-0-0-2-1-1-0-0-0-0-0-0-S", "F"},
		{"1-0-0-0-0-17-0-0-0-0-0-0-0-0-S", "AF", "F"},
		{"1-0-0-0-0-16-0-0-0-0-0-0-0-0-S", "F"},
		{"0-0-0-0-0-0-1-2-3-0-0-0-0-0-S", ""},
		{"0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i][0]);
		struct el_move moves[EL_MOVES_MAX];
		char found[AWELE_MOVES + 1] = "";
		const size_t count = game->moves(&position, moves);
		for (size_t m = 0; m < count; m++)
			game->write_move(&position, &moves[m], EL_SAN, found + m);
		assert_string_equal(found, cases[i][1 + (game == &el_oware && cases[i][2])]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pits),         cmocka_unit_test(test_taken),
		cmocka_unit_test(test_images),       cmocka_unit_test(test_perft),
		cmocka_unit_test(test_all_boards),   cmocka_unit_test(test_random_boards),
		cmocka_unit_test(test_random_games), cmocka_unit_test(test_play),
		cmocka_unit_test(test_allowed),
	};
	const int failed = cmocka_run_group_tests_name("awari", tests, NULL, NULL);
	game = &el_oware;
	return failed + cmocka_run_group_tests_name("oware", tests, NULL, NULL);
}

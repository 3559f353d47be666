/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of random bits, at each public function that takes one: illegal ones are refused, and
   accepted ones are sound. */
#include "core/film/film.h"
#include "core/probe/probe.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Each game's queries, and slices for positions that are nearly legal. */
struct ground {
	const char *slices[3];
	struct el_library *library;
	struct el_film *film; /* of the first slice */
	struct el_answer answer;
	size_t refused, answered;
};

static uint64_t seed = 1;

static uint64_t few_bits(void)
{
	uint64_t set = random_next(&seed);
	for (int i = 0; i < 5; i++)
		set &= random_next(&seed);
	return set;
}

static void fill_random(void *out, size_t bytes)
{
	for (uint8_t *p = out; bytes--; p++)
		*p = (uint8_t)(random_next(&seed) >> 20);
}

/* Noise; few pieces; or a legal position of one of the slices with some bits changed. */
static struct el_position odd_position(const struct ground *g)
{
	struct el_position p;
	const unsigned kind = random_next(&seed) >> 20 & 7;
	fill_random(&p, sizeof p);
	if (kind == 0)
		return p;
	if (kind < 3) {
		for (unsigned i = 0; i < 2 * EL_KINDS; i++)
			p.set[i / EL_KINDS][i % EL_KINDS] = few_bits();
		p.side &= kind == 1 ? 1 : 255;
		p.en_passant |= kind == 1 ? 255 : 0;
		p.castling &= kind == 1 ? 0 : 255;
		return p;
	}
	const struct el_slice slice = slice_named(g->slices[random_next(&seed) % 3]);
	p = random_position(&slice, &seed);
	for (uint64_t n = random_next(&seed) >> 20 & 3; n; n--) {
		const size_t bit = (size_t)(random_next(&seed) >> 20) % (8 * sizeof p);
		((uint8_t *)&p)[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	if (kind == 3)
		p.en_passant = (uint8_t)(random_next(&seed) >> 20);
	return p;
}

/* Legality by definition, asking the game only whether a king is in check. */
static void assert_sound(const struct el_game *game, const struct el_position *p)
{
	uint64_t occupied = 0, board = 0;
	assert_true(p->side <= EL_BLACK);
	for (unsigned rank = 0; rank < game->ranks; rank++)
		for (unsigned file = 0; file < game->files; file++) {
			const uint8_t square = game->square_at(file, rank);
			board |= square < 64 ? UINT64_C(1) << square : 0;
		}
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < EL_KINDS; kind++) {
			const uint64_t set = p->set[side][kind];
			assert_true(kind < strlen(game->kinds) || !set);
			assert_true(!(set & ~board) && !(set & occupied));
			assert_true(!(game->single >> kind & 1) || __builtin_popcountll(set) == 1);
			occupied |= set;
		}
	for (unsigned right = 0; right < 16; right++) {
		const uint64_t *set = p->set[right / 8];
		const unsigned first = right / 8 * 56, rook = first + right % 8;
		assert_true(!(p->castling >> right & 1) ||
		            (set[2] >> rook & 1 && set[0] >> first & 0x7e));
	}
	struct el_position turned = *p;
	turned.side = !p->side;
	turned.en_passant = EL_NO_SQUARE;
	assert_false(game->in_check(&turned));
}

/* The fast check must agree with the full one. */
static void look_at_place(const struct el_game *game, const struct el_position *p, bool legal)
{
	struct el_place place;
	struct el_slice slice;
	assert_int_equal(!game->check(p, NULL), legal);
	if (!game->place(p, &place)) {
		/* Bare kings, more pieces than a slice has, or rights to castle. */
		assert_true(!legal || game->drawn(p) || game->slice_of(p, &slice, NULL));
		return;
	}
	if (game->slice_of(p, &slice, NULL) == EL_OK && place.key == slice.key)
		assert_true(place.index < slice.positions && place.plane < slice.planes);
	assert_int_equal(game->legal(p, &place), legal);
}

/* Calls everything that accepts any position: sanitizers watch. */
static void look_at_words(const struct el_game *game, const struct el_position *p)
{
	char fen[EL_FEN_MAX];
	struct el_position other;
	struct el_slice slice;
	uint8_t square = (uint8_t)(random_next(&seed) >> 20);
	unsigned side, kind;
	game->format(p, fen);
	assert_true(strlen(fen) < sizeof fen);
	game->mirror(p, &other);
	game->swap_colours(p, &other);
	game->slice_of(p, &slice, NULL);
	game->drawn(p);
	el_piece_at(p, square, &side, &kind);
}

static void ask_library(struct ground *g, const struct el_game *game, const struct el_position *p,
                        bool legal)
{
	struct el_value value = {.outcome = EL_BROKEN};
	struct el_error why = {.text = ""}, error = {.text = ""};
	struct el_move moves[4];
	size_t count = 9;
	const struct el_metric *metric = el_metrics[random_next(&seed) % EL_METRICS];
	const enum el_probe_mode mode = random_next(&seed) >> 20 & 1;
	const struct el_question question = {
		.mode = mode,
		.metric = metric,
		.rule = (unsigned)(random_next(&seed) % (EL_RULE_MAX + 1)),
	};
	const enum el_status status =
		el_library_value(g->library, game, p, metric, mode, &value, &error);
	assert_int_equal(status == EL_USAGE, !legal);
	assert_true(status == EL_OK || status == EL_NEGATIVE || status == EL_USAGE);
	assert_true(status || value.outcome != EL_BROKEN);
	if (legal) {
		assert_int_equal(
			el_library_answer(g->library, game, p, &question, &g->answer, NULL), EL_OK);
		assert_int_not_equal(
			fixture_line(g->library, game, p, &question, moves, 4, &count, NULL),
			EL_USAGE);
		assert_true(count <= 4);
		g->answered += status == EL_OK;
		return;
	}
	g->refused++;
	assert_int_equal(el_library_answer(g->library, game, p, &question, &g->answer, &why),
	                 EL_USAGE);
	assert_true(!strncmp(why.text, "not a legal position: ", 22) && why.text[22]);
	assert_string_equal(why.text, error.text);
	assert_true(!g->answer.count && !g->answer.metric && *g->answer.why_unknown);
	assert_int_equal(fixture_line(g->library, game, p, &question, moves, 4, &count, NULL),
	                 EL_USAGE);
	assert_int_equal(count, 0);
}

static void ask_film(const struct ground *g, const struct el_position *p)
{
	struct el_film_move moves[EL_MOVES_MAX];
	const bool legal = !g->film->wish.slice.game->check(p, NULL);
	const size_t step = g->film->step_count - 1;
	assert_true(legal || el_film_value(g->film, p, step).value.outcome == EL_BROKEN);
	assert_true(legal == (el_film_reason(g->film, p, step).why != EL_FILM_WHY_BROKEN));
	assert_true(legal || !el_film_moves(g->film, p, moves));
}

static void ask_odd_positions(struct ground *g)
{
	const struct el_game *game = slice_named(g->slices[0]).game;
	for (unsigned i = 0; i < 60000 / test_stride() + 3500; i++) {
		const struct el_position p = odd_position(g);
		const bool legal = game->legal(&p, NULL);
		if (legal)
			assert_sound(game, &p);
		look_at_place(game, &p, legal);
		look_at_words(game, &p);
		ask_library(g, game, &p, legal);
		ask_film(g, &p);
	}
	assert_true(g->refused > 100 && g->answered > 100);
}

static void with_tables(struct ground *g)
{
	for (unsigned i = 0; i < 3; i++) {
		char name[32];
		snprintf(name, sizeof name, "%u.egt", i);
		const struct el_slice slice = slice_named(g->slices[i]);
		fixture_table_only(fixture_path(folder, name), g->slices[i],
		                   el_game_metric(slice.game));
	}
	g->library = fixture_library(folder, NULL);
	const struct el_slice slice = slice_named(g->slices[0]);
	const struct el_film_wish wish = {.slice = slice, .metric = el_game_metric(slice.game)};
	assert_int_equal(el_film_make(g->library, &wish, NULL, &g->film, NULL), EL_OK);
	ask_odd_positions(g);
	el_film_free(g->film);
	el_library_close(g->library);
}

static void test_chess(void **state)
{
	static struct ground g = {.slices = {"KQvK", "KBNvK", "KPvKP"}};
	(void)state;
	with_tables(&g);
}

static void test_checkers(void **state)
{
	static struct ground g = {.slices = {"checkers:KvK", "checkers:KMvK", "checkers:MMvM"}};
	(void)state;
	with_tables(&g);
}

/* ---- one fault at a time, with its words ---- */

static void expect_refused(const struct el_position *p, const struct el_game *game, const char *why)
{
	struct el_value value;
	struct el_error error = {.text = ""};
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(el_library_value(library, game, p, &el_wdl, EL_PROBE_FULL, &value, &error),
	                 EL_USAGE);
	assert_non_null(strstr(error.text, why));
	el_library_close(library);
}

/* A capture may leave the other side without a piece: no set-up, but the end of a game. */
static void test_the_last_piece(void **state)
{
	(void)state;
	struct el_position p = position_of("W:WK3,20:BK30");
	struct el_library *library = fixture_library(folder, NULL);
	struct el_value value;
	memset(p.set[EL_BLACK], 0, sizeof p.set[EL_BLACK]);
	p.side = EL_BLACK;
	assert_int_equal(
		el_library_value(library, &el_checkers, &p, &el_wdl, EL_PROBE_FULL, &value, NULL),
		EL_OK);
	assert_int_equal(value.outcome, EL_LOSS);
	el_library_close(library);
}

static void test_words(void **state)
{
	(void)state;
	const struct el_position right = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
	const struct el_position draughts = position_of("W:WK3,20:BK30");
	fixture_table_only(fixture_path(folder, "q.egt"), "KQvK", &el_dtm);
	struct el_position p = right;
	p.side = 7;
	expect_refused(&p, &el_chess, "side to move 7, expected 0 or 1");
	p = right;
	p.set[EL_BLACK][2] = p.set[EL_WHITE][1];
	expect_refused(&p, &el_chess, "two pieces are on b1");
	p = right;
	p.set[EL_BLACK][0] = 0;
	expect_refused(&p, &el_chess, "Black has no king");
	p = right;
	p.set[EL_WHITE][1] = UINT64_C(1) << 3;
	expect_refused(&p, &el_chess, "Black is in check with White to move");
	p = right;
	p.en_passant = 0;
	expect_refused(&p, &el_chess, "en passant on a1: expected a square on rank 6");
	p = right;
	memset(p.set[EL_WHITE] + 1, 255, sizeof p.set[EL_WHITE] - 8);
	expect_refused(&p, &el_chess, "pawns, expected at most 8");
	p = draughts;
	p.side = 2;
	expect_refused(&p, &el_checkers, "side to move 2, expected 0 or 1");
	p = draughts;
	p.set[EL_BLACK][5] = UINT64_C(1) << 7;
	expect_refused(&p, &el_checkers, "a piece that is neither king nor man");
	p = draughts;
	p.set[EL_WHITE][0] |= UINT64_C(1) << 40;
	expect_refused(&p, &el_checkers, "White has a piece off the 32 squares");
	p = draughts;
	memset(p.set[!p.side], 0, sizeof p.set[EL_BLACK]);
	expect_refused(&p, &el_checkers, "Black has no pieces");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_chess),
		IN_FOLDER(test_checkers),
		IN_FOLDER(test_the_last_piece),
		IN_FOLDER(test_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

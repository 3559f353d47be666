/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests' own draughts against published figures, before anything is compared with it. */
#include "tests/fixtures/tables.h"
#include "tests/oracles/draughts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT = 256 };

/* ---- rules ---- */

/* The opening, with Black to move: figures known to every author of a draughts program. */
static void test_perft(void **state)
{
	(void)state;
	static const unsigned long long known[] = {1,    7,     49,     302,   1469,
	                                           7361, 36768, 179740, 845931};
	struct draughts_board board = draughts_opening();
	for (unsigned plies = 0; plies < sizeof known / sizeof *known; plies++)
		assert_int_equal(draughts_perft(&board, plies), known[plies]);
}

/* "18-14 18x2:15,7 6-1=": a colon before the squares captured, = if a man is crowned. */
static void write_moves(const struct draughts_board *board, char out[TEXT])
{
	struct draughts_move moves[DRAUGHTS_MOVES];
	size_t count = draughts_moves(board, moves);
	int length = 0;
	out[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		const struct draughts_move *m = &moves[i];
		length += snprintf(out + length, (size_t)(TEXT - length), "%s%u%c%u", i ? " " : "",
		                   m->from, m->captures ? 'x' : '-', m->to);
		for (unsigned j = 0; j < m->captures; j++)
			length += snprintf(out + length, (size_t)(TEXT - length), "%c%u",
			                   j ? ',' : ':', m->captured[j]);
		if (m->crowns)
			length += snprintf(out + length, (size_t)(TEXT - length), "=");
	}
}

static void test_moves(void **state)
{
	(void)state;
	static const struct {
		const char *fen, *moves;
	} known[] = {
		{"W:WK18:BK1", "18-14 18-15 18-22 18-23"},
		{"W:W18:BK1", "18-14 18-15"},
		{"B:WK1:B18", "18-22 18-23"},
		{"W:W13:BK1", "13-9"},
		{"W:W12:BK1", "12-8"},
		{"W:W6:BK32", "6-1= 6-2="},
		{"B:WK1:B28", "28-32="},
		/* A capture is compulsory, but any will do; it goes on to its end. */
		{"W:W18,30:B15", "18x11:15"},
		{"W:WK18:B7,14,15", "18x9:14 18x2:15,7"},
		/* Men do not capture backwards. */
		{"W:W14:BK18", "14-9 14-10"},
		{"B:WK14:B18", "18-22 18-23"},
		/* A man stops where it is crowned, a king goes on. */
		{"W:W10:B7,8", "10x3:7="},
		{"W:WK10:B7,8", "10x12:7,8"},
		/* In a circle, both ways: its origin is empty, and nothing is captured twice. */
		{"W:WK10:B14,15,22,23", "10x10:14,22,23,15 10x10:15,23,22,14"},
		/* No room to jump, no room to move, no pieces. */
		{"W:W17:B13,14,9,10", ""},
		{"W:W5:B1", ""},
		{"W:W:BK1", ""},
	};
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		struct draughts_board board = draughts_read(known[i].fen);
		char found[TEXT];
		write_moves(&board, found);
		assert_string_equal(found, known[i].moves);
	}
}

/* Captured pieces leave the board, and a crowned man is a king. */
static void test_play(void **state)
{
	(void)state;
	struct draughts_board before = draughts_read("W:W10:B7,8");
	struct draughts_board after = draughts_read("B:WK3:B8");
	struct draughts_move moves[DRAUGHTS_MOVES];
	assert_int_equal(draughts_moves(&before, moves), 1);
	assert_memory_equal(&moves[0].after, &after, sizeof after);
}

/* ---- slices ---- */

typedef void for_slice(const char *name, void *context);

/* Calls for every material with that many pieces; returns the number. */
static unsigned for_each_slice(unsigned pieces, bool one_sided, for_slice *call, void *context)
{
	unsigned found = 0;
	for (unsigned number = 0; number < 5 * 5 * 5 * 5; number++) {
		unsigned count[] = {number % 5, number / 5 % 5, number / 25 % 5, number / 125};
		unsigned white = count[0] + count[1], black = count[2] + count[3];
		if (white + black != pieces || (!one_sided && (white == 0 || black == 0)))
			continue;
		char name[TEXT];
		snprintf(name, sizeof name, "%.*s%.*sv%.*s%.*s", (int)count[0], "KKKK",
		         (int)count[1], "MMMM", (int)count[2], "KKKK", (int)count[3], "MMMM");
		call(name, context);
		found++;
	}
	return found;
}

static void add_placements(const char *name, void *context)
{
	size_t *sum = context;
	*sum += draughts_placements(name, NULL, NULL);
}

/* The Chinook project's published numbers of placements: n pieces, no side to move. */
static void test_placements(void **state)
{
	(void)state;
	static const size_t known[] = {120, 6972, 261224, 7092774};
	for (unsigned pieces = 1; pieces <= 4; pieces++) {
		size_t sum = 0;
		for_each_slice(pieces, true, add_placements, &sum);
		assert_int_equal(sum, known[pieces - 1]);
	}
}

/* ---- the solver ---- */

struct solved {
	struct draughts *small; /* all slices of two and three pieces */
	struct draughts *large; /* KMvKM and all below; null where tests are slow */
};

static int solve(void **state)
{
	static struct solved solved;
	static const char *const small[] = {"MMvM", "MvMM", NULL}, *const large[] = {"KMvKM", NULL};
	solved.small = draughts_solve(small);
	solved.large = tests_are_slow() ? NULL : draughts_solve(large);
	*state = &solved;
	return 0;
}

static int let_go(void **state)
{
	struct solved *solved = *state;
	draughts_free(solved->small);
	if (solved->large)
		draughts_free(solved->large);
	return 0;
}

static struct draughts_value value_of(const struct draughts *d, const struct draughts_board *board)
{
	struct draughts_value value = {0};
	assert_true(draughts_lookup(d, board, &value));
	return value;
}

static void assert_value(const struct draughts *d, const char *fen, struct draughts_value known)
{
	struct draughts_board board = draughts_read(fen);
	struct draughts_value found = value_of(d, &board);
	assert_int_equal(found.outcome, known.outcome);
	assert_int_equal(found.dtw, known.dtw);
	assert_int_equal(found.dtc, known.dtc);
}

/* Positions whose value anyone can see. */
static void test_positions(void **state)
{
	const struct draughts *d = ((struct solved *)*state)->small;
	assert_value(d, "W:W:BK1", (struct draughts_value){DRAUGHTS_LOSS, 0, 0});
	assert_value(d, "W:W5:B1", (struct draughts_value){DRAUGHTS_LOSS, 0, 0});
	assert_value(d, "W:WK18:B15", (struct draughts_value){DRAUGHTS_WIN, 1, 1});
	/* White's king shuts Black's man in. */
	assert_value(d, "W:WK27:B28", (struct draughts_value){DRAUGHTS_WIN, 1, 1});
	/* Each has a corner of two squares to itself. */
	assert_value(d, "W:WK1:BK32", (struct draughts_value){DRAUGHTS_DRAW, 0, 0});
	/* Black's man has one move, to where it is taken. */
	assert_value(d, "B:WK19:B12", (struct draughts_value){DRAUGHTS_LOSS, 2, 2});
	/* It crowns and is shut in; its crowning ends the count to a conversion. */
	assert_value(d, "B:WK22,K30:B25", (struct draughts_value){DRAUGHTS_LOSS, 2, 1});
}

static bool has_jump(struct draughts_board board, char side)
{
	struct draughts_move moves[DRAUGHTS_MOVES];
	board.side = side;
	return draughts_moves(&board, moves) > 0 && moves[0].captures > 0;
}

struct tally {
	unsigned all[3], quiet[3]; /* by outcome; quiet: neither side has a jump */
	unsigned jumps;            /* wins by a jump */
	unsigned longest;          /* win */
};

static void count_white(const struct draughts_board *board, const struct draughts_value *value,
                        void *context)
{
	struct tally *tally = context;
	bool white = has_jump(*board, DRAUGHTS_WHITE), black = has_jump(*board, DRAUGHTS_BLACK);
	if (board->side != DRAUGHTS_WHITE)
		return;
	tally->all[value->outcome]++;
	tally->quiet[value->outcome] += !white && !black;
	tally->jumps += white && value->outcome == DRAUGHTS_WIN;
	if (value->outcome == DRAUGHTS_WIN && value->dtw > tally->longest)
		tally->longest = value->dtw;
}

/* King against king as reported by E. Trice's database builder on damforum.nl. Its count of the
   longest wins, 32, is left out: the moves, which test_values checks, give 34. */
static void test_kings(void **state)
{
	struct tally t = {0};
	draughts_each(((struct solved *)*state)->small, "KvK", count_white, &t);
	assert_int_equal(t.all[DRAUGHTS_WIN], 230);
	assert_int_equal(t.all[DRAUGHTS_DRAW], 654);
	assert_int_equal(t.all[DRAUGHTS_LOSS], 108);
	assert_int_equal(t.jumps, 72);
	assert_int_equal(t.quiet[DRAUGHTS_WIN], 140);
	assert_int_equal(t.quiet[DRAUGHTS_DRAW], 650);
	assert_int_equal(t.quiet[DRAUGHTS_LOSS], 108);
	assert_int_equal(t.longest, 11);
}

/* The moves of a position, valued from outside; the moves themselves show conversions. */
static struct draughts_value from_moves(const struct draughts *d,
                                        const struct draughts_board *board)
{
	struct draughts_move moves[DRAUGHTS_MOVES];
	size_t count = draughts_moves(board, moves), lost = 0, won = 0;
	struct draughts_value win = {DRAUGHTS_WIN, UINT32_MAX, UINT32_MAX};
	struct draughts_value loss = {DRAUGHTS_LOSS, 0, 0};
	for (size_t i = 0; i < count; i++) {
		struct draughts_value v = value_of(d, &moves[i].after);
		bool converts = moves[i].captures > 0 || moves[i].crowns;
		unsigned dtw = v.dtw + 1, dtc = converts ? 1 : v.dtc + 1;
		if (v.outcome == DRAUGHTS_LOSS) {
			won++;
			win.dtw = dtw < win.dtw ? dtw : win.dtw;
			win.dtc = dtc < win.dtc ? dtc : win.dtc;
		} else if (v.outcome == DRAUGHTS_WIN) {
			lost++;
			loss.dtw = dtw > loss.dtw ? dtw : loss.dtw;
			loss.dtc = dtc > loss.dtc ? dtc : loss.dtc;
		}
	}
	return won ? win : lost == count ? loss : (struct draughts_value){.outcome = DRAUGHTS_DRAW};
}

/* The same position with the board turned round and the colours exchanged. */
static struct draughts_board turned(const struct draughts_board *board)
{
	static const char kinds[] = "KkMm", swapped[] = "kKmM";
	struct draughts_board out = draughts_read("W:W:B");
	for (unsigned square = 1; square <= DRAUGHTS_SQUARES; square++) {
		const char *kind = strchr(kinds, board->at[square]);
		out.at[DRAUGHTS_SQUARES + 1 - square] = kind ? swapped[kind - kinds] : '.';
	}
	out.side = board->side == DRAUGHTS_WHITE ? DRAUGHTS_BLACK : DRAUGHTS_WHITE;
	return out;
}

static bool same(struct draughts_value a, struct draughts_value b)
{
	return a.outcome == b.outcome && a.dtw == b.dtw && a.dtc == b.dtc;
}

struct check {
	const struct draughts *d;
	unsigned long positions, stride; /* positions seen; one in so many is examined */
};

static void check_position(const struct draughts_board *board, const struct draughts_value *value,
                           void *context)
{
	struct check *check = context;
	if (check->positions++ % check->stride)
		return;
	struct draughts_board other = turned(board);
	assert_true(same(*value, value_of(check->d, board)));
	assert_true(same(*value, from_moves(check->d, board)));
	assert_true(same(*value, value_of(check->d, &other)));
}

static void check_slice(const char *name, void *context)
{
	struct check *check = context;
	draughts_each(check->d, name, check_position, check);
}

/* Values follow from the moves, which determines them: each depth has a smaller one behind it, and
   a drawn side has no way to win. They are the same with the colours exchanged. */
static void test_values(void **state)
{
	const struct solved *solved = *state;
	struct check small = {.d = solved->small, .stride = tests_are_slow() ? 97 : 1};
	assert_int_equal(for_each_slice(2, false, check_slice, &small), 4);
	assert_int_equal(for_each_slice(3, false, check_slice, &small), 12);
	if (!solved->large)
		return;
	struct check large = {.d = solved->large, .stride = 7};
	check_slice("KMvKM", &large);
}

/*
 * The "first position" of the textbooks, White to move and win, and the line of the American
 * Checker Federation (acfcheckers.com, "Standard Positions", trunk). At its 20th move Newell Banks
 * once played 15-18 and drew. The line turns out to have no slip: each of White's moves wins, and
 * brings the win nearer.
 */
static void test_first_position(void **state)
{
	static const char *const line[] = {
		"15-19", "28-32", "20-16", "32-28", "16-11", "28-32", "11-7",  "32-28", "7-3",
		"28-32", "3-7",   "32-28", "7-10",  "28-32", "10-15", "32-28", "15-18", "28-32",
		"18-23", "32-28", "23-27", "28-32", "19-23", "32-28", "27-32", "28-24", "23-18",
		"24-28", "18-15", "28-24", "32-28", "24-27", "15-18", "12-16", "28-32", "27-24",
		"18-15", "24-28", "15-11", "16-19", "32-27", "28-32", "27-31", "32-28", "11-15",
	};
	const struct draughts *d = ((struct solved *)*state)->large;
	if (!d)
		skip();
	struct draughts_board board = draughts_read("W:WK15,20:BK28,12");
	unsigned depth = value_of(d, &board).dtw;
	for (unsigned ply = 0; ply < sizeof line / sizeof *line; ply++) {
		struct draughts_move moves[DRAUGHTS_MOVES], *played = NULL;
		size_t count = draughts_moves(&board, moves);
		for (size_t i = 0; i < count; i++) {
			char text[TEXT];
			snprintf(text, sizeof text, "%u-%u", moves[i].from, moves[i].to);
			if (strcmp(text, line[ply]) == 0)
				played = &moves[i];
			if (ply == 38 && strcmp(text, "15-18") == 0)
				assert_int_equal(value_of(d, &moves[i].after).outcome,
				                 DRAUGHTS_DRAW);
		}
		assert_non_null(played);
		board = played->after;
		struct draughts_value value = value_of(d, &board);
		assert_int_equal(value.outcome, ply % 2 == 0 ? DRAUGHTS_LOSS : DRAUGHTS_WIN);
		assert_true(value.dtw < depth);
		depth = value.dtw;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perft),     cmocka_unit_test(test_moves),
		cmocka_unit_test(test_play),      cmocka_unit_test(test_placements),
		cmocka_unit_test(test_positions), cmocka_unit_test(test_kings),
		cmocka_unit_test(test_values),    cmocka_unit_test(test_first_position),
	};
	return cmocka_run_group_tests(tests, solve, let_go);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests' own Awari against known facts, before anything is compared with it. */
#include "tests/fixtures/tables.h"
#include "tests/oracles/awele.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The rules of the run: every test goes through both games (main). */
static bool oware;

static struct awele_board read_board(const char *text)
{
	struct awele_board board = awele_read(text);
	board.oware = oware;
	return board;
}

/* ---- rules, worked out by hand ---- */

static void test_texts(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
		"0-0-0-0-0-0-0-0-0-0-0-0-24-24-N",
		"12-0-0-3-0-1-0-10-0-0-0-2-17-3-N",
	};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct awele_board board = awele_read(texts[i]),
					 turned = awele_turned(&board),
					 back = awele_turned(&turned);
		char text[AWELE_TEXT];
		awele_write(&board, text);
		assert_string_equal(text, texts[i]);
		assert_memory_equal(&back, &board, sizeof board);
	}
	const struct awele_board opening = awele_opening(), read = awele_read(texts[0]);
	assert_memory_equal(&opening, &read, sizeof read);
	const struct awele_board board = awele_read("1-2-3-4-5-6-0-0-0-0-0-7-8-9-S");
	const struct awele_board turned = awele_turned(&board);
	char text[AWELE_TEXT];
	awele_write(&turned, text);
	assert_string_equal(text, "0-0-0-0-0-7-1-2-3-4-5-6-9-8-N");
}

/* A move by its name: where its last stone falls, the pits that it captures, the board after it. */
static const struct {
	const char *before;
	char name, last;
	const char *emptied, *after;
} sown[] = {
	/* Four stones, from either side. */
	{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 'C', 'a', "", "4-4-0-5-5-5-5-4-4-4-4-4-0-0-N"},
	{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-N", 'f', 'D', "", "5-5-5-5-4-4-4-4-4-4-4-0-0-0-S"},
	/* Eleven stones reach every other pit; the twelfth skips the pit of origin. */
	{"11-0-0-0-0-0-0-0-0-0-0-0-0-0-S", 'A', 'f', "", "0-1-1-1-1-1-1-1-1-1-1-1-0-0-N"},
	{"12-0-0-0-0-0-0-0-0-0-0-0-0-0-S", 'A', 'B', "", "0-2-1-1-1-1-1-1-1-1-1-1-0-0-N"},
	{"0-0-0-0-0-12-0-0-0-0-0-0-0-0-S", 'F', 'a', "a", "1-1-1-1-1-0-0-1-1-1-1-1-2-0-N"},
	{"0-0-0-0-14-0-0-0-0-0-0-0-0-0-S", 'E', 'b', "ab", "1-1-1-1-0-2-0-0-1-1-1-1-4-0-N"},
	{"0-0-0-0-0-16-0-0-0-0-0-0-0-0-S", 'F', 'e', "abcde", "1-1-1-1-1-0-0-0-0-0-0-1-10-0-N"},
	/* Twice eleven and one; three times eleven. */
	{"0-0-23-0-0-0-0-0-0-0-0-0-0-0-S", 'C', 'D', "", "2-2-0-3-2-2-2-2-2-2-2-2-0-0-N"},
	{"0-0-0-0-0-0-33-0-0-0-0-0-0-0-N", 'a', 'F', "ABCDEF", "0-0-0-0-0-0-0-3-3-3-3-3-0-18-S"},
	/* One pit, two, three. */
	{"0-0-0-0-0-1-1-1-0-0-0-0-0-0-S", 'F', 'a', "a", "0-0-0-0-0-0-0-1-0-0-0-0-2-0-N"},
	{"0-0-0-0-3-0-1-2-0-1-0-0-0-0-S", 'E', 'b', "ab", "0-0-0-0-0-1-0-0-0-1-0-0-5-0-N"},
	{"0-0-0-0-0-3-1-2-1-5-0-0-0-0-S", 'F', 'c', "abc", "0-0-0-0-0-0-0-0-0-5-0-0-7-0-N"},
	/* North captures, but not from its own pits. */
	{"1-2-1-0-0-0-0-0-0-0-1-2-0-7-N", 'f', 'B', "AB", "0-0-1-0-0-0-0-0-0-0-1-0-0-12-S"},
	/* The pit before the last has four, or one. */
	{"0-0-0-0-3-0-3-1-0-1-0-0-0-0-S", 'E', 'b', "b", "0-0-0-0-0-1-4-0-0-1-0-0-2-0-N"},
	{"0-0-0-0-0-3-1-0-1-0-0-0-0-0-S", 'F', 'c', "c", "0-0-0-0-0-0-2-1-0-0-0-0-2-0-N"},
	/* The last pit has four: two in the pit before it are safe. */
	{"0-0-0-0-0-2-1-3-0-0-0-0-0-0-S", 'F', 'b', "", "0-0-0-0-0-0-2-4-0-0-0-0-0-0-N"},
	/* The last pit is the mover's own. */
	{"1-1-0-0-0-0-1-0-0-0-0-0-0-0-S", 'A', 'B', "", "0-2-0-0-0-0-1-0-0-0-0-0-0-0-N"},
	{"1-0-0-0-0-7-1-1-1-1-1-1-0-0-S", 'F', 'A', "", "2-0-0-0-0-0-2-2-2-2-2-2-0-0-N"},
};

static struct awele_move find_move(const struct awele_board *board, char name)
{
	struct awele_move moves[AWELE_MOVES];
	const size_t count = awele_moves(board, moves);
	for (size_t i = 0; i < count; i++)
		if (awele_name(moves[i].pit) == name)
			return moves[i];
	fail_msg("no move %c", name);
	return moves[0];
}

static void test_sowing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof sown / sizeof *sown; i++) {
		const struct awele_board before = awele_read(sown[i].before);
		const struct awele_move move = find_move(&before, sown[i].name);
		char after[AWELE_TEXT], emptied[AWELE_PITS + 1], *p = emptied;
		for (unsigned pit = 0; pit < AWELE_PITS; pit++)
			if (move.emptied >> pit & 1)
				*p++ = awele_name(pit);
		*p = '\0';
		awele_write(&move.after, after);
		assert_string_equal(after, sown[i].after);
		assert_string_equal(emptied, sown[i].emptied);
		assert_int_equal(awele_name(move.last), sown[i].last);
		assert_int_equal(move.captured, awele_stones(&before) - awele_stones(&move.after));
	}
}

/* A move that would capture all that the other side has, in oware. */
static void test_sparing(void **state)
{
	static const struct {
		const char *before;
		char name;
		const char *after;
	} spared[] = {
		{"0-0-0-0-0-2-1-1-0-0-0-0-20-9-S", 'F', "0-0-0-0-0-0-2-2-0-0-0-0-20-9-N"},
		{"0-0-0-0-0-0-33-0-0-0-0-0-0-0-N", 'a', "3-3-3-3-3-3-0-3-3-3-3-3-0-0-S"},
		{"1-0-0-0-0-17-0-0-0-0-0-0-0-0-S", 'F', "2-1-1-1-1-0-2-2-2-2-2-2-0-0-N"},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof spared / sizeof *spared; i++) {
		struct awele_board board = awele_read(spared[i].before);
		char after[AWELE_TEXT];
		board.oware = true;
		const struct awele_move move = find_move(&board, spared[i].name);
		awele_write(&move.after, after);
		assert_string_equal(after, spared[i].after);
		assert_int_equal(move.captured + move.emptied, 0);
	}
}

/* A board, its moves, and those in oware if they differ. */
static const char *const allowed[][3] = {
	{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "ABCDEF"},
	{"4-4-4-0-4-4-5-5-5-5-4-4-0-0-N", "abcdef"},
	{"4-0-4-0-4-4-5-0-0-5-4-4-0-0-N", "adef"},
	/* The other side has no stones: they must be fed. */
	{"1-0-0-0-0-1-0-0-0-0-0-0-0-0-S", "F"},
	{"1-0-0-3-2-1-0-0-0-0-0-0-0-0-S", "DEF"},
	{"0-0-0-0-0-0-1-0-0-0-0-1-0-0-N", "f"},
	/* None can feed: all may be played. */
	{"1-1-0-0-0-0-0-0-0-0-0-0-0-0-S", "AB"},
	{"5-4-3-2-1-0-0-0-0-0-0-0-0-0-S", "ABCDE"},
	/* F would capture all: forbidden while A can be played. */
	{"1-0-0-0-0-1-1-0-0-0-0-0-0-0-S", "A", "AF"},
	{"1-0-0-0-0-2-1-1-0-0-0-0-0-0-S", "A", "AF"},
	{"1-0-0-0-0-2-1-1-1-0-0-0-0-0-S", "AF"},
	{"1-0-0-0-0-0-0-0-0-0-1-1-0-0-N", "e", "ef"},
	/* There is no other move. */
	{"0-0-0-0-0-1-1-0-0-0-0-0-0-0-S", "F"},
	{"0-0-0-0-0-2-1-1-0-0-0-0-0-0-S", "F"},
	/* A does not feed, and F captures all that it feeds. */
	{"1-0-0-0-0-17-0-0-0-0-0-0-0-0-S", "AF", "F"},
	/* With one stone less, F leaves one in f. */
	{"1-0-0-0-0-16-0-0-0-0-0-0-0-0-S", "F"},
	/* No stones, no move. */
	{"0-0-0-0-0-0-1-2-3-0-0-0-0-0-S", ""},
	{"9-0-0-0-0-0-0-0-0-0-0-0-0-0-N", ""},
	{"0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", ""},
};

static void test_allowed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		const struct awele_board board = read_board(allowed[i][0]);
		struct awele_move moves[AWELE_MOVES];
		char found[AWELE_MOVES + 1] = "";
		const size_t count = awele_moves(&board, moves);
		for (size_t m = 0; m < count; m++)
			found[m] = awele_name(moves[m].pit);
		assert_string_equal(found, allowed[i][oware && allowed[i][2] ? 2 : 1]);
	}
}

/* ---- rules, written once more ---- */

/* A board as the mover sees it, with pits 0 to 5 his, and after a move as the other side sees
   it. */
struct seen {
	unsigned char pit[AWELE_PITS];
};

struct reply {
	unsigned pit, captured;
	struct seen next;
};

static unsigned row_of(const struct seen *s)
{
	unsigned stones = 0;
	for (unsigned pit = 0; pit < AWELE_ROW; pit++)
		stones += s->pit[pit];
	return stones;
}

/* Divides stones instead of sowing them: each other pit gets one for every eleven, and the first
   pits get one more of the remainder. */
static struct reply divide(const struct seen *s, unsigned from)
{
	const unsigned rounds = s->pit[from] / 11, rest = s->pit[from] % 11;
	unsigned last = (from + (rest ? rest : 11)) % AWELE_PITS;
	struct seen after;
	static const unsigned char none[AWELE_ROW];
	struct reply reply = {.pit = from};
	for (unsigned ahead = 1; ahead < AWELE_PITS; ahead++) {
		const unsigned pit = (from + ahead) % AWELE_PITS;
		after.pit[pit] = (unsigned char)(s->pit[pit] + rounds + (ahead <= rest));
	}
	after.pit[from] = 0;
	struct seen emptied = after;
	for (; last >= AWELE_ROW && after.pit[last] / 2 == 1; last--) {
		reply.captured += after.pit[last];
		emptied.pit[last] = 0;
	}
	if (oware && reply.captured && !memcmp(emptied.pit + AWELE_ROW, none, AWELE_ROW))
		reply.captured = 0;
	else
		after = emptied;
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		reply.next.pit[pit] = after.pit[(pit + AWELE_ROW) % AWELE_PITS];
	return reply;
}

/* Moves that feed; if there are none, all others. */
static unsigned list_replies(const struct seen *s, struct reply out[AWELE_ROW])
{
	unsigned count = 0;
	for (int feed = 1; feed >= 0 && count == 0; feed--)
		for (unsigned pit = 0; pit < AWELE_ROW; pit++) {
			if (s->pit[pit] == 0)
				continue;
			out[count] = divide(s, pit);
			count += (row_of(&out[count].next) > 0) == feed;
		}
	return count;
}

static unsigned long long count_replies(const struct seen *s, unsigned plies)
{
	struct reply replies[AWELE_ROW];
	unsigned long long leaves = 0;
	if (plies == 0)
		return 1;
	const unsigned count = list_replies(s, replies);
	for (unsigned i = 0; i < count; i++)
		leaves += count_replies(&replies[i].next, plies - 1);
	return leaves;
}

static struct seen see(const struct awele_board *board)
{
	const struct awele_board south = board->side == 'S' ? *board : awele_turned(board);
	struct seen s;
	memcpy(s.pit, south.pit, sizeof s.pit);
	return s;
}

static unsigned all_stones(const struct awele_board *board)
{
	return awele_stones(board) + board->store[0] + board->store[1];
}

/* Both implementations find the same moves, from either side of the table. No stone is lost. */
static void compare_moves(const struct awele_board *board)
{
	const struct seen s = see(board);
	const struct awele_board turned = awele_turned(board);
	struct reply replies[AWELE_ROW];
	struct awele_move moves[AWELE_MOVES], others[AWELE_MOVES];
	const size_t count = awele_moves(board, moves);
	assert_int_equal(list_replies(&s, replies), count);
	assert_int_equal(awele_moves(&turned, others), count);
	for (size_t i = 0; i < count; i++) {
		const struct seen next = see(&moves[i].after);
		const struct awele_board other = awele_turned(&others[i].after);
		assert_int_equal(moves[i].pit % AWELE_ROW, replies[i].pit);
		assert_int_equal(moves[i].captured, replies[i].captured);
		assert_memory_equal(&next, &replies[i].next, sizeof next);
		assert_memory_equal(&other, &moves[i].after, sizeof other);
		assert_int_equal(all_stones(&moves[i].after), all_stones(board));
	}
}

static unsigned random_below(uint64_t *seed, unsigned end)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*seed >> 33) % end;
}

/* Up to so many stones, in heaps: pits of more than eleven are common. */
static struct awele_board scatter(unsigned stones, uint64_t *seed)
{
	struct awele_board board = {.side = random_below(seed, 2) ? 'S' : 'N', .oware = oware};
	while (stones > 0) {
		const unsigned heap = 1 + random_below(seed, stones);
		unsigned char *pit = &board.pit[random_below(seed, AWELE_PITS)];
		*pit = (unsigned char)(*pit + heap);
		stones -= heap;
	}
	return board;
}

static void test_two_ways(void **state)
{
	uint64_t seed = 48;
	(void)state;
	for (unsigned n = 0; n < (tests_are_slow() ? 2000 : 200000); n++) {
		const struct awele_board board = scatter(n % (AWELE_STONES + 1), &seed);
		compare_moves(&board);
	}
}

/* Plies 1 to 9 agree with Sala Soler's Aalina. It plays Abapa, where a side's stones may never all
   be captured, but so early in the game nobody could do that. */
static void test_perft(void **state)
{
	(void)state;
	static const unsigned long long known[] = {
		1, 6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872,
	};
	const struct awele_board board = awele_opening();
	const struct seen s = see(&board);
	const unsigned most = tests_are_slow() ? 6 : 9;
	for (unsigned plies = 0; plies <= most; plies++) {
		assert_int_equal(awele_perft(&board, plies), known[plies]);
		assert_int_equal(count_replies(&s, plies), known[plies]);
	}
}

/* Positions in which sides starve and stones go round. */
static void test_late_perft(void **state)
{
	uint64_t seed = 12;
	(void)state;
	for (unsigned n = 0; n < (tests_are_slow() ? 20 : 400); n++) {
		const struct awele_board board = scatter(1 + n % AWELE_STONES, &seed);
		const struct seen s = see(&board);
		assert_int_equal(awele_perft(&board, 6), count_replies(&s, 6));
	}
}

/* ---- the solver ---- */

static unsigned most_solved(void)
{
	return tests_are_slow() ? 8 : AWELE_SOLVED;
}

static int solve(void **state)
{
	*state = awele_solve(most_solved(), oware);
	return 0;
}

static int let_go(void **state)
{
	awele_free(*state);
	return 0;
}

static unsigned long choose(unsigned n, unsigned k)
{
	unsigned long ways = 1;
	for (unsigned i = 1; i <= k; i++)
		ways = ways * (n - k + i) / i;
	return n < k ? 0 : ways;
}

struct tally {
	unsigned stones;
	unsigned long boards;
	unsigned long stuck;   /* the mover has no stones */
	unsigned long entered; /* a pit of the other side is empty, as after each of its moves */
	/* the value is not 0, and odd for an even number of stones, or the reverse */
	unsigned long uneven;
	struct awele_board before;
};

/* Boards come in order, the last pit counting most, so that none comes twice. */
static bool is_later(const struct awele_board *board, const struct awele_board *than)
{
	unsigned pit = AWELE_PITS;
	while (pit-- > 0)
		if (board->pit[pit] != than->pit[pit])
			return board->pit[pit] > than->pit[pit];
	return false;
}

static void count_one(const struct awele_board *board, int value, void *context)
{
	struct tally *t = context;
	const struct seen s = see(board);
	const int stones = (int)t->stones;
	assert_int_equal(awele_stones(board), t->stones);
	assert_true(t->boards == 0 || is_later(board, &t->before));
	assert_true(-stones <= value && value <= stones);
	t->boards++;
	t->stuck += row_of(&s) == 0;
	t->entered += memchr(s.pit + AWELE_ROW, 0, AWELE_ROW) != NULL;
	t->uneven += value != 0 && (value - stones) % 2 != 0;
	t->before = *board;
}

/* The gains of both sides differ by an odd number if n is odd, unless an odd number of stones goes
   round for ever and counts for neither. Three stones can, and so can three of five after a capture
   of two. */
static void test_counts(void **state)
{
	for (unsigned n = 0; n <= most_solved(); n++) {
		struct tally t = {.stones = n};
		awele_each(*state, n, count_one, &t);
		assert_int_equal(t.boards, choose(n + 11, 11));
		assert_int_equal(t.stuck, choose(n + 5, 5));
		assert_int_equal(t.entered, choose(n + 11, 11) - choose(n + 5, 11));
		assert_int_equal(t.uneven > 0, n >= 5);
	}
}

/* One stone: in A to E it cannot reach the other side, and is the mover's; in F it must, and is
   lost. */
static int worth_of_one(const struct seen *s)
{
	return row_of(s) == 1 && s->pit[5] == 0 ? 1 : -1;
}

/* One stone each, `mine` and `theirs` pits from the first pit of its row. They walk in turn. A side
   that is level, or a pit behind, reaches the pit that the other has just left, for ever; otherwise
   the first to reach the end gives its stone away and cannot be fed, unless it captures (not in
   oware). */
static int worth_of_race(unsigned mine, unsigned theirs)
{
	if (mine == theirs || mine + 1 == theirs)
		return 0;
	return mine < theirs || (!oware && mine == 5 && theirs == 0) ? 2 : -2;
}

static int worth_of_two(const struct seen *s)
{
	unsigned at[2], found = 0;
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		for (unsigned i = 0; i < s->pit[pit]; i++)
			at[found++] = pit;
	if (at[0] >= AWELE_ROW)
		return -2;
	if (at[1] >= AWELE_ROW)
		return worth_of_race(at[0], at[1] - AWELE_ROW);
	if (at[1] < 4 || (at[1] == 4 && at[0] < 4))
		return 2; /* no stone reaches the other side */
	if (at[0] == 5)
		return -2; /* the side to move gets both */
	/* E sows F and a, or F must give its stone away: a race with the other side to move. */
	return at[0] == at[1] ? -worth_of_race(0, 5) : -worth_of_race(0, at[0]);
}

struct worth {
	int (*worth)(const struct seen *);
	unsigned count[5]; /* by value, from -2 */
};

static void judge_by_hand(const struct awele_board *board, int value, void *context)
{
	struct worth *w = context;
	const struct seen s = see(board);
	assert_int_equal(value, w->worth(&s));
	w->count[value + 2]++;
}

static void test_by_hand(void **state)
{
	static const unsigned ones[] = {0, 7, 0, 5, 0},
			      twos[2][5] = {{40, 0, 13, 0, 25}, {41, 0, 13, 0, 24}};
	struct worth one = {.worth = worth_of_one}, two = {.worth = worth_of_two};
	awele_each(*state, 1, judge_by_hand, &one);
	awele_each(*state, 2, judge_by_hand, &two);
	assert_memory_equal(one.count, ones, sizeof ones);
	assert_memory_equal(two.count, twos[oware], sizeof two.count);
}

static const struct {
	const char *board;
	int value[2]; /* in oware: 0 if the same */
} worths[] = {
	{"0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", {0}},
	/* Cannot be fed; cannot feed; captures everything. Stores make no difference. */
	{"0-0-0-0-0-0-0-3-0-0-2-1-0-0-S", {-6}},
	{"3-0-2-0-1-0-0-0-0-0-0-0-20-9-S", {6}},
	{"0-0-0-0-0-2-1-2-0-0-0-0-0-0-S", {5, -5}},
	{"1-2-0-0-0-0-0-0-0-0-0-2-0-0-N", {5, -5}},
	/* A stone in front of the end, one that follows at its distance, one that has been
	   passed. */
	{"1-0-0-0-0-0-1-0-0-0-0-0-0-0-S", {0}},
	{"0-0-0-0-1-0-1-0-0-0-0-0-0-0-N", {2}},
	{"0-0-0-0-1-0-1-0-0-0-0-0-0-0-S", {-2}},
	/* Three stones go round for ever: the side that breaks off loses all of them. */
	{"1-0-0-0-0-0-0-2-0-0-0-0-0-0-S", {0}},
};

static void test_positions(void **state)
{
	const struct awele_board opening = awele_opening();
	int value;
	assert_false(awele_lookup(*state, &opening, &value));
	for (unsigned i = 0; i < sizeof worths / sizeof *worths; i++) {
		const struct awele_board board = read_board(worths[i].board),
					 turned = awele_turned(&board);
		const int worth = worths[i].value[oware && worths[i].value[1]];
		assert_true(awele_lookup(*state, &board, &value));
		assert_int_equal(value, worth);
		assert_true(awele_lookup(*state, &turned, &value));
		assert_int_equal(value, worth);
	}
}

/* The most that the mover gets and keeps. Without a move it gets nothing. */
static void judge(const struct awele_board *board, int value, void *context)
{
	const struct awele *a = context;
	struct awele_move moves[AWELE_MOVES];
	const size_t count = awele_moves(board, moves);
	int best = -(int)awele_stones(board), found;
	for (size_t i = 0; i < count; i++) {
		assert_true(awele_lookup(a, &moves[i].after, &found));
		const int got = moves[i].captured - found;
		best = got > best ? got : best;
	}
	assert_int_equal(value, best);
}

static void test_values(void **state)
{
	for (unsigned n = 0; n <= most_solved(); n++)
		awele_each(*state, n, judge, *state);
}

/* ---- what can be forced ---- */

/* The boards with n stones, in order, and the results so far; `next` numbers boards of this layer
   or, after a capture, of an earlier one. */
struct forced {
	unsigned boards;
	struct seen *board;
	unsigned char *moves, (*captured)[AWELE_ROW];
	unsigned (*next)[AWELE_ROW];
	signed char *value;
	bool *wins, *loses; /* the gain in question */
};

static void *claim(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	assert_non_null(memory);
	return memory;
}

/* In the order of memcmp: the first pit counts most. */
static void list_boards(struct forced *f, struct seen *s, unsigned pit, unsigned left)
{
	if (pit == AWELE_PITS - 1) {
		s->pit[pit] = (unsigned char)left;
		f->board[f->boards++] = *s;
		return;
	}
	for (unsigned in = 0; in <= left; in++) {
		s->pit[pit] = (unsigned char)in;
		list_boards(f, s, pit + 1, left - in);
	}
}

static int compare_boards(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct seen));
}

static unsigned find_board(const struct forced *f, const struct seen *s)
{
	const struct seen *found = bsearch(s, f->board, f->boards, sizeof *s, compare_boards);
	assert_non_null(found);
	return (unsigned)(found - f->board);
}

static void make_forced(struct forced *layers, unsigned n)
{
	struct forced *f = &layers[n];
	const size_t boards = choose(n + 11, 11);
	struct seen s;
	struct reply replies[AWELE_ROW];
	f->board = claim(boards, sizeof *f->board);
	f->moves = claim(boards, sizeof *f->moves);
	f->captured = claim(boards, sizeof *f->captured);
	f->next = claim(boards, sizeof *f->next);
	f->value = claim(boards, sizeof *f->value);
	f->wins = claim(boards, sizeof *f->wins);
	f->loses = claim(boards, sizeof *f->loses);
	list_boards(f, &s, 0, n);
	for (unsigned b = 0; b < f->boards; b++) {
		f->moves[b] = (unsigned char)list_replies(&f->board[b], replies);
		for (unsigned i = 0; i < f->moves[b]; i++) {
			f->captured[b][i] = (unsigned char)replies[i].captured;
			f->next[b][i] =
				find_board(&layers[n - replies[i].captured], &replies[i].next);
		}
	}
}

static void free_forced(struct forced *f)
{
	free(f->board);
	free(f->moves);
	free(f->captured);
	free(f->next);
	free(f->value);
	free(f->wins);
	free(f->loses);
}

static int after_capture(const struct forced *layers, unsigned n, unsigned b, unsigned i)
{
	const struct forced *f = &layers[n];
	return f->captured[b][i] - layers[n - f->captured[b][i]].value[f->next[b][i]];
}

/* One move is enough that gains so much, or leads to a board where the other side loses so much. */
static bool can_win(const struct forced *layers, unsigned n, unsigned b, int goal)
{
	const struct forced *f = &layers[n];
	for (unsigned i = 0; i < f->moves[b]; i++)
		if (f->captured[b][i] ? after_capture(layers, n, b, i) >= goal
		                      : f->loses[f->next[b][i]])
			return true;
	return false;
}

static bool must_lose(const struct forced *layers, unsigned n, unsigned b, int goal)
{
	const struct forced *f = &layers[n];
	for (unsigned i = 0; i < f->moves[b]; i++)
		if (f->captured[b][i] ? after_capture(layers, n, b, i) > -goal
		                      : !f->wins[f->next[b][i]])
			return false;
	return true;
}

static bool find_more(const struct forced *layers, unsigned n, int goal)
{
	const struct forced *f = &layers[n];
	bool more = false;
	for (unsigned b = 0; b < f->boards; b++) {
		if (f->wins[b] || f->loses[b])
			continue;
		f->wins[b] = can_win(layers, n, b, goal);
		f->loses[b] = must_lose(layers, n, b, goal);
		assert_false(f->wins[b] && f->loses[b]);
		more = more || f->wins[b] || f->loses[b];
	}
	return more;
}

/* By definition: a board is worth the most that the mover can force in finitely many moves, or the
   most that it can be forced to lose, or nothing. */
static void force(const struct forced *layers, unsigned n)
{
	const struct forced *f = &layers[n];
	for (int goal = 1; goal <= (int)n; goal++) {
		memset(f->wins, 0, f->boards);
		memset(f->loses, 0, f->boards);
		while (find_more(layers, n, goal))
			;
		for (unsigned b = 0; b < f->boards; b++)
			f->value[b] = (signed char)(f->wins[b]    ? goal
			                            : f->loses[b] ? -goal
			                                          : f->value[b]);
	}
}

static void compare_forced(const struct awele *a, const struct forced *f)
{
	for (unsigned b = 0; b < f->boards; b++) {
		struct awele_board board = {.side = b % 2 ? 'S' : 'N', .oware = oware};
		int value;
		for (unsigned pit = 0; pit < AWELE_PITS; pit++)
			board.pit[board.side == 'S' ? pit : (pit + AWELE_ROW) % AWELE_PITS] =
				f->board[b].pit[pit];
		assert_true(awele_lookup(a, &board, &value));
		assert_int_equal(value, f->value[b]);
	}
}

static void test_forced(void **state)
{
	const unsigned most = tests_are_slow() ? 6 : tests_are_thorough() ? AWELE_SOLVED : 8;
	struct forced layers[AWELE_SOLVED + 1] = {0};
	for (unsigned n = 0; n <= most; n++) {
		make_forced(layers, n);
		force(layers, n);
		compare_forced(*state, &layers[n]);
	}
	for (unsigned n = 0; n <= most; n++)
		free_forced(&layers[n]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),      cmocka_unit_test(test_sowing),
		cmocka_unit_test(test_sparing),    cmocka_unit_test(test_allowed),
		cmocka_unit_test(test_two_ways),   cmocka_unit_test(test_perft),
		cmocka_unit_test(test_late_perft), cmocka_unit_test(test_counts),
		cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_positions),
		cmocka_unit_test(test_values),     cmocka_unit_test(test_forced),
	};
	const int failed = cmocka_run_group_tests_name("awari", tests, solve, let_go);
	oware = true;
	return failed + cmocka_run_group_tests_name("oware", tests, solve, let_go);
}

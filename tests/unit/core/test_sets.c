/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of chess positions against the rules, position by position: legality, values of conversions,
 * both operators on a random set, mates, and the gathered index. The tables that conversions enter
 * are made up. The layout says which bit is which position; everything else is computed from moves
 * and places.
 */
#include "core/base/metric.h"
#include "tests/fixtures/sets_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARTS_MAX = 6 * 6 * 6 };

/* ---- the slices under test ---- */

/* A unit according to the rules. */
struct known {
	uint64_t *legal;
	uint64_t *set; /* random legal ones */
};

/* The requests of an earlier part; its symbols are made up too. */
struct loan {
	size_t part, unit;
	unsigned side;
	uint16_t *symbols; /* null: free */
};

/* A slice, and the shares of its families, parts, units and sections to check: one of so many. */
struct scope {
	const char *name;
	const struct el_metric *metric;
	size_t families, parts, units, sections;
};

struct trial {
	const struct scope *scope;
	struct el_division *division;
	struct el_sets *sets[PARTS_MAX]; /* of a family; null: empty */
	size_t part;                     /* the one under test */
	struct known *known[2];          /* its units; null: not computed yet */
	struct loan loan[2 * CHESS_PIECES_MAX];
};

static const struct chess_sets *chess_of(const struct trial *t)
{
	return (const struct chess_sets *)t->sets[t->part];
}

static uint16_t part_symbol(const struct el_position *position)
{
	return (uint16_t)(1 + sets_identity(position) % (SETS_VALUES - 1));
}

static const uint16_t *look(void *context, size_t part, unsigned side, size_t unit)
{
	struct trial *t = context;
	struct loan *loan = t->loan;
	assert_true(part < t->part);
	if (!t->sets[part])
		return NULL;
	while (loan->symbols)
		assert_true(++loan < t->loan + 2 * CHESS_PIECES_MAX);
	const size_t bits = 64 * t->sets[part]->words;
	*loan = (struct loan){part, unit, side, calloc(bits, sizeof *loan->symbols)};
	assert_non_null(loan->symbols);
	for (size_t bit = 0; bit < bits; bit++) {
		struct el_position position;
		if (sets_decode((const struct chess_sets *)t->sets[part], side, unit, bit,
		                &position))
			loan->symbols[bit] = part_symbol(&position);
	}
	return loan->symbols;
}

static void unit_back(void *context, size_t part, unsigned side, size_t unit)
{
	struct trial *t = context;
	struct loan *loan = t->loan;
	while (!loan->symbols || loan->part != part || loan->side != side || loan->unit != unit)
		assert_true(++loan < t->loan + 2 * CHESS_PIECES_MAX);
	free(loan->symbols);
	loan->symbols = NULL;
}

/* ---- according to the rules ---- */

static bool in_set(const struct el_position *position)
{
	return sets_identity(position) % 3 == 0;
}

static const struct known *known(const struct trial *t, unsigned side, size_t unit)
{
	struct known *known = &t->known[side][unit];
	const struct el_sets *sets = t->sets[t->part];
	if (known->legal)
		return known;
	known->legal = sets_room(sets->words * sizeof *known->legal);
	known->set = sets_room(sets->words * sizeof *known->set);
	for (size_t bit = 0; bit < 64 * sets->words; bit++) {
		struct el_position position;
		if (!sets_decode(chess_of(t), side, unit, bit, &position))
			continue;
		known->legal[bit / 64] |= chess_bit(bit % 64);
		known->set[bit / 64] |= (uint64_t)in_set(&position) << bit % 64;
	}
	return known;
}

/* The results of a position's moves. */
struct moves {
	bool into_set, blocked, stuck, lost;
	uint32_t win, free; /* plies; UINT32_MAX: never */
};

/* The value of the position that a conversion enters, for the side to move there. */
static struct el_value entered(const struct el_slice *slice, const struct el_position *position)
{
	struct el_place place;
	struct el_slice other;
	struct el_error error;
	if (el_chess.drawn(position))
		return (struct el_value){.outcome = EL_DRAW};
	assert_true(el_chess.place(position, &place));
	if (place.key == slice->key)
		return sets_values[part_symbol(position)];
	assert_int_equal(el_chess.slice_of(position, &other, &error), EL_OK);
	return sets_values[sets_symbol(&other, place.plane, place.index)];
}

static void convert(const struct el_metric *metric, struct el_value value, struct moves *out)
{
	value = el_value_of_move(metric, value, true, 0);
	out->blocked = true;
	if (value.outcome == EL_WIN && value.plies < out->win)
		out->win = value.plies;
	if (value.outcome != EL_LOSS)
		out->free = UINT32_MAX;
	else if (out->free != UINT32_MAX && value.plies > out->free)
		out->free = value.plies;
}

static struct moves moves_of(const struct trial *t, const struct el_position *position)
{
	const struct el_slice *slice = &t->sets[t->part]->slice;
	struct el_move move[EL_MOVES_MAX];
	struct moves out = {.win = UINT32_MAX};
	const size_t count = el_chess.moves(position, move);
	out.stuck = !count;
	out.lost = !count && el_chess.stuck(position).outcome == EL_LOSS;
	for (size_t m = 0; m < count; m++) {
		struct el_position after;
		struct el_place place;
		el_chess.play(position, &move[m], &after);
		const bool leaves = !el_chess.place(&after, &place) || place.key != slice->key;
		if (el_move_ends(&el_chess, t->scope->metric, position, &move[m], leaves))
			convert(t->scope->metric, entered(slice, &after), &out);
		else
			out.into_set |= in_set(&after);
	}
	if (!out.blocked)
		out.free = UINT32_MAX;
	return out;
}

/* ---- one unit ---- */

/* The words of a unit and the operators. */
struct said {
	struct el_unit unit;
	uint64_t *some, *none, *lost;
	uint32_t *win, *free; /* by bit: the least ply of events */
};

static void spread(const struct el_events *events, size_t words, uint32_t *out)
{
	memset(out, 0xff, 64 * words * sizeof *out);
	for (size_t e = 0; e < events->count; e++) {
		const struct el_event *event = &events->events[e];
		assert_true(event->word < words && event->bits);
		for (uint64_t bits = event->bits; bits;) {
			const size_t bit = 64 * (size_t)event->word + chess_pop(&bits);
			out[bit] = event->ply < out[bit] ? event->ply : out[bit];
		}
	}
}

static size_t words_of(const uint64_t *set, size_t words, struct el_word *out)
{
	size_t count = 0;
	for (size_t w = 0; w < words; w++)
		if (set[w])
			out[count++] = (struct el_word){set[w], (uint32_t)w};
	return count;
}

/* Word by word, the operators find what they find in whole units. */
static void ask_for_few(const struct trial *t, unsigned side, size_t unit, const struct said *said,
                        const uint64_t *const to[EL_LINKS_MAX], size_t links)
{
	const struct el_sets *sets = t->sets[t->part];
	const uint64_t *legal = known(t, side, unit)->legal;
	uint64_t *from = sets_room(sets->words * sizeof *from);
	uint64_t *marks = sets_room((sets->words / 64 + 1) * sizeof *marks);
	struct el_word *list = sets_room(sets->words * sizeof *list);
	for (size_t n = 0; n < links; n++)
		sets->some_few(sets, side, unit, n, list, words_of(to[n], sets->words, list), from,
		               marks);
	for (size_t w = 0; w < sets->words; w++) {
		assert_int_equal(from[w] & legal[w], said->some[w]);
		assert_true(!from[w] || marks[w / 64] >> w % 64 & 1);
	}
	const size_t count = words_of(legal, sets->words, list);
	sets->none_few(sets, side, unit, to, list, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(list[i].bits, said->none[list[i].word]);
	free(from);
	free(marks);
	free(list);
}

static void ask_operators(const struct trial *t, unsigned side, size_t unit, struct said *said,
                          void *scratch)
{
	const struct el_sets *sets = t->sets[t->part];
	const uint64_t *to[EL_LINKS_MAX] = {NULL}, *legal = known(t, side, unit)->legal;
	uint32_t links[EL_LINKS_MAX];
	const size_t count = sets->links(sets, side, unit, links);
	assert_in_range(count, 1, EL_LINKS_MAX);
	assert_int_equal(links[0], unit);
	for (size_t n = 0; n < count; n++) {
		assert_true(links[n] < sets->units);
		to[n] = known(t, !side, links[n])->set;
	}
	memcpy(said->none, legal, sets->words * sizeof *said->none);
	sets->pre(sets, side, unit, to, legal, true, said->some, scratch);
	sets->pre(sets, side, unit, to, said->none, false, said->none, scratch);
	ask_for_few(t, side, unit, said, to, count);
	/* An absent set has no moves into it. */
	const uint64_t *const nowhere[EL_LINKS_MAX] = {NULL};
	sets->pre(sets, side, unit, nowhere, legal, true, said->lost, scratch);
	for (size_t w = 0; w < sets->words; w++)
		assert_true(!said->lost[w]);
}

static void check_bit(const struct trial *t, unsigned side, size_t unit, size_t bit,
                      const struct said *said)
{
	struct el_position position;
	char fen[EL_FEN_MAX];
	assert_true(sets_decode(chess_of(t), side, unit, bit, &position));
	const struct moves moves = moves_of(t, &position);
	const size_t w = bit / 64;
	const unsigned x = bit % 64;
	el_chess.format(&position, fen);
	if ((said->some[w] >> x & 1) != moves.into_set ||
	    (said->none[w] >> x & 1) == moves.into_set)
		fail_msg("%s: %s: some quiet move leads into the set: %d", t->scope->name, fen,
		         moves.into_set);
	if ((said->unit.blocked[w] >> x & 1) != moves.blocked)
		fail_msg("%s: %s: has a conversion: %d", t->scope->name, fen, moves.blocked);
	if (said->win[bit] != moves.win || said->free[bit] != moves.free)
		fail_msg("%s: %s: win %u free %u instead of %u %u", t->scope->name, fen,
		         said->win[bit], said->free[bit], moves.win, moves.free);
	if ((said->lost[w] >> x & 1) != moves.lost)
		fail_msg("%s: %s: lost: %d", t->scope->name, fen, moves.lost);
}

/* The positions without any move that are lost. */
static void ask_lost(const struct trial *t, unsigned side, size_t unit, struct said *said)
{
	const struct el_sets *sets = t->sets[t->part];
	const uint64_t *legal = known(t, side, unit)->legal;
	for (size_t w = 0; w < sets->words; w++) {
		/* Only a position with no move into the set can be without any move. */
		said->lost[w] = 0;
		for (uint64_t bits = legal[w] & said->none[w]; bits;) {
			struct el_position position;
			const unsigned x = chess_pop(&bits);
			sets_decode(chess_of(t), side, unit, 64 * w + x, &position);
			said->lost[w] |= (uint64_t)moves_of(t, &position).stuck << x;
		}
	}
	sets->lost(sets, side, unit, said->lost);
}

static void check_unit(const struct trial *t, unsigned side, size_t unit)
{
	const struct el_sets *sets = t->sets[t->part];
	const size_t bytes = sets->words * sizeof(uint64_t);
	void *scratch = sets_room(sets->scratch);
	memset(scratch, 0xa5, sets->scratch);
	struct said said = {
		.unit = {.legal = sets_room(bytes), .blocked = sets_room(bytes)},
		.some = sets_room(bytes),
		.none = sets_room(bytes),
		.lost = sets_room(bytes),
		.win = sets_room(64 * sets->words * sizeof *said.win),
		.free = sets_room(64 * sets->words * sizeof *said.free),
	};
	struct el_error error;
	if (sets->begin(sets, side, unit, &said.unit, scratch, &error))
		fail_msg("%s", error.text);
	for (const struct loan *loan = t->loan; loan < t->loan + 2 * CHESS_PIECES_MAX; loan++)
		assert_null(loan->symbols);
	spread(&said.unit.wins, sets->words, said.win);
	spread(&said.unit.frees, sets->words, said.free);
	ask_operators(t, side, unit, &said, scratch);
	ask_lost(t, side, unit, &said);
	assert_memory_equal(said.unit.legal, known(t, side, unit)->legal, bytes);
	uint64_t decided = 0;
	for (size_t w = 0; w < sets->words; w++)
		for (uint64_t bits = said.unit.legal[w]; bits;) {
			const size_t bit = 64 * w + chess_pop(&bits);
			decided += w < sets->stored_words && said.win[bit] != UINT32_MAX;
			check_bit(t, side, unit, bit, &said);
		}
	assert_int_equal(said.unit.decided[0], side < sets->slice.planes ? decided : 0);
	void *const all[] = {scratch,
	                     said.unit.legal,
	                     said.unit.blocked,
	                     said.some,
	                     said.none,
	                     said.lost,
	                     said.win,
	                     said.free,
	                     said.unit.wins.events,
	                     said.unit.frees.events};
	for (size_t n = 0; n < sizeof all / sizeof *all; n++)
		free(all[n]);
}

/* ---- the index ---- */

static uint16_t mark(const struct el_position *position)
{
	return (uint16_t)(1 + sets_identity(position) % UINT16_MAX);
}

/* Gathers a section over existing symbols. */
static void gather(const struct trial *t, unsigned side, size_t section, uint16_t *by_index)
{
	const struct el_sets *sets = t->sets[t->part];
	const uint16_t *by_bit[EL_LINKS_MAX];
	uint16_t *owned[EL_LINKS_MAX];
	uint32_t units[EL_LINKS_MAX];
	const size_t count = sets->section_units(sets, side, section, units);
	for (size_t n = 0; n < count; n++) {
		by_bit[n] = owned[n] = calloc(64 * sets->stored_words, sizeof *owned[n]);
		assert_non_null(owned[n]);
		for (size_t bit = 0; bit < 64 * sets->stored_words; bit++) {
			struct el_position position;
			if (sets_decode(chess_of(t), side, units[n], bit, &position))
				owned[n][bit] = mark(&position);
		}
	}
	sets->gather(sets, side, section, by_bit, by_index);
	for (size_t n = 0; n < count; n++)
		free(owned[n]);
}

/* Indexes that a part does not write stay 0. Returns how many indexes are set. */
static uint64_t check_gathered(const struct trial *t, unsigned side, uint64_t first, uint64_t end,
                               const uint16_t *by_index)
{
	const struct el_sets *sets = t->sets[t->part];
	uint64_t found = 0;
	for (uint64_t i = first; i < end; i++) {
		struct el_position position;
		const bool broken = !el_chess.unplace(&sets->slice, side, i, &position);
		const uint16_t want = broken ? 0 : mark(&position), got = by_index[i - first];
		found += got != 0;
		if (got != want && (got || t->division->parts == 1))
			fail_msg("%s: index %llu holds %u instead of %u", t->scope->name,
			         (unsigned long long)i, got, want);
	}
	return found;
}

/* Gathers only some sections of this part: the indexes of others stay as they are. */
static void check_sections(const struct trial *t)
{
	const struct el_sets *sets = t->sets[t->part];
	uint64_t found = 0;
	assert_int_equal(sets->section(sets, 0), 0);
	assert_int_equal(sets->section(sets, sets->sections), sets->slice.positions);
	for (size_t n = t->scope->sections / 2; n < sets->sections; n += t->scope->sections) {
		const uint64_t first = sets->section(sets, n), end = sets->section(sets, n + 1);
		assert_true(first < end);
		uint16_t *by_index = calloc(end - first, sizeof *by_index);
		assert_non_null(by_index);
		gather(t, EL_WHITE, n, by_index);
		found += check_gathered(t, EL_WHITE, first, end, by_index);
		free(by_index);
	}
	assert_true(found > 0);
}

/* ---- all of them ---- */

static void check_part(struct trial *t)
{
	struct el_sets *sets = t->sets[t->part];
	assert_int_equal(sets->sides, 2);
	assert_int_equal(t->division->part_words, sets->units * sets->stored_words);
	for (unsigned side = 0; side < 2; side++)
		t->known[side] = sets_room(sets->units * sizeof *t->known[side]);
	for (unsigned side = 0; side < 2; side++)
		for (size_t unit = t->scope->units / 2; unit < sets->units; unit += t->scope->units)
			check_unit(t, side, unit);
	for (unsigned side = 0; side < 2; side++) {
		for (size_t unit = 0; unit < sets->units; unit++) {
			free(t->known[side][unit].legal);
			free(t->known[side][unit].set);
		}
		free(t->known[side]);
	}
}

static void open_part(struct trial *t, const struct el_problem *problem, size_t family,
                      const struct el_found *found)
{
	static const struct el_meanings meanings = {{sets_values, sets_values},
	                                            {SETS_VALUES, SETS_VALUES}};
	struct el_division *d = t->division;
	struct el_error error;
	if (d->open(d, problem, family, t->part, found, &meanings, &t->sets[t->part], &error))
		fail_msg("%s", error.text);
}

static void close_family(struct trial *t)
{
	for (size_t part = 0; part < t->division->parts; part++)
		if (t->sets[part])
			t->sets[part]->close(t->sets[part]);
}

static void try_scope(const struct scope *scope)
{
	struct trial t = {.scope = scope};
	const struct el_lender lender = sets_lender(sets_values);
	struct el_problem problem = {.metric = scope->metric, .lender = &lender};
	const struct el_found found = {&t, look, unit_back};
	struct el_error error;
	assert_int_equal(el_chess.slice_parse(scope->name, &problem.slice, &error), EL_OK);
	if (el_chess.divide(&problem, &t.division, &error))
		fail_msg("%s", error.text);
	assert_true(t.division->parts <= PARTS_MAX);
	size_t tested = 0;
	for (size_t family = 0; family < t.division->families; family += scope->families) {
		for (t.part = 0; t.part < t.division->parts; t.part++) {
			open_part(&t, &problem, family, &found);
			if (!t.sets[t.part] || t.part % scope->parts)
				continue;
			check_part(&t);
			check_sections(&t);
			tested++;
		}
		close_family(&t);
	}
	assert_true(tested > 0);
	t.division->close(t.division);
}

static void test_three_pieces(void **state)
{
	(void)state;
	try_scope(&(struct scope){"KRvK", &el_dtm, 1, 1, 1, 1});
	try_scope(&(struct scope){"KPvK", &el_dtm, 1, 1, 1, 1});
	try_scope(&(struct scope){"KPvK", &el_dtz, 1, 1, 1, 1});
}

static void test_four_pieces(void **state)
{
	(void)state;
	try_scope(&(struct scope){"KQvKR", &el_dtm, 1, 1, 29, 3});
	try_scope(&(struct scope){"KNNvK", &el_dtm, 1, 1, 41, 3});
	try_scope(&(struct scope){"KQvKP", &el_dtz, 3, 5, 13, 5});
}

/* Captures en passant, and pinned pawns that may and may not be captured en passant. */
static void test_pawns(void **state)
{
	(void)state;
	try_scope(&(struct scope){"KPPvK", &el_dtm, 1, 1, 151, 50});
	try_scope(&(struct scope){"KPvKP", &el_dtm, 1, 1, 151, 50});
	try_scope(&(struct scope){"KPvKP", &el_dtz, tests_are_slow() ? 25 : 5, 2, 1, 17});
	if (tests_are_slow())
		return;
	if (tests_are_thorough())
		try_scope(&(struct scope){"KPPvK", &el_dtz, 7, 3, 1, 17});
	try_scope(&(struct scope){"KPPvKP", &el_dtz, 97, 31, 1, 33});
}

/* Pieces on the outside beside the kings, with and without pinned pawns. */
static void test_five_pieces(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	try_scope(&(struct scope){"KRBvKN", &el_dtm, 1, 1, 462, 300});
	try_scope(&(struct scope){"KNPvKP", &el_dtm, 1, 1, 1806, 1800});
	try_scope(&(struct scope){"KRPvKN", &el_dtz, 2, 5, 1900, 700});
}

/* Pairs and threes as rows, and a group that lends the word piece. */
static void test_like_pieces(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	const size_t share = tests_are_thorough() ? 50 : 462;
	try_scope(&(struct scope){"KQQvKR", &el_dtm, 1, 1, share, share});
	try_scope(&(struct scope){"KNNNvK", &el_dtm, 1, 1, share, share});
	if (tests_are_thorough())
		try_scope(&(struct scope){"KRRPvKN", &el_dtz, 3, 5, 1900, 700});
}

/* A table without a value for a legal position is no table. */
static void test_no_value(void **state)
{
	(void)state;
	static struct el_value nothing[SETS_VALUES];
	for (unsigned n = 0; n < SETS_VALUES; n++)
		nothing[n].outcome = EL_BROKEN;
	const struct el_lender lender = sets_lender(nothing);
	struct el_problem problem = {.metric = &el_dtm, .lender = &lender};
	struct el_division *division;
	struct el_sets *sets;
	struct el_error error;
	const struct el_meanings meanings = {{sets_values, sets_values}, {0, 0}};
	assert_int_equal(el_chess.slice_parse("KQvKR", &problem.slice, &error), EL_OK);
	assert_int_equal(el_chess.divide(&problem, &division, &error), EL_OK);
	assert_int_equal(division->open(division, &problem, 0, 0, NULL, &meanings, &sets, &error),
	                 EL_OK);
	const size_t bytes = sets->words * sizeof(uint64_t);
	struct el_unit unit = {.legal = sets_room(bytes), .blocked = sets_room(bytes)};
	void *scratch = sets_room(sets->scratch);
	assert_int_equal(sets->begin(sets, EL_WHITE, 0, &unit, scratch, &error), EL_DAMAGED);
	assert_string_equal(error.text,
	                    "KQvKR: a legal position has no value in a table that it enters");
	free(unit.legal);
	free(unit.blocked);
	free(unit.wins.events);
	free(unit.frees.events);
	free(scratch);
	sets->close(sets);
	division->close(division);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_pieces), cmocka_unit_test(test_four_pieces),
		cmocka_unit_test(test_pawns),        cmocka_unit_test(test_five_pieces),
		cmocka_unit_test(test_like_pieces),  cmocka_unit_test(test_no_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

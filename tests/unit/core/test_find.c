/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions against a loop over all placements of a slice's pieces, each of which is set up, probed and
 * asked by a function that shares no code with the language; and what the language refuses. `TRUTH=all`
 * in the environment takes all endings of three pieces.
 */
#include "core/find/find.h"
#include "core/probe/probe.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- one position, as the loop sees it ---- */

struct seen {
	struct el_library *library;
	const struct el_game *game;
	const struct el_metric *metric;
	struct el_position position;
	struct el_value value;
	unsigned *
		moves; /* of the position, by outcome, once `outcomes` has counted them: [3] is 1 */
};

typedef bool holds(const struct seen *);

static struct el_value value_at(const struct seen *s, const struct el_position *p)
{
	struct el_value v;
	struct el_error error;
	if (el_library_value(s->library, s->game, p, s->metric, EL_PROBE_FULL, &v, &error))
		fail_msg("%s", error.text);
	return v;
}

static unsigned square_of(const struct seen *s, unsigned side, unsigned kind)
{
	return (unsigned)__builtin_ctzll(s->position.set[side][kind]);
}

static unsigned apart(unsigned a, unsigned b)
{
	const int files = abs((int)(a % 8) - (int)(b % 8)),
		  ranks = abs((int)(a / 8) - (int)(b / 8));
	return (unsigned)(files > ranks ? files : ranks);
}

/* How many moves lead to each outcome for the mover: [0] loss, [1] draw, [2] win. */
static void outcomes(const struct seen *s, const struct el_position *p, unsigned count[3])
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t all = s->game->moves(p, moves);
	memset(count, 0, 3 * sizeof *count);
	for (size_t i = 0; i < all; i++) {
		struct el_position after;
		s->game->play(p, &moves[i], &after);
		count[2 - value_at(s, &after).outcome / 2]++;
	}
}

static bool wins(const struct seen *s)
{
	return s->value.outcome == EL_WIN;
}

static bool deep_or_drawn(const struct seen *s)
{
	return (wins(s) && s->value.plies > 10 && !s->game->in_check(&s->position)) ||
	       s->value.outcome == EL_DRAW;
}

static bool no_move(const struct seen *s)
{
	struct el_move moves[EL_MOVES_MAX];
	return !s->game->moves(&s->position, moves);
}

/* Of the position itself: counted once. */
static const unsigned *own_outcomes(const struct seen *s)
{
	if (!s->moves[3])
		outcomes(s, &s->position, s->moves);
	s->moves[3] = 1;
	return s->moves;
}

static bool keeps_one(const struct seen *s)
{
	const unsigned *count = own_outcomes(s);
	return (count[2] ? count[2] : count[1] ? count[1] : count[0]) == 1;
}

static bool two_win_or_some_lose(const struct seen *s)
{
	const unsigned *count = own_outcomes(s);
	return count[2] == 2 || count[0] > count[1] + 1;
}

static bool few_moves(const struct seen *s)
{
	struct el_move moves[EL_MOVES_MAX];
	return s->game->moves(&s->position, moves) <= 3 && s->game->captures(&s->position, moves);
}

/* A win that stalemate may spoil, or two ways to mate. */
static bool trapped(const struct seen *s)
{
	struct el_move moves[EL_MOVES_MAX], replies[EL_MOVES_MAX];
	const size_t all = s->game->moves(&s->position, moves);
	unsigned mates = 0, stalemates = 0;
	for (size_t i = 0; i < all; i++) {
		struct el_position after;
		s->game->play(&s->position, &moves[i], &after);
		if (s->game->moves(&after, replies))
			continue;
		mates += s->game->in_check(&after);
		stalemates += !s->game->in_check(&after);
	}
	return (wins(s) && stalemates) || mates == 2;
}

static bool in_zugzwang(const struct seen *s)
{
	struct el_position passed = s->position;
	if (s->game->in_check(&passed))
		return false;
	passed.side = !passed.side;
	const struct el_value other = value_at(s, &passed);
	return s->value.outcome <= EL_DRAW && other.outcome <= EL_DRAW &&
	       s->value.outcome + other.outcome < 2 * EL_DRAW;
}

static bool lost_zugzwang(const struct seen *s)
{
	return in_zugzwang(s) && s->value.outcome == EL_LOSS;
}

static bool kings_placed(const struct seen *s)
{
	const unsigned K = square_of(s, EL_WHITE, 0), k = square_of(s, EL_BLACK, 0);
	const bool inside = K % 8 >= 2 && K % 8 <= 3 && K / 8 >= 1 && K / 8 <= 3;
	return (K == 0 || inside) && (k % 8 == 0 || k % 8 == 7 || k / 8 == 0 || k / 8 == 7);
}

static bool same_file(const struct seen *s)
{
	const unsigned K = square_of(s, EL_WHITE, 0), k = square_of(s, EL_BLACK, 0);
	return K % 8 == k % 8 && K / 8 + 1 < k / 8 + 1 && s->position.side == EL_BLACK;
}

static bool sums(const struct seen *s)
{
	const unsigned K = square_of(s, EL_WHITE, 0), k = square_of(s, EL_BLACK, 0);
	return apart(K, k) + 1 == K % 8 + 1 || k % 8 == 4;
}

static bool white_wins_late(const struct seen *s)
{
	return s->value.outcome == (s->position.side == EL_WHITE ? EL_WIN : EL_LOSS) &&
	       s->value.plies >= 12;
}

/* Is each winning move the only one, along best play? */
static bool studied(const struct seen *s)
{
	struct seen at = *s;
	if (!wins(s) || own_outcomes(s)[2] != 1)
		return false;
	for (;;) {
		struct el_move moves[EL_MOVES_MAX];
		struct el_position after, best = {.side = 0};
		struct el_value v, most = {.outcome = EL_BROKEN};
		unsigned count[3];
		outcomes(&at, &at.position, count);
		const size_t all = s->game->moves(&at.position, moves);
		const bool winner = at.position.side == s->position.side;
		if (!all)
			return !winner;
		if (winner && count[2] != 1)
			return false;
		for (size_t i = 0; i < all; i++) {
			s->game->play(&at.position, &moves[i], &after);
			v = value_at(s, &after);
			/* the loser's best is the latest mate, the first such move */
			if (winner ? v.outcome == EL_LOSS
			           : most.outcome == EL_BROKEN || v.plies > most.plies) {
				most = v;
				best = after;
			}
		}
		at.position = best;
	}
}

static bool behind_pawn(const struct seen *s)
{
	const unsigned K = square_of(s, EL_WHITE, 0), k = square_of(s, EL_BLACK, 0);
	for (uint64_t left = s->position.set[EL_WHITE][5]; left; left &= left - 1) {
		const unsigned P = (unsigned)__builtin_ctzll(left);
		if (P % 8 == K % 8 && K / 8 < P / 8 && !(k % 8 == P % 8 && k / 8 < P / 8))
			return true;
	}
	return false;
}

static bool on_seventh(const struct seen *s)
{
	return s->position.set[EL_WHITE][5] >> 48 & 255;
}

static const struct {
	const char *question;
	holds *holds;
	const char *only; /* for this slice alone */
} questions[] = {
	{"win", wins, NULL},
	{"dtm > 10 and win and not check or draw", deep_or_drawn, NULL},
	{"stalemate or checkmate", no_move, NULL},
	{"over", no_move, NULL},
	{"keeping-moves = 1", keeps_one, NULL},
	{"only-move", keeps_one, NULL},
	{"winning-moves = 2 or losing-moves > drawing-moves + 1", two_win_or_some_lose, NULL},
	{"legal-moves <= 3 capturing-moves != 0", few_moves, NULL},
	{"win and stalemating-moves > 0 or mating-moves = 2", trapped, NULL},
	{"zugzwang", in_zugzwang, NULL},
	{"(half-zugzwang or full-zugzwang) and loss", lost_zugzwang, NULL},
	{"K on a1,c2-d4 and k on edge", kings_placed, NULL},
	{"file(K) = file(k) and rank(K) < rank(k) and black-to-move", same_file, NULL},
	{"distance(K, k) + 1 = file(K) or file(k) = e", sums, NULL},
	{"white-wins and not (dtm < 12)", white_wins_late, NULL},
	{"only-line", studied, NULL},
	{"behind(K, P) and not behind(k, P)", behind_pawn, "KPvK"},
	{"P on rank 7", on_seventh, "KPvK"},
};

enum { QUESTIONS = sizeof questions / sizeof *questions };

/* ---- the loop ---- */

struct tally {
	uint64_t placements[2], unique;
	uint8_t *classes[2]; /* by plane and index: the class was counted */
};

struct loop {
	struct seen seen;
	const struct el_slice *slice;
	struct tally tally[QUESTIONS];
};

static void look(struct loop *l)
{
	struct el_place place;
	struct el_error error;
	if (l->seen.game->check(&l->seen.position, &error))
		return;
	assert_true(l->seen.game->place(&l->seen.position, &place));
	assert_true(place.key == l->slice->key);
	l->seen.value = value_at(&l->seen, &l->seen.position);
	l->seen.moves[3] = 0;
	for (unsigned q = 0; q < QUESTIONS; q++) {
		struct tally *t = &l->tally[q];
		if ((questions[q].only && strcmp(questions[q].only, l->slice->name)) ||
		    !questions[q].holds(&l->seen))
			continue;
		t->placements[l->seen.position.side]++;
		t->unique += !t->classes[place.plane][place.index]++;
	}
}

/* Puts the pieces from number `i` on, like ones on ascending squares. */
static void put(struct loop *l, unsigned i, unsigned from)
{
	unsigned before = 0;
	for (unsigned k = 0; k < 2 * EL_KINDS; k++) {
		const unsigned count = l->slice->count[k / EL_KINDS][k % EL_KINDS];
		if (i >= before + count) {
			before += count;
			continue;
		}
		uint64_t taken = 0, *set = &l->seen.position.set[k / EL_KINDS][k % EL_KINDS];
		for (unsigned n = 0; n < 2 * EL_KINDS; n++)
			taken |= l->seen.position.set[n / EL_KINDS][n % EL_KINDS];
		for (unsigned s = i > before ? from : 0; s < 64; s++) {
			unsigned file, rank;
			if (taken >> s & 1 ||
			    !el_square_find(l->seen.game, (uint8_t)s, &file, &rank))
				continue;
			*set |= UINT64_C(1) << s;
			put(l, i + 1, s + 1);
			*set &= ~(UINT64_C(1) << s);
		}
		return;
	}
	for (l->seen.position.side = 0; l->seen.position.side < 2; l->seen.position.side++)
		look(l);
}

/* ---- what the search finds ---- */

struct taken {
	const struct loop *loop;
	unsigned question;
	uint64_t count, placements;
};

static bool take(void *context, const struct el_match *match)
{
	struct taken *t = context;
	struct seen seen = t->loop->seen;
	struct el_error error;
	unsigned moves[4] = {0};
	seen.position = match->position;
	seen.moves = moves;
	assert_int_equal(seen.game->check(&seen.position, &error), EL_OK);
	seen.value = value_at(&seen, &seen.position);
	if (match->metric == seen.metric)
		assert_true(el_value_equal(seen.value, match->value));
	if (!questions[t->question].holds(&seen)) {
		char fen[EL_FEN_MAX];
		seen.game->format(&seen.position, fen);
		fail_msg("%s: %s does not hold", fen, questions[t->question].question);
	}
	t->count++;
	t->placements += match->placements;
	return true;
}

static void ask(const struct loop *l, unsigned number)
{
	const char *text = questions[number].question;
	const struct tally *expected = &l->tally[number];
	struct el_query *query;
	struct el_query_fault fault;
	struct el_finder *finder;
	struct el_find_counts found;
	struct el_error error;
	struct taken taken = {.loop = l, .question = number};
	const struct el_find_options options = {
		.metric = l->seen.metric, .take = take, .context = &taken};
	bool done;
	if (el_query_parse(l->seen.game, text, &query, &fault, &error))
		fail_msg("%s: %s", text, error.text);
	assert_int_equal(el_finder_open(l->seen.library, query, &options, &finder, &error), EL_OK);
	if (el_finder_search(finder, l->slice, &found, &done, &error))
		fail_msg("%s: %s", text, error.text);
	el_finder_finish(finder);
	el_finder_close(finder);
	el_query_free(query);
	for (unsigned side = 0; side < 2; side++)
		if (found.placements[side] != expected->placements[side])
			fail_msg("%s %s, side %u: %lu, expected %lu", l->slice->name, text, side,
			         (unsigned long)found.placements[side],
			         (unsigned long)expected->placements[side]);
	if (found.unique != expected->unique)
		fail_msg("%s %s: %lu classes, expected %lu", l->slice->name, text,
		         (unsigned long)found.unique, (unsigned long)expected->unique);
	assert_int_equal(found.unknown, 0);
	assert_int_equal(taken.count, found.unique);
	assert_int_equal(taken.placements, found.placements[0] + found.placements[1]);
}

static void compare(struct el_library *library, const char *name, const struct el_metric *metric)
{
	struct el_slice slice;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	unsigned moves[4] = {0};
	struct loop l = {
		.slice = &slice,
		.seen = {library, slice.game, metric, {.en_passant = EL_NO_SQUARE}, {0}, moves}};
	l.seen.position.fullmove = 1;
	for (unsigned q = 0; q < QUESTIONS; q++)
		for (unsigned p = 0; p < slice.planes; p++)
			assert_non_null(l.tally[q].classes[p] = calloc(slice.positions, 1));
	put(&l, 0, 0);
	for (unsigned q = 0; q < QUESTIONS; q++) {
		if (!questions[q].only || !strcmp(questions[q].only, name))
			ask(&l, q);
		for (unsigned p = 0; p < slice.planes; p++)
			free(l.tally[q].classes[p]);
	}
}

static void test_chess(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, NULL};
	static const char *const more[] = {"KRvK", "KBvK", "KNvK"};
	struct el_library *library = fixture_library(folder, NULL);
	(void)state;
	assert_int_equal(fixture_build(library, "KQvK KRvK KPvK KBvK KNvK", metrics), EL_OK);
	compare(library, "KQvK", &el_dtm);
	compare(library, "KPvK", &el_dtm);
	for (size_t i = 0; i < sizeof more / sizeof *more && getenv("TRUTH"); i++)
		compare(library, more[i], &el_dtm);
	el_library_close(library);
}

/* ---- choices and orders ---- */

struct listing {
	char fen[64][EL_FEN_MAX];
	unsigned plies[64];
	size_t count;
};

static bool list(void *context, const struct el_match *match)
{
	struct listing *l = context;
	match->slice->game->format(&match->position, l->fen[l->count]);
	l->plies[l->count++] = match->value.plies;
	return true;
}

static void search(struct el_library *library, struct el_find_options options,
                   const char *const *names, struct listing *out)
{
	struct el_query *query;
	struct el_query_fault fault;
	struct el_finder *finder;
	struct el_find_counts found;
	struct el_error error;
	struct el_slice slices[4];
	bool done = false;
	out->count = 0;
	options.take = list;
	options.context = out;
	assert_int_equal(el_query_parse(&el_chess, "win", &query, &fault, &error), EL_OK);
	assert_int_equal(el_finder_open(library, query, &options, &finder, &error), EL_OK);
	for (size_t i = 0; names[i] && !done; i++) {
		assert_int_equal(el_slice_parse(names[i], &slices[i], NULL), EL_OK);
		assert_int_equal(el_finder_search(finder, &slices[i], &found, &done, &error),
		                 EL_OK);
	}
	el_finder_finish(finder);
	el_finder_close(finder);
	el_query_free(query);
}

static void test_choice(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, NULL};
	static const char *const names[] = {"KQvK", "KRvK", NULL};
	struct el_library *library = fixture_library(folder, NULL);
	static struct listing one, two;
	(void)state;
	assert_int_equal(fixture_build(library, "KQvK KRvK", metrics), EL_OK);
	/* the longest of both slices, then the shortest */
	search(library, (struct el_find_options){.sort = &el_dtm, .limit = 30}, names, &one);
	assert_int_equal(one.count, 30);
	for (size_t i = 0; i < one.count; i++)
		assert_int_equal(one.plies[i], 31);
	search(library, (struct el_find_options){.sort = &el_dtm, .limit = 30, .shortest = true},
	       names, &one);
	assert_int_equal(one.plies[0], 1);
	assert_int_equal(one.plies[29], 1);
	/* the first in order of index: of the first slice alone */
	search(library, (struct el_find_options){.limit = 5}, names, &one);
	assert_int_equal(one.count, 5);
	/* a sample is the same for the same seed, and another one for another */
	search(library, (struct el_find_options){.sample = true, .limit = 40, .seed = 1}, names,
	       &one);
	search(library, (struct el_find_options){.sample = true, .limit = 40, .seed = 1}, names,
	       &two);
	assert_int_equal(one.count, 40);
	assert_memory_equal(&one, &two, sizeof one);
	search(library, (struct el_find_options){.sample = true, .limit = 40, .seed = 2}, names,
	       &two);
	assert_memory_not_equal(&one, &two, sizeof one);
	/* Of 18,081 + 21,959 wins, some samples are of each slice. */
	size_t queens = 0;
	for (size_t i = 0; i < one.count; i++)
		queens += strchr(one.fen[i], 'Q') != NULL;
	assert_in_range(queens, 8, 30);
	el_library_close(library);
}

/* ---- what is no question ---- */

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		size_t at;
		const char *says;
	} refused[] = {
		{"", 0, "expected a fact"},
		{"winn", 0, "'winn' is not a word"},
		{"win and", 7, "ends too early"},
		{"win or or check", 7, "'or' is not a word"},
		{"(win", 4, "')'"},
		{"win)", 3, "'and', 'or' or the end"},
		{"not", 3, "ends too early"},
		{"dtm", 3, "one of = != < <= > >="},
		{"dtm > ", 6, "a number"},
		{"dtm > > 3", 6, "a number"},
		{"3 < 4", 5, "two constants"},
		{"dtm > 123456", 6, "too large"},
		{"dtw > 3", 0, "dtw"},
		{"K in a1", 2, "'on'"},
		{"K on i9", 5, "a square"},
		{"K on a1-", 8, "opposite corners"},
		{"K on file j", 10, "from a to h"},
		{"K on rank 9", 10, "from 1 to 8"},
		{"distance(K)", 10, "','"},
		{"distance(K, x) = 1", 12, "a piece"},
		{"behind K", 7, "'('"},
		{"stones(A) > 1", 7, "no stones"},
		{"win # check", 4, "'#'"},
		{"dtm + 1 1 > 2", 8, "one of = !="},
	};
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct el_query *query;
		struct el_query_fault fault;
		struct el_error error;
		assert_int_equal(el_query_parse(&el_chess, refused[i].text, &query, &fault, &error),
		                 EL_USAGE);
		assert_null(query);
		if (!strstr(error.text, refused[i].says) || fault.at != refused[i].at)
			fail_msg("'%s': '%s' at %zu, expected '%s' at %zu", refused[i].text,
			         error.text, fault.at, refused[i].says, refused[i].at);
	}
}

/* Every word is understood by itself, or what is missing follows it. */
static void test_words(void **state)
{
	(void)state;
	for (size_t g = 0; el_games[g]; g++)
		for (size_t i = 0; el_query_word(el_games[g], i); i++) {
			struct el_query *query;
			struct el_query_fault fault;
			struct el_error error;
			char text[64];
			snprintf(text, sizeof text, "%s", el_query_word(el_games[g], i));
			if (!el_query_parse(el_games[g], text, &query, &fault, &error))
				el_query_free(query);
			else if (!fault.at) /* then it joins others, or names no number */
				assert_non_null(strstr("and or on edge corner light dark", text));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {IN_FOLDER(test_chess), IN_FOLDER(test_choice),
	                                   cmocka_unit_test(test_refused),
	                                   cmocka_unit_test(test_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

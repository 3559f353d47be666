/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Surveys of random games against a loop that probes the position before and after each move. */
#include "core/tree/survey.h"

#include "core/base/hash.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 1000, PLIES = 60 };

/* A random game from a random position of four pieces, and its moves. */
struct played {
	struct el_position start;
	struct el_move moves[PLIES];
	size_t count;
	const char *result;
};

static const char *const starts[] = {
	"8/2k5/8/3r4/8/8/1P2K3/8 w - - 0 1", "8/8/4k3/8/3p4/8/4P3/4K3 w - - 0 1",
	"8/5k2/8/8/2q5/8/P7/K7 b - - 0 1",   "4k3/8/8/8/8/8/8/QK5r w - - 0 1",
	"r3k3/8/8/8/8/8/8/4K2R w K - 0 1",
};

static void play_game(uint64_t *seed, struct played *out)
{
	const char *start = starts[random_next(seed) % (sizeof starts / sizeof *starts)];
	assert_int_equal(el_chess.parse(start, &out->start, NULL), EL_OK);
	struct el_position p = out->start, next;
	const size_t length = 20 + random_next(seed) % (PLIES - 20);
	for (out->count = 0; out->count < length; out->count++) {
		struct el_move moves[EL_MOVES_MAX];
		const size_t all = el_chess.moves(&p, moves);
		if (!all)
			break;
		out->moves[out->count] = moves[random_next(seed) % all];
		el_chess.play(&p, &out->moves[out->count], &next);
		p = next;
	}
	static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
	out->result = results[random_next(seed) % 4];
}

static void write_game(const struct played *g, FILE *out)
{
	struct el_position p = g->start, next;
	char fen[EL_FEN_MAX], san[EL_MOVE_MAX];
	el_chess.format(&p, fen);
	fprintf(out,
	        "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"%s\"]\n[FEN \"%s\"]\n\n",
	        g->result, fen);
	for (size_t i = 0; i < g->count; i++) {
		el_chess.write_move(&p, &g->moves[i], EL_SAN, san);
		fprintf(out, "%s%s", i % 12 ? " " : "\n", san);
		el_chess.play(&p, &g->moves[i], &next);
		p = next;
	}
	fprintf(out, " %s\n\n", g->result);
}

/* What the loop counts of one slice. */
struct tally {
	struct el_slice slice;
	uint64_t games, moves, entered[4], ended[4];
	struct el_survey_side side[2];
};

static struct tally tallies[64];
static size_t tally_count;

static struct tally *tally_of(const struct el_slice *slice)
{
	size_t i = 0;
	while (i < tally_count && !el_slice_equal(&tallies[i].slice, slice))
		i++;
	if (i == tally_count)
		tallies[tally_count++] = (struct tally){.slice = *slice};
	return &tallies[i];
}

static struct el_value value_at(struct el_library *library, const struct el_position *p)
{
	struct el_value v;
	struct el_error error;
	if (el_library_value(library, &el_chess, p, &el_dtm, EL_PROBE_FULL, &v, &error))
		fail_msg("%s", error.text);
	return v;
}

static int half_points(enum el_outcome outcome)
{
	return outcome == EL_WIN ? 2 : outcome == EL_DRAW ? 1 : 0;
}

static void count_game(struct el_library *library, const struct played *g)
{
	struct el_position p = g->start, next;
	struct tally *last = NULL;
	for (size_t i = 0; i < g->count; i++) {
		struct el_slice slice;
		el_chess.play(&p, &g->moves[i], &next);
		if (!el_chess.slice_of(&p, &slice, NULL) && !el_chess.drawn(&p)) {
			/* White of the slice is the side with its first-named material. */
			bool turned = false;
			for (unsigned k = 0; k < EL_KINDS; k++)
				turned = turned || __builtin_popcountll(p.set[EL_WHITE][k]) !=
				                           slice.count[EL_WHITE][k];
			const struct el_value before = value_at(library, &p),
					      after = value_at(library, &next);
			const int had = half_points(before.outcome);
			const int has = 2 - half_points(after.outcome);
			struct tally *t = tally_of(&slice);
			const unsigned side = turned ? !p.side : p.side;
			if (t != last) {
				static const char *const results[] = {"0-1", "1/2-1/2", "1-0", "*"};
				unsigned result = 0;
				while (strcmp(results[result], g->result))
					result++;
				t->games++;
				t->entered[side == EL_WHITE ? had : 2 - had]++;
				t->ended[turned && result < 3 ? 2 - result : result]++;
			}
			last = t;
			t->moves++;
			t->side[side].judged++;
			t->side[side].mistakes += has < had;
			t->side[side].halves += (uint64_t)(had - has);
			if (has == had && had != 1)
				t->side[side].lost += had == 2 ? after.plies + 1u - before.plies
				                               : before.plies - after.plies - 1u;
		}
		p = next;
	}
}

static void test_random(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, NULL};
	struct el_library *library = fixture_library(folder, NULL);
	struct el_survey *s;
	struct el_games *games;
	struct el_error error;
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	uint64_t seed = 50, mistakes = 0;
	struct played game;
	(void)state;
	assert_int_equal(fixture_build(library, "KRvKP KPvKP KQvKP KQvKR KRvKR", metrics), EL_OK);
	for (int i = 0; i < GAMES; i++) {
		play_game(&seed, &game);
		write_game(&game, out);
		count_game(library, &game);
	}
	fclose(out);
	const struct el_question question = {.metric = &el_dtm};
	assert_int_equal(el_survey_open(&s, &error), EL_OK);
	assert_int_equal(el_games_open_text("random", text, length, &games, &error), EL_OK);
	if (el_survey_read(s, library, &question, games, 0, NULL, &error))
		fail_msg("%s", error.text);
	assert_int_equal(el_survey_sort(s, &error), EL_OK);
	assert_int_equal(s->games, GAMES);
	assert_int_equal(s->faulty, 0);
	assert_false(s->dropped);
	assert_int_equal(s->count, tally_count);
	for (size_t i = 0; i < s->count; i++) {
		const struct el_survey_ending *e = &s->endings[i];
		const struct tally *t = tally_of(&e->slice);
		assert_true(!i || e[-1].games >= e->games);
		if (e->games != t->games || e->moves != t->moves ||
		    memcmp(e->entered, t->entered, sizeof t->entered) ||
		    memcmp(e->ended, t->ended, sizeof t->ended) ||
		    memcmp(e->side, t->side, sizeof t->side))
			fail_msg("%s: %lu games, %lu moves, %lu and %lu mistakes, %lu and %lu "
			         "plies; "
			         "expected %lu, %lu, %lu and %lu, %lu and %lu",
			         e->slice.name, (unsigned long)e->games, (unsigned long)e->moves,
			         (unsigned long)e->side[0].mistakes,
			         (unsigned long)e->side[1].mistakes, (unsigned long)e->side[0].lost,
			         (unsigned long)e->side[1].lost, (unsigned long)t->games,
			         (unsigned long)t->moves, (unsigned long)t->side[0].mistakes,
			         (unsigned long)t->side[1].mistakes, (unsigned long)t->side[0].lost,
			         (unsigned long)t->side[1].lost);
		mistakes += e->side[0].mistakes + e->side[1].mistakes;
	}
	/* Each mistake is listed, and its best move keeps what was there. */
	assert_true(mistakes > GAMES);
	for (size_t i = 0; i < s->mistake_count; i++) {
		const struct el_survey_mistake *m = &s->mistakes[i];
		struct el_position next;
		assert_true(!i || m[-1].count >= m->count);
		assert_int_equal(value_at(library, &m->position).outcome, m->before);
		el_chess.play(&m->position, &m->better, &next);
		assert_int_equal(el_outcome_negate(value_at(library, &next).outcome), m->before);
		el_chess.play(&m->position, &m->move, &next);
		assert_int_equal(el_outcome_negate(value_at(library, &next).outcome), m->after);
		mistakes -= m->count;
	}
	assert_int_equal(mistakes, 0);
	el_games_close(games);
	el_survey_close(s);
	el_library_close(library);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {IN_FOLDER(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

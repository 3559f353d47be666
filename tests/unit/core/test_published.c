/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published statistics in both forms, written here from what the brute-force solver counts: they agree
   with our tables, every number that is changed shows, and nothing in a file is trusted. */
#include "core/examine/examine.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/solved.h"
#include "tests/oracles/brute_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const slices[] = {"KQvK", "KPvK", "KNNvK", "KNvKN", NULL};
enum { SLICES = 4, PLIES = 64, LIMIT = 100 };

static char folder[SCRATCH_PATH];
static struct brute *brute;
static struct brute_metrics *measured;
static struct solved *solved;

/* What a slice has, for each side to move. */
static struct count {
	unsigned long placements[3], reduced[3]; /* by outcome: loss, draw, win */
	unsigned long depth[2][PLIES];           /* reduced wins and losses by plies of DTZ50 */
	struct best {
		unsigned plies;
		char fen[EL_FEN_MAX];
	} dtm, dtz, lost; /* longest wins, and the longest loss in DTZ50 */
} counts[SLICES][2];

/* The square that a symmetry of the board, 0 to 7, takes a square to. */
static unsigned image(unsigned symmetry, unsigned square)
{
	unsigned file = square % 8, rank = square / 8;
	if (symmetry & 1)
		file = 7 - file;
	if (symmetry & 2)
		rank = 7 - rank;
	return symmetry & 4 ? rank + 8 * file : file + 8 * rank;
}

/* Is no image of the pieces, told apart, before them in the order of their squares? */
static bool is_least(const unsigned *square, unsigned pieces, unsigned symmetries)
{
	for (unsigned symmetry = 1; symmetry < symmetries; symmetry++)
		for (unsigned i = 0; i < pieces; i++) {
			const unsigned other = image(symmetry, square[i]);
			if (other > square[i])
				break;
			if (other < square[i])
				return false;
		}
	return true;
}

static void keep_longest(struct best *best, const struct el_value *value,
                         const struct el_position *position)
{
	if (best->fen[0] && value->plies <= best->plies)
		return;
	best->plies = value->plies;
	el_chess.format(position, best->fen);
}

/* Counts every placement of the pieces of a slice, like pieces told apart. */
static void count_slice(const char *name, struct count count[2])
{
	const unsigned symmetries = strchr(name, 'P') ? 2 : 8;
	unsigned kind[4], owner[4], square[4], pieces = 0, side = 0, ways = 1;
	for (const char *at = name; *at; at++) {
		side += *at == 'v';
		ways *= at > name && *at == at[-1] ? 2 : 1;
		if (*at == 'v')
			continue;
		kind[pieces] = (unsigned)(strchr(el_chess.kinds, *at) - el_chess.kinds);
		owner[pieces++] = side;
	}
	const unsigned first = 6 * (pieces - 1);
	for (unsigned code = 0; code < 1u << 6 * pieces; code++) {
		/* with the first piece on a square that has a lesser image no placement is the least */
		square[0] = code >> first;
		if (!is_least(square, 1, symmetries)) {
			code |= (1u << first) - 1;
			continue;
		}
		struct el_position p = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
		uint64_t taken = 0;
		for (unsigned i = 0; i < pieces; i++) {
			square[i] = code >> 6 * (pieces - 1 - i) & 63;
			taken |= UINT64_C(1) << square[i];
			p.set[owner[i]][kind[i]] |= UINT64_C(1) << square[i];
		}
		if ((unsigned)__builtin_popcountll(taken) < pieces)
			continue;
		/* Only one image is looked up, and stands for all. */
		if (!is_least(square, pieces, symmetries))
			continue;
		unsigned images = 0;
		for (unsigned symmetry = 0; symmetry < symmetries; symmetry++) {
			unsigned same = 0;
			for (unsigned i = 0; i < pieces; i++)
				same += image(symmetry, square[i]) == square[i];
			images += same == pieces; /* of the group, so many leave it alone */
		}
		for (p.side = 0; p.side < 2; p.side++) {
			struct el_value dtm, dtz;
			if (!brute_value(brute, &p, &dtm))
				continue;
			assert_true(brute_metric(measured, &p, BRUTE_DTZK, LIMIT, &dtz));
			assert_int_equal(dtz.outcome, dtm.outcome); /* nothing is too late */
			const unsigned outcome = dtm.outcome == EL_WIN    ? 2
			                         : dtm.outcome == EL_DRAW ? 1
			                                                  : 0;
			struct count *c = &count[p.side];
			c->reduced[outcome]++;
			c->placements[outcome] += symmetries / images;
			if (outcome != 1)
				c->depth[!outcome][dtz.plies]++;
			if (outcome == 2) {
				keep_longest(&c->dtm, &dtm, &p);
				keep_longest(&c->dtz, &dtz, &p);
			} else if (!outcome) {
				keep_longest(&c->lost, &dtz, &p);
			}
		}
	}
	for (side = 0; side < 2; side++)
		for (unsigned outcome = 0; outcome < 3; outcome++)
			count[side].placements[outcome] /= ways;
}

static int solve(void **state)
{
	(void)state;
	scratch_make(folder);
	brute = brute_solve(slices);
	measured = brute_measure(brute, &(struct brute_wish){.rule = {LIMIT}});
	solved = solved_open();
	for (unsigned i = 0; i < SLICES; i++)
		count_slice(slices[i], counts[i]);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	solved_close(solved);
	brute_metrics_free(measured);
	brute_free(brute);
	scratch_remove(folder);
	return 0;
}

/* ---- files ---- */

static struct scratch_path written(const char *text)
{
	const struct scratch_path path = scratch_in(folder, "statistics");
	FILE *file = fopen(path.text, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	return path;
}

/* The statistics of a slice as syzygy-tables.info has them, without its name. */
static void syzygy_form(const struct count count[2], char *out, size_t size)
{
	FILE *file = fmemopen(out, size, "w");
	assert_non_null(file);
	fputs("{\"rtbw\": {\"bytes\": 80}, \"histogram\": {", file);
	for (unsigned side = 0; side < 2; side++) {
		const struct count *c = &count[side];
		fprintf(file, "%s\"%s\": {", side ? ", " : "", side ? "black" : "white");
		for (unsigned half = 0; half < 2; half++) {
			unsigned length = PLIES;
			while (length && !c->depth[half][length - 1])
				length--;
			fprintf(file, "\"%s\": [", half ? "loss" : "win");
			for (unsigned p = 0; p < length; p++)
				fprintf(file, "%s%lu", p ? ", " : "", c->depth[half][p]);
			fputs("], ", file);
		}
		fprintf(file,
		        "\"wdl\": {\"-2\": %lu, \"-1\": 0, \"0\": %lu, \"1\": 0, \"2\": %lu}}",
		        c->reduced[0], c->reduced[1], c->reduced[2]);
	}
	fputs("}, \"longest\": [", file);
	const char *comma = "";
	for (unsigned winner = 0; winner < 2; winner++) {
		const struct best *won = &count[winner].dtz, *lost = &count[!winner].lost;
		const bool by_loss = lost->fen[0] && lost->plies > won->plies;
		const struct best *best = by_loss ? lost : won;
		if (best->fen[0])
			fprintf(file, "%s{\"epd\": \"%.*s\", \"ply\": %u, \"wdl\": %d}", comma,
			        (int)strlen(best->fen) - 4, best->fen, best->plies,
			        by_loss ? -2 : 2);
		if (best->fen[0])
			comma = ", ";
	}
	fputs("]}", file);
	assert_int_equal(fclose(file), 0);
}

/* A row of chesstb; `turned`: with the sides in the other order. */
static void chesstb_form(const char *name, const struct count count[2], bool turned, char *out,
                         size_t size)
{
	FILE *file = fmemopen(out, size, "w");
	assert_non_null(file);
	fprintf(file, "{\"m\":\"%s\",\"n\":3,\"c\":[", name);
	for (unsigned i = 0; i < 2; i++) {
		const unsigned long *p = count[i ^ turned].placements;
		fprintf(file, "%s%lu,%lu,%lu,%lu", i ? "," : "", p[2], p[1], p[0],
		        p[0] + p[1] + p[2]);
	}
	fputs("],\"l\":{", file);
	for (unsigned m = 0; m < 2; m++) {
		fprintf(file, "%s\"%s\":[", m ? "," : "", m ? "dtm" : "dtz");
		for (unsigned i = 0; i < 2; i++) {
			const struct count *c = &count[i ^ turned];
			const struct best *best = m ? &c->dtm : &c->dtz;
			struct el_position p, other = {.fullmove = 1};
			char fen[EL_FEN_MAX] = "";
			if (best->fen[0]) {
				assert_int_equal(el_chess.parse(best->fen, &p, NULL), EL_OK);
				if (turned)
					el_chess.swap_colours(&p, &other);
				el_chess.format(turned ? &other : &p, fen);
			}
			/* chesstb ends with the side to move */
			fprintf(file, "%s[%u,\"%.*s\"]", i ? "," : "", best->plies,
			        fen[0] ? (int)strcspn(fen, " ") + 2 : 0, fen);
		}
		fputc(']', file);
	}
	fputs(",\"dtc\":[[3,\"?\"],[0,\"\"]]}}", file);
	assert_int_equal(fclose(file), 0);
}

static struct el_published read_text(const char *text, const char *unnamed)
{
	struct el_published published;
	struct el_error error;
	struct el_slice slice;
	if (unnamed)
		assert_int_equal(el_slice_parse(unnamed, &slice, NULL), EL_OK);
	if (el_published_read(written(text).text, unnamed ? &slice : NULL, &published, &error))
		fail_msg("%s", error.text);
	return published;
}

static struct el_figures figures_of(const struct el_published_ending *ending,
                                    const struct el_metric *metric)
{
	struct el_figures found;
	struct el_error error;
	const struct el_planes *planes = solved_of(solved, &ending->slice, metric);
	if (el_published_compare(ending, planes, NULL, &found, &error))
		fail_msg("%s", error.text);
	return found;
}

/* ---- agreement ---- */

static char text[1 << 16], part[1 << 14];

static void test_agree(void **state)
{
	(void)state;
	const struct el_metric *const dtz50 = &el_dtz_rule[49];
	strcpy(text, "{\"sets\":[{\"castling\":false,\"rows\":[");
	for (unsigned i = 0; i < SLICES; i++) {
		chesstb_form(slices[i], counts[i], false, part, sizeof part);
		strcat(strcat(text, i ? "," : ""), part);
	}
	chesstb_form("KKQ", counts[0], true, part, sizeof part);
	strcat(strcat(text, ","), part);
	strcat(text, "]},{\"castling\":true,\"rows\":[{\"m\":\"KrK\"}]}]}");
	struct el_published p = read_text(text, NULL);
	assert_int_equal(p.count, SLICES + 2);
	assert_string_equal(p.beyond, "dtc");
	assert_true(p.ending[SLICES + 1].is_part);
	for (unsigned i = 0; i <= SLICES; i++)
		for (unsigned m = 0; m < 3; m++) {
			const struct el_metric *const metric = m == 2 ? dtz50
			                                       : m    ? &el_dtm
			                                              : &el_wdl;
			const struct el_figures f = figures_of(&p.ending[i], metric);
			assert_int_equal(f.different, 0);
			assert_ptr_equal(f.metric, metric);
			/* a longest win, or none, for each side to move, and their positions */
			assert_int_equal(f.compared,
			                 figures_of(&p.ending[i], &el_wdl).compared + (m ? 2 : 0) +
			                         (m && counts[i % SLICES][0].dtm.fen[0]) +
			                         (m && counts[i % SLICES][1].dtm.fen[0]));
		}
	el_published_free(&p);
	for (unsigned i = 0; i < SLICES; i++) {
		syzygy_form(counts[i], part, sizeof part);
		p = read_text(part, NULL);
		assert_string_equal(p.ending[0].slice.name, slices[i]);
		assert_int_equal(figures_of(&p.ending[0], dtz50).different, 0);
		assert_int_equal(figures_of(&p.ending[0], &el_wdl_rule[49]).different, 0);
		const struct el_figures f = figures_of(&p.ending[0], &el_dtm);
		assert_int_equal(f.different, 0);
		assert_ptr_equal(f.metric, &el_wdl);
		el_published_free(&p);
	}
}

/* ---- differences ---- */

/* Raises each number of the text in turn that is a count, and hands over what is then found. */
static void test_every_count(void **state)
{
	(void)state;
	syzygy_form(counts[1], part, sizeof part);
	const char *const start = strstr(part, "histogram"), *const end = strstr(part, "longest");
	unsigned changed = 0;
	for (const char *at = start; at < end; at++) {
		unsigned long number;
		int length;
		if (!strchr("[ ", at[-1]) || sscanf(at, "%lu%n", &number, &length) != 1)
			continue;
		snprintf(text, sizeof text, "%.*s%lu%s", (int)(at - part), part, number + 1,
		         at + length);
		struct el_published p = read_text(text, NULL);
		const struct el_figures f = figures_of(&p.ending[0], &el_dtz_rule[49]);
		assert_int_equal(f.different, 1);
		assert_int_equal(f.count, 1);
		assert_true(f.first[0].kind <= EL_FIGURE_LATE);
		assert_int_equal(f.first[0].theirs, number + 1);
		assert_int_equal(f.first[0].ours, number);
		el_published_free(&p);
		changed++;
	}
	assert_true(changed > 30);
}

static void test_records(void **state)
{
	(void)state;
	/* KQvK, longest win: 19 plies. A ply less, and a position that is won in fewer. */
	chesstb_form("KQK", counts[0], false, part, sizeof part);
	char *at = strstr(part, "\"dtm\":[[19,");
	assert_non_null(at);
	at[strlen("\"dtm\":[[1")] = '7';
	snprintf(text, sizeof text, "{\"sets\":[{\"castling\":false,\"rows\":[%s]}]}", part);
	struct el_published p = read_text(text, NULL);
	struct el_figures f = figures_of(&p.ending[0], &el_dtm);
	assert_int_equal(f.different, 2);
	assert_int_equal(f.first[0].kind, EL_FIGURE_LONGEST);
	assert_int_equal(f.first[0].ours, 19);
	assert_int_equal(f.first[0].theirs, 17);
	assert_int_equal(f.first[1].kind, EL_FIGURE_VALUE);
	assert_int_equal(f.first[1].our_value.plies, 19);
	assert_int_equal(f.first[1].their_value.plies, 17);
	/* our longest has the depth that is claimed for it */
	struct el_position position;
	struct el_value value;
	assert_int_equal(el_chess.parse(f.first[0].fen, &position, NULL), EL_OK);
	assert_true(brute_value(brute, &position, &value));
	assert_int_equal(value.plies, 19);
	assert_int_equal(figures_of(&p.ending[0], &el_dtz_rule[49]).different, 0);
	el_published_free(&p);
	/* Black, who has a king alone, wins a position. */
	chesstb_form("KQK", counts[0], false, part, sizeof part);
	p = read_text(
		"{\"sets\":[{\"castling\":false,\"rows\":[{\"m\":\"KQK\",\"c\":[1,0,0,1,1,0,0,"
		"1],\"l\":{\"dtm\":[[0,\"\"],[1,\"8/8/8/8/8/k7/8/K2Q4 b\"]]}}]}]}",
		NULL);
	f = figures_of(&p.ending[0], &el_dtm);
	/* White's wins; Black's, draws and losses; White's longest; Black's, and its position */
	assert_int_equal(f.different, 7);
	assert_int_equal(f.first[5].side, EL_BLACK);
	assert_int_equal(f.first[5].ours, 0);
	assert_int_equal(f.first[5].theirs, 1);
	assert_string_equal(f.first[5].fen, "");
	el_published_free(&p);
}

/* What Syzygy counts past the limit is compared with our cursed wins as a whole. */
static void test_late(void **state)
{
	(void)state;
	snprintf(text, sizeof text, "[0");
	for (unsigned p = 1; p <= LIMIT; p++)
		strcat(text, ", 0");
	strcat(text, ", 3, 0, 4]");
	static char wrapped[1 << 17];
	snprintf(wrapped, sizeof wrapped,
	         "{\"KQvK\": {\"longest\": [], \"histogram\": {\"white\": {\"win\": %s, \"loss\": "
	         "[], "
	         "\"wdl\": {\"-2\": 0, \"-1\": 0, \"0\": 0, \"1\": 7, \"2\": 0}}, \"black\": "
	         "{\"win\": "
	         "[], \"loss\": [], \"wdl\": {\"-2\": 0, \"-1\": 0, \"0\": 0, \"1\": 0, \"2\": "
	         "0}}}}}",
	         text);
	struct el_published p = read_text(wrapped, NULL);
	const struct el_figures f = figures_of(&p.ending[0], &el_dtz_rule[49]);
	bool is_there = false;
	for (size_t i = 0; i < f.count; i++)
		is_there |= f.first[i].kind == EL_FIGURE_COUNT &&
		            f.first[i].outcome == EL_CURSED_WIN && f.first[i].theirs == 7;
	assert_true(is_there);
	/* without a rule these are wins, and 7 of them */
	const struct el_figures plain = figures_of(&p.ending[0], &el_dtm);
	assert_int_equal(plain.first[0].outcome, EL_WIN);
	assert_int_equal(plain.first[0].theirs, 7);
	el_published_free(&p);
}

/* ---- bad files ---- */

#define ROW(c, l) \
	"{\"sets\":[{\"castling\":false,\"rows\":[{\"m\":\"KQK\",\"c\":" c ",\"l\":" l "}]}]}"
#define SIDE(win) \
	"{\"win\":" win ",\"loss\":[],\"wdl\":{\"-2\":0,\"-1\":0,\"0\":0,\"1\":0,\"2\":0}}"
#define ENDING(longest, win) \
	"{\"longest\":" longest ",\"histogram\":{\"white\":" SIDE(win) ",\"black\":" SIDE("[]") "}}"

static void test_bad(void **state)
{
	(void)state;
	static const struct {
		const char *text, *found;
	} cases[] = {
		{"", "line 1, column 1: expected JSON, found the end"},
		{"{\"a\":\n [1, 2,, 3]}", "line 2, column 8: expected JSON, found something else"},
		{"{} {}", "line 1, column 4: expected JSON"},
		{"{}", "expected statistics of chesstb"},
		{"[1]", "expected statistics of chesstb"},
		{"{\"KQvK\": 3}", "expected statistics of chesstb"},
		{"{\"sets\":[3]}", "rows: expected an array, found nothing"},
		{"{\"sets\":[{\"rows\":[]}]}", "castling: expected true or false, found nothing"},
		{"{\"sets\":[{\"castling\":false,\"rows\":[{\"m\":7}]}]}",
	         "m: expected the name of an ending, found 7"},
		{"{\"sets\":[{\"castling\":false,\"rows\":[{\"m\":\"QK\"}]}]}",
	         "expected the name of an ending, as in KQvKR, found 'QK'"},
		{"{\"sets\":[{\"castling\":false,\"rows\":[{\"m\":"
	         "\"KQQQQQQQQQQQQQQQQQQQQQQQQQQQQK\"}]}]}",
	         "expected the name of an ending, as in KQvKR"},
		{ROW("[1,2]", "{}"), "KQK: c: expected 8 counts, found an array"},
		{ROW("[1,2,3,6,1,2,3,7]", "{}"),
	         "KQK: c[7]: expected the sum of the three before, found 7"},
		{ROW("[1,2,3.5,6,1,2,3,6]", "{}"), "KQK: c[2]: expected a count, found 3.5"},
		{ROW("[1,2,-3,6,1,2,3,6]", "{}"), "KQK: c[2]: expected a count, found -3"},
		{ROW("[1,2,1e300,6,1,2,3,6]", "{}"), "KQK: c[2]: expected a count"},
		{ROW("[0,0,0,0,0,0,0,0]", "[]"), "KQK: l: expected an object of metrics"},
		{ROW("[0,0,0,0,0,0,0,0]", "{\"dtm\":[3]}"), "KQK: dtm: expected two longest wins"},
		{ROW("[0,0,0,0,0,0,0,0]", "{\"dtm\":[3,4]}"),
	         "KQK: dtm: expected plies, found nothing"},
		{ROW("[0,0,0,0,0,0,0,0]", "{\"dtm\":[[70000,\"\"],[0,\"\"]]}"),
	         "KQK: dtm: expected plies, found 70000"},
		{ROW("[0,0,0,0,0,0,0,0]", "{\"dtm\":[[7,\"8/8/8/8/8/k7/8/K2R4 w\"],[0,\"\"]]}"),
	         "KQK: dtm: expected a position of this ending"},
		{ROW("[0,0,0,0,0,0,0,0]", "{\"dtm\":[[7,\"8/8/8/8/8/k7/8/K2Q4 b\"],[0,\"\"]]}"),
	         "KQK: dtm: expected the other side to move"},
		{ROW("[0,0,0,0,0,0,0,0]", "{\"dtm\":[[7,\"8/8/8/8/8/8/8/Kk1Q4 w\"],[0,\"\"]]}"),
	         "KQK: dtm: expected a legal position, found '8/8"},
		{"{\"KQvK\":{\"histogram\":{}}}",
	         "KQvK: longest: expected an array, found nothing"},
		{"{\"KQvK\":{\"longest\":[],\"histogram\":{}}}",
	         "KQvK: histogram.white.wdl.-2: expected a count, found nothing"},
		{"{\"KQvK\":" ENDING("[]", "[0,\"x\"]") "}",
	         "KQvK: histogram.white.win[1]: expected a count, found 'x'"},
		{"{\"KQvK\":" ENDING("[]", "{}") "}",
	         "KQvK: histogram.white.win: expected an array of counts by ply, found an object"},
		{"{\"KQvK\":" ENDING("[{\"wdl\":0}]", "[]") "}",
	         "KQvK: wdl: expected -2, -1, 1 or 2, found 0"},
		{"{\"KQvK\":" ENDING("[{\"wdl\":2,\"ply\":3,\"epd\":null}]", "[]") "}",
	         "KQvK: longest: expected a legal position, found true, false or null"},
		{ENDING("[{\"wdl\":2,\"ply\":3}]", "[]"),
	         "epd: expected a legal position, found nothing"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_published p;
		struct el_error error = {0};
		const struct scratch_path path = written(cases[i].text);
		if (el_published_read(path.text, NULL, &p, &error) != EL_DAMAGED ||
		    strncmp(error.text, path.text, strlen(path.text)) ||
		    !strstr(error.text, cases[i].found))
			fail_msg("%s: %s", cases[i].text, error.text);
		assert_int_equal(p.count, 0);
		el_published_free(&p);
	}
	/* An ending without a name or a position is that of the slice asked for. */
	struct el_published p;
	struct el_error error;
	assert_int_equal(el_published_read(written(ENDING("[]", "[]")).text, NULL, &p, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "name one slice"));
	p = read_text(ENDING("[]", "[]"), "KNvK");
	assert_string_equal(p.ending[0].slice.name, "KNvK");
	el_published_free(&p);
	assert_int_equal(el_published_read(folder, NULL, &p, &error), EL_IO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agree),   cmocka_unit_test(test_every_count),
		cmocka_unit_test(test_records), cmocka_unit_test(test_late),
		cmocka_unit_test(test_bad),
	};
	return cmocka_run_group_tests_name("published", tests, solve, clean);
}

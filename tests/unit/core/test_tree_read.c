/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games as others write them: the text read, the text written for it, and that both are the same
   game. */
#include "core/tree/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All games of a text as they are written, in sequence; *error is that of the last faulty one. Free
   it. */
static char *rewrite(const char *text, size_t length, struct el_error *error)
{
	char *all = calloc(1, 1);
	size_t used = 0;
	struct el_games *games;
	struct el_tree *tree;
	struct el_error fault;
	*error = (struct el_error){0};
	assert_int_equal(el_games_open_text("f.pgn", text, length, &games, NULL), EL_OK);
	for (;;) {
		char *one;
		size_t more;
		const enum el_status status = el_games_next(games, &tree, &fault);
		if (status)
			*error = fault;
		if (!tree)
			break;
		assert_int_equal(el_tree_write(tree, &one, &more, NULL), EL_OK);
		all = realloc(all, used + more + 1);
		memcpy(all + used, one, more + 1);
		used += more;
		free(one);
		el_tree_close(tree);
	}
	el_games_close(games);
	return all;
}

/* The text read, the text written (the same if null), and the error (none if null). */
struct reading {
	const char *read, *written, *error;
};

static void check(const struct reading *r)
{
	struct el_error error;
	const char *expected = r->written ? r->written : r->read;
	char *once = rewrite(r->read, strlen(r->read), &error);
	assert_string_equal(once, expected);
	assert_string_equal(error.text, r->error ? r->error : "");
	char *twice = rewrite(once, strlen(once), &error);
	assert_string_equal(twice, once);
	free(once);
	free(twice);
}

static void check_all(const struct reading *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check(&cases[i]);
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

static void test_habits(void **state)
{
	static const struct reading cases[] = {
		{"", NULL, NULL},
		{" \r\n\t", "", NULL},
		{"*\n\n", NULL, NULL},
		{"1. e4 e5 2. Nf3 1-0\n\n", NULL, NULL},
		{"1.e4 e5 2.Nf3", "1. e4 e5 2. Nf3 *\n\n", NULL},
		{"e4 e5 Nf3 1/2", "1. e4 e5 2. Nf3 1/2-1/2\n\n", NULL},
		{"1 e4 1... e5 2 . Nf3 0-1", "1. e4 e5 2. Nf3 0-1\n\n", NULL},
		{"1.e4 ...e5 2. g1f3 2...b8c6 *", "1. e4 e5 2. Nf3 Nc6 *\n\n", NULL},
		{"1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *",
	         "1. e4 $1 e5 $2 2. Nf3 $3 Nc6 $4 3. Bb5 $5 a6 $6 *\n\n", NULL},
		{"1. e4 ! e5 $14 += 2. Nf3 $6 $140 *", "1. e4 $1 e5 $14 $14 2. Nf3 $6 $140 *\n\n",
	         NULL},
		{"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O 0-0 1/2-1/2",
	         "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 1/2-1/2\n\n", NULL},
		{"\xEF\xBB\xBF[Event \"x\"]\r\n\r\n1. e4\r\ne5 *\r\n",
	         "[Event \"x\"]\n\n1. e4 e5 *\n\n", NULL},
		{"[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4#\n",
	         "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n", NULL},
		{"[Event \"a\"] [Site \"b\"]\n1. e4 *",
	         "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n\n", NULL},
		{"[A \"say \\\"hi\\\" \\\\\"]\n\n*\n\n", NULL, NULL},
		{"[A \"Joe \"The Man\" Doe\"]\n*", "[A \"Joe \\\"The Man\\\" Doe\"]\n\n*\n\n",
	         NULL},
		{"[A \"C:\\games\\\"]\n*", "[A \"C:\\\\games\\\\\"]\n\n*\n\n", NULL},
		{"[White \"M\xFCller\"]\n\n1. e4 {caf\xE9} *",
	         "[White \"M\xC3\xBCller\"]\n\n1. e4 {caf\xC3\xA9} *\n\n", NULL},
		{"[White \"M\xC3\xBCller\"]\n\n*\n\n", NULL, NULL},
		{"1. e4 1-0 1. d4 0-1", "1. e4 1-0\n\n1. d4 0-1\n\n", NULL},
		{"[Event \"a\"]\n\n[Event \"b\"]\n\n1. e4 *",
	         "[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n1. e4 *\n\n", NULL},
		{"[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4\n[Event \"c\"]\n1. d4",
	         "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n1. d4 *\n\n", NULL},
		{"[Event \"a\"]\n[Event \"b\"]\n\n1. e4 *",
	         "[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n1. e4 *\n\n", NULL},
		/* games without tags and results */
		{"1. e4 e5\n\n2. Nf3\n\n1. d4 d5 {c}\n\n1 c4\r\n\r\n1. Nf3",
	         "1. e4 e5 2. Nf3 *\n\n1. d4 d5 {c} *\n\n1. c4 *\n\n1. Nf3 *\n\n", NULL},
		{"1. e4\n\n1... e5 2. Nf3 (2. f4\n\n2... exf4)\n\n2... Nc6 *",
	         "1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 *\n\n", NULL},
	};
	(void)state;
	CHECK_ALL(cases);
}

/* The signs and words of other programs. */
static void test_spellings(void **state)
{
	static const struct reading cases[] = {
		{"1.\u00A0e4\u202Fe5\u30002.\uFEFFNf3\u2003Nc6 *", "1. e4 e5 2. Nf3 Nc6 *\n\n",
	         NULL},
		{"1.\xA0"
	         "e4 e5\xA0"
	         "2. Nf3 1\x96"
	         "0",
	         "1. e4 e5 2. Nf3 1-0\n\n", NULL}, /* Latin-1 */
		{"1. ♘f3 ♞f6 2. g3 g6 3. ♗g2 ♝g7 4. O–O 0−0 5. ♙d3 d6 ½–½",
	         "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. d3 d6 1/2-1/2\n\n", NULL},
		{"1… e4 1…e5 2. Nf3", "1. e4 e5 2. Nf3 *\n\n", NULL},
		{"1. e4 d5 2. e4×d5 Q:d5 3. Nc3 Qe5+ 4. Be2 *",
	         "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 *\n\n", NULL},
		{"1. e4 Nf6 2. e5 d5 3. exd6 e.p. cxd6 4. Nf3 *",
	         "1. e4 Nf6 2. e5 d5 3. exd6 cxd6 4. Nf3 *\n\n", NULL},
		{"1. e4 Nf6 2. e5 d5 3. exd6ep Qxd6 4. Qe2 Qe6 ch 5. Qxe6 *",
	         "1. e4 Nf6 2. e5 d5 3. exd6 Qxd6 4. Qe2 Qe6 5. Qxe6 *\n\n", NULL},
		{"[Result \"½-½\"]\n\n1. e4", "[Result \"½-½\"]\n\n1. e4 1/2-1/2\n\n", NULL},
		{"1. e4 0.5-0.5 1. d4 1:0 1. c4 0:1 1. a4 ½ 1. b4 1/2",
	         "1. e4 1/2-1/2\n\n1. d4 1-0\n\n1. c4 0-1\n\n1. a4 1/2-1/2\n\n1. b4 1/2-1/2\n\n",
	         NULL},
		{"1. e4 ± e5∞ 2. Nf3+= Nc6N 3. Bb5 TN a6 ⩲! 4. Ba4 D *",
	         "1. e4 $16 e5 $13 2. Nf3 $14 Nc6 $146 3. Bb5 $146 a6 $14 $1 4. Ba4 $220 *\n\n",
	         NULL},
		{"1. e4 e5 (1... -- 2. d4 Z0 3. c4) 2. -- Nc6 *",
	         "1. e4 e5 (1... -- 2. d4 -- 3. c4) 2. -- Nc6 *\n\n", NULL},
		{"1. e4 f6 2. Qh5+ -- *", "1. e4 f6 2. Qh5+ --\n*\n\n",
	         "f.pgn:1: game 1, move 2: '--' is illegal: a side in check cannot pass"},
		{"1. e4 *\n\xEF\xBB\xBF[Event \"b\"]\n\n1. d4 *",
	         "1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n\n", NULL},
	};
	(void)state;
	CHECK_ALL(cases);
}

/* A word that is no move costs a note; what is no move by its number ends the line. */
static void test_strange(void **state)
{
	static const struct reading cases[] = {
		{"Foo - Bar, Baz\n1. e4 e5 good 2. Nf3 (so so 2. f4 yes) Nc6 } *",
	         "{Foo - Bar, Baz} 1. e4 e5 {good} 2. Nf3 ({so so} 2. f4 {yes}) 2... Nc6 "
	         ";}\n*\n\n",
	         "f.pgn:1: game 1, move 1: 'Foo' is not a move: expected one such as Qe6+, exd8=Q "
	         "or e5e6"},
		{"1. e4 e5 2. foo Nc6 *", "1. e4 e5 2. foo Nc6\n*\n\n",
	         "f.pgn:1: game 1, move 2: 'foo' is not a move: expected one such as Qe6+, exd8=Q "
	         "or e5e6"},
		{"1. Nf3 foo 2. Nc3 d5 *", "1. Nf3 foo 2. Nc3 d5\n*\n\n",
	         "f.pgn:1: game 1, move 1: 'foo' is not a move: expected one such as Qe6+, exd8=Q "
	         "or e5e6"},
		{"1. e4 (only words) e5 *", "1. e4 (only words)\n1... e5 *\n\n",
	         "f.pgn:1: game 1, move 1: 'only' is not a move: expected one such as Qe6+, exd8=Q "
	         "or e5e6"},
	};
	(void)state;
	CHECK_ALL(cases);
}

/* A variant that is not known is not played. */
static void test_variants(void **state)
{
	static const struct reading cases[] = {
		{"[Variant \"Antichess\"]\n\n{c} 1. e3 d5 2. Bb5 Nc6 (x)\n0-1\n\n", NULL,
	         "f.pgn:1: game 1: Variant 'Antichess' is not known: the game is kept as text"},
		{"[Variant \"From  position\"]\n\n1. e4 *\n\n[Variant \"standard\"]\n\n1. d4 *\n\n"
	         "[Variant \"Fischerandom\"]\n\n1. c4 *\n\n[Variant \"chess 960\"]\n\n1. c4 *\n\n",
	         NULL, NULL},
		{"[Variant \"Three-check\"]\n[FEN \"8/8/8/4k3/8/4K3/8/R7 w - - 0 1\"]\n\n1. Ra5+ "
	         "Kd6\n*\n\n",
	         NULL,
	         "f.pgn:1: game 1: Variant 'Three-check' is not known: the game is kept as text"},
	};
	(void)state;
	CHECK_ALL(cases);
}

/* Games of morris as Sanmill writes them, and games whose first two moves tell which they are. */
static void test_others(void **state)
{
	static const struct reading cases[] = {
		{"[Variant \"Nine Men's Morris\"]\n\n1. d2 d6 2. f4 f2 3. b4 d3 4. f6 e4 5. g4 "
	         "a4\n6. c4 c5\n"
	         "7. d7 e5 8. d5 e3 xd5 9. d5 c3\nxd2 10. b4-b2 d3-d2 *",
	         "[Variant \"Nine Men's Morris\"]\n\n1. d2 d6 2. f4 f2 3. b4 d3 4. f6 e4 5. g4 a4 "
	         "6. c4 c5 "
	         "7. d7 e5 8. d5 e3xd5 9.\nd5 c3xd2 10. b4-b2 d3-d2 *\n\n",
	         NULL},
		{"1. d6 f4 2. d2 b4", "[Variant \"Nine Men's Morris\"]\n\n1. d6 f4 2. d2 b4 *\n\n",
	         NULL},
		{"1. d4 d5 2. c4 *\n\n", NULL, NULL},
		/* A move that is legal in Oware alone: the tag names the game, the FEN does not. */
		{"[Variant \"oware\"]\n[FEN \"1-0-0-0-0-2-1-1-0-0-0-0-0-0-S\"]\n\n1. F *\n\n", NULL,
	         NULL},
		{"1. F d+0 2. A 25-23", "[Variant \"Awari\"]\n\n1. F d 2. A 25-23\n\n", NULL},
		/* pits by their numbers; but a number before a letter counts moves */
		{"[Variant \"Awari\"]\n\n1. 3 5 2. 4 7 *",
	         "[Variant \"Awari\"]\n\n1. C e 2. D a *\n\n", NULL},
		{"[Variant \"Awari\"]\n\n1 C e 2 D a *",
	         "[Variant \"Awari\"]\n\n1. C e 2. D a *\n\n", NULL},
		{"[Variant \"Oware\"]\n\n{intro} 3 {good} 5 2. 4 {last} *",
	         "[Variant \"Oware\"]\n\n{intro} 1. C {good} 1... e 2. D {last} *\n\n", NULL},
		{"1. d2 {first} f4 *",
	         "[Variant \"Nine Men's Morris\"]\n\n1. d2 {first} 1... f4 *\n\n", NULL},
		{"1. d2 f4 2. Zz b4 d6 *",
	         "[Variant \"Nine Men's Morris\"]\n\n1. d2 f4 2. Zz b4 d6\n*\n\n",
	         "f.pgn:1: game 1, move 2: 'Zz' is not a move: expected one such as d1-d2, "
	         "d1-d2xa7 or d2"},
		/* Squares of chess are also points of Nine Men's Morris, but this game is neither. */
		{"1. e5 d5 2. Nf3 Nc6 1-0", "1. e5 d5 2. Nf3 Nc6\n1-0\n\n",
	         "f.pgn:1: game 1, move 1: 'e5' is illegal: no such pawn can go to e5"},
		{"1. e5 *", "1. e5\n*\n\n",
	         "f.pgn:1: game 1, move 1: 'e5' is illegal: no such pawn can go to e5"},
	};
	(void)state;
	CHECK_ALL(cases);
}

static void test_comments(void **state)
{
	static const struct reading cases[] = {
		{"{first} 1. e4 {a\nb} e5 ;to the end\n2. Nf3 {} *",
	         "{first} 1. e4 {a b} 1... e5 ;to the end\n2. Nf3 {} *\n\n", NULL},
		{"%for others\n[Event \"x\"]\n%again\n[Site \"y\"]\n\n1. e4\n%here\ne5 * "
	         "{end}\n;of all\n",
	         "%for others\n%again\n[Event \"x\"]\n[Site \"y\"]\n\n1. e4\n%here\n1... e5 * "
	         "{end} ;of all\n\n",
	         NULL},
		{"1. e4 {(not a variation) 1-0 } *\n\n", NULL, NULL},
		{"1. e4 {two\n\nparts,  blanks} *\n\n", NULL, NULL},
		{"1. e4 (1. d4 {d} d5) {after} (1. c4) {late} e5 *",
	         "1. e4 (1. d4 {d} 1... d5) (1. c4) {after} {late} 1... e5 *\n\n", NULL},
		{"1. e4 ({before} 1. d4 $2) 1... e5 *\n\n", NULL, NULL},
		{"1. e4 {never closed\n\n[Event \"next\"]\n\n1. d4 *",
	         "1. e4 {never closed\n} *\n\n[Event \"next\"]\n\n1. d4 *\n\n",
	         "f.pgn:1: game 1, move 1: a comment is not closed: expected '}'"},
		{"1. e4 {never closed\n\n[Event \"next\"]\n\n1. d4 {closed} *",
	         "1. e4 {never closed\n} *\n\n[Event \"next\"]\n\n1. d4 {closed} *\n\n",
	         "f.pgn:1: game 1, move 1: a comment is not closed: expected '}'"},
		{"1. e4 {quotes\n[Event \"x\"]\nhere} e5 *",
	         "1. e4 {quotes [Event \"x\"] here} 1... e5 *\n\n", NULL},
	};
	(void)state;
	CHECK_ALL(cases);
}

static void test_variations(void **state)
{
	static const struct reading cases[] = {
		{"1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3)) 2. c4) (1. c4) 1... e5 (1... c5) "
	         "2.\nNf3 *\n\n",
	         NULL, NULL},
		/* a variation may begin with the move played: what follows there was not played */
		{"1. e4 (1. e4 c5) e5 *", "1. e4 (1. e4 c5) 1... e5 *\n\n", NULL},
		{"1. e4 e5 {played} (1... e5 $6 {thought} 2. Nf3) 1/2-1/2",
	         "1. e4 e5 {played} (1... e5 $6 {thought} 2. Nf3) 1/2-1/2\n\n", NULL},
		{"1. e4 (1. e4) *", "1. e4 (1. e4) *\n\n", NULL},
		{"1. e4 e5 (1... c5 2. Nf3) (1... c5 2. Nc3) *",
	         "1. e4 e5 (1... c5 2. Nf3) (1... c5 2. Nc3) *\n\n", NULL},
		{"1. e4 (1. d4 d5", "1. e4 (1. d4 d5) *\n\n",
	         "f.pgn:1: game 1, move 2: a variation is not closed: expected ')'"},
	};
	(void)state;
	CHECK_ALL(cases);
}

/* Unreadable text is kept, and written unchanged. */
static void test_damage(void **state)
{
	static const struct reading cases[] = {
		{"1. e4\n2. Kxh8 (2. d4) {c} Nf3 1-0 1. d4 *",
	         "1. e4 2. Kxh8 (2. d4) {c} Nf3\n1-0\n\n1. d4 *\n\n",
	         "f.pgn:2: game 1, move 1: 'Kxh8' is illegal: no such king can go to h8"},
		{"1. e4 (1. d4 Kxh8 2. c4) e5 *", "1. e4 (1. d4 Kxh8 2. c4\n) 1... e5 *\n\n",
	         "f.pgn:1: game 1, move 1: 'Kxh8' is illegal: no such king can go to h8"},
		{"1. e4 (Kxh8 2. c4) e5 *", "1. e4 (Kxh8 2. c4)\n1... e5 *\n\n",
	         "f.pgn:1: game 1, move 1: 'Kxh8' is illegal: no such king can go to h8"},
		{"[Event \"x\"]\n[FEN \"wrong\"]\n\n1. e4 {c} (1. d4) 1-0\n\n[Event \"y\"]\n\n1. "
	         "d4 *",
	         "[Event \"x\"]\n[FEN \"wrong\"]\n\n1. e4 {c} (1. d4)\n1-0\n\n[Event \"y\"]\n\n1. "
	         "d4 *\n\n",
	         "*"},
		{"1. e4 *\n\n[Event \"x\"]\n[Variant \"Antichess\"]\n\n1. e3 *",
	         "1. e4 *\n\n[Event \"x\"]\n[Variant \"Antichess\"]\n\n1. e3\n*\n\n",
	         "f.pgn:4: game 2: Variant 'Antichess' is not known: the game is kept as text"},
		{"[GameType \"20\"]\n\n1. 32-28 *", "[GameType \"20\"]\n\n1. 32-28\n*\n\n",
	         "f.pgn:1: game 1: GameType '20' is not known: the game is kept as text"},
		{"[Event x]\n\n1. e4 *", "[Event x]\n\n1. e4 *\n\n",
	         "f.pgn:1: game 1: this is no tag: expected one such as [Event \"...\"]"},
		/* What would begin another game if the variation were promoted becomes a comment. */
		{"1. e4 e5 (1... c5 Kxh8 x\n\n1. d4) *",
	         "1. e4 e5 (1... c5 {Kxh8 x\n\n1. d4}) *\n\n",
	         "f.pgn:1: game 1, move 2: 'Kxh8' is illegal: no such king can go to h8"},
		{"1. e4 [x] + nt 1... e5 *", "1. e4 {[x] + nt} 1... e5 *\n\n",
	         "f.pgn:1: game 1, move 1: expected a move, found '['"},
		{"1. e4 ) e5 *", "1. e4 {)} 1... e5 *\n\n",
	         "f.pgn:1: game 1, move 1: ')' without '('"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = cases[i];
		struct el_error error;
		if (r.error && !strcmp(r.error, "*")) {
			free(rewrite(r.read, strlen(r.read), &error));
			assert_non_null(strstr(
				error.text, "f.pgn:2: game 1: FEN: 'wrong' is not a position: "));
			r.error = error.text;
		}
		check(&r);
	}
}

static void test_draughts(void **state)
{
	static const struct reading cases[] = {
		{"[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n\n", NULL, NULL},
		{"1. 11-15 23-19 2. 8-11 22-17 2-0", "1. 11-15 23-19 2. 8-11 22-17 2-0\n\n", NULL},
		{"[GameType \"21,B,8,8,N2,0\"]\n[FEN \"W:WK22:B18,10.\"]\n\n1... 22:15:6 1-0",
	         "[GameType \"21,B,8,8,N2,0\"]\n[FEN \"W:WK22:B18,10.\"]\n\n1... 22x6 1-0\n\n",
	         NULL},
		{"1. 11-15* 23-19! 0-0", "1. 11-15 $7 23-19 $1 0-0\n\n", NULL},
	};
	(void)state;
	CHECK_ALL(cases);
}

/* Lines are shorter than 80 columns, and a line end within a comment becomes a blank again. */
static void test_columns(void **state)
{
	char text[4096] = "{", *p = text + 1;
	struct el_error error;
	(void)state;
	for (int i = 0; i < 300; i++)
		p += sprintf(p, "%sword%d", i ? " " : "", i);
	sprintf(p, "} 1. e4 *\n\n");
	char *once = rewrite(text, strlen(text), &error), *twice;
	for (const char *line = once; *line; line = strchr(line, '\n') + 1)
		assert_true(strcspn(line, "\n") < 80);
	for (char *c = once; *c; c++)
		if (*c == '\n' && c[1] && c[1] != '\n')
			*c = ' ';
	assert_string_equal(once, text);
	twice = rewrite(once, strlen(once), &error);
	free(once);
	free(twice);
}

/* A line of 10,000 half-moves, with a variation at each of 200 of them, and 50,000 nested
   variations. */
static void test_long(void **state)
{
	static const char *const cycle[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
	enum { PLIES = 10000, NESTED = 50000 };
	char *text = malloc(PLIES * 16 + NESTED * 32), *p = text;
	struct el_games *games;
	struct el_tree *tree;
	struct el_error error;
	(void)state;
	for (int i = 0; i < PLIES; i++) {
		p += sprintf(p, "%s ", cycle[i % 4]);
		if (i % 50 == 0)
			p += sprintf(p, "(e3) ");
	}
	p += sprintf(p, "*");
	assert_int_equal(el_games_open_text("long", text, (size_t)(p - text), &games, NULL), EL_OK);
	if (el_games_next(games, &tree, &error))
		fail_msg("%s", error.text);
	assert_int_equal(tree->nodes[el_tree_end(tree, EL_TREE_ROOT)].ply, PLIES);
	assert_int_equal(tree->node_count, PLIES + PLIES / 50 + 1);
	el_tree_close(tree);
	el_games_close(games);
	char *once = rewrite(text, (size_t)(p - text), &error);
	char *twice = rewrite(once, strlen(once), &error);
	assert_string_equal(once, twice);
	free(once);
	free(twice);
	p = text + sprintf(text, "e4 ");
	for (int i = 0; i < NESTED; i++)
		p += sprintf(p, "(%s ", i % 2 ? "e4" : "d4");
	once = rewrite(text, (size_t)(p - text), &error);
	twice = rewrite(once, strlen(once), &error);
	assert_int_equal(strncmp(once, "1. e4 (1. d4) (1. e4) (1. d4)", 29), 0);
	assert_string_equal(once, twice);
	free(once);
	free(twice);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_habits),     cmocka_unit_test(test_comments),
		cmocka_unit_test(test_spellings),  cmocka_unit_test(test_strange),
		cmocka_unit_test(test_variants),   cmocka_unit_test(test_others),
		cmocka_unit_test(test_variations), cmocka_unit_test(test_damage),
		cmocka_unit_test(test_draughts),   cmocka_unit_test(test_columns),
		cmocka_unit_test(test_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

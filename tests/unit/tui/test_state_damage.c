/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files kept between runs, with every kind of damage: each file is used, or put aside unchanged,
   and the program goes on. */
#include "tests/fixtures/shell_fixture.h"
#include "tests/fixtures/tables.h"

#include "tui/shell/bookmarks.h"
#include "tui/shell/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROOM = 1 << 16 };

static const char *const names[] = {"session", "bookmarks", "practice", "welcome", "lessons"};
enum { NAMES = sizeof names / sizeof *names };

struct bytes {
	char data[ROOM];
	size_t count;
};

static bool read_bytes(const char *path, struct bytes *out)
{
	FILE *in = fopen(path, "r");
	if (!in)
		return false;
	out->count = fread(out->data, 1, sizeof out->data, in);
	assert_true(out->count < sizeof out->data);
	assert_int_equal(fclose(in), 0);
	return true;
}

static void write_bytes(const char *path, const struct bytes *b)
{
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(b->data, 1, b->count, out), b->count);
	assert_int_equal(fclose(out), 0);
}

/* ---- damage ---- */

static uint64_t seed = 0x9e3779b97f4a7c15;

static size_t some(size_t bound)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return bound ? seed % bound : 0;
}

/* Replaces `gone` bytes by `count` others. */
static void put(struct bytes *b, size_t at, size_t gone, const char *bytes, size_t count)
{
	char copy[ROOM];
	memcpy(copy, bytes, count);
	if (b->count - gone + count >= ROOM)
		return;
	memmove(b->data + at + count, b->data + at + gone, b->count - at - gone);
	memcpy(b->data + at, copy, count);
	b->count += count - gone;
}

/* The line that contains a byte, with its end. */
static size_t line_at(const struct bytes *b, size_t at, size_t *length)
{
	size_t end = at;
	while (at > 0 && b->data[at - 1] != '\n')
		at--;
	while (end < b->count && b->data[end++] != '\n')
		;
	*length = end - at;
	return at;
}

static void damage(struct bytes *b)
{
	static const char *const words[] = {
		"99999999999999999999",
		"4294967296",
		"-1",
		"0",
		"\n",
		"\r\n",
		" ",
		"\t",
		"{",
		"}",
		"(",
		")",
		"*",
		"1-0",
		"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
		"game 0 0 saved\n",
		"\n\n[Event \"x\"]\n\n",
		"\xff\xfe",
		"\xc3",
		"%s%n",
		"$255",
		";",
	};
	const size_t at = some(b->count), other = some(b->count);
	size_t length, from = line_at(b, at, &length);
	char byte = (char)some(256);
	const char *word = words[some(sizeof words / sizeof *words)];
	if (!b->count)
		return;
	switch (some(9)) {
	case 0:
		b->data[at] = (char)(b->data[at] ^ (1 << some(8)));
		break;
	case 1:
		b->data[at] = byte;
		break;
	case 2:
		b->data[at] = '\0';
		break;
	case 3:
		b->count = at;
		break;
	case 4:
		put(b, at, 0, &byte, 1);
		break;
	case 5:
		put(b, at, 0, word, strlen(word));
		break;
	case 6:
		put(b, from, length, "", 0);
		break;
	/* anywhere, in a line or between two */
	case 7:
		put(b, other, 0, b->data + from, length);
		break;
	default:
		put(b, at, some(b->count - at < 40 ? b->count - at : 40), word, strlen(word));
	}
}

/* ---- a folder with everything in it ---- */

static void fill_folder(void)
{
	struct screens s;
	struct el_error error;
	screens_open(&s, library, NULL, false);
	press(&s, ' '); /* the card */
	type(&s, QUEEN);
	type(&s, "Qd5");
	type(&s, "Kb4");
	press(&s, K_LEFT);
	type(&s, "Kc2");
	type(&s, "comment a {brace} and\tmore");
	press(&s, K_LEFT);
	type(&s, "bookmark here");
	type(&s, "W:WK1:BK32");
	press(&s, ' ');
	press(&s, ' ');
	type(&s, "bookmark two kings");
	type(&s, ROOK);
	press(&s, ' ');
	screens_event(&s, (struct event){.kind = EVENT_RESIZE, .rows = 24, .cols = 120});
	press(&s, '|');
	type(&s, "practice guess 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1");
	press(&s, K_DOWN);
	press(&s, K_ENTER);
	press(&s, 's');
	write_text("kept.lesson", "T\nOne.\n---\n:ask whether yes\n:hint H\nYes?\n---\nThree.\n");
	type(&s, "lesson ./kept.lesson");
	press(&s, 'n');
	press(&s, K_LEFT);
	press(&s, K_ENTER);
	press(&s, 'n');
	type(&s, "lesson off");
	press(&s, '5');
	assert_int_equal(session_save(&s.model, &error), EL_OK);
	screens_close(&s);
}

/* The file put aside is unchanged. */
static void check_put_aside(const struct screens *s, const char *path, const struct bytes *was)
{
	static struct bytes now;
	char aside[64];
	snprintf(aside, sizeof aside, "%s.bad", path);
	if (!read_bytes(aside, &now)) {
		assert_false(s->model.message.error);
		return;
	}
	assert_true(s->model.message.error);
	assert_said(s, aside);
	assert_int_equal(now.count, was->count);
	assert_memory_equal(now.data, was->data, was->count);
	assert_int_equal(unlink(aside), 0);
}

/* A file that was used is rewritten, and reads back the same. */
static void check_kept(struct screens *s)
{
	static struct bytes first, second;
	struct el_error error;
	assert_int_equal(session_save(&s->model, &error), EL_OK);
	screens_close(s);
	assert_true(read_bytes("state/session", &first));
	screens_open(s, library, NULL, false);
	assert_false(s->model.message.error);
	assert_int_equal(session_save(&s->model, &error), EL_OK);
	assert_true(read_bytes("state/session", &second));
	assert_int_equal(first.count, second.count);
	assert_memory_equal(first.data, second.data, first.count);
}

static void damaged_files_are_used_or_put_aside(void **state)
{
	static struct bytes whole[NAMES], damaged;
	struct screens s;
	char paths[NAMES][32];
	const char *rounds = getenv("ROUNDS"); /* for longer runs */
	(void)state;
	screens_state("state");
	fill_folder();
	for (size_t i = 0; i < NAMES; i++) {
		snprintf(paths[i], sizeof paths[i], "state/%s", names[i]);
		assert_true(read_bytes(paths[i], &whole[i]));
	}
	for (int round = rounds             ? atoi(rounds)
	                 : tests_are_slow() ? 200
	                                    : 2000;
	     round > 0; round--) {
		const size_t which = some(NAMES);
		damaged = whole[which];
		for (size_t times = 1 + some(3); times > 0; times--)
			damage(&damaged);
		for (size_t i = 0; i < NAMES; i++)
			write_bytes(paths[i], i == which ? &damaged : &whole[i]);
		screens_open(&s, library, NULL, false);
		check_put_aside(&s, paths[which], &damaged);
		screens_draw(&s);
		check_kept(&s);
		screens_close(&s);
	}
	screens_state(NULL);
}

/* ---- one at a time ---- */

static void open_with(struct screens *s, const char *folder, const char *name, const void *data,
                      size_t count)
{
	static struct bytes bytes;
	char path[64];
	mkdir(folder, 0700);
	snprintf(path, sizeof path, "%s/%s", folder, name);
	memcpy(bytes.data, data, count);
	bytes.count = count;
	write_bytes(path, &bytes);
	screens_state(folder);
	screens_open(s, library, NULL, false);
	screens_state(NULL);
}

static void a_zero_byte_ends_nothing(void **state)
{
	static const char text[] = "endlab bookmarks 1\n" QUEEN "\tfirst\n" ROOK "\t\0\n"
				   "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1\tlast\n";
	struct screens s;
	(void)state;
	open_with(&s, "zero", "bookmarks", text, sizeof text - 1);
	assert_int_equal(bookmarks_of(&s.model)->count, 3);
	assert_string_equal(bookmarks_of(&s.model)->list[2].name, "last");
	screens_close(&s);
}

static void what_was_put_aside_stays(void **state)
{
	static struct bytes found;
	struct screens s;
	(void)state;
	for (int i = 1; i <= 3; i++) {
		char text[32], aside[32];
		snprintf(text, sizeof text, "nonsense %d\n", i);
		open_with(&s, "again", "session", text, strlen(text));
		snprintf(aside, sizeof aside, i > 1 ? "again/session.bad%d" : "again/session.bad",
		         i);
		assert_said(&s, aside);
		assert_true(read_bytes(aside, &found));
		assert_memory_equal(found.data, text, strlen(text));
		screens_close(&s);
	}
	assert_true(read_bytes("again/session.bad", &found));
	assert_memory_equal(found.data, "nonsense 1\n", found.count);
}

static void all_that_is_damaged_is_named(void **state)
{
	struct screens s;
	(void)state;
	mkdir("all", 0700);
	write_text("all/practice", "nonsense\n");
	write_text("all/session", "nonsense\n");
	open_with(&s, "all", "bookmarks", "nonsense\n", 9);
	assert_said(&s, "all/practice.bad");
	assert_said(&s, "all/session.bad");
	assert_said(&s, "all/bookmarks.bad");
	screens_close(&s);
}

/* The second game would be lost when the session is written. */
static void two_games_in_one_are_put_aside(void **state)
{
	static const char text[] =
		"endlab session 2\ngame 0 0 edited\n [FEN \"" QUEEN "\"]\n \n 1. Qd5 *\n \n"
		" [FEN \"" ROOK "\"]\n \n 1... Kc4 *\n";
	struct screens s;
	(void)state;
	open_with(&s, "two", "session", text, sizeof text - 1);
	assert_said(&s, "expected one game");
	assert_said(&s, "two/session.bad");
	screens_close(&s);
}

/* It is text to the session and to the board; the other games are not lost for it. */
static void a_game_that_cannot_be_read_is_no_damage(void **state)
{
	struct screens s;
	struct el_error error;
	(void)state;
	write_text("unread.pgn", "[FEN \"nonsense\"]\n\n1. Qd5 *\n");
	screens_state("unread");
	screens_open(&s, library, QUEEN, false);
	type(&s, "Qd5");
	type(&s, "open unread.pgn");
	for (int i = 0; i < 2; i++) { /* on the board, and left */
		assert_int_equal(session_save(&s.model, &error), EL_OK);
		screens_close(&s);
		screens_open(&s, library, NULL, false);
		assert_said(&s, "Resumed");
		assert_int_equal(s.model.play.walk.tree->unreadable, i == 0);
		assert_int_equal(s.model.play.kept_count, 1);
		press(&s, 'U');
	}
	assert_true(s.model.play.walk.tree->unreadable);
	screens_close(&s);
	screens_state(NULL);
}

/* A name of two lines is not kept, the game is. */
static void a_file_of_two_lines_is_no_damage(void **state)
{
	struct screens s;
	struct el_error error;
	(void)state;
	write_text("two\nlines.pgn", "[FEN \"" QUEEN "\"]\n\n1. Qd5 *\n");
	screens_state("lines");
	screens_open(&s, library, QUEEN, false);
	games_open(&s.model, "two\nlines.pgn");
	screens_settle(&s);
	assert_non_null(s.model.play.walk.file);
	assert_int_equal(session_save(&s.model, &error), EL_OK);
	screens_close(&s);
	screens_open(&s, library, NULL, false);
	assert_said(&s, "Resumed");
	assert_move(&s, 1, "Qd5");
	screens_close(&s);
	screens_state(NULL);
}

/* If a change finds damage, the message says so instead of reporting the change. */
static void damage_that_a_change_finds_is_said(void **state)
{
	struct screens s;
	(void)state;
	open_with(&s, "change", "bookmarks", "endlab bookmarks 1\n", 19);
	write_text("change/bookmarks", "nonsense\n");
	type(&s, "bookmark here");
	assert_said(&s, "change/bookmarks.bad");
	assert_int_equal(bookmarks_of(&s.model)->count, 1);
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_files_are_used_or_put_aside),
		cmocka_unit_test(a_zero_byte_ends_nothing),
		cmocka_unit_test(what_was_put_aside_stays),
		cmocka_unit_test(all_that_is_damaged_is_named),
		cmocka_unit_test(two_games_in_one_are_put_aside),
		cmocka_unit_test(a_game_that_cannot_be_read_is_no_damage),
		cmocka_unit_test(a_file_of_two_lines_is_no_damage),
		cmocka_unit_test(damage_that_a_change_finds_is_said),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}

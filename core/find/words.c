/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

__attribute__((format(printf, 4, 5))) int query_fail(struct parser *p, size_t at, size_t length,
                                                     const char *format, ...)
{
	char text[sizeof p->error->text];
	va_list arguments;
	if (p->status)
		return -1;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	*p->fault = (struct el_query_fault){at, length};
	p->status = el_fail(p->error, EL_USAGE, "%s", text);
	return -1;
}

void query_advance(struct parser *p)
{
	const char *text = p->text;
	size_t at = p->at + p->length;
	at += strspn(text + at, " \t\n");
	const char *start = text + at, *end = start;
	if (!*start) {
		p->token = END;
	} else if (isdigit((unsigned char)*start)) {
		end += strspn(start, "0123456789");
		p->token = DIGITS;
	} else if (isalpha((unsigned char)*start)) {
		/* A hyphen belongs to a word if a letter follows. */
		while (isalnum((unsigned char)*end) ||
		       (*end == '-' && isalpha((unsigned char)end[1])))
			end++;
		p->token = WORD;
	} else {
		end += 1 + (strchr("<>!", *start) && start[1] == '=');
		p->token = SIGN;
	}
	p->at = at;
	p->length = (size_t)(end - start);
}

bool query_is(const struct parser *p, const char *word)
{
	return p->length && strlen(word) == p->length &&
	       (p->token == WORD ? !strncasecmp(p->text + p->at, word, p->length)
	                         : !strncmp(p->text + p->at, word, p->length));
}

bool query_take(struct parser *p, const char *word)
{
	const bool found = query_is(p, word);
	if (found)
		query_advance(p);
	return found;
}

int query_expected(struct parser *p, const char *what)
{
	const int length = (int)(p->length > 40 ? 40 : p->length);
	if (p->token == END)
		return query_fail(p, p->at, 1, "the question ends too early: expected %s", what);
	return query_fail(p, p->at, p->length, "'%.*s': expected %s", length, p->text + p->at,
	                  what);
}

/* ---- pieces and squares ---- */

bool query_piece_here(const struct parser *p, struct mention *out)
{
	const struct el_game *game = p->game;
	const char letter = p->text[p->at];
	if (p->token != WORD || p->length != 1 || game->sows)
		return false;
	const bool black = islower((unsigned char)letter);
	const char *kind = strchr(game->kinds, toupper((unsigned char)letter));
	if (kind)
		*out = (struct mention){black, (uint8_t)(kind - game->kinds)};
	return kind;
}

int query_mention(struct parser *p, struct node *node, int other)
{
	struct mention m;
	unsigned i = 0;
	if (!query_piece_here(p, &m)) {
		char what[64];
		snprintf(what, sizeof what, "a piece: one of %s, or in small letters of %s",
		         p->game->kinds, p->game->sides[EL_BLACK]);
		return p->game->sows ? query_expected(p, "no piece: the game has none")
		                     : query_expected(p, what);
	}
	while (i < node->mentions && (node->mention[i].side != m.side ||
	                              node->mention[i].kind != m.kind || (int)i == other))
		i++;
	if (i == QUERY_MENTIONS)
		return query_fail(p, p->at, p->length, "at most %d pieces in a comparison",
		                  QUERY_MENTIONS);
	query_advance(p);
	node->sided = true;
	node->mention[i] = m;
	node->mentions += i == node->mentions;
	return (int)i;
}

bool query_square(const struct el_game *game, const char *text, size_t length, uint8_t *square)
{
	char name[4];
	unsigned file, rank;
	for (*square = 0; *square < 64; ++*square) {
		if (!el_square_find(game, *square, &file, &rank))
			continue;
		game->square_name(*square, name);
		if (strlen(name) == length && !strncmp(name, text, length))
			return true;
	}
	return false;
}

static bool between(int x, int a, int b)
{
	return (a <= x && x <= b) || (b <= x && x <= a);
}

/* All squares between two: by number where squares have numbers, else a rectangle. */
static uint64_t squares_between(const struct el_game *game, uint8_t a, uint8_t b)
{
	const uint8_t square[] = {a, b};
	unsigned file[3], rank[3];
	char name[3][4];
	uint64_t set = 0;
	for (int i = 0; i < 2; i++) {
		el_square_find(game, square[i], &file[i], &rank[i]);
		game->square_name(square[i], name[i]);
	}
	for (uint8_t s = 0; s < 64; s++) {
		if (!el_square_find(game, s, &file[2], &rank[2]))
			continue;
		game->square_name(s, name[2]);
		if (game->labelled_squares
		            ? between(atoi(name[2]), atoi(name[0]), atoi(name[1]))
		            : between((int)file[2], (int)file[0], (int)file[1]) &&
		                      between((int)rank[2], (int)rank[0], (int)rank[1]))
			set |= UINT64_C(1) << s;
	}
	return set;
}

/* The number of a file or rank, from 0; -1: a fault. */
static int line_number(struct parser *p, bool is_file)
{
	const struct el_game *game = p->game;
	const char *word = p->text + p->at;
	int number = -1;
	if (is_file && p->token == WORD && p->length == 1)
		number = tolower((unsigned char)*word) - 'a';
	else if (!is_file && p->token == DIGITS && p->length <= 2)
		number = atoi(word) - 1;
	if (number < 0 || number >= (is_file ? game->files : game->ranks)) {
		char what[32];
		if (is_file)
			snprintf(what, sizeof what, "a file from a to %c", 'a' + game->files - 1);
		else
			snprintf(what, sizeof what, "a rank from 1 to %u", game->ranks);
		return query_expected(p, what);
	}
	query_advance(p);
	return number;
}

enum { REGIONS = 6 };
static const char *const regions[REGIONS] = {"file", "rank", "edge", "corner", "light", "dark"};

static uint64_t region(struct parser *p, unsigned which)
{
	const struct el_game *game = p->game;
	const int number = which < 2 ? line_number(p, which == 0) : 0;
	uint64_t set = 0;
	unsigned file, rank;
	for (uint8_t s = 0; s < 64 && number >= 0; s++) {
		if (!el_square_find(game, s, &file, &rank))
			continue;
		const bool on_file = file == 0 || file + 1u == game->files;
		const bool on_rank = rank == 0 || rank + 1u == game->ranks;
		const bool inside[REGIONS] = {
			file == (unsigned)number, rank == (unsigned)number, on_file || on_rank,
			on_file && on_rank,       (file + rank) % 2 == 1,   (file + rank) % 2 == 0,
		};
		set |= (uint64_t)inside[which] << s;
	}
	return set;
}

uint64_t query_squares(struct parser *p)
{
	uint64_t set = 0;
	do {
		unsigned r = 0;
		while (r < REGIONS && !query_is(p, regions[r]))
			r++;
		if (r < REGIONS && p->token == WORD) {
			query_advance(p);
			set |= region(p, r);
			continue;
		}
		/* "b2-c3" is one word, "9-12" are three. */
		const char *word = p->text + p->at, *hyphen = memchr(word, '-', p->length);
		const size_t first = hyphen ? (size_t)(hyphen - word) : p->length;
		uint8_t from, to;
		if (!query_square(p->game, word, first, &from)) {
			query_expected(p, "a square, as in 'on a1,b2-c3', or file, rank, edge, "
			                  "corner, light, dark");
			return 0;
		}
		to = from;
		if (!hyphen)
			query_advance(p);
		if (hyphen || query_take(p, "-")) {
			word = hyphen ? hyphen + 1 : p->text + p->at;
			if (!query_square(p->game, word, p->length - (hyphen ? first + 1 : 0),
			                  &to)) {
				query_expected(p,
				               "two opposite corners of a rectangle, as in b2-c3");
				return 0;
			}
			query_advance(p);
		}
		set |= squares_between(p->game, from, to);
	} while (!p->status && query_take(p, ","));
	return set;
}

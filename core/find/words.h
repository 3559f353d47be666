/* SPDX-License-Identifier: MIT */
/* The words of a question, one after the other; and those that name pieces and squares. */
#ifndef CORE_FIND_WORDS_H
#define CORE_FIND_WORDS_H

#include "query.h"

enum token { END, WORD, DIGITS, SIGN };

struct parser {
	const struct el_game *game;
	const char *text;
	size_t at, length; /* of the current token */
	enum token token;
	unsigned depth; /* of parentheses and negations */
	struct el_query *query;
	struct el_query_fault *fault;
	struct el_error *error;
	enum el_status status; /* the first fault */
};

/* Notes a fault in the text, unless there was one before. Returns -1. */
int query_fail(struct parser *, size_t at, size_t length, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The same at the current token: "'winn': expected a number". */
int query_expected(struct parser *, const char *what);
void query_advance(struct parser *);
/* Is this the current token? */
bool query_is(const struct parser *, const char *word);
/* The same, and goes on to the next one. */
bool query_take(struct parser *, const char *word);

/* Is the token a piece? */
bool query_piece_here(const struct parser *, struct mention *out);
/*
 * The number of a piece of a node; -1: a fault. In a comparison a letter stands for the same piece
 * throughout, but not for the piece with the number `other` (-1: none).
 */
int query_mention(struct parser *, struct node *, int other);
/* The square with this name; false: none has. */
bool query_square(const struct el_game *, const char *text, size_t length, uint8_t *square);
/* A list of squares, rectangles and regions. */
uint64_t query_squares(struct parser *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of PGN and PDN. Move numbers and their dots are read over. */
#ifndef CORE_TREE_LEX_H
#define CORE_TREE_LEX_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOKEN_END,     /* of the text */
	TOKEN_TAG,     /* '[' where a tag may begin; read as far as the bracket */
	TOKEN_COMMENT, /* in braces */
	TOKEN_LINE,    /* behind a semicolon */
	TOKEN_ESCAPE,  /* behind a % in the first column */
	TOKEN_OPEN,    /* ( */
	TOKEN_CLOSE,   /* ) */
	TOKEN_MARK,    /* $14, or ! and the like, or += and the like */
	TOKEN_WORD,    /* a move or a result */
	TOKEN_BAD,     /* a character that has no place here */
};

struct token {
	enum token_kind kind;
	const char *at;   /* where it begins, with the move number before it */
	const char *from; /* the same without the number */
	const char *text; /* what it says, without delimiters */
	size_t length;
	unsigned mark;
	bool closed; /* a comment: there was a brace */
};

struct lexer {
	const char *base, *p, *end; /* the whole text, the next character, behind the last one */
	bool any_column;            /* tags may begin anywhere, as before the moves */
	/* the end was seen: more text might have meant something else */
	bool touched;
};

struct token lex(struct lexer *);
/* The mark that begins behind a move, "!?", taken off; 0: there is none. */
unsigned lex_suffix(struct lexer *);
bool lex_is_blank(char);

#endif

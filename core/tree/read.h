/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game that is being read. */
#ifndef CORE_TREE_READ_H
#define CORE_TREE_READ_H

#include "inside.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- words: lex.c ---- */

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

/* ---- games: read.c, tags.c ---- */

/* A line that waits while a variation of it is read. */
struct frame {
	const char *open; /* the variation's parenthesis */
	uint32_t node;    /* the move beside which the variation is */
	bool owned;
};

struct parser {
	struct lexer lexer;
	const char *begin;   /* of the game */
	const char *name;    /* of the file */
	size_t line, number; /* of the game's first line, from 1; of the game, from 1 */
	struct el_tree *tree;
	struct el_error error; /* the first thing that went wrong */
	bool game_known;       /* by a tag; else the first move tells */
	bool game_guessed;     /* by the first move */
	bool in_moves, over;
	uint32_t node; /* of the line being read, its last */
	bool owned;    /* no line but this one has moves behind the node */
	bool started;  /* the line has a move, or is the main one */
	bool late;     /* there were variations since the last move */
	struct frame *stack;
	uint32_t depth;
	struct token *pending; /* notes at the beginning of a variation */
	uint32_t pending_count;
};

/* What the tags say of the game and its start: EL_OK, EL_MEMORY; an unreadable tree when they are
   wrong. */
enum el_status parser_take_tags(struct parser *);
/* Sets the game that the first move tells. */
void parser_guess_game(struct parser *, const char *word);
/* Nothing that tells it is left. */
void parser_forget_game(struct parser *);
enum el_status parser_take_moves(struct parser *);
enum el_status parser_take_tail(struct parser *);

/* The line ends in a text. */
size_t parser_lines(const char *from, const char *to);
/* Notes what went wrong, if it is the first thing. */
void __attribute__((format(printf, 3, 4)))
parser_complain(struct parser *, const char *at, const char *format, ...);
enum el_status parser_add_note(struct parser *, uint32_t node, const struct token *,
                               enum el_note_place);

#endif

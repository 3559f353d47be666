/* SPDX-License-Identifier: MIT */
/* The state of reading a game. */
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
	TOKEN_LINE,    /* after a semicolon */
	TOKEN_ESCAPE,  /* after a % in the first column */
	TOKEN_OPEN,    /* ( */
	TOKEN_CLOSE,   /* ) */
	TOKEN_MARK,    /* $14, ! and the like */
	TOKEN_WORD,    /* a move, a result, or a spelling of another program */
	TOKEN_BAD,     /* a character that has no place here */
};

struct token {
	enum token_kind kind;
	const char *at;   /* where it begins, including a move number before it */
	const char *from; /* the same without the number */
	const char *text; /* its contents, without delimiters */
	size_t length;
	unsigned mark;
	bool closed; /* a comment: has its closing brace */
};

struct lexer {
	const char *base, *p, *end; /* start of the text, next character, end of the text */
	bool any_column;            /* tags may begin in any column, which holds before the moves */
	/* moves may be numbers: one without a dot is a word, unless a letter follows */
	bool numbers;
	/* the lexer looked at the end: more text might have changed the meaning */
	bool touched;
};

struct token lex(struct lexer *);
/* Consumes the mark that follows a move, such as "!?"; 0 if there is none. */
unsigned lex_suffix(struct lexer *);
bool lex_is_blank(char);
/* The bytes of the blank at `p`, which may be one of Unicode's or a byte order mark; 0 if there is none. */
size_t lex_blank(const char *p, const char *end);
/* The bytes of the character at `p`. */
size_t lex_character(const char *p, const char *end);

/* ---- spellings: words.c ---- */

/* Writes a word in the signs of PGN: el_signs are replaced, control characters become U+FFFD. */
void tree_plain(const char *text, size_t length, char *out, size_t room);
/* What a word of el_words is read as; null if it is none. */
const char *tree_spelled(const char *word);
/* The length of a word before the mark of el_words that ends it, and what that is read as; 0 if none does. */
size_t tree_spelled_suffix(const char *word, const char **read);

/* ---- games: read.c, tags.c ---- */

enum { WORD_MAX = 2 * EL_MOVE_MAX };

/* A line that waits while one of its variations is read. */
struct frame {
	const char *open; /* the variation's parenthesis */
	uint32_t node;    /* the move that the variation replaces */
};

struct parser {
	struct lexer lexer;
	const char *begin;   /* of the game */
	const char *name;    /* of the file */
	size_t line, number; /* the number of the game's first line, and of the game, from 1 */
	struct el_tree *tree;
	struct el_error error; /* the first thing that went wrong */
	bool game_known;       /* from a tag; else the first move tells */
	bool game_guessed;     /* from the first move */
	bool in_moves, over;
	uint32_t node; /* the last node of the line being read */
	bool started;  /* the line has a move, or is the main one */
	bool late;     /* there were variations since the last move */
	/* words that are not understood, until something else follows; no text: none */
	struct token strange;
	struct frame *stack;
	uint32_t depth;
	struct token *pending; /* notes at the beginning of a variation */
	uint32_t pending_count;
};

/* Applies what the tags say of the game and its initial position. If they are wrong, the tree
   becomes unreadable. EL_MEMORY. */
enum el_status parser_take_tags(struct parser *);
/* Guesses the game from the first moves, of which this is the first. EL_MEMORY. */
enum el_status parser_guess_game(struct parser *, const char *word);
/* Forgets a guessed game: no move that told it is left. */
void parser_forget_game(struct parser *);
enum el_status parser_take_moves(struct parser *);
enum el_status parser_take_tail(struct parser *);

/* The number of line ends in a text. */
size_t parser_lines(const char *from, const char *to);
/* Records the error unless there is an earlier one. */
void __attribute__((format(printf, 3, 4)))
parser_complain(struct parser *, const char *at, const char *format, ...);
enum el_status parser_add_note(struct parser *, uint32_t node, const struct token *,
                               enum el_note_place);

#endif

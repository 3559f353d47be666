/* SPDX-License-Identifier: MIT */
#include "inside.h"
#include "read.h"

#include <ctype.h>
#include <string.h>

bool lex_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

/* Does the character end a word? */
static bool is_delimiter(char c)
{
	return lex_is_blank(c) || (c && strchr("{}()[]<>;$*!?", c));
}

/* A byte order mark may stand before it, also between files that were joined. */
static bool begins_line(const struct lexer *l, const char *p)
{
	while (p - l->base >= 3 && !memcmp(p - 3, "\xEF\xBB\xBF", 3))
		p -= 3;
	return p == l->base || ends_line(p[-1]);
}

static void skip_blanks(struct lexer *l)
{
	size_t blank;
	while ((blank = lex_blank(l->p, l->end)))
		l->p += blank;
}

/* Skips "12.", "12..." or a number alone, but not the digits of "0-1" or "11-15". */
static bool skip_number(struct lexer *l)
{
	static const char dots[] = "…", half[] = "0.5";
	const size_t left = (size_t)(l->end - l->p);
	const char *p = l->p;
	while (p < l->end && is_digit(*p))
		p++;
	const char *after = p;
	while (p < l->end && *p == '.')
		p++;
	if ((size_t)(l->end - p) >= sizeof dots - 1 && !memcmp(p, dots, sizeof dots - 1))
		p += sizeof dots - 1;
	else if (p < l->end && *p == '\x85') /* the same in Windows' Latin-1 */
		p++;
	const bool result = left > sizeof half && !memcmp(l->p, half, sizeof half - 1);
	if (l->numbers && p == after) { /* "3 5" are moves, "3 c" is the third one */
		const char *next = p;
		for (size_t blank; (blank = lex_blank(next, l->end));)
			next += blank;
		l->touched |= next == l->end;
		if (next == l->end || !isalpha((unsigned char)*next))
			return false;
	}
	if (p == l->p || result ||
	    (after > l->p && p == after && p < l->end && !is_delimiter(*p) &&
	     !lex_blank(p, l->end)))
		return false;
	l->p = p;
	return true;
}

static struct token token_here(const struct lexer *l, enum token_kind kind)
{
	return (struct token){.kind = kind, .at = l->p, .from = l->p, .text = l->p, .closed = true};
}

static struct token take_line(struct lexer *l, enum token_kind kind)
{
	struct token token = token_here(l, kind);
	token.text = ++l->p;
	while (l->p < l->end && !ends_line(*l->p))
		l->p++;
	token.length = (size_t)(l->p - token.text);
	return token;
}

/* Takes a comment. One that is not closed ends at the next game; it is closed, and the game part of
   it, if no other comment begins before the closing brace. */
static struct token take_comment(struct lexer *l)
{
	enum { FAR = 1 << 16 }; /* a brace so far behind the next game is not waited for */
	static const char game[] = TREE_NEXT_GAME;
	struct token token = token_here(l, TOKEN_COMMENT);
	token.text = ++l->p;
	const char *brace = memchr(l->p, '}', (size_t)(l->end - l->p));
	const char *stop = brace ? brace : l->end;
	const char *next = memmem(l->p, (size_t)(stop - l->p), game, sizeof game - 1);
	const bool opens = next && (stop - next > FAR || memchr(next, '{', (size_t)(stop - next)));
	l->touched |= !brace && !opens;
	token.closed = brace && !opens;
	stop = !token.closed && next ? next : stop;
	token.length = (size_t)(stop - token.text);
	l->p = token.closed ? stop + 1 : stop;
	return token;
}

unsigned lex_suffix(struct lexer *l)
{
	static const char *const suffixes[EL_MARKS_OF_MOVES] = {"!", "?", "!!", "??", "!?", "?!"};
	size_t length = 0;
	while (length < 2 && l->p + length < l->end && (l->p[length] == '!' || l->p[length] == '?'))
		length++;
	for (unsigned i = 0; i < EL_MARKS_OF_MOVES && length; i++) {
		if (strlen(suffixes[i]) != length || memcmp(suffixes[i], l->p, length))
			continue;
		l->p += length;
		return i + 1;
	}
	return 0;
}

static struct token take_number(struct lexer *l)
{
	enum { LONGEST = 4 };
	struct token token = token_here(l, TOKEN_MARK);
	const char *digits = ++l->p;
	for (; l->p < l->end && is_digit(*l->p); l->p++)
		if (l->p - digits < LONGEST)
			token.mark = token.mark * 10 + (unsigned)(*l->p - '0');
	token.length = (size_t)(l->p - token.at);
	if (l->p == digits || l->p - digits > LONGEST)
		token.kind = TOKEN_BAD;
	return token;
}

static struct token take_word(struct lexer *l)
{
	struct token token = token_here(l, TOKEN_WORD);
	while (l->p < l->end && !is_delimiter(*l->p) &&
	       ((unsigned char)*l->p < 0x80 || !lex_blank(l->p, l->end)))
		l->p += lex_character(l->p, l->end);
	token.length = (size_t)(l->p - token.text);
	return token;
}

static struct token take_one(struct lexer *l, enum token_kind kind)
{
	struct token token = token_here(l, kind);
	token.length = 1;
	l->p++;
	return token;
}

static struct token take(struct lexer *l)
{
	switch (l->p < l->end ? *l->p : '\0') {
	case '{':
		return take_comment(l);
	case ';':
		return take_line(l, TOKEN_LINE);
	case '(':
		return take_one(l, TOKEN_OPEN);
	case ')':
		return take_one(l, TOKEN_CLOSE);
	case '*':
		return take_one(l, TOKEN_WORD);
	case '$':
		return take_number(l);
	case '[':
		return take_one(l, l->any_column || begins_line(l, l->p) ? TOKEN_TAG : TOKEN_BAD);
	case '!':
	case '?': {
		struct token token = token_here(l, TOKEN_MARK);
		token.mark = lex_suffix(l);
		return token;
	}
	case '}':
	case ']':
	case '<':
	case '>':
		return take_one(l, TOKEN_BAD);
	case '%':
		if (begins_line(l, l->p))
			return take_line(l, TOKEN_ESCAPE);
		/* fall through */
	default:
		return l->p == l->end ? token_here(l, TOKEN_END) : take_word(l);
	}
}

struct token lex(struct lexer *l)
{
	const char *number = NULL;
	skip_blanks(l);
	for (const char *at = l->p; l->p < l->end && skip_number(l); at = l->p) {
		number = number ? number : at;
		skip_blanks(l);
	}
	struct token token = take(l);
	if (number)
		token.at = number;
	if (number && token.kind == TOKEN_TAG && !begins_line(l, token.from))
		token.kind = TOKEN_BAD;
	l->touched |= l->p == l->end;
	return token;
}

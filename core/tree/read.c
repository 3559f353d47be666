/* SPDX-License-Identifier: MIT */
/*
 * Reads the tags and moves of a game. Variations have an explicit stack, so that no file can nest
 * them too deep. Text that cannot be read is kept verbatim.
 */
#include "read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

size_t parser_lines(const char *from, const char *to)
{
	size_t lines = 0;
	for (const char *p = from; p < to; p++)
		lines += *p == '\n' || (*p == '\r' && !(p + 1 < to && p[1] == '\n'));
	return lines;
}

void __attribute__((format(printf, 3, 4)))
parser_complain(struct parser *r, const char *at, const char *format, ...)
{
	char why[384], move[24] = "";
	va_list arguments;
	if (r->error.status)
		return;
	va_start(arguments, format);
	vsnprintf(why, sizeof why, format, arguments);
	va_end(arguments);
	if (r->in_moves && !r->tree->unreadable)
		snprintf(move, sizeof move, ", move %u", r->tree->nodes[r->node].position.fullmove);
	el_fail(&r->error, EL_NEGATIVE, "%.80s:%zu: game %zu%s: %s", r->name,
	        r->line + parser_lines(r->begin, at), r->number, move, why);
}

/* ---- notes ---- */

static enum el_status out_of_memory(struct parser *r)
{
	return el_fail(&r->error, EL_MEMORY, "%.80s: game %zu: out of memory", r->name, r->number);
}

enum el_status parser_add_note(struct parser *r, uint32_t node, const struct token *token,
                               enum el_note_place place)
{
	static const enum el_note_kind kinds[] = {[TOKEN_COMMENT] = EL_NOTE_COMMENT,
	                                          [TOKEN_LINE] = EL_NOTE_LINE,
	                                          [TOKEN_ESCAPE] = EL_NOTE_ESCAPE,
	                                          [TOKEN_WORD] = EL_NOTE_COMMENT};
	struct el_note note = {.kind = EL_NOTE_MARK, .place = (uint8_t)place};
	if (token->kind == TOKEN_MARK) {
		note.mark = (uint16_t)token->mark;
		return tree_add_note(r->tree, node, note, &r->error);
	}
	if (!token->closed)
		parser_complain(r, token->from, "a comment is not closed: expected '}'");
	note.text = tree_copy(token->text, token->length);
	if (!note.text)
		return out_of_memory(r);
	enum el_status status =
		tree_add_words(r->tree, node, kinds[token->kind], place, note.text, &r->error);
	free(note.text);
	return status;
}

/* ---- text that cannot be read ---- */

enum extent {
	TO_RESULT, /* the rest of the game */
	TO_CLOSE,  /* the rest of the variation, without its parenthesis */
	WHOLE,     /* a variation, which begins here */
};

static bool is_result(const struct parser *r, const struct token *token)
{
	return token->kind == TOKEN_WORD &&
	       tree_result(token->text, token->length, r->tree->game->pdn_type != NULL);
}

/* What an unread text lacks at its end, and whether it would end earlier in a line of another
   kind. */
struct skipped {
	size_t open;  /* parentheses */
	bool comment; /* a brace */
	bool odd;     /* a result within a variation, or ')' without '(' */
};

static const char *skip(struct parser *r, enum extent extent, struct skipped *s)
{
	*s = (struct skipped){0};
	for (;;) {
		const struct token token = lex(&r->lexer);
		const bool close = token.kind == TOKEN_CLOSE;
		const bool result = !s->open && is_result(r, &token);
		s->comment |= token.kind == TOKEN_COMMENT && !token.closed;
		s->open += token.kind == TOKEN_OPEN;
		if (token.kind == TOKEN_END || token.kind == TOKEN_TAG ||
		    (extent == TO_RESULT && result) || (extent == TO_CLOSE && close && !s->open)) {
			r->lexer.p = token.at;
			return r->lexer.p;
		}
		s->odd |= result || (close && !s->open);
		s->open -= close && s->open;
		if (close && extent == WHOLE && !s->open)
			return r->lexer.p;
	}
}

/* Copies a text verbatim and closes what was left open, so that it ends where it did. */
static char *take_text(struct parser *r, const char *from, enum extent extent, bool *odd)
{
	struct skipped skipped;
	r->lexer.p = from;
	const char *end = skip(r, extent, &skipped);
	const size_t open = skipped.open;
	*odd = skipped.odd;
	while (end > from && lex_is_blank(end[-1]))
		end--;
	char *text = tree_copy(from, (size_t)(end - from));
	const size_t length = text ? strlen(text) : 0;
	char *closed = text ? realloc(text, length + open + 3) : NULL;
	if (!closed) {
		free(text);
		return NULL;
	}
	char *p = closed + length;
	if (skipped.comment)
		*p++ = '}';
	if (open)
		*p++ = '\n';
	memset(p, ')', open);
	p[open] = '\0';
	return closed;
}

/* Keeps as text a variation that has no move yet, or one that cannot be entered. */
static enum el_status keep_variation(struct parser *r, const char *open)
{
	struct el_note note = {.kind = EL_NOTE_TEXT, .place = EL_PLACE_BESIDE};
	bool odd;
	note.text = take_text(r, open, WHOLE, &odd);
	r->pending_count = 0;
	return note.text ? tree_add_note(r->tree, r->node, note, &r->error) : out_of_memory(r);
}

static void leave_variation(struct parser *r)
{
	const struct frame *frame = &r->stack[--r->depth];
	r->node = frame->node;
	r->owned = frame->owned;
	r->started = true;
	r->late = true;
}

/* Keeps the rest of a line verbatim, or as a comment if it would end elsewhere once the line
   becomes a variation or the main line. */
static enum el_status take_rest(struct parser *r, const char *from)
{
	bool odd;
	char *text = take_text(r, from, r->depth ? TO_CLOSE : TO_RESULT, &odd);
	if (!text)
		return out_of_memory(r);
	if (*text && !odd)
		return tree_add_rest(r->tree, r->node, text, &r->error);
	if (r->tree->node_count == 1)
		parser_forget_game(r);
	enum el_status status = *text ? tree_add_words(r->tree, r->node, EL_NOTE_COMMENT,
	                                               EL_PLACE_AFTER, text, &r->error)
	                              : EL_OK;
	free(text);
	return status;
}

/* Keeps the text from a token that is no legal move. */
static enum el_status keep_rest(struct parser *r, const struct token *token)
{
	if (!r->started) {
		const char *open = r->stack[r->depth - 1].open;
		leave_variation(r);
		return keep_variation(r, open);
	}
	return take_rest(r, token->at);
}

/* ---- moves ---- */

static enum el_status open_variation(struct parser *r, const struct token *token)
{
	if (!r->started || r->node == EL_TREE_ROOT) {
		parser_complain(r, token->from,
		                "a variation before the move that it is a variation of");
		return r->started ? keep_variation(r, token->from) : keep_rest(r, token);
	}
	enum el_status status = tree_grow(&r->stack, r->depth, sizeof *r->stack, &r->error);
	if (status)
		return status;
	r->stack[r->depth++] = (struct frame){token->from, r->node, r->owned};
	r->node = r->tree->nodes[r->node].parent;
	r->owned = false;
	r->started = false;
	r->pending_count = 0;
	return EL_OK;
}

static enum el_status take_move(struct parser *r, const struct token *token)
{
	enum { FORCED = 7 };
	char word[2 * EL_MOVE_MAX];
	struct el_error error;
	struct el_move move;
	/* A copy for messages and games, without control characters for terminals. */
	size_t used = 0;
	for (; used < token->length && used < sizeof word - 1; used++) {
		const char c = token->text[used];
		word[used] = c > ' ' && c <= '~' ? c : '?';
	}
	word[used] = '\0';
	if (!strcmp(word, "e.p.") && r->started && r->node != EL_TREE_ROOT)
		return EL_OK;
	if (!r->game_known)
		parser_guess_game(r, word);
	if (r->tree->game->read_move(&r->tree->nodes[r->node].position, word, &move, &error)) {
		parser_complain(r, token->from, "%s", error.text);
		return keep_rest(r, token);
	}
	uint32_t node;
	bool fresh;
	enum el_status status = tree_add(r->tree, r->node, &move, &node, &fresh, &r->error);
	if (status)
		return status;
	if (r->owned) /* this line's move comes first, even if an earlier variation had it */
		el_tree_promote(r->tree, node);
	r->owned |= fresh;
	r->node = node;
	r->started = true;
	r->late = false;
	for (uint32_t i = 0; i < r->pending_count && !status; i++)
		status = parser_add_note(r, node, &r->pending[i], EL_PLACE_BEFORE);
	r->pending_count = 0;
	struct token mark = {.kind = TOKEN_MARK};
	while (!status && (mark.mark = lex_suffix(&r->lexer)))
		status = parser_add_note(r, node, &mark, EL_PLACE_AFTER);
	/* In draughts, a star after a move marks it as forced. */
	if (status || !r->tree->game->pdn_type || r->lexer.p == r->lexer.end || *r->lexer.p != '*')
		return status;
	r->lexer.p++;
	mark.mark = FORCED;
	return parser_add_note(r, node, &mark, EL_PLACE_AFTER);
}

/* ---- the game ---- */

static enum el_status take_token(struct parser *r, const struct token *token)
{
	enum el_status status;
	switch (token->kind) {
	case TOKEN_OPEN:
		return open_variation(r, token);
	case TOKEN_CLOSE:
		if (!r->depth)
			parser_complain(r, token->from, "')' without '('");
		if (!r->depth || !r->started)
			return keep_rest(r, token);
		leave_variation(r);
		return EL_OK;
	case TOKEN_WORD:
		if (!is_result(r, token))
			return take_move(r, token);
		if (r->depth)
			return r->started ? parser_add_note(r, r->node, token, EL_PLACE_AFTER)
			                  : keep_rest(r, token);
		strcpy(r->tree->result, tree_result(token->text, token->length, true));
		r->over = true;
		return EL_OK;
	case TOKEN_BAD:
		parser_complain(r, token->from, "expected a move, found '%.8s'",
		                (char[]){*token->text, '\0'});
		return keep_rest(r, token);
	default:
		if (r->started)
			return parser_add_note(r, r->node, token,
			                       r->late ? EL_PLACE_LATE : EL_PLACE_AFTER);
		/* Notes before the first move of a variation wait for that move. */
		status = tree_grow(&r->pending, r->pending_count, sizeof *r->pending, &r->error);
		if (!status)
			r->pending[r->pending_count++] = *token;
		return status;
	}
}

enum el_status parser_take_moves(struct parser *r)
{
	enum el_status status = EL_OK;
	r->in_moves = true;
	r->started = true;
	r->owned = true;
	r->lexer.any_column = false;
	if (r->tree->unreadable)
		status = take_rest(r, r->lexer.p); /* no move can be played */
	while (!status && !r->over) {
		const struct token token = lex(&r->lexer);
		if (token.kind != TOKEN_END && token.kind != TOKEN_TAG) {
			status = take_token(r, &token);
			continue;
		}
		if (r->depth)
			parser_complain(r, token.from, "a variation is not closed: expected ')'");
		r->lexer.p = token.from;
		if (r->started)
			break;
		status = keep_rest(r, &token);
	}
	for (uint32_t i = 0; i < r->tree->node_count; i++)
		tree_settle_notes(r->tree, i);
	return status;
}

/* Comments after the last game of a file belong to it; others belong to the next game. */
enum el_status parser_take_tail(struct parser *r)
{
	const char *const from = r->lexer.p;
	struct token token = lex(&r->lexer);
	enum el_status status = EL_OK;
	while (token.kind == TOKEN_COMMENT || token.kind == TOKEN_LINE ||
	       token.kind == TOKEN_ESCAPE)
		token = lex(&r->lexer);
	r->lexer.p = from;
	if (token.kind != TOKEN_END)
		return EL_OK;
	while (!status && (token = lex(&r->lexer)).kind != TOKEN_END)
		status = parser_add_note(r, EL_TREE_ROOT, &token, EL_PLACE_TAIL);
	return status;
}

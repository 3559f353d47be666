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
	char why[320], what[384], move[24] = "";
	va_list arguments;
	if (r->error.status)
		return;
	va_start(arguments, format);
	vsnprintf(why, sizeof why, format, arguments);
	va_end(arguments);
	if (r->in_moves && !r->tree->unreadable)
		snprintf(move, sizeof move, ", move %u", r->tree->nodes[r->node].position.fullmove);
	snprintf(what, sizeof what, ":%zu: game %zu%s: %s", r->line + parser_lines(r->begin, at),
	         r->number, move, why);
	/* The end of a name tells more than its beginning. */
	const size_t room = sizeof r->error.text - strlen(what) - 1, length = strlen(r->name);
	const bool cut = length > room;
	el_fail(&r->error, EL_NEGATIVE, "%s%s%s", cut ? "..." : "",
	        cut ? r->name + (length - room + 3) : r->name, what);
}

/* ---- notes ---- */

static enum el_status out_of_memory(struct parser *r)
{
	return el_fail(&r->error, EL_MEMORY, "%.200s: game %zu: out of memory", r->name, r->number);
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

/* ---- words that are not understood ---- */

/* Is the byte before `p` an ellipsis of Windows' Latin-1, and no part of a character of UTF-8? */
static bool is_latin_ellipsis(const char *p, const struct token *token)
{
	return p[-1] == '\x85' && !(p - 1 > token->at && p[-2] == '\x80');
}

/* The move number before a token, and how many dots follow it; -1 if there is none. */
static int number_before(const struct token *token, unsigned *dots)
{
	const char *p = token->from;
	for (*dots = 0; p > token->at && (p[-1] < '0' || p[-1] > '9'); p--)
		*dots += p[-1] == '.' ? 1 : p[-1] == '\xA6' || is_latin_ellipsis(p, token) ? 3 : 0;
	int number = p > token->at ? 0 : -1;
	for (int digit = 1; p > token->at && p[-1] >= '0' && p[-1] <= '9' && digit < 100000;
	     digit *= 10)
		number += digit * (*--p - '0');
	return number;
}

static enum el_status take_note(struct parser *r, const struct token *token)
{
	if (r->started)
		return parser_add_note(r, r->node, token, r->late ? EL_PLACE_LATE : EL_PLACE_AFTER);
	/* Notes before the first move of a variation wait for that move. */
	enum el_status status =
		tree_grow(&r->pending, r->pending_count, sizeof *r->pending, &r->error);
	if (!status)
		r->pending[r->pending_count++] = *token;
	return status;
}

/* Adds the words to those before them, which become one comment. */
static void take_strange(struct parser *r, const struct token *token)
{
	if (!r->strange.length)
		r->strange = *token;
	r->strange.kind = TOKEN_WORD;
	r->strange.length = (size_t)(token->text + token->length - r->strange.text);
}

static enum el_status put_strange(struct parser *r)
{
	const struct token strange = r->strange;
	r->strange.length = 0;
	return strange.length ? take_note(r, &strange) : EL_OK;
}

/* Could the token be the move to be played, by its number? `without`: the answer if it has none. */
static bool is_in_turn(const struct parser *r, const struct token *token, bool without)
{
	const struct el_position *position = &r->tree->nodes[r->node].position;
	unsigned dots;
	const int number = number_before(token, &dots);
	if (number < 0)
		return without;
	return number == position->fullmove &&
	       (dots != 1 || position->side == r->tree->game->first_side);
}

/* ---- text that cannot be read ---- */

enum extent {
	TO_RESULT, /* the rest of the game */
	TO_CLOSE,  /* the rest of the variation, without its parenthesis */
	WHOLE,     /* a variation, which begins here */
};

static bool is_result(const struct parser *r, const struct token *token)
{
	char word[WORD_MAX];
	if (token->kind != TOKEN_WORD)
		return false;
	tree_plain(token->text, token->length, word, sizeof word);
	return tree_result(word, r->tree->game);
}

/* Does another game begin with this token? One without tags begins with move 1 after an empty line,
   where moves came before. */
static bool begins_game(const struct parser *r, const struct token *token)
{
	unsigned dots;
	if (token->kind != TOKEN_WORD || token->at == token->from ||
	    number_before(token, &dots) != 1 || dots > 1)
		return false;
	const char *p = token->at;
	while (p > r->begin && lex_is_blank(p[-1]))
		p--;
	return parser_lines(p, token->at) > 1;
}

/* Copies a text verbatim and closes what was left open, so that it ends where it did. *odd: it would end
   earlier in a line of another kind. */
static char *take_text(struct parser *r, const char *from, enum extent extent, bool *odd)
{
	size_t open = 0;      /* parentheses that are not closed */
	bool comment = false; /* nor is a comment */
	const char *end = NULL;
	*odd = false;
	r->lexer.p = from;
	for (bool moves = false; !end;) {
		const struct token token = lex(&r->lexer);
		const bool close = token.kind == TOKEN_CLOSE;
		const bool result = !open && is_result(r, &token);
		const bool begins = moves && !open && begins_game(r, &token);
		const bool next = extent == TO_RESULT && begins;
		r->over |= next;
		comment |= token.kind == TOKEN_COMMENT && !token.closed;
		open += token.kind == TOKEN_OPEN;
		if (token.kind == TOKEN_END || token.kind == TOKEN_TAG || next ||
		    (extent == TO_RESULT && result) || (extent == TO_CLOSE && close && !open)) {
			end = r->lexer.p = token.at;
			break;
		}
		moves |= token.kind == TOKEN_WORD;
		/* a result or another game within a variation, or ')' without '(' */
		*odd |= result || begins || (close && !open);
		open -= close && open;
		if (close && extent == WHOLE && !open)
			end = r->lexer.p;
	}
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
	if (comment)
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
	const struct el_node *node = &r->tree->nodes[r->node];
	const bool is_kept = *text && !odd;
	if (is_kept && node->child == EL_NO_NODE && !node->unread) {
		const struct el_note note = {text, .kind = EL_NOTE_TEXT, .place = EL_PLACE_REST};
		return tree_add_note(r->tree, r->node, note, &r->error);
	}
	if (!is_kept && r->tree->node_count == 1)
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
	enum el_status status = r->started ? put_strange(r) : EL_OK;
	r->strange.length = 0;
	if (status)
		return status;
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
	r->stack[r->depth++] = (struct frame){token->from, r->node};
	r->node = r->tree->nodes[r->node].parent;
	r->started = false;
	r->pending_count = 0;
	return EL_OK;
}

/* Some programs write a capture apart from its move, "d5 xa7". */
static void join_capture(struct parser *r, char word[WORD_MAX])
{
	const char *p = r->lexer.p, *const end = r->lexer.end;
	while (p < end && lex_is_blank(*p))
		p++;
	r->lexer.touched |= end - p < 3;
	if (end - p < 3 || *p != 'x' || p[1] < 'a' || p[1] > 'h' || p[2] < '1' || p[2] > '8' ||
	    strchr(word, 'x'))
		return;
	r->lexer.p = p;
	const struct token capture = lex(&r->lexer);
	const size_t used = strlen(word);
	tree_plain(capture.text, capture.length, word + used, WORD_MAX - used);
}

/* Reads a move, or the null move. */
static enum el_status read_move(const struct parser *r, const char *word, struct el_move *move,
                                struct el_error *error)
{
	const struct el_game *game = r->tree->game;
	const struct el_position *position = &r->tree->nodes[r->node].position;
	const char *spelled = game->pass ? tree_spelled(word) : NULL;
	if (game->pass && (!strcmp(word, "--") || (spelled && !strcmp(spelled, "--"))))
		return game->pass(position, move, error);
	return game->read_move(position, word, move, error);
}

/* Does a word that is no move stand in the place of one, by its number or by that of the next move?
   What follows cannot be played then. */
static bool replaces_move(struct parser *r, const struct token *token)
{
	enum { FAR = 64 };
	struct lexer ahead = r->lexer;
	bool replaces = is_in_turn(r, token, false);
	for (unsigned n = 0; !replaces && n < FAR && r->node != EL_TREE_ROOT; n++) {
		const struct token next = lex(&ahead);
		if (next.kind == TOKEN_COMMENT || next.kind == TOKEN_LINE ||
		    next.kind == TOKEN_MARK)
			continue;
		if (next.kind != TOKEN_WORD || is_result(r, &next) || begins_game(r, &next))
			break;
		replaces = !is_in_turn(r, &next, true);
		if (next.at != next.from)
			break;
	}
	r->lexer.touched |= ahead.touched;
	return replaces;
}

static enum el_status take_mark(struct parser *r, const char *read)
{
	const struct token mark = {.kind = TOKEN_MARK,
	                           .mark = (unsigned)strtoul(read + 1, NULL, 10)};
	enum el_status status = put_strange(r);
	return status ? status : take_note(r, &mark);
}

/* A word that is no move of any position is a spelling, or costs a note. */
static enum el_status take_other(struct parser *r, const struct token *token, const char *word,
                                 const struct el_error *why)
{
	const char *spelled = tree_spelled(word);
	if (spelled && !*spelled) { /* read over, but not between words that are kept */
		if (r->strange.length)
			take_strange(r, token);
		return EL_OK;
	}
	if (spelled && *spelled == '$')
		return take_mark(r, spelled);
	parser_complain(r, token->from, "%s", why->text);
	if (replaces_move(r, token))
		return keep_rest(r, token);
	take_strange(r, token);
	return EL_OK;
}

static enum el_status take_move(struct parser *r, const struct token *token)
{
	enum { FORCED = 7 };
	char word[WORD_MAX];
	const char *suffix = NULL;
	struct el_error error;
	struct el_move move;
	uint32_t node;
	tree_plain(token->text, token->length, word, sizeof word);
	join_capture(r, word);
	enum el_status status = r->game_known ? EL_OK : parser_guess_game(r, word);
	if (status)
		return status;
	enum el_status read = read_move(r, word, &move, &error);
	if (read) { /* perhaps with a mark, "Nf3+=" */
		const size_t length = tree_spelled_suffix(word, &suffix);
		const char first = word[length];
		word[length] = '\0';
		read = length && !read_move(r, word, &move, NULL) ? EL_OK : read;
		word[length] = first;
	}
	if (read == EL_USAGE)
		return take_other(r, token, word, &error);
	if (read) {
		parser_complain(r, token->from, "%s", error.text);
		return keep_rest(r, token);
	}
	status = put_strange(r);
	if (!status)
		status = tree_append(r->tree, r->node, &move, &node, &r->error);
	if (status)
		return status;
	r->game_known = true;
	r->node = node;
	r->started = true;
	r->late = false;
	for (uint32_t i = 0; i < r->pending_count && !status; i++)
		status = parser_add_note(r, node, &r->pending[i], EL_PLACE_BEFORE);
	r->pending_count = 0;
	if (!status && suffix)
		status = take_mark(r, suffix);
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

static enum el_status take_result(struct parser *r, const struct token *token)
{
	char word[WORD_MAX];
	tree_plain(token->text, token->length, word, sizeof word);
	if (r->depth)
		return r->started ? parser_add_note(r, r->node, token, EL_PLACE_AFTER)
		                  : keep_rest(r, token);
	snprintf(r->tree->result, EL_RESULT_MAX, "%s", tree_result(word, r->tree->game));
	r->over = true;
	return EL_OK;
}

static enum el_status take_token(struct parser *r, const struct token *token)
{
	const bool closes = token->kind == TOKEN_CLOSE && r->depth;
	if (token->kind == TOKEN_WORD && !is_result(r, token))
		return take_move(r, token);
	if (token->kind == TOKEN_BAD || (token->kind == TOKEN_CLOSE && !closes)) {
		if (token->kind == TOKEN_BAD)
			parser_complain(r, token->from, "expected a move, found '%.8s'",
			                (char[]){*token->text, '\0'});
		else
			parser_complain(r, token->from, "')' without '('");
		take_strange(r, token);
		return EL_OK;
	}
	if (closes && !r->started) {
		r->strange.length = 0;
		return keep_rest(r, token);
	}
	enum el_status status = put_strange(r);
	if (status)
		return status;
	if (token->kind == TOKEN_WORD)
		return take_result(r, token);
	if (token->kind == TOKEN_OPEN)
		return open_variation(r, token);
	if (!closes)
		return take_note(r, token);
	leave_variation(r);
	return EL_OK;
}

enum el_status parser_take_moves(struct parser *r)
{
	enum el_status status = EL_OK;
	r->in_moves = true;
	r->started = true;
	r->lexer.any_column = false;
	if (r->tree->unreadable)
		status = take_rest(r, r->lexer.p); /* no move can be played */
	while (!status && !r->over) {
		const struct token token = lex(&r->lexer);
		const bool next = !r->depth && r->node != EL_TREE_ROOT && begins_game(r, &token);
		if (token.kind != TOKEN_END && token.kind != TOKEN_TAG && !next) {
			status = take_token(r, &token);
			continue;
		}
		if (r->depth)
			parser_complain(r, token.from, "a variation is not closed: expected ')'");
		r->lexer.p = next ? token.at : token.from;
		if (r->started)
			break;
		r->strange.length = 0;
		status = keep_rest(r, &token);
	}
	if (!status)
		status = put_strange(r);
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

/* SPDX-License-Identifier: MIT */
/* Reads the games of a file piece by piece, so that memory holds about one game. */
#include "read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct el_games {
	char *name;
	el_read_bytes *read; /* null: the text is complete */
	void *context;
	char *buffer;            /* owned; null for a text in memory */
	const char *text;        /* the same, or the text */
	size_t start, end, room; /* of the text read; the next game begins at `start` */
	bool ended;              /* nothing follows `end` */
	size_t line, count;
	uint64_t bytes;
};

enum { CHUNK = 1 << 20 };

enum el_status el_games_open_text(const char *name, const char *text, size_t length,
                                  struct el_games **out, struct el_error *error)
{
	struct el_games *games = *out = calloc(1, sizeof *games);
	if (games)
		*games = (struct el_games){.name = strdup(name),
		                           .text = text,
		                           .end = length,
		                           .ended = true,
		                           .line = 1};
	if (games && games->name)
		return EL_OK;
	el_games_close(games);
	*out = NULL;
	return el_fail(error, EL_MEMORY, "%s: out of memory", name);
}

enum el_status el_games_open(const char *name, el_read_bytes *read, void *context,
                             struct el_games **out, struct el_error *error)
{
	const enum el_status status = el_games_open_text(name, NULL, 1, out, error);
	if (status)
		return status;
	struct el_games *games = *out;
	games->read = read;
	games->context = context;
	games->ended = false;
	games->start = 1;
	games->room = CHUNK;
	games->text = games->buffer = malloc(CHUNK);
	if (games->buffer) {
		/* the byte before a game tells whether the game begins a line */
		*games->buffer = '\n';
		return EL_OK;
	}
	el_games_close(games);
	*out = NULL;
	return el_fail(error, EL_MEMORY, "%s: out of memory", name);
}

void el_games_close(struct el_games *games)
{
	if (!games)
		return;
	free(games->name);
	free(games->buffer);
	free(games);
}

bool el_tree_is_strange(const struct el_tree *tree, enum el_status status)
{
	return status && tree->node_count == 1 && !tree->tag_count;
}

size_t el_games_count(const struct el_games *games)
{
	return games->count;
}

uint64_t el_games_bytes(const struct el_games *games)
{
	return games->bytes;
}

/* Moves the game to the front and reads until there is twice as much text. What has no end, such as a
   device, is no game. */
static enum el_status fill(struct el_games *games, struct el_error *error)
{
	enum { GAME_MOST = 16 }; /* MB */
	const size_t kept = games->end - games->start + 1, wanted = 2 * kept;
	if (kept > (size_t)GAME_MOST << 20)
		return el_fail(error, EL_NEGATIVE, "%s: game %zu has more than %d MB", games->name,
		               games->count + 1, GAME_MOST);
	memmove(games->buffer, games->buffer + games->start - 1, kept);
	games->start = 1;
	games->end = kept;
	if (kept > games->room / 2) {
		char *more = realloc(games->buffer, 2 * games->room);
		if (!more)
			return el_fail(error, EL_MEMORY, "%s: game %zu: out of memory", games->name,
			               games->count + 1);
		games->buffer = more;
		games->text = more;
		games->room *= 2;
	}
	while (!games->ended && games->end < wanted) {
		const ssize_t n = games->read(games->context, games->buffer + games->end,
		                              games->room - games->end);
		if (n < 0)
			return errno == EINTR
			               ? el_fail(error, EL_STOPPED, "%s: stopped", games->name)
			               : el_fail(error, EL_IO, "%s: %s", games->name,
			                         strerror(errno));
		games->end += (size_t)n;
		games->ended = n == 0;
	}
	return EL_OK;
}

/* Reads the game at `start`, as far as the text goes; r->tree is null if there is none. */
static enum el_status read_game(const struct el_games *games, struct parser *r)
{
	const char *begin = games->text + games->start, *end = games->text + games->end;
	const char *after = begin;
	size_t blank;
	*r = (struct parser){
		.lexer = {.base = games->text, .p = begin, .end = end},
		.begin = begin,
		.name = games->name,
		.line = games->line,
		.number = games->count + 1,
	};
	while ((blank = lex_blank(after, end)))
		after += blank;
	if (after == end) {
		r->lexer.touched = true;
		return EL_OK;
	}
	enum el_status status = el_tree_open(el_games[0], NULL, &r->tree, &r->error);
	if (status)
		return status;
	struct el_tree *tree = r->tree;
	*tree->result = '\0';
	status = parser_take_tags(r);
	if (!status && !r->over)
		status = parser_take_moves(r);
	if (status)
		return status;
	const char *tag = el_tree_tag(tree, TREE_TAG_RESULT);
	char word[WORD_MAX];
	tree_plain(tag ? tag : "", tag ? strlen(tag) : 0, word, sizeof word);
	const char *told = tree_result(word, tree->game);
	if (!*tree->result)
		strcpy(tree->result, told ? told : "*");
	return parser_take_tail(r);
}

enum el_status el_games_next(struct el_games *games, struct el_tree **out, struct el_error *error)
{
	struct parser r;
	*out = NULL;
	for (;;) {
		enum el_status status = read_game(games, &r);
		free(r.stack);
		free(r.pending);
		if (!status && (games->ended || !r.lexer.touched))
			break;
		el_tree_close(r.tree);
		if (status)
			return el_fail(error, status, "%s", r.error.text);
		status = fill(games, error);
		if (status)
			return status;
	}
	const size_t taken = (size_t)(r.lexer.p - r.begin);
	*out = r.tree;
	games->line += parser_lines(r.begin, r.lexer.p);
	games->start += taken;
	games->bytes += taken;
	games->count += r.tree != NULL;
	return r.error.status ? el_fail(error, r.error.status, "%s", r.error.text) : EL_OK;
}

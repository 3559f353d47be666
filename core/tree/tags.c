/* SPDX-License-Identifier: MIT */
/* Reads the tags of a game, and tells which game it is from them or from the first move. */
#include "read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one tag ---- */

static const char *skip_spaces(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* The end of a tag with properly escaped quotes, after the closing bracket; null if there is none.
   Sets *quote to the quote that ends the value. */
static const char *strict_end(const char *value, const char *line_end, const char **quote)
{
	const char *p = value;
	while (p < line_end && *p != '"')
		p += *p == '\\' && p + 1 < line_end && (p[1] == '"' || p[1] == '\\') ? 2 : 1;
	if (p >= line_end)
		return NULL;
	*quote = p;
	p = skip_spaces(p + 1, line_end);
	return p < line_end && *p == ']' ? p + 1 : NULL;
}

/* The same for values with unescaped quotes: the last quote on the line ends the value. */
static const char *loose_end(const char *value, const char *line_end, const char **quote)
{
	const char *p = line_end;
	while (p > value && lex_is_blank(p[-1]))
		p--;
	if (p == value || *--p != ']')
		return NULL;
	while (p > value && lex_is_blank(p[-1]))
		p--;
	if (p == value || *--p != '"' || p < value)
		return NULL;
	*quote = p;
	return line_end;
}

static char *unescape(const char *from, const char *to)
{
	char *copy = tree_copy(from, (size_t)(to - from)), *out = copy;
	for (const char *p = copy; p && *p; p++) {
		if (*p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		*out++ = *p;
	}
	if (out)
		*out = '\0';
	return copy;
}

/* Reads the tag after a bracket; if it is none, *name is null and *value the line. */
static enum el_status read_tag(struct parser *r, const char *bracket, char **name, char **value)
{
	struct lexer *l = &r->lexer;
	const char *line_end = l->p, *quote = NULL, *after = NULL;
	while (line_end < l->end && *line_end != '\n' && *line_end != '\r')
		line_end++;
	l->touched |= line_end == l->end;
	const char *from = skip_spaces(l->p, line_end), *to = from;
	while (to < line_end && !lex_is_blank(*to) && *to != '"' && *to != ']')
		to++;
	const char *text = skip_spaces(to, line_end);
	if (to > from && text < line_end && *text++ == '"') {
		after = strict_end(text, line_end, &quote);
		after = after ? after : loose_end(text, line_end, &quote);
	}
	const bool is_tag = after != NULL;
	if (is_tag) {
		*name = tree_copy(from, (size_t)(to - from));
		*value = unescape(text, quote);
		l->p = after;
	} else {
		parser_complain(r, bracket, "this is no tag: expected one such as [Event \"...\"]");
		for (to = line_end; to > bracket && lex_is_blank(to[-1]); to--)
			;
		*name = NULL;
		*value = tree_copy(bracket, (size_t)(to - bracket));
		l->p = line_end;
	}
	if (*value && (*name || !is_tag))
		return EL_OK;
	free(*name);
	free(*value);
	return el_fail(&r->error, EL_MEMORY, "a tag: out of memory");
}

/* ---- all of them ---- */

static enum el_status take_tags(struct parser *r, uint32_t *notes)
{
	enum el_status status = EL_OK;
	while (!status) {
		char *name, *value;
		const struct token token = lex(&r->lexer);
		const bool numbered = token.at != token.from; /* perhaps moves that are numbers */
		if (!numbered && (token.kind == TOKEN_COMMENT || token.kind == TOKEN_LINE ||
		                  token.kind == TOKEN_ESCAPE)) {
			status = parser_add_note(r, EL_TREE_ROOT, &token, EL_PLACE_HEAD);
			continue;
		}
		r->lexer.p = token.at;
		if (token.kind != TOKEN_TAG || numbered)
			break;
		r->lexer.p = token.from + 1;
		status = read_tag(r, token.from, &name, &value);
		/* If the first tag comes again, another game begins. */
		const struct el_tag *first = r->tree->tag_count ? r->tree->tags : NULL;
		if (!status && name && first && first->name && !strcmp(first->name, name)) {
			free(name);
			free(value);
			r->lexer.p = token.from;
			r->over = true;
			break;
		}
		if (!status)
			status = tree_add_tag(r->tree, name, value, &r->error);
		*notes = r->tree->note_count;
	}
	return status;
}

/* ---- applying tags ---- */

static void set_game(struct parser *r, const struct el_game *game)
{
	struct el_position *start = &r->tree->nodes[EL_TREE_ROOT].position;
	struct el_move move;
	r->tree->game = game;
	game->parse(game->first, start, NULL);
	r->game_known = true;
	r->lexer.numbers = game->read_move(start, "1", &move, NULL) != EL_USAGE;
}

/* Are two names the same but for capitals, blanks and signs? */
static bool same_name(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (!*a || tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return !*a && !*b;
	}
}

/* The game that the tag Variant names; null if it is not known. */
static const struct el_game *find_variant(const char *name)
{
	/* Played by the rules of chess; an empty name says nothing. */
	static const char *const usual[] = {"",
	                                    "Standard",
	                                    "Normal",
	                                    "From Position",
	                                    "Chess960",
	                                    "Fischerandom",
	                                    "FischerRandomChess",
	                                    "Chess960FischerRandom",
	                                    "Fischer Random",
	                                    "FRC",
	                                    "Shuffle",
	                                    "Classical"};
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (same_name(name, usual[i]))
			return el_games[0];
	for (const struct el_game *const *game = el_games; *game; game++)
		if (same_name(name, (*game)->name) || same_name(name, (*game)->title))
			return *game;
	return NULL;
}

/* Where a tag stands that has been read; for messages. */
static const char *place_of(const struct parser *r, const char *name)
{
	char tag[16];
	const int length = snprintf(tag, sizeof tag, "[%s", name);
	const char *at = memmem(r->begin, (size_t)(r->lexer.p - r->begin), tag, (size_t)length);
	return at ? at : r->begin;
}

enum el_status parser_take_tags(struct parser *r)
{
	uint32_t notes = 0;
	r->lexer.any_column = true;
	enum el_status status = take_tags(r, &notes);
	if (status)
		return status;
	/* Comments after the last tag are about the initial position. */
	for (uint32_t i = notes; i < r->tree->note_count; i++)
		r->tree->notes[i].place = EL_PLACE_AFTER;
	const char *fen = el_tree_tag(r->tree, TREE_TAG_FEN);
	const char *type = el_tree_tag(r->tree, TREE_TAG_TYPE);
	const char *variant = el_tree_tag(r->tree, TREE_TAG_VARIANT);
	struct el_error error;
	struct el_position start;
	char left_out[EL_NOTE_MAX], right[EL_FEN_MAX];
	const struct el_game *game = NULL;
	for (const struct el_game *const *g = el_games; type && *g && !game; g++) {
		/* In "21" and "21,B,8,8,N2,0", only the number tells the game. */
		const char *own = (*g)->pdn_type;
		if (own && !strncmp(type, own, strlen(own)) &&
		    !isdigit((unsigned char)type[strlen(own)]))
			game = *g;
	}
	const bool strange = variant && !type && !find_variant(variant);
	if (variant && !game && find_variant(variant) != el_games[0])
		game = find_variant(variant);
	set_game(r, game ? game : el_games[0]);
	r->game_known = game != NULL;
	bool fails = false;
	if ((type && !game) || strange) {
		const char *tag = strange ? TREE_TAG_VARIANT : TREE_TAG_TYPE;
		parser_complain(r, place_of(r, tag),
		                "%s '%.30s' is not known: the game is kept as text", tag,
		                strange ? variant : type);
		fails = true;
	} else if (fen && game && !game->pdn_type && !game->parse(fen, &start, NULL)) {
		r->tree->nodes[EL_TREE_ROOT].position = start;
	} else if (fen && el_position_read(fen, &game, &start, left_out, &error)) {
		const bool quotes = *error.text == '\''; /* it quotes the position itself */
		parser_complain(r, place_of(r, TREE_TAG_FEN), "FEN%s%.90s%s: %s",
		                quotes ? "" : " '", quotes ? "" : fen, quotes ? "" : "'",
		                error.text);
		fails = true;
	} else if (fen) {
		set_game(r, game);
		r->tree->nodes[EL_TREE_ROOT].position = start;
		/* The game is written with what was read, and says what was not. */
		if (*left_out) {
			game->format(&start, right);
			status = tree_add_words(r->tree, EL_TREE_ROOT, EL_NOTE_COMMENT,
			                        EL_PLACE_AFTER, left_out, &r->error);
		}
		if (*left_out && !status)
			status = el_tree_set_tag(r->tree, TREE_TAG_FEN, right, &r->error);
	}
	r->tree->unreadable |= fails;
	r->game_known |= fails;
	return status;
}

enum { WORDS_MAX = 6 };

/* The words with which the moves begin, as far as nothing else stands between them. */
struct words {
	char word[WORDS_MAX][WORD_MAX];
	unsigned count;
};

/* How many of the words are moves of a game from its beginning; 0 if the next one can only be of chess: moves
   of pawns are also points of Nine Men's Morris, but those of pieces are not. Chess, which comes first, spells
   its moves as they will be written, so that other games judge what they would read then. */
static unsigned moves_in(const struct el_game *game, struct words *w)
{
	struct el_position at, next;
	struct el_move move;
	unsigned count = 0;
	enum el_status status = EL_OK;
	game->parse(game->first, &at, NULL);
	while (count < w->count && !tree_result(w->word[count], game) &&
	       !(status = game->read_move(&at, w->word[count], &move, NULL))) {
		if (game == el_games[0])
			game->write_move(&at, &move, EL_SAN, w->word[count]);
		game->play(&at, &move, &next);
		at = next;
		count++;
	}
	const struct el_game *chess = el_games[0];
	chess->parse(chess->first, &at, NULL);
	return status == EL_USAGE && chess->read_move(&at, w->word[count], &move, NULL) != EL_USAGE
	               ? 0
	               : count;
}

enum el_status parser_guess_game(struct parser *r, const char *word)
{
	enum { FAR = 64 };
	struct lexer ahead = r->lexer;
	struct words w = {.count = 1};
	const struct el_game *game = NULL;
	struct el_position start;
	struct el_move move;
	bool alone = false; /* the word is all of the line */
	snprintf(w.word[0], WORD_MAX, "%s", word);
	/* Directly one behind the other, so that the answer stays the same once the game is written. */
	for (unsigned n = 0; n < FAR && w.count < WORDS_MAX; n++) {
		const struct token token = lex(&ahead);
		const bool is_word = token.kind == TOKEN_WORD;
		tree_plain(token.text, is_word ? token.length : 0, w.word[w.count], WORD_MAX);
		const char *spelled = tree_spelled(w.word[w.count]);
		const bool ends = is_word ? tree_result(w.word[w.count], el_games[0]) != NULL
		                          : token.kind == TOKEN_END || token.kind == TOKEN_OPEN;
		alone = ends && w.count == 1;
		if (ends || !is_word)
			break;
		w.count += !(spelled && !*spelled);
	}
	r->lexer.touched |= ahead.touched;
	unsigned most = 0;
	for (const struct el_game *const *g = el_games; *g; g++) {
		const unsigned moves = moves_in(*g, &w);
		game = moves > most ? *g : game;
		most = moves > most ? moves : most;
	}
	/* It may be an illegal move of chess. */
	el_games[0]->parse(el_games[0]->first, &start, NULL);
	if (alone && el_games[0]->read_move(&start, word, &move, NULL) == EL_NEGATIVE)
		game = el_games[0];
	/* An illegal move between numbered squares still tells a game that numbers its squares. */
	for (const struct el_game *const *g = el_games; !game && *g; g++) {
		(*g)->parse((*g)->first, &start, NULL);
		if ((*g)->labelled_squares &&
		    (*g)->read_move(&start, word, &move, NULL) != EL_USAGE)
			game = *g;
	}
	if (!game || game == el_games[0]) {
		r->game_known = game != NULL;
		return EL_OK;
	}
	set_game(r, game);
	r->game_guessed = true;
	/* The moves may change, so a tag tells the game from now on. */
	return game->pdn_type ? EL_OK
	                      : el_tree_set_tag(r->tree, TREE_TAG_VARIANT, game->title, &r->error);
}

void parser_forget_game(struct parser *r)
{
	if (!r->game_guessed)
		return;
	set_game(r, el_games[0]);
	el_tree_set_tag(r->tree, TREE_TAG_VARIANT, NULL, NULL);
}

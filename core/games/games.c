/* SPDX-License-Identifier: MIT */
/* Questions about any game, and about the meaning of a text in one of them. */
#include "core/base/text.h"
#include "slice.h"

#include <stdio.h>
#include <string.h>

const struct el_game *el_game_find(const char *name)
{
	for (size_t i = 0; el_games[i]; i++)
		if (strcmp(el_games[i]->name, name) == 0)
			return el_games[i];
	return NULL;
}

bool el_square_find(const struct el_game *game, uint8_t square, unsigned *file, unsigned *rank)
{
	for (*rank = 0; *rank < game->ranks; ++*rank)
		for (*file = 0; *file < game->files; ++*file)
			if (game->square_at(*file, *rank) == square)
				return true;
	return false;
}

bool el_game_has(const struct el_game *game, const struct el_metric *metric)
{
	const struct el_metric *const *m = game->metrics;
	while (*m && (*m)->rank != metric->rank)
		m++;
	return *m;
}

bool el_square_taken(const struct el_game *game, const struct el_position *position, uint8_t square,
                     unsigned *side)
{
	unsigned kind;
	if (!game->sows)
		return el_piece_at(position, square, side, &kind);
	if (square >= EL_PITS || !position->pits[square])
		return false;
	*side = square / game->files;
	return true;
}

bool el_game_tells(const struct el_game *game, const struct el_metric *metric)
{
	return metric == &el_wdl || el_game_has(game, metric);
}

const struct el_metric *el_game_depths(const struct el_game *game, const struct el_metric *metric)
{
	const unsigned moves = metric->limit ? metric->limit / 2 : EL_RULE_USUAL;
	for (size_t rank = 0; rank < EL_METRICS && !metric->has_depth; rank++) {
		const struct el_metric *m = el_metric_ruled(rank, moves);
		if (m->has_depth && el_metric_entered(m) == el_metric_entered(metric) &&
		    el_game_has(game, m))
			return m;
	}
	return NULL;
}

const struct el_metric *el_game_metric(const struct el_game *game)
{
	const struct el_metric *const *m = game->metrics;
	while (m[1] && (*m)->join != EL_JOIN_SUM)
		m++;
	return *m;
}

enum el_status el_game_check_metric(const struct el_game *game, const struct el_metric *metric,
                                    struct el_error *error)
{
	char games[128] = "";
	const char *last = NULL;
	if (el_game_has(game, metric))
		return EL_OK;
	for (size_t i = 0; el_games[i]; i++)
		if (el_game_has(el_games[i], metric)) {
			if (last)
				el_words_add(games, sizeof games, ", ", last);
			last = el_games[i]->name;
		}
	el_words_add(games, sizeof games, " and ", last);
	return el_fail(error, EL_USAGE, "%s is a metric of %s alone", metric->name, games);
}

enum el_status el_metric_parse(const char *name, const struct el_metric **out,
                               struct el_error *error)
{
	char known[128] = "", rules[64] = "";
	*out = el_metric_find(name);
	if (*out)
		return EL_OK;
	for (size_t i = 0; el_metrics[i]; i++) {
		char stem[8];
		el_words_add(known, sizeof known, ", ", el_metrics[i]->name);
		if (!el_metrics[i]->limit)
			continue;
		snprintf(stem, sizeof stem, "%.3sK", el_metrics[i]->name);
		el_words_add(rules, sizeof rules, " or ", stem);
	}
	return el_fail(error, EL_USAGE,
	               "unknown metric '%.40s': expected one of %s, or %s for a rule of K moves "
	               "(1 to %d)",
	               name, known, rules, EL_RULE_MAX);
}

bool el_position_is_meant(const char *text)
{
	const char *dash = strchr(text, '-');
	const bool signs = strpbrk(text, " /:") || (dash && strchr(dash + 1, '-'));
	bool meant = false;
	for (size_t i = 0; el_games[i] && signs; i++)
		meant |= el_games[i]->looks_like(text);
	return meant;
}

/* `note` null: strictly. */
enum el_status el_position_read(const char *fen, const struct el_game **game,
                                struct el_position *out, char note[EL_NOTE_MAX],
                                struct el_error *error)
{
	if (note)
		*note = '\0';
	for (size_t i = 0; el_games[i]; i++)
		if (el_games[i]->looks_like(fen)) {
			*game = el_games[i];
			return note && (*game)->read ? (*game)->read(fen, note, out, error)
			                             : (*game)->parse(fen, out, error);
		}
	return el_fail(error, EL_NEGATIVE,
	               "'%.80s' is not a position: expected a FEN such as 8/8/8/8/8/2k5/8/KQ6 w - "
	               "-, W:WK3,20:BK30, W:Wa1,d1,g1:Ba7,d7,g4 or 0-0-2-1-0-1-0-3-0-1-2-0-20-18-S",
	               fen);
}

enum el_status el_position_parse(const char *fen, const struct el_game **game,
                                 struct el_position *out, struct el_error *error)
{
	return el_position_read(fen, game, out, NULL, error);
}

/* Slices of other games than chess begin with the name of their game: "checkers:KMvK". */
static bool is_slice_of(const struct el_game *game, const char *text)
{
	return strchr(game->example, ':') ? slice_unprefixed(game, text) != NULL
	                                  : !strchr(text, ':');
}

/* Appends to the reason why a text is not a slice of `refused`, or of any game, the form that
   another game would accept. A number alone is a group in every game, so it hints at no other
   game. */
static void add_hint(const struct el_game *refused, const char *text, struct el_error *error)
{
	const char *colon = strchr(text, ':'), *bare = colon ? colon + 1 : text;
	if ((refused || !colon) && strspn(bare, "0123456789") == strlen(bare))
		return;
	for (size_t i = 0; error && el_games[i]; i++) {
		const struct el_game *game = el_games[i];
		char prefixed[2 * EL_SLICE_MAX];
		snprintf(prefixed, sizeof prefixed, "%s:%.*s", game->name, EL_SLICE_MAX, bare);
		const char *name = is_slice_of(game, bare) ? bare : prefixed;
		struct el_slice slice;
		if (game == refused || game->slice_parse(name, &slice, NULL))
			continue;
		el_text_add(error->text, sizeof error->text, "; a slice of %s is written %s",
		            game->name, slice.name);
	}
}

enum el_status el_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	const struct el_game *const *game = el_games;
	char examples[4 * EL_SLICE_MAX] = "";
	while (*game && !is_slice_of(*game, text))
		game++;
	if (*game) {
		const enum el_status status = (*game)->slice_parse(text, out, error);
		if (status)
			add_hint(*game, text, error);
		return status;
	}
	for (size_t i = 0; el_games[i]; i++)
		el_words_add(examples, sizeof examples, el_games[i + 1] ? ", " : " or ",
		             el_games[i]->example);
	el_fail(error, EL_NEGATIVE, "'%.80s' is not a slice: expected a name such as %s", text,
	        examples);
	add_hint(NULL, text, error);
	return EL_NEGATIVE;
}

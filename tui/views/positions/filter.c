/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "filter.h"

#include "core/base/text.h"

#include "tui/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what a row says ---- */

const char *listed_outcome(const struct listed *l)
{
	static const char *const brief[EL_OUTCOMES] = {
		[EL_CURSED_WIN] = "cursed",        [EL_BLESSED_LOSS] = "blessed",
		[EL_AT_LEAST_DRAW] = ">=draw",     [EL_AT_MOST_DRAW] = "<=draw",
		[EL_AT_LEAST_CURSED] = ">=cursed", [EL_AT_MOST_BLESSED] = "<=blessed",
	};
	const enum el_outcome outcome = l->value.outcome;
	return !l->metric ? "" : brief[outcome] ? brief[outcome] : outcome_words(outcome);
}

const char *listed_text(const struct listed *l, bool in_moves, char out[LISTED_TEXT_MAX])
{
	char depth[16] = "";
	if (value_is_deep(l->metric, l->value))
		snprintf(depth, sizeof depth, " %u",
		         depth_shown(l->metric, l->value.plies, in_moves));
	snprintf(out, LISTED_TEXT_MAX, "%s %s %s %s%s %s %s", l->slice, l->note,
	         l->game->sides[l->position.side], listed_outcome(l), depth, l->name ? l->name : "",
	         l->fen);
	return out;
}

/* ---- words ---- */

static enum el_status read_word(struct term *t, struct el_error *error)
{
	static const struct {
		const char *word;
		enum el_outcome outcome;
	} outcomes[] = {{"win", EL_WIN},           {"draw", EL_DRAW},           {"loss", EL_LOSS},
	                {"wins", EL_WIN},          {"draws", EL_DRAW},          {"losses", EL_LOSS},
	                {"won", EL_WIN},           {"drawn", EL_DRAW},          {"lost", EL_LOSS},
	                {"cursed", EL_CURSED_WIN}, {"blessed", EL_BLESSED_LOSS}};
	/* "depth>60", ">=60", "depth=7" in the displayed unit; "plies>60", "moves>30". */
	static const char *const names[] = {"depth", "plies", "moves"};
	const char *sign = t->text;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncasecmp(t->text, names[i], strlen(names[i])) == 0)
			sign = t->text + strlen(names[i]);
	if (*sign && strchr("<>=", *sign)) {
		char *end;
		t->kind = TERM_DEPTH;
		for (; *sign && strchr("<>=", *sign); sign++) {
			t->less = t->less || *sign == '<';
			t->equal = t->equal || *sign == '=';
			t->more = t->more || *sign == '>';
		}
		t->number = (unsigned)strtoul(sign, &end, 10);
		if (!isdigit((unsigned char)*sign) || *end)
			return el_fail(error, EL_USAGE, "'%s': expected a depth such as depth>60",
			               t->text);
		return EL_OK;
	}
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
		if (!strcasecmp(t->text, outcomes[i].word)) {
			t->kind = TERM_OUTCOME;
			t->number = outcomes[i].outcome;
			return EL_OK;
		}
	t->kind = TERM_TEXT;
	for (unsigned i = 0; el_games[i / 2]; i++)
		if (!strcasecmp(t->text, el_games[i / 2]->sides[i % 2])) {
			t->kind = TERM_SIDE;
			t->number = i % 2;
		}
	if (!el_slice_parse(t->text, &t->slice, NULL))
		t->kind = TERM_SLICE;
	else if (!el_metric_parse(t->text, &t->metric, NULL))
		t->kind = TERM_METRIC;
	return EL_OK;
}

enum el_status filter_parse(const char *text, struct filter *out, struct el_error *error)
{
	enum { TERMS = sizeof out->term / sizeof *out->term };
	struct filter f = {.count = 0};
	while (*(text += strspn(text, " "))) {
		const size_t length = strcspn(text, " ");
		if (f.count == TERMS)
			return el_fail(error, EL_USAGE, "a filter has %d words at most", TERMS);
		struct term *t = &f.term[f.count++];
		snprintf(t->text, sizeof t->text, "%.*s", (int)length, text);
		enum el_status status = read_word(t, error);
		if (status)
			return status;
		text += length;
	}
	*out = f;
	return EL_OK;
}

const char *filter_text(const struct filter *f, char out[FILTER_MAX])
{
	out[0] = '\0';
	for (int i = 0; i < f->count; i++)
		el_words_add(out, FILTER_MAX, " ", f->term[i].text);
	return out;
}

bool filter_names_slices(const struct filter *f)
{
	bool names = false;
	for (int i = 0; i < f->count; i++)
		names = names || f->term[i].kind == TERM_SLICE;
	return names;
}

bool filter_bars_slice(const struct filter *f, const struct el_slice *slice)
{
	for (int i = 0; i < f->count; i++)
		if (f->term[i].kind == TERM_SLICE && el_slice_equal(&f->term[i].slice, slice))
			return false;
	return filter_names_slices(f);
}

void filter_remove(struct filter *f, int term)
{
	f->count--;
	memmove(&f->term[term], &f->term[term + 1], (size_t)(f->count - term) * sizeof *f->term);
}

/* ---- does it hold? ---- */

static bool term_holds(const struct term *t, const struct listed *l, bool in_moves)
{
	char text[LISTED_TEXT_MAX];
	switch (t->kind) {
	case TERM_SLICE:
		return !strcmp(t->slice.name, l->slice);
	case TERM_METRIC:
		return l->metric == t->metric;
	case TERM_SIDE:
		return l->position.side == t->number;
	case TERM_OUTCOME:
		return l->metric && l->value.outcome == t->number;
	case TERM_DEPTH: {
		if (!value_is_deep(l->metric, l->value))
			return false;
		const int unit = tolower((unsigned char)*t->text); /* of "plies>60", "moves>30" */
		const unsigned depth = depth_shown(l->metric, l->value.plies,
		                                   unit == 'm' || (unit != 'p' && in_moves));
		return (t->less && depth < t->number) || (t->equal && depth == t->number) ||
		       (t->more && depth > t->number);
	}
	case TERM_TEXT:
		break;
	}
	return strcasestr(listed_text(l, in_moves, text), t->text);
}

bool filter_holds(const struct filter *f, const struct listed *l, bool in_moves)
{
	bool asked[TERM_TEXT + 1] = {false}, held[TERM_TEXT + 1] = {false};
	for (int i = 0; i < f->count; i++) {
		const struct term *t = &f->term[i];
		const bool holds = term_holds(t, l, in_moves);
		if (!holds && t->kind >= TERM_DEPTH)
			return false;
		asked[t->kind] = true;
		held[t->kind] = held[t->kind] || holds;
	}
	for (int kind = TERM_SLICE; kind < TERM_DEPTH; kind++)
		if (asked[kind] && !held[kind])
			return false;
	return true;
}

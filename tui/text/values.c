/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "values.h"

#include "core/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	char mark;
	const char *group, *words, *verb;
} outcomes[] = {
	[EL_LOSS] = {'L', "losing", "loss", "loses"},
	[EL_BLESSED_LOSS] = {'l', "blessed losses", "blessed loss", "draws (a blessed loss)"},
	[EL_DRAW] = {'=', "drawing", "draw", "draws"},
	[EL_CURSED_WIN] = {'w', "cursed wins", "cursed win", "draws (a cursed win)"},
	[EL_WIN] = {'W', "winning", "win", "wins"},
	[EL_UNKNOWN] = {'?', "unknown", "unknown", "may win, draw or lose"},
	[EL_BROKEN] = {'x', "broken", "broken", "is not in a legal position"},
	[EL_AT_MOST_DRAW] = {'-', "at most drawing", "at most a draw", "draws at most"},
	[EL_AT_LEAST_DRAW] = {'+', "at least drawing", "at least a draw", "draws at least"},
	[EL_AT_LEAST_CURSED] = {'>', "won, if in time", "a win, if in time",
                                "has a won position, if there is time"},
	[EL_AT_MOST_BLESSED] = {'<', "lost, if in time", "a loss, if in time",
                                "has a lost position, if there is time"},
};

char outcome_mark(enum el_outcome outcome)
{
	return outcomes[outcome].mark;
}

const char *outcome_group(enum el_outcome outcome)
{
	return outcomes[outcome].group;
}

const char *outcome_words(enum el_outcome outcome)
{
	return outcomes[outcome].words;
}

const char *outcome_verb(enum el_outcome outcome)
{
	return outcomes[outcome].verb;
}

/* ---- bounds ---- */

/* For a loss, a draw or a win. */
static char letter(enum el_outcome outcome)
{
	return outcome == EL_LOSS ? 'L' : outcome == EL_DRAW ? 'T' : 'W';
}

const char *bounds_letters(struct bounds_value b, char out[BOUNDS_NAME_MAX])
{
	char *at = out;
	if (b.undecided)
		*at++ = 'u';
	*at++ = letter(el_outcome_lower(b.outcome));
	*at++ = letter(el_outcome_upper(b.outcome));
	*at = '\0';
	return out;
}

bool bounds_read(const char *name, enum el_outcome *out)
{
	static const enum el_outcome six[] = {EL_LOSS, EL_AT_MOST_DRAW,  EL_UNKNOWN,
	                                      EL_DRAW, EL_AT_LEAST_DRAW, EL_WIN};
	for (size_t i = 0; i < sizeof six / sizeof *six; i++) {
		char known[BOUNDS_NAME_MAX];
		bounds_letters((struct bounds_value){(uint8_t)six[i], false}, known);
		if (strcasecmp(name, known))
			continue;
		*out = six[i];
		return true;
	}
	return false;
}

bool lattice_read(const char *name, struct bounds_value *out)
{
	enum el_outcome outcome;
	const bool undecided = *name == 'u';
	if (!bounds_read(name + undecided, &outcome))
		return false;
	*out = (struct bounds_value){(uint8_t)outcome, undecided};
	return !undecided || (outcome != EL_WIN && outcome != EL_LOSS);
}

struct bounds_value lattice_negate(struct bounds_value b)
{
	return (struct bounds_value){(uint8_t)el_outcome_negate(b.outcome), b.undecided};
}

struct bounds_value lattice_max(struct bounds_value a, struct bounds_value b)
{
	const enum el_outcome outcome = el_outcome_max(a.outcome, b.outcome);
	return (struct bounds_value){(uint8_t)outcome,
	                             outcome != EL_WIN && (a.undecided || b.undecided)};
}

/* ---- kinds ---- */

#define DEPTH_WORDS                                                                          \
	.has_moves = true, .key = "plies", .unit = {{"ply", "plies"}, {"move", "moves"}},    \
	.half = {"win", "loss"}, .wins = "wins", .longest = {"longest win", "longest loss"}, \
	.worse = {"slower", "sooner"}, .defence = "longest", .values = "depths",             \
	.columns = "plies moves", .of_title = ", in ", .of_map = ", depth in ",              \
	.of_moves = "depth in ", .stalemate = "stalemate"

enum kind { DEPTH, STONES, OUTCOME, WINS };

/* Texts about depths under a metric without any refer to another metric. */
static const struct kind_words kinds[] = {
	[DEPTH] = {.has_number = true, .has_losses = true, DEPTH_WORDS},
	[OUTCOME] = {.has_losses = true, DEPTH_WORDS},
	[WINS] = {DEPTH_WORDS},
	[STONES] =
		{
			.has_number = true,
			.has_losses = true,
			.is_signed = true,
			.key = "stones",
			.unit = {{"stone", "stones"}, {"stone", "stones"}},
			.half = {"gain", "loss"},
			.wins = "gains",
			.longest = {"greatest gain", "greatest loss"},
			.worse = {"fewer", "more"},
			.defence = "best",
			.values = "values",
			.columns = "stones",
			.of_title = "",
			.of_map = ", in ",
			.of_moves = "",
			.stalemate = "",
		},
};

const struct kind_words *kind_words(const struct el_metric *metric)
{
	const enum kind kind = !metric                 ? DEPTH
	                       : metric->kind->adds_up ? STONES
	                       : metric->has_depth     ? DEPTH
	                       : metric->wins_only     ? WINS
	                                               : OUTCOME;
	return &kinds[kind];
}

/* ---- depths ---- */

bool value_is_deep(const struct el_metric *metric, struct el_value value)
{
	return metric && kind_words(metric)->has_number && value.outcome <= EL_WIN &&
	       value.outcome != EL_DRAW && (value.plies || !el_outcome_late(value.outcome));
}

unsigned depth_shown(const struct el_metric *metric, unsigned plies, bool in_moves)
{
	return in_moves && kind_words(metric)->has_moves ? (plies + 1) / 2 : plies;
}

const char *depth_unit(const struct el_metric *metric, bool in_moves)
{
	return depth_unit_of(metric, 2, in_moves);
}

const char *depth_unit_of(const struct el_metric *metric, unsigned number, bool in_moves)
{
	return kind_words(metric)->unit[in_moves][number != 1];
}

const char *depth_words(const struct el_metric *metric, unsigned plies, bool in_moves,
                        char out[SENTENCE_MAX])
{
	return value_depth(metric, (struct el_value){.plies = (uint16_t)plies}, in_moves, out);
}

/* A rounded depth may be a ply more; in moves it shows only if the number of moves changes. */
static const char *rounding(struct el_value value, bool in_moves)
{
	const unsigned shown = depth_shown(NULL, value.plies, in_moves);
	return value.rounded && depth_shown(NULL, value.plies + 1u, in_moves) != shown ? " ±1" : "";
}

const char *value_depth(const struct el_metric *metric, struct el_value value, bool in_moves,
                        char out[SENTENCE_MAX])
{
	const unsigned first = depth_shown(metric, value.plies, in_moves);
	const unsigned second = depth_shown(metric, value.plies, !in_moves);
	snprintf(out, SENTENCE_MAX, "%s%u %s%s", value.at_most ? "at most " : "", first,
	         depth_unit_of(metric, first, in_moves), rounding(value, in_moves));
	if (kind_words(metric)->has_moves)
		el_text_add(out, SENTENCE_MAX, " (%u %s%s)", second,
		            depth_unit_of(metric, second, !in_moves), rounding(value, !in_moves));
	return out;
}

bool value_figure(const struct el_metric *metric, struct el_value value, int *out)
{
	*out = value.plies;
	return metric && metric->kind->number(value, out);
}

const char *value_number(const struct el_metric *metric, struct el_value value, bool in_moves,
                         char out[VALUE_NUMBER_MAX])
{
	if (kind_words(metric)->is_signed)
		snprintf(out, VALUE_NUMBER_MAX, value.plies ? "%+d" : "%d", el_value_stones(value));
	else
		snprintf(out, VALUE_NUMBER_MAX, "%u", depth_shown(metric, value.plies, in_moves));
	return out;
}

const char *value_mark(const struct el_metric *metric, struct el_value value, bool in_moves,
                       char out[VALUE_NUMBER_MAX])
{
	int figure;
	const bool known = value_figure(metric, value, &figure);
	if (known && kind_words(metric)->is_signed)
		return value_number(metric, value, in_moves, out);
	out[0] = outcome_mark(value.outcome);
	out[1] = '\0';
	if (known)
		snprintf(out + 1, VALUE_NUMBER_MAX - 1, "%u",
		         depth_shown(metric, value.plies, in_moves) % 1000);
	return out;
}

enum { COUNT_MAX = 24, DEPTH_MAX = 40 }; /* texts that a sentence is made of */

/* "depth to mate" -> "mate in", "depth to zeroing under the 50-move rule" -> "zeroing in"; a win
   becomes a loss for the loser. A metric that is not a depth counts "a limit of". */
static const char *count_of(const struct el_metric *metric, struct el_value value,
                            char out[COUNT_MAX])
{
	static const char prefix[] = "depth to ";
	const size_t length = sizeof prefix - 1;
	if (strncmp(metric->title, prefix, length))
		return "a limit of";
	const char *what = metric->title + length, *rule = strstr(what, " under ");
	if (!strcmp(what, outcome_words(EL_WIN)) && value.outcome < EL_DRAW)
		what = outcome_words(EL_LOSS);
	snprintf(out, COUNT_MAX, "%.*s in", rule ? (int)(rule - what) : (int)strlen(what), what);
	return out;
}

const char *value_plain_sentence(const struct el_metric *metric, struct el_value value,
                                 bool in_moves, char out[SENTENCE_MAX])
{
	char count[COUNT_MAX], depth[SENTENCE_MAX];
	if (!value_is_deep(metric, value) || !value.plies || !kind_words(metric)->has_moves)
		return value_short(metric, value, in_moves, out);
	snprintf(out, SENTENCE_MAX, "%s %.*s%s", count_of(metric, value, count), DEPTH_MAX,
	         value_depth(metric, value, in_moves, depth),
	         el_outcome_late(value.outcome) ? ", too late" : "");
	return out;
}

const char *value_sentence(const struct el_metric *metric, struct el_value value, bool in_moves,
                           char out[SENTENCE_MAX])
{
	value_plain_sentence(metric, value, in_moves, out);
	if (value_is_deep(metric, value) && value.plies && metric->limit)
		el_text_add(out, SENTENCE_MAX, " under the %u-move rule%s", metric->limit / 2,
		            el_outcome_late(value.outcome) && metric->late
		                    ? " (Syzygy counts these from 101)"
		                    : "");
	return out;
}

/* The word for a side that has already lost; a metric of several games cannot say how. */
static const char *lost_already(const struct el_metric *metric)
{
	const struct el_game *only = NULL;
	for (const struct el_game *const *game = el_games; *game; game++) {
		if (only && el_game_has(*game, metric))
			return "lost already";
		only = el_game_has(*game, metric) ? *game : only;
	}
	return only->lost;
}

const char *value_short(const struct el_metric *metric, struct el_value value, bool in_moves,
                        char out[SENTENCE_MAX])
{
	char count[COUNT_MAX];
	const unsigned shown = depth_shown(metric, value.plies, in_moves);
	if (!value_is_deep(metric, value))
		snprintf(out, SENTENCE_MAX, "%s", outcome_words(value.outcome));
	else if (kind_words(metric)->is_signed)
		snprintf(out, SENTENCE_MAX, "a %s of %u %s",
		         kind_words(metric)->half[value.outcome < EL_DRAW], value.plies,
		         depth_unit_of(metric, value.plies, in_moves));
	else if (!value.plies)
		snprintf(out, SENTENCE_MAX, "%s", lost_already(metric));
	else
		snprintf(out, SENTENCE_MAX, "%s %s%u%s %s", count_of(metric, value, count),
		         value.at_most ? "at most " : "", shown, rounding(value, in_moves),
		         depth_unit_of(metric, shown, in_moves));
	return out;
}

int value_predicate(const struct el_metric *metric, struct el_value value, enum el_outcome outcome,
                    bool in_moves, char out[PREDICATE_MAX])
{
	/* A count that ends the game is part of the sentence; what else it counts to is added. */
	static const struct {
		const char *count, *verb[2]; /* for the winner and for the loser */
	} ends[] = {{"mate in ", {"mates", "is mated"}},
	            {"win in ", {"wins", "loses"}},
	            {"loss in ", {"wins", "loses"}}};
	const bool lost = value.outcome == EL_LOSS;
	const bool sure = outcome == value.outcome && (outcome == EL_WIN || lost);
	const char *verb = outcome_verb(outcome), *before = ": ", *rest;
	char sentence[SENTENCE_MAX];
	rest = value_sentence(metric, value, in_moves, sentence);
	if (!value_is_deep(metric, value)) {
		before = rest = "";
	} else if (kind_words(metric)->is_signed) {
		verb = lost ? "loses" : kind_words(metric)->wins;
		before = " ";
		snprintf(sentence, sizeof sentence, "%u %s", value.plies,
		         depth_unit_of(metric, value.plies, in_moves));
	}
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t length = strlen(ends[i].count);
		if (!sure || strncmp(rest, ends[i].count, length))
			continue;
		verb = ends[i].verb[lost];
		before = " ";
		rest += length - strlen("in ");
	}
	const int length = snprintf(out, PREDICATE_MAX, "%s%s%s", verb, before, rest);
	return kind_words(metric)->is_signed ? length : (int)strlen(verb);
}

const char *value_words(const struct el_metric *metric, struct el_value value, char out[VALUE_MAX])
{
	char depth[SENTENCE_MAX], phase[SENTENCE_MAX];
	const bool deep = value_is_deep(metric, value), phased = deep && metric->has_phase;
	snprintf(out, VALUE_MAX, "%s%s%s%s%s", outcome_words(value.outcome), deep ? ", " : "",
	         deep ? value_sentence(metric, value, false, depth) : "",
	         phased ? ", the present phase " : "",
	         phased ? depth_words(metric, value.phase, false, phase) : "");
	return out;
}

const char *metric_text(const struct el_metric *metric, char out[16])
{
	size_t i = 0;
	for (; metric->name[i] && i < 15; i++)
		out[i] = (char)toupper((unsigned char)metric->name[i]);
	out[i] = '\0';
	return out;
}

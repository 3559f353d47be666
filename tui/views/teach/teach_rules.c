/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teach's text for a step: the rule by which it decides, in terms of the metric. */
#include "teach.h"

#include "tui/text/text.h"

#include <stdio.h>

const char *teach_ending(const struct el_metric *metric)
{
	return metric->end == EL_END_ZEROING ? "zeroing move" : "conversion";
}

static void conversions_rule(const struct el_film *film, char out[TEACH_TEXT])
{
	const char *name = film->wish.slice.name;
	const uint64_t wins = film->winning[0] + film->winning[1];
	const bool zeroing = film->solved->end == EL_END_ZEROING;
	char winning[GROUPED_MAX], moves[64];
	snprintf(moves, sizeof moves, zeroing ? "Zeroing moves" : "Moves that leave %s", name);
	if (!wins && !film->holding[0] && !film->holding[1])
		snprintf(out, TEACH_TEXT,
		         zeroing                            ? "no move of %s is a zeroing move"
		         : film->wish.slice.game->promoting ? "no capture or promotion leaves %s"
		                                            : "no capture leaves %s",
		         name);
	else if (!wins)
		snprintf(out, TEACH_TEXT, "%s are looked up: none wins.", moves);
	else if (film->halves == 2)
		snprintf(out, TEACH_TEXT, "%s are looked up where their table exists.", moves);
	else
		snprintf(out, TEACH_TEXT, "%s are looked up: they win in %s %s.", moves,
		         grouped(wins, winning), plural(wins, "position", "positions"));
}

/* Do plies, or passes, keep counting when a move leaves the slice? */
static bool counts_on(const struct el_metric *metric)
{
	return metric->join == EL_JOIN_SUM || (!metric->has_depth && !metric->limit);
}

static void win_rule(const struct el_film *film, const struct el_film_step *s, char out[TEACH_TEXT])
{
	const struct el_metric *metric = film->solved;
	const char *ending = teach_ending(metric);
	const char *rule = s->rule == EL_FILM_CURSED ? "without the limit: " : "";
	if (counts_on(metric))
		snprintf(out, TEACH_TEXT, "some move leads to a position lost in %u%s", s->ply - 1,
		         s->converts ? ", in this slice or another" : "");
	else if (s->ply > 1)
		snprintf(out, TEACH_TEXT, "%ssome quiet move leads to a position lost in %u", rule,
		         s->ply - 1);
	else if (s->rule == EL_FILM_CURSED)
		snprintf(out, TEACH_TEXT, "%ssome %s leads to a position lost too late", rule,
		         ending);
	else if (s->converts)
		snprintf(out, TEACH_TEXT,
		         "some move wins at once, or some %s leads to a lost position", ending);
	else
		snprintf(out, TEACH_TEXT, "some move wins at once");
}

static void loss_rule(const struct el_film *film, const struct el_film_step *s,
                      char out[TEACH_TEXT])
{
	const char *rule = s->rule == EL_FILM_BLESSED ? "without the limit: " : "";
	if (counts_on(film->solved))
		snprintf(out, TEACH_TEXT, "every move leads to a position won in %u or less",
		         s->ply - 1);
	else if (s->ply > 1)
		snprintf(out, TEACH_TEXT,
		         "%severy quiet move leads to a win in %u or less, every %s to a win", rule,
		         s->ply - 1, teach_ending(film->solved));
	else
		snprintf(out, TEACH_TEXT, "%severy move is a %s to a win", rule,
		         teach_ending(film->solved));
}

void teach_rule(const struct model *m, char out[TEACH_TEXT])
{
	const struct el_film *film = teach_film(m);
	const struct el_film_step *s = &film->steps[teach_of(m)->step];
	const unsigned limit = film->solved->limit;
	char number[GROUPED_MAX];
	switch (s->rule) {
	case EL_FILM_START:
		snprintf(out, TEACH_TEXT, "nothing is known: %s undecided",
		         film->halves == 2 ? "both bounds of every position are"
		                           : "every legal position is");
		break;
	case EL_FILM_TERMINAL: {
		const uint64_t stalemates = film->stalemates[0] + film->stalemates[1];
		snprintf(out, TEACH_TEXT, "the side to move is %s: lost at once",
		         teach_of(m)->game->lost);
		if (stalemates)
			el_text_add(out, TEACH_TEXT, "; the %s%s%s",
			            stalemates > 1 ? grouped(stalemates, number) : "",
			            stalemates > 1 ? " " : "",
			            plural(stalemates, "stalemate is not a loss",
			                   "stalemates are not losses"));
		break;
	}
	case EL_FILM_CONVERSIONS:
		conversions_rule(film, out);
		break;
	case EL_FILM_WIN:
	case EL_FILM_CURSED:
		win_rule(film, s, out);
		break;
	case EL_FILM_LOSS:
	case EL_FILM_BLESSED:
		loss_rule(film, s, out);
		break;
	case EL_FILM_WITHIN:
		if (teach_method(film)->in_stones)
			snprintf(out, TEACH_TEXT,
			         "who can force a gain of %u now, and who cannot help losing %u",
			         el_film_stones(film, s->ply), el_film_stones(film, s->ply));
		else
			snprintf(out, TEACH_TEXT,
			         "won or lost under a limit of %u %s, and under no lower one",
			         s->ply, plural(s->ply, "ply", "plies"));
		break;
	case EL_FILM_LIMIT:
		if (s[1].rule == EL_FILM_DRAWS)
			snprintf(out, TEACH_TEXT,
			         "nothing is left to win beyond the limit of %u plies: no win is "
			         "cursed",
			         limit);
		else
			snprintf(out, TEACH_TEXT,
			         "pass %u would be beyond the limit of %u: what follows are cursed "
			         "wins",
			         limit + 1, limit);
		break;
	case EL_FILM_DRAWS:
		snprintf(out, TEACH_TEXT, "%s", teach_method(film)->end);
		break;
	}
}

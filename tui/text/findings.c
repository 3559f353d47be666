/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings.h"
#include "core/base/array.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>

const enum el_outcome *counted_outcomes(const struct el_metric *metric, bool ruled)
{
	static const enum el_outcome plain[] = {EL_WIN, EL_DRAW, EL_LOSS, EL_OUTCOMES};
	static const enum el_outcome wins[] = {EL_WIN, EL_AT_MOST_DRAW, EL_OUTCOMES};
	static const enum el_outcome five[] = {EL_WIN,          EL_CURSED_WIN, EL_DRAW,
	                                       EL_BLESSED_LOSS, EL_LOSS,       EL_OUTCOMES};
	return !kind_words(metric)->has_losses ? wins : ruled && metric->limit ? five : plain;
}

const char *counted_words(const struct el_metric *metric, enum el_outcome outcome)
{
	const bool rest = outcome == EL_AT_MOST_DRAW && !kind_words(metric)->has_losses;
	return rest ? "no win" : outcome_words(outcome);
}

uint64_t counted(const struct el_counts *c, enum el_outcome outcome, bool ruled)
{
	const uint64_t counts[EL_OUTCOMES] = {
		[EL_LOSS] = c->loss + (ruled ? 0 : c->blessed_loss),
		[EL_BLESSED_LOSS] = c->blessed_loss,
		[EL_DRAW] = c->draw,
		[EL_CURSED_WIN] = c->cursed_win,
		[EL_WIN] = c->win + (ruled ? 0 : c->cursed_win),
		[EL_UNKNOWN] = c->unknown,
		[EL_AT_MOST_DRAW] = c->at_most_draw,
		[EL_AT_LEAST_DRAW] = c->at_least_draw,
	};
	return counts[outcome];
}

uint64_t counted_half(const struct el_side_stats *side, int half)
{
	return counted(&side->all, half ? EL_LOSS : EL_WIN, true);
}

bool resolved_percent(const struct el_side_stats *side, unsigned own, unsigned other, double *out)
{
	const struct el_resolved *r = &side->resolved[own][other];
	if (r->positions)
		*out = 50 * (double)r->points / (double)r->positions;
	return r->positions;
}

/* ---- mutual zugzwangs ---- */

const struct zugzwang_name zugzwang_names[EL_ZUGZWANGS] = {
	[EL_ZUGZWANG_FULL] = {"full", "full"},
	[EL_ZUGZWANG_WHITE_HALF] = {"white half", "white_half"},
	[EL_ZUGZWANG_BLACK_HALF] = {"black half", "black_half"},
};

const char *zugzwang_words(const struct el_game *game, enum el_zugzwang kind,
                           char out[ZUGZWANG_WORDS_MAX])
{
	const bool black = kind == EL_ZUGZWANG_BLACK_HALF;
	if (kind == EL_ZUGZWANG_FULL)
		snprintf(out, ZUGZWANG_WORDS_MAX, "whoever moves loses");
	else
		snprintf(out, ZUGZWANG_WORDS_MAX, "%s to move draws, %s to move loses",
		         game->sides[black], game->sides[!black]);
	return out;
}

uint64_t zugzwang_count(const struct el_stats *s, enum el_zugzwang kind)
{
	return kind == EL_ZUGZWANG_FULL         ? s->mutual_full
	       : kind == EL_ZUGZWANG_WHITE_HALF ? s->mutual_white_half
	                                        : s->mutual_black_half;
}

/* ---- the longest wins of tables ---- */

enum el_status records_add(struct records *records, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_longest *longest,
                           struct el_error *error)
{
	if (!array_grow(&records->list, records->count, 4, sizeof *records->list))
		return el_fail(error, EL_MEMORY, "%zu records: out of memory", records->count + 4);
	for (unsigned i = 0; i < 4; i++) {
		struct record record = {slice, metric, .winner = i / 2, .to_move = i / 2 ^ i % 2};
		const struct el_record *win = &longest->win[record.winner][record.to_move];
		if (!win->fen[0])
			continue;
		record.plies = win->plies;
		snprintf(record.fen, sizeof record.fen, "%s", win->fen);
		records->list[records->count++] = record;
	}
	return EL_OK;
}

const struct record *records_longest(const struct records *records, const struct el_metric *metric,
                                     size_t *tables)
{
	const struct record *longest = NULL;
	const struct el_slice *slice = NULL; /* the last one counted: its records are adjacent */
	*tables = 0;
	for (const struct record *r = records->list; r < records->list + records->count; r++) {
		if (r->metric != metric)
			continue;
		*tables += r->slice != slice;
		slice = r->slice;
		longest = !longest || r->plies > longest->plies ? r : longest;
	}
	return longest;
}

void records_free(struct records *records)
{
	free(records->list);
	*records = (struct records){0};
}

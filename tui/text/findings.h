/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found in whole slices, in rows: counts, records and mutual zugzwangs. The commands print
   them, the screens draw them. */
#ifndef TUI_TEXT_FINDINGS_H
#define TUI_TEXT_FINDINGS_H

#include "core/examine/examine.h"

/* ---- counts ---- */

/* The outcomes that a metric tells, best first, ended by EL_OUTCOMES. Not `ruled`: without the
   rule. */
const enum el_outcome *counted_outcomes(const struct el_metric *, bool ruled);
/* "win"; "no win" of a bitbase. */
const char *counted_words(const struct el_metric *, enum el_outcome);
/* How many there are; not `ruled`: cursed wins are wins, and blessed losses are losses. */
uint64_t counted(const struct el_counts *, enum el_outcome, bool ruled);
/* Wins or losses that the rule leaves as they are: `half` is an index of el_side_stats.longest. */
uint64_t counted_half(const struct el_side_stats *, int half);

/* How much is known where the side to move has the leading rank `own`; false where there is no such
   position. */
bool resolved_percent(const struct el_side_stats *, unsigned own, unsigned other, double *out);

/* ---- mutual zugzwangs ---- */

enum { ZUGZWANG_WORDS_MAX = 48 };
/* "White to move draws, Black to move loses". Returns `out`. */
const char *zugzwang_words(const struct el_game *, enum el_zugzwang, char out[ZUGZWANG_WORDS_MAX]);
/* "white half", "white_half": for people, and for programs. */
extern const struct zugzwang_name {
	const char *name, *key;
} zugzwang_names[EL_ZUGZWANGS];
/* Of positions of the slice. */
uint64_t zugzwang_count(const struct el_stats *, enum el_zugzwang);

/* ---- the longest wins of tables ---- */

struct record {
	const struct el_slice *slice; /* borrowed */
	const struct el_metric *metric;
	unsigned winner, to_move; /* enum el_side */
	unsigned plies;
	char fen[EL_FEN_MAX];
};

/* Zero at first. */
struct records {
	struct record *list; /* owned */
	size_t count, room;
};

/* Adds those of a table that has more than one: White's wins first, of each side those first where
   it is to move itself. EL_MEMORY. */
enum el_status records_add(struct records *, const struct el_slice *, const struct el_metric *,
                           const struct el_longest *, struct el_error *);
/* The first of the longest ones under a metric. Sets in how many tables a side wins. Null: there is
   none. */
const struct record *records_longest(const struct records *, const struct el_metric *,
                                     size_t *tables);
void records_free(struct records *);

#endif

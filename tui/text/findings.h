/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of whole slices as rows: counts, records and mutual zugzwangs. The commands print
   them, the screens draw them. */
#ifndef TUI_TEXT_FINDINGS_H
#define TUI_TEXT_FINDINGS_H

#include "core/examine/examine.h"

/* ---- counts ---- */

/* The outcomes that a metric distinguishes, best first, ended by EL_OUTCOMES. Without `ruled`, as
   if there were no rule. */
const enum el_outcome *counted_outcomes(const struct el_metric *, bool ruled);
/* "win"; "no win" for a bitbase. */
const char *counted_words(const struct el_metric *, enum el_outcome);
/* How many positions have the outcome. Without `ruled`, cursed wins count as wins and blessed
   losses as losses. */
uint64_t counted(const struct el_counts *, enum el_outcome, bool ruled);
/* Wins or losses that the rule does not turn into draws; `half` is an index of
   el_side_stats.longest. */
uint64_t counted_half(const struct el_side_stats *, int half);

/* The percentage resolved of the positions where the side to move has leading rank `own`, the
   opponent `other`; false if there are none. */
bool resolved_percent(const struct el_side_stats *, unsigned own, unsigned other, double *out);

/* ---- mutual zugzwangs ---- */

enum { ZUGZWANG_WORDS_MAX = 48 };
/* "White to move draws, Black to move loses". Returns `out`. */
const char *zugzwang_words(const struct el_game *, enum el_zugzwang, char out[ZUGZWANG_WORDS_MAX]);
/* "white half" for people, "white_half" for programs. */
extern const struct zugzwang_name {
	const char *name, *key;
} zugzwang_names[EL_ZUGZWANGS];
/* How many positions of the slice are such zugzwangs. */
uint64_t zugzwang_count(const struct el_stats *, enum el_zugzwang);

/* ---- the longest wins of tables ---- */

struct record {
	const struct el_slice *slice; /* borrowed */
	const struct el_metric *metric;
	unsigned winner, to_move; /* enum el_side */
	unsigned plies;
	char fen[EL_FEN_MAX];
};

/* Starts as zeros. */
struct records {
	struct record *list; /* owned */
	size_t count;
};

/* Adds the records of a table, up to four: White's wins first; for each side, those where it is to
   move first. EL_MEMORY. */
enum el_status records_add(struct records *, const struct el_slice *, const struct el_metric *,
                           const struct el_longest *, struct el_error *);
/* The first of the longest records under a metric; null if there are none. Sets in how many tables
   a side wins. */
const struct record *records_longest(const struct records *, const struct el_metric *,
                                     size_t *tables);
void records_free(struct records *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library's tables tell of a position. */
#ifndef CORE_PROBE_PROBE_H
#define CORE_PROBE_PROBE_H

#include "core/library/library.h"

/* ---- the value of a position ---- */

/* soft: looks only in memory, never at the disk */
enum el_probe_mode { EL_PROBE_FULL, EL_PROBE_SOFT };

/*
 * The value of a legal position for the side to move.
 *   - With a right to capture en passant, those captures are tried. Bare kings are drawn without a
 *     table.
 *   - If the metric has no table, one that tells it answers (el_metric_tells); for the outcome even
 *     a bitbase, by one ply of search.
 *   - If no table covers the slice, the moves answer, as far as their tables settle or bound the
 *     value.
 * Bounds, from moves or from a partial table, are EL_OK, even EL_UNKNOWN if a table knows no more.
 * Values with depths are never bounds. EL_NEGATIVE, naming the slice, when nothing tells the value,
 * or the probe is soft and the value is not in memory; EL_USAGE when the position is not legal;
 * EL_DAMAGED, EL_IO, EL_UNREADABLE and EL_OUTDATED name the file, also when it could not be opened
 * and nothing else answers.
 */
enum el_status el_library_value(struct el_library *, const struct el_game *,
                                const struct el_position *, const struct el_metric *,
                                enum el_probe_mode, struct el_value *out, struct el_error *);

/* ---- all that is known of a position ---- */

/* How to ask about a position. All zeros: under every metric, ranked by the finest, under no
   rule. */
struct el_question {
	enum el_probe_mode mode;
	/* ranks moves of the same outcome if it is known; else, or if null, the finest known one
	   does */
	const struct el_metric *metric;
	/* so many moves without a zeroing move are a draw; 0: there is no such rule */
	unsigned rule;
	/* orders equally good moves by what they demand of the opponent, else by SAN. This looks
	   two plies further, and takes some ten times as long */
	bool by_demand;
	/* lists no moves, and does not look at them where a table covers the position */
	bool alone;
};

/* What a move demands of the opponent. All zeros if no other move is as good, or if nobody
   asked. */
struct el_demand {
	uint16_t replies;  /* of which the value is known exactly */
	uint16_t mistakes; /* replies with a worse outcome than the best one */
	uint16_t slips;    /* replies with the best outcome, but not the best depth */
	uint32_t holds;    /* summed over the mistakes: plies until what they give away is lost */
	int16_t gain;      /* what the move captures, and the next one against any good reply */
	/* with stones: plies to the next capture if both play their best; 0: not known */
	uint16_t soonest;
};

/*
 * One legal move, and what it is worth for its mover. `value`, by el_metric_rank, is that of
 * el_value_of_move: it takes no account of the clock, and the length of a phase after a quiet move
 * is rough (el_ranked_is_rough). EL_UNKNOWN where no table tells.
 */
struct el_ranked {
	struct el_move move;
	char san[EL_MOVE_MAX];
	char uci[EL_MOVE_MAX];
	struct el_value value[EL_METRICS];
	enum el_outcome outcome; /* under the rule, with the plies on the clock */
	bool zeroes;             /* the move sets the clock to zero */
	bool only;               /* every other move has a worse outcome, or there is none */
	struct el_demand demand;
};

/* The table in which a position was looked up; a copy, which survives rescans. */
struct el_answer_source {
	const struct el_metric *metric; /* of the table; null: no table */
	char file[256];                 /* its name, without folders */
	char detail[EL_SOURCE_DETAIL];  /* as in el_entry */
};

enum { EL_WHY_MAX = 384 };

/* All that is known of a position. */
struct el_answer {
	const struct el_game *game;
	struct el_position position;
	bool has_slice;
	struct el_slice slice; /* if has_slice */
	/* in force, in moves; 0: none, as in games that have none */
	unsigned rule;
	/* By el_metric_rank; EL_UNKNOWN where no table tells. */
	struct el_value value[EL_METRICS];
	/* The metrics of `value`; null where the game lacks one. Metrics with a rule have the one
	   in force, else that of the question's metric, else the usual one. */
	const struct el_metric *metrics[EL_METRICS];
	/* Under the rule, with the plies on the clock: one of the five outcomes, or bounds. */
	enum el_outcome outcome;
	/* By which moves are ranked: the question's if it is known, else the finest known one; null
	   when nothing is known. */
	const struct el_metric *metric;
	/* The table that answers for `metric` in the slice. When nothing is known: the partial or
	   damaged table that was asked for the outcome in vain. */
	struct el_answer_source source;
	/* The slice has no table: what is known follows from the moves, as far as other tables or
	   the rules settle or bound them. */
	bool from_moves;
	/* Why the outcome is unknown or a bound: the missing table, the move that needs it and the
	   folders searched ("KQvK needed after Kxb7; looked in ~/tables"), or another reason. Empty
	   if the outcome is known. */
	char why_unknown[EL_WHY_MAX];
	bool in_check, over; /* over: there is no legal move */
	/* there is one, but the clock has reached the limit */
	bool run_out;
	size_t count;
	/* Best first: by outcome, then by `metric`, then as the question says. */
	struct el_ranked moves[EL_MOVES_MAX];
};

/* Is the move's depth under a metric only roughly right, because the clock no longer stands at
   zero? Not if the move itself sets it to zero, nor for a phase of one ply, which it ends. */
static inline bool el_ranked_is_rough(const struct el_ranked *move, const struct el_metric *metric)
{
	return !move->zeroes && metric->entered && metric->entered->has_phase &&
	       move->value[metric->rank].plies > 1;
}

/*
 * Never fails for want of a table: what is not known is EL_UNKNOWN. Outcomes (WDL) may be bounds;
 * values with depths are exact or unknown. If something is wrong with a file, that is returned
 * after everything else has been filled in. EL_USAGE, with no moves and the reason in why_unknown,
 * when the position is not legal. A null question is one of all zeros.
 */
enum el_status el_library_answer(struct el_library *, const struct el_game *,
                                 const struct el_position *, const struct el_question *,
                                 struct el_answer *out, struct el_error *);

/* ---- opinions of several tables ---- */

/* What one table says of a position. */
struct el_opinion {
	char *path;                     /* of the file */
	const struct el_metric *metric; /* of the table, and of `value` */
	/* For the side to move, with nothing on the clock. What the table leaves out, such as
	   captures, is looked up in others. EL_UNKNOWN where it does not tell. */
	struct el_value value;
	/* EL_OK, or why there is no value, which `error` says in words */
	enum el_status status;
	char error[EL_WHY_MAX];
	/* The place in the list of the first opinion that contradicts this one; its own if none
	   does. */
	size_t against;
};

struct el_opinions {
	struct el_opinion *list;
	size_t count;
	bool contradict; /* some two of them cannot both be true */
};

/*
 * What each table of a legal position's slice says of it, under whatever metric: first those that
 * answer, in the order of lists, then the others of the same metrics. None where no table covers
 * the slice. Two opinions contradict each other if no outcome, without a rule or under that of
 * either metric, agrees with both, or if they count the same thing to different plies. There is no
 * contradiction in a rounded depth that may be a ply more, in bounds that include the other's
 * outcome, or in plies past the limit of a rule, which Syzygy counts in its own way
 * (el_metric.late). EL_USAGE when the position is not legal; EL_MEMORY. Free the list with
 * el_opinions_free.
 */
enum el_status el_library_opinions(struct el_library *, const struct el_game *,
                                   const struct el_position *, enum el_probe_mode,
                                   struct el_opinions *out, struct el_error *);
void el_opinions_free(struct el_opinions *);

/* ---- lines ---- */

/* Why a line ends. */
enum el_line_end {
	EL_LINE_LONG,     /* there is no room for more moves */
	EL_LINE_OVER,     /* the side to move has no legal move */
	EL_LINE_BARE,     /* nobody can win with what is left (el_game.drawn) */
	EL_LINE_REPEATED, /* the position has occurred before */
	EL_LINE_RUN_OUT,  /* the clock has reached the limit of the rule */
	EL_LINE_UNKNOWN,  /* the value is not known exactly */
};

struct el_line {
	struct el_move *moves; /* the caller's; room for `max` */
	size_t max, count;
	enum el_line_end end;
	/* Under a metric with phases, the best move depends on how the phase began. Somewhere,
	   finding it would have taken more search than is done here. */
	bool unproven;
};

/*
 * The optimal line: at most line->max moves, each the first in the ranking under the question's
 * metric, which must be given. Sets line->count and line->end. EL_NEGATIVE when the value of the
 * first position is not known exactly; EL_USAGE when it is not legal; EL_DAMAGED, EL_IO, with the
 * moves found before.
 */
enum el_status el_library_line(struct el_library *, const struct el_game *,
                               const struct el_position *, const struct el_question *,
                               struct el_line *line, struct el_error *);

#endif

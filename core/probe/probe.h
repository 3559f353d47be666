/* SPDX-License-Identifier: MIT */
/* What the library's tables know of a position. */
#ifndef CORE_PROBE_PROBE_H
#define CORE_PROBE_PROBE_H

#include "core/base/course.h"
#include "core/games/problem.h"
#include "core/library/library.h"

/* ---- the value of a position ---- */

/* Bits. Soft: looks only in memory, never at the disk. Tables: without a table of its slice, or a study,
   nothing else tells a position's value, neither moves nor the rules. */
enum el_probe_mode { EL_PROBE_FULL = 0, EL_PROBE_SOFT = 1, EL_PROBE_TABLES = 2 };

/*
 * The value of a legal position for the side to move.
 *   - With a right to capture en passant, those captures are tried. Ends of the game and
 *     material that cannot win (el_game.dead) need no table.
 *   - If the metric has no table, one that tells it answers (el_metric_tells); for the outcome even
 *     a bitbase, by one ply of search.
 *   - If the table that should answer cannot be used, another one of the slice does: a second of the
 *     same metric, or one that tells it.
 *   - If no table covers the slice, the moves answer, as far as their tables settle or bound the
 *     value.
 * Bounds, from moves or from a partial table, return EL_OK, even EL_UNKNOWN if a table knows no
 * more. Values with depths are never bounds. EL_NEGATIVE, naming the slice, if nothing determines
 * the value, or the probe is soft and the value is not in memory; EL_USAGE if the position is not
 * legal; EL_DAMAGED, EL_IO, EL_UNREADABLE and EL_OUTDATED name the file, even if it could not be
 * opened and nothing else answers.
 */
enum el_status el_library_value(struct el_library *, const struct el_game *,
                                const struct el_position *, const struct el_metric *,
                                enum el_probe_mode, struct el_value *out, struct el_error *);

/*
 * The values of all legal moves of a legal position, for its mover, with the clock at zero before each
 * (el_value_of_move); EL_UNKNOWN where no table tells. Returns how many there are. `own`, which may be
 * null: planes in memory of some slice under the metric, which need no probe.
 */
size_t el_library_moves(struct el_library *, const struct el_game *, const struct el_position *,
                        const struct el_metric *, const struct el_planes *own,
                        struct el_move moves[EL_MOVES_MAX], struct el_value values[EL_MOVES_MAX]);

/* Does a table answer for the position, which need not be legal, under the metric? */
bool el_library_answers(struct el_library *, const struct el_game *, const struct el_position *,
                        const struct el_metric *);
/* May a study know it? */
bool el_library_studies(struct el_library *, const struct el_game *, const struct el_position *);

/* ---- all that is known of a position ---- */

/* How to ask about a position. All zeros: under every metric, ranked by the finest, under no
   rule. */
struct el_question {
	enum el_probe_mode mode;
	/* ranks moves of the same outcome if the value under it is known; else, or if null, the
	   finest known metric does */
	const struct el_metric *metric;
	/* moves without a zeroing move after which the game is drawn; 0: no such rule */
	unsigned rule;
	/* orders equally good moves by what they demand of the opponent, else by SAN. It looks two
	   plies further and takes about ten times as long */
	bool by_demand;
	/* lists no moves, and does not look at them if a table covers the position */
	bool alone;
	/* Bits by el_metric_rank: the metrics whose values are wanted. Tables of others are read
	   only as far as the outcome takes them. 0: all */
	unsigned only;
	/* receives the tables that were asked in vain; may be null */
	struct el_faults *faults;
	/* Where the answer is open (el_answer_is_open), somebody else may be asked
	   (el_library_options.elsewhere) as long as this watch lets; null: never */
	const struct el_watch *asking;
};

/* What a move demands of the opponent. All zeros if no other move is as good or the question did
   not ask for it. */
struct el_demand {
	uint16_t replies;  /* whose values are known exactly */
	uint16_t mistakes; /* replies with a worse outcome than the best one */
	uint16_t slips;    /* replies with the best outcome, but not the best depth */
	uint32_t holds;    /* summed over the mistakes: the plies that each holds out */
	int16_t gain;      /* what the move captures, and the next move against any good reply */
	/* with stones: plies to the next capture if both play their best; 0: not known */
	uint16_t soonest;
};

/*
 * One legal move, and what it is worth for its mover. `value`, by el_metric_rank, is that of
 * el_value_of_move: it ignores the clock, and the length of a phase after a quiet move is rough
 * (el_ranked_is_rough). EL_UNKNOWN if no table knows.
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

/* The table or study in which a position was looked up; a copy, which survives rescans. */
struct el_answer_source {
	const struct el_metric *metric; /* of the table; null: no table */
	char file[256]; /* its name, without folders; "answers of tablebase.lichess.ovh" */
	char detail[EL_SOURCE_DETAIL]; /* as in el_entry */
	bool is_remembered;            /* an answer from elsewhere (el_library_options.elsewhere) */
	bool is_study; /* a study; if nothing is known, one that does not reach the position */
};

enum { EL_WHY_MAX = 384 };

enum { EL_ANSWER_STEPS = 6 };

/* All that is known of a position. */
struct el_answer {
	const struct el_game *game;
	struct el_position position;
	bool has_slice;
	struct el_slice slice; /* if has_slice */
	/* in force, in moves; 0: none, as in games that have none */
	unsigned rule;
	/* By el_metric_rank; EL_UNKNOWN if no table knows. */
	struct el_value value[EL_METRICS];
	/* The metrics of `value`; null where the game lacks one. Metrics with a rule have the one
	   in force, else that of the question's metric, else the usual one. */
	const struct el_metric *metrics[EL_METRICS];
	/* Where a metric that asks for the clock tells the position: how its value changes with that, by
	   the first steps. Past the last of fewer than EL_ANSWER_STEPS the rule makes it a draw. */
	struct el_course_step step[EL_ANSWER_STEPS];
	unsigned steps;
	/* bits by rank: the value is unknown because a table cannot be used */
	unsigned damaged;
	/* Under the rule, with the plies on the clock: one of the five outcomes, or bounds. */
	enum el_outcome outcome;
	/* The metric that ranks moves: the question's if the value under it is known, else the
	   finest known one; null if nothing is known. */
	const struct el_metric *metric;
	/* The table that answers for `metric` in the slice. If nothing is known: the partial or
	   damaged table that failed to tell the outcome. */
	struct el_answer_source source;
	/* The slice has no table, and no study knows as much: what is known follows from the moves, as far
	   as other tables or the rules settle or bound them. */
	bool from_moves;
	/* Why the outcome is unknown or a bound: the missing table, the move that needs it and the
	   folders searched ("KQvK needed after Kxb7; looked in ~/tables"), or another reason. Empty
	   if the outcome is known. */
	char why_unknown[EL_WHY_MAX];
	/* the bytes of it before "; looked in ..."; 0: it names no folders */
	size_t why_bare;
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
 * A missing table is no failure: unknown values are EL_UNKNOWN. Outcomes (WDL) may be bounds;
 * values with depths are exact or unknown. A table that cannot be used (el_is_fault) costs the values
 * that no other table tells; its fault is returned after everything else has been filled in.
 * EL_USAGE, with no moves and the reason in why_unknown, when the position is not legal. A null
 * question is one of all zeros.
 */
enum el_status el_library_answer(struct el_library *, const struct el_game *,
                                 const struct el_position *, const struct el_question *,
                                 struct el_answer *out, struct el_error *);

/* Does it leave open what the position is worth, which move is worth as much or, where no table has the
   position's slice, what any move is worth? */
bool el_answer_is_open(const struct el_answer *);

/* ---- opinions of several tables ---- */

/* What one table or study says of a position. */
struct el_opinion {
	char *path;                     /* of the file */
	const struct el_metric *metric; /* of the table, and of `value` */
	/* For the side to move, with nothing on the clock. Other tables supply what it leaves out,
	   such as captures. EL_UNKNOWN if it does not tell; a study's may be bounds. */
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
	bool contradict; /* some two cannot both be true */
};

/*
 * What each table of a legal position's slice says of it, under any metric: first those that
 * answer, in the order of lists, then the others of the same metrics, then the studies that reach
 * the position. None if nothing covers it. Two opinions contradict each other if no outcome,
 * without a rule or under that of either metric, agrees with both, or if they give different plies
 * for the same count. There is no contradiction in a rounded depth that may be a ply more, in
 * bounds that include the other's outcome, or in plies past the limit of a rule, which Syzygy
 * counts in its own way (el_metric.late). EL_USAGE when the position is not legal; EL_MEMORY. Free
 * the list with el_opinions_free.
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
	EL_LINE_BARE,     /* neither side has the material to win (el_game.drawn) */
	EL_LINE_REPEATED, /* the position has occurred before */
	/* and in all positions since then, whoever captures or moves a pawn loses, or nobody can */
	EL_LINE_HELD,
	EL_LINE_RUN_OUT, /* the clock has reached the limit of the rule */
	EL_LINE_UNKNOWN, /* the value is not known exactly */
};

struct el_line {
	struct el_move *moves; /* the caller's; room for `max` */
	size_t max, count;
	enum el_line_end end;
	/* Under a metric with phases, the best move depends on how the phase began. At some move,
	   finding it would have taken more search than is done here. */
	bool unproven;
};

/*
 * The optimal line: at most line->max moves, each the first in the ranking under the question's
 * metric, which must be given. If the metric counts to a conversion or a zeroing move and is not
 * known after it, the line goes on under the finest metric with depths that is. Sets line->count
 * and line->end. EL_NEGATIVE if the first position's value is not known exactly; EL_USAGE if it is
 * not legal; EL_DAMAGED, EL_IO, with the moves found before.
 */
enum el_status el_library_line(struct el_library *, const struct el_game *,
                               const struct el_position *, const struct el_question *,
                               struct el_line *line, struct el_error *);

#endif

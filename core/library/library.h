/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library of open tables: finds them, opens them, and answers what a position is worth.
 *
 *     el_library_open -> el_library_value / el_library_answer -> el_library_close
 *
 * Any number of threads may call every function at once, except open and close.
 *
 * Positions may come from anywhere, with whatever bits. One that is not legal (el_game.legal) is refused:
 * EL_USAGE, with the reason. A right to capture en passant that no legal move makes use of changes nothing.
 * The clock matters to answers under a rule (el_question), and to no value.
 *
 * In the order of this file: the library; what verifying found; lists of files; the value of a position; all
 * that is known of it; opinions of several tables; lines; all values of a slice.
 */
#ifndef ENDLAB_LIBRARY_H
#define ENDLAB_LIBRARY_H

#include "core/table/cache.h"
#include "core/solve/solve.h"
#include "core/table/source.h"
#include "core/table/table.h"

struct el_library;

struct el_library_options {
	const char *directory;  /* where our own tables are, and where new ones are written; required */
	const char *paths;      /* more folders, searched recursively; separated by colons; may be null */
	size_t cache_bytes;     /* 0: 256 MiB */
	const char *home;       /* a folder that messages call "~"; may be null */
	/* A file that remembers which foreign tables were found sound, so that they are not read in full at
	   every start. If it is missing it is made, with its folders. Null: nothing is remembered. */
	const char *checked;
};

/* A directory that does not exist has no tables; one that cannot be read is EL_IO, and so is any folder that
   cannot be read to its end, for want of descriptors, say. Files that cannot be used are no error here: they
   are listed with the reason. Foreign tables are checked as a whole (el_source_ops.check), large ones by a
   thread of the library, and answer meanwhile. A damaged one returns EL_DAMAGED from then on, and is ignored
   from the next rescan on. */
enum el_status el_library_open(const struct el_library_options *, struct el_library **out,
                               struct el_error *);
void el_library_close(struct el_library *);
/* Looks at the folders again: opens new files, lets go of replaced and deleted ones. Probes on other threads
   go on and see either the old state or the new one. */
enum el_status el_library_rescan(struct el_library *, struct el_error *);
const char *el_library_directory(const struct el_library *);
/* As in el_library_options; empty rather than null. */
const char *el_library_paths(const struct el_library *);
/* For tests, whose screens must not depend on the machine: estimates of builds (build.h) become those of one
   thread of a machine that takes `pace` times as long as the one of el_rate. 0, the initial pace: estimates
   for this machine. */
void el_library_set_pace(struct el_library *, double pace);
double el_library_pace(struct el_library *);
/* The first reason why a foreign table could not be checked, or be remembered as sound; EL_OK if there is
   none. Answers do not depend on it. */
enum el_status el_library_check_fault(struct el_library *, struct el_error *);
void el_library_counters(struct el_library *, struct el_cache_counters *out);
/* Drops every block that is kept in memory, as if nothing had been probed. */
void el_library_forget(struct el_library *);

/* ---- what `verify` found before ---- */

/* The result of verifying a table of ours, which is kept beside it. */
enum el_verified {
	EL_NOT_VERIFIED, /* never verified, or the result is lost */
	EL_VERIFIED,     /* all positions were right */
	EL_SAMPLED,      /* all positions of a sample were right */
	EL_FOUND_WRONG,
};

/* Is it still the table that was verified? */
enum el_change {
	EL_UNCHANGED,
	EL_CHANGED,           /* the file has been written since */
	EL_SUCCESSOR_CHANGED, /* a table that the proof rests on has changed or is gone */
};

struct el_summary {
	enum el_verified verified;
	enum el_change change; /* if this is not EL_UNCHANGED, `verified` holds of the earlier file */
	char changed[EL_SLICE_MAX + 16]; /* with EL_SUCCESSOR_CHANGED: which table, "KQvK dtm" */
	uint64_t asked;        /* with EL_SAMPLED: the size that was asked for */
	uint64_t positions;    /* that were checked */
	uint64_t wrong;
	int64_t date;          /* seconds since 1970 */
	char version[16];      /* of the program: "0.1.0" */
};

/* Does it say that all of the table, as it is now, is right? */
static inline bool el_summary_holds(const struct el_summary *s)
{
	return s->verified == EL_VERIFIED && s->change == EL_UNCHANGED;
}

/* What was wrong with the summaries when tables were last listed; EL_OK: nothing. Tables with a damaged line,
   or in a file that cannot be read, count as EL_NOT_VERIFIED. */
enum el_status el_library_summary_fault(struct el_library *, struct el_error *);

/* ---- lists of files ---- */

/* One file that was found. */
struct el_entry {
	const char *path;
	const char *kind;               /* "egt", "gaviota", "syzygy"; "folder", which cannot be read; "other" */
	const char *extension;          /* of all files of its kind: ".egt"; empty for a folder */
	const char *ignored;            /* why it does not answer; null when it does */
	/* Why it could not be opened, such as EL_UNREADABLE or EL_OUTDATED. EL_OK when it is open, or is not
	   needed because another file has the same values. */
	enum el_status status;
	/* What the file holds or, if it could not be opened, what its name says that it should hold; `metric`
	   is null when the name does not tell. */
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t bytes;
	bool here;                      /* in the library's own directory */
	bool ours;                      /* in our own format */
	bool partial;                   /* some of its values are known only within bounds */
	/* Ignored because of another table of the same slice and metric, but open: el_library_opinions asks
	   it. */
	bool is_double;
	bool derives;                   /* probes look at captures as well */
	const char *detail;             /* "zstd:9 16K previous", "raw 4K none partial" */
	struct el_table_options form;   /* how a table of ours is written; else zeros */
	enum el_check check;            /* never EL_CHECK_DAMAGED: such a file is ignored */
	struct el_summary summary;      /* of a table of ours; else EL_NOT_VERIFIED */
};

/* Lists all files found, by game, slice (pieces, then name) and metric, ignored ones last; free the list with
   el_entries_free. */
enum el_status el_library_list(struct el_library *, struct el_entry **out, size_t *count,
                               struct el_error *);
/*
 * Lists, by path, the other files in the folders: those whose names are not those of any kind of table, with
 * the reason in `ignored` (an unfinished download, a compressed file, ...) and "other" in `kind`. Looks at the
 * folders again. EL_IO as el_library_open.
 */
enum el_status el_library_list_others(struct el_library *, struct el_entry **out, size_t *count,
                                      struct el_error *);
void el_entries_free(struct el_entry *entries, size_t count);
/* Is there a table of the slice under this metric? */
bool el_library_covers(struct el_library *, const struct el_slice *, const struct el_metric *);
/* Is there one, and are all of them of other programs? */
bool el_library_only_foreign(struct el_library *, const struct el_slice *, const struct el_metric *);
/*
 * Is there one, and if not, why? EL_NEGATIVE when there is none; EL_DAMAGED, EL_IO, EL_UNREADABLE or
 * EL_OUTDATED when a file of its name could not be opened.
 */
enum el_status el_library_find(struct el_library *, const struct el_slice *,
                               const struct el_metric *, struct el_error *);

/*
 * Goes through the metrics under which there are files of a slice, whether or not they can be opened, in the
 * order of lists: the one after `metric`, or the first one if that is null. Null past the last. Other metrics
 * may be told by these (el_metric_tells).
 */
const struct el_metric *el_library_next_metric(struct el_library *, const struct el_slice *,
                                               const struct el_metric *metric);

/* ---- the value of a position ---- */

enum el_probe_mode { EL_PROBE_FULL, EL_PROBE_SOFT }; /* soft: looks only in memory, never at the disk */

/*
 * The value of a legal position for the side to move.
 *   - With a right to capture en passant, those captures are tried. Bare kings are drawn without a table.
 *   - If the metric has no table, one that tells it answers (el_metric_tells); for the outcome even a
 *     bitbase, by one ply of search.
 *   - If no table covers the slice, the moves answer, as far as their tables settle or bound the value.
 * Bounds, from moves or from a partial table, are EL_OK, even EL_UNKNOWN if a table knows no more. Values
 * with depths are never bounds. EL_NEGATIVE, naming the slice, when nothing tells the value, or the probe is
 * soft and the value is not in memory; EL_USAGE when the position is not legal; EL_DAMAGED, EL_IO,
 * EL_UNREADABLE and EL_OUTDATED name the file, also when it could not be opened and nothing else answers.
 */
enum el_status el_library_value(struct el_library *, const struct el_game *,
                                const struct el_position *, const struct el_metric *,
                                enum el_probe_mode, struct el_value *out, struct el_error *);

/* ---- all that is known of a position ---- */

/* How to ask about a position. All zeros: under every metric, ranked by the finest, under no rule. */
struct el_question {
	enum el_probe_mode mode;
	const struct el_metric *metric; /* ranks moves of the same outcome if it is known; else, or if null, the
	                                   finest known one does */
	unsigned rule;  /* so many moves without a zeroing move are a draw; 0: there is no such rule */
	bool by_demand; /* orders equally good moves by what they demand of the opponent, else by SAN. This looks
	                   two plies further, and takes some ten times as long */
	bool alone;     /* lists no moves, and does not look at them where a table covers the position */
};

/* What a move demands of the opponent. All zeros if no other move is as good, or if nobody asked. */
struct el_demand {
	uint16_t replies;  /* of which the value is known exactly */
	uint16_t mistakes; /* replies with a worse outcome than the best one */
	uint16_t slips;    /* replies with the best outcome, but not the best depth */
	uint32_t holds;    /* summed over the mistakes: plies until what they give away is lost */
	int16_t gain;      /* what the move captures, and the next one against any good reply */
	uint16_t soonest;  /* with stones: plies to the next capture if both play their best; 0: not known */
};

/*
 * One legal move, and what it is worth for its mover. `value`, by el_metric_rank, is that of
 * el_value_of_move: it takes no account of the clock, and the length of a phase after a quiet move is rough
 * (el_ranked_is_rough). EL_UNKNOWN where no table tells.
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
	struct el_slice slice;                 /* if has_slice */
	unsigned rule;                         /* in force, in moves; 0: none, as in games that have none */
	/* By el_metric_rank; EL_UNKNOWN where no table tells. */
	struct el_value value[EL_METRICS];
	/* The metrics of `value`; null where the game lacks one. Metrics with a rule have the one in force,
	   else that of the question's metric, else the usual one. */
	const struct el_metric *metrics[EL_METRICS];
	/* Under the rule, with the plies on the clock: one of the five outcomes, or bounds. */
	enum el_outcome outcome;
	/* By which moves are ranked: the question's if it is known, else the finest known one; null when
	   nothing is known. */
	const struct el_metric *metric;
	/* The table that answers for `metric` in the slice. When nothing is known: the partial or damaged table
	   that was asked for the outcome in vain. */
	struct el_answer_source source;
	/* The slice has no table: what is known follows from the moves, as far as other tables or the rules
	   settle or bound them. */
	bool from_moves;
	/* Why the outcome is unknown or a bound: the missing table, the move that needs it and the folders
	   searched ("KQvK needed after Kxb7; looked in ~/tables"), or another reason. Empty if the outcome is
	   known. */
	char why_unknown[EL_WHY_MAX];
	bool in_check, over;                   /* over: there is no legal move */
	bool run_out;                          /* there is one, but the clock has reached the limit */
	size_t count;
	/* Best first: by outcome, then by `metric`, then as the question says. */
	struct el_ranked moves[EL_MOVES_MAX];
};

/* Is the move's depth under a metric only roughly right, because the clock no longer stands at zero? Not if
   the move itself sets it to zero, nor for a phase of one ply, which it ends. */
static inline bool el_ranked_is_rough(const struct el_ranked *move, const struct el_metric *metric)
{
	return !move->zeroes && metric->entered && metric->entered->has_phase &&
	       move->value[metric->rank].plies > 1;
}

/*
 * Never fails for want of a table: what is not known is EL_UNKNOWN. Outcomes (WDL) may be bounds; values with
 * depths are exact or unknown. If something is wrong with a file, that is returned after everything else has
 * been filled in. EL_USAGE, with no moves and the reason in why_unknown, when the position is not legal. A
 * null question is one of all zeros.
 */
enum el_status el_library_answer(struct el_library *, const struct el_game *,
                                 const struct el_position *, const struct el_question *,
                                 struct el_answer *out, struct el_error *);

/* ---- opinions of several tables ---- */

/* What one table says of a position. */
struct el_opinion {
	char *path;                     /* of the file */
	const struct el_metric *metric; /* of the table, and of `value` */
	/* For the side to move, with nothing on the clock. What the table leaves out, such as captures, is
	   looked up in others. EL_UNKNOWN where it does not tell. */
	struct el_value value;
	enum el_status status;          /* EL_OK, or why there is no value, which `error` says in words */
	char error[EL_WHY_MAX];
	/* The place in the list of the first opinion that contradicts this one; its own if none does. */
	size_t against;
};

struct el_opinions {
	struct el_opinion *list;
	size_t count;
	bool contradict; /* some two of them cannot both be true */
};

/*
 * What each table of a legal position's slice says of it, under whatever metric: first those that answer, in
 * the order of lists, then the others of the same metrics. None where no table covers the slice. Two opinions
 * contradict each other if no outcome, without a rule or under that of either metric, agrees with both, or if
 * they count the same thing to different plies. There is no contradiction in a rounded depth that may be a
 * ply more, in bounds that include the other's outcome, or in plies past the limit of a rule, which Syzygy
 * counts in its own way (el_metric.late). EL_USAGE when the position is not legal; EL_MEMORY. Free the list
 * with el_opinions_free.
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
	/* Under a metric with phases, the best move depends on how the phase began. Somewhere, finding it would
	   have taken more search than is done here. */
	bool unproven;
};

/*
 * The optimal line: at most line->max moves, each the first in the ranking under the question's metric, which
 * must be given. Sets line->count and line->end. EL_NEGATIVE when the value of the first position is not
 * known exactly; EL_USAGE when it is not legal; EL_DAMAGED, EL_IO, with the moves found before.
 */
enum el_status el_library_line(struct el_library *, const struct el_game *,
                               const struct el_position *, const struct el_question *,
                               struct el_line *line, struct el_error *);

/* ---- all values of a slice ---- */

/*
 * Makes planes ready to be written without what probes derive (table.h).
 *   - Captures: sets `derivable` of each plane. EL_NEGATIVE names a table that captures lead to and that is
 *     missing. Where captures are forced no table is needed, because every position with a capture is
 *     derivable. Bounds are narrowed to what captures tell now, and a missing table is then no failure;
 *     EL_NEGATIVE when captures tell less than the planes, and when bounds are not in memory. Of planes with
 *     a reader, `derivable` is a file in the library's directory that nobody else sees. EL_IO.
 *   - A side: changes nothing. EL_USAGE as el_side_check; EL_NEGATIVE names a table that moves lead to and
 *     that is missing.
 */
enum el_status el_library_derive(struct el_library *, struct el_planes *, enum el_derive,
                                 const struct el_watch *, struct el_error *);
/*
 * Makes planes and options ready for el_table_write: replaces a preset by the options that it means for such
 * planes, without what cannot be derived, and then calls el_library_derive for what the options say.
 */
enum el_status el_library_prepare(struct el_library *, struct el_planes *, struct el_table_options *,
                                  const struct el_watch *, struct el_error *);
/* Corrects the values of planes that were read from a table which leaves some to be derived: the file at
   `path`, with this header. In a partial table, captures into a missing slice are unknown; else that is
   EL_NEGATIVE. */
enum el_status el_library_complete(struct el_library *, struct el_planes *, const char *path,
                                   const struct el_table_info *, const struct el_watch *,
                                   struct el_error *);
/*
 * All values of a table file, ours or foreign, wherever it is and whatever it leaves to be derived;
 * el_planes_free. *info, which may be null, becomes what the header says; a foreign file has no blocks and no
 * order, and gets the options of a new table. A foreign file is probed for each index, which takes about a
 * minute for five pieces on one core. EL_NEGATIVE as above, and when memory is too small.
 */
enum el_status el_library_read(struct el_library *, const char *path, const struct el_watch *,
                               struct el_table_info *info, struct el_planes *out,
                               struct el_error *);
/* All values of a slice from its table under this very metric, one of ours before a foreign one;
   el_planes_free. If there is none, the answer of el_library_find; else as el_library_read. */
enum el_status el_library_planes(struct el_library *, const struct el_slice *,
                                 const struct el_metric *, const struct el_watch *,
                                 struct el_planes *out, struct el_error *);
/* The metric of the table that tells all values of a slice under a metric: that metric's own, readable or
   not, else the first one that tells it; null: there is none. */
const struct el_metric *el_library_teller(struct el_library *, const struct el_slice *,
                                          const struct el_metric *);
/* As el_library_planes, from the table under the metric `from`, which must tell the other. */
enum el_status el_library_planes_from(struct el_library *, const struct el_slice *,
                                      const struct el_metric *from, const struct el_metric *,
                                      const struct el_watch *, struct el_planes *out,
                                      struct el_error *);
/* The same, from the table of el_library_teller. */
enum el_status el_library_planes_told(struct el_library *, const struct el_slice *,
                                      const struct el_metric *, const struct el_watch *,
                                      struct el_planes *out, struct el_error *);

#endif

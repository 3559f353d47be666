/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library of open tables: finds them, opens them, and answers what a position is worth.
 *
 *     el_library_open -> el_library_value / el_library_answer -> el_library_close
 *
 * All functions but open and close may be called from any number of threads.
 *
 * Positions may come from anywhere, whatever bits they hold. One that is not legal (el_game.legal) is
 * refused: EL_USAGE, with the reason. A right to capture en passant that no legal move makes use of
 * changes nothing. The clock matters to answers under a rule (el_question), and to no value.
 */
#ifndef ENDLAB_LIBRARY_H
#define ENDLAB_LIBRARY_H

#include "endlab/cache.h"
#include "endlab/solve.h"
#include "endlab/source.h"
#include "endlab/table.h"

struct el_library;
struct el_table_info; /* table.h */

struct el_library_options {
	const char *directory;  /* where our own tables live and new ones are written; required */
	const char *paths;      /* colon-separated folders searched recursively as well; may be null */
	size_t cache_bytes;     /* 0: 256 MiB */
	const char *home;       /* a folder that messages call "~"; may be null */
	/* A file that remembers which foreign tables were found sound, so that they are not read as a
	   whole at every start. It is made with its folders where it is missing. Null: nothing is
	   remembered. */
	const char *checked;
};

/* A missing directory is not an error (it has no tables); one that cannot be read is EL_IO. So is
   any folder whose reading breaks off, as when there are no descriptors left. Files that cannot be
   used are listed with the reason, never an error here. Foreign tables are checked as a whole
   (el_source_ops.check), large ones by a thread of the library, whose probes are answered meanwhile;
   one that is damaged is EL_DAMAGED from then on, and ignored from the next rescan on. */
enum el_status el_library_open(const struct el_library_options *, struct el_library **out,
                               struct el_error *);
void el_library_close(struct el_library *);
/* Looks at the folders again: new files are opened, replaced and deleted ones let go. Probes on
   other threads go on meanwhile and see either the old state or the new one. */
enum el_status el_library_rescan(struct el_library *, struct el_error *);
const char *el_library_directory(const struct el_library *);
/* As in el_library_options; never null. */
const char *el_library_paths(const struct el_library *);
/* Estimates of builds (build.h) become those of one thread of a machine that takes so many times as long
   as the one that they are modelled on, whatever this one does: for tests, whose screens must not depend on it.
   0, as at first: by what this machine does. */
void el_library_set_pace(struct el_library *, double pace);
double el_library_pace(struct el_library *);
/* The first reason why a foreign table could not be checked, or be remembered as sound; EL_OK when
   there is none. Answers do not depend on it. */
enum el_status el_library_check_fault(struct el_library *, struct el_error *);
void el_library_counters(struct el_library *, struct el_cache_counters *out);

/* ---- what `verify` found before ---- */

/* What became of a table of ours when it was verified, as kept beside it. */
enum el_verified {
	EL_NOT_VERIFIED, /* never, or nobody can tell any more */
	EL_VERIFIED,     /* all of its positions were right */
	EL_SAMPLED,      /* all of a sample were */
	EL_FOUND_WRONG,
};

/* Is it still the table that was verified? */
enum el_change {
	EL_UNCHANGED,
	EL_CHANGED,           /* the file was written since */
	EL_SUCCESSOR_CHANGED, /* one that the proof rests on is another one now, or gone */
};

struct el_summary {
	enum el_verified verified;
	enum el_change change; /* with any of them but EL_UNCHANGED, `verified` is what it was */
	char changed[EL_SLICE_MAX + 16]; /* with EL_SUCCESSOR_CHANGED: "KQvK dtm" */
	uint64_t asked;        /* with EL_SAMPLED: how large the sample was to be */
	uint64_t positions;    /* that were looked at */
	uint64_t wrong;
	int64_t date;          /* seconds since 1970 */
	char version[16];      /* of the program: "0.1.0" */
};

/* Does it still say that the table is right, all of it? */
static inline bool el_summary_holds(const struct el_summary *s)
{
	return s->verified == EL_VERIFIED && s->change == EL_UNCHANGED;
}

/* What was wrong with the summaries when tables were listed last: then those of the damaged lines, or
   of the files that cannot be read, are EL_NOT_VERIFIED. EL_OK: nothing. */
enum el_status el_library_summary_fault(struct el_library *, struct el_error *);

/* One file that was found. */
struct el_entry {
	const char *path;
	const char *kind;               /* "egt", "gaviota", "syzygy"; "folder": cannot be read; "other" */
	const char *extension;          /* of all files of its kind: ".egt"; empty of a folder */
	const char *ignored;            /* why it does not answer; null when it does */
	/* Why it could not be opened, among them EL_UNREADABLE and EL_OUTDATED. EL_OK when it is
	   open, or not needed because another file has the same. */
	enum el_status status;
	/* What it holds, when it is open; else what its name says that it should hold, for a file
	   that could not be opened; `metric` is null when that does not tell. */
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t bytes;
	bool here;                      /* in the library's own directory */
	bool ours;                      /* of our own format */
	bool partial;                   /* some of its values are known only within bounds */
	/* Ignored for another table of the same slice and metric, but open: el_library_opinions. */
	bool is_double;
	bool derives;                   /* probes look at captures, too */
	const char *detail;             /* "zstd:9 16K previous", "raw 4K none partial" */
	struct el_table_options form;   /* of a table of ours: how it is written; else of zeros */
	enum el_check check;            /* never EL_CHECK_DAMAGED: then it is ignored */
	struct el_summary summary;      /* of a table of ours; else EL_NOT_VERIFIED */
};

/* A list of all files found, sorted by game, slice (pieces, then name) and metric, the ignored
   ones last. Free it with el_entries_free. */
enum el_status el_library_list(struct el_library *, struct el_entry **out, size_t *count,
                               struct el_error *);
/*
 * The other files in the folders looked in, sorted by path: those whose names are not those of tables of
 * any kind, with the reason in `ignored` (an unfinished download, a compressed one, ...) and the kind
 * "other". Looks at the folders anew. EL_IO, as el_library_open.
 */
enum el_status el_library_list_others(struct el_library *, struct el_entry **out, size_t *count,
                                      struct el_error *);
void el_entries_free(struct el_entry *entries, size_t count);
/* Is there a table? */
bool el_library_covers(struct el_library *, const struct el_slice *, const struct el_metric *);
/* Are there only tables of other programs, and is there one? */
bool el_library_only_foreign(struct el_library *, const struct el_slice *, const struct el_metric *);
/*
 * Is there one, and if not, why? EL_NEGATIVE when there is none; EL_DAMAGED, EL_IO, EL_UNREADABLE,
 * EL_OUTDATED when there is a file of this name that could not be opened.
 */
enum el_status el_library_find(struct el_library *, const struct el_slice *,
                               const struct el_metric *, struct el_error *);

/*
 * The metrics under which there are files of a slice, whether or not they can be opened: the one that
 * lists have after `metric`; null: the first, and none. What a table of ours has to say on another
 * metric is told by el_metric_tells.
 */
const struct el_metric *el_library_next_metric(struct el_library *, const struct el_slice *,
                                               const struct el_metric *metric);

enum el_probe_mode { EL_PROBE_FULL, EL_PROBE_SOFT };

/*
 * The value of a legal position for the side to move. En passant is looked at by trying the
 * captures; bare kings are drawn without a table; where a metric has no table of its own, one that
 * tells it answers (el_metric_tells), and for the outcome even one of wins, by a ply of search. Where no
 * table covers the slice, the moves answer: as far as their tables settle the value or bound the outcome.
 * Bounds, from moves or from a partial table, are EL_OK: EL_UNKNOWN too, when that is all that a table
 * knows; values with depths are never bounds. EL_NEGATIVE, with the slice named, when
 * nothing tells it (or the answer is not in memory and the probe is soft); EL_USAGE when it is not
 * legal; EL_DAMAGED, EL_IO, EL_UNREADABLE, EL_OUTDATED name the file, as well when it could not be
 * opened and nothing else answers.
 */
enum el_status el_library_value(struct el_library *, const struct el_game *,
                                const struct el_position *, const struct el_metric *,
                                enum el_probe_mode, struct el_value *out, struct el_error *);

/* How a position is asked about; of zeros: under every metric, ranked by the finest, by no rule. */
struct el_question {
	enum el_probe_mode mode;
	const struct el_metric *metric; /* by which moves of the same outcome are ranked, where it is
	                                   known; null: the finest */
	unsigned rule; /* the rule in force: so many moves without zeroing are a draw; 0: there is none */
	bool by_demand; /* moves that are equally good are ordered by what they demand of the opponent, else
	                   by SAN; that takes two more plies, some ten times as long */
	bool alone;    /* moves are not listed, nor looked at where a table covers the position */
};

/* What a move demands of the opponent; all zeros where no other move is as good, or it was not asked. */
struct el_demand {
	uint16_t replies;  /* whose value is known exactly */
	uint16_t mistakes; /* of them: the outcome is worse than that of the best one */
	uint16_t slips;    /* of them: the outcome is the best one, the depth is not */
	uint32_t holds;    /* plies until what the mistakes lose is lost, together */
	int16_t gain;      /* what the move captures, and the next one against any good reply */
	uint16_t soonest;  /* in stones: plies until the next capture with best play of both; 0: not known */
};

/*
 * One legal move with what it is worth for its mover. `value` is by el_metric_rank, as el_value_of_move
 * has it, and takes no notice of the clock: EL_UNKNOWN where no table says. Of a quiet move the length
 * of a phase is rough (el_ranked_is_rough).
 */
struct el_ranked {
	struct el_move move;
	char san[EL_MOVE_MAX];
	char uci[EL_MOVE_MAX];
	struct el_value value[EL_METRICS];
	enum el_outcome outcome; /* under the rule, with what is on the clock */
	bool zeroes;             /* the clock restarts behind it */
	bool only;               /* all others have a worse outcome, or there is no other */
	struct el_demand demand;
};

/* The table in which a position was looked up; a copy, which no rescan takes away. */
struct el_answer_source {
	const struct el_metric *metric; /* of the table; null: there is none */
	char file[256];                 /* its name, without the folders */
	char detail[EL_SOURCE_DETAIL];  /* as in el_entry */
};

enum { EL_WHY_MAX = 384 };

/* All that is known of a position. */
struct el_answer {
	const struct el_game *game;
	struct el_position position;
	bool has_slice;
	struct el_slice slice;                 /* when has_slice */
	unsigned rule;                         /* in force, in moves; 0: none, as in games without */
	/* By el_metric_rank; EL_UNKNOWN where no table says. */
	struct el_value value[EL_METRICS];
	/* Of `value`; null where the game has it not. Those of a rule are of the one in force, else of the
	   question's metric, else of the usual one. */
	const struct el_metric *metrics[EL_METRICS];
	/* Under the rule, with what is on the clock: one of the five, or what is known of it. */
	enum el_outcome outcome;
	/* By which moves are ranked: the one asked for where it is known, else the finest; null when
	   nothing is known. */
	const struct el_metric *metric;
	/* What answers for `metric` in the slice. Where nothing is known, what was asked for the outcome
	   without success: a partial table, or a damaged one. */
	struct el_answer_source source;
	/* The slice has no table: what is known of the position follows from its moves, as far as other
	   tables, or the rules, settle or bound them. */
	bool from_moves;
	/* Why the outcome is unknown or a bound: the table that is missing, the move that needs it and the
	   folders looked in ("KQvK needed after Kxb7; looked in ~/tables"), or what else; else empty. */
	char why_unknown[EL_WHY_MAX];
	bool in_check, over;                   /* over: there is no legal move */
	bool run_out;                          /* there is, but the clock has reached the limit */
	size_t count;
	/* Best first: by outcome, then by `metric`, then as the question says. */
	struct el_ranked moves[EL_MOVES_MAX];
};

/* Is the move's depth under a metric that of another clock, and so only roughly right? A phase of one
   ply has ended. */
static inline bool el_ranked_is_rough(const struct el_ranked *move, const struct el_metric *metric)
{
	return !move->zeroes && metric->entered && metric->entered->has_phase &&
	       move->value[metric->rank].plies > 1;
}

/*
 * Never fails for want of a table: what is not known is EL_UNKNOWN. Outcomes (WDL) may be bounds,
 * values with depths are exact or unknown. What is wrong with a file is returned after everything
 * else has been filled in; EL_USAGE with no moves, and the reason in why_unknown. The question may be
 * null: one of zeros.
 */
enum el_status el_library_answer(struct el_library *, const struct el_game *,
                                 const struct el_position *, const struct el_question *,
                                 struct el_answer *out, struct el_error *);

/* What one table says of a position. */
struct el_opinion {
	char *path;                     /* of the file */
	const struct el_metric *metric; /* of the table, and of `value` */
	/* For the side to move, with nothing on the clock; captures and en passant are looked up in other
	   tables where this one leaves them out. EL_UNKNOWN where it does not tell. */
	struct el_value value;
	enum el_status status;          /* EL_OK, or what came instead of a value; `error` says it */
	char error[EL_WHY_MAX];
	/* The place in the list of the first opinion that cannot be true beside this one; its own where
	   there is none. */
	size_t against;
};

struct el_opinions {
	struct el_opinion *list;
	size_t count;
	bool contradict; /* some two of them cannot both be true */
};

/*
 * What each table of a legal position's slice says of it, whatever its metric: those that answer first,
 * in the order of lists, then the others of the same metrics. None where no table covers it. Two of them
 * contradict each other where no outcome, without a rule or under that of either metric, agrees with
 * both, or where they count the same to different plies. A rounded one that may be a ply more is no
 * contradiction, nor are bounds that hold the other's outcome, nor plies past the limit of a rule, which Syzygy counts
 * in its own way (el_metric.late). EL_USAGE when the position is not legal; EL_MEMORY. Free the list
 * with el_opinions_free.
 */
enum el_status el_library_opinions(struct el_library *, const struct el_game *,
                                   const struct el_position *, enum el_probe_mode,
                                   struct el_opinions *out, struct el_error *);
void el_opinions_free(struct el_opinions *);

/* Why a line ends. */
enum el_line_end {
	EL_LINE_LONG,     /* there is no room for more */
	EL_LINE_OVER,     /* the side to move has no legal move */
	EL_LINE_BARE,     /* nobody can win with what is left (el_game.drawn) */
	EL_LINE_REPEATED, /* the position stood on the board before */
	EL_LINE_RUN_OUT,  /* the clock has reached the limit of the rule */
	EL_LINE_UNKNOWN,  /* the value is not known exactly */
};

struct el_line {
	struct el_move *moves; /* room for `max`; the caller's */
	size_t max, count;
	enum el_line_end end;
	/* Under a metric with phases, whose moves hang on what the phase began with: it took more search
	   than one does here to tell which was the best, somewhere. */
	bool unproven;
};

/*
 * The optimal line: at most line->max moves, each the first of the ranking under the question's metric,
 * which must be there; sets line->count and line->end. EL_NEGATIVE when the first position's value is not
 * known exactly, EL_USAGE when that is not legal; EL_DAMAGED, EL_IO leave the moves before.
 */
enum el_status el_library_line(struct el_library *, const struct el_game *,
                               const struct el_position *, const struct el_question *,
                               struct el_line *line, struct el_error *);

/*
 * Makes planes ready to be written without what is to be derived (table.h).
 * Captures: sets `derivable` of each. EL_NEGATIVE names a table that the captures need and that is
 * missing; where captures are forced no table is asked, because every position with a capture is
 * derivable. Bounds are narrowed to what the captures tell now, and a missing table is not a failure;
 * EL_NEGATIVE when the captures tell less than the planes, and of planes that have a reader: it is done
 * in memory.
 * A side: nothing is changed. EL_USAGE where el_side_check says so; EL_NEGATIVE names a table that moves
 * lead to and that is missing.
 */
enum el_status el_library_derive(struct el_library *, struct el_planes *, enum el_derive,
                                 const struct el_watch *, struct el_error *);
/*
 * Makes planes and options ready for el_table_write: el_library_derive what the options say; instead of a
 * preset come the options that it has for such planes, less what cannot be derived.
 */
enum el_status el_library_prepare(struct el_library *, struct el_planes *, struct el_table_options *,
                                  const struct el_watch *, struct el_error *);
/* Corrects the values of planes read from a table that derives some: the file at `path`, which has this
   header. Of a partial one, captures into what is missing are unknown. Else EL_NEGATIVE as above. */
enum el_status el_library_complete(struct el_library *, struct el_planes *, const char *path,
                                   const struct el_table_info *, const struct el_watch *,
                                   struct el_error *);
/*
 * All values of a table file, ours or foreign, wherever it lies and whatever it leaves to be derived;
 * el_planes_free. *info, which may be null, is what its header says; a foreign one has no blocks or
 * order, and the options are those of a new table. A foreign file is probed for each index: a minute
 * or so for five pieces on one core. EL_NEGATIVE as above, and when the memory is too small.
 */
enum el_status el_library_read(struct el_library *, const char *path, const struct el_watch *,
                               struct el_table_info *info, struct el_planes *out,
                               struct el_error *);
/* Forgets every block that was kept in memory, as if nothing had been probed. */
void el_library_forget(struct el_library *);

/* All values of a slice from its table under just this metric, one of ours before a foreign one;
   el_planes_free. Where there is none, the answer of el_library_find; else as el_library_read. */
enum el_status el_library_planes(struct el_library *, const struct el_slice *,
                                 const struct el_metric *, const struct el_watch *,
                                 struct el_planes *out, struct el_error *);
/* The table of a slice that all values under a metric can be had from: its own, readable or not, else
   the first one that tells it; null: there is none. */
const struct el_metric *el_library_teller(struct el_library *, const struct el_slice *,
                                          const struct el_metric *);
/* As el_library_planes, from the table of another metric, which tells it. */
enum el_status el_library_planes_from(struct el_library *, const struct el_slice *,
                                      const struct el_metric *from, const struct el_metric *,
                                      const struct el_watch *, struct el_planes *out,
                                      struct el_error *);
/* The same, from the teller's. */
enum el_status el_library_planes_told(struct el_library *, const struct el_slice *,
                                      const struct el_metric *, const struct el_watch *,
                                      struct el_planes *out, struct el_error *);

#endif

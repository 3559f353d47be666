/* SPDX-License-Identifier: MIT */
/*
 * The library of open tables: finds them, opens them, and answers for positions (probe.h).
 *
 *     el_library_open -> el_library_value / el_library_answer -> el_library_close
 *
 * Any number of threads may call every function at once, except open and close.
 *
 * Positions may come from anywhere, with any bits set. An illegal one (el_game.legal) is refused:
 * EL_USAGE, with the reason. An en passant right without a legal capture has no effect. The clock
 * affects answers under a rule (el_question), but no value.
 *
 * In the order of this file: the library; the results of verifying; tables that cannot be used; lists
 * of files.
 */
#ifndef CORE_LIBRARY_LIBRARY_H
#define CORE_LIBRARY_LIBRARY_H

#include "core/solve/solve.h"
#include "core/table/cache.h"
#include "core/table/source.h"
#include "core/table/table.h"

struct el_library;

/*
 * Where to ask for positions that no table here tells, such as a server on the network.
 * `ask` is called only for questions that allow it (el_question.asking), by any thread, and may wait. It
 * puts what it learns into `folder`, as files of answers (core/foreign/answers.h), which the library
 * searches too. EL_NEGATIVE: nothing is known there; else why it could not be asked.
 */
struct el_elsewhere {
	const char *name; /* "tablebase.lichess.ovh", for messages */
	const char *folder;
	/* it may know positions of this game, without castling rights, with at most so many pieces */
	const struct el_game *game;
	unsigned pieces;
	enum el_status (*ask)(void *context, const struct el_game *, const struct el_position *,
	                      const struct el_watch *, struct el_error *);
	void *context;
};

struct el_library_options {
	/* where our own tables are, and where new ones are written; required */
	const char *directory;
	/* more folders, searched recursively; separated by colons; may be null */
	const char *paths;
	size_t cache_bytes; /* 0: 256 MiB */
	const char *home;   /* a folder that messages call "~"; may be null */
	/* A file that remembers which foreign tables were found sound, so that they are not read in
	   full at every start. Created with its folders if missing. Null: nothing is remembered. */
	const char *checked;
	/* stays the caller's while the library is open; null: there is nobody to ask */
	const struct el_elsewhere *elsewhere;
};

/* A directory that does not exist has no tables; one that cannot be read is EL_IO, as is any folder
   that cannot be read to its end (for lack of descriptors, for example). Files that cannot be used
   are no error here: they are listed with the reason. Foreign tables are checked as a whole
   (el_source_ops.check), large ones by a thread of the library, and answer meanwhile. A table found
   damaged returns EL_DAMAGED, and the next rescan ignores it. */
enum el_status el_library_open(const struct el_library_options *, struct el_library **out,
                               struct el_error *);
void el_library_close(struct el_library *);
/* Tells what such a library would read, before anything there has been read: its folders, those below
   with tables, and tables that are links. EL_IO, EL_MEMORY. */
enum el_status el_library_places(const struct el_library_options *,
                                 void (*tell)(void *context, const char *path), void *context,
                                 struct el_error *);
/* The place-th folder (from 0) that cannot be opened: EL_IO, with the reason; EL_OK: no more. */
enum el_status el_library_folder_fault(struct el_library *, size_t place, struct el_error *);
/* Looks at the folders again: opens new files, lets go of replaced and deleted ones. Probes on
   other threads go on and see either the old state or the new one. */
enum el_status el_library_rescan(struct el_library *, struct el_error *);
const char *el_library_directory(const struct el_library *);
/* As in el_library_options; empty rather than null. */
const char *el_library_paths(const struct el_library *);
/* As in el_library_options. */
const struct el_elsewhere *el_library_elsewhere(const struct el_library *);
/* Might it know a position? */
bool el_library_may_ask(const struct el_library *, const struct el_game *,
                        const struct el_position *);
/* Asks it. EL_OK: something was learned, which the library knows from now on; else as el_elsewhere.ask,
   or why the folders could not be searched again. */
enum el_status el_library_ask(struct el_library *, const struct el_game *,
                              const struct el_position *, const struct el_watch *,
                              struct el_error *);
/* For tests, whose screens must not depend on the machine: build estimates (build.h) become those
   for one thread of a machine `pace` times as slow as that of el_rate. 0, the initial pace:
   estimates for this machine. */
void el_library_set_pace(struct el_library *, double pace);
double el_library_pace(struct el_library *);
/* The first reason why a foreign table could not be checked or remembered as sound; EL_OK if there
   is none. Answers do not depend on it. */
enum el_status el_library_check_fault(struct el_library *, struct el_error *);
void el_library_counters(struct el_library *, struct el_cache_counters *out);
/* Drops every block kept in memory, as if nothing had been probed; with a slice, those of its tables. */
void el_library_forget(struct el_library *, const struct el_slice *);

/* ---- earlier results of `verify` ---- */

/* The result of verifying a table; it is kept beside the table. */
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
	/* if not EL_UNCHANGED, `verified` describes the earlier file */
	enum el_change change;
	char changed[EL_SLICE_MAX + 16]; /* with EL_SUCCESSOR_CHANGED: which table, "KQvK dtm" */
	uint64_t asked;                  /* with EL_SAMPLED: the size that was asked for */
	/* whole planes were proved at once (core/games/best.h), not one position after another */
	bool by_planes;
	uint64_t positions; /* that were checked */
	uint64_t wrong;
	int64_t date;     /* seconds since 1970 */
	char version[16]; /* of the program: "0.1.0" */
};

/* Does it say that the whole table, as it is now, is right? */
static inline bool el_summary_holds(const struct el_summary *s)
{
	return s->verified == EL_VERIFIED && s->change == EL_UNCHANGED;
}

/* What was wrong with the summaries when tables were last listed; EL_OK: nothing. Tables with a
   damaged line, or in a file that cannot be read, count as EL_NOT_VERIFIED. */
enum el_status el_library_summary_fault(struct el_library *, struct el_error *);

/* ---- tables that cannot be used ---- */

/* Does a status mean that a file is there and cannot be used? What other tables tell may be known. */
static inline bool el_is_fault(enum el_status status)
{
	return status == EL_DAMAGED || status == EL_IO || status == EL_UNREADABLE ||
	       status == EL_OUTDATED;
}

/* The tables that questions (probe.h) asked in vain, each once, with the first fault that was met.
   Any number of threads may share it. */
struct el_faults;

/* Null without memory. */
struct el_faults *el_faults_open(void);
void el_faults_close(struct el_faults *);
/* Takes the next one, which is not returned again; false: there is none. */
bool el_faults_next(struct el_faults *, struct el_error *out);
/* The library's own, for questions that come from many threads as long as it is open. */
struct el_faults *el_library_faults(struct el_library *);

/* ---- lists of files ---- */

/* One file that was found. */
struct el_entry {
	const char *path;
	const char *
		kind; /* "egt", "study", "gaviota", "syzygy", "chesstb", "malom", "cake"; "folder", which cannot be
			 read; "other" */
	const char *extension; /* of all files of its kind: ".egt"; empty for a folder */
	const char *ignored;   /* why it does not answer; null when it does */
	/* Why it could not be opened, such as EL_UNREADABLE or EL_OUTDATED. EL_OK when it is open,
	   or is not needed because another file has the same values. */
	enum el_status status;
	/* What the file holds or, if it could not be opened, should hold by its name; `metric` is
	   null if the name does not tell. */
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t bytes;
	bool here;    /* in the library's own directory */
	bool ours;    /* in our own format */
	bool partial; /* some of its values are known only within bounds */
	/* Ignored because of another table of the same slice and metric, but open:
	   el_library_opinions asks it. */
	bool is_double;
	bool derives;       /* probes look at captures, or other moves, as well */
	bool castling;      /* beside it is a table of the positions with castling rights */
	const char *detail; /* "zstd:9 16K previous", "raw 4K none partial" */
	const char *root;   /* of a study: its position, as FEN; else null */
	struct el_table_options form; /* how a table of ours is written; else zeros */
	enum el_check check;          /* never EL_CHECK_DAMAGED: such a file is ignored */
	struct el_summary summary;    /* of what is not ignored */
};

/* Lists all files found, by game, slice (pieces, then name) and metric, ignored ones last; free the
   list with el_entries_free. */
enum el_status el_library_list(struct el_library *, struct el_entry **out, size_t *count,
                               struct el_error *);
/* Leaves out tables of positions with castling rights (el_slice_has_rights) where one without is on the list:
   those get el_entry.castling. */
void el_entries_fold(struct el_entry *entries, size_t *count);
/*
 * Lists, by path, the other files in the folders: those without the name of any kind of table.
 * `ignored` is the reason (an unfinished download, a compressed file, ...), `kind` is "other".
 * Looks at the folders again. EL_IO as el_library_open.
 */
enum el_status el_library_list_others(struct el_library *, struct el_entry **out, size_t *count,
                                      struct el_error *);
void el_entries_free(struct el_entry *entries, size_t count);
/* As el_metric_tells, but a table of ours without outcomes does not tell these. */
bool el_entry_tells(const struct el_entry *, const struct el_metric *want);
/* Is there a table of the slice under this metric? */
bool el_library_covers(struct el_library *, const struct el_slice *, const struct el_metric *);
/* Is there one, and were all of them made by other programs? */
bool el_library_only_foreign(struct el_library *, const struct el_slice *,
                             const struct el_metric *);
/*
 * Is there one, and if not, why? EL_NEGATIVE if there is none; EL_DAMAGED, EL_IO, EL_UNREADABLE or
 * EL_OUTDATED if a file of its name could not be opened.
 */
enum el_status el_library_find(struct el_library *, const struct el_slice *,
                               const struct el_metric *, struct el_error *);

/* The path of the first study that covers a position; the caller frees it. Null: none does. */
char *el_library_study(struct el_library *, const struct el_game *, const struct el_position *);

/*
 * Iterates over the metrics of a slice's files, whether or not they can be opened, in the order of
 * lists: returns the one after `metric`, the first one if that is null, or null past the last.
 * These may tell other metrics (el_metric_tells).
 */
const struct el_metric *el_library_next_metric(struct el_library *, const struct el_slice *,
                                               const struct el_metric *metric);

#endif

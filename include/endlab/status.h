/* SPDX-License-Identifier: MIT */
/* How library functions report failure, and how callers watch long work. */
#ifndef ENDLAB_STATUS_H
#define ENDLAB_STATUS_H

#include <stddef.h>

/* These enclose the public interface; the library exports nothing else. */
#ifdef __cplusplus
#define EL_API_BEGIN \
	extern "C" { \
	_Pragma("GCC visibility push(default)")
#define EL_API_END                    \
	_Pragma("GCC visibility pop") \
	}
#else
#define EL_API_BEGIN _Pragma("GCC visibility push(default)")
#define EL_API_END   _Pragma("GCC visibility pop")
#endif

EL_API_BEGIN

/*
 * Functions return a status; `struct el_error` explains it in words and is filled in once, where
 * the cause is known. The first five are also the program's exit statuses. EL_NEGATIVE means that a
 * table does not exist; a table that exists but cannot be used has another status.
 */
enum el_status {
	EL_OK = 0,
	/* the question was understood and the answer is no: no such table, a bad FEN */
	EL_NEGATIVE = 1,
	/* the question itself is wrong: an unknown option, an impossible block size */
	EL_USAGE = 2,
	EL_DAMAGED = 3, /* a file is not what it says it is */
	EL_IO = 4,      /* the operating system refused */
	EL_MEMORY = 5,  /* out of memory */
	EL_STOPPED = 6, /* the caller's watch asked to stop; what was finished is kept */
	/* A sound file that this program cannot read: a newer version, or a codec that it lacks. */
	EL_UNREADABLE = 7,
	EL_OUTDATED = 8, /* a sound file of an older layout; a build makes it again */
};

/* The text is lower case without a full stop; it names the file or input, what was expected and
   what was found. */
struct el_error {
	enum el_status status;
	char text[512];
};

/* Fills in `error`, which may be null, and returns `status`, so that a failure is one line of
   code. */
enum el_status el_fail(struct el_error *error, enum el_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Long work reports its progress to a watch and asks it whether to go on. The watch is called once
 * per step, by one working thread at a time; a step takes microseconds or, in large slices,
 * seconds. A null watch, or one with a null `tick`, never stops the work.
 */
struct el_progress {
	const char *stage;  /* "solving", "writing", ... ; static storage */
	const char *what;   /* "KQvKR dtm"; valid during the call */
	double done, total; /* in the stage's own unit; total 0 when it is not known */
	const char *unit;   /* "positions", "plies"; static storage */
	/* the solver's current pass; 0: before the first, or not solving */
	unsigned pass;
	/* of a build of several tables, valid during the call; else null */
	const struct el_overall *overall;
};

/* The progress of a whole build. */
struct el_overall {
	const char *table; /* "KQvKR dtm": of the tables in progress, the one begun first */
	size_t at_once;    /* tables in progress */
	size_t done, of;   /* tables finished, and all of them */
	/* the stage's units per second, over all tables in that stage; 0: not known yet */
	double rate;
	double seconds; /* since the build began */
	/* seconds, from the plan's estimate and the pace so far; below 0: not known */
	double left;
};

struct el_watch {
	void *context;
	/* Returns 0 to stop: the work ends with EL_STOPPED, leaving nothing half-done. */
	int (*tick)(void *context, const struct el_progress *progress);
};

/* Reports to the watch. Returns true while the work should go on. */
int el_watch_tick(const struct el_watch *watch, const struct el_progress *progress);

EL_API_END

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How every function of the library that can fail says so, and how long work is watched. */
#ifndef ENDLAB_STATUS_H
#define ENDLAB_STATUS_H

#include <stddef.h>

/* These enclose what other programs may use; nothing else of the library can be seen from
   outside. */
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
 * Functions return a status; `struct el_error` says it in words, filled in once, where the fact is
 * known. The first five are also the exit statuses of the program. EL_NEGATIVE means that a table
 * does not exist; one that exists and cannot be used has a status of its own.
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

/* Lower case, no full stop; names the file or the text, what was expected and what was found. */
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
 * a step, by one working thread at a time; a step takes microseconds or, in large slices, seconds.
 * A null watch, or one whose `tick` is null, means: go on.
 */
struct el_progress {
	const char *stage;  /* "solving", "writing", ... ; static storage */
	const char *what;   /* "KQvKR dtm"; valid during the call */
	double done, total; /* in the stage's own unit; total 0 when it is not known */
	const char *unit;   /* "positions", "plies"; static storage */
	/* of a solution: the current one; 0: before the first, or no solution */
	unsigned pass;
	/* of a build of several tables, valid during the call; else null */
	const struct el_overall *overall;
};

/* How a whole build is getting on. */
struct el_overall {
	const char *table; /* "KQvKR dtm": of the tables in work, the one that was begun first */
	size_t at_once;    /* tables in work */
	size_t done, of;   /* tables finished, and all of them */
	/* the stage's units a second, over all tables in that stage; 0: not known yet */
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

/* Reports to the watch. True while it wants the work to go on. */
int el_watch_tick(const struct el_watch *watch, const struct el_progress *progress);

EL_API_END

#endif

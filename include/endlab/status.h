/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How every fallible function of the library answers. */
#ifndef ENDLAB_STATUS_H
#define ENDLAB_STATUS_H

#include <stddef.h>

/* Around what is for programs other than ours: the rest of the library cannot be seen from outside. */
#ifdef __cplusplus
#define EL_API_BEGIN extern "C" { _Pragma("GCC visibility push(default)")
#define EL_API_END   _Pragma("GCC visibility pop") }
#else
#define EL_API_BEGIN _Pragma("GCC visibility push(default)")
#define EL_API_END   _Pragma("GCC visibility pop")
#endif

EL_API_BEGIN

/*
 * A status is returned; the words are in `struct el_error`, filled once, where the fact is known.
 * The first five are also the exit statuses of the program. A table that is not there is
 * EL_NEGATIVE; one that is there and cannot be used is something else.
 */
enum el_status {
	EL_OK = 0,
	EL_NEGATIVE = 1, /* the question was understood and the answer is no: no such table, a bad FEN */
	EL_USAGE = 2,    /* the question itself is wrong: an unknown option, an impossible block size */
	EL_DAMAGED = 3,  /* a file is not what it says it is */
	EL_IO = 4,       /* the operating system refused */
	EL_MEMORY = 5,   /* out of memory */
	EL_STOPPED = 6,  /* the caller's watch asked to stop; what was finished is kept */
	/* A sound file that this program cannot read: newer than it, or of a codec that it lacks. */
	EL_UNREADABLE = 7,
	EL_OUTDATED = 8, /* a sound file of an older layout, which a build makes again */
};

/* Lower case, no full stop; names the file or the text, what was expected and what was found. */
struct el_error {
	enum el_status status;
	char text[512];
};

/* Fills `error` (which may be null) and returns `status`, so a failure is one line. */
enum el_status el_fail(struct el_error *error, enum el_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Long work reports through a watch and asks it whether to go on. Called from a working thread,
 * by one at a time, once a step: each may take microseconds or, in large slices, seconds. A null
 * watch, or a null `tick`, means: go on.
 */
struct el_progress {
	const char *stage; /* "solving", "writing", ... ; static storage */
	const char *what;  /* "KQvKR dtm"; valid during the call */
	double done, total; /* in the stage's own unit; total 0 when it is not known */
	const char *unit;  /* "positions", "plies"; static storage */
	unsigned pass;     /* of a solution: the one at work; 0: none, or before the first */
	const struct el_course *course; /* of a build of several tables; null elsewhere; as `what` */
};

/* How all of a build goes. */
struct el_course {
	const char *table; /* "KQvKR dtm": at work, the one that was begun first */
	size_t at_once;    /* tables at work */
	size_t done, of;   /* tables */
	double rate;       /* the stage's units a second, of all tables at work in it; 0: not known yet */
	double seconds;    /* since it began */
	double left;       /* seconds, by the plan's estimate and what has been made so far; below 0: not known */
};

struct el_watch {
	void *context;
	/* Returns 0 to stop: the work ends with EL_STOPPED as soon as nothing is left half-done. */
	int (*tick)(void *context, const struct el_progress *progress);
};

/* True while the watch wants the work to go on. */
int el_watch_tick(const struct el_watch *watch, const struct el_progress *progress);

EL_API_END

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the program, under events that a trial chooses. */
#ifndef TESTS_TRIAL_RUN_H
#define TESTS_TRIAL_RUN_H

#include "trial.h"

#include <sys/resource.h>

struct job {
	const char *program;   /* null: endlab; $ENDLAB names it too */
	const char *words[16]; /* behind the program's name */
	const char *directory; /* $ENDLAB_DIR, and where it runs; null: the folder of the try */
	const char *path;      /* $ENDLAB_PATH; may be null */
	const char *keys;      /* not null: it runs in a terminal, and gets these keys */
	const char *state;     /* in that folder: the file of the last session; null: elsewhere */
	int signal;            /* sent to it and its children ... */
	double after;          /* ... so many seconds after the start; 0: none */
	int limited;           /* RLIMIT_... */
	rlim_t limit;          /* of that; 0: none */
	/* requests for memory, see failing.c; 0: none is refused */
	unsigned long fail_at, fail_for;
	bool counts; /* counts requests for memory, and may refuse them */
	/* the step of writing at which it is killed, see failing.c; 0: none */
	unsigned long kill_at;
	bool counts_steps;
	const char *clock;             /* when and how far it jumps, see failing.c; null: never */
	bool no_privileges;            /* permissions apply to root too */
	void (*event)(struct trial *); /* happens ... */
	double event_after;            /* ... so many seconds after the start */
};

struct outcome {
	int status;     /* as from waitpid */
	bool hung;      /* and was killed then */
	bool on_screen; /* in a terminal: `out` has everything that was written */
	double seconds;
	char *out, *err;     /* owned */
	unsigned long asked; /* requests for memory, if they were counted */
	unsigned long steps;
	char place[64]; /* where the first refused one came from, for addr2line */
};

/* Seconds of a clock that only goes forward. */
double run_clock(void);
void run(struct trial *, const struct job *, struct outcome *out);
void run_free(struct outcome *);

bool run_is_exit(const struct outcome *, int status);
/* What is wrong with a run whatever it should do: null unless it hung, crashed, or wrote control
   characters. */
const char *run_fault(const struct outcome *);
/* "exit status 4: endlab: ...", to explain what is wrong; valid until the next call. */
const char *run_words(const struct outcome *);
/* A proper refusal: exit status 4 and one line that says why. */
bool run_is_refusal(const struct outcome *);
/* Does it report a lack of memory, in an answer or on standard error? */
bool run_lacks_memory(const struct outcome *);

#endif

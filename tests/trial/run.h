/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running the program, with what happens to it meanwhile. */
#ifndef TESTS_TRIAL_RUN_H
#define TESTS_TRIAL_RUN_H

#include "trial.h"

#include <sys/resource.h>

struct job {
	const char *program;   /* null: endlab, which is in $ENDLAB too */
	const char *words[16]; /* behind the program's name */
	const char *directory; /* $ENDLAB_DIR, and where it runs; null: the folder of the try */
	const char *path;      /* $ENDLAB_PATH; may be null */
	const char *keys;      /* not null: it runs in a terminal, and these are typed */
	const char *state;     /* in that folder: the file of the last session; null: elsewhere */
	int signal;            /* is sent, to its children as well ... */
	double after;          /* ... so many seconds after its beginning; 0: none */
	int limited;           /* RLIMIT_... */
	rlim_t limit;          /* of that; 0: none */
	/* requests for memory, see failing.c; 0: none is refused */
	unsigned long fail_at, fail_for;
	bool counts; /* requests for memory are counted, and may be refused */
	/* step of what is written that is its last, see failing.c; 0: none */
	unsigned long kill_at;
	bool counts_steps;
	const char *clock;             /* when and how far it jumps, see failing.c; null: never */
	bool no_privileges;            /* permissions count for root too */
	void (*event)(struct trial *); /* happens ... */
	double event_after;            /* ... so many seconds after its beginning */
};

struct outcome {
	int status;     /* as waitpid has it */
	bool hung;      /* and was killed then */
	bool on_screen; /* in a terminal: all that was written is in `out` */
	double seconds;
	char *out, *err;     /* owned */
	unsigned long asked; /* requests for memory, where they were counted */
	unsigned long steps;
	char place[64]; /* the first that was refused, for addr2line */
};

/* Seconds of a clock that only goes forward. */
double run_clock(void);
void run(struct trial *, const struct job *, struct outcome *out);
void run_free(struct outcome *);

bool run_is_exit(const struct outcome *, int status);
/* What is wrong with any end: null unless it hung, crashed, or wrote control characters. */
const char *run_fault(const struct outcome *);
/* "exit status 4: endlab: ...": for why something is wrong; lasts until the next call. */
const char *run_words(const struct outcome *);
/* Refused as it should be: exit status 4 and one line that says so. */
bool run_is_refusal(const struct outcome *);
/* As well, for want of memory, in an answer or on standard error. */
bool run_lacks_memory(const struct outcome *);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The programs that mpirun or srun started together: their ranks. They send each other messages, all
 * at the same time:
 *
 *     ranks_open -> message_add(out[r]) ... ranks_swap -> read in[r] -> ... -> ranks_close
 *
 * One thread of a program does all of this. A failed swap is the end: nothing more can be sent, and
 * every later swap fails likewise.
 */
#ifndef CORE_OS_RANKS_H
#define CORE_OS_RANKS_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message {
	uint8_t *bytes; /* owned */
	size_t size, room;
};

struct ranks {
	unsigned rank, count;
	unsigned here; /* on this machine, where it has most of them */
	/* One for each rank: what the next swap sends to it, and what the last one brought from it. A
	   rank sends to itself as well. Owned. */
	struct message *out, *in;
	char (*host)[64]; /* of each rank; owned */
	/* How the messages travel: EL_IO if a rank is gone, EL_STOPPED if it does not answer after
	   this program was told to stop. */
	enum el_status (*carry)(struct ranks *, struct el_error *);
	void *context;
	uint64_t sent;          /* bytes, by this rank to others */
	struct el_error failed; /* EL_OK: no swap has failed */
};

/* Appends bytes. False, and nothing appended, if out of memory. */
bool message_add(struct message *, const void *bytes, size_t size);
/* Makes room for `size` bytes, to be written by the caller, and sets the size. False: no memory. */
bool message_take(struct message *, size_t size);

/* Sends all messages, receives all, and empties `out`. Every rank must call it. */
enum el_status ranks_swap(struct ranks *, struct el_error *);
/* Sends what rank 0 has put into `out[0]` to all; it is then in `in[0]` of each. */
enum el_status ranks_tell(struct ranks *, struct el_error *);
/* The status of all: the first failure by rank, with its text, which names the rank unless that is 0.
   A real failure counts before a stop. Adds up `sum`, of `sums` numbers, over all ranks. */
enum el_status ranks_agree(struct ranks *, enum el_status, uint64_t *sum, size_t sums,
                           struct el_error *);

/*
 * Null, and EL_OK: this program was started alone. `stopping`: has it been told to stop? EL_USAGE if
 * the ranks are not the same program; close them even so. A program without MPI has none (make MPI=1).
 */
#ifdef EL_MPI
enum { RANKS_KNOWN = true };
enum el_status ranks_open(int (*stopping)(void), struct ranks **, struct el_error *);
/* Rank 0 sends an empty message, which tells the others to end. Null is allowed. */
void ranks_close(struct ranks *);
#else
enum { RANKS_KNOWN = false };
static inline enum el_status ranks_open(int (*stopping)(void), struct ranks **out,
                                        struct el_error *error)
{
	(void)stopping;
	(void)error;
	*out = NULL;
	return EL_OK;
}
static inline void ranks_close(struct ranks *r)
{
	(void)r;
}
#endif

#endif

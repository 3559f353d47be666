/* SPDX-License-Identifier: MIT */
/*
 * Threads read data that another thread may replace, without a lock and without any memory word
 * that two readers write. Replaced data is freed once nobody can be reading it any more. Epochs, as
 * in Fraser, "Practical lock-freedom" (2004), 5.2.3.
 *
 *     reader:  readers_enter -> follow pointers -> readers_leave
 *     writer:  unlink, note readers_epoch -> readers_advance ... -> readers_gone: free
 *
 * Pointers to such data must be atomic, and loaded and stored in one total order with the epoch
 * (memory_order_seq_cst). Otherwise a reader of a later epoch could still find unlinked data.
 *
 * A reader counts itself in the lane of its thread, under the epoch in which it entered. An epoch
 * ends when no reader of the previous one is left. Data unlinked during an epoch is out of
 * everybody's reach two epochs later.
 */
#ifndef CORE_OS_READERS_H
#define CORE_OS_READERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	READERS_LANES = 64, /* a power of two; more threads share lanes, which is just as safe */
	/* epochs with readers: the previous one, this one and, for a moment, the next */
	READERS_EPOCHS = 3,
	READERS_LINE = 64, /* bytes of a cache line */
};

/* A cache line of a thread's own. */
struct lane {
	_Alignas(READERS_LINE) _Atomic uint32_t inside[READERS_EPOCHS];
	_Atomic uint64_t tally; /* readers_count; exact unless threads share a lane */
};

/* Initially all zeros. */
struct readers {
	_Alignas(READERS_LINE) _Atomic uint64_t epoch;
	struct lane lanes[READERS_LANES];
};

/* What a reader needs in order to leave. */
struct visitor {
	struct lane *lane;
	unsigned epoch; /* modulo READERS_EPOCHS */
};

/* May be nested; each visitor leaves separately. */
struct visitor readers_enter(struct readers *);
void readers_leave(struct visitor);

/* The epoch to remember for data that was just unlinked. */
uint64_t readers_epoch(struct readers *);
/* Ends the epoch if it can; never waits. */
void readers_advance(struct readers *);
/* May data unlinked in that epoch be freed? */
bool readers_gone(struct readers *, uint64_t epoch);
/* Waits until all current readers have left. A reader must not call it. */
void readers_wait(struct readers *);
/* Adds one to the tally, whatever the owner of the readers counts. */
static inline void readers_count(struct visitor v)
{
	const uint64_t tally = atomic_load_explicit(&v.lane->tally, memory_order_relaxed);
	atomic_store_explicit(&v.lane->tally, tally + 1, memory_order_relaxed);
}

/* The sum of all lanes' tallies. */
uint64_t readers_tally(struct readers *);

#endif

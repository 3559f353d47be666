/* SPDX-License-Identifier: MIT */
/* Epochs: they tell who may still be reading something unlinked. */
#include "readers.h"

#include <time.h>

/* Threads are numbered at their first call, so threads that start together get different lanes. A
   reader counted too late, in an epoch that has ended, is not protected, so it enters again. */
struct visitor readers_enter(struct readers *r)
{
	static _Atomic unsigned threads;
	static _Thread_local unsigned number; /* from 1; 0: none yet */
	if (!number)
		number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
	struct lane *lane = &r->lanes[number % READERS_LANES];
	for (;;) {
		const uint64_t epoch = atomic_load(&r->epoch);
		const unsigned at = (unsigned)(epoch % READERS_EPOCHS);
		atomic_fetch_add(&lane->inside[at], 1);
		if (atomic_load(&r->epoch) == epoch)
			return (struct visitor){lane, at};
		atomic_fetch_sub(&lane->inside[at], 1);
	}
}

void readers_leave(struct visitor v)
{
	atomic_fetch_sub_explicit(&v.lane->inside[v.epoch], 1, memory_order_release);
}

uint64_t readers_epoch(struct readers *r)
{
	return atomic_load(&r->epoch);
}

void readers_advance(struct readers *r)
{
	uint64_t epoch = atomic_load(&r->epoch);
	const unsigned before = (unsigned)((epoch + READERS_EPOCHS - 1) % READERS_EPOCHS);
	for (unsigned i = 0; i < READERS_LANES; i++)
		if (atomic_load(&r->lanes[i].inside[before]))
			return;
	atomic_compare_exchange_strong(&r->epoch, &epoch, epoch + 1);
}

bool readers_gone(struct readers *r, uint64_t epoch)
{
	return atomic_load(&r->epoch) >= epoch + 2;
}

void readers_wait(struct readers *r)
{
	const uint64_t epoch = readers_epoch(r);
	for (;;) {
		readers_advance(r);
		if (readers_gone(r, epoch))
			return;
		nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
	}
}

uint64_t readers_tally(struct readers *r)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < READERS_LANES; i++)
		sum += atomic_load_explicit(&r->lanes[i].tally, memory_order_relaxed);
	return sum;
}

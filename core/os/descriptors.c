/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "descriptors.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	KEPT_MAX = 64,
	SHARE = 4, /* use at most one in SHARE of the descriptors the process may open */
};

struct descriptor {
	const void *owner; /* null: the place is empty */
	int fd;
	unsigned users;
	uint64_t used; /* when it was last taken */
};

static struct {
	pthread_mutex_t lock; /* over all members */
	struct descriptor kept[KEPT_MAX];
	uint64_t now; /* counts how often any was taken */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct descriptor *use(struct descriptor *d)
{
	d->users++;
	d->used = ++pool.now;
	return d;
}

struct descriptor *descriptor_take(const void *owner)
{
	struct descriptor *found = NULL;
	pthread_mutex_lock(&pool.lock);
	for (struct descriptor *d = pool.kept; d < pool.kept + KEPT_MAX && !found; d++)
		if (d->owner == owner)
			found = use(d);
	pthread_mutex_unlock(&pool.lock);
	return found;
}

struct descriptor *descriptor_keep(const void *owner, int fd)
{
	struct rlimit limit;
	size_t most = KEPT_MAX; /* fewer under a low limit: others need some too */
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / SHARE < KEPT_MAX)
		most = limit.rlim_cur / SHARE;
	pthread_mutex_lock(&pool.lock);
	/* an empty place, or the least recently used one */
	struct descriptor *best = NULL;
	for (struct descriptor *d = pool.kept; d < pool.kept + most && !(best && !best->owner); d++)
		if (!d->owner || (!d->users && (!best || d->used < best->used)))
			best = d;
	const int before = best && best->owner ? best->fd : -1;
	if (best) {
		*best = (struct descriptor){.owner = owner, .fd = fd};
		use(best);
	}
	pthread_mutex_unlock(&pool.lock);
	if (before >= 0)
		close(before);
	return best;
}

int descriptor_number(const struct descriptor *d)
{
	return d->fd;
}

void descriptor_give_back(struct descriptor *d)
{
	pthread_mutex_lock(&pool.lock);
	d->users--;
	pthread_mutex_unlock(&pool.lock);
}

void descriptors_close(const void *owner)
{
	pthread_mutex_lock(&pool.lock);
	for (struct descriptor *d = pool.kept; d < pool.kept + KEPT_MAX; d++) {
		const bool meant = owner ? d->owner == owner : d->owner && !d->users;
		if (!meant)
			continue;
		close(d->fd);
		*d = (struct descriptor){0};
	}
	pthread_mutex_unlock(&pool.lock);
}

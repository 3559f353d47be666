/* SPDX-License-Identifier: MIT */
#include "copies.h"

#include "core/os/temporary.h"

#include <pthread.h>
#include <stdlib.h>

struct copies {
	pthread_mutex_t lock;
	unsigned holders;
	struct el_temporary folder;
};

struct copies *copies_new(void)
{
	struct copies *c = calloc(1, sizeof *c);
	if (c)
		pthread_mutex_init(&c->lock, NULL);
	return c;
}

void copies_free(struct copies *c)
{
	if (c)
		pthread_mutex_destroy(&c->lock);
	free(c);
}

void copies_hold(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	c->holders++;
	pthread_mutex_unlock(&c->lock);
}

void copies_let_go(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	if (!--c->holders)
		el_temporary_remove(&c->folder);
	pthread_mutex_unlock(&c->lock);
}

enum el_status copies_make(struct copies *c, const char *parent, struct el_error *error)
{
	pthread_mutex_lock(&c->lock);
	const enum el_status status =
		c->folder.path ? EL_OK : el_temporary_folder(parent, &c->folder, error);
	pthread_mutex_unlock(&c->lock);
	return status;
}

const char *copies_folder(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	const char *path = c->folder.path;
	pthread_mutex_unlock(&c->lock);
	return path;
}

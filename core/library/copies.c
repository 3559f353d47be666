/* SPDX-License-Identifier: MIT */
#include "copies.h"

#include "core/os/temporary.h"

#include <pthread.h>
#include <stdlib.h>

struct copies {
	pthread_mutex_t lock;
	unsigned holders;
	bool is_tried; /* since the last holder left */
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
	if (!--c->holders) {
		el_temporary_remove(&c->folder);
		c->is_tried = false;
	}
	pthread_mutex_unlock(&c->lock);
}

const char *copies_folder(struct copies *c, const char *parent)
{
	pthread_mutex_lock(&c->lock);
	if (parent && !c->is_tried)
		el_temporary_folder(parent, &c->folder, NULL);
	c->is_tried |= parent != NULL;
	const char *path = c->folder.path;
	pthread_mutex_unlock(&c->lock);
	return path;
}

/* SPDX-License-Identifier: MIT */
#include "copies.h"

#include "core/os/temporary.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct copies {
	pthread_mutex_t lock;
	unsigned holders;
	struct el_temporary folder;
	char *kept; /* the folder of builds; owned; null: there is none */
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
		if (c->kept)
			rmdir(c->kept); /* fails if there is something in it */
		free(c->kept);
		c->kept = NULL;
	}
	pthread_mutex_unlock(&c->lock);
}

enum el_status copies_make(struct copies *c, const char *parent, struct el_error *error)
{
	pthread_mutex_lock(&c->lock);
	const enum el_status status =
		c->kept || c->folder.path ? EL_OK : el_temporary_folder(parent, &c->folder, error);
	pthread_mutex_unlock(&c->lock);
	return status;
}

enum el_status copies_keep(struct copies *c, const char *parent, struct el_error *error)
{
	enum el_status status = EL_OK;
	char *path = NULL;
	pthread_mutex_lock(&c->lock);
	if (c->kept)
		status = EL_OK;
	else if (asprintf(&path, "%s/.endlab-copies", parent) < 0)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", parent);
	else if (mkdir(path, 0777) && errno != EEXIST)
		status = el_fail(error, EL_IO, "%s: cannot make a folder there: %m", parent);
	else
		c->kept = path;
	if (status == EL_IO)
		free(path);
	pthread_mutex_unlock(&c->lock);
	return status;
}

const char *copies_folder(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	const char *path = c->kept ? c->kept : c->folder.path;
	/* Another build may have had it, too, and left it empty. */
	if (c->kept)
		mkdir(c->kept, 0777);
	pthread_mutex_unlock(&c->lock);
	return path;
}

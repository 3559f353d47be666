/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include "recall.h"

#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
	AT_ONCE_FILE = 32 << 20, /* read in under 20 ms, except from a slow disk */
	AT_ONCE_ALL = 128 << 20, /* of files opened together */
};

/* A file found damaged. Sources share its text. */
struct damage {
	struct damage *next;
	char *file; /* owned; as file_line */
	struct el_error error;
};

struct checks {
	char *memory; /* owned */
	struct recall recall;
	bool recalled;        /* `recall` is open: only once something is to be checked */
	uint64_t at_once;     /* bytes checked since the last catalogue */
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	/* Files not to be read again at each rescan, even if no source holds them open. */
	struct damage *damages;     /* owned */
	void *sound;                /* owned; a tree of strings, as file_line */
	struct el_error fault;      /* the first; status EL_OK: none */
	struct el_source **waiting; /* owned; the largest first */
	size_t count;
	struct el_source *running; /* the thread checks it; null: none */
	bool stop;                 /* that check */
	bool has_thread, closing;
	pthread_t thread;
};

/* ---- what is known of a file ---- */

static void note_fault(struct checks *c, const struct el_error *error)
{
	pthread_mutex_lock(&c->lock);
	if (!c->fault.status)
		c->fault = *error;
	pthread_mutex_unlock(&c->lock);
}

enum el_status checks_fault(struct checks *c, struct el_error *error)
{
	pthread_mutex_lock(&c->lock);
	const struct el_error fault = c->fault;
	pthread_mutex_unlock(&c->lock);
	return fault.status ? el_fail(error, fault.status, "%s", fault.text) : EL_OK;
}

/* The line that remembers the file; null without memory. */
static char *file_line(const struct el_source *source)
{
	const struct stat *is = source->is;
	char *line;
	return asprintf(&line, "sound\t%s\t%ju\t%jd\t%jd.%09ld\t%s", source->ops->kind,
	                (uintmax_t)is->st_ino, (intmax_t)is->st_size, (intmax_t)is->st_mtim.tv_sec,
	                is->st_mtim.tv_nsec, source->path) < 0
	               ? NULL
	               : line;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* ---- one check ---- */

/* Allocates the record of damage first, so that damage, once found, can always be recorded. */
static enum el_status run(struct checks *c, struct el_source *source, const struct el_watch *watch,
                          struct el_error *error)
{
	struct damage *damage = calloc(1, sizeof *damage);
	if (!damage || !(damage->file = file_line(source))) {
		free(damage);
		return el_fail(error, EL_MEMORY, "%s: out of memory", source->path);
	}
	enum el_status status = source->ops->check(source, watch, &damage->error);
	*error = damage->error;
	if (status == EL_DAMAGED) {
		pthread_mutex_lock(&c->lock);
		damage->next = c->damages;
		c->damages = damage;
		pthread_mutex_unlock(&c->lock);
		source->fault = damage->error.text;
		atomic_store_explicit(&source->check, EL_CHECK_DAMAGED, memory_order_release);
		return status;
	}
	char *line = damage->file;
	free(damage);
	if (status) {
		free(line);
		return status;
	}
	struct el_error why;
	bool memorable = true; /* a name may contain anything, even lines of this file */
	for (const char *at = source->path; *at; at++)
		memorable &= (unsigned char)*at >= ' ';
	atomic_store(&source->check, EL_CHECK_SOUND);
	if (memorable && recall_add(&c->recall, line, &why))
		note_fault(c, &why);
	pthread_mutex_lock(&c->lock);
	char **node = tsearch(line, &c->sound, by_text);
	pthread_mutex_unlock(&c->lock);
	if (!node || *node != line)
		free(line);
	return EL_OK;
}

enum el_status checks_begin(struct checks *c, struct el_source *source, struct el_error *error)
{
	if (!source->ops->check)
		return EL_OK;
	char *line = file_line(source);
	if (!line)
		return el_fail(error, EL_MEMORY, "%s: out of memory", source->path);
	const bool small =
		source->bytes <= AT_ONCE_FILE && c->at_once + source->bytes <= AT_ONCE_ALL;
	struct el_error why;
	if (!c->recalled && recall_open(c->memory, &c->recall, &why))
		note_fault(c, &why);
	c->recalled = true;
	pthread_mutex_lock(&c->lock);
	const struct damage *damage = c->damages;
	while (damage && strcmp(damage->file, line))
		damage = damage->next;
	const bool found = tfind(line, &c->sound, by_text);
	pthread_mutex_unlock(&c->lock);
	const bool sound = !damage && (found || recall_has(&c->recall, line));
	free(line);
	atomic_store(&source->check, sound ? EL_CHECK_SOUND : EL_CHECK_WAITING);
	if (damage)
		return el_fail(error, EL_DAMAGED, "%s", damage->error.text);
	if (sound || !small)
		return EL_OK;
	c->at_once += source->bytes;
	return run(c, source, NULL, error);
}

/* ---- the thread ---- */

static int go_on(void *context, const struct el_progress *progress)
{
	struct checks *c = context;
	(void)progress;
	pthread_mutex_lock(&c->lock);
	const bool stop = c->stop || c->closing;
	pthread_mutex_unlock(&c->lock);
	return !stop;
}

static struct el_source *next_source(struct checks *c)
{
	pthread_mutex_lock(&c->lock);
	c->running = NULL;
	pthread_cond_broadcast(&c->changed);
	while (!c->count && !c->closing)
		pthread_cond_wait(&c->changed, &c->lock);
	if (!c->closing)
		c->running = c->waiting[--c->count];
	c->stop = false;
	struct el_source *source = c->running;
	pthread_mutex_unlock(&c->lock);
	return source;
}

/* A file that cannot be read stays unchecked until the next catalogue; probes of it say why. */
static void *look(void *context)
{
	struct checks *c = context;
	const struct el_watch watch = {c, go_on};
	struct el_source *source;
	setpriority(PRIO_PROCESS, 0, 10); /* on Linux, of this thread: probes come first */
	while ((source = next_source(c))) {
		struct el_error error;
		enum el_status status = run(c, source, &watch, &error);
		if (status && status != EL_DAMAGED && status != EL_STOPPED)
			note_fault(c, &error);
	}
	return NULL;
}

static int largest_first(const void *a, const void *b)
{
	const struct el_source *x = *(struct el_source *const *)a;
	const struct el_source *y = *(struct el_source *const *)b;
	return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* Lists the sources to be checked. If the one being checked is among the catalogue's, its check
   goes on. */
void checks_follow(struct checks *c, const struct catalogue *catalogue)
{
	bool keeps = false;
	c->at_once = 0;
	pthread_mutex_lock(&c->lock);
	free(c->waiting);
	c->waiting = malloc((catalogue->count + 1) * sizeof *c->waiting);
	c->count = 0;
	for (size_t i = 0; c->waiting && i < catalogue->count; i++) {
		struct el_source *source = catalogue->holdings[i].source;
		if (!source || atomic_load(&source->check) != EL_CHECK_WAITING)
			continue;
		keeps |= source == c->running;
		if (source != c->running)
			c->waiting[c->count++] = source;
	}
	if (!c->waiting && !c->fault.status)
		el_fail(&c->fault, EL_MEMORY, "checks of tables: out of memory");
	c->stop = !keeps;
	if (c->count)
		qsort(c->waiting, c->count, sizeof *c->waiting, largest_first);
	const struct el_source *before = c->running;
	while (c->stop && c->running && c->running == before)
		pthread_cond_wait(&c->changed, &c->lock);
	if (c->count && !c->has_thread) {
		/* The thread inherits the mask, so that it receives no signals. */
		sigset_t all, mask;
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &mask);
		const int failed = pthread_create(&c->thread, NULL, look, c);
		pthread_sigmask(SIG_SETMASK, &mask, NULL);
		c->has_thread = !failed;
		if (failed && !c->fault.status)
			el_fail(&c->fault, EL_IO, "no thread for checks: %s", strerror(failed));
	}
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* ---- */

enum el_status checks_open(const char *memory, struct checks **out, struct el_error *error)
{
	struct checks *c = calloc(1, sizeof *c);
	if (!c || (memory && !(c->memory = strdup(memory)))) {
		free(c);
		return el_fail(error, EL_MEMORY, "library: out of memory");
	}
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	*out = c;
	return EL_OK;
}

void checks_close(struct checks *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->closing = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	if (c->has_thread)
		pthread_join(c->thread, NULL);
	for (struct damage *d = c->damages, *next; d; d = next) {
		next = d->next;
		free(d->file);
		free(d);
	}
	tdestroy(c->sound, free);
	recall_close(&c->recall);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c->waiting);
	free(c->memory);
	free(c);
}

/* SPDX-License-Identifier: MIT */
#include "paged.h"

#include "core/os/system.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { FILE_BLOCK = 4096 }; /* places are multiples of a file system's block */

/* The bytes that `size` bytes take in the file. */
static uint64_t slot(uint64_t size)
{
	return (size + FILE_BLOCK - 1) / FILE_BLOCK * FILE_BLOCK;
}

/* ---- pages of limited arrays ---- */

static void wait_for(struct scratch *s, const struct page *p)
{
	while (p->busy)
		pthread_cond_wait(&s->arrived, &s->lock);
}

static void arrive(struct scratch *s, struct page *p)
{
	p->busy = false;
	pthread_cond_broadcast(&s->arrived);
}

static void clear_words(uint64_t *page, const struct el_word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		page[words[i].word] &= ~words[i].bits;
}

/* Of more words than this, a page is written again instead. */
static size_t cleared_most(const struct page *p)
{
	return p->size / sizeof(uint64_t) / 32;
}

/* Fills a busy page. */
static bool fill_page(struct paged *a, size_t number)
{
	struct scratch *s = a->scratch;
	struct page *p = &a->page[number];
	struct el_error error;
	if (!a->load) {
		const bool good = scratch_read_in(s, p);
		clear_words(p->bytes, p->cleared, good ? p->cleared_count : 0);
		if (good && p->cleared_count > cleared_most(p)) {
			scratch_forget(s, p);
			p->dirty = true;
		}
		return good;
	}
	pthread_mutex_unlock(&s->lock);
	const enum el_status status = a->load(a->context, number, p->bytes, &error);
	pthread_mutex_lock(&s->lock);
	if (status)
		scratch_fail(s, status, error.text);
	return !status;
}

void *page_fetch(struct paged *a, size_t number)
{
	struct scratch *s = a->scratch;
	struct page *p = &a->page[number];
	pthread_mutex_lock(&s->lock);
	/* A page being written out stays readable, and stays in memory if it is then in use. */
	while (p->busy && !(p->bytes && p->dirty))
		pthread_cond_wait(&s->arrived, &s->lock);
	if (!p->bytes) {
		p->busy = true;
		if (scratch_bring(s, p) && !fill_page(a, number))
			scratch_free(s, p);
		arrive(s, p);
	}
	void *bytes = p->bytes;
	p->users += bytes != NULL;
	pthread_mutex_unlock(&s->lock);
	return bytes;
}

void page_give_back(struct paged *a, size_t number)
{
	pthread_mutex_lock(&a->scratch->lock);
	a->page[number].users--;
	pthread_mutex_unlock(&a->scratch->lock);
}

void *page_new(struct paged *a, size_t number)
{
	struct scratch *s = a->scratch;
	struct page *p = &a->page[number];
	if (!a->limited) {
		if (!p->bytes)
			p->bytes = scratch_memory(p->size);
		p->filled = p->bytes != NULL;
		if (!p->bytes)
			scratch_refuse(s);
		return p->bytes;
	}
	pthread_mutex_lock(&s->lock);
	wait_for(s, p);
	if (!p->bytes) {
		p->busy = true;
		scratch_bring(s, p);
		arrive(s, p);
	}
	scratch_forget(s, p);
	if (p->bytes) {
		p->users++;
		p->dirty = p->filled = true;
	}
	void *bytes = p->bytes;
	pthread_mutex_unlock(&s->lock);
	return bytes;
}

void page_put(struct paged *a, size_t number, const void *bytes)
{
	void *page = page_new(a, number);
	if (!page)
		return;
	memcpy(page, bytes, a->page[number].size);
	page_release(a, number);
}

void *page_write(struct paged *a, size_t number)
{
	struct page *p = &a->page[number];
	const bool filled = p->filled;
	if (!filled) {
		void *bytes = page_new(a, number);
		if (bytes)
			memset(bytes, 0, p->size);
		return bytes;
	}
	if (!a->limited)
		return p->bytes;
	void *bytes = page_fetch(a, number);
	if (bytes) { /* if it is being written out, wait: the file must not miss the change */
		pthread_mutex_lock(&a->scratch->lock);
		wait_for(a->scratch, p);
		scratch_forget(a->scratch, p);
		p->dirty = true;
		pthread_mutex_unlock(&a->scratch->lock);
	}
	return bytes;
}

void page_clear(struct paged *a, size_t number, const struct el_word *words, size_t count)
{
	struct scratch *s = a->scratch;
	struct page *p = &a->page[number];
	if (!p->filled)
		return;
	if (!a->limited) {
		clear_words(p->bytes, words, count);
		return;
	}
	pthread_mutex_lock(&s->lock);
	wait_for(s, p);
	if (p->bytes)
		clear_words(p->bytes, words, count);
	if (!p->dirty && p->bytes && p->cleared_count + count > cleared_most(p)) {
		scratch_forget(s, p);
		p->dirty = true;
	} else if (!p->dirty)
		scratch_note(s, p, words, count);
	pthread_mutex_unlock(&s->lock);
}

void page_empty(struct paged *a, size_t number)
{
	if (a->limited)
		page_drop(a, number);
	else
		a->page[number].filled = false;
}

void page_drop(struct paged *a, size_t number)
{
	struct page *p = &a->page[number];
	if (!a->limited) {
		free(p->bytes);
		*p = (struct page){.size = p->size};
	}
	if (!p->filled)
		return;
	pthread_mutex_lock(&a->scratch->lock);
	wait_for(a->scratch, p);
	scratch_free(a->scratch, p);
	scratch_forget(a->scratch, p);
	if (p->stored)
		file_give_back(a->scratch->fd, p->place, slot(p->stored));
	*p = (struct page){.size = p->size, .place = p->place};
	pthread_mutex_unlock(&a->scratch->lock);
}

void page_move(struct paged *from, struct paged *to, size_t number)
{
	struct page *a = &from->page[number], *b = &to->page[number];
	page_empty(to, number);
	if (!from->limited) {
		const struct page spare = *b;
		*b = *a;
		*a = spare;
		return;
	}
	struct scratch *s = from->scratch;
	pthread_mutex_lock(&s->lock);
	wait_for(s, a);
	const uint64_t place = b->place;
	*b = *a;
	*a = (struct page){.size = b->size, .place = place};
	if (b->bytes)
		s->resident[b->resident] = b;
	pthread_mutex_unlock(&s->lock);
}

/* ---- arrays ---- */

/* Pages of `size` bytes, or of the words that each unit of `sets` has. */
static enum el_status open_pages(struct paged *a, struct scratch *s, size_t count, size_t size,
                                 const struct el_sets *sets)
{
	*a = (struct paged){.scratch = s, .count = count};
	a->page = calloc(count, sizeof *a->page);
	if (!a->page)
		return EL_MEMORY;
	for (size_t i = 0; i < count; i++)
		a->page[i].size = sets ? el_sets_words(sets, i) * sizeof(uint64_t) : size;
	a->limited = s->budget != SCRATCH_UNLIMITED;
	if (!a->limited)
		return EL_OK;
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < count; i++) {
		a->page[i].place = s->end;
		s->end += slot(ZSTD_compressBound(a->page[i].size));
	}
	pthread_mutex_unlock(&s->lock);
	return EL_OK;
}

enum el_status paged_open(struct paged *a, struct scratch *s, size_t count, size_t size)
{
	return open_pages(a, s, count, size, NULL);
}

enum el_status paged_open_set(struct paged *a, struct scratch *s, const struct el_sets *sets)
{
	return open_pages(a, s, sets->units, 0, sets);
}

enum el_status paged_open_from(struct paged *a, struct scratch *s, size_t count, size_t size,
                               enum el_status (*load)(void *, size_t, void *, struct el_error *),
                               void *context)
{
	if (paged_open(a, s, count, size))
		return EL_MEMORY;
	a->limited = true;
	a->load = load;
	a->context = context;
	for (size_t i = 0; i < count; i++)
		a->page[i].filled = true;
	return EL_OK;
}

void paged_close(struct paged *a)
{
	for (size_t i = 0; a->page && i < a->count; i++)
		page_drop(a, i);
	free(a->page);
	a->page = NULL;
}

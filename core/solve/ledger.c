/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ledger.h"

#include "paged.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SLAB = 64,                     /* words */
	CHUNK_FIRST = 1 << 12,         /* bytes of memory taken at a time, more and more */
	CHUNK_LAST = 1 << 20,
	LIST_FIRST = 8,
	GAP_MAX = 10,                  /* bytes of a number of 64 bits, 7 at a time */
};

struct ledger_chunk {
	struct ledger_chunk *next;
	size_t used, room;
	uint8_t bytes[];
};

/* ---- open and close ---- */

enum el_status ledger_open(struct ledger *l, size_t lists, size_t words, const char *folder,
                           struct el_error *error)
{
	*l = (struct ledger){.lists = lists, .words = words, .fd = -1};
	l->list = calloc(lists, sizeof *l->list);
	if (!l->list)
		return el_fail(error, EL_MEMORY, "out of memory");
	if (folder && (l->fd = scratch_file(folder)) < 0)
		return el_fail(error, EL_IO, "%s: cannot make a scratch file: %m", folder);
	return EL_OK;
}

void ledger_close(struct ledger *l)
{
	for (size_t i = 0; l->list && i < l->lists; i++)
		free(l->list[i].entry);
	free(l->list);
	while (l->chunks) {
		struct ledger_chunk *c = l->chunks;
		l->chunks = c->next;
		free(c);
	}
	if (l->list && l->fd >= 0)
		close(l->fd);
	*l = (struct ledger){.fd = -1};
}

enum el_status ledger_check(const struct ledger *l, const char *what, struct el_error *error)
{
	if (!l->failed)
		return EL_OK;
	if (l->failed == EL_MEMORY)
		return el_fail(error, EL_MEMORY, "%s: out of memory", what);
	errno = l->why;
	return el_fail(error, EL_IO, "%s: the scratch file: %m", what);
}

static void fail(struct ledger *l, enum el_status status)
{
	const int why = errno;
#pragma omp critical(ledger)
	if (!l->failed) {
		l->failed = status;
		l->why = why;
	}
}

/* ---- the pen ---- */

enum el_status pen_open(struct pen *p, size_t words)
{
	const size_t slabs = (words + SLAB - 1) / SLAB;
	*p = (struct pen){.bytes = NULL};
	p->word = malloc(SLAB * sizeof *p->word + slabs * (GAP_MAX + 8 + 9 * SLAB));
	p->bytes = (uint8_t *)p->word + (p->word ? SLAB * sizeof *p->word : 0);
	return p->word ? EL_OK : EL_MEMORY;
}

void pen_close(struct pen *p)
{
	free(p->word);
	*p = (struct pen){.bytes = NULL};
}

void pen_begin(struct pen *p)
{
	p->size = 0;
	p->mask = 0;
	p->slab = p->next = 0;
}

/* Writes the 64 words at hand. */
static void flush(struct pen *p)
{
	uint8_t *to = p->bytes + p->size;
	if (!p->mask)
		return;
	size_t gap = p->slab - p->next;
	for (; gap >= 128; gap >>= 7)
		*to++ = (uint8_t)(gap | 128);
	*to++ = (uint8_t)gap;
	for (unsigned i = 0; i < 64; i += 8)
		*to++ = (uint8_t)(p->mask >> i);
	for (uint64_t left = p->mask; left; left &= left - 1) {
		const uint64_t bits = p->word[__builtin_ctzll(left)];
		uint8_t *head = to++, in = 0;
		for (unsigned b = 0; b < 8; b++) {
			const uint8_t byte = (uint8_t)(bits >> 8 * b);
			*to = byte;
			to += byte != 0;
			in |= (uint8_t)((byte != 0) << b);
		}
		*head = in;
	}
	p->size = (size_t)(to - p->bytes);
	p->next = p->slab + 1;
	p->mask = 0;
}

void pen_word(struct pen *p, size_t word, uint64_t bits)
{
	if (word / SLAB != p->slab) {
		flush(p);
		p->slab = word / SLAB;
	}
	const uint64_t bit = UINT64_C(1) << word % SLAB;
	p->word[word % SLAB] = p->mask & bit ? p->word[word % SLAB] | bits : bits;
	p->mask |= bit;
}

void pen_set(struct pen *p, const uint64_t *set, size_t words)
{
	pen_begin(p);
	for (size_t first = 0; first < words; first += SLAB) {
		const size_t count = words - first < SLAB ? words - first : SLAB;
		uint64_t any = 0;
		for (size_t w = first; w < first + count; w++)
			any |= set[w];
		if (!any)
			continue;
		for (size_t w = first; w < first + count; w++)
			if (set[w])
				pen_word(p, w, set[w]);
	}
}

/* ---- lists ---- */

static uint8_t *memory_for(struct ledger *l, size_t size)
{
	uint8_t *bytes = NULL;
#pragma omp critical(ledger)
	{
		struct ledger_chunk *c = l->chunks;
		if (!c || c->room - c->used < size) {
			size_t room = c ? 2 * c->room : CHUNK_FIRST;
			room = room > CHUNK_LAST ? CHUNK_LAST : room;
			room = room > size ? room : size;
			c = malloc(sizeof *c + room);
			if (c) {
				*c = (struct ledger_chunk){.next = l->chunks, .room = room};
				l->chunks = c;
			}
		}
		if (c) {
			bytes = c->bytes + c->used;
			c->used += size;
			l->end += size;
		}
	}
	return bytes;
}

static bool put(struct ledger *l, const uint8_t *bytes, size_t size, uint64_t *at)
{
	if (l->fd < 0) {
		uint8_t *to = memory_for(l, size);
		if (to)
			memcpy(to, bytes, size);
		else
			fail(l, EL_MEMORY);
		*at = (uint64_t)(uintptr_t)to;
		return to;
	}
#pragma omp atomic capture
	{
		*at = l->end;
		l->end += size;
	}
	for (size_t done = 0; done < size;) {
		const ssize_t n = pwrite(l->fd, bytes + done, size - done, (off_t)(*at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			fail(l, EL_IO);
			return false;
		}
		done += (size_t)n;
	}
	return true;
}

void ledger_add(struct ledger *l, struct pen *p, size_t list, uint16_t plies, uint16_t symbol)
{
	struct ledger_list *on = &l->list[list];
	struct ledger_entry e = {.plies = plies, .symbol = symbol};
	flush(p);
	e.size = (uint32_t)p->size;
	if (!p->size || !put(l, p->bytes, p->size, &e.at))
		return;
	if (on->count == on->room) {
		const uint32_t room = on->room ? 2 * on->room : LIST_FIRST;
		struct ledger_entry *more = realloc(on->entry, room * sizeof *more);
		if (!more) {
			fail(l, EL_MEMORY);
			return;
		}
		on->entry = more;
		on->room = room;
	}
	on->entry[on->count++] = e;
}

bool ledger_read(struct ledger *l, struct pen *p, const struct ledger_entry *e,
                 struct ledger_cursor *c)
{
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)e->at;
	if (l->fd >= 0) {
		for (size_t done = 0; done < e->size;) {
			const ssize_t n = pread(l->fd, p->bytes + done, e->size - done,
			                        (off_t)(e->at + done));
			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0) {
				errno = n ? errno : EIO;
				fail(l, EL_IO);
				return false;
			}
			done += (size_t)n;
		}
		bytes = p->bytes;
	}
	*c = (struct ledger_cursor){.at = bytes, .end = bytes + e->size};
	return true;
}

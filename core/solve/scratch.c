/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include "core/base/array.h"
#include "core/os/files.h"
#include "core/os/system.h"
#include "core/os/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum {
	ALIGNMENT = 64,
	MAPPED = 40 << 10, /* bytes: malloc maps blocks from this size on, and unmaps freed ones */
	CHOICE = 16,       /* dirty pages to pass over for one that is not */
	LEVEL = 1,         /* of zstd, for speed: every pass reads and writes the sets */
};

/* A compressor and decompressor of pages. There are as many as were ever in use at once. */
struct packer {
	struct packer *next;
	ZSTD_CCtx *in;
	ZSTD_DCtx *out;
	uint8_t *bytes; /* owned */
	size_t room;
};

/* Memory of an evicted or dropped page, for the next one. Returning it to the system and getting it
   again would fragment memory, and the allocator would keep blocks for each thread. */
struct spare {
	struct spare *next;
	size_t size;
};

/* ---- the scratch ---- */

enum el_status scratch_open(const char *folder, uint64_t budget, struct scratch **out,
                            struct el_error *error)
{
	struct scratch *s = calloc(1, sizeof *s);
	char *copy = s ? strdup(folder ? folder : "") : NULL;
	if (!copy) {
		free(s);
		return el_fail(error, EL_MEMORY, "out of memory");
	}
	s->folder = copy;
	s->budget = budget;
	s->fd = -1;
	s->random = 1;
	if (budget != SCRATCH_UNLIMITED)
		heap_gives_back(MAPPED);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->arrived, NULL);
	*out = s;
	return EL_OK;
}

static void packer_free(struct packer *p)
{
	ZSTD_freeCCtx(p->in);
	ZSTD_freeDCtx(p->out);
	free(p->bytes);
	free(p);
}

/* Bytes of memory that a page of `size` bytes takes. */
static uint64_t footprint(size_t size)
{
	const size_t head = 2 * sizeof(size_t) + ALIGNMENT, whole = 4096;
	return size < MAPPED ? size + head : (size + head + whole - 1) / whole * whole;
}

/* Frees spare memory down to `bytes`. */
static void free_spare(struct scratch *s, uint64_t bytes)
{
	while (s->spare && s->spare_bytes > bytes) {
		struct spare *one = s->spare;
		s->spare = one->next;
		s->spare_bytes -= footprint(one->size);
		free(one);
	}
}

void scratch_close(struct scratch *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->arrived);
	free((char *)(uintptr_t)s->folder);
	free_spare(s, 0);
	while (s->packers) {
		struct packer *p = s->packers;
		s->packers = p->next;
		packer_free(p);
	}
	free(s->resident);
	free(s);
}

enum el_status scratch_check(struct scratch *s, struct el_error *error)
{
	pthread_mutex_lock(&s->lock);
	const enum el_status status = s->failed;
	if (status)
		el_fail(error, status, "%s", s->error.text);
	pthread_mutex_unlock(&s->lock);
	return status;
}

void scratch_fail(struct scratch *s, enum el_status status, const char *what)
{
	if (s->failed)
		return;
	s->failed = status;
	el_fail(&s->error, status, "%s", what);
}

static void fail_io(struct scratch *s, const char *what)
{
	if (s->failed)
		return;
	s->failed = EL_IO;
	el_fail(&s->error, EL_IO, "%s: cannot %s the scratch file: %m", s->folder, what);
}

void scratch_tidy(struct scratch *s)
{
	if (s->budget == SCRATCH_UNLIMITED)
		return;
	pthread_mutex_lock(&s->lock);
	free_spare(s, 0);
	pthread_mutex_unlock(&s->lock);
	heap_trim();
}

void scratch_refuse(struct scratch *s)
{
	pthread_mutex_lock(&s->lock);
	scratch_fail(s, EL_MEMORY, "out of memory for a page");
	pthread_mutex_unlock(&s->lock);
}

/* ---- memory of pages ---- */

void scratch_free(struct scratch *s, struct page *p)
{
	struct spare *one = p->bytes;
	if (!one)
		return;
	const size_t at = p->resident, last = --s->resident_count;
	*one = (struct spare){s->spare, p->size};
	s->spare = one;
	s->spare_bytes += footprint(one->size);
	s->memory -= footprint(one->size);
	/* the last resident takes its place */
	s->resident[at] = s->resident[last];
	s->resident[at]->resident = at;
	p->bytes = NULL;
}

void scratch_note(struct scratch *s, struct page *p, const struct el_word *words, size_t count)
{
	if (!array_grow(&p->cleared, p->cleared_count, count, sizeof *words)) {
		scratch_fail(s, EL_MEMORY, "out of memory for a page");
		return;
	}
	memcpy(p->cleared + p->cleared_count, words, count * sizeof *words);
	p->cleared_count += count;
	s->memory += count * sizeof *words;
}

void scratch_forget(struct scratch *s, struct page *p)
{
	s->memory -= p->cleared_count * sizeof *p->cleared;
	free(p->cleared);
	p->cleared = NULL;
	p->cleared_count = 0;
}

void *scratch_memory(size_t size)
{
	return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

/* ---- packing ---- */

static struct packer *take_packer(struct scratch *s, size_t size)
{
	const size_t room = ZSTD_compressBound(size);
	struct packer *p = s->packers;
	if (p)
		s->packers = p->next;
	else
		p = calloc(1, sizeof *p);
	if (p && p->room < room) {
		free(p->bytes);
		p->bytes = malloc(room);
		p->room = p->bytes ? room : 0;
	}
	if (p && !p->in && (p->in = ZSTD_createCCtx())) {
		ZSTD_CCtx_setParameter(p->in, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(p->in, ZSTD_c_checksumFlag, 1);
	}
	if (p && !p->out)
		p->out = ZSTD_createDCtx();
	if (p && p->room >= room && p->in && p->out)
		return p;
	if (p)
		packer_free(p);
	scratch_fail(s, EL_MEMORY, "out of memory for the scratch file");
	return NULL;
}

static void give_packer(struct scratch *s, struct packer *p)
{
	p->next = s->packers;
	s->packers = p;
}

/* Writes a busy page, without the lock meanwhile. Returns its size in the file, or 0 on failure. */
static size_t write_out(struct scratch *s, const struct page *p)
{
	if (s->fd < 0 && (s->fd = el_temporary_unnamed(s->folder)) < 0)
		fail_io(s, "make");
	struct packer *packer = s->fd >= 0 ? take_packer(s, p->size) : NULL;
	if (!packer)
		return 0;
	pthread_mutex_unlock(&s->lock);
	const size_t got =
		ZSTD_compress2(packer->in, packer->bytes, packer->room, p->bytes, p->size);
	const bool packed = !ZSTD_isError(got);
	const bool good = packed && file_transfer(s->fd, packer->bytes, got, p->place, true);
	const int why = errno;
	pthread_mutex_lock(&s->lock);
	give_packer(s, packer);
	errno = why;
	if (!packed)
		scratch_fail(s, EL_MEMORY, "out of memory for the scratch file");
	else if (!good)
		fail_io(s, "write to");
	return good ? got : 0;
}

bool scratch_read_in(struct scratch *s, const struct page *p)
{
	struct packer *packer = take_packer(s, p->size);
	if (!packer)
		return false;
	pthread_mutex_unlock(&s->lock);
	bool good = file_transfer(s->fd, packer->bytes, p->stored, p->place, false);
	if (good && ZSTD_decompressDCtx(packer->out, p->bytes, p->size, packer->bytes, p->stored) !=
	                    p->size) {
		errno = EIO;
		good = false;
	}
	const int why = errno;
	pthread_mutex_lock(&s->lock);
	give_packer(s, packer);
	errno = why;
	if (!good)
		fail_io(s, "read");
	return good;
}

/* ---- room ---- */

/* A random page that is not in use; null: all are in use. Passes go through all pages in turn, so
   evicting the least recently used would evict every page just before its next use. At random, many
   pages stay until they are needed again. A page that need not be written is preferred: one that was
   just found may be dropped before it has to be. */
static struct page *any_idle(struct scratch *s)
{
	struct page *found = NULL;
	unsigned dirty = 0;
	for (size_t tries = 0; tries < 2 * s->resident_count && dirty < CHOICE; tries++) {
		s->random =
			s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		struct page *p = s->resident[(s->random >> 33) % s->resident_count];
		if (p->users || p->busy)
			continue;
		found = p;
		if (!p->dirty)
			break;
		dirty++;
	}
	if (found)
		return found;
	for (size_t i = 0; i < s->resident_count; i++)
		if (!s->resident[i]->users && !s->resident[i]->busy)
			return s->resident[i];
	return NULL;
}

/* Removes an idle page from memory, unless a thread starts using it meanwhile. */
static bool evict(struct scratch *s, struct page *p)
{
	if (p->dirty) {
		p->busy = true;
		const size_t stored = write_out(s, p);
		p->busy = false;
		pthread_cond_broadcast(&s->arrived);
		if (!stored)
			return false;
		p->stored = (uint32_t)stored;
		p->dirty = false;
		if (p->users) /* a thread has fetched it meanwhile */
			return true;
	}
	scratch_free(s, p);
	return true;
}

/* Makes room for `size` bytes within the budget, as far as there are idle pages to evict. */
static bool make_room(struct scratch *s, size_t size)
{
	while (s->memory + footprint(size) > s->budget && s->resident_count) {
		struct page *idle = any_idle(s);
		if (!idle)
			break;
		if (!evict(s, idle))
			return false;
	}
	return true;
}

void scratch_limit(struct scratch *s, uint64_t budget)
{
	pthread_mutex_lock(&s->lock);
	s->budget = budget;
	make_room(s, 0);
	pthread_mutex_unlock(&s->lock);
	scratch_tidy(s);
}

bool scratch_bring(struct scratch *s, struct page *p)
{
	const size_t size = p->size;
	if (s->failed || !make_room(s, size))
		return false;
	for (struct spare **link = &s->spare; *link; link = &(*link)->next)
		if ((*link)->size == size) {
			p->bytes = *link;
			*link = (*link)->next;
			s->spare_bytes -= footprint(size);
			break;
		}
	if (!p->bytes)
		p->bytes = scratch_memory(size);
	const uint64_t taken = s->memory + footprint(size);
	const bool keeps = s->budget > taken && s->budget != SCRATCH_UNLIMITED;
	free_spare(s, keeps ? s->budget - taken : 0);
	if (!p->bytes || !array_grow(&s->resident, s->resident_count, 1, sizeof *s->resident)) {
		free(p->bytes);
		p->bytes = NULL;
		scratch_fail(s, EL_MEMORY, "out of memory for a page");
		return false;
	}
	p->resident = s->resident_count;
	s->resident[s->resident_count++] = p;
	s->memory = taken;
	return true;
}

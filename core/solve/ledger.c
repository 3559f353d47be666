/* SPDX-License-Identifier: MIT */
#include "ledger.h"

#include "core/base/array.h"
#include "core/base/clock.h"
#include "core/os/files.h"
#include "core/os/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zstd.h>

enum {
	SLAB = 64,             /* words */
	CHUNK_FIRST = 1 << 12, /* bytes of the first chunk of memory; each is twice the last */
	CHUNK_LAST = 1 << 20,
	GAP_MAX = 10,    /* bytes of a 64-bit number, 7 bits a byte */
	FILE_HEAD = 16,  /* bytes: a file's magic number and identity */
	LARGE = 1 << 14, /* bytes from which a bitmap is packed: in less time than the disk takes */
	SYNC_SECONDS = 30,
};

#define MARK UINT32_MAX /* in place of a list number: a mark */

/* What a file has before each bitmap (ledger.h). */
struct head {
	uint32_t checksum, list, size, stored;
	uint16_t ply, plies, phase;
	uint8_t outcome, packed;
};
enum { HEAD = sizeof(struct head) };
_Static_assert(HEAD == 24, "heads have no padding");

/* Of all but itself, with the bitmap. */
static uint32_t checksum_of(const struct head *head, const uint8_t *bytes)
{
	const uint32_t rest = lzma_crc32((const uint8_t *)head + 4, HEAD - 4, 0);
	return lzma_crc32(bytes, head->size, rest);
}

struct ledger_chunk {
	struct ledger_chunk *next;
	size_t used, room;
	uint8_t bytes[];
};

/* ---- open and close ---- */

static const char magic[8] = {'e', 'n', 'd', 'l', 'a', 'b', 'l', '2'};

static void path_of(const struct ledger_place *place, char out[PATH_MAX])
{
	snprintf(out, PATH_MAX, "%s/%s", place->folder, place->name);
}

static enum el_status open_nameless(struct ledger *l, const char *folder, struct el_error *error)
{
	l->kept = false;
	l->fd = el_temporary_unnamed(folder);
	return l->fd < 0 ? el_fail(error, EL_IO, "%s: cannot make a scratch file: %m", folder)
	                 : EL_OK;
}

/* Opens an earlier program's file if its identity is the same, else an empty one. If a build into
   another folder has the file open, this ledger gets no name, and cannot be resumed. */
static enum el_status open_kept(struct ledger *l, const struct ledger_place *place,
                                struct el_error *error)
{
	uint8_t head[FILE_HEAD], found[FILE_HEAD];
	char path[PATH_MAX];
	path_of(place, path);
	memcpy(head, magic, sizeof magic);
	memcpy(head + sizeof magic, &place->identity, sizeof place->identity);
	l->kept = true;
	l->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (l->fd < 0)
		return el_fail(error, EL_IO, "%s: cannot make a scratch file: %m", path);
	if (flock(l->fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return el_fail(error, EL_IO, "%s: cannot be locked: %m", path);
		close(l->fd);
		return open_nameless(l, place->folder, error);
	}
	if (file_transfer(l->fd, found, FILE_HEAD, 0, false) && !memcmp(found, head, FILE_HEAD))
		return EL_OK;
	if (ftruncate(l->fd, 0) || !file_transfer(l->fd, head, FILE_HEAD, 0, true))
		return el_fail(error, EL_IO, "%s: cannot write: %m", path);
	return EL_OK;
}

enum el_status ledger_open(struct ledger *l, size_t lists, size_t words,
                           const struct ledger_place *place, struct el_error *error)
{
	*l = (struct ledger){.lists = lists, .words = words, .fd = -1, .synced = clock_seconds()};
	l->list = calloc(lists, sizeof *l->list);
	if (!l->list)
		return el_fail(error, EL_MEMORY, "out of memory");
	l->end = place ? FILE_HEAD : 0;
	if (place && place->name)
		return open_kept(l, place, error);
	return place ? open_nameless(l, place->folder, error) : EL_OK;
}

void ledger_close(struct ledger *l)
{
	for (size_t i = 0; l->list && i < l->lists; i++)
		free(l->list[i].entry);
	while (l->chunks) {
		struct ledger_chunk *c = l->chunks;
		l->chunks = c->next;
		free(c);
	}
	if (l->list && l->fd >= 0)
		close(l->fd);
	free(l->list);
	*l = (struct ledger){.fd = -1};
}

void ledger_remove(const struct ledger_place *place)
{
	char path[PATH_MAX];
	path_of(place, path);
	const int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		unlink(path);
	if (fd >= 0)
		close(fd);
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
		l->why = why;
		l->failed = status;
	}
}

/* ---- encoding ---- */

/* The most bytes that an encoded bitmap takes. */
static size_t encoder_room(size_t words)
{
	return (words + SLAB - 1) / SLAB * (GAP_MAX + 8 + 9 * SLAB);
}

enum el_status encoder_open(struct encoder *p, size_t words)
{
	*p = (struct encoder){.bytes = NULL};
	p->word = malloc(SLAB * sizeof *p->word + HEAD + encoder_room(words));
	p->bytes = (uint8_t *)p->word + (p->word ? SLAB * sizeof *p->word : 0);
	return p->word ? EL_OK : EL_MEMORY;
}

void encoder_close(struct encoder *p)
{
	free(p->word);
	*p = (struct encoder){.bytes = NULL};
}

void encoder_begin(struct encoder *p)
{
	p->size = 0;
	p->mask = 0;
	p->slab = p->next = 0;
}

/* Encodes the current slab. */
void encoder_end(struct encoder *p)
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

void encoder_word(struct encoder *p, size_t word, uint64_t bits)
{
	if (word / SLAB != p->slab) {
		encoder_end(p);
		p->slab = word / SLAB;
	}
	const uint64_t bit = UINT64_C(1) << word % SLAB;
	p->word[word % SLAB] = p->mask & bit ? p->word[word % SLAB] | bits : bits;
	p->mask |= bit;
}

void encoder_set(struct encoder *p, const uint64_t *set, const uint64_t *marks, size_t words)
{
	encoder_begin(p);
	for (size_t first = 0; first < words; first += SLAB)
		for (uint64_t left = bitmap_words(set, marks, first, words); left;
		     left &= left - 1) {
			const size_t w = first + (unsigned)__builtin_ctzll(left);
			encoder_word(p, w, set[w]);
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

/* Sets where the bitmap is, and its size there. */
static bool put(struct ledger *l, uint32_t list, const struct ledger_tag *tag, const uint8_t *bytes,
                uint32_t size, struct ledger_entry *e)
{
	e->size = size;
	if (l->fd < 0) {
		uint8_t *to = memory_for(l, size);
		if (to)
			memcpy(to, bytes, size);
		else
			fail(l, EL_MEMORY);
		e->at = (uint64_t)(uintptr_t)to;
		return to;
	}
	if (l->failed) /* later entries may rely on one that was lost */
		return false;
	const size_t room = size < LARGE ? 0 : ZSTD_compressBound(size);
	uint8_t *frame = room ? malloc(room) : NULL;
	const size_t got = frame ? ZSTD_compress(frame, room, bytes, size, 1) : size;
	const bool packed = got < size; /* no error code is that small */
	if (packed) {
		bytes = frame;
		e->size = size = (uint32_t)got;
	}
	uint64_t place;
	struct head head = {.list = list,
	                    .size = size,
	                    .stored = tag->stored,
	                    .ply = tag->ply,
	                    .plies = tag->value.plies,
	                    .phase = tag->value.phase,
	                    .outcome = tag->value.outcome,
	                    .packed = packed};
	head.checksum = checksum_of(&head, bytes);
#pragma omp atomic capture
	{
		place = l->end;
		l->end += HEAD + size;
	}
	e->at = place + HEAD;
	const bool good = file_transfer(l->fd, (uint8_t *)bytes, size, e->at, true) &&
	                  file_transfer(l->fd, &head, HEAD, place, true);
	if (!good)
		fail(l, EL_IO);
	free(frame);
	return good;
}

/* Replaces a packed bitmap by what it contains. `frame`: room for the packed one. */
static bool unpack(uint8_t *bytes, size_t room, uint8_t *frame, size_t *size)
{
	memcpy(frame, bytes, *size);
	*size = ZSTD_decompress(bytes, room, frame, *size);
	return !ZSTD_isError(*size);
}

static bool list_entry(struct ledger *l, size_t list, const struct ledger_entry *e)
{
	struct ledger_list *on = &l->list[list];
	if (!array_grow(&on->entry, on->count, 1, sizeof *on->entry))
		return false;
	on->entry[on->count++] = *e;
	return true;
}

void ledger_add(struct ledger *l, struct encoder *p, size_t list, const struct ledger_tag *tag)
{
	struct ledger_entry e = {.ply = tag->ply, .symbol = tag->symbol};
	encoder_end(p);
	if (p->size && put(l, (uint32_t)list, tag, p->bytes, (uint32_t)p->size, &e) &&
	    !list_entry(l, list, &e))
		fail(l, EL_MEMORY);
}

bool ledger_read(struct ledger *l, struct encoder *p, const struct ledger_entry *e,
                 struct ledger_cursor *c)
{
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)e->at;
	size_t size = e->size;
	if (l->fd >= 0) {
		struct head head;
		if (!file_transfer(l->fd, p->bytes, HEAD + e->size, e->at - HEAD, false)) {
			fail(l, EL_IO);
			return false;
		}
		memcpy(&head, p->bytes, HEAD);
		bool sound = head.size == e->size &&
		             checksum_of(&head, p->bytes + HEAD) == head.checksum;
		if (sound && head.packed) {
			uint8_t *frame = malloc(size);
			if (!frame) {
				fail(l, EL_MEMORY);
				return false;
			}
			sound = unpack(p->bytes + HEAD, encoder_room(l->words), frame, &size);
			free(frame);
		}
		if (!sound) {
			errno = EIO;
			fail(l, EL_IO);
			return false;
		}
		bytes = p->bytes + HEAD;
	}
	*c = (struct ledger_cursor){.at = bytes, .end = bytes + size};
	return true;
}

bool ledger_read_set(struct ledger *l, struct encoder *p, const struct ledger_entry *e,
                     uint64_t *set, uint64_t *marks)
{
	struct ledger_cursor cursor;
	size_t word;
	uint64_t bits;
	if (!ledger_read(l, p, e, &cursor))
		return false;
	while (ledger_next(&cursor, &word, &bits)) {
		set[word] |= bits;
		if (marks)
			marks[word / 64] |= UINT64_C(1) << word % 64;
	}
	return true;
}

/* ---- marks and recovery ---- */

void ledger_mark(struct ledger *l, unsigned ply)
{
	const struct ledger_tag tag = {.ply = (uint16_t)ply};
	struct ledger_entry e;
	if (!l->kept || !put(l, MARK, &tag, NULL, 0, &e))
		return;
	/* A killed program loses nothing that it wrote; a machine that stops may. */
	if (clock_seconds() - l->synced < SYNC_SECONDS)
		return;
	if (fdatasync(l->fd))
		fail(l, EL_IO);
	l->synced = clock_seconds();
}

/* Reads the gap before the next slab, and advances *at. False if the bytes end within it. */
static bool take_gap(const uint8_t **at, const uint8_t *end, uint64_t *gap)
{
	*gap = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		const uint8_t byte = *(*at)++;
		*gap |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return true;
	}
	return false;
}

/* Do the bytes encode a bitmap of this ledger, so that ledger_next stays within both? The checksum
   detects only damage: anybody may have written to the file. */
static bool is_bitmap(const struct ledger *l, const uint8_t *at, size_t size)
{
	const uint8_t *end = at + size;
	size_t next = 0; /* slab */
	while (at < end) {
		uint64_t gap, mask = 0;
		if (!take_gap(&at, end, &gap) || gap >= l->words / SLAB + 1 - next || end - at < 8)
			return false;
		next += gap;
		for (unsigned i = 0; i < 64; i += 8)
			mask |= (uint64_t)*at++ << i;
		if (!mask || next++ * SLAB + 63 - (unsigned)__builtin_clzll(mask) >= l->words)
			return false;
		for (; mask; mask &= mask - 1) {
			const int bytes = at < end ? __builtin_popcount(*at++) : 1;
			if (end - at < bytes)
				return false;
			at += bytes;
		}
	}
	return true;
}

/* Reads the bitmap at an offset of the file; false if there is no sound one. */
static bool read_record(const struct ledger *l, uint64_t at, uint8_t *bytes, uint8_t *frame,
                        size_t room, struct head *head)
{
	if (!file_transfer(l->fd, head, HEAD, at, false))
		return false;
	size_t size = head->size;
	return size <= room && (head->list < l->lists || head->list == MARK) &&
	       head->outcome <= EL_WIN && file_transfer(l->fd, bytes, size, at + HEAD, false) &&
	       checksum_of(head, bytes) == head->checksum &&
	       (!head->packed || unpack(bytes, room, frame, &size)) && is_bitmap(l, bytes, size);
}

struct pass_mark {
	uint64_t end; /* of the file up to it */
	int ply;
};

int ledger_recover(struct ledger *l, bool marked, void *context,
                   int (*agree)(void *context, int ply),
                   uint16_t (*take)(void *context, size_t list, const struct ledger_tag *))
{
	struct encoder encoder;
	uint64_t end = FILE_HEAD, sound = FILE_HEAD;
	struct head head;
	struct pass_mark *marks = NULL; /* as many as there are passes */
	size_t count = 0;
	if (!l->kept || encoder_open(&encoder, l->words))
		return agree ? agree(context, -1) : -1;
	const size_t room = encoder_room(l->words);
	uint8_t *frame = malloc(room);
	if (!frame) { /* the file stays as it is */
		encoder_close(&encoder);
		fail(l, EL_MEMORY);
		return agree ? agree(context, -1) : -1;
	}
	for (; read_record(l, end, encoder.bytes, frame, room, &head); end += HEAD + head.size) {
		const uint64_t next = end + HEAD + head.size;
		if (!marked)
			sound = next;
		else if (head.list == MARK && array_grow(&marks, count, 1, sizeof *marks))
			marks[count++] = (struct pass_mark){next, head.ply};
	}
	int ply = count ? marks[count - 1].ply : -1;
	ply = agree ? agree(context, ply) : ply;
	while (count && marks[count - 1].ply > ply)
		count--;
	sound = count ? marks[count - 1].end : sound;
	free(marks);
	for (end = FILE_HEAD; end < sound; end += HEAD + head.size) {
		if (!read_record(l, end, encoder.bytes, frame, room, &head))
			break;
		if (head.list == MARK)
			continue;
		const struct ledger_tag tag = {
			.ply = head.ply,
			.stored = head.stored,
			.value = {.outcome = head.outcome,
		                  .plies = head.plies,
		                  .phase = head.phase},
		};
		const struct ledger_entry e = {.at = end + HEAD,
		                               .size = head.size,
		                               .ply = head.ply,
		                               .symbol = take(context, head.list, &tag)};
		if (!list_entry(l, head.list, &e))
			fail(l, EL_MEMORY);
	}
	free(frame);
	encoder_close(&encoder);
	l->end = end;
	if (ftruncate(l->fd, (off_t)end))
		fail(l, EL_IO);
	return ply;
}

/* ---- files of stopped programs ---- */

static const char mark[] = ".endlab-scratch-";

void leftover_name(const struct el_slice *slice, const struct el_metric *metric, const char *what,
                   char out[LEFTOVER_NAME_MAX])
{
	snprintf(out, LEFTOVER_NAME_MAX, "%s%s.%s.%s", mark, slice->name, metric->name, what);
	for (char *c = out; *c; c++)
		*c = *c == ':' ? '-' : *c;
}

void leftovers_remove(const char *folder, const char *begins)
{
	DIR *dir = opendir(folder);
	for (const struct dirent *e; dir && (e = readdir(dir));)
		if (!strncmp(e->d_name, begins, strlen(begins)))
			ledger_remove(&(struct ledger_place){.folder = folder, .name = e->d_name});
	if (dir)
		closedir(dir);
}

void leftovers_sweep(const char *folder, const char *tables)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (const struct dirent *e; (e = readdir(dir));) {
		/* The table's name is between the mark and the last dot. */
		char file[PATH_MAX + NAME_MAX], table[PATH_MAX + NAME_MAX];
		struct stat is, its;
		const char *slice = e->d_name + sizeof mark - 1, *dot = strrchr(e->d_name, '.');
		if (strncmp(e->d_name, mark, sizeof mark - 1) || !dot || dot < slice)
			continue;
		snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
		snprintf(table, sizeof table, "%s/%.*s.egt", tables, (int)(dot - slice), slice);
		if (!lstat(file, &is) && S_ISREG(is.st_mode) && !stat(table, &its) &&
		    (its.st_mtim.tv_sec > is.st_mtim.tv_sec ||
		     (its.st_mtim.tv_sec == is.st_mtim.tv_sec &&
		      its.st_mtim.tv_nsec >= is.st_mtim.tv_nsec)))
			ledger_remove(&(struct ledger_place){.folder = folder, .name = e->d_name});
	}
	closedir(dir);
}

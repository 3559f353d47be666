/* SPDX-License-Identifier: MIT */
#include "courses.h"

#include "core/base/array.h"
#include "writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LISTS = 4, COUNTS = 0, FIRSTS, UNTILS, PLIES };
enum { LEVEL = 19, ENTRY = 8 };
/* Blocks written between two looks at the watch, which takes a second or so; and their positions. */
enum { AT_ONCE = 512, PIECE = AT_ONCE * COURSES_BLOCK };

/* How long the first step lasts at least. */
static unsigned least_until(const struct el_metric *metric, unsigned plies)
{
	return plies < metric->limit ? metric->limit - plies : 0;
}

static uint64_t blocks_of(const struct el_slice *slice)
{
	return (slice->positions + COURSES_BLOCK - 1) / COURSES_BLOCK;
}

/* ---- writing ---- */

/* A list of numbers as bytes. */
struct list {
	uint8_t *bytes; /* owned */
	size_t count;   /* of numbers */
	unsigned size;  /* of each: 1 or 2 */
	bool failed;
};

static void put_number(struct list *l, unsigned number)
{
	if (l->failed || !array_grow(&l->bytes, l->count * l->size, l->size, 1)) {
		l->failed = true;
		return;
	}
	put_le(l->bytes + l->count++ * l->size, l->size, number);
}

/* The numbers of the courses of some positions: of the planes, or read into `room`. */
static enum el_status numbers_at(const struct el_planes *planes, unsigned plane, uint64_t first,
                                 size_t count, uint32_t *room, const uint32_t **out,
                                 struct el_error *error)
{
	const struct el_plane_reader *reader = planes->reader;
	*out = reader ? room : planes->plane[plane].course + first;
	return reader ? reader->read_courses(reader->context, plane, first, count, room, error)
	              : EL_OK;
}

/* The bytes that the numbers of each list need, for the courses that positions have. */
static enum el_status find_sizes(const struct writer *w, uint32_t *room, unsigned sizes[LISTS])
{
	const struct el_planes *planes = w->planes;
	unsigned most[LISTS] = {0};
	bool *has = calloc((size_t)el_courses_count(planes->courses) + 1, sizeof *has);
	enum el_status status = has ? EL_OK : writer_out_of_memory(w);
	for (unsigned p = 0; p < planes->slice.planes && !status; p++)
		for (uint64_t first = 0; first < planes->slice.positions && !status;
		     first += PIECE) {
			const size_t count = piece_at(first, planes->slice.positions, PIECE);
			const uint32_t *numbers = NULL;
			status = numbers_at(planes, p, first, count, room, &numbers, w->error);
			for (size_t i = 0; i < count && !status; i++)
				has[numbers[i]] = true;
		}
	for (uint32_t number = 1; number <= el_courses_count(planes->courses) && !status;
	     number++) {
		const struct el_course c = el_courses_get(planes->courses, number);
		if (!has[number])
			continue;
		most[COUNTS] |= (unsigned)c.count;
		most[FIRSTS] |= c.step[0].until - least_until(planes->metric, c.step[0].plies);
		for (size_t i = 1; i < c.count; i++) {
			most[UNTILS] |= (unsigned)(c.step[i].until - c.step[i - 1].until);
			most[PLIES] |= (unsigned)(c.step[i].plies - c.step[i - 1].plies) / 2;
		}
	}
	for (unsigned l = 0; l < LISTS; l++)
		sizes[l] = most[l] > UINT8_MAX ? 2 : 1;
	free(has);
	return status;
}

/* A block as in the file: malloc'ed; null: no memory. */
static uint8_t *write_block(const struct el_planes *planes, const uint32_t *numbers, size_t count,
                            const unsigned sizes[LISTS], size_t *size)
{
	struct list lists[LISTS];
	size_t length = 0;
	for (unsigned l = 0; l < LISTS; l++)
		lists[l] = (struct list){.size = sizes[l]};
	for (size_t i = 0; i < count; i++) {
		const struct el_course course = el_courses_get(planes->courses, numbers[i]);
		const struct el_course_step *step = course.step;
		put_number(&lists[COUNTS], (unsigned)course.count);
		if (course.count)
			put_number(&lists[FIRSTS],
			           step->until - least_until(planes->metric, step->plies));
		for (size_t k = 1; k < course.count; k++) {
			put_number(&lists[UNTILS], (unsigned)(step[k].until - step[k - 1].until));
			put_number(&lists[PLIES],
			           (unsigned)(step[k].plies - step[k - 1].plies) / 2);
		}
	}
	bool good = true;
	for (unsigned l = 0; l < LISTS; l++) {
		good &= !lists[l].failed;
		length += lists[l].count * lists[l].size;
	}
	uint8_t *raw = good ? malloc(length) : NULL, *at = raw;
	for (unsigned l = 0; l < LISTS; l++) {
		if (raw && lists[l].count)
			at = (uint8_t *)mempcpy(at, lists[l].bytes, lists[l].count * lists[l].size);
		free(lists[l].bytes);
	}
	const size_t room = ZSTD_compressBound(length);
	uint8_t *out = raw ? malloc(room) : NULL;
	*size = out ? ZSTD_compress(out, room, raw, length, LEVEL) : 0;
	free(raw);
	if (out && ZSTD_isError(*size)) {
		free(out);
		return NULL;
	}
	return out;
}

/* Appends the blocks of up to PIECE positions, and fills in their entries of the directory. */
static enum el_status write_piece(struct writer *w, const uint32_t *numbers, size_t positions,
                                  const unsigned sizes[LISTS], uint8_t *entry)
{
	uint8_t *block[AT_ONCE] = {NULL};
	size_t length[AT_ONCE];
	const size_t count = (positions + COURSES_BLOCK - 1) / COURSES_BLOCK;
	bool good = true;
#pragma omp parallel for schedule(dynamic, 8) reduction(&& : good)
	for (size_t b = 0; b < count; b++) {
		const size_t first = b * COURSES_BLOCK;
		block[b] =
			write_block(w->planes, numbers + first,
		                    piece_at(first, positions, COURSES_BLOCK), sizes, &length[b]);
		good = good && block[b];
	}
	enum el_status status = good ? EL_OK : writer_out_of_memory(w);
	for (size_t b = 0; b < count; b++, entry += ENTRY) {
		if (!status) {
			put_le(entry, 4, length[b]);
			put_le(entry + 4, 4, table_block_checksum(block[b], length[b]));
			status = writer_append(w, block[b], length[b]);
		}
		free(block[b]);
	}
	return status;
}

enum el_status courses_write(struct writer *w)
{
	const struct el_slice *slice = &w->planes->slice;
	const uint64_t each = blocks_of(slice), count = each * slice->planes;
	const size_t start = COURSES_HEAD + (size_t)count * ENTRY;
	uint8_t *head = malloc(start);
	uint32_t *room = w->planes->reader ? malloc(PIECE * sizeof *room) : NULL;
	unsigned sizes[LISTS];
	enum el_status status =
		head && (room || !w->planes->reader) ? EL_OK : writer_out_of_memory(w);
	if (!status)
		status = find_sizes(w, room, sizes);
	w->header.courses = w->offset;
	w->offset += start;
	for (unsigned p = 0; p < slice->planes && !status; p++)
		for (uint64_t first = 0; first < slice->positions && !status; first += PIECE) {
			const size_t positions = piece_at(first, slice->positions, PIECE);
			const uint64_t block = p * each + first / COURSES_BLOCK;
			const struct el_progress progress = {"writing courses", slice->name,
			                                     (double)block, (double)count,
			                                     .unit = "blocks"};
			const uint32_t *numbers = NULL;
			status = el_watch_tick(w->watch, &progress)
			                 ? numbers_at(w->planes, p, first, positions, room,
			                              &numbers, w->error)
			                 : el_fail(w->error, EL_STOPPED,
			                           "%s: stopped while courses were written",
			                           slice->name);
			if (!status)
				status = write_piece(w, numbers, positions, sizes,
				                     head + COURSES_HEAD + block * ENTRY);
		}
	if (!status) {
		w->header.info.bytes = w->offset;
		put_le(head, 4, COURSES_BLOCK);
		for (unsigned l = 0; l < LISTS; l++)
			put_le(head + 4 + l, 1, sizes[l]);
		w->header.courses_checksum = table_checksum(head, start);
		w->offset = w->header.courses;
		status = writer_append(w, head, start);
	}
	free(room);
	free(head);
	return status;
}

/* ---- reading ---- */

struct courses {
	const struct input *input;
	const struct table_header *header;
	uint8_t *bytes;   /* head and directory; owned */
	uint64_t *offset; /* of each block in the file; at `count`: its end; owned */
	uint64_t each, count;
	unsigned sizes[LISTS];
};

void courses_close(struct courses *c)
{
	if (!c)
		return;
	free(c->bytes);
	free(c->offset);
	free(c);
}

static enum el_status no_memory(const struct courses *c, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: courses: out of memory", c->input->path);
}

static enum el_status damaged(const struct courses *c, uint64_t block, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED,
	               "%s: courses: expected those of %s in block %" PRIu64 ", found others",
	               c->input->path, c->header->info.slice.name, block);
}

static enum el_status read_directory(struct courses *c, struct el_error *error)
{
	const struct table_header *h = c->header;
	const size_t start = COURSES_HEAD + (size_t)c->count * ENTRY;
	c->bytes = malloc(start);
	c->offset = malloc((c->count + 1) * sizeof *c->offset);
	if (!c->bytes || !c->offset)
		return no_memory(c, error);
	enum el_status status = input_read(c->input, "courses", c->bytes, start, h->courses, error);
	if (status)
		return status;
	const uint64_t found = table_checksum(c->bytes, start);
	if (found != h->courses_checksum)
		return el_fail(error, EL_DAMAGED,
		               "%s: courses: expected checksum %016" PRIx64 ", found %016" PRIx64,
		               c->input->path, h->courses_checksum, found);
	bool good = get_u32(c->bytes) == COURSES_BLOCK;
	for (unsigned l = 0; l < LISTS; l++) {
		c->sizes[l] = c->bytes[4 + l];
		good &= c->sizes[l] == 1 || c->sizes[l] == 2;
	}
	uint64_t at = h->courses + start;
	for (uint64_t b = 0; b < c->count; b++) {
		c->offset[b] = at;
		at += get_u32(c->bytes + COURSES_HEAD + b * ENTRY);
	}
	c->offset[c->count] = at;
	if (good && at == h->info.bytes)
		return EL_OK;
	return el_fail(error, EL_DAMAGED,
	               "%s: courses: expected blocks up to %" PRIu64 ", found %" PRIu64,
	               c->input->path, h->info.bytes, at);
}

enum el_status courses_open(const struct input *input, const struct table_header *header,
                            struct courses **out, struct el_error *error)
{
	struct courses *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "%s: courses: out of memory", input->path);
	c->input = input;
	c->header = header;
	c->each = blocks_of(&header->info.slice);
	c->count = c->each * header->info.slice.planes;
	const enum el_status status = read_directory(c, error);
	if (status)
		courses_close(c);
	else
		*out = c;
	return status;
}

uint64_t courses_block_of(const struct courses *c, unsigned plane, uint64_t index)
{
	return c->each * plane + index / COURSES_BLOCK;
}

/* The positions of a block. */
static size_t block_positions(const struct courses *c, uint64_t block)
{
	return piece_at(block % c->each * COURSES_BLOCK, c->header->info.slice.positions,
	                COURSES_BLOCK);
}

static unsigned number(const uint8_t *list, unsigned size, size_t at)
{
	return size == 1 ? list[at] : (unsigned)get_le(list + 2 * at, 2);
}

/* Counts the numbers of a block's lists. */
static void count_lists(const struct courses *c, uint64_t block, const uint8_t *bytes,
                        size_t counts[LISTS])
{
	counts[COUNTS] = block_positions(c, block);
	counts[FIRSTS] = counts[UNTILS] = 0;
	for (size_t i = 0; i < counts[COUNTS]; i++) {
		const unsigned steps = number(bytes, c->sizes[COUNTS], i);
		counts[FIRSTS] += steps > 0;
		counts[UNTILS] += steps ? steps - 1 : 0;
	}
	counts[PLIES] = counts[UNTILS];
}

enum el_status courses_load(const struct courses *c, uint64_t block, uint8_t **bytes, size_t *size,
                            struct el_error *error)
{
	const size_t stored = (size_t)(c->offset[block + 1] - c->offset[block]);
	const size_t positions = block_positions(c, block);
	const size_t most = positions * 4 + positions * EL_COURSE_MAX * (size_t)4;
	uint8_t *in = malloc(stored + 1);
	*bytes = NULL;
	enum el_status status =
		in ? input_read(c->input, "courses", in, stored, c->offset[block], error)
		   : no_memory(c, error);
	const uint32_t checksum = get_u32(c->bytes + COURSES_HEAD + block * ENTRY + 4);
	if (!status && table_block_checksum(in, stored) != checksum)
		status = damaged(c, block, error);
	if (!status) {
		const unsigned long long length = ZSTD_getFrameContentSize(in, stored);
		*size = length <= most ? (size_t)length : 0;
		if (*size < positions * c->sizes[COUNTS])
			status = damaged(c, block, error);
		else if (!(*bytes = malloc(*size + 1)))
			status = no_memory(c, error);
		else if (ZSTD_decompress(*bytes, *size, in, stored) != *size)
			status = damaged(c, block, error);
	}
	if (!status) {
		size_t counts[LISTS], sum = 0;
		count_lists(c, block, *bytes, counts);
		for (unsigned l = 0; l < LISTS; l++)
			sum += counts[l] * c->sizes[l];
		status = sum == *size ? EL_OK : damaged(c, block, error);
	}
	free(in);
	if (status) {
		free(*bytes);
		*bytes = NULL;
	}
	return status;
}

enum el_status courses_check(const struct courses *c, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (uint64_t b = 0; b < c->count && !status; b++) {
		uint8_t *bytes;
		size_t size;
		status = courses_load(c, b, &bytes, &size, error);
		free(bytes);
	}
	return status;
}

/* Where the next course of a block is in its lists. */
struct cursor {
	const uint8_t *list[LISTS];
	size_t at[LISTS];
};

static struct cursor begin(const struct courses *c, uint64_t block, const uint8_t *bytes)
{
	struct cursor cursor = {.at = {0}};
	size_t counts[LISTS];
	count_lists(c, block, bytes, counts);
	for (unsigned l = 0; l < LISTS; l++) {
		cursor.list[l] = bytes;
		bytes += counts[l] * c->sizes[l];
	}
	return cursor;
}

static unsigned next_number(const struct courses *c, struct cursor *cursor, unsigned list)
{
	return number(cursor->list[list], c->sizes[list], cursor->at[list]++);
}

/* The next course, if the position has `plies` at clock 0; false: it cannot be one. */
static bool next_course(const struct courses *c, struct cursor *cursor, unsigned plies,
                        struct el_course_step steps[EL_COURSE_MAX], size_t *count)
{
	const unsigned limit = c->header->info.metric->limit;
	*count = next_number(c, cursor, COUNTS);
	if (*count > EL_COURSE_MAX || (*count && !plies))
		return false;
	for (size_t i = 0; i < *count; i++) {
		unsigned until =
			i ? steps[i - 1].until : least_until(c->header->info.metric, plies);
		until += next_number(c, cursor, i ? UNTILS : FIRSTS);
		plies += i ? 2 * next_number(c, cursor, PLIES) : 0;
		if (until >= limit || plies > EL_PLIES_MAX ||
		    (i && (until == steps[i - 1].until || plies == steps[i - 1].plies)))
			return false;
		steps[i] = (struct el_course_step){(uint16_t)until, (uint16_t)plies};
	}
	return true;
}

enum el_status courses_plies(const struct courses *c, uint64_t block, const uint8_t *bytes,
                             uint64_t index, unsigned plies, unsigned clock, uint16_t *out,
                             struct el_error *error)
{
	struct el_course_step steps[EL_COURSE_MAX];
	struct cursor cursor = begin(c, block, bytes);
	for (size_t i = index % COURSES_BLOCK; i; i--) {
		const unsigned count = next_number(c, &cursor, COUNTS);
		cursor.at[FIRSTS] += count > 0;
		cursor.at[UNTILS] += count ? count - 1 : 0;
	}
	cursor.at[PLIES] = cursor.at[UNTILS];
	struct el_course course = {.step = steps};
	if (!next_course(c, &cursor, plies, steps, &course.count) || !course.count)
		return damaged(c, block, error);
	*out = el_course_at(course, (struct el_value){.outcome = EL_WIN}, clock).plies;
	return EL_OK;
}

enum el_status courses_read(const struct courses *c, struct el_planes *planes,
                            struct el_error *error)
{
	enum el_status status = EL_OK;
	planes->courses = el_courses_new();
	for (unsigned p = 0; p < planes->slice.planes; p++)
		planes->plane[p].course = malloc(planes->slice.positions * sizeof(uint32_t));
	if (!planes->courses || !planes->plane[0].course ||
	    (planes->slice.planes > 1 && !planes->plane[1].course))
		return no_memory(c, error);
	for (uint64_t b = 0; b < c->count && !status; b++) {
		struct el_plane *plane = &planes->plane[b / c->each];
		const uint64_t first = b % c->each * COURSES_BLOCK;
		uint8_t *bytes;
		size_t size;
		status = courses_load(c, b, &bytes, &size, error);
		if (status)
			break;
		struct cursor cursor = begin(c, b, bytes);
		for (uint64_t i = first; i < first + block_positions(c, b) && !status; i++) {
			struct el_course_step steps[EL_COURSE_MAX];
			size_t count;
			if (!next_course(c, &cursor, el_plane_value(plane, i).plies, steps,
			                 &count)) {
				status = damaged(c, b, error);
				break;
			}
			plane->course[i] =
				count ? el_courses_add(planes->courses, steps, count) : 0;
			if (count && !plane->course[i])
				status = no_memory(c, error);
		}
		free(bytes);
	}
	return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * Reading a table: the header when it is opened, the directory when the first block is wanted,
 * blocks one at a time, or all of them into planes. Decoders wait in a pool, so that threads need
 * not wait for each other.
 */
#include "cache.h"
#include "courses.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { DECODERS_KEPT = 16 };

/* What one thread needs to decode blocks. */
struct decoder {
	struct decoder *next;
	void *coder[2]; /* of each plane; opened when first used */
	uint8_t *bytes; /* a block as it is in the file; `room` of them */
	size_t room;
};

struct el_table {
	struct input input;
	struct table_header header;
	struct el_value *values[2]; /* as in memory: broken first */
	pthread_mutex_t lock;       /* over the members below */
	/* why the directory cannot be used; EL_OK if it can */
	struct el_error damage;
	/* the learned bytes, the blocks' entries; set before `offsets` */
	uint8_t *directory;
	/* each plane's coder with which any thread decodes single symbols, if the codec can; set
	   before `offsets` */
	void *prober[2];
	_Atomic(uint64_t *) offsets; /* block_count + 1; null until the directory has been read */
	struct decoder *idle;
	unsigned idle_count;
	_Atomic(struct courses *) courses; /* null until they are asked for */
};

/* ---- the directory ---- */

/* What the directory says of a block: its size, then its checksum. */
static const uint8_t *entry_of(const struct table_header *h, const uint8_t *directory,
                               uint64_t block)
{
	return directory + h->plane[0].learned + h->plane[1].learned + block * entry_size(h);
}

/* Reads the directory into `bytes` and checks it. `offsets`: where each block begins; the last is
   where the directory begins. */
static enum el_status load_directory(const struct el_table *t, uint8_t *bytes, size_t size,
                                     uint64_t *offsets, struct el_error *error)
{
	const struct table_header *h = &t->header;
	enum el_status status =
		input_read(&t->input, "directory", bytes, size, h->directory, error);
	if (status)
		return status;
	const uint64_t stored = h->directory_checksum, found = table_checksum(bytes, size);
	if (stored != found)
		return el_fail(error, EL_DAMAGED,
		               "%s: directory: expected checksum %016" PRIx64 ", found %016" PRIx64,
		               t->input.path, stored, found);
	uint64_t at = table_header_size(h);
	for (uint64_t i = 0; i < h->info.block_count; i++) {
		offsets[i] = at;
		at += get_le(entry_of(h, bytes, i), h->size_bytes);
	}
	offsets[h->info.block_count] = at;
	if (at == h->directory)
		return EL_OK;
	return el_fail(error, EL_DAMAGED,
	               "%s: directory: expected blocks up to %" PRIu64 ", found %" PRIu64,
	               t->input.path, h->directory, at);
}

/* What the codec learned from a plane. */
static const uint8_t *learned_of(const struct table_header *h, const uint8_t *directory,
                                 unsigned plane)
{
	return directory + (plane ? h->plane[0].learned : 0);
}

/* Those of both planes. */
static void close_coders(const struct el_table *t, void *coder[2])
{
	for (unsigned p = 0; p < 2; p++) {
		if (coder[p])
			t->header.info.options.codec.codec->close(coder[p]);
		coder[p] = NULL;
	}
}

static enum el_status read_directory(struct el_table *t, struct el_error *error)
{
	const size_t size = (size_t)directory_size(&t->header);
	uint8_t *bytes = malloc(size);
	uint64_t *offsets = malloc((t->header.info.block_count + 1) * sizeof *offsets);
	enum el_status status =
		bytes && offsets
			? load_directory(t, bytes, size, offsets, error)
			: el_fail(error, EL_MEMORY, "%s: directory: out of memory", t->input.path);
	const struct table_header *h = &t->header;
	const struct el_codec *codec = h->info.options.codec.codec;
	for (unsigned p = 0; p < h->info.slice.planes && codec->decode_one && !status; p++) {
		struct el_error inner;
		const struct el_codec_params params = table_codec_params(h, p);
		if (!el_table_keeps(&h->info.options, p))
			continue;
		status = codec->open(&params, learned_of(h, bytes, p), h->plane[p].learned,
		                     &t->prober[p], &inner);
		if (status)
			el_fail(error, status, "%s: directory: %s", t->input.path, inner.text);
	}
	if (status) {
		close_coders(t, t->prober);
		free(bytes);
		free(offsets);
		return status;
	}
	t->directory = bytes;
	atomic_store_explicit(&t->offsets, offsets, memory_order_release);
	return EL_OK;
}

static enum el_status want_directory(struct el_table *t, struct el_error *error)
{
	if (atomic_load_explicit(&t->offsets, memory_order_acquire))
		return EL_OK;
	pthread_mutex_lock(&t->lock);
	enum el_status status = EL_OK;
	if (t->damage.status)
		status = el_fail(error, t->damage.status, "%s", t->damage.text);
	else if (!atomic_load_explicit(&t->offsets, memory_order_relaxed))
		status = read_directory(t, error);
	/* Remember it: a large directory is not read again for every block. */
	if (status == EL_DAMAGED && !t->damage.status)
		el_fail(&t->damage, status, "%s", error ? error->text : t->input.path);
	pthread_mutex_unlock(&t->lock);
	return status;
}

static void decoder_free(const struct el_table *t, struct decoder *d)
{
	close_coders(t, d->coder);
	free(d->bytes);
	free(d);
}

/* ---- blocks ---- */

/* A block's plane, and its first position there. */
static unsigned plane_of(const struct el_table *t, uint64_t block, uint64_t *start)
{
	const struct el_table_info *info = &t->header.info;
	unsigned plane = block >= blocks_in_plane(info, 0);
	*start = (block - t->header.plane[plane].first_block) << block_shift(info);
	return plane;
}

size_t el_table_block_count(const struct el_table *t, uint64_t block)
{
	const struct el_table_info *info = &t->header.info;
	uint64_t start;
	const unsigned plane = plane_of(t, block, &start);
	return piece_at(start, info->positions[plane], info->options.block_positions);
}

void el_table_find(const struct el_table *t, const struct el_place *place,
                   struct el_table_spot *out)
{
	const struct table_plane *plane = &t->header.plane[place->plane];
	const uint32_t most = t->header.info.options.block_positions;
	const uint64_t number = numbering_of(&plane->numbering, place);
	out->at = number & (most - 1);
	const uint64_t rest = t->header.info.positions[place->plane] - (number - out->at);
	out->block = plane->first_block + (number >> __builtin_ctz(most));
	out->count = rest < most ? (size_t)rest : most;
}

uint64_t el_table_block_of(const struct el_table *t, unsigned plane, uint64_t number)
{
	return t->header.plane[plane].first_block + (number >> block_shift(&t->header.info));
}

uint64_t el_table_block_offset(const struct el_table *t, uint64_t block)
{
	return atomic_load_explicit(&t->offsets, memory_order_acquire)[block];
}

/* The bytes of a block; the directory has been read. */
static size_t block_size(const struct el_table *t, uint64_t block)
{
	const uint64_t *offsets = atomic_load_explicit(&t->offsets, memory_order_acquire);
	return (size_t)(offsets[block + 1] - offsets[block]);
}

static enum el_status block_error(const struct el_table *t, uint64_t block, enum el_status status,
                                  const char *text, struct el_error *error)
{
	return el_fail(error, status, "%s: block %" PRIu64 ": %s", t->input.path, block, text);
}

/* Reads the directory, and refuses a size larger than the codec ever writes for a block. */
static enum el_status want_block(struct el_table *t, uint64_t block, struct el_error *error)
{
	uint64_t start;
	const enum el_status status = want_directory(t, error);
	if (status)
		return status;
	struct el_codec_params params = table_codec_params(&t->header, plane_of(t, block, &start));
	const size_t found = block_size(t, block), most = t->header.info.options.codec.codec->bound(
							   &params, params.block_positions);
	if (found <= most)
		return EL_OK;
	return el_fail(error, EL_DAMAGED,
	               "%s: block %" PRIu64 ": expected at most %zu bytes, found %zu",
	               t->input.path, block, most, found);
}

/* Reads block_size bytes and checks them. */
static enum el_status fetch(const struct el_table *t, uint64_t block, uint8_t *bytes,
                            struct el_error *error)
{
	const uint64_t *offsets = atomic_load_explicit(&t->offsets, memory_order_acquire);
	const size_t size = block_size(t, block);
	char what[32];
	snprintf(what, sizeof what, "block %" PRIu64, block);
	enum el_status status = input_read(&t->input, what, bytes, size, offsets[block], error);
	if (status)
		return status;
	const uint8_t *entry = entry_of(&t->header, t->directory, block);
	const uint32_t stored = get_u32(entry + t->header.size_bytes);
	const uint32_t found = table_block_checksum(bytes, size);
	if (stored == found)
		return EL_OK;
	return el_fail(error, EL_DAMAGED,
	               "%s: %s: expected checksum %08" PRIx32 ", found %08" PRIx32, t->input.path,
	               what, stored, found);
}

enum el_status el_table_read_bytes(struct el_table *t, uint64_t block, uint8_t **bytes,
                                   size_t *size, struct el_error *error)
{
	enum el_status status = want_block(t, block, error);
	if (status)
		return status;
	*size = block_size(t, block);
	*bytes = malloc(*size + 1);
	if (!*bytes)
		return block_error(t, block, EL_MEMORY, "out of memory", error);
	status = fetch(t, block, *bytes, error);
	if (status)
		free(*bytes);
	return status;
}

enum el_status el_table_decode_one(struct el_table *t, uint64_t block, const uint8_t *bytes,
                                   size_t size, size_t at, uint16_t *symbol, struct el_error *error)
{
	struct el_error inner;
	uint64_t start;
	unsigned plane = plane_of(t, block, &start);
	enum el_status status = t->header.info.options.codec.codec->decode_one(
		t->prober[plane], bytes, size, el_table_block_count(t, block), at, symbol, &inner);
	if (status)
		return block_error(t, block, status, inner.text, error);
	*symbol = (uint16_t)(*symbol + table_symbol_base(&t->header.plane[plane]));
	return EL_OK;
}

/* The decoder opens a plane's coder, with room for its largest block, when first used. */
static enum el_status decode(const struct el_table *t, struct decoder *d, uint64_t block,
                             uint16_t *symbols, size_t count, struct el_error *error)
{
	uint64_t start;
	struct el_error inner;
	const struct table_header *h = &t->header;
	const struct el_codec *codec = h->info.options.codec.codec;
	const unsigned plane = plane_of(t, block, &start);
	enum el_status status = EL_OK;
	if (!d->coder[plane]) {
		const struct el_codec_params params = table_codec_params(h, plane);
		const size_t room = codec->bound(&params, params.block_positions);
		if (room > d->room) {
			uint8_t *bytes = realloc(d->bytes, room);
			if (!bytes)
				return block_error(t, block, EL_MEMORY, "out of memory", error);
			d->bytes = bytes;
			d->room = room;
		}
		status = codec->open(&params, learned_of(h, t->directory, plane),
		                     h->plane[plane].learned, &d->coder[plane], &inner);
		if (status)
			return block_error(t, block, status, inner.text, error);
	}
	status = fetch(t, block, d->bytes, error);
	if (status)
		return status;
	if (codec->begin)
		codec->begin(d->coder[plane], start);
	status = codec->decode(d->coder[plane], d->bytes, block_size(t, block), symbols, count,
	                       &inner);
	if (status)
		return block_error(t, block, status, inner.text, error);
	uint16_t base = table_symbol_base(&h->plane[plane]);
	for (size_t i = 0; i < count; i++)
		symbols[i] = (uint16_t)(symbols[i] + base);
	return EL_OK;
}

enum el_status el_table_read_front(struct el_table *t, uint64_t block, uint16_t *symbols,
                                   size_t count, struct el_error *error)
{
	enum el_status status = want_block(t, block, error);
	if (status)
		return status;
	pthread_mutex_lock(&t->lock);
	struct decoder *d = t->idle;
	if (d) {
		t->idle = d->next;
		t->idle_count--;
	}
	pthread_mutex_unlock(&t->lock);
	d = d ? d : calloc(1, sizeof *d);
	if (!d)
		return block_error(t, block, EL_MEMORY, "out of memory", error);
	status = decode(t, d, block, symbols, count, error);
	pthread_mutex_lock(&t->lock);
	const bool keep = t->idle_count < DECODERS_KEPT;
	if (keep) {
		d->next = t->idle;
		t->idle = d;
		t->idle_count++;
	}
	pthread_mutex_unlock(&t->lock);
	if (!keep)
		decoder_free(t, d);
	return status;
}

enum el_status el_table_read_block(struct el_table *t, uint64_t block, uint16_t *symbols,
                                   struct el_error *error)
{
	return el_table_read_front(t, block, symbols, el_table_block_count(t, block), error);
}

enum el_status el_table_each_block(struct el_table *t, const struct el_watch *watch,
                                   el_block_visit *visit, struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	enum el_status status = EL_OK;
	uint64_t done = 0;
	char what[EL_SLICE_MAX + 32];
	snprintf(what, sizeof what, "%s %s", info->slice.name, info->metric->name);
#pragma omp parallel
	{
		uint16_t *symbols = malloc(info->options.block_positions * sizeof *symbols);
#pragma omp for schedule(dynamic, 1)
		for (uint64_t block = 0; block < info->block_count; block++) {
			struct el_error why;
			enum el_status one;
#pragma omp atomic read
			one = status;
			if (one)
				continue;
			one = symbols ? el_table_read_block(t, block, symbols, &why)
			              : el_fail(&why, EL_MEMORY, "%s: out of memory",
			                        el_table_path(t));
			if (!one && visit)
				one = visit(t, block, symbols, el_table_block_count(t, block),
				            &why);
			if (!one && !watch)
				continue;
#pragma omp critical(each_block)
			{
				const struct el_progress progress = {
					"checking", what, (double)++done, (double)info->block_count,
					.unit = "blocks"};
				if (!one && !status && !el_watch_tick(watch, &progress))
					one = el_fail(&why, EL_STOPPED, "stopped");
				if (one && !status) {
					el_fail(error, one, "%s", why.text);
#pragma omp atomic write
					status = one;
				}
			}
		}
		free(symbols);
	}
	return status;
}

/* ---- courses ---- */

static enum el_status want_courses(struct el_table *t, struct el_error *error)
{
	struct courses *opened = NULL;
	if (atomic_load_explicit(&t->courses, memory_order_acquire))
		return EL_OK;
	pthread_mutex_lock(&t->lock);
	enum el_status status = EL_OK;
	if (!atomic_load_explicit(&t->courses, memory_order_relaxed))
		status = courses_open(&t->input, &t->header, &opened, error);
	if (opened)
		atomic_store_explicit(&t->courses, opened, memory_order_release);
	pthread_mutex_unlock(&t->lock);
	return status;
}

enum el_status el_table_check_courses(struct el_table *t, struct el_error *error)
{
	const bool has = t->header.info.metric->by_clock;
	enum el_status status = has ? want_courses(t, error) : EL_OK;
	return status || !has ? status : courses_check(atomic_load(&t->courses), error);
}

/* A question to a block of courses. */
struct at_clock {
	struct el_table *table;
	uint64_t index;
	unsigned plies, clock;
};

static enum el_status load_at(void *context, uint64_t block, uint8_t **bytes, size_t *size,
                              struct el_error *error)
{
	const struct at_clock *q = context;
	return courses_load(atomic_load(&q->table->courses),
	                    block - q->table->header.info.block_count, bytes, size, error);
}

static enum el_status read_at(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                              size_t at, uint16_t *plies, struct el_error *error)
{
	const struct at_clock *q = context;
	(void)size, (void)at;
	return courses_plies(atomic_load(&q->table->courses),
	                     block - q->table->header.info.block_count, bytes, q->index, q->plies,
	                     q->clock, plies, error);
}

enum el_status el_table_at_clock(struct el_table *t, struct el_cache *cache, uint64_t owner,
                                 const struct el_place *place, unsigned clock, bool soft,
                                 struct el_value *value, struct el_error *error)
{
	const struct el_metric *metric = t->header.info.metric;
	struct at_clock question = {t, place->index, value->plies, clock};
	const struct el_cache_reader reader = {&question, soft ? NULL : load_at, read_at};
	uint16_t plies;
	if (!metric->by_clock || !value->plies || value->plies + clock <= metric->limit)
		return EL_OK;
	if (soft && !atomic_load_explicit(&t->courses, memory_order_acquire))
		return el_fail(error, EL_NEGATIVE, "%s: courses: not in memory", t->input.path);
	enum el_status status = want_courses(t, error);
	if (status)
		return status;
	const uint64_t block =
		t->header.info.block_count +
		courses_block_of(atomic_load(&t->courses), place->plane, place->index);
	status = el_cache_read(cache, owner, block, 0, &reader, &plies, error);
	if (status)
		return status;
	value->plies = plies;
	if (!plies)
		value->outcome = (uint8_t)el_outcome_too_late(value->outcome);
	return EL_OK;
}

/* ---- opening and closing ---- */

enum el_status el_table_open(const char *path, struct el_table **out, struct el_error *error)
{
	struct el_table *t = calloc(1, sizeof *t);
	if (!t)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	pthread_mutex_init(&t->lock, NULL);
	enum el_status status = input_open(path, &t->input, error);
	if (!status)
		status = table_header_read(&t->input, &t->header, error);
	for (unsigned p = 0; p < t->header.info.slice.planes && !status; p++) {
		const struct table_plane *plane = &t->header.plane[p];
		t->values[p] = malloc((plane->value_count + 1u) * sizeof *t->values[p]);
		if (!t->values[p]) {
			status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
			break;
		}
		t->values[p][0] = (struct el_value){.outcome = EL_BROKEN};
		if (plane->value_count)
			memcpy(t->values[p] + table_symbol_base(plane), plane->values,
			       plane->value_count * sizeof *plane->values);
	}
	if (status)
		el_table_close(t);
	else
		*out = t;
	return status;
}

void el_table_close(struct el_table *t)
{
	if (!t)
		return;
	for (struct decoder *d = t->idle, *next; d; d = next) {
		next = d->next;
		decoder_free(t, d);
	}
	close_coders(t, t->prober);
	pthread_mutex_destroy(&t->lock);
	table_header_free(&t->header);
	free(t->values[0]);
	free(t->values[1]);
	free(t->directory);
	free(atomic_load(&t->offsets));
	courses_close(atomic_load(&t->courses));
	input_close(&t->input);
	free(t);
}

const struct el_table_info *el_table_info(const struct el_table *t)
{
	return &t->header.info;
}

const char *el_table_path(const struct el_table *t)
{
	return t->input.path;
}

const struct el_value *el_table_values(const struct el_table *t, unsigned plane, uint32_t *count)
{
	const struct table_plane *of = &t->header.plane[plane];
	*count = of->value_count ? of->value_count + table_symbol_base(of) : 1;
	return t->values[plane];
}

/* ---- all of it ---- */

/* Reads a plane in the order of the file. If several blocks are damaged, reports the first. */
static enum el_status read_blocks(struct el_table *t, unsigned plane, uint16_t *symbols,
                                  struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	uint64_t first = t->header.plane[plane].first_block, count = blocks_in_plane(info, plane);
	uint64_t worst = UINT64_MAX;
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic, 1)
	for (uint64_t b = 0; b < count; b++) {
		struct el_error one_error;
		enum el_status one = el_table_read_block(
			t, first + b, symbols + b * info->options.block_positions, &one_error);
		if (one) {
#pragma omp critical(table_read_error)
			if (b < worst) {
				worst = b;
				status = el_fail(error, one, "%s", one_error.text);
			}
		}
	}
	return status;
}

static enum el_status read_plane(struct el_table *t, unsigned p, struct el_plane *plane,
                                 struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	const struct el_slice *slice = &info->slice;
	const struct numbering *n = &t->header.plane[p].numbering;
	const struct el_value *values = el_table_values(t, p, &plane->value_count);
	const bool kept = el_table_keeps(&info->options, p);
	plane->symbols = kept ? malloc(info->positions[p] * sizeof *plane->symbols)
	                      : calloc(slice->positions, sizeof *plane->symbols);
	plane->values = malloc(plane->value_count * sizeof *plane->values);
	if (!plane->symbols || !plane->values)
		return el_fail(error, EL_MEMORY, "%s: out of memory", el_table_path(t));
	memcpy(plane->values, values, plane->value_count * sizeof *values);
	if (!kept)
		return EL_OK;
	enum el_status status = read_blocks(t, p, plane->symbols, error);
	if (!status && n->count) {
		uint16_t *by_index = malloc(slice->positions * sizeof *by_index);
		if (!by_index)
			return el_fail(error, EL_MEMORY, "%s: out of memory", el_table_path(t));
#pragma omp parallel for
		for (uint64_t first = 0; first < slice->positions; first += n->run) {
			const size_t count = piece_at(first, slice->positions, n->run);
			uint64_t number = numbering_of_index(n, slice, first);
			for (size_t i = 0; i < count; i++, number += n->step)
				by_index[first + i] = plane->symbols[number];
		}
		free(plane->symbols);
		plane->symbols = by_index;
	}
	return status ? status : el_plane_canonical(plane, slice->positions, error);
}

enum el_status el_table_read(struct el_table *t, struct el_planes *out, struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	*out = (struct el_planes){
		.slice = info->slice,
		.metric = info->metric,
		.passes = info->passes,
	};
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		status = read_plane(t, p, &out->plane[p], error);
	if (!status && info->metric->by_clock && !(status = want_courses(t, error)))
		status = courses_read(atomic_load(&t->courses), out, error);
	if (status)
		el_planes_free(out);
	return status;
}

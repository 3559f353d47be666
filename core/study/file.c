/* SPDX-License-Identifier: MIT */
#include "file.h"

#include "core/os/files.h"
#include "core/table/cache.h"
#include "core/table/format.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	AT_COUNT = 4,
	AT_FOLLOWED = 8,
	AT_ROOT = AT_FOLLOWED + 4 * (EL_FRAME_MOVERS + 1),
	AT_SIZES = AT_ROOT + EL_FEN_MAX,
	AT_LIST = AT_SIZES + 24,
	KEY_SIZE = sizeof((struct el_frame *)0)->key,
	FILED_SIZE = KEY_SIZE + 1,
};

size_t study_list_size(size_t count)
{
	return AT_LIST + count * FILED_SIZE + CHECKSUM_SIZE;
}

static enum el_status damaged(const char *path, const char *what, uint64_t expected, uint64_t found,
                              struct el_error *error)
{
	return el_fail(error, EL_DAMAGED,
	               "%s: list of frames: %s: expected %" PRIu64 ", found %" PRIu64, path, what,
	               expected, found);
}

void study_list_write(const struct study_file *f, uint8_t *out)
{
	memset(out, 0, AT_LIST);
	put_le(out, 4, STUDY_VERSION);
	put_le(out + AT_COUNT, 4, f->count);
	for (unsigned i = 0; i <= EL_FRAME_MOVERS; i++)
		put_le(out + AT_FOLLOWED + 4 * i, 4, f->followed[i]);
	f->info->slice.game->format(&f->root, (char *)out + AT_ROOT);
	put_le(out + AT_SIZES, 8, f->size.frames);
	put_le(out + AT_SIZES + 8, 8, f->size.positions);
	put_le(out + AT_SIZES + 16, 8, f->size.exact);
	uint8_t *at = out + AT_LIST;
	for (size_t i = 0; i < f->count; i++) {
		for (unsigned k = 0; k < KEY_SIZE / 8; k++, at += 8)
			put_le(at, 8, f->list[i].frame.key[k]);
		*at++ = (uint8_t)(f->list[i].is_solved + 2 * f->list[i].is_fresh);
	}
	table_seal(out, (size_t)(at - out));
}

static size_t slot_of(const struct study_file *f, const struct el_frame *key)
{
	size_t n = study_hash(key) & (f->slots - 1);
	while (f->slot[n] && !el_frame_equal(&f->list[f->slot[n] - 1].frame, key))
		n = (n + 1) & (f->slots - 1);
	return n;
}

/* Takes the list apart. Its checksum was right, but nothing else in it is trusted. */
static enum el_status read_list(struct study_file *f, const char *path, const uint8_t *bytes,
                                struct el_error *error)
{
	const struct el_game *game = f->info->slice.game;
	struct el_error why;
	char root[EL_FEN_MAX];
	memcpy(root, bytes + AT_ROOT, sizeof root);
	root[sizeof root - 1] = '\0';
	if (game->parse(root, &f->root, &why))
		return el_fail(error, EL_DAMAGED, "%s: root: %s", path, why.text);
	for (unsigned i = 0; i <= EL_FRAME_MOVERS; i++)
		f->followed[i] = get_u32(bytes + AT_FOLLOWED + 4 * i);
	f->size = (struct el_study_size){.frames = get_le(bytes + AT_SIZES, 8),
	                                 .positions = get_le(bytes + AT_SIZES + 8, 8),
	                                 .exact = get_le(bytes + AT_SIZES + 16, 8)};
	f->slots = 4;
	while (f->slots < 2 * (size_t)f->count)
		f->slots *= 2;
	f->list = calloc(f->count + 1u, sizeof *f->list);
	f->slot = calloc(f->slots, sizeof *f->slot);
	if (!f->list || !f->slot)
		return el_fail(error, EL_MEMORY, "%s: list of frames: out of memory", path);
	uint64_t first = 0;
	const uint8_t *at = bytes + AT_LIST;
	for (uint32_t i = 0; i < f->count; i++) {
		struct filed *filed = &f->list[i];
		for (unsigned k = 0; k < KEY_SIZE / 8; k++, at += 8)
			filed->frame.key[k] = get_le(at, 8);
		filed->is_solved = *at & 1;
		filed->is_fresh = *at++ >> 1 & 1;
		filed->first = first;
		const bool valid = f->frames->valid(&filed->frame);
		const size_t words = valid ? f->frames->words(&filed->frame) : 0;
		filed->half = 64 * (uint64_t)words;
		uint32_t *slot = &f->slot[slot_of(f, &filed->frame)];
		if (!words || *slot)
			return el_fail(error, EL_DAMAGED,
			               "%s: list of frames: frame %" PRIu32
			               ": expected %s, found %s",
			               path, i,
			               words   ? "each frame once"
			               : valid ? "few pieces that move"
			                       : "pieces of a position",
			               words   ? "a frame again"
			               : valid ? "too many"
			                       : "others");
		*slot = i + 1;
		first += 2 * filed->half;
	}
	return first == f->info->slice.positions
	               ? EL_OK
	               : damaged(path, "addresses", f->info->slice.positions, first, error);
}

enum el_status study_file_open(const char *path, struct study_file *out, struct el_error *error)
{
	struct input input = {.path = NULL};
	*out = (struct study_file){.table = NULL};
	enum el_status status = el_table_open(path, &out->table, error);
	if (status)
		return status;
	out->info = el_table_info(out->table);
	out->frames = out->info->slice.game->frames;
	if (!out->info->slice.is_study || !out->frames)
		return el_fail(error, EL_DAMAGED, "%s: expected a study, found a table of %s", path,
		               out->info->slice.name);
	const struct el_value *values = el_table_values(out->table, 0, &out->value_count);
	out->values = malloc(out->value_count * sizeof *out->values);
	if (!out->values)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	for (uint32_t s = 0; s < out->value_count; s++) {
		struct el_value *v = &out->values[s];
		*v = values[s];
		if (v->outcome == EL_UNKNOWN && v->plies)
			v->outcome = EL_BROKEN;
		v->at_most = v->plies >= STUDY_ROUGH;
		v->plies &= STUDY_ROUGH - 1;
	}
	status = input_open(path, &input, error);
	const uint64_t from = out->info->bytes,
		       size = status ? 0 : (uint64_t)input.is.st_size - from;
	uint8_t *bytes = NULL;
	if (!status && (size < AT_LIST + CHECKSUM_SIZE || size > SIZE_MAX / 2))
		status = damaged(path, "bytes", AT_LIST + CHECKSUM_SIZE, size, error);
	if (!status && !(bytes = malloc((size_t)size)))
		status = el_fail(error, EL_MEMORY, "%s: list of frames: out of memory", path);
	if (!status)
		status = input_read(&input, "list of frames", bytes, (size_t)size, from, error);
	input_close(&input);
	if (!status) {
		const uint32_t version = get_u32(bytes);
		const size_t body = (size_t)size - CHECKSUM_SIZE;
		const uint64_t stored = get_le(bytes + body, CHECKSUM_SIZE),
			       found = table_checksum(bytes, body);
		out->count = get_u32(bytes + AT_COUNT);
		if (version > STUDY_VERSION)
			status = el_fail(error, EL_UNREADABLE,
			                 "%s: list of frames: version: found %" PRIu32
			                 ", expected %d; a newer endlab reads it",
			                 path, version, STUDY_VERSION);
		else if (stored != found)
			status = el_fail(error, EL_DAMAGED,
			                 "%s: list of frames: expected checksum %016" PRIx64
			                 ", found %016" PRIx64,
			                 path, stored, found);
		else if (study_list_size(out->count) != size)
			status = damaged(path, "bytes", study_list_size(out->count), size, error);
		else
			status = read_list(out, path, bytes, error);
	}
	free(bytes);
	return status;
}

void study_file_close(struct study_file *f)
{
	el_table_close(f->table);
	free(f->values);
	free(f->list);
	free(f->slot);
	*f = (struct study_file){.table = NULL};
}

uint32_t study_file_frame(const struct study_file *f, const struct el_frame *key)
{
	return f->slot[slot_of(f, key)] - 1; /* 0: a free slot */
}

bool study_file_find(const struct study_file *f, const struct el_position *p, uint64_t *address)
{
	struct el_frame key;
	f->frames->of(p, &key);
	const uint32_t found = f->slot[slot_of(f, &key)];
	const struct filed *filed = found ? &f->list[found - 1] : NULL;
	if (!filed || !filed->is_solved)
		return false;
	*address = filed->first + f->frames->address(&key, p) + (p->side ? filed->half : 0);
	return true;
}

const struct filed *study_frame_at(const struct study_file *f, uint64_t address)
{
	size_t low = 0, high = f->count - 1;
	while (low < high) {
		const size_t middle = (low + high + 1) / 2;
		if (f->list[middle].first <= address)
			low = middle;
		else
			high = middle - 1;
	}
	return &f->list[low];
}

static enum el_status load(void *table, uint64_t block, uint16_t *symbols, size_t count,
                           struct el_error *error)
{
	return el_table_read_front(table, block, symbols, count, error);
}

enum el_status study_file_symbol(const struct study_file *f, struct el_cache *cache, uint64_t owner,
                                 uint64_t address, bool soft, uint16_t *symbol,
                                 struct el_error *error)
{
	const struct el_cache_loader loader = {f->table, f->info->options.codec.codec->stops, load};
	struct el_table_spot spot;
	el_table_find(f->table, &(struct el_place){.index = address}, &spot);
	return el_cache_symbol(cache, owner, spot.block, spot.count, spot.at, soft ? NULL : &loader,
	                       symbol, error);
}

/* SPDX-License-Identifier: MIT */
#include "study_reader.h"

enum { CACHE_ROOM = 16 << 20 };

enum el_status study_reader_open(const char *path, uint64_t memory, struct study_reader *out,
                                 struct el_error *error)
{
	uint64_t address;
	uint16_t symbol;
	*out = (struct study_reader){.cache = NULL};
	enum el_status status = study_file_open(path, &out->file, error);
	if (status)
		return status;
	const uint64_t all = out->file.info->slice.positions * sizeof(uint16_t) + CACHE_ROOM;
	out->values = el_table_values(out->file.table, 0, &out->value_count);
	status = el_cache_open((size_t)(all < memory ? all : memory), &out->cache, error);
	if (status)
		return status;
	out->owner = el_cache_owner(out->cache);
	if (!study_file_find(&out->file, &out->file.root, &address))
		return el_fail(error, EL_DAMAGED, "%s: list of frames: expected that of the root",
		               path);
	status = study_symbol_at(out, address, &symbol, error);
	if (!status && study_symbol_value(out, symbol).outcome == EL_BROKEN)
		status = el_fail(error, EL_DAMAGED, "%s: the root has no value", path);
	return status;
}

void study_reader_close(struct study_reader *r)
{
	el_cache_close(r->cache);
	study_file_close(&r->file);
}

static enum el_status load(void *context, uint64_t block, uint16_t *symbols, size_t count,
                           struct el_error *error)
{
	const struct study_reader *r = context;
	return el_table_read_front(r->file.table, block, symbols, count, error);
}

enum el_status study_symbol_at(struct study_reader *r, uint64_t address, uint16_t *symbol,
                               struct el_error *error)
{
	const struct el_cache_loader loader = {r, r->file.info->options.codec.codec->stops, load};
	const struct el_place place = {.index = address};
	struct el_table_spot spot;
	el_table_find(r->file.table, &place, &spot);
	return el_cache_symbol(r->cache, r->owner, spot.block, spot.count, spot.at, &loader, symbol,
	                       error);
}

struct el_value study_symbol_value(const struct study_reader *r, uint16_t symbol)
{
	struct el_value v = r->values[symbol];
	if (v.outcome == EL_UNKNOWN && v.plies)
		v.outcome = EL_BROKEN;
	v.at_most = v.plies >= STUDY_ROUGH;
	v.plies &= STUDY_ROUGH - 1;
	return v;
}

const struct filed *study_frame_at(const struct study_reader *r, uint64_t address)
{
	size_t low = 0, high = r->file.count - 1;
	while (low < high) {
		const size_t middle = (low + high + 1) / 2;
		if (r->file.list[middle].first <= address)
			low = middle;
		else
			high = middle - 1;
	}
	return &r->file.list[low];
}

bool study_position_at(const struct study_reader *r, const struct el_sets *sets, unsigned side,
                       uint64_t at, struct el_position *out)
{
	const struct el_frames *frames = r->file.frames;
	struct el_exit exits[EL_EXITS_MAX];
	struct el_frame frame;
	if (!frames->position(sets, side, at, out))
		return false;
	/* In a choice, a pawn stands on its last square: it is legal if the piece chosen is. */
	struct el_position legal = *out;
	frames->of(out, &frame);
	if (frames->chooses(&frame) < 2) {
		frames->exits(sets, frames->chooses(&frame), exits);
		frames->choose(&exits[0], &legal);
	}
	return r->file.info->slice.game->legal(&legal, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "study_reader.h"

enum { CACHE_ROOM = 16 << 20 };

enum el_status study_reader_open(const char *path, uint64_t memory, struct study_reader *out,
                                 struct el_error *error)
{
	uint64_t address;
	*out = (struct study_reader){.cache = NULL};
	enum el_status status = study_file_open(path, &out->file, error);
	if (status)
		return status;
	const uint64_t all = out->file.info->slice.positions * sizeof(uint16_t) + CACHE_ROOM;
	status = el_cache_open((size_t)(all < memory ? all : memory), &out->cache, error);
	if (status)
		return status;
	out->owner = el_cache_owner(out->cache);
	if (!study_file_find(&out->file, &out->file.root, &address))
		return el_fail(error, EL_DAMAGED, "%s: list of frames: expected that of the root",
		               path);
	status = study_stored_at(out, address, &out->root, error);
	if (!status && out->root.outcome == EL_BROKEN)
		status = el_fail(error, EL_DAMAGED, "%s: the root has no value", path);
	return status;
}

void study_reader_close(struct study_reader *r)
{
	el_cache_close(r->cache);
	study_file_close(&r->file);
}

static enum el_status symbol_at(const struct study_reader *r, uint64_t address, uint16_t *symbol,
                                struct el_error *error)
{
	return study_file_symbol(&r->file, r->cache, r->owner, address, false, symbol, error);
}

enum el_status study_stored_at(const struct study_reader *r, uint64_t address, struct el_value *out,
                               struct el_error *error)
{
	uint16_t symbol;
	const enum el_status status = symbol_at(r, address, &symbol, error);
	if (!status)
		*out = r->file.values[symbol];
	return status;
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

enum el_status study_next(struct study_part *p, bool *found, struct el_error *error)
{
	const struct study_reader *r = p->reader;
	enum el_status status = EL_OK;
	*found = false;
	if (!p->sets)
		status = r->file.frames->open(&p->filed->frame, &p->sets, error);
	for (; p->next < p->end && !status && !*found; p->next++) {
		p->address = p->next;
		p->side = p->address - p->filed->first >= p->filed->half;
		p->at = p->address - p->filed->first - p->side * p->filed->half;
		status = symbol_at(r, p->address, &p->symbol, error);
		*found = !status && r->file.values[p->symbol].outcome != EL_BROKEN &&
		         study_position_at(r, p->sets, p->side, p->at, &p->position);
	}
	return status;
}

enum el_status study_parts(const struct study_reader *r, uint64_t first, uint64_t end,
                           enum el_status (*take)(void *context, unsigned thread,
                                                  struct study_part *, struct el_error *),
                           void *context, unsigned thread, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (uint64_t after; first < end && !status; first = after) {
		const struct filed *filed = study_frame_at(&r->file, first);
		after = filed->first + 2 * filed->half;
		struct study_part part = {.reader = r,
		                          .filed = filed,
		                          .next = first,
		                          .end = after < end ? after : end};
		status = take(context, thread, &part, error);
		if (part.sets)
			part.sets->close(part.sets);
	}
	return status;
}

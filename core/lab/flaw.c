/* SPDX-License-Identifier: MIT */
#include "flaw.h"
#include "run.h"

#include "core/os/files.h"
#include "core/planes/planes.h"
#include "core/whole/whole.h"

#include <stdlib.h>
#include <unistd.h>

struct el_flawed {
	struct folder folder;
	struct el_library *library; /* open on the folder */
};

struct el_library *el_flawed_library(const struct el_flawed *f)
{
	return f->library;
}

void el_flawed_remove(struct el_flawed *f)
{
	folder_remove(&f->folder);
}

void el_flawed_close(struct el_flawed *f)
{
	if (!f)
		return;
	el_library_close(f->library);
	el_flawed_remove(f);
	free(f);
}

/* Gives the value to one index, or to all that are not broken. */
static enum el_status change_values(struct el_planes *planes, const struct el_place *place,
                                    const struct el_flaw *flaw, struct el_error *error)
{
	const bool all = flaw->kind == EL_FLAW_ALL;
	el_planes_mark_broken(planes);
	for (unsigned p = all ? 0 : place->plane; p < planes->slice.planes; p++) {
		struct el_plane *plane = &planes->plane[p];
		const uint16_t symbol = el_plane_add_value(plane, flaw->value);
		if (!symbol)
			return el_fail(error, EL_MEMORY, "%s: no room for another value",
			               planes->slice.name);
		for (uint64_t i = 0; all && i < planes->slice.positions; i++)
			plane->symbols[i] = plane->symbols[i] ? symbol : 0;
		if (!all)
			plane->symbols[place->index] = symbol;
		const enum el_status status =
			el_plane_canonical(plane, planes->slice.positions, error);
		if (status || !all)
			return status;
	}
	return EL_OK;
}

/* Flips a bit in the middle of the block that holds the place. */
static enum el_status flip_bit(const char *path, const struct el_place *place,
                               struct el_error *error)
{
	struct el_table *table;
	struct el_table_spot spot;
	uint8_t *bytes = NULL;
	size_t size = 0;
	off_t at = 0;
	int fd = -1;
	enum el_status status = el_table_open(path, &table, error);
	if (status)
		return status;
	el_table_find(table, place, &spot);
	status = el_table_read_bytes(table, spot.block, &bytes, &size, error);
	if (!status)
		at = (off_t)(el_table_block_offset(table, spot.block) + size / 2);
	el_table_close(table);
	if (!status)
		status = output_open(path, 0, &fd, error);
	if (!status) {
		bytes[size / 2] ^= 1;
		if (pwrite(fd, &bytes[size / 2], 1, at) != 1)
			status = el_fail(error, EL_IO, "%s: cannot write: %m", path);
		close(fd);
	}
	free(bytes);
	return status;
}

static enum el_status write_copy(struct el_library *library, const struct el_slice *slice,
                                 const struct el_place *place, const struct el_flaw *flaw,
                                 const struct el_watch *watch, const char *path,
                                 struct el_error *error)
{
	/* Nothing is derived: each value that a probe returns is in the copy. */
	const struct el_table_options options = el_table_options_default();
	const struct el_metric *metric = el_game_metric(slice->game);
	struct el_planes planes;
	uint64_t bytes;
	enum el_status status = el_library_planes(library, slice, metric, watch, &planes, error);
	if (status)
		return status;
	if (flaw->kind != EL_FLAW_BIT)
		status = change_values(&planes, place, flaw, error);
	if (!status)
		status = el_table_write(path, &planes, &options, watch, &bytes, error);
	el_planes_free(&planes);
	return status || flaw->kind != EL_FLAW_BIT ? status : flip_bit(path, place, error);
}

enum el_status el_flawed_open(struct el_library *library, const struct el_game *game,
                              const struct el_position *position, const struct el_flaw *flaw,
                              const struct el_watch *watch, struct el_flawed **out,
                              struct el_error *error)
{
	struct el_slice slice;
	struct el_place place;
	enum el_status status = game->slice_of(position, &slice, error);
	struct el_flawed *f = status ? NULL : calloc(1, sizeof *f);
	if (status)
		return status;
	if (!f)
		return el_fail(error, EL_MEMORY, "out of memory");
	const struct folder_use use = {
		.library = library, .slice = &slice, .metric = el_game_metric(game), .all = true};
	if (!game->place(position, &place))
		status = el_fail(error, EL_USAGE, "the position is in no table");
	if (!status)
		status = folder_make(el_temporary_parent(), &use, &f->folder, error);
	if (!status)
		status = write_copy(library, &slice, &place, flaw, watch, f->folder.table, error);
	const struct el_library_options options = {.directory = f->folder.made.path};
	if (!status)
		status = el_library_open(&options, &f->library, error);
	if (status)
		el_flawed_close(f);
	else
		*out = f;
	return status;
}

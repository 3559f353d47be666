/* SPDX-License-Identifier: MIT */
/*
 * How a table is written, plane by plane:
 *
 *     view (view.c) -> window, fill, learning (fill.c) -> blocks (blocks.c) -> file
 *
 * A plane is written in windows of whole blocks, so that memory does not grow with the plane; the
 * bytes written do not depend on the windows. If the codec or the fill must look at a plane before
 * it is written, a plane of up to EL_PLANE_WHOLE positions is kept whole; of a larger one they see
 * a sample, the same wherever the symbols come from.
 */
#ifndef CORE_TABLE_WRITER_H
#define CORE_TABLE_WRITER_H

#include "core/os/temporary.h"
#include "view.h"

/* A block as the directory lists it. */
struct entry {
	uint32_t size, checksum;
};

/* Limits, which tests set lower. */
struct write_limits {
	uint64_t whole; /* positions: EL_PLANE_WHOLE; a multiple of the block */
	/* positions encoded between two writes; at least a block for each thread */
	size_t window;
	bool samples; /* read back a sample of the blocks, not all: what is written is proved next, or not kept */
};

/* Part of a plane as the codec sees it: whole blocks, and before them filled symbols to which the
   fill looks back. */
struct window {
	uint64_t first;    /* position of the first block */
	size_t count;      /* positions from there on */
	size_t before;     /* symbols before them */
	uint16_t *symbols; /* of all of these; owned, like the others */
	uint8_t *care;     /* the same */
	/* the `count` symbols as they were before the fill; null: not needed */
	uint16_t *own;
	uint64_t *starts, stretch; /* of a sample: as in el_codec_plane */
};

struct writer {
	const struct el_planes *planes;
	const struct write_limits *limits;
	const struct el_watch *watch;
	struct el_error *error;
	const char *path; /* of the file to be written */
	struct el_temporary file;
	struct table_header header;
	uint8_t *learned[2]; /* owned */
	bool leaves_side;    /* leave out one of two planes */
	/* the choice is known in advance: `drops`, which is not even written */
	bool foreseen;
	unsigned drops;
	struct view view;      /* the plane being written, before the fill */
	struct window window;  /* part of it, after the fill, as the codec sees it */
	struct entry *entries; /* owned */
	uint64_t offset;       /* the end of what has been written */
	uint64_t blocks;       /* how many of them have been written */
};

static inline enum el_status writer_out_of_memory(const struct writer *w)
{
	return el_fail(w->error, EL_MEMORY, "%s: out of memory", w->path);
}

/* As el_table_write, within limits. */
enum el_status table_write_within(const struct write_limits *, const char *path,
                                  const struct el_planes *, const struct el_table_options *,
                                  const struct el_watch *, uint64_t *bytes, struct el_error *);

/* Finds the bytes that each plane takes, with what is learned for it, by writing a file that is
   removed again. */
enum el_status table_weigh(const char *path, const struct el_planes *,
                           const struct el_table_options *, const struct el_watch *,
                           uint64_t bytes[2], struct el_error *);

/* ---- best.c ---- */

/* The orders of EL_ORDER_SMALLEST for these options. Errors as el_table_write. */
enum el_status table_smallest_orders(const char *path, const struct el_planes *,
                                     const struct el_table_options *, const struct el_watch *,
                                     struct el_order out[2], struct el_error *);

/* ---- fill.c ---- */

/* How the fill of a plane proceeds. */
struct filling {
	enum el_way way;
	bool whole;     /* the plane is a single window and already filled */
	uint16_t first; /* as in el_fill_piece */
};

/* Opens the view of a plane, and determines the fill and what the codec learns. window_close and
   view_close in any case. */
enum el_status filling_begin(struct writer *, unsigned plane, struct filling *);
/* Moves the window on to up to `count` positions from `first`, where the last one ended. Fills
   them, except for what the codec fills block by block. */
enum el_status filling_go_on(struct writer *, unsigned plane, struct filling *, uint64_t first,
                             size_t count);
/* EL_DAMAGED if the fill has changed what it must not. */
enum el_status window_check(const struct writer *);
void window_close(struct window *);

static inline uint16_t *window_symbols(const struct window *w, uint64_t position)
{
	return w->symbols + w->before + (position - w->first);
}

static inline const uint8_t *window_care(const struct window *w, uint64_t position)
{
	return w->care + w->before + (position - w->first);
}

/* ---- blocks.c ---- */

/* Appends to the file. EL_IO. */
enum el_status writer_append(struct writer *, const uint8_t *bytes, size_t size);
/* Encodes the blocks of a plane, writes and reads them back. */
enum el_status blocks_write(struct writer *, unsigned plane, struct filling *);

/* ---- courses.c ---- */

/* Appends the section of courses (courses.h). EL_MEMORY, EL_IO; EL_STOPPED when the watch says so. */
enum el_status courses_write(struct writer *);

#endif

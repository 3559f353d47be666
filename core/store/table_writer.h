/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a table is written, plane by plane:
 *
 *     view (table_view.c) -> window, fill, learning (table_fill.c) -> blocks (table_blocks.c) -> file
 *
 * A plane goes by in windows of whole blocks, so that what is held of it does not grow with it; the
 * bytes do not depend on the windows. Only where the codec or the fill must look at the plane before
 * it is written, one of up to EL_PLANE_WHOLE positions is held whole; of a larger one they see a
 * sample, the same wherever the symbols come from.
 */
#ifndef STORE_TABLE_WRITER_H
#define STORE_TABLE_WRITER_H

#include "endlab/temporary.h"
#include "table_view.h"

/* A block as the directory lists it. */
struct entry {
	uint32_t size, checksum;
};

/* What tests set lower. */
struct write_limits {
	uint64_t whole;  /* positions: EL_PLANE_WHOLE; a multiple of the block */
	size_t window;   /* positions that are encoded between two writes; a block for each thread at
	                    least */
};

/* Part of a plane as the codec sees it: whole blocks, and in front of them symbols that are filled
   already, to which the fill looks back. */
struct window {
	uint64_t first;    /* position of the first block */
	size_t count;      /* positions, from there on */
	size_t before;     /* symbols in front of them */
	uint16_t *symbols; /* all of them; owned, as `care` of each and */
	uint8_t *care;
	uint16_t *own;     /* `count` as they were before the fill; null: nobody asks */
	uint64_t *starts, stretch; /* of a sample, as el_codec_plane has them; owned */
};

struct writer {
	const struct el_planes *planes;
	const struct write_limits *limits;
	const struct el_watch *watch;
	struct el_error *error;
	const char *path; /* the file to be */
	struct el_temporary file;
	struct table_header header;
	uint8_t *learned[2];   /* owned */
	bool leaves_side;      /* one of two planes */
	bool foreseen;         /* that this is plane `drops`: it is not even written */
	unsigned drops;
	struct view view;      /* of the plane that is written, before the fill */
	struct window window;  /* of it, after the fill as the codec sees it */
	struct entry *entries; /* owned */
	uint64_t offset;       /* the end of what has been written */
	uint64_t blocks;       /* how many of them have been written */
};

enum el_status writer_out_of_memory(const struct writer *);
/* Writes behind what has been written. EL_IO. */
enum el_status writer_append(struct writer *, const uint8_t *bytes, size_t size);
/* As few bytes for each block's size as hold the largest. */
unsigned writer_size_bytes(const struct entry *, uint64_t count);

/* As el_table_write. */
enum el_status table_write_within(const struct write_limits *, const char *path,
                                  const struct el_planes *, const struct el_table_options *,
                                  const struct el_watch *, uint64_t *bytes, struct el_error *);

/* The bytes of each plane's blocks and of what is learned for it, in a file that is removed again. */
enum el_status table_weigh(const char *path, const struct el_planes *,
                           const struct el_table_options *, const struct el_watch *,
                           uint64_t bytes[2], struct el_error *);
/* ---- table_smallest.c ---- */

/* The orders of EL_ORDER_SMALLEST, with these options otherwise. As el_table_write. */
enum el_status table_smallest_orders(const char *path, const struct el_planes *,
                                     const struct el_table_options *, const struct el_watch *,
                                     struct el_order out[2], struct el_error *);

/* ---- table_fill.c ---- */

/* The fill of a plane on its way. */
struct filling {
	enum el_way way;
	bool whole;     /* the plane is one window, filled already */
	uint16_t first; /* as el_fill_piece has it */
};

/* Opens the view of a plane; settles the fill and what the codec learns. window_close and view_close in
   any case. */
enum el_status filling_begin(struct writer *, unsigned plane, struct filling *);
/* Makes the window that of up to `count` positions from `first` on, where the last one ended, filled
   but for what the codec does block by block. */
enum el_status filling_go_on(struct writer *, unsigned plane, struct filling *, uint64_t first,
                             size_t count);
/* EL_DAMAGED where the fill changed what it must not. */
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

/* ---- table_side.c ---- */

/* May a side be left out, as these options want? EL_USAGE and EL_NEGATIVE, as el_table_write. */
enum el_status side_plan(const struct el_planes *, const struct el_table_options *, bool *leaves,
                         struct el_error *);
/* Makes of the options of an existing file those of a new one, in which no side is left out yet: the one
   that the file has not is written in the order of the other. */
void side_forget(struct el_table_options *);
/* Tells which plane is left out, where the codec weighs planes. */
enum el_status side_foresee(struct writer *);
/* Drops the plane that is foreseen, or the larger one of two whose blocks are all that has been written. */
enum el_status side_drop(struct writer *);

/* ---- table_blocks.c ---- */

/* Encodes the blocks of a plane, writes and reads them back. */
enum el_status blocks_write(struct writer *, unsigned plane, struct filling *);

#endif

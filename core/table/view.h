/* SPDX-License-Identifier: MIT */
/*
 * A plane as it goes into a file: the values that need a symbol, the positions in the file's order,
 * and how freely the fill may choose each symbol.
 *
 * In an order other than that of the index, neighbours come from all over the plane, and a reader
 * is slow if indexes do not rise. So a reader's symbols are put into the file's order once, in an
 * unlinked temporary file beside the table, which the kernel pages in and out. The symbols of
 * planes in memory are put in order in memory.
 */
#ifndef CORE_TABLE_VIEW_H
#define CORE_TABLE_VIEW_H

#include "format.h"

enum { PIECE_POSITIONS = 1 << 20 }; /* read at a time */

/* Points *out at `count` symbols of a plane from index `first` on: in the plane, or read into
   `room`, which has space for them and may be null if the planes are in memory. */
enum el_status spool_piece(const struct el_planes *, unsigned plane, uint64_t first, size_t count,
                           uint16_t *room, const uint16_t **out, struct el_error *);

/* Maps zeros from an unlinked file in the folder of `path`, which the kernel pages in and out;
   munmap. EL_IO also if the disk is full: the space is taken at once. */
enum el_status spool_map(const char *path, size_t bytes, void **out, struct el_error *);

/* A plane in the order of a numbering. */
struct spool {
	uint16_t *symbols;  /* by number; 0 where a number has no index; null: not needed */
	uint8_t *derivable; /* by number; null unless asked for */
	size_t bytes[2];    /* of symbols and of derivable */
};

/* A plane that is to be written. */
struct view_task {
	const struct el_planes *planes;
	unsigned plane;
	const struct el_table_options *options;
	/* of the table, or of any file in a folder with room for temporary files */
	const char *path;
	const struct el_watch *watch;
};

/* Sets the values that the file lists, the worst first, with EL_BROKEN before them if the fill
   leaves positions broken. A value that only derivable positions have needs no symbol, except the
   worst one: some symbol must be no better than any of them. EL_MEMORY, and errors of the planes'
   reader. */
enum el_status view_values(const struct el_planes *, unsigned plane,
                           const struct el_table_options *, struct table_plane *out,
                           struct el_error *);

/* In view.cares: positions with a symbol of the plane in memory, derivable or not. */
#define CARE_OF(symbol, derivable) (2u * (symbol) + (derivable))

/* The plane of a file, before the fill. Nothing as large as the plane is kept, except to put it in
   order. */
struct view {
	const struct el_planes *planes; /* borrowed, like `file` */
	const struct table_plane *file;
	unsigned plane;
	uint16_t *becomes;  /* by symbol of the plane in memory: the symbol in the file; owned */
	uint8_t *cares;     /* by CARE_OF: enum el_care; owned */
	bool derives;       /* some positions may be derivable */
	struct spool spool; /* the plane in the file's order, if that is not the index */
};
/* EL_MEMORY, EL_IO, EL_STOPPED and errors of the reader; view_close in any case. */
enum el_status view_open(const struct view_task *, const struct table_plane *, struct view *out,
                         struct el_error *);
void view_close(struct view *);
/* Reads positions in the order of the file: their symbols there, and enum el_care. */
enum el_status view_read(const struct view *, uint64_t first, size_t count, uint16_t *symbols,
                         uint8_t *care, struct el_error *);

static inline uint8_t view_care(const struct view *v, uint16_t symbol, bool derivable)
{
	return v->cares[CARE_OF(symbol, derivable)];
}

/* Has a fill, which may be a plug-in's own, changed only what it may? */
bool view_is_true(const uint16_t *before, const uint16_t *after, const uint8_t *care, size_t count);

/* Tries all orders of the digits and takes the one with the fewest runs; if the codec weighs
   (el_codec.weigh), the lightest. The first among equals. A large plane is judged by samples. Errors as
   view_open. */
enum el_status view_best_order(const struct view_task *, struct el_order *out, struct el_error *);
/* The same of both planes: finds that which takes less, and its best order. PLANES_ALIKE if the codec does
   not weigh, or the planes have less than a block. */
enum { PLANES_ALIKE = 2 };
enum el_status view_lighter(const struct view_task *, unsigned *plane, struct el_order *out,
                            struct el_error *);
/* The bits of a sample of the plane in a given order: by el_codec.weigh or, if the codec does not
   weigh, encoded. Errors as view_open, and the codec's. */
enum el_status view_weigh(const struct view_task *, double *bits, struct el_error *);

#endif

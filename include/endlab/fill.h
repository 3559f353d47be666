/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fill stage: chooses values for positions whose value nobody reads, so that the codec does best. */
#ifndef ENDLAB_FILL_H
#define ENDLAB_FILL_H

#include "endlab/codec.h"

enum el_fill {
	EL_FILL_NONE,     /* every position keeps its symbol, broken ones one of their own */
	EL_FILL_PREVIOUS, /* the symbol before it, where that is allowed: the run goes on */
	EL_FILL_BEST,     /* what suits this codec best */
};

/* Null-terminated, indexed by enum el_fill. */
extern const char *const el_fill_names[];
enum el_status el_fill_parse(const char *text, enum el_fill *out, struct el_error *);
/* Of a whole plane. EL_MEMORY, EL_STOPPED, and what the codec answers. */
enum el_status el_fill_apply(enum el_fill, const struct el_codec *, const struct el_codec_params *,
                             const struct el_codec_plane *, const struct el_watch *,
                             struct el_error *);

/* Of what a fill is made. The first three are what EL_FILL_BEST tries for a codec without a `fill`. */
enum el_way {
	EL_WAY_RUNS,   /* as the position before: EL_FILL_PREVIOUS */
	EL_WAY_ROWS,   /* as the position a row before, else as the one before */
	EL_WAY_COPIES, /* the longest copies of what the block had before */
	EL_WAY_NONE,
	EL_WAY_CODEC, /* its own */
};

/* The way of a fill, as far as it is known without looking: EL_FILL_BEST may turn EL_WAY_RUNS into
   another one. */
enum el_way el_fill_way(enum el_fill, const struct el_codec *);
/* As el_fill_apply, of a plane or of a sample; *way is how it was done. */
enum el_status el_fill_choose(enum el_fill, const struct el_codec *, const struct el_codec_params *,
                              const struct el_codec_plane *, const struct el_watch *,
                              enum el_way *, struct el_error *);

/*
 * A plane in pieces of whole blocks, in their order, by any way but the codec's own: the same as if it
 * were filled whole. A piece is what follows `from` positions that are filled already: all that there
 * are, or as many as the way reaches back. `first`: the first symbol of the plane that is not free for
 * any, 0 where there is none; matters where `from` is 0.
 */
void el_fill_piece(enum el_way, const struct el_codec_params *, const struct el_codec_plane *,
                   uint64_t from, uint16_t first);
/* How many positions a way reaches back from the first of a piece. */
uint64_t el_fill_reach(enum el_way, uint32_t row);

#endif

/* SPDX-License-Identifier: MIT */
/* The fill stage: chooses free symbols (enum el_care) so that the codec does best. */
#ifndef CODECS_FILL_H
#define CODECS_FILL_H

#include "endlab/codec.h"

enum el_fill {
	EL_FILL_NONE,     /* nothing is chosen: broken positions keep a symbol of their own */
	EL_FILL_PREVIOUS, /* the previous position's symbol where allowed, to extend runs */
	EL_FILL_BEST,     /* whatever suits the codec best */
};

/* Null-terminated, indexed by enum el_fill. */
extern const char *const el_fill_names[];
enum el_status el_fill_parse(const char *text, enum el_fill *out, struct el_error *);

/* How a fill is done. EL_FILL_BEST tries the first three for a codec without a `fill` of its
   own. */
enum el_way {
	EL_WAY_RUNS,   /* like the position before: EL_FILL_PREVIOUS */
	EL_WAY_ROWS,   /* like the position a row before, else like the one before */
	EL_WAY_COPIES, /* by the longest copies of what precedes it in the block */
	EL_WAY_NONE,
	EL_WAY_CODEC, /* by el_codec.fill */
};

/* The way of a fill, as far as it is known in advance: EL_FILL_BEST may yet replace EL_WAY_RUNS. */
enum el_way el_fill_way(enum el_fill, const struct el_codec *);
/* Fills a whole plane, or a sample of one; *way is the way taken. EL_MEMORY, EL_STOPPED, and errors
   of the codec. */
enum el_status el_fill_choose(enum el_fill, const struct el_codec *, const struct el_codec_params *,
                              const struct el_codec_plane *, const struct el_watch *, enum el_way *,
                              struct el_error *);

/* The bytes of a filled plane's blocks and of what the codec learns from it. The watch hears of it as
   number `way` of `ways`. Errors as el_fill_choose. */
enum el_status el_fill_measure(const struct el_codec *, const struct el_codec_params *,
                               const struct el_codec_plane *, const struct el_watch *, unsigned way,
                               unsigned ways, uint64_t *bytes, struct el_error *);

/*
 * Fills one piece of a plane, made of whole blocks, in any way except EL_WAY_CODEC. Filling all
 * pieces in order gives the same result as filling the plane at once. The `from` positions before
 * the piece are filled already: all that precede it, or as many as the way looks back. `first` is
 * the first symbol in the plane that is not EL_CARE_NOT, 0 if there is none; it matters only if
 * `from` is 0.
 */
void el_fill_piece(enum el_way, const struct el_codec_params *, const struct el_codec_plane *,
                   uint64_t from, uint16_t first);
/* How many positions a way looks back from the start of a piece. */
uint64_t el_fill_reach(enum el_way, uint32_t row);

#endif

/* SPDX-License-Identifier: MIT */
/* A coder turns the symbols of a block into bytes and back; code.c describes the bytes. */
#ifndef CODECS_RANS_CODE_H
#define CODECS_RANS_CODE_H

#include "tables.h"

/* ---- members of the codec ---- */

/* A coder holds what was learned as tables, and working memory. */
enum el_status rans_open(const struct el_codec_params *, const uint8_t *learned, size_t size,
                         void **coder, struct el_error *);
void rans_close(void *coder);
size_t rans_memory(const struct el_codec_params *, size_t learned);
void rans_begin(void *coder, uint64_t first);
enum el_status rans_fill(const struct el_codec_params *, const struct el_codec_plane *,
                         const struct el_watch *, struct el_error *);
/* A guess needs nothing that is learned. */
uint16_t rans_guess_of(const struct board_stretch *, unsigned j);
enum el_status rans_fill_one(void *coder, const struct el_codec_plane *block, struct el_error *);
enum el_status rans_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                           size_t capacity, size_t *size, struct el_error *);
enum el_status rans_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                           size_t count, struct el_error *);
/* tokens.c */
enum el_status rans_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                           void (*visit)(void *context, const struct el_codec_token *),
                           void *context, struct el_error *);

/* ---- for learn.c ---- */

/* Counts the tokens of a block, but not of broken positions: cell[leaf of the board's tree *
   leaves of the neighbours' + leaf of that one]. */
void rans_count(void *coder, const uint16_t *symbols, size_t count, uint32_t cell[][RANS_TOKENS]);

/* ---- for tokens.c ---- */

/* Hears what the decoder reads. */
struct rans_listener {
	void *context;
	/* Symbol `at` was read. `start`: where the tokens of its context begin, of RANS_ONE; null:
	   nothing was read of it. */
	void (*told)(void *context, size_t at, const struct rans_guess *, const uint16_t *start,
	             unsigned token);
};
enum el_status rans_listen(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                           size_t count, const struct rans_listener *, struct el_error *);
uint16_t rans_common(const void *coder);

#endif

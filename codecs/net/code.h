/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A coder turns the symbols of a block into bytes and back; code.c describes the bytes. */
#ifndef CODECS_NET_CODE_H
#define CODECS_NET_CODE_H

#include "stretch.h"

/* What was learned, ready for use, and room to work in. For one thread at a time. */
struct net_coder;
enum el_status net_coder_open(const struct el_codec_params *, const uint8_t *learned, size_t size,
                              struct net_coder **, struct el_error *);
void net_coder_close(struct net_coder *);
/* The most bytes that a coder takes. */
size_t net_coder_memory(const struct el_codec_params *);
/* To be called before each block: its first position has this number. */
void net_coder_begin(struct net_coder *, uint64_t first);
void net_coder_fill(struct net_coder *, const struct el_codec_plane *block);
enum el_status net_encode(struct net_coder *, const uint16_t *symbols, size_t count, uint8_t *out,
                          size_t capacity, size_t *size, struct el_error *);
enum el_status net_decode(struct net_coder *, const uint8_t *bytes, size_t size, uint16_t *symbols,
                          size_t count, struct el_error *);

/* Hears what the decoder asks while a block is read, for those who want to see what its bits are spent on. */
struct net_listener {
	void *context;
	void (*asked)(void *context, const struct el_codec_question *); /* a question, with its answer */
	/* Symbol `at` is known now, by what was asked since the one before. A null guess: there was none. */
	void (*told)(void *context, size_t at, const struct net_guess *);
};

/* Decodes like net_decode, more slowly, and tells the listener. */
enum el_status net_listen(struct net_coder *, const uint8_t *bytes, size_t size, uint16_t *symbols,
                          size_t count, const struct net_listener *, struct el_error *);
/* `tokens` of el_codec. */
enum el_status net_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                          void (*visit)(void *context, const struct el_codec_token *),
                          void *context, struct el_error *);

#endif

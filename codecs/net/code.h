/* SPDX-License-Identifier: MIT */
/* A coder turns the symbols of a block into bytes and back; code.c describes the bytes. */
#ifndef CODECS_NET_CODE_H
#define CODECS_NET_CODE_H

#include "codecs/board/stretch.h"
#include "network.h"

/* ---- members of the codec ---- */

/* A coder holds the learned numbers, ready for use, and working memory. */
enum el_status net_open(const struct el_codec_params *, const uint8_t *learned, size_t size,
                        void **coder, struct el_error *);
void net_close(void *coder);
size_t net_memory(const struct el_codec_params *, size_t learned);
void net_begin(void *coder, uint64_t first);
/* Guesses need nothing that is learned. */
uint16_t net_guess(const struct board_stretch *, unsigned j);
enum el_status net_fill(const struct el_codec_params *, const struct el_codec_plane *,
                        const struct el_watch *, struct el_error *);
enum el_status net_fill_one(void *coder, const struct el_codec_plane *block, struct el_error *);
enum el_status net_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                          size_t capacity, size_t *size, struct el_error *);
enum el_status net_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                          size_t count, struct el_error *);
/* tokens.c */
enum el_status net_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                          void (*visit)(void *context, const struct el_codec_token *),
                          void *context, struct el_error *);

/* ---- for tokens.c ---- */

/* Hears each question of the decoder while it reads a block, to show what its bits are spent on. */
struct net_listener {
	void *context;
	/* a question, with its answer */
	void (*asked)(void *context, const struct el_codec_question *);
	/* The questions since the previous symbol determine symbol `at`. A null guess: there was
	   none. */
	void (*told)(void *context, size_t at, const struct board_guess *);
};

/* Decodes like net_decode, more slowly, and tells the listener. */
enum el_status net_listen(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                          size_t count, const struct net_listener *, struct el_error *);

#endif

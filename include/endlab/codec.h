/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The codec interface: how the symbols of a table block become bytes and come back.
 *
 * This is a public, versioned interface. A codec is a const struct; it has no globals, bounded
 * memory, and takes untrusted bytes. It sees symbols only: what they mean, which game they are from
 * and which positions were broken is not its business (the fill stage, below, runs before it).
 *
 *     prepare(plane)           once a plane, when a table is written; learns, e.g. a dictionary
 *       open(params, learned)  once a thread; the learned bytes come from `prepare` or the file
 *         encode / decode      once a block
 *       close
 */
#ifndef ENDLAB_CODEC_H
#define ENDLAB_CODEC_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EL_CODEC_ABI 1u

struct el_codec_params {
	uint32_t value_count;     /* symbols are 0 .. value_count-1; 1 .. 65536 */
	uint32_t block_positions; /* symbols in a block; the last block of a plane may have fewer */
	int level;                /* within the codec's range */
};

struct el_codec {
	uint32_t abi;        /* EL_CODEC_ABI */
	const char *name;    /* "zstd": lower case, no colon; what files and options call it */
	const char *summary; /* one line for help */
	int level_min, level_max, level_default; /* all 0 when the codec has no levels */

	/*
	 * Optional (null: nothing is learned). Looks at a whole plane, after the fill. Sets *learned to
	 * malloc'ed bytes, which the caller frees, and *size to their number (0 and null: nothing).
	 */
	enum el_status (*prepare)(const struct el_codec_params *, const uint16_t *symbols,
	                          uint64_t positions, uint8_t **learned, size_t *size,
	                          struct el_error *);

	/* A coder for one thread at a time. `learned` stays valid until close. EL_DAMAGED when the
	   learned bytes make no sense; EL_MEMORY. */
	enum el_status (*open)(const struct el_codec_params *, const uint8_t *learned, size_t size,
	                       void **coder, struct el_error *);
	void (*close)(void *coder);

	/* The most bytes that encode can need for `count` symbols. */
	size_t (*bound)(const struct el_codec_params *, size_t count);
	/* Writes at most `capacity` (>= bound) bytes, sets *size. count is 1 .. block_positions. */
	enum el_status (*encode)(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
	                         size_t capacity, size_t *size, struct el_error *);
	/* Fills exactly `count` symbols, each below value_count, or answers EL_DAMAGED. Never reads
	   past `size`, never writes past `count`, whatever the bytes are. */
	enum el_status (*decode)(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
	                         size_t count, struct el_error *);
};

extern const struct el_codec el_codec_raw, el_codec_zstd;

/* All built-in codecs, null-terminated. */
extern const struct el_codec *const el_codecs[];

/* A codec and its options, as the command line gives them: "zstd:19", "raw". */
struct el_codec_choice {
	const struct el_codec *codec;
	int level;
};

/* Null when there is none of that name. */
const struct el_codec *el_codec_find(const char *name);
/* EL_USAGE names the text, the known codecs or the range of levels. */
enum el_status el_codec_parse(const char *text, struct el_codec_choice *out, struct el_error *);
/* "zstd:19"; without a level where the codec has none. */
void el_codec_format(const struct el_codec_choice *choice, char out[64]);

/* ---- the fill stage: chooses values for don't-care positions so that the codec does best ---- */

enum el_fill {
	EL_FILL_NONE,     /* broken positions keep a symbol of their own */
	EL_FILL_PREVIOUS, /* a broken position repeats the symbol before it: the run goes on */
};

/* Null-terminated, indexed by enum el_fill: "none", "previous". */
extern const char *const el_fill_names[];
enum el_status el_fill_parse(const char *text, enum el_fill *out, struct el_error *);
/* Replaces the symbol `broken` throughout. */
void el_fill_apply(enum el_fill fill, uint16_t *symbols, uint64_t positions, uint16_t broken);

#endif

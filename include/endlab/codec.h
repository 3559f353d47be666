/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The codec interface: how the symbols of a table block become bytes and come back.
 *
 * This is a public, versioned interface; a shared object that defines a codec joins the built-in
 * ones (samples/ has one to copy). A codec is a const struct; it has no globals, bounded memory,
 * and takes untrusted bytes. It sees symbols: what they mean is not its business. Greater symbols
 * stand for better values. A codec that predicts a position from its neighbours looks at the board
 * as well (el_codec_board): squares, and marks that the game puts on positions, whatever they mean.
 *
 *     fill(plane)              once a plane, when a table is written; optional: chooses the symbols
 *                              that are free to be chosen
 *     prepare(plane)           once a plane after that; learns, e.g. a dictionary
 *       open(params, learned)  the learned bytes come from `prepare` or from the file
 *         begin                once a block, before the next ones; optional
 *         fill_block           once a block of a large plane
 *         encode / decode      once a block
 *         decode_one           once a probe, where the codec can
 *       close
 *
 * A plane of more than EL_PLANE_WHOLE positions is never in memory as a whole: `fill` and `prepare`
 * then see a sample of it. That is so wherever its symbols come from, so that the same values always
 * make the same file.
 */
#ifndef ENDLAB_CODEC_H
#define ENDLAB_CODEC_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

EL_API_BEGIN

#define EL_CODEC_ABI 5u

enum {
	EL_CODEC_OPTIONS_MAX = 8, /* of a codec with more than 4, numbers are -32768 .. 32767 */
	/*
	 * Positions. Larger planes are learned from by a sample of as many: whole blocks in up to 256
	 * stretches that lie evenly, one behind the other as if they were a plane. No plane of 3 or 4
	 * pieces is larger, and recursive pairing (`pairs`) finds hardly more in a larger sample.
	 */
	EL_PLANE_WHOLE = 1 << 24,
};

/* A number that a codec can be given: "level", 1 to 22, by default 7. */
struct el_codec_option {
	const char *name;    /* lower case */
	const char *summary; /* one line for help */
	int least, most, usual;
};

/* ---- the board behind a plane ---- */

enum {
	EL_BOARD_AXES = 8,
	EL_BOARD_PIECES = 8,
	EL_BOARD_STEPS = 3,
	EL_BOARD_MARKS = 63, /* at most */
	EL_BOARD_RADIX = 1 << 20, /* no greater one is shown: four like pieces have less, five have more */
};

/* One digit of a position's number in its plane: where some of the pieces stand. */
struct el_codec_axis {
	uint32_t radix;        /* the digit is below */
	uint64_t weight;       /* number = the sum of weight * digit, over all axes */
	unsigned pieces;       /* that it places */
	const uint8_t *square; /* radix * pieces: 0 .. 63 on a board of 8 by 8, ascending. From digit to digit
	                          the first piece goes on first, and the others only where it must begin anew */
};

/*
 * How the positions of a plane lie: a piece is known by its place among all pieces, the axes from the
 * slowest to the fastest. The same for whoever writes and reads a table.
 */
struct el_codec_board {
	unsigned axes;
	struct el_codec_axis axis[EL_BOARD_AXES];
	int8_t step[EL_BOARD_STEPS]; /* from a square to neighbours of lower number; negative, and over no
	                                more than two files */
	unsigned marks;
	const void *context;
	/*
	 * With all pieces but `moving` on their squares: word[0] has the squares on which it makes no
	 * position, word[1 + i] those on which the position has mark i. `square[moving]` is not looked at.
	 * Any number of threads at once.
	 */
	void (*look)(const void *context, const uint8_t square[EL_BOARD_PIECES], unsigned moving,
	             uint64_t word[1 + EL_BOARD_MARKS]);
};

struct el_codec_params {
	uint32_t value_count;     /* symbols are 0 .. value_count-1; 1 .. 65536 */
	uint32_t block_positions; /* symbols in a block; the last block of a plane may have fewer */
	int option[EL_CODEC_OPTIONS_MAX]; /* in the order of the codec's options, within their ranges;
	                                     the others are 0 */
	/* For codecs that look at it; valid as long as any coder. Null where the numbers of positions do not
	   come apart, in a plane that is ordered by an index, and where a digit is beyond EL_BOARD_RADIX. */
	const struct el_codec_board *board;
};

/* How far the symbol of a position is free to be chosen. */
enum el_care {
	EL_CARE_EXACT,   /* not at all */
	EL_CARE_AT_MOST, /* any symbol up to this one: a probe finds the value without the table, and
	                    takes the better of the two */
	EL_CARE_NOT,     /* any symbol: no position has this index, or no probe looks here */
};

/* A plane on its way into a table. */
struct el_codec_plane {
	uint16_t *symbols;   /* `positions` of them */
	const uint8_t *care; /* enum el_care, one a position */
	uint64_t positions;
	uint32_t row;        /* positions that differ by the fastest piece alone; at least 1 */
	/* Their numbers: `first` and those behind it; or, of a sample, those of stretches of `stretch`
	   positions each, which begin with the numbers `starts`. */
	uint64_t first;
	const uint64_t *starts; /* null: no sample */
	uint64_t stretch;
};

/* The number of position i of these. */
static inline uint64_t el_codec_number(const struct el_codec_plane *plane, uint64_t i)
{
	return plane->starts ? plane->starts[i / plane->stretch] + i % plane->stretch : plane->first + i;
}

/* What a codec asks on its way to a symbol. */
enum el_codec_ask {
	EL_ASK_IS,     /* is it this symbol? */
	EL_ASK_ABOVE,  /* is it above this symbol? */
	EL_ASK_NUMBER, /* nothing: so many bits follow that tell it, 0 and 1 alike */
};

struct el_codec_question {
	enum el_codec_ask ask;
	uint32_t about; /* the symbol, or how many bits */
	double yes;     /* the probability of yes */
	bool answer;
};

/* Which bits of an encoded block stand for which of its symbols. */
struct el_codec_token {
	size_t bit, bits;     /* from the first byte on; the codec decides which bit of a byte comes first.
	                         Where symbols share bits, what the questions have cost up to there */
	size_t first, count;  /* symbols; count 0: bits that stand for none, such as a directory */
	/* Of a codec that predicts each symbol; without questions it is sure of all of them. */
	bool predicts;
	int32_t guess;          /* what it took for the likeliest; -1: none */
	unsigned votes, voters; /* neighbours that have the guess, of so many that were asked */
	unsigned questions;
	const struct el_codec_question *question; /* as long as `visit` runs */
};

struct el_codec {
	uint32_t abi;        /* EL_CODEC_ABI */
	const char *name;    /* "zstd": lower case, no colon, fewer than 16 letters; what files and
	                        options call it */
	const char *summary; /* one line for help */
	const struct el_codec_option *options; /* the first is the one meant by "zstd:19" */
	unsigned option_count;                 /* at most EL_CODEC_OPTIONS_MAX */
	bool looks; /* at the board; where not, it may be null whatever the plane */
	bool stops; /* decode may be asked for fewer symbols than a block has: the first ones, in less time */

	/* Optional: EL_USAGE where options, each within its range, contradict each other. */
	enum el_status (*agree)(const int option[EL_CODEC_OPTIONS_MAX], struct el_error *);

	/*
	 * Optional (null: the fill stage tries its own ways and keeps the best). Chooses the symbols
	 * that `care` leaves free so that this codec does best. EL_MEMORY, EL_STOPPED.
	 */
	enum el_status (*fill)(const struct el_codec_params *, const struct el_codec_plane *,
	                       const struct el_watch *, struct el_error *);

	/*
	 * Optional (null: those that make fewer runs are better). About how many bits a sample takes, so as
	 * to choose the order of a plane's positions; its symbols may change. Any number of threads at once.
	 * EL_MEMORY.
	 */
	enum el_status (*weigh)(const struct el_codec_params *, const struct el_codec_plane *,
	                        double *bits, struct el_error *);

	/* Optional (null: it does). Whether `prepare` would look at the plane at all: where it would not
	   it is not called, and the plane need not be held for it. */
	bool (*prepares)(const struct el_codec_params *);
	/*
	 * Optional (null: nothing is learned). Looks at a plane after the fill; `care` may be null. Sets
	 * *learned to malloc'ed bytes, which the caller frees, and *size to their number (0 and null:
	 * nothing).
	 */
	enum el_status (*prepare)(const struct el_codec_params *, const struct el_codec_plane *,
	                          const struct el_watch *, uint8_t **learned, size_t *size,
	                          struct el_error *);

	/* A coder for one thread at a time, but for decode_one. `learned` stays valid until close.
	   EL_DAMAGED when the learned bytes make no sense; EL_MEMORY. */
	enum el_status (*open)(const struct el_codec_params *, const uint8_t *learned, size_t size,
	                       void **coder, struct el_error *);
	void (*close)(void *coder);
	/* Optional (null: blocks are alike). Which block the next calls are about: the number of its first
	   position. */
	void (*begin)(void *coder, uint64_t first);
	/*
	 * Optional (null: `fill`, of each block as if that were the plane). Chooses the free symbols of one
	 * block of a plane from which only a sample was filled and learned. EL_MEMORY.
	 */
	enum el_status (*fill_block)(void *coder, const struct el_codec_plane *block,
	                             struct el_error *);
	/* The most bytes that a coder holds for decoding, given how many were learned. */
	size_t (*memory)(const struct el_codec_params *, size_t learned);

	/* The most bytes that encode can need for `count` symbols. */
	size_t (*bound)(const struct el_codec_params *, size_t count);
	/* Writes at most `capacity` (>= bound) bytes, sets *size. count is 1 .. block_positions. */
	enum el_status (*encode)(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
	                         size_t capacity, size_t *size, struct el_error *);
	/* Fills exactly `count` symbols, each below value_count, or answers EL_DAMAGED. Never reads
	   past `size`, never writes past `count`, whatever the bytes are. */
	enum el_status (*decode)(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
	                         size_t count, struct el_error *);
	/*
	 * Optional (null: a probe decodes the whole block). Symbol `at` of a block of `count`, without
	 * the rest of it; the same answer as decode gives for sound bytes. For others EL_DAMAGED or any
	 * symbol below value_count, never a read past `size`. Many threads at once, no allocation.
	 */
	enum el_status (*decode_one)(const void *coder, const uint8_t *bytes, size_t size,
	                             size_t count, size_t at, uint16_t *symbol, struct el_error *);
	/* Optional (null: the bytes cannot be told apart). Calls `visit` for each token of a sound
	   block, in the order of their bits. EL_DAMAGED, EL_MEMORY. */
	enum el_status (*tokens)(void *coder, const uint8_t *bytes, size_t size, size_t count,
	                         void (*visit)(void *context, const struct el_codec_token *),
	                         void *context, struct el_error *);
};

/* What a plug-in defines, and nobody else. */
extern const struct el_codec el_codec_plugin;

/* ---- plug-ins ---- */

/*
 * Adds the codec that a shared object defines as el_codec_plugin. It stays
 * for the life of the process, as shared objects do: this list is the one state that is not in some
 * struct. EL_USAGE names the file and what is wrong: it cannot be loaded, has no codec, one of
 * another interface version (expected, found), one that lacks a member, or a name that is taken.
 * EL_MEMORY. Not for two threads at once; codecs may be looked up meanwhile.
 */
enum el_status el_codec_load(const char *path, struct el_error *);

/*
 * Loads the files of a colon-separated list, and of the folders in it each file "*.so", in the order of
 * their names. Null: those of $ENDLAB_PLUGINS, then of ~/.local/share/endlab/plugins (or $XDG_DATA_HOME),
 * then of PREFIX/lib/endlab/plugins, where the last two need not exist.
 *
 * What cannot be used is no failure: it joins the list of plug-ins with the reason. So does what could be
 * another's work: a folder or file that belongs to neither the user nor root, or that everyone may write
 * to, is not loaded. What is on the list and has not changed since is passed over. EL_MEMORY. Threads: as el_codec_load.
 */
enum el_status el_codec_load_places(const char *places, struct el_error *);

/* A shared object that was loaded, or a file or folder of el_codec_load_places that was refused. */
struct el_plugin {
	const char *path;             /* these stay for the life of the process, too */
	const struct el_codec *codec; /* null: it was refused */
	const char *refused;          /* why; null where it was loaded */
};

/* Place i of the list, in the order of loading; null behind the last. */
const struct el_plugin *el_plugin_at(size_t i);

EL_API_END

#endif

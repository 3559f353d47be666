/* SPDX-License-Identifier: MIT */
/*
 * The codec interface: how the symbols of a table block become bytes and come back.
 *
 * This interface is public and versioned. A shared object can define a codec beside the built-in
 * ones; samples/ has one to copy. A codec is a const struct. It has no globals, uses bounded
 * memory, and takes untrusted bytes. It sees symbols and need not know what they mean, except that
 * greater symbols stand for better values. A codec that predicts a position from its neighbours may
 * also look at the board (el_codec_board): at squares, and at marks that the game puts on
 * positions.
 *
 *     fill(plane)              once per plane, when a table is written; optional: chooses the
 *                              symbols that may be chosen freely
 *     prepare(plane)           then, once per plane; learns something, such as a dictionary
 *       open(params, learned)  with what was learned, from `prepare` or from the file
 *         begin                before each block; optional
 *         fill_block           once per block of a large plane
 *         encode / decode      once per block
 *         decode_one           once per probe, if the codec can
 *       close
 *
 * A plane of more than EL_PLANE_WHOLE positions is never in memory as a whole: `fill` and `prepare`
 * see a sample of it. This holds wherever its symbols come from, so the same values always make the
 * same file.
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
	/* if a codec has more than 4, each must be in -32768 .. 32767 */
	EL_CODEC_OPTIONS_MAX = 8,
	/*
	 * In positions. Codecs learn a larger plane from a sample of this size: whole blocks, in up
	 * to 256 evenly spaced stretches, joined as if they were a plane. No plane of 3 or 4 pieces
	 * is larger, and recursive pairing (`pairs`) gains hardly anything from a larger sample.
	 */
	EL_PLANE_WHOLE = 1 << 24,
};

/* A number that a codec takes, such as "level": 1 to 22, 7 by default. */
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
	EL_BOARD_MARKS = 63,      /* at most */
	EL_BOARD_RADIX = 1 << 20, /* at most: enough for four like pieces, not for five */
};

/* One digit of a position's number in its plane: where some of the pieces stand. */
struct el_codec_axis {
	uint32_t radix;  /* the digit is below this */
	uint64_t weight; /* a position's number is the sum of weight * digit over all axes */
	unsigned pieces; /* how many the digit places */
	/* radix * pieces squares (0 .. 63 on an 8 by 8 board), ascending within each digit. The
	   first piece advances with every digit, each other one only when all before it start
	   again. Neither holds for the slowest axis in index order, which places both kings,
	   White's first */
	const uint8_t *square;
};

/*
 * How the positions of a plane are arranged. Pieces are numbered across all axes; the slowest axis
 * comes first. The writer and the reader of a table see the same board.
 */
struct el_codec_board {
	unsigned axes;
	struct el_codec_axis axis[EL_BOARD_AXES];
	/* From a square to its lower-numbered neighbours: negative, at most two files apart. */
	int8_t step[EL_BOARD_STEPS];
	unsigned marks;
	const void *context;
	/*
	 * With all other pieces on their squares, sets word[0] to the squares on which piece
	 * `moving` makes no position, and word[1 + i] to those on which the position has mark i.
	 * Ignores `square[moving]`. Any number of threads may call it at once.
	 */
	void (*look)(const void *context, const uint8_t square[EL_BOARD_PIECES], unsigned moving,
	             uint64_t word[1 + EL_BOARD_MARKS]);
};

struct el_codec_params {
	uint32_t value_count;     /* 1 .. 65536; symbols are below it */
	uint32_t block_positions; /* symbols in a block; the last block of a plane may have fewer */
	/* in the order of the codec's options, each in its range; 0 past the last */
	int option[EL_CODEC_OPTIONS_MAX];
	/* For codecs that look at it; outlives every coder. Null if position numbers have no
	   digits, as in index order except in chess, or if a digit needs more than
	   EL_BOARD_RADIX. */
	const struct el_codec_board *board;
};

/* How freely the symbol of a position may be chosen. */
enum el_care {
	EL_CARE_EXACT, /* not at all */
	/* any symbol up to this one: a probe finds the value without the table and takes the better
	   one */
	EL_CARE_AT_MOST,
	EL_CARE_NOT, /* any symbol: no position has this index, or no probe looks here */
};

/* A plane on its way into a table. */
struct el_codec_plane {
	uint16_t *symbols;   /* `positions` of them */
	const uint8_t *care; /* enum el_care, for each position */
	uint64_t positions;
	uint32_t row; /* positions that differ only by the fastest piece; at least 1 */
	/* Positions are numbered from `first` on. A sample has stretches of `stretch` numbers,
	   which begin at the numbers in `starts`. */
	uint64_t first;
	const uint64_t *starts; /* null: not a sample */
	uint64_t stretch;
};

/* The number of the plane's position i. */
static inline uint64_t el_codec_number(const struct el_codec_plane *plane, uint64_t i)
{
	return plane->starts ? plane->starts[i / plane->stretch] + i % plane->stretch
	                     : plane->first + i;
}

/* A question by which a codec narrows down a symbol. */
enum el_codec_ask {
	EL_ASK_IS,     /* is it this symbol? */
	EL_ASK_ABOVE,  /* is it above this symbol? */
	EL_ASK_NUMBER, /* no question: the next bits are its number, 0 and 1 equally likely */
};

struct el_codec_question {
	enum el_codec_ask ask;
	uint32_t about; /* the symbol; for EL_ASK_NUMBER how many bits */
	double yes;     /* the probability of yes */
	bool answer;
};

/* Which bits of an encoded block stand for which of its symbols. */
struct el_codec_token {
	/* counted from the first byte; the codec decides which bit of a byte comes first. Where
	   symbols share bits: the cost of all earlier questions */
	size_t bit, bits;
	size_t first, count; /* symbols; count 0: the bits stand for none (a directory) */
	/* For a codec that predicts each symbol. If there are no questions, it is certain of them
	   all. */
	bool predicts;
	int32_t guess;          /* the symbol that it considers likeliest; -1: none */
	unsigned votes, voters; /* neighbours that have the guess, and all neighbours asked */
	unsigned questions;
	const struct el_codec_question *question; /* valid while `visit` runs */
};

struct el_codec {
	uint32_t abi; /* EL_CODEC_ABI */
	const char *
		name; /* "zstd", in files and options: lower case, no colon, fewer than 16 letters */
	const char *summary;                   /* one line for help */
	const struct el_codec_option *options; /* "zstd:19" means the first one */
	unsigned option_count;                 /* at most EL_CODEC_OPTIONS_MAX */
	/* uses the board; if false, the board may be null for any plane */
	bool looks;
	/* `decode` can decode only the first symbols of a block, which takes less time */
	bool stops;

	/* Optional. EL_USAGE if options, each within its range, contradict each other. */
	enum el_status (*agree)(const int option[EL_CODEC_OPTIONS_MAX], struct el_error *);

	/*
	 * Optional (null: the fill stage tries its own ways and keeps the best). Chooses the
	 * symbols that `care` leaves free to suit this codec best. EL_MEMORY, EL_STOPPED.
	 */
	enum el_status (*fill)(const struct el_codec_params *, const struct el_codec_plane *,
	                       const struct el_watch *, struct el_error *);

	/*
	 * Optional (null: the fewer runs, the better). Estimates how many bits a sample takes, so
	 * that the order of a plane's positions can be chosen. May change the sample's symbols. Any
	 * number of threads at once. EL_MEMORY.
	 */
	enum el_status (*weigh)(const struct el_codec_params *, const struct el_codec_plane *,
	                        double *bits, struct el_error *);

	/* Optional (null: it does). Would `prepare` look at the plane at all? If not, it is not
	   called, and the plane need not be kept for it. */
	bool (*prepares)(const struct el_codec_params *);
	/*
	 * Optional (null: nothing is learned). Looks at a plane after the fill; `care` may be null.
	 * Sets *learned to malloc'ed bytes, which the caller frees, and *size to their number; null
	 * and 0: nothing.
	 */
	enum el_status (*prepare)(const struct el_codec_params *, const struct el_codec_plane *,
	                          const struct el_watch *, uint8_t **learned, size_t *size,
	                          struct el_error *);

	/* Opens a coder, which one thread uses at a time, except for `decode_one`. `learned` stays
	   valid until `close`. EL_DAMAGED when the learned bytes make no sense; EL_MEMORY. */
	enum el_status (*open)(const struct el_codec_params *, const uint8_t *learned, size_t size,
	                       void **coder, struct el_error *);
	void (*close)(void *coder);
	/* Optional (null: all blocks are alike). Announces the block of the next calls, by the
	   number of its first position. */
	void (*begin)(void *coder, uint64_t first);
	/*
	 * Optional (null: `fill` is called for each block as if it were the plane). Chooses the
	 * free symbols of one block when only a sample of the plane was filled and learned from.
	 * EL_MEMORY.
	 */
	enum el_status (*fill_block)(void *coder, const struct el_codec_plane *block,
	                             struct el_error *);
	/* The most bytes that a coder takes for decoding, given how many were learned. */
	size_t (*memory)(const struct el_codec_params *, size_t learned);

	/* The most bytes that `encode` can need for `count` symbols. */
	size_t (*bound)(const struct el_codec_params *, size_t count);
	/* Writes at most `capacity` bytes, which is at least the bound, and sets *size. `count` is
	   1 .. block_positions. */
	enum el_status (*encode)(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
	                         size_t capacity, size_t *size, struct el_error *);
	/* Fills exactly `count` symbols, each below value_count, or returns EL_DAMAGED. Whatever
	   the bytes are, it never reads past `size` and never writes past `count`. */
	enum el_status (*decode)(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
	                         size_t count, struct el_error *);
	/*
	 * Optional (null: a probe decodes the whole block). Decodes only symbol `at` of a block of
	 * `count`, as `decode` would. Damaged bytes give EL_DAMAGED or any symbol below
	 * value_count. Never reads past `size`; allocates nothing. Any number of threads may call
	 * it at once.
	 */
	enum el_status (*decode_one)(const void *coder, const uint8_t *bytes, size_t size,
	                             size_t count, size_t at, uint16_t *symbol, struct el_error *);
	/* Optional (null: it is not known which bits belong to which symbol). Calls `visit` for
	   each token of a sound block, in the order of their bits. EL_DAMAGED, EL_MEMORY. */
	enum el_status (*tokens)(void *coder, const uint8_t *bytes, size_t size, size_t count,
	                         void (*visit)(void *context, const struct el_codec_token *),
	                         void *context, struct el_error *);
};

/* Defined by a plug-in, and by nothing else. */
extern const struct el_codec el_codec_plugin;

/* ---- plug-ins ---- */

/*
 * Adds the codec that a shared object defines as el_codec_plugin, for the life of the process: this
 * list is the library's only global state. EL_USAGE names the file and the fault: it cannot be
 * loaded, it defines no codec, or the codec has another interface version (expected, found), lacks
 * a member or has a name that is taken. EL_MEMORY. One thread at a time; other threads may look up
 * codecs meanwhile.
 */
enum el_status el_codec_load(const char *path, struct el_error *);

/*
 * Loads plug-ins from a colon-separated list of files and folders: a folder stands for its "*.so"
 * files, in order of name. Null: from $ENDLAB_PLUGINS, then from $XDG_DATA_HOME/endlab/plugins or,
 * without that variable, ~/.local/share/endlab/plugins, then from PREFIX/lib/endlab/plugins; the
 * last two need not exist.
 *
 * A file that cannot be used is not an error: it joins the list of plug-ins with the reason. So
 * does a folder or file that belongs to neither the user nor root, or that everyone may write to:
 * it may be someone else's work and is not loaded. Files already on the list are skipped unless
 * they have changed. EL_MEMORY. One thread at a time.
 */
enum el_status el_codec_load_places(const char *places, struct el_error *);

/* A shared object that was loaded, or a file or folder of el_codec_load_places that was refused. */
struct el_plugin {
	/* stays for the life of the process, like the other members */
	const char *path;
	const struct el_codec *codec; /* null: it was refused */
	const char *refused;          /* the reason; null if it was loaded */
};

/* Plug-in i of the list, in the order of loading; null past the last. */
const struct el_plugin *el_plugin_at(size_t i);

EL_API_END

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A log of bitmaps of units on numbered lists, read back list by list: the decisions of passes with
 * their values, and the conversions with their plies. Most bitmaps have few bits, so the encoding
 * of 64 words is a mask of the nonzero words and, for each of these, a mask of its nonzero bytes
 * and these bytes.
 *
 * A ledger is in memory or in a file. A file with a name survives when the program is stopped or
 * killed, and has everything that was written before the last mark. In a file each bitmap has a
 * head, which begins with a checksum of the rest of the head and of the bitmap; whoever reads the
 * bitmap checks it. Numbers are in native byte order:
 *
 *      0 4 checksum (CRC-32)    4 4 list    8 4 bytes of the bitmap    12 4 stored positions
 *     16 2 ply    18 2 plies    20 2 phase    22 1 outcome    23 1 if the bitmap is packed: 1
 *
 * Large bitmaps are packed, as a frame of zstd.
 *
 * Several threads may add to different lists at once.
 */
#ifndef CORE_SOLVE_LEDGER_H
#define CORE_SOLVE_LEDGER_H

#include "solve.h"

#include "endlab/status.h"
#include "endlab/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is written with a bitmap. */
struct ledger_tag {
	uint16_t ply;          /* of the pass that found it, or at which it takes effect */
	uint16_t symbol;       /* free for the writer's use; not written to files */
	uint32_t stored;       /* how many of its positions tables store */
	struct el_value value; /* of its positions */
};

/* A bitmap on a list. */
struct ledger_entry {
	uint64_t at;   /* where its bytes are: an address in memory, or an offset in the file */
	uint32_t size; /* there */
	uint16_t ply, symbol;
};

struct ledger_list {
	struct ledger_entry *entry; /* owned */
	uint32_t count;
};

struct ledger {
	struct ledger_list *list; /* owned */
	size_t lists;
	size_t words;                  /* of a bitmap */
	int fd;                        /* -1: in memory */
	bool kept;                     /* the file has a name */
	uint64_t end;                  /* of the file, or bytes in memory */
	double synced;                 /* when the file was last synced: clock_seconds */
	struct ledger_chunk *chunks;   /* memory; owned */
	_Atomic enum el_status failed; /* EL_MEMORY, EL_IO */
	int why;                       /* errno of that failure */
};

/* A thread's buffer for encoding and decoding bitmaps. A slab is 64 words. */
struct encoder {
	uint8_t *bytes; /* the encoded bitmap, or one read with its head; in the memory of `word` */
	size_t size;
	uint64_t *word; /* the current slab, with `bytes` after it; owned */
	uint64_t mask;  /* which of its words are not zero */
	size_t slab;    /* number of the current slab */
	size_t next;    /* the first slab that has not been written */
};

/* A file for a ledger. Null `name`: the file has none. A file that was written under another
   identity is emptied. */
struct ledger_place {
	const char *folder, *name;
	uint64_t identity;
};

/* In memory if the place is null. EL_MEMORY, EL_IO. */
enum el_status ledger_open(struct ledger *, size_t lists, size_t words, const struct ledger_place *,
                           struct el_error *);
/*
 * Reads the lists of an earlier program's file as far as it is sound or, if `marked`, only up to
 * its last mark, and cuts off the rest. `take` returns the symbol for each bitmap. Returns the ply
 * of the last mark, or -1 if there is none. `agree`, unless null, is told that ply and returns an
 * earlier one, or -1, to which the file is then cut.
 */
int ledger_recover(struct ledger *, bool marked, void *context,
                   int (*agree)(void *context, int ply),
                   uint16_t (*take)(void *context, size_t list, const struct ledger_tag *));
/* Sets a mark: everything added so far can be recovered even if the program is killed. */
void ledger_mark(struct ledger *, unsigned ply);
/* Removes the file of a ledger, if there is one, unless a program has it open. */
void ledger_remove(const struct ledger_place *);
void ledger_close(struct ledger *); /* all zeros are allowed */
/* The first failure since the ledger was opened; bitmaps added after it are lost. */
enum el_status ledger_check(const struct ledger *, const char *what, struct el_error *);

/* For bitmaps of `words` words. EL_MEMORY, without text. */
enum el_status encoder_open(struct encoder *, size_t words);
void encoder_close(struct encoder *);

/* The words that may be other than zero, of the 64 from `first` on, out of `words`: those with a bit in
   `marks`, where bit w % 64 of marks[w / 64] is for word w; if it is null, the nonzero words. */
static inline uint64_t bitmap_words(const uint64_t *set, const uint64_t *marks, size_t first,
                                    size_t words)
{
	uint64_t some = 0, any = 0;
	const size_t count = words - first < 64 ? words - first : 64;
	if (marks)
		return marks[first / 64] & UINT64_MAX >> (64 - count);
	for (size_t w = 0; w < count; w++)
		any |= set[first + w];
	for (size_t w = 0; w < count && any; w++)
		some |= (uint64_t)(set[first + w] != 0) << w;
	return some;
}

static inline bool bitmap_any(const uint64_t *set, size_t words)
{
	uint64_t any = 0;
	for (size_t w = 0; w < words; w++)
		any |= set[w];
	return any;
}

/* Encodes a bitmap: either its nonzero words one by one, in ascending order, or all of it. `marks`,
   unless null: bit w % 64 of marks[w / 64] is set for each word that is not zero. */
void encoder_begin(struct encoder *);
void encoder_word(struct encoder *, size_t word, uint64_t bits);
void encoder_set(struct encoder *, const uint64_t *set, const uint64_t *marks, size_t words);
/* The encoded bitmap is now `size` of `bytes`. ledger_add calls it. */
void encoder_end(struct encoder *);
/* Appends the encoded bitmap to a list, unless it is empty. */
void ledger_add(struct ledger *, struct encoder *, size_t list, const struct ledger_tag *);

/* Iterates over the nonzero words of an entry. Their bytes may be in the encoder that read them,
   and are valid until it is used again. */
struct ledger_cursor {
	const uint8_t *at, *end;
	uint64_t mask; /* words of the current slab that are left */
	size_t base;   /* number of the slab's first word */
	size_t next;   /* number of the next slab */
};
/* False if the entry cannot be read; see ledger_check. */
bool ledger_read(struct ledger *, struct encoder *, const struct ledger_entry *,
                 struct ledger_cursor *);
/* ORs an entry into a set, and marks the words unless `marks` is null. False likewise. */
bool ledger_read_set(struct ledger *, struct encoder *, const struct ledger_entry *, uint64_t *set,
                     uint64_t *marks);

/* The next word; false past the last. */
static inline bool ledger_next(struct ledger_cursor *c, size_t *word, uint64_t *bits)
{
	if (!c->mask) {
		if (c->at == c->end)
			return false;
		unsigned shift = 0;
		uint64_t gap = 0;
		do {
			gap |= (uint64_t)(*c->at & 127) << shift;
			shift += 7;
		} while (*c->at++ & 128);
		c->base = (c->next + gap) * 64;
		c->next += gap + 1;
		for (unsigned i = 0; i < 64; i += 8)
			c->mask |= (uint64_t)*c->at++ << i;
	}
	*word = c->base + (unsigned)__builtin_ctzll(c->mask);
	c->mask &= c->mask - 1;
	uint64_t all = 0;
	for (unsigned in = *c->at++; in; in &= in - 1)
		all |= (uint64_t)*c->at++ << 8 * (unsigned)__builtin_ctz(in);
	*bits = all;
	return true;
}

/* ---- files of stopped programs ---- */

enum { LEFTOVER_NAME_MAX = EL_SLICE_MAX + 64 };

/* ".endlab-scratch-KRvKN.dtm.found"; `what` is "opening" or "found". */
void leftover_name(const struct el_slice *, const struct el_metric *, const char *what,
                   char out[LEFTOVER_NAME_MAX]);
/* Removes files from `folder` whose names begin so and that no program has open. */
void leftovers_remove(const char *folder, const char *begins);
/* Removes files from `folder` that no program has open and whose table in `tables` is newer: their
   build was killed after it wrote the table and before it removed them. */
void leftovers_sweep(const char *folder, const char *tables);

#endif

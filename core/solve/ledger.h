/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bitmaps of units, written down one after the other on numbered lists and read back list by list:
 * what passes decide, with its value, and the conversions, each with its ply. Most bitmaps have few
 * bits. So of 64 words a mask is written that tells which are not zero, and of each of these words
 * the bytes that are not zero.
 *
 * A ledger is in memory or in a file. A file with a name survives when the program is stopped or
 * killed, and has everything that was written before the last mark. In a file each bitmap has a
 * head, with a checksum of the rest of the head and of the bitmap, numbers in the order of bytes
 * that the machine has:
 *
 *      0 4 checksum (CRC-32)    4 4 list    8 4 bytes of the bitmap    12 4 positions that tables store
 *     16 2 ply    18 2 plies    20 2 phase    22 1 outcome    23 1 zero
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
	uint16_t symbol;       /* whatever its writer likes; not written to files */
	uint32_t stored;       /* how many of its positions tables store */
	struct el_value value; /* of its positions */
};

/* A bitmap on a list. */
struct ledger_entry {
	uint64_t at; /* its bytes: an address in memory, or a place in the file */
	uint32_t size;
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
	int why;                       /* the errno of that */
};

/* Where one thread encodes a bitmap, and decodes it. */
struct encoder {
	uint8_t *bytes; /* in the memory of `word` */
	size_t size;
	uint64_t *word; /* the current 64 words, with `bytes` after them; owned */
	uint64_t mask;  /* which of them are not zero */
	size_t slab;    /* the number of these 64 */
	size_t next;    /* the first 64 that have not been written */
};

/* Where a ledger is: in a folder, under a name; null: without a name. A file that was written under
   another identity is begun anew. */
struct ledger_place {
	const char *folder, *name;
	uint64_t identity;
};

/* In memory if the place is null. EL_MEMORY, EL_IO. */
enum el_status ledger_open(struct ledger *, size_t lists, size_t words, const struct ledger_place *,
                           struct el_error *);
/*
 * Reads the lists of a file that was left behind, as far as it is sound or, if `marked`, only up to
 * its last mark, and cuts off the rest. `take` returns the symbol for each bitmap. Returns the ply
 * of the last mark, or -1 if there is none.
 */
int ledger_recover(struct ledger *, bool marked, void *context,
                   uint16_t (*take)(void *context, size_t list, const struct ledger_tag *));
/* Sets a mark: what has been added so far will be found again even if the program is killed. */
void ledger_mark(struct ledger *, unsigned ply);
/* Removes the file of a ledger, if there is one, unless a program has it open. */
void ledger_remove(const struct ledger_place *);
void ledger_close(struct ledger *); /* all zeros are allowed */
/* The first failure since the ledger was opened; what was added after it is lost. */
enum el_status ledger_check(const struct ledger *, const char *what, struct el_error *);

/* For bitmaps of so many words. EL_MEMORY, without text. */
enum el_status encoder_open(struct encoder *, size_t words);
void encoder_close(struct encoder *);

/* Give the encoder a bitmap: word by word, with ascending numbers and none of them zero; or all of
   it. */
void encoder_begin(struct encoder *);
void encoder_word(struct encoder *, size_t word, uint64_t bits);
void encoder_set(struct encoder *, const uint64_t *set, size_t words);
/* Puts the bitmap that the encoder has on a list, unless it is empty. */
void ledger_add(struct ledger *, struct encoder *, size_t list, const struct ledger_tag *);

/* Goes through the words of an entry that are not zero. An encoder reads them, and holds them
   until it is used again. */
struct ledger_cursor {
	const uint8_t *at, *end;
	uint64_t mask; /* words of the current 64 that are left */
	size_t base;   /* number of the first of these 64 words */
	size_t next;   /* the 64 that come next */
};
/* False if the entry cannot be read; see ledger_check. */
bool ledger_read(struct ledger *, struct encoder *, const struct ledger_entry *,
                 struct ledger_cursor *);

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

/* ---- files that were left behind ---- */

enum { LEFTOVER_NAME_MAX = EL_SLICE_MAX + 64 };

/* ".endlab-scratch-KRvKN.dtm.found"; `what` is "opening" or "found". */
void leftover_name(const struct el_slice *, const struct el_metric *, const char *what,
                   char out[LEFTOVER_NAME_MAX]);
/* Removes from a folder what nobody uses and whose table has been written since: the build was
   killed between that and removing it. */
void leftovers_sweep(const char *folder, const char *tables);

#endif

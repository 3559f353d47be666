/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bitmaps of units, written down one after the other, each on a list of its own, and read again list by
 * list: what passes decide, with its value, and the conversions, each with its ply. Most have few bits,
 * so a word is written as the bytes of it that are not zero, 64 words as a mask of those that are not.
 *
 * A ledger in memory, or in a file; one in a file with a name is still there when the program has been
 * stopped or killed, and tells all that was written before the last mark. In a file each bitmap has a
 * head, of which a checksum covers the rest and the bitmap:
 *
 *      0 4 checksum (CRC-32)    4 4 list    8 4 bytes of the bitmap    12 4 positions that tables store
 *     16 2 ply    18 2 plies    20 2 phase    22 1 outcome    23 1 zero
 *
 * Lists of different numbers may be added to by several threads at once.
 */
#ifndef ENDLAB_SOLVE_LEDGER_H
#define ENDLAB_SOLVE_LEDGER_H

#include "endlab/status.h"
#include "endlab/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is written beside a bitmap. */
struct ledger_tag {
	uint16_t ply;          /* of the pass that found it, or at which it takes effect */
	uint16_t symbol;       /* whatever its writer likes; no file tells it */
	uint32_t stored;       /* its positions that tables store */
	struct el_value value; /* that they have */
};

/* A bitmap on a list. */
struct ledger_entry {
	uint64_t at;    /* its bytes: an address in memory, or a place in the file */
	uint32_t size;
	uint16_t ply, symbol;
};

struct ledger_list {
	struct ledger_entry *entry; /* owned */
	uint32_t count, room;
};

struct ledger {
	struct ledger_list *list; /* owned */
	size_t lists;
	size_t words;      /* of a bitmap */
	int fd;            /* -1: in memory */
	bool kept;         /* the file has a name */
	uint64_t end;      /* of the file, or bytes in memory */
	double synced;     /* seconds of the clock: when the file was */
	struct ledger_chunk *chunks; /* memory; owned */
	_Atomic enum el_status failed; /* EL_MEMORY, EL_IO */
	int why;               /* errno of it */
};

/* Where one thread puts a bitmap into bytes, and reads it. */
struct pen {
	uint8_t *bytes; /* owned */
	size_t size;
	uint64_t *word; /* the words of the 64 at hand that are not zero; 64 of them; owned, with `bytes` */
	uint64_t mask;  /* which these are */
	size_t slab;    /* which 64 are at hand */
	size_t next;    /* the first that has not been written */
};

/* Where a ledger is: in a folder, under a name, or null: without one. Of a file that was written for
   something with another identity nothing is kept. */
struct ledger_place {
	const char *folder, *name;
	uint64_t identity;
};

/* A null place: in memory. EL_MEMORY, EL_IO. */
enum el_status ledger_open(struct ledger *, size_t lists, size_t words, const struct ledger_place *,
                           struct el_error *);
/*
 * Reads the lists of a file that was left behind, as far as it is sound; `marked`: no further than its last
 * mark. What comes after that is cut off. `take` tells the symbol of each bitmap. Returns the ply of the
 * last mark, or -1.
 */
int ledger_recover(struct ledger *, bool marked, void *context,
                   uint16_t (*take)(void *context, size_t list, const struct ledger_tag *));
/* All that has been added counts from now on, even if the program is killed. */
void ledger_mark(struct ledger *, unsigned ply);
/* Removes the file of a ledger, if there is one, unless a program has it open. */
void ledger_remove(const struct ledger_place *);
void ledger_close(struct ledger *); /* all zeros are allowed */
/* The first failure since it was opened; whatever was added after it is lost. */
enum el_status ledger_check(const struct ledger *, const char *what, struct el_error *);

/* For bitmaps of so many words; EL_MEMORY, without words. */
enum el_status pen_open(struct pen *, size_t words);
void pen_close(struct pen *);

/* Adds a bitmap word by word: rising words, none zero; or all of one. */
void pen_begin(struct pen *);
void pen_word(struct pen *, size_t word, uint64_t bits);
void pen_set(struct pen *, const uint64_t *set, size_t words);
/* Puts what the pen has on a list, nothing where that is nothing. */
void ledger_add(struct ledger *, struct pen *, size_t list, const struct ledger_tag *);

/* The words of an entry that are not zero. Read with `pen`, which holds it until it is used again. */
struct ledger_cursor {
	const uint8_t *at, *end;
	uint64_t mask; /* what is left of the slab */
	size_t base;   /* word of its first */
	size_t next;   /* slab */
};
/* False: it cannot be read; see ledger_check. */
bool ledger_read(struct ledger *, struct pen *, const struct ledger_entry *, struct ledger_cursor *);

/* The next of them; false behind the last. */
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

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A writer of Gaviota's tables. It shares nothing with the reader: its numbering is a list of all
 * anchors and groups in the order that the format counts them in, and the order of a kind's digits is
 * written down for each of the 25 kinds.
 */
#ifndef TESTS_GAVIOTA_FIXTURE_H
#define TESTS_GAVIOTA_FIXTURE_H

#include "endlab/solve.h"

enum { GAVIOTA_SCHEMES = 4 }; /* .gtb.cp1 is scheme 1 */

/* The numbering of a slice. */
struct gaviota_order;

/* Lasts until the program ends. Fails the test where the format has no such slice. */
const struct gaviota_order *gaviota_order(const struct el_slice *);
uint32_t gaviota_count(const struct gaviota_order *);
/* What the format puts at an index, for White to move. False where two pieces are on one square. */
bool gaviota_position(const struct gaviota_order *, uint32_t index, struct el_position *out);

/* A number that positions have in common if, and nearly only if, one is a reflection of the other
   under which a table may be reduced; the side to move is part of it. */
uint64_t gaviota_signature(const struct el_position *);

/* A byte of a table; EL_BROKEN: an illegal position. */
uint8_t gaviota_byte(struct el_value, unsigned side);

/* A gaviota_file.value: that of the planes that are its context. */
struct el_value gaviota_value_in(const void *planes, const struct el_position *);

struct gaviota_file {
	const struct gaviota_order *order;
	unsigned scheme;
	/* The value of a position; asked of all that are two on no square, legal or not, by any number
	   of threads. */
	struct el_value (*value)(const void *context, const struct el_position *);
	const void *context;
	uint32_t every; /* 0, or write only every so many-th block, and nothing in the place of others */
};

/* Writes FOLDER/kqk.gtb.cpN; the path lasts as fixture_path's. */
const char *gaviota_write(const char *folder, const struct el_slice *, const struct gaviota_file *);

/* Packs bytes in a scheme, as a file has them behind a block's first byte: free it. */
uint8_t *gaviota_pack(unsigned scheme, const uint8_t *bytes, size_t count, size_t *size);

#endif

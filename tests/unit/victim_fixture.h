/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small tables to be damaged or forged, and their layout as core/store/table_format.h describes it,
   none of whose code is used. */
#ifndef TESTS_VICTIM_FIXTURE_H
#define TESTS_VICTIM_FIXTURE_H

#include "store_fixture.h"

/* A small table as bytes, and a path for its damaged forms. */
struct victim {
	uint8_t *bytes;
	size_t size;
	const char *path;
	size_t header, directory; /* the size of one, the place of the other */
	size_t entries;           /* where the directory lists the blocks: `size_bytes`, 4 of a checksum */
	unsigned size_bytes;
};

/* Made-up values in a file; free `bytes`. */
struct victim victim_under(const struct el_metric *, const char *slice,
                           const struct el_table_options *);
/* Under depth to mate. */
struct victim victim_of(const char *slice, const struct el_table_options *);
/* The same of KQvK in blocks of 16,384 positions, compressed that way. */
struct victim victim_in(const char *codec);

/* Numbers, the lowest byte first. */
uint64_t victim_number(const uint8_t *bytes, size_t at, unsigned size);
void victim_set(uint8_t *bytes, size_t at, unsigned size, uint64_t number);

/* By the bit, from the definitions: ECMA-182 and IEEE 802.3, reflected, all ones before and after. */
uint64_t victim_crc64(const uint8_t *bytes, size_t size);
uint32_t victim_crc32(const uint8_t *bytes, size_t size);

/* Where the directory has a block, and what it says of it. */
size_t victim_entry(const struct victim *, unsigned block);
uint64_t victim_block_size(const struct victim *, unsigned block);
uint64_t victim_block_checksum(const struct victim *, unsigned block);

/* Set checksums right in a changed copy of its bytes: the header's, or the directory's as well. */
void victim_seal_header(const struct victim *, uint8_t *bytes);
void victim_seal_directory(const struct victim *, uint8_t *bytes, size_t size);

/* The file at its path, opened and read whole, is refused with a status and words that name it. */
void victim_refused(const struct victim *, enum el_status expected, const char *words);
/* With EL_DAMAGED. */
void victim_damaged(const struct victim *, const char *words);

#endif

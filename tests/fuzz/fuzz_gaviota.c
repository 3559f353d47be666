/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a Gaviota table: as one block in each scheme, and behind a correct header as a file
 * of a slice in a scheme; the first two bytes choose both. fuzz_table tries whole files: most of
 * them fail at the header.
 */
#include "core/foreign/gaviota.h"
#include "try.h"

#include <string.h>

enum { WORD = 4, HEADER = 10 * WORD, BLOCK = 16384, ROOM = 1 << 17 };

static const char *const names[] = {"KQvK",  "KPvK",  "KNvK",   "KQvKR",  "KRRvK",  "KPPvK",
                                    "KPvKP", "KRvKP", "KPPvKP", "KPPPvK", "KQQQvK", "KBNvKQ"};
static const struct el_source_ops *const kinds[] = {&el_source_gaviota, &el_source_gaviota_cp3,
                                                    &el_source_gaviota_cp2, &el_source_gaviota_cp1};
static const struct scheme *const schemes[] = {&scheme_lzma, &scheme_zlib, &scheme_lzf,
                                               &scheme_huffman};

enum { NAMES = sizeof names / sizeof *names, KINDS = sizeof kinds / sizeof *kinds };

static void decode_all(const uint8_t *data, size_t size)
{
	for (unsigned i = 0; i < KINDS; i++)
		for (size_t count = 1; count <= BLOCK; count *= 8) {
			uint8_t *out = malloc(count);
			if (!out)
				abort();
			schemes[i]->decode(data, size, out, count);
			free(out);
		}
}

static void put_word(uint8_t *at, uint32_t word)
{
	for (unsigned i = 0; i < WORD; i++)
		at[i] = (uint8_t)(word >> 8 * i);
}

/* Tries a file with a correct header and correct ends of the list; the bytes supply the rest of the
   list, and the blocks. */
static void try_blocks(const struct el_source_ops *kind, const char *name, const uint8_t *data,
                       size_t size)
{
	struct foreign f = {0};
	struct gaviota_index index;
	if (el_slice_parse(name, &f.source.slice, NULL) || !gaviota_index_make(&f, &index))
		abort();
	const uint32_t blocks = (index.positions + BLOCK - 1) / BLOCK;
	const size_t list_end = HEADER + WORD * (2 * (size_t)blocks + 1);
	uint8_t *bytes = calloc(list_end + size, 1);
	if (!bytes)
		abort();
	memcpy(bytes + list_end, data, size);
	for (uint32_t b = 0; b <= 2 * blocks; b++)
		put_word(bytes + HEADER + WORD * (size_t)b,
		         (uint32_t)(list_end + (b < size ? (uint64_t)data[b] * size / 256 : size)));
	put_word(bytes + 2 * WORD, BLOCK);
	put_word(bytes + 8 * WORD, (uint32_t)list_end);
	put_word(bytes + HEADER, (uint32_t)list_end);
	put_word(bytes + list_end - WORD, (uint32_t)(list_end + size));
	if (!try_as(kind, name, bytes, list_end + size))
		abort(); /* the header is right */
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || size > ROOM)
		return 0;
	decode_all(data + 2, size - 2);
	try_blocks(kinds[data[0] % KINDS], names[data[1] % NAMES], data + 2, size - 2);
	return 0;
}

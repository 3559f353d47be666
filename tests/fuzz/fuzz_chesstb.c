/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a table of chesstb: as a block in each packing, and behind a correct start as a file.
 * The first byte chooses the kind, and the material in its name: with and without pawns or opposing pawns,
 * with one frame or two. The checksum is not looked at, so that the code behind it is reached.
 */
#include "core/foreign/chesstb.h"
#include "try.h"

#include <string.h>

static const struct el_source_ops *const kinds[] = {
	&el_source_chesstb, &el_source_chesstb_dtz, &el_source_chesstb_dtm,
	&el_source_chesstb_dtm50, &el_source_chesstb_dtc};
static const struct chesstb_format *const formats[] = {&chesstb_wdl, &chesstb_dtz, &chesstb_dtm,
                                                       &chesstb_dtm50, &chesstb_dtc};
/* Names, and the numbers of their material. */
static const struct {
	const char *name;
	uint32_t key, frames;
} stems[] = {
	{"KQK", 6561, 2}, {"KPK", 1, 2}, {"KNK", 9, 2}, {"KPKP", 1 + 59049, 1}, {"KpKp", 0, 1}};

enum { KINDS = sizeof kinds / sizeof *kinds, STEMS = sizeof stems / sizeof *stems };

static void decode_all(const uint8_t *data, size_t size)
{
	enum { BEFORE = 3, POSITIONS = 70 };
	const size_t room = chesstb_courses_room(POSITIONS);
	for (size_t count = 1; count <= 4096; count *= 16) {
		uint8_t *out = calloc(BEFORE + count, 1);
		must(out);
		chesstb_unpack_lz4(data, size, out + BEFORE, BEFORE, count);
		chesstb_unpack_lzma(data, size, out, count);
		free(out);
	}
	for (unsigned bytes = 1; bytes <= 2; bytes++) {
		const unsigned layers = size % 2 ? CHESSTB_CLOCKS : CHESSTB_BUDGETS;
		uint8_t *block = malloc(room + size);
		must(block);
		memcpy(block + room, data, size);
		if (chesstb_courses_begin(block, size, POSITIONS, bytes, layers))
			for (uint32_t i = 0; i < POSITIONS; i++)
				for (unsigned layer = 0; layer < layers; layer++)
					chesstb_courses_rank(block, i, bytes, layer);
		free(block);
	}
}

static void put_word(uint8_t *at, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(word >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	const unsigned kind = *data % KINDS, stem = *data / KINDS % STEMS;
	decode_all(data + 1, size - 1);
	if (size <= CHESSTB_START + 1)
		return 0;
	const size_t whole = (size - 1) / CHESSTB_ALIGNMENT * CHESSTB_ALIGNMENT + CHESSTB_SUM;
	uint8_t *bytes = calloc(size + CHESSTB_ALIGNMENT, 1);
	must(bytes);
	memcpy(bytes, data + 1, size - 1);
	put_word(bytes, formats[kind]->magic);
	put_word(bytes + 4, stems[stem].key << 2 | stems[stem].frames);
	try_as(kinds[kind], stems[stem].name, bytes, whole);
	free(bytes);
	return 0;
}

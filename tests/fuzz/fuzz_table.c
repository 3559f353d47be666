/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a table file of any kind: it opens or is refused, and every block is read or
 * refused. Start it on a folder of small real tables. Checksums are the first barrier, so a file
 * that looks like one of our tables is tried again with all checksums corrected; and the bytes are
 * tried as the slots and entries of a Malom table, and as the values beside it; as one of Cake's, and as
 * the text beside it.
 */
#include "core/table/format.h"
#include "try.h"

#include <string.h>

/* Corrects the size of the file and every checksum, as far as it can find the parts; false if it
   finds none. */
static bool seal(uint8_t *bytes, size_t size)
{
	if (size < HEADER_FIXED + CHECKSUM_SIZE ||
	    (memcmp(bytes, TABLE_MAGIC, MAGIC_SIZE) && memcmp(bytes, STUDY_MAGIC, MAGIC_SIZE)))
		return false;
	/* The list of a study follows its table, and ends with a checksum. */
	const uint64_t own = get_le(bytes + AT_FILE_SIZE, 8);
	if (bytes[3] == STUDY_MAGIC[3] && own < size && size - own > CHECKSUM_SIZE) {
		table_seal(bytes + own, size - own - CHECKSUM_SIZE);
		size = own;
	}
	const size_t header = get_u32(bytes + AT_HEADER_SIZE);
	const uint64_t directory = get_le(bytes + AT_DIRECTORY, 8);
	if (header < HEADER_FIXED + CHECKSUM_SIZE || header > size)
		return false;
	put_le(bytes + AT_FILE_SIZE, 8, size);
	if (directory < header || directory > size) {
		table_seal(bytes, header - CHECKSUM_SIZE);
		return true;
	}
	const unsigned width = bytes[AT_SIZE_BYTES], entry = width + BLOCK_CHECKSUM_SIZE;
	uint64_t entries = directory, at = header;
	for (unsigned p = 0; p < 2; p++)
		entries += get_u32(bytes + AT_LEARNED + 4 * p);
	for (; width >= 1 && width <= 4 && entries + entry <= size; entries += entry) {
		const uint64_t block = get_le(bytes + entries, width);
		if (at + block > directory)
			break;
		put_le(bytes + entries + width, BLOCK_CHECKSUM_SIZE,
		       table_block_checksum(bytes + at, block));
		at += block;
	}
	put_le(bytes + AT_DIRECTORY_CHECKSUM, CHECKSUM_SIZE,
	       table_checksum(bytes + directory, size - directory));
	table_seal(bytes, header - CHECKSUM_SIZE);
	return true;
}

/* Behind a header that fits. One man a side on the board: 92 slots. */
static void try_malom(const uint8_t *data, size_t size)
{
	static const char values[] = "virt_loss_val: -299 virt_win_val: 299 1 1 1 2 2 5";
	static const char name[] = "std_1_1_2_2";
	enum { HEADER = 64, SLOTS = 92, ENTRIES = HEADER + 3 * SLOTS, ENTRY = 8 };
	uint8_t file[ENTRIES + 4 + ENTRY * SLOTS] = {2, [4] = 3, [8] = 12};
	const size_t in_slots = size < 3 * SLOTS ? size : 3 * SLOTS;
	const size_t left = (size - in_slots) / ENTRY, count = left < SLOTS ? left : SLOTS;
	if (size) {
		memcpy(file + HEADER, data, in_slots);
		memcpy(file + ENTRIES + 4, data + in_slots, ENTRY * count);
	}
	file[ENTRIES] = (uint8_t)count;
	try_write("std.secval", data, size);
	try_as(&el_source_malom, name, file, ENTRIES + 4 + ENTRY * count);
	try_write("std.secval", values, sizeof values - 1);
	must(try_as(&el_source_malom, name, file, ENTRIES + 4 + ENTRY * count));
}

static void try_cake(const uint8_t *data, size_t size)
{
	static const char text[] = "BASE0,1,0,1,0,0,b:0/0\nBASE0,1,1,0,0,6,b:0/9";
	try_write("db2.idx", text, sizeof text - 1);
	try_as(&el_source_cake, "db2", data, size);
	try_write("db2.idx", data, size);
	try_as(&el_source_cake, "db2", data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *sealed = malloc(size + 1);
	if (!sealed)
		abort();
	if (size)
		memcpy(sealed, data, size);
	for (const struct el_source_ops *const *kind = el_source_kinds; *kind; kind++)
		try_as(*kind, *kind == &el_source_egt ? "KQvK.dtm" : "KQvK", data, size);
	if (seal(sealed, size)) {
		try_as(&el_source_egt, "KQvK.dtm", sealed, size);
		try_as(&el_source_study, "KPvKP", sealed, size);
	}
	free(sealed);
	try_malom(data, size);
	try_cake(data, size);
	return 0;
}

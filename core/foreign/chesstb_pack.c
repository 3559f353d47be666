/* SPDX-License-Identifier: MIT */
/* Unpacks chesstb's blocks, from bytes that may be anything. */
#include "chesstb.h"

#include <lzma.h>
#include <string.h>

/* ---- LZ4 ---- */

/* A length of 15 goes on in further bytes, the last of which is not 255. */
static bool read_length(const uint8_t **at, const uint8_t *end, size_t *length)
{
	enum { GOES_ON = 15 };
	if (*length < GOES_ON)
		return true;
	uint8_t more = UINT8_MAX;
	while (more == UINT8_MAX) {
		if (*at == end)
			return false;
		more = *(*at)++;
		*length += more;
	}
	return true;
}

/* Each sequence is a byte of two lengths, literals, and the distance of a match, which the last one
   lacks. */
bool chesstb_unpack_lz4(const uint8_t *bytes, size_t size, uint8_t *out, size_t before,
                        size_t count)
{
	enum { MATCH_MIN = 4, DISTANCE = 2 };
	const uint8_t *at = bytes, *const end = bytes + size;
	size_t made = 0;
	while (at < end) {
		size_t literals = *at >> 4, match = *at & 15;
		at++;
		if (!read_length(&at, end, &literals) || literals > (size_t)(end - at) ||
		    literals > count - made)
			return false;
		memcpy(out + made, at, literals);
		made += literals;
		at += literals;
		if (at == end)
			return made == count;
		if (end - at < DISTANCE)
			return false;
		const size_t distance = foreign_u16(at);
		at += DISTANCE;
		if (!read_length(&at, end, &match))
			return false;
		match += MATCH_MIN;
		if (!distance || distance > before + made || match > count - made)
			return false;
		for (; match; match--, made++)
			out[made] =
				*(out + made - distance); /* which may have been copied just now */
	}
	return false;
}

/* ---- LZMA ---- */

/* LZMA without a header, then the five bytes that are one elsewhere. No larger dictionary is needed than
   what is unpacked, however large the file says it is. */
enum el_status chesstb_unpack_lzma(const uint8_t *bytes, size_t size, uint8_t *out, size_t count)
{
	enum { PROPERTIES = 5, LEAST = 4096, LC = 9, LP = 5, PB = 5 };
	if (size <= PROPERTIES || bytes[size - PROPERTIES] >= LC * LP * PB)
		return EL_DAMAGED;
	const uint8_t *properties = bytes + size - PROPERTIES;
	const uint32_t wanted = foreign_u32(properties + 1);
	lzma_options_lzma options = {
		.dict_size = wanted < count ? wanted : (uint32_t)count,
		.lc = properties[0] % LC,
		.lp = properties[0] / LC % LP,
		.pb = properties[0] / LC / LP,
	};
	if (options.dict_size < LEAST)
		options.dict_size = LEAST;
	const lzma_filter filters[] = {{LZMA_FILTER_LZMA1, &options}, {LZMA_VLI_UNKNOWN, NULL}};
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_raw_decoder(&stream, filters);
	stream.next_in = bytes;
	stream.avail_in = size - PROPERTIES;
	stream.next_out = out;
	stream.avail_out = count;
	if (ret == LZMA_OK)
		ret = lzma_code(&stream, LZMA_FINISH);
	lzma_end(&stream);
	if (ret == LZMA_MEM_ERROR)
		return EL_MEMORY;
	const bool whole = stream.avail_out == 0;
	return whole && (ret == LZMA_OK || ret == LZMA_STREAM_END || ret == LZMA_BUF_ERROR)
	               ? EL_OK
	               : EL_DAMAGED;
}

/* ---- values in layers ---- */

/*
 *     positions, how many have two, three, and more segments; bytes of the records of the former two
 *     the state of each position, two bits: how many segments it has, less one
 *     the records of those with one, two and three segments, each kind in a row
 *     from a multiple of 4 on: where the records of the others begin, and where the last ends
 *     those records
 *
 * A segment is a stretch of layers with the same value. A record has the layers at which segments begin
 * after the first one, then the rank of each value. A flag says that the last segment is a draw,
 * which has no rank.
 *
 * Records are of different lengths, so marks are kept in front of the block, one for a group of
 * positions: where the next record of each state is.
 */
enum {
	HEAD = 24,
	GROUP = 64,
	STATES = 4,
	MANY = 3, /* the state of a record with more than three segments */
	DRAW_END = 0x80,
	NUMBER = 0x7f,
	BITMAP_UNIT = 4, /* bytes */
};

/* In front of a block: where it is, and in it the list of where records of MANY are, and these. */
struct front {
	uint32_t block, list, many;
	uint32_t bitmap; /* bytes of one, in a record of MANY */
	/* By group: where the next record of each state is; for MANY, its number. */
	struct marks {
		uint32_t at[STATES];
	} marks[];
};

size_t chesstb_courses_room(uint32_t positions)
{
	return sizeof(struct front) +
	       ((size_t)positions + GROUP - 1) / GROUP * sizeof(struct marks);
}

static unsigned state_of(const uint8_t *states, uint32_t position)
{
	return states[position / 4] >> position % 4 * 2 & 3;
}

/* The bytes of a record with up to three segments. */
static uint32_t length_of(const uint8_t *record, unsigned state, unsigned entry_bytes)
{
	const bool drawn = state && record[state - 1] & DRAW_END;
	return state + (state + 1 - drawn) * entry_bytes;
}

/* Do the segments of a record begin one after the other? `record` has at least `state` bytes. */
static bool is_ordered(const uint8_t *record, unsigned state, unsigned layers)
{
	unsigned before = 0;
	for (unsigned i = 0; i < state; i++) {
		const unsigned layer = i + 1 == state ? record[i] & NUMBER : record[i];
		if (layer <= before || layer >= layers)
			return false;
		before = layer;
	}
	return true;
}

/* The bytes of a bitmap with a bit for each layer. */
static unsigned bitmap_of(unsigned layers)
{
	return (layers + 8 * BITMAP_UNIT - 1) / (8 * BITMAP_UNIT) * BITMAP_UNIT;
}

static bool is_many(const uint8_t *record, uint32_t size, unsigned entry_bytes, unsigned layers)
{
	const unsigned bitmap = bitmap_of(layers);
	if (size < 1 + bitmap)
		return false;
	const unsigned count = record[0] & NUMBER, drawn = record[0] / DRAW_END;
	unsigned bits = 0;
	for (unsigned layer = 0; layer < 8 * bitmap; layer++) {
		const unsigned bit = record[1 + layer / 8] >> layer % 8 & 1;
		if (bit && layer >= layers)
			return false;
		bits += bit;
	}
	return record[1] & 1 && bits == count && count > drawn &&
	       size == 1 + bitmap + (count - drawn) * entry_bytes;
}

bool chesstb_courses_begin(uint8_t *bytes, size_t size, uint32_t positions, unsigned entry_bytes,
                           unsigned layers)
{
	const size_t room = chesstb_courses_room(positions);
	const uint8_t *const block = bytes + room;
	if (size < HEAD || foreign_u32(block) != positions)
		return false;
	/* Sums are of 64 bits, so that none overflows. */
	uint64_t count[STATES] = {positions}, at[STATES + 1], seen[STATES] = {0};
	for (unsigned s = 1; s < STATES; s++) {
		count[s] = foreign_u32(block + 4 * s);
		if (count[s] > count[0])
			return false;
		count[0] -= count[s];
	}
	at[0] = HEAD + ((uint64_t)positions + 3) / 4;
	at[1] = at[0] + count[0] * entry_bytes;
	at[2] = at[1] + foreign_u32(block + 16);
	at[3] = at[2] + foreign_u32(block + 20);
	const uint64_t list = (at[3] + 3) / 4 * 4, many = list + 4 * (count[MANY] + 1);
	if (many > size || (count[MANY] && foreign_u32(block + list)))
		return false;
	const uint64_t end[MANY] = {at[1], at[2], at[3]};
	struct front *front = (struct front *)bytes;
	front->bitmap = bitmap_of(layers);
	front->block = (uint32_t)room;
	front->list = (uint32_t)(room + list);
	front->many = (uint32_t)(room + many);
	for (uint32_t i = 0; i < positions; i++) {
		const unsigned state = state_of(block + HEAD, i);
		if (i % GROUP == 0)
			for (unsigned s = 0; s < STATES; s++)
				front->marks[i / GROUP].at[s] =
					(uint32_t)(s < MANY ? room + at[s] : seen[s]);
		if (seen[state]++ == count[state])
			return false;
		if (state < MANY) {
			const uint8_t *record = block + at[state];
			if (at[state] + state >= end[state] || !is_ordered(record, state, layers))
				return false;
			at[state] += length_of(record, state, entry_bytes);
			if (at[state] > end[state])
				return false;
			continue;
		}
		const uint64_t begin = foreign_u32(block + list + 4 * (seen[MANY] - 1));
		const uint64_t stop = foreign_u32(block + list + 4 * seen[MANY]);
		if (stop < begin || many + stop > size ||
		    !is_many(block + many + begin, (uint32_t)(stop - begin), entry_bytes, layers))
			return false;
	}
	return at[0] == end[0] && at[1] == end[1] && at[2] == end[2];
}

/* Which segment of a record with more than three has a layer? */
static unsigned segment_of(const uint8_t *bitmap, unsigned layer)
{
	const unsigned last = (2u << layer % 8) - 1;
	unsigned bits = (unsigned)__builtin_popcount(bitmap[layer / 8] & last);
	for (unsigned i = 0; i < layer / 8; i++)
		bits += (unsigned)__builtin_popcount(bitmap[i]);
	return bits - 1;
}

uint16_t chesstb_courses_rank(const uint8_t *bytes, uint32_t position, unsigned entry_bytes,
                              unsigned layer)
{
	const struct front *front = (const struct front *)bytes;
	const uint8_t *states = bytes + front->block + HEAD;
	struct marks next = front->marks[position / GROUP];
	for (uint32_t i = position / GROUP * GROUP; i < position; i++) {
		const unsigned state = state_of(states, i);
		next.at[state] +=
			state < MANY ? length_of(bytes + next.at[state], state, entry_bytes) : 1;
	}
	const unsigned state = state_of(states, position);
	unsigned segment = 0, segments = state + 1;
	const uint8_t *record = bytes + next.at[state], *ranks = record + state, *flag = ranks - 1;
	if (state == MANY) {
		record = bytes + front->many +
		         foreign_u32(bytes + front->list + 4 * (size_t)next.at[MANY]);
		segment = segment_of(record + 1, layer);
		segments = *record & NUMBER;
		ranks = record + 1 + front->bitmap;
		flag = record;
	}
	while (state < MANY && segment < state && (record[segment] & NUMBER) <= (int)layer)
		segment++;
	if (state && *flag & DRAW_END && segment == segments - 1)
		return CHESSTB_DRAWN;
	return entry_bytes == 1 ? ranks[segment] : foreign_u16(ranks + 2 * (size_t)segment);
}

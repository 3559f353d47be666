/* SPDX-License-Identifier: MIT */
/*
 * What comes before the blocks: the head of each frame, the dictionaries, and where the lists of
 * blocks are. The lists themselves are read a block at a time. Every number is checked against the
 * material or against the size of the file before it is used.
 */
#include "chesstb.h"
#include "core/table/order.h"

#include <stdio.h>
#include <string.h>

enum {
	SINGULAR = 0x80,
	DROPPED = 0x40,
	LOSSES_ONLY = 0x20,
	RELAXED = 0x10,
	RANKS_MAX = 2048, /* no depth is greater */
	/* Sixteen times what the generator writes. Compressed, blocks hardly grow; those of courses are
	   several times as large as a rank for each position. */
	BLOCK_MAX = 16 << 20,
	COURSES_MAX = 64 << 20,
	DICTIONARY_MAX = 32768,
	WIDTH_MAX = 64,
	SAMPLE_BITS_MAX = 48,
	NUMBER_BYTES = 9, /* that a packed number may touch */
};

/* ---- the material ---- */

static const char letters[] = "KQRBNP";

enum { KINDS = sizeof letters - 1, PAWN = KINDS - 1 };

/* <0, 0 or >0: is a side worth less, as much or more than another? Of equal sums, the one with more of
   the greatest kind in which they differ. */
static int compare_sides(const uint8_t *a, const uint8_t *b, const uint8_t kind[KINDS])
{
	static const int worth[KINDS] = {0, 900, 500, 330, 320, 100};
	int sum = 0, first = 0;
	for (unsigned i = 0; i < KINDS; i++) {
		const int more = a[kind[i]] - b[kind[i]];
		sum += worth[i] * more;
		first = first ? first : more;
	}
	return sum ? sum : first;
}

/* A table of opposing pawns names one on each side: "KQpKp". *out becomes the name of all its material; false
   if the name is not of that kind. */
static bool unfold_pair(const char *name, char *out)
{
	const char *second = strchr(name + (*name == 'K'), 'K');
	const char *last = second ? strchr(second, 0) - 1 : NULL;
	if (!second || second[-1] != 'p' || *last != 'p' || strchr(name, 'p') != second - 1 ||
	    strchr(second, 'p') != last)
		return false;
	strcpy(out, name);
	out[second - 1 - name] = out[last - name] = 'P';
	return true;
}

enum el_status chesstb_material(const struct el_source_ops *ops, const char *path,
                                struct el_slice *slice, uint8_t count[2][EL_KINDS],
                                bool *is_swapped, struct el_error *error)
{
	const char *stem = basename(path);
	const size_t length = strlen(stem) - strlen(ops->extension);
	char name[EL_SLICE_MAX] = "", whole[EL_SLICE_MAX], own[EL_SLICE_MAX], *end = own;
	uint8_t kind[KINDS];
	snprintf(name, sizeof name, "%.*s", (int)length, stem);
	const bool has_pair = length < sizeof name && unfold_pair(name, whole);
	if (!has_pair)
		strcpy(whole, name);
	const bool plain = strspn(whole, letters) == length;
	const bool is_parsed = plain && !el_slice_parse(whole, slice, NULL);
	const bool is_chesstbs = strchr(name, 'p'); /* not one of ours in small letters */
	if (!is_parsed && (is_chesstbs || !foreign_named(ops, path, slice)))
		return foreign_not_named(ops, path, error);
	for (unsigned i = 0; i < KINDS; i++)
		kind[i] = (uint8_t)(strchr(slice->game->kinds, letters[i]) - slice->game->kinds);
	*is_swapped = compare_sides(slice->count[0], slice->count[1], kind) < 0;
	for (unsigned side = 0; side < 2; side++) {
		memcpy(count[side], slice->count[side ^ *is_swapped], EL_KINDS);
		count[side][kind[PAWN]] -= has_pair;
		for (unsigned i = 0; i < KINDS; i++)
			for (unsigned k = 0; k < count[side][kind[i]]; k++)
				*end++ = letters[i];
		if (has_pair)
			*end++ = 'p';
	}
	*end = 0;
	if (strcmp(name, own) && (is_chesstbs || !foreign_named(ops, path, slice)))
		return el_fail(error, EL_NEGATIVE, "%s: expected the name %s%s", path, own,
		               ops->extension);
	return EL_OK;
}

/* A piece's weight is a power of nine, for kings 0. The key is the smaller sum of either way round. */
static uint64_t key_of(const struct chesstb *c)
{
	uint64_t white = 1, black = 9 * 9 * 9 * 9 * 9, key[2] = {0};
	for (unsigned i = KINDS - 1; i > 0; i--, white *= 9, black *= 9) {
		const unsigned kind = foreign_kind(&c->foreign, letters[i]);
		key[0] += c->count[0][kind] * white + c->count[1][kind] * black;
		key[1] += c->count[1][kind] * white + c->count[0][kind] * black;
	}
	return key[0] < key[1] ? key[0] : key[1];
}

/* ---- the head of a frame ---- */

struct cursor {
	const struct chesstb *table;
	uint64_t at;
	struct el_error *error;
};

static enum el_status take(struct cursor *cursor, void *out, size_t size)
{
	const uint64_t at = cursor->at;
	cursor->at += size;
	return input_read(&cursor->table->foreign.input, "header", out, size, at, cursor->error);
}

static enum el_status damaged(const struct cursor *cursor, const char *what, uint64_t expected,
                              uint64_t found)
{
	return foreign_damaged(&cursor->table->foreign, what, expected, found, cursor->error);
}

static enum el_status read_values(struct cursor *cursor, struct chesstb_frame *f)
{
	uint8_t bytes[2 * RANKS_MAX];
	if (f->ranks > RANKS_MAX)
		return damaged(cursor, "values, at most", RANKS_MAX, f->ranks);
	enum el_status status = take(cursor, bytes, 2 * (size_t)f->ranks);
	f->value_of = status ? NULL : calloc(f->ranks + 1u, sizeof *f->value_of);
	if (!status && !f->value_of)
		return foreign_no_memory(cursor->table->foreign.source.path, cursor->error);
	for (unsigned i = 0; i < f->ranks && !status; i++) {
		f->value_of[i] = foreign_u16(bytes + 2 * i);
		if (f->value_of[i] >= RANKS_MAX)
			status = damaged(cursor, "a depth, at most", RANKS_MAX - 1, f->value_of[i]);
	}
	return status;
}

/* Does what a head says of its blocks fit the positions? `unit` and `tail` are the bytes, or the positions,
   of a block and of the last one, 0 if that is whole. */
static enum el_status check_blocks(struct cursor *cursor, struct chesstb_frame *f, uint32_t unit,
                                   uint64_t tail)
{
	const struct chesstb *c = cursor->table;
	const bool courses = c->format->layers > 0;
	const uint64_t positions = c->index.positions;
	const uint64_t all = c->format->outcomes ? (positions + 1) / 2
	                     : courses           ? positions
	                                         : positions * f->entry_bytes;
	const uint32_t most = courses ? BLOCK_MAX / f->entry_bytes : BLOCK_MAX;
	if (!unit || unit > most)
		return damaged(cursor, "length of a block, at most", most, unit);
	if (!courses && unit % f->entry_bytes)
		return damaged(cursor, "odd bytes of a block", 0, unit % f->entry_bytes);
	if (f->blocks != (all + unit - 1) / unit)
		return damaged(cursor, "blocks", (all + unit - 1) / unit, f->blocks);
	if (tail != all % unit)
		return damaged(cursor, "length of the last block", all % unit, tail);
	if (f->data_bytes > c->foreign.source.bytes)
		return damaged(cursor, "bytes of the blocks, at most", c->foreign.source.bytes,
		               f->data_bytes);
	f->block_bytes = courses ? 0 : unit;
	f->block_positions = c->format->outcomes ? 2 * unit
	                     : courses           ? unit
	                                         : unit / f->entry_bytes;
	return EL_OK;
}

static enum el_status read_frame(struct cursor *cursor, struct chesstb_frame *f)
{
	const struct chesstb_format *format = cursor->table->format;
	const uint8_t known = SINGULAR | DROPPED | (format->outcomes ? RELAXED : LOSSES_ONLY);
	uint8_t flags = 0, b[31];
	enum el_status status = take(cursor, &flags, 1);
	if (status)
		return status;
	if (flags & ~known)
		return damaged(cursor, "form of a frame, of", known, flags);
	f->is_singular = flags & SINGULAR;
	f->is_dropped = !f->is_singular && flags & DROPPED;
	f->losses_only = flags & LOSSES_ONLY;
	f->is_relaxed = flags & RELAXED;
	if (f->is_singular) {
		status = take(cursor, &f->value, 1);
		const unsigned most = format->outcomes ? 4 : format->layers ? 0 : UINT8_MAX;
		if (!status && (f->value > most || (format->outcomes && f->value % 2)))
			return damaged(cursor, "the value of all positions, at most", most,
			               f->value);
	}
	const unsigned classes = cursor->table->index.classes;
	memcpy(f->order, order_numbered(classes, 0).digit, classes);
	if (status || f->is_singular || f->is_dropped)
		return status;
	status = take(cursor, b, format->outcomes ? 26 : 31);
	if (status)
		return status;
	const uint32_t order = foreign_u32(b);
	if (order >= orders_of(classes))
		return damaged(cursor, "order of the pieces, of classes", classes, order);
	memcpy(f->order, order_numbered(classes, order).digit, classes);
	f->entry_bytes = format->outcomes ? 1 : b[4];
	if (f->entry_bytes != 1 && f->entry_bytes != 2)
		return damaged(cursor, "bytes of a cell, at most", 2, f->entry_bytes);
	f->blocks = foreign_u64(b + (format->outcomes ? 10 : format->layers ? 9 : 13));
	f->data_bytes = foreign_u64(b + (format->outcomes ? 18 : 21));
	const uint32_t unit = foreign_u32(b + (format->outcomes ? 6 : format->layers ? 5 : 9));
	const uint32_t tail = format->outcomes ? foreign_u16(b + 4)
	                      : format->layers ? foreign_u32(b + 17)
	                                       : foreign_u32(b + 5);
	status = check_blocks(cursor, f, unit, tail);
	f->ranks = format->outcomes ? 0 : foreign_u16(b + 29);
	return status || format->outcomes ? status : read_values(cursor, f);
}

/* ---- what follows ---- */

static uint64_t aligned(uint64_t at)
{
	return (at + CHESSTB_ALIGNMENT - 1) / CHESSTB_ALIGNMENT * CHESSTB_ALIGNMENT;
}

static enum el_status read_dictionary(struct cursor *cursor, struct chesstb_frame *f)
{
	uint8_t size[2] = {0};
	const enum el_status status = take(cursor, size, sizeof size);
	f->dictionary_bytes = foreign_u16(size);
	f->at_dictionary = cursor->at;
	cursor->at += f->dictionary_bytes;
	return status || f->dictionary_bytes <= DICTIONARY_MAX
	               ? status
	               : damaged(cursor, "bytes of a dictionary, at most", DICTIONARY_MAX,
	                         f->dictionary_bytes);
}

static enum el_status read_lists(struct cursor *cursor, struct chesstb_frame *f)
{
	uint8_t b[4] = {0};
	const enum el_status status = take(cursor, b, sizeof b);
	if (status)
		return status;
	f->sample_bits = b[0];
	if (f->sample_bits > SAMPLE_BITS_MAX)
		return damaged(cursor, "blocks of a sample, as a power of two, at most",
		               SAMPLE_BITS_MAX, f->sample_bits);
	const uint64_t apart = UINT64_C(1) << f->sample_bits, count = f->blocks + 1;
	const uint64_t numbers[3] = {(count + apart - 1) / apart, count, f->blocks};
	for (unsigned i = 0; i < 3; i++) {
		f->width[i] = b[1 + i];
		const unsigned most =
			i < CHESSTB_SIZES || cursor->table->format->layers ? WIDTH_MAX : 0;
		if (f->width[i] > most)
			return damaged(cursor, "bits of a number, at most", most, f->width[i]);
		f->at[i] = cursor->at;
		cursor->at += (numbers[i] * f->width[i] + 7) / 8;
	}
	return EL_OK;
}

/* A number of a list: so many bits, the lowest first. */
static enum el_status read_number(const struct chesstb *c, const struct chesstb_frame *f,
                                  unsigned list, uint64_t place, uint64_t *out,
                                  struct el_error *error)
{
	const unsigned width = f->width[list], skip = (unsigned)(place * width & 7);
	uint8_t b[NUMBER_BYTES + 7] = {0};
	*out = 0;
	if (!width)
		return EL_OK;
	const enum el_status status =
		input_read(&c->foreign.input, "list of blocks", b, (skip + width + 7) / 8,
	                   f->at[list] + place * width / 8, error);
	*out = foreign_u64(b) >> skip | (skip ? (uint64_t)b[8] << (64 - skip) : 0);
	if (width < 64)
		*out &= (UINT64_C(1) << width) - 1;
	return status;
}

/* Where a block begins, or the last one ends. */
static enum el_status read_begin(const struct chesstb *c, const struct chesstb_frame *f,
                                 uint64_t block, uint64_t *out, struct el_error *error)
{
	uint64_t offset = 0;
	enum el_status status =
		read_number(c, f, CHESSTB_SAMPLES, block >> f->sample_bits, out, error);
	if (!status)
		status = read_number(c, f, CHESSTB_OFFSETS, block, &offset, error);
	*out += offset;
	return status;
}

static enum el_status check_start(struct cursor *cursor)
{
	const struct chesstb *c = cursor->table;
	const uint64_t bytes = c->foreign.source.bytes, key = key_of(c);
	uint8_t start[CHESSTB_START] = {0};
	if (key >> 30)
		return el_fail(cursor->error, EL_NEGATIVE,
		               "%s: chesstb has no number for the material of %s",
		               c->foreign.source.path, c->foreign.source.slice.name);
	const enum el_status status = take(cursor, start, sizeof start);
	if (status)
		return status;
	if (foreign_u32(start) != c->format->magic)
		return damaged(cursor, "magic", c->format->magic, foreign_u32(start));
	if (foreign_u32(start + 4) != (key << 2 | c->frames))
		return damaged(cursor, "material and sides", key << 2 | c->frames,
		               foreign_u32(start + 4));
	if (bytes % CHESSTB_ALIGNMENT != CHESSTB_SUM)
		return damaged(cursor, "bytes of the file after whole parts of 64", CHESSTB_SUM,
		               bytes % CHESSTB_ALIGNMENT);
	return EL_OK;
}

enum el_status chesstb_head_read(struct chesstb *c, struct el_error *error)
{
	struct cursor cursor = {c, 0, error};
	struct chesstb_frame *const f = c->frame;
	const uint64_t bytes = c->foreign.source.bytes;
	enum el_status status = check_start(&cursor);
	for (unsigned i = 0; i < c->frames && !status; i++)
		status = read_frame(&cursor, &f[i]);
	if (status)
		return status;
	/* Forms that contradict each other. */
	const bool dropped = f[0].is_dropped || f[1].is_dropped;
	if ((f[0].is_dropped && f[1].is_dropped) || (dropped && c->frames == 1))
		return damaged(&cursor, "sides left out, of two", 1, c->frames);
	if (dropped && (f[0].losses_only || f[1].losses_only))
		return damaged(&cursor, "sides left out, beside losses alone", 0, 1);
	/* What follows the heads. */
	for (unsigned i = 0; i < c->frames && c->format->outcomes && !status; i++)
		if (f[i].blocks)
			status = read_dictionary(&cursor, &f[i]);
	for (unsigned i = 0; i < c->frames && !status; i++)
		if (f[i].blocks)
			status = read_lists(&cursor, &f[i]);
	if (status)
		return status;
	uint64_t at = aligned(cursor.at), blocks = 0, first = 0, last = 0;
	for (unsigned i = 0; i < c->frames; i++) {
		f[i].at_data = at;
		f[i].first_block = blocks;
		at = aligned(at + f[i].data_bytes);
		blocks += f[i].blocks;
	}
	if (at + CHESSTB_SUM != bytes)
		return damaged(&cursor, "bytes of the file", at + CHESSTB_SUM, bytes);
	for (unsigned i = 0; i < c->frames; i++) {
		if (!f[i].blocks)
			continue;
		status = read_begin(c, &f[i], 0, &first, error);
		if (!status)
			status = read_begin(c, &f[i], f[i].blocks, &last, error);
		if (status)
			return status;
		if (first)
			return damaged(&cursor, "begin of the first block", 0, first);
		if (last != f[i].data_bytes)
			return damaged(&cursor, "end of the last block", f[i].data_bytes, last);
	}
	return EL_OK;
}

/* ---- blocks ---- */

uint32_t chesstb_block_positions(const struct chesstb *c, const struct chesstb_frame *f,
                                 uint64_t block)
{
	const uint64_t left = c->index.positions - block * f->block_positions;
	return left < f->block_positions ? (uint32_t)left : f->block_positions;
}

enum el_status chesstb_find_block(const struct chesstb *c, const struct chesstb_frame *f,
                                  uint64_t block, uint64_t *begin, size_t *packed, size_t *unpacked,
                                  struct el_error *error)
{
	const uint32_t positions = chesstb_block_positions(c, f, block);
	uint64_t end = 0, size = c->format->outcomes ? (positions + 1) / 2
	                                             : (uint64_t)positions * f->entry_bytes;
	enum el_status status = read_begin(c, f, block, begin, error);
	if (!status)
		status = read_begin(c, f, block + 1, &end, error);
	if (!status && c->format->layers)
		status = read_number(c, f, CHESSTB_SIZES, block, &size, error);
	if (status)
		return status;
	if (end < *begin || end > f->data_bytes)
		return foreign_damaged(&c->foreign, "end of a block, at most", f->data_bytes, end,
		                       error);
	if (size > COURSES_MAX)
		return foreign_damaged(&c->foreign, "bytes of an unpacked block, at most",
		                       COURSES_MAX, size, error);
	const uint64_t most = size + size / 8 + 1024;
	if (end - *begin > most)
		return foreign_damaged(&c->foreign, "bytes of a block, at most", most, end - *begin,
		                       error);
	*packed = (size_t)(end - *begin);
	*unpacked = (size_t)size;
	return EL_OK;
}

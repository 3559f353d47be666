/* SPDX-License-Identifier: MIT */
/*
 * Syzygy tables as sources. Opening one reads only its first bytes; the first probe reads the head.
 * Values go through the cache in pages of consecutive positions, so that a probe that finds its
 * page needs nothing else. Only loading a page uses spans and lengths, to find it in the file.
 */
#include "syzygy.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
	/* more than eight orders and codes of 4096 symbols, or four and sixteen lists of 4096
	   depths, can need */
	HEAD_MAX = 256 << 10,
};

struct syzygy {
	struct foreign foreign; /* first, so that a source is one */
	uint8_t kind[7];        /* of the game, by Syzygy's numbers 1 .. 6 */
	struct syzygy_shape shape;
	_Atomic(struct head *) head; /* owned; null before the first probe */
};

static enum el_status damaged(const struct syzygy *s, const char *what, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "%s: damaged or not a Syzygy table: %s",
	               s->foreign.source.path, what);
}

/* ---- opening ---- */

/* The contents fill a multiple of 64 bytes; the checksum follows them. */
static enum el_status look_at_start(struct syzygy *s, struct el_error *error)
{
	const struct el_source *source = &s->foreign.source;
	uint8_t start[SYZYGY_START];
	if (source->slice.pieces > SYZYGY_PIECES_MAX)
		return el_fail(error, EL_NEGATIVE, "%s: Syzygy tables of up to %d pieces are read",
		               source->path, SYZYGY_PIECES_MAX);
	if (source->bytes < SYZYGY_START + SUM_OF_FILE)
		return el_fail(error, EL_DAMAGED,
		               "%s: damaged or not a Syzygy table: expected %d bytes or more, "
		               "found %" PRIu64,
		               source->path, SYZYGY_START + SUM_OF_FILE, source->bytes);
	enum el_status status =
		input_read(&s->foreign.input, "header", start, sizeof start, 0, error);
	const char *why = status ? NULL : head_refuse(&s->shape, start, sizeof start);
	if (why)
		return damaged(s, why, error);
	if (!status && source->bytes % SYZYGY_START != SUM_OF_FILE)
		return el_fail(error, EL_DAMAGED,
		               "%s: expected a multiple of %d bytes and %d more, found %" PRIu64,
		               source->path, SYZYGY_START, SUM_OF_FILE, source->bytes);
	return status;
}

static void syzygy_close(struct el_source *source)
{
	struct syzygy *s = (struct syzygy *)source;
	struct head *head = atomic_load(&s->head);
	if (head)
		head_free(head);
	foreign_close(&s->foreign);
	free(head);
	free(s);
}

static bool has_depths(const char *path)
{
	return el_source_kind_of(path) == &el_source_syzygy_dtz;
}

static const struct el_metric *metric_of(const char *path)
{
	return has_depths(path) ? &el_dtz_syzygy : &el_wdl_rule[EL_RULE_USUAL - 1];
}

static enum el_status syzygy_open(const char *path, struct el_cache *cache, struct el_source **out,
                                  struct el_error *error)
{
	const bool depths = has_depths(path);
	const struct el_source_ops *ops = depths ? &el_source_syzygy_dtz : &el_source_syzygy;
	struct syzygy *s = calloc(1, sizeof *s);
	if (!s)
		return foreign_no_memory(path, error);
	struct el_source *source = &s->foreign.source;
	enum el_status status = foreign_open(&s->foreign, ops, path, NULL, cache, error);
	source->metric = metric_of(path);
	if (!depths)
		memset(source->beside, EL_BESIDE_CAPTURES, sizeof source->beside);
	source->plies_only = depths;
	snprintf(source->detail, sizeof source->detail, "pairs");
	if (!status) {
		material_of(&source->slice, &s->shape.material, s->kind);
		s->shape.depths = depths;
		s->shape.boards = material_has_pawns(&s->shape.material) ? SYZYGY_BOARDS_MAX : 1;
		s->shape.symmetric = source->slice.planes == 1;
		status = look_at_start(s, error);
	}
	if (status)
		syzygy_close(source);
	else
		*out = source;
	return status;
}

/* ---- the head ---- */

static enum el_status read_head(struct syzygy *s, struct head *out, struct el_error *error)
{
	struct el_source *source = &s->foreign.source;
	const size_t size = source->bytes < HEAD_MAX ? (size_t)source->bytes : HEAD_MAX;
	uint8_t *bytes = malloc(size);
	const char *why;
	if (!bytes)
		return foreign_no_memory(s->foreign.source.path, error);
	enum el_status status = input_read(&s->foreign.input, "header", bytes, size, 0, error);
	if (!status) {
		status = head_read(&s->shape, bytes, size, out, &why);
		if (status == EL_MEMORY)
			foreign_no_memory(s->foreign.source.path, error);
		else if (status)
			damaged(s, why, error);
	}
	free(bytes);
	if (!status && out->size != source->bytes)
		status =
			el_fail(error, EL_DAMAGED, "%s: expected %" PRIu64 " bytes, found %" PRIu64,
		                source->path, out->size, source->bytes);
	for (unsigned b = 0; s->shape.depths && b < s->shape.boards && !status; b++)
		for (unsigned outcome = 0; outcome <= EL_WIN; outcome++)
			if (scale_rounds(&out->board[b].scale, outcome))
				source->rounded = true;
	return status;
}

/* The head; the first thread that needs it reads it. EL_NEGATIVE for a soft probe. */
static enum el_status need_head(struct syzygy *s, bool soft, const struct head **out,
                                struct el_error *error)
{
	struct head *head = atomic_load_explicit(&s->head, memory_order_acquire), *none = NULL;
	*out = head;
	if (head || soft)
		return head ? EL_OK : EL_NEGATIVE;
	head = calloc(1, sizeof *head);
	enum el_status status =
		head ? read_head(s, head, error) : foreign_no_memory(s->foreign.source.path, error);
	if (!status && atomic_compare_exchange_strong(&s->head, &none, head)) {
		*out = head;
		return EL_OK;
	}
	if (head)
		head_free(head);
	free(head);
	*out = none;
	return status;
}

/* ---- pages ---- */

/* A page of one side's values that the cache asks for. */
struct wanted {
	const struct syzygy *syzygy;
	const struct pairs *pairs;
};

/* Entries of `lengths`, read some at a time as a walk reaches them. */
struct seek {
	const struct wanted *wanted;
	uint32_t first, count; /* of those in memory */
	uint8_t entry[512][LENGTH_BYTES];
	struct el_error *error;
};

enum { WALK_ENTRIES = sizeof((struct seek *)0)->entry / LENGTH_BYTES };

/* The positions of a block. */
static enum el_status length_of(struct seek *w, uint32_t block, bool back, unsigned *out)
{
	const struct pairs *p = w->wanted->pairs;
	if (block - w->first >= w->count) {
		const uint32_t before = back ? WALK_ENTRIES - 1 : 0;
		w->first = block < before ? 0 : block - before;
		w->count =
			p->lengths - w->first < WALK_ENTRIES ? p->lengths - w->first : WALK_ENTRIES;
		enum el_status status =
			input_read(&w->wanted->syzygy->foreign.input, "lengths", w->entry,
		                   LENGTH_BYTES * w->count,
		                   p->at_lengths + LENGTH_BYTES * (uint64_t)w->first, w->error);
		if (status)
			return status;
	}
	*out = pairs_length(w->entry[block - w->first]);
	return EL_OK;
}

static enum el_status no_block(const struct seek *w)
{
	return damaged(w->wanted->syzygy, "a span leads to no block", w->error);
}

/* Finds a position's block, and how many of the block's positions precede it. */
static enum el_status find_block(struct seek *w, uint64_t index, uint32_t *block, uint32_t *skip)
{
	const struct pairs *p = w->wanted->pairs;
	const uint64_t span = index >> p->span_bits;
	uint8_t entry[SPAN_BYTES];
	unsigned length;
	enum el_status status = input_read(&w->wanted->syzygy->foreign.input, "spans", entry,
	                                   sizeof entry, p->at_spans + SPAN_BYTES * span, w->error);
	uint32_t at = foreign_u32(entry);
	const int64_t middle = (int64_t)1 << (p->span_bits - 1);
	int64_t place = (int64_t)(index - (span << p->span_bits)) - middle + foreign_u16(entry + 4);
	if (status)
		return status;
	while (place < 0 && !status) {
		if (at == 0 || at > p->lengths)
			return no_block(w);
		status = length_of(w, --at, true, &length);
		place += length;
	}
	for (; !status && at < p->blocks; at++) {
		status = length_of(w, at, false, &length);
		if (status || place < length)
			break;
		place -= length;
	}
	if (!status && at >= p->blocks)
		return no_block(w);
	*block = at;
	*skip = (uint32_t)place;
	return status;
}

static enum el_status read_page(const struct wanted *wanted, uint64_t first, uint16_t *values,
                                size_t count, struct el_error *error)
{
	const struct pairs *p = wanted->pairs;
	const struct syzygy *s = wanted->syzygy;
	struct seek walk = {.wanted = wanted, .error = error};
	const size_t size = (size_t)1 << p->block_bits;
	uint8_t *bytes = malloc(size);
	uint32_t block = 0, skip = 0;
	enum el_status status = bytes ? find_block(&walk, first, &block, &skip)
	                              : foreign_no_memory(s->foreign.source.path, error);
	for (size_t done = 0; done < count && !status; block++, skip = 0) {
		unsigned length = 0;
		status = block < p->blocks ? length_of(&walk, block, false, &length)
		                           : no_block(&walk);
		const size_t left = status ? 0 : length - skip;
		const size_t part = left < count - done ? left : count - done;
		if (!status)
			status = input_read(&s->foreign.input, "block", bytes, size,
			                    p->at_blocks + ((uint64_t)block << p->block_bits),
			                    error);
		if (!status && !pairs_decode(p, bytes, skip, values + done, part))
			status = el_fail(error, EL_DAMAGED,
			                 "%s: block %" PRIu32
			                 ": expected %zu positions, found fewer",
			                 s->foreign.source.path, block, skip + part);
		done += part;
	}
	free(bytes);
	return status;
}

/* Packs a page's values into as few bits as the largest takes, so that more pages fit in the
   processor's caches too: a byte with that number, the values, and room to read past the last. */
static enum el_status load(void *context, uint64_t number, uint8_t **bytes, size_t *size,
                           struct el_error *error)
{
	const struct wanted *wanted = context;
	const uint64_t first = (number - wanted->pairs->first_page) * SYZYGY_PAGE;
	const uint64_t left = wanted->pairs->positions - first;
	const size_t count = left < SYZYGY_PAGE ? (size_t)left : SYZYGY_PAGE;
	uint16_t values[SYZYGY_PAGE];
	enum el_status status = read_page(wanted, first, values, count, error);
	if (status)
		return status;
	uint16_t all = 1;
	for (size_t i = 0; i < count; i++)
		all |= values[i];
	const unsigned width = 32 - (unsigned)__builtin_clz(all);
	*size = 1 + (count * width + 7) / 8 + sizeof(uint32_t);
	uint8_t *packed = *bytes = calloc(1, *size);
	if (!packed)
		return foreign_no_memory(wanted->syzygy->foreign.source.path, error);
	packed[0] = (uint8_t)width;
	for (size_t i = 0; i < count; i++)
		for (uint32_t at = (uint32_t)(i * width), bits = (uint32_t)values[i] << (at & 7);
		     bits; bits >>= 8, at += 8)
			packed[1 + at / 8] |= (uint8_t)bits;
	return EL_OK;
}

static enum el_status read_value(void *context, uint64_t number, const uint8_t *bytes, size_t size,
                                 size_t at, uint16_t *value, struct el_error *error)
{
	const size_t bit = at * bytes[0];
	const uint32_t word = foreign_u32(bytes + 1 + bit / 8);
	(void)context, (void)number, (void)size, (void)error;
	*value = (uint16_t)(word >> (bit & 7) & ((1u << bytes[0]) - 1));
	return EL_OK;
}

/* ---- probing ---- */

/* Where a position's value is. */
struct found {
	const struct board *board;
	unsigned side; /* to move, by the table's sides */
	bool stored;   /* for that side */
	uint16_t value;
};

/* The table's first side is White: other positions are looked up with colours exchanged and the
   board flipped. */
static bool find_index(const struct syzygy *s, const struct head *h,
                       const struct el_position *position, const struct el_place *place,
                       struct found *out, uint64_t *index)
{
	const unsigned turned = (place->plane ^ position->side) ^ h->swapped;
	uint64_t set[2][7], first[2][7];
	uint8_t square[SYZYGY_PIECES_MAX];
	for (unsigned type = SYZYGY_PAWN; type <= SYZYGY_KING; type++) {
		const uint64_t white = position->set[turned][s->kind[type]];
		const uint64_t black = position->set[!turned][s->kind[type]];
		set[0][type] = turned ? __builtin_bswap64(white) : white;
		set[1][type] = turned ? __builtin_bswap64(black) : black;
	}
	out->side = position->side ^ turned;
	out->board = &h->board[0];
	if (s->shape.boards > 1) {
		memcpy(first, set, sizeof set);
		order_squares(&out->board->order[0], first, square);
		out->board = &h->board[order_file(square)];
	}
	const unsigned chosen = out->board->pairs[0].flags & SCALE_SIDE;
	out->stored = !s->shape.depths || s->shape.symmetric || chosen == out->side;
	const struct order *order = &out->board->order[h->sides == 2 ? out->side : 0];
	if (out->stored) {
		order_squares(order, set, square);
		*index = order_index(order, square);
	}
	return !out->stored || *index < order->positions;
}

/* The value that the table has for a position, with its first side as White. */
static enum el_status find(struct syzygy *s, const struct el_position *position,
                           const struct el_place *place, bool soft, struct found *out,
                           struct el_error *error)
{
	const struct head *h;
	uint64_t index;
	enum el_status status = need_head(s, soft, &h, error);
	if (status)
		return status;
	if (!find_index(s, h, position, place, out, &index))
		return damaged(s, "a position has no index", error);
	if (!out->stored)
		return EL_OK;
	const struct pairs *p = &out->board->pairs[h->sides == 2 ? out->side : 0];
	out->value = p->value;
	if (p->constant)
		return EL_OK;
	struct wanted wanted = {s, p};
	const struct el_cache_reader reader = {
		.context = &wanted, .load = soft ? NULL : load, .read = read_value};
	return el_cache_read(s->foreign.cache, s->foreign.source.owner,
	                     p->first_page + index / SYZYGY_PAGE, index % SYZYGY_PAGE, &reader,
	                     &out->value, error);
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *out,
                            struct el_error *error)
{
	struct syzygy *s = (struct syzygy *)source;
	struct found found;
	enum el_status status = find(s, position, place, soft, &found, error);
	if (status)
		return status;
	if (!s->shape.depths && found.value > EL_WIN)
		return damaged(s, "expected a result from 0 to 4", error);
	if (!s->shape.depths)
		*out = (struct el_value){.outcome = (uint8_t)found.value}; /* EL_LOSS .. EL_WIN */
	else if (!found.stored)
		*out = (struct el_value){.outcome = EL_UNKNOWN};
	else if (!scale_plies(&found.board->scale, found.value, out))
		*out = (struct el_value){.outcome = EL_BROKEN};
	return EL_OK;
}

/* ---- */

static bool syzygy_named(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	*metric = metric_of(path);
	return foreign_named(has_depths(path) ? &el_source_syzygy_dtz : &el_source_syzygy, path,
	                     slice);
}

#define SYZYGY(ops_, extension_)            \
	const struct el_source_ops ops_ = { \
		.kind = "syzygy",           \
		.extension = extension_,    \
		.named = syzygy_named,      \
		.open = syzygy_open,        \
		.probe = probe,             \
		.close = syzygy_close,      \
		.check = syzygy_check,      \
	}

SYZYGY(el_source_syzygy, ".rtbw");
SYZYGY(el_source_syzygy_dtz, ".rtbz");

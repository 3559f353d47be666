/* SPDX-License-Identifier: MIT */
/*
 * chesstb's files as sources. A source keeps no list of its blocks: it reads where a block is with the
 * block, so that hundreds of open tables cost little memory except the cache's.
 */
#include "chesstb.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* File names tell the kind. */
static const struct chesstb_format formats[] = {
	{&el_source_chesstb, &el_wdl_rule[EL_RULE_USUAL - 1], .magic = 0x9bd1e3a6,
         .outcomes = true},
	{&el_source_chesstb_dtz, &el_dtz_rule[EL_RULE_USUAL - 1], .magic = 0x2ec8b161},
	{&el_source_chesstb_dtc, &el_dtz_rule[EL_RULE_USUAL - 1], .magic = 0x2ec8b17e,
         .layers = CHESSTB_BUDGETS},
	{&el_source_chesstb_dtm, &el_dtm, .magic = 0xab57c134},
	{&el_source_chesstb_dtm50, &el_dtm_rule[EL_RULE_USUAL - 1], .magic = 0xab57c151,
         .layers = CHESSTB_CLOCKS},
};

/* The last one if the name has none of the extensions. */
static const struct chesstb_format *format_of(const char *path)
{
	const struct el_source_ops *ops = el_source_kind_of(path);
	unsigned i = 0;
	while (i < sizeof formats / sizeof *formats - 1 && formats[i].ops != ops)
		i++;
	return &formats[i];
}

/* ---- blocks ---- */

/* A cell that the cache asks for. */
struct wanted {
	const struct chesstb *table;
	const struct chesstb_frame *frame;
	unsigned layer;
};

/* An el_cache_reader.load: the block unpacked, after what its courses need; nothing for one that is left
   out. */
static enum el_status load(void *context, uint64_t number, uint8_t **out, size_t *size,
                           struct el_error *error)
{
	const struct wanted *w = context;
	const struct chesstb *c = w->table;
	const struct chesstb_frame *f = w->frame;
	const uint64_t block = number - f->first_block;
	const uint32_t positions = chesstb_block_positions(c, f, block);
	uint64_t begin;
	size_t packed, unpacked;
	enum el_status status = chesstb_find_block(c, f, block, &begin, &packed, &unpacked, error);
	if (status)
		return status;
	const size_t room = !packed             ? 0
	                    : c->format->layers ? chesstb_courses_room(positions)
	                                        : f->dictionary_bytes;
	uint8_t *bytes = malloc(room + unpacked + 1), *in = malloc(packed + 1);
	if (!bytes || !in)
		status = foreign_no_memory(c->foreign.source.path, error);
	if (!status)
		status = input_read(&c->foreign.input, "block", in, packed, f->at_data + begin,
		                    error);
	if (!status && packed) {
		const bool lz4 = c->format->outcomes;
		if (lz4 && room) /* the dictionary goes before the block */
			status = input_read(&c->foreign.input, "dictionary", bytes, room,
			                    f->at_dictionary, error);
		if (!lz4)
			status = chesstb_unpack_lzma(in, packed, bytes + room, unpacked);
		else if (!status && !chesstb_unpack_lz4(in, packed, bytes + room, room, unpacked))
			status = EL_DAMAGED;
		if (!status && !lz4 && room &&
		    !chesstb_courses_begin(bytes, unpacked, positions, f->entry_bytes,
		                           c->format->layers))
			status = EL_DAMAGED;
		if (status == EL_MEMORY)
			foreign_no_memory(c->foreign.source.path, error);
		else if (status == EL_DAMAGED)
			el_fail(error, status,
			        "%s: block %" PRIu64 ": expected %" PRIu32
			        " positions in %s, found something else",
			        c->foreign.source.path, number, positions, lz4 ? "LZ4" : "LZMA");
	}
	free(in);
	if (status) {
		free(bytes);
		return status;
	}
	if (c->format->outcomes)
		memmove(bytes, bytes + room, packed ? unpacked : 0);
	*size = !packed ? 0 : c->format->outcomes ? unpacked : room + unpacked;
	uint8_t *smaller = realloc(bytes, *size + 1);
	*out = smaller ? smaller : bytes;
	return EL_OK;
}

static enum el_status read_cell(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                                size_t at, uint16_t *cell, struct el_error *error)
{
	const struct wanted *w = context;
	const unsigned entry_bytes = w->frame->entry_bytes;
	(void)block, (void)error;
	if (!size)
		*cell = CHESSTB_ABSENT;
	else if (w->table->format->outcomes)
		*cell = bytes[at / 2] >> at % 2 * 4 & 15;
	else if (w->table->format->layers)
		*cell = chesstb_courses_rank(bytes, (uint32_t)at, entry_bytes, w->layer);
	else
		*cell = entry_bytes == 1 ? bytes[at] : foreign_u16(bytes + 2 * at);
	return EL_OK;
}

/* The colour that is the file's White. */
static unsigned white_of(const struct chesstb *c, const struct el_position *position,
                         const struct el_place *place)
{
	return (place->plane ^ position->side) ^ c->is_swapped;
}

/* What a frame with blocks or with a single value has for a position: an outcome's code, a stored depth,
   CHESSTB_DRAWN, CHESSTB_ABSENT or CHESSTB_ELSEWHERE. */
static enum el_status find(struct chesstb *c, const struct el_position *position,
                           const struct el_place *place, unsigned layer, bool soft, uint16_t *out,
                           struct el_error *error)
{
	const unsigned white = white_of(c, position, place);
	const struct chesstb_frame *f = &c->frame[position->side ^ white];
	struct wanted wanted = {c, f, layer};
	const struct el_cache_reader reader = {&wanted, soft ? NULL : load, read_cell};
	struct el_position oriented = *position;
	if (white == EL_BLACK)
		c->foreign.source.slice.game->swap_colours(position, &oriented);
	const uint64_t index = chesstb_index_of(&c->index, f->order, &oriented);
	/* In layers, a single value stands for no win or loss at all. */
	*out = index >= c->index.positions ? CHESSTB_ELSEWHERE
	       : c->format->layers         ? CHESSTB_ABSENT
	                                   : f->value;
	if (f->is_singular || *out == CHESSTB_ELSEWHERE)
		return EL_OK;
	const enum el_status status =
		el_cache_read(c->foreign.cache, c->foreign.source.owner,
	                      f->first_block + index / f->block_positions,
	                      index % f->block_positions, &reader, out, error);
	const bool is_drawn = c->format->layers && *out == CHESSTB_DRAWN;
	if (status || c->format->outcomes || is_drawn || *out == CHESSTB_ABSENT)
		return status;
	if (*out >= f->ranks)
		return foreign_damaged(&c->foreign, "rank of a depth, at most", f->ranks, *out,
		                       error);
	*out = f->value_of[*out];
	return EL_OK;
}

/* ---- outcomes ---- */

/* Codes of outcomes: the five, and two for those that a ply more would make too late. */
enum { LATEST_LOSS = EL_WIN + 1, LATEST_WIN, ILLEGAL };

static enum el_status find_outcome(struct el_source *source, const struct el_position *position,
                                   const struct el_place *place, bool soft, uint16_t *code,
                                   struct el_error *error)
{
	struct chesstb *c = (struct chesstb *)source;
	const enum el_status status = find(c, position, place, 0, soft, code, error);
	if (!status && *code == CHESSTB_ABSENT)
		*code = ILLEGAL;
	return status || *code <= ILLEGAL || *code == CHESSTB_ELSEWHERE
	               ? status
	               : foreign_damaged(&c->foreign, "code of an outcome, at most", ILLEGAL, *code,
	                                 error);
}

static enum el_status probe_outcome(struct el_source *source, const struct el_position *position,
                                    const struct el_place *place, bool soft, struct el_value *out,
                                    struct el_error *error)
{
	uint16_t code;
	const enum el_status status = find_outcome(source, position, place, soft, &code, error);
	if (status)
		return status;
	*out = (struct el_value){.outcome = code == CHESSTB_ELSEWHERE ? EL_UNKNOWN
	                                    : code == ILLEGAL         ? EL_BROKEN
	                                    : code == LATEST_LOSS     ? EL_LOSS
	                                    : code == LATEST_WIN      ? EL_WIN
	                                                              : (uint8_t)code};
	return EL_OK;
}

static enum el_status find_latest(struct el_source *source, const struct el_position *position,
                                  const struct el_place *place, bool soft, enum el_outcome *out,
                                  struct el_error *error)
{
	uint16_t code;
	const enum el_status status = find_outcome(source, position, place, soft, &code, error);
	*out = status                ? EL_UNKNOWN
	       : code == LATEST_LOSS ? EL_LOSS
	       : code == LATEST_WIN  ? EL_WIN
	                             : EL_UNKNOWN;
	return status;
}

/* ---- depths ---- */

static bool is_won(const struct el_value *value)
{
	return value->outcome > EL_DRAW;
}

/* The depth of a position, whose outcome *value becomes EL_UNKNOWN if the frame lacks it, so that it
   follows from the moves, and EL_BROKEN if the file has none that could be meant. */
static enum el_status find_depth(struct el_source *source, const struct el_position *position,
                                 const struct el_place *place, unsigned layer, bool soft,
                                 struct el_value *value, uint16_t *depth, struct el_error *error)
{
	struct chesstb *c = (struct chesstb *)source;
	const struct chesstb_frame *f = &c->frame[position->side ^ white_of(c, position, place)];
	if (f->is_dropped || (f->losses_only && is_won(value))) {
		value->outcome = EL_UNKNOWN;
		return EL_OK;
	}
	const enum el_status status = find(c, position, place, layer, soft, depth, error);
	if (!status && *depth == CHESSTB_ELSEWHERE)
		return el_fail(error, EL_NEGATIVE, "%s: it has only positions with opposing pawns",
		               source->path);
	if (!status && *depth == CHESSTB_ABSENT)
		*value = (struct el_value){.outcome = EL_BROKEN};
	return status;
}

static enum el_status probe_zeroing(struct el_source *source, const struct el_position *position,
                                    const struct el_place *place, bool soft, struct el_value *out,
                                    struct el_error *error)
{
	const struct chesstb *c = (const struct chesstb *)source;
	uint16_t depth;
	const enum el_status status =
		find_depth(source, position, place, 0, soft, out, &depth, error);
	if (status || out->outcome > EL_WIN)
		return status;
	const struct chesstb_frame *f = &c->frame[position->side ^ white_of(c, position, place)];
	const bool is_halved = !c->format->layers && f->entry_bytes < 2;
	if (depth != CHESSTB_DRAWN && el_outcome_late(out->outcome)) {
		/* To fit a byte, plies past the limit are halved, and the smaller of two is meant. Layers
		   have those numbers doubled again, so an odd one may stand for the next. */
		if (is_halved && depth)
			depth = (uint16_t)(2 * depth - 1);
		out->rounded = is_halved || (c->format->layers && depth % 2);
		if (out->rounded)
			source->rounded = true;
	}
	out->plies = depth;
	if (depth == CHESSTB_DRAWN || (!depth && out->outcome != EL_LOSS) ||
	    !el_metric_has_value(source->metric, *out))
		*out = (struct el_value){.outcome = EL_BROKEN};
	return EL_OK;
}

static enum el_status probe_mate(struct el_source *source, const struct el_position *position,
                                 const struct el_place *place, bool soft, struct el_value *out,
                                 struct el_error *error)
{
	uint16_t moves;
	const enum el_status status =
		find_depth(source, position, place, 0, soft, out, &moves, error);
	if (!status && out->outcome <= EL_WIN)
		*out = (struct el_value){.outcome = out->outcome,
		                         .plies = (uint16_t)(2 * moves + is_won(out))};
	return status;
}

/* With the clock run out only checkmate counts. */
static enum el_status probe_mate_in_time(struct el_source *source,
                                         const struct el_position *position,
                                         const struct el_place *place, bool soft,
                                         struct el_value *out, struct el_error *error)
{
	const bool too_late = position->halfmove >= source->metric->limit;
	const unsigned first = 1, layer = first + (too_late ? 0 : position->halfmove);
	uint16_t moves;
	out->plies = 0;
	if (el_outcome_late(out->outcome))
		return EL_OK;
	const enum el_status status =
		find_depth(source, position, place, layer, soft, out, &moves, error);
	if (status || out->outcome > EL_WIN)
		return status;
	if (moves == CHESSTB_DRAWN && layer == first)
		*out = (struct el_value){.outcome = EL_BROKEN};
	else if (moves == CHESSTB_DRAWN || (too_late && (moves || is_won(out))))
		out->outcome = (uint8_t)el_outcome_too_late(out->outcome);
	else
		out->plies = (uint16_t)(2 * moves + is_won(out));
	return EL_OK;
}

/* ---- opening ---- */

static void chesstb_close(struct el_source *source)
{
	struct chesstb *c = (struct chesstb *)source;
	for (unsigned i = 0; i < 2; i++)
		free(c->frame[i].value_of);
	chesstb_index_free(&c->index);
	foreign_close(&c->foreign);
	free(c);
}

static enum el_status chesstb_open(const char *path, struct el_cache *cache, struct el_source **out,
                                   struct el_error *error)
{
	const struct chesstb_format *format = format_of(path);
	struct el_slice slice;
	struct chesstb *c = calloc(1, sizeof *c);
	if (!c)
		return foreign_no_memory(path, error);
	struct el_source *source = &c->foreign.source;
	c->format = format;
	enum el_status status =
		chesstb_material(format->ops, path, &slice, c->count, &c->is_swapped, error);
	if (!status)
		status = foreign_open(&c->foreign, format->ops, path, &slice, cache, error);
	if (!status) {
		status = chesstb_index_make(&c->foreign, c->count, &c->index);
		if (status == EL_MEMORY)
			foreign_no_memory(c->foreign.source.path, error);
		else if (status)
			el_fail(error, status, "%s: %s has more positions than chesstb counts",
			        path, slice.name);
	}
	if (!status) {
		source->metric = format->metric;
		c->frames = slice.planes;
		status = chesstb_head_read(c, error);
	}
	if (status) {
		chesstb_close(source);
		return status;
	}
	source->plies_only = !c->format->outcomes;
	source->partial = c->index.pairs_of_pawns;
	for (unsigned i = 0; i < 2 && c->format->outcomes; i++) {
		const unsigned plane = i ^ c->is_swapped;
		source->left_out |= (uint8_t)(c->frame[i].is_dropped << plane);
		source->beside[plane] = c->frame[i].is_relaxed ? EL_BESIDE_LEAVING : EL_BESIDE_NONE;
	}
	/* "lzma 1024K, one side, relaxed"; K: bytes of a block or, where these vary, positions. */
	const struct chesstb_frame *f = c->frame, *of = f[0].blocks ? &f[0] : &f[1];
	const uint32_t length = of->block_bytes ? of->block_bytes : of->block_positions;
	char blocks[16] = "";
	if (length)
		snprintf(blocks, sizeof blocks, " %" PRIu32 "K", (length + 1023) / 1024);
	snprintf(source->detail, sizeof source->detail, "%s%s%s%s%s",
	         c->format->outcomes ? "lz4" : "lzma", blocks,
	         f[0].is_dropped || f[1].is_dropped ? ", one side" : "",
	         f[0].losses_only || f[1].losses_only ? ", losses" : "",
	         f[0].is_relaxed || f[1].is_relaxed ? ", relaxed" : "");
	*out = source;
	return EL_OK;
}

static bool chesstb_named(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	const struct chesstb_format *format = format_of(path);
	uint8_t count[2][EL_KINDS];
	bool is_swapped;
	*metric = format->metric;
	return !chesstb_material(format->ops, path, slice, count, &is_swapped, NULL);
}

#define CHESSTB(ops_, extension_, probe_, latest_) \
	const struct el_source_ops ops_ = {        \
		.kind = "chesstb",                 \
		.extension = extension_,           \
		.named = chesstb_named,            \
		.open = chesstb_open,              \
		.probe = probe_,                   \
		.latest = latest_,                 \
		.close = chesstb_close,            \
		.check = chesstb_check,            \
	}

CHESSTB(el_source_chesstb, ".lzw", probe_outcome, find_latest);
CHESSTB(el_source_chesstb_dtz, ".lzdtz", probe_zeroing, NULL);
CHESSTB(el_source_chesstb_dtc, ".lzdtc", probe_zeroing, NULL);
CHESSTB(el_source_chesstb_dtm, ".lzdtm", probe_mate, NULL);
CHESSTB(el_source_chesstb_dtm50, ".lzdtm50", probe_mate_in_time, NULL);

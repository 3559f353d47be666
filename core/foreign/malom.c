/* SPDX-License-Identifier: MIT */
/* Malom's tables of Nine Men's Morris as sources (malom.h). */
#include "malom.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADER_BYTES = 64,
	AT_SLOT_BYTES = 4,
	AT_FIRST_BITS = 8,
	AT_FLAG = 12,
	VERSION = 2,
	SLOT_BYTES = 3,
	FIRST_BITS = 12,
	COUNT_BYTES = 4,
	ENTRY_BYTES = 8,
	IN_ENTRY = -2048,   /* a second number that is in an entry */
	BLOCK_SLOTS = 4096, /* a block of the cache */
	/* what the cache keeps of a slot: 0 for a draw, 1 + the plies of a win or loss */
	SYMBOL_NONE = UINT16_MAX,
	PLIES_MAX = UINT16_MAX - 2,
};

/* One file: a plane. */
struct half {
	const struct input *input; /* null: the plane is left out */
	struct sector sector;
	uint64_t slots;
	uint32_t entries;
	int value; /* of the sector */
	/* The least sets of its mover's men, ascending; listed by the first probe. Owned. */
	_Atomic(uint32_t *) sets;
};

struct malom {
	struct foreign foreign;      /* first, so that a source is one */
	struct half half[2];         /* by plane */
	struct input other;          /* the file of the other plane, if that is not left out */
	int won;                     /* V */
	uint8_t point[MALOM_POINTS]; /* by square */
};

static enum el_status damaged(const struct half *h, const char *what, int64_t expected,
                              int64_t found, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "%s: damaged: %s: expected %" PRId64 ", found %" PRId64,
	               h->input->path, what, expected, found);
}

static enum el_status damaged_slot(const struct half *h, uint64_t slot, const char *expected,
                                   const char *found, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "%s: damaged: slot %" PRIu64 ": expected %s, found %s",
	               h->input->path, slot, expected, found);
}

static enum el_status damaged_number(const struct half *h, uint64_t slot, const char *expected,
                                     int found, struct el_error *error)
{
	char text[16];
	snprintf(text, sizeof text, "%d", found);
	return damaged_slot(h, slot, expected, text, error);
}

/* ---- slots ---- */

static const uint32_t *need_sets(struct half *h)
{
	uint32_t *sets = atomic_load_explicit(&h->sets, memory_order_acquire), *none = NULL;
	if (sets)
		return sets;
	sets = malom_sets(h->sector.board[0]);
	if (!sets || atomic_compare_exchange_strong(&h->sets, &none, sets))
		return sets;
	free(sets);
	return none;
}

static uint64_t at_entry(const struct half *h, uint32_t number)
{
	return HEADER_BYTES + SLOT_BYTES * h->slots + COUNT_BYTES + ENTRY_BYTES * (uint64_t)number;
}

/* The number of entries of slots before this one. */
static enum el_status entries_before(const struct half *h, uint64_t slot, uint32_t *out,
                                     struct el_error *error)
{
	uint32_t begin = 0, end = h->entries;
	while (begin < end) {
		uint8_t entry[ENTRY_BYTES];
		const uint32_t middle = begin + (end - begin) / 2;
		const enum el_status status = input_read(h->input, "entries", entry, sizeof entry,
		                                         at_entry(h, middle), error);
		if (status)
			return status;
		if (foreign_u32(entry) < slot)
			begin = middle + 1;
		else
			end = middle;
	}
	*out = begin;
	return EL_OK;
}

/* The entries of a block. */
struct entries {
	uint8_t *bytes; /* owned */
	uint32_t count, next;
};

static int signed_number(uint32_t bits)
{
	return (int)((bits & 0xfff) ^ 0x800) - 0x800;
}

/* The symbol of a slot from its two numbers. */
static enum el_status symbol_of(const struct malom *m, const struct half *h, uint64_t slot,
                                int first, int second, uint16_t *out, struct el_error *error)
{
	const int value = first + h->value;
	const bool won = value == m->won, lost = value == -m->won;
	if (value > m->won || value < -m->won)
		return damaged_number(h, slot, "a value between a loss and a win", value, error);
	*out = 0;
	if (won || lost) {
		if (second < 0 || second > PLIES_MAX || second % 2 != won)
			return damaged_number(
				h, slot, won ? "an odd number of plies" : "an even number of plies",
				second, error);
		*out = (uint16_t)(second + 1);
	} else if (first == 0 && second < 0) {
		if (second <= -MALOM_SYMMETRIES)
			return damaged_number(h, slot, "a symmetry, -15 to -1", second, error);
		*out = SYMBOL_NONE;
	}
	return EL_OK;
}

/* Puts symbols of two bytes in place of slots of three. */
static enum el_status decode(const struct malom *m, const struct half *h, uint64_t first,
                             uint32_t count, uint8_t *bytes, struct entries *entries,
                             struct el_error *error)
{
	enum el_status status = EL_OK;
	for (uint32_t i = 0; i < count && !status; i++) {
		const uint8_t *slot = bytes + SLOT_BYTES * (size_t)i;
		const uint32_t numbers = foreign_u16(slot) | (uint32_t)slot[2] << 16;
		const uint8_t *entry =
			entries->next < entries->count
				? entries->bytes + ENTRY_BYTES * (size_t)entries->next
				: NULL;
		const bool has_entry = entry && foreign_u32(entry) == first + i;
		int second = signed_number(numbers >> FIRST_BITS);
		uint16_t symbol = 0;
		if (has_entry != (second == IN_ENTRY))
			return damaged_slot(h, first + i, has_entry ? "no entry" : "an entry",
			                    has_entry ? "one" : "none", error);
		if (has_entry) {
			second = (int32_t)foreign_u32(entry + 4);
			entries->next++;
		}
		status = symbol_of(m, h, first + i, signed_number(numbers), second, &symbol, error);
		bytes[2 * (size_t)i] = (uint8_t)symbol;
		bytes[2 * (size_t)i + 1] = (uint8_t)(symbol >> 8);
	}
	if (!status && entries->next < entries->count)
		status = damaged(h, "entries of a block, in ascending order", entries->next,
		                 entries->count, error);
	return status;
}

/* An el_cache_reader.load. Blocks of both planes take turns. */
static enum el_status load(void *context, uint64_t block, uint8_t **out, size_t *size,
                           struct el_error *error)
{
	const struct malom *m = context;
	const struct half *h = &m->half[block % 2];
	const uint64_t first = block / 2 * BLOCK_SLOTS, rest = h->slots - first;
	const uint32_t count = rest < BLOCK_SLOTS ? (uint32_t)rest : BLOCK_SLOTS;
	struct entries entries = {0};
	uint32_t begin = 0, end = 0;
	uint8_t *bytes = malloc(SLOT_BYTES * (size_t)count);
	if (!bytes)
		return foreign_no_memory(h->input->path, error);
	enum el_status status = input_read(h->input, "slots", bytes, SLOT_BYTES * (size_t)count,
	                                   HEADER_BYTES + SLOT_BYTES * first, error);
	if (!status)
		status = entries_before(h, first, &begin, error);
	if (!status)
		status = entries_before(h, first + count, &end, error);
	entries.count = end > begin ? end - begin : 0;
	if (!status && entries.count > count)
		status = damaged(h, "entries of a block, at most", count, entries.count, error);
	if (!status && !(entries.bytes = malloc(ENTRY_BYTES * (size_t)entries.count + 1)))
		status = foreign_no_memory(h->input->path, error);
	if (!status && entries.count)
		status = input_read(h->input, "entries", entries.bytes,
		                    ENTRY_BYTES * (size_t)entries.count, at_entry(h, begin), error);
	if (!status)
		status = decode(m, h, first, count, bytes, &entries, error);
	free(entries.bytes);
	if (status) {
		free(bytes);
		return status;
	}
	*size = 2 * (size_t)count;
	uint8_t *smaller = realloc(bytes, *size);
	*out = smaller ? smaller : bytes;
	return EL_OK;
}

static enum el_status read_one(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                               size_t at, uint16_t *symbol, struct el_error *error)
{
	(void)context, (void)block, (void)size, (void)error;
	*symbol = foreign_u16(bytes + 2 * at);
	return EL_OK;
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *value,
                            struct el_error *error)
{
	struct malom *m = (struct malom *)source;
	struct half *h = &m->half[place->plane];
	const struct el_cache_reader reader = {
		.context = m, .load = soft ? NULL : load, .read = read_one};
	const uint32_t *sets = need_sets(h);
	uint16_t symbol;
	if (!sets)
		return foreign_no_memory(source->path, error);
	const uint64_t slot = malom_slot(&h->sector, sets, m->point, position);
	const enum el_status status = el_cache_read(m->foreign.cache, source->owner,
	                                            slot / BLOCK_SLOTS * 2 + place->plane,
	                                            slot % BLOCK_SLOTS, &reader, &symbol, error);
	if (status)
		return status;
	if (symbol == SYMBOL_NONE)
		return damaged_slot(h, slot, "a value", "a symmetry", error);
	*value = (struct el_value){.outcome = EL_DRAW};
	if (symbol)
		*value = (struct el_value){.outcome = symbol % 2 ? EL_LOSS : EL_WIN,
		                           .plies = (uint16_t)(symbol - 1)};
	return EL_OK;
}

/* ---- names ---- */

/* The other side to move. */
static struct sector turned(const struct sector *s)
{
	return (struct sector){{s->board[1], s->board[0]}, {s->hand[1], s->hand[0]}};
}

static void write_name(const struct sector *s, char out[EL_SLICE_MAX])
{
	snprintf(out, EL_SLICE_MAX, "std_%u_%u_%u_%u.sec2", s->board[0], s->board[1], s->hand[0],
	         s->hand[1]);
}

/* Men are placed in turn, so the side to move has no fewer in hand, and at most one more. */
static bool sector_named(const char *path, struct sector *out)
{
	char again[EL_SLICE_MAX];
	if (sscanf(basename(path), "std_%1u_%1u_%1u_%1u", &out->board[0], &out->board[1],
	           &out->hand[0], &out->hand[1]) != 4)
		return false;
	write_name(out, again);
	return !strcmp(again, basename(path)) &&
	       (out->hand[0] == out->hand[1] || out->hand[0] == out->hand[1] + 1);
}

static enum el_status slice_of(const struct sector *s, struct el_slice *out, struct el_error *error)
{
	char name[EL_SLICE_MAX], hand[EL_SLICE_MAX] = "";
	if (s->hand[0])
		snprintf(hand, sizeof hand, "+%u+%u", s->hand[0], s->hand[1]);
	snprintf(name, sizeof name, "%s:%uv%u%.16s", el_morris.name, s->board[0], s->board[1],
	         hand);
	return el_morris.slice_parse(name, out, error);
}

static bool malom_named(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	struct sector sector;
	*metric = &el_dtw;
	return sector_named(path, &sector) && slice_of(&sector, slice, NULL) == EL_OK;
}

/* The slice of a file, or why it is not read. */
static enum el_status need_slice(const char *path, struct sector *sector, struct el_slice *slice,
                                 struct el_error *error)
{
	static const char *const variants[][2] = {
		{"lask_", "Lasker's variant"},
		{"mora_", "Morabaraba"},
	};
	struct el_error why;
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		if (!strncmp(basename(path), variants[i][0], strlen(variants[i][0])))
			return el_fail(error, EL_NEGATIVE, "%s: tables of %s are not read", path,
			               variants[i][1]);
	if (!sector_named(path, sector))
		return el_fail(error, EL_NEGATIVE,
		               "%s: expected the name of a sector, as in std_4_3_0_0.sec2", path);
	return slice_of(sector, slice, &why) ? el_fail(error, EL_NEGATIVE, "%s: %s", path, why.text)
	                                     : EL_OK;
}

/* ---- opening ---- */

/* Checks the header and the size. */
static enum el_status check_header(struct half *h, struct el_error *error)
{
	static const struct {
		const char *what;
		unsigned at;
		uint32_t expected, mask;
	} fields[] = {
		{"version", 0, VERSION, UINT32_MAX},
		{"bytes of a slot", AT_SLOT_BYTES, SLOT_BYTES, UINT32_MAX},
		{"bits of the first number", AT_FIRST_BITS, FIRST_BITS, UINT32_MAX},
		{"flag", AT_FLAG, 0, UINT8_MAX},
	};
	const uint64_t bytes = (uint64_t)h->input->is.st_size;
	uint8_t header[HEADER_BYTES], count[COUNT_BYTES];
	enum el_status status = input_read(h->input, "header", header, sizeof header, 0, error);
	for (size_t i = 0; i < sizeof fields / sizeof *fields && !status; i++) {
		const uint32_t found = foreign_u32(header + fields[i].at) & fields[i].mask;
		if (found != fields[i].expected)
			status = damaged(h, fields[i].what, fields[i].expected, found, error);
	}
	if (!status && bytes < at_entry(h, 0))
		status = damaged(h, "bytes of the file, at least", (int64_t)at_entry(h, 0),
		                 (int64_t)bytes, error);
	if (!status)
		status = input_read(h->input, "number of entries", count, sizeof count,
		                    at_entry(h, 0) - COUNT_BYTES, error);
	if (status)
		return status;
	h->entries = foreign_u32(count);
	if (h->entries > h->slots)
		return damaged(h, "entries, at most", (int64_t)h->slots, h->entries, error);
	if (bytes != at_entry(h, h->entries))
		return damaged(h, "bytes of the file", (int64_t)at_entry(h, h->entries),
		               (int64_t)bytes, error);
	return EL_OK;
}

static enum el_status half_begin(struct half *h, const struct sector *s, const struct input *input,
                                 struct el_error *error)
{
	h->input = input;
	h->sector = *s;
	h->slots = malom_slots(s);
	return check_header(h, error);
}

/* Opens the file of the other plane. If it is not there or cannot be used, the plane is left out;
   as a source of its own it says why. */
static enum el_status open_other(struct malom *m, unsigned plane, const struct sector *s,
                                 struct el_error *error)
{
	char name[EL_SLICE_MAX];
	const struct sector other = turned(s);
	struct half *h = &m->half[plane];
	write_name(&other, name);
	char *path = foreign_beside(m->foreign.source.path, name);
	if (!path)
		return foreign_no_memory(m->foreign.source.path, error);
	if (input_open(path, &m->other, NULL) || half_begin(h, &other, &m->other, NULL)) {
		m->foreign.source.left_out = (uint8_t)(1u << plane);
		*h = (struct half){.input = NULL};
	}
	free(path);
	return EL_OK;
}

static void malom_close(struct el_source *source)
{
	struct malom *m = (struct malom *)source;
	foreign_close(&m->foreign);
	input_close(&m->other);
	for (unsigned plane = 0; plane < 2; plane++)
		free(atomic_load(&m->half[plane].sets));
	free(m);
}

static enum el_status malom_open(const char *path, struct el_cache *cache, struct el_source **out,
                                 struct el_error *error)
{
	struct sector sector;
	struct el_slice slice;
	enum el_status status = need_slice(path, &sector, &slice, error);
	if (status)
		return status;
	struct malom *m = calloc(1, sizeof *m);
	if (!m)
		return foreign_no_memory(path, error);
	struct el_source *source = &m->foreign.source;
	const struct sector *valued[2] = {NULL};
	int value[2] = {0};
	const unsigned plane = slice.planes == 2 && sector.board[0] < sector.board[1];
	status = foreign_open(&m->foreign, &el_source_malom, path, &slice, cache, error);
	source->metric = &el_dtw;
	if (!status)
		status = half_begin(&m->half[plane], &sector, &m->foreign.input, error);
	if (!status && slice.planes == 2)
		status = open_other(m, !plane, &sector, error);
	for (unsigned p = 0; p < 2; p++)
		if (m->half[p].input)
			valued[p] = &m->half[p].sector;
	if (!status)
		status = malom_values(path, valued, &m->won, value, error);
	for (unsigned p = 0; p < 2; p++)
		m->half[p].value = value[p];
	snprintf(source->detail, sizeof source->detail, "raw 4K%s",
	         source->left_out ? " one side" : "");
	malom_points(m->point);
	if (status)
		malom_close(source);
	else
		*out = source;
	return status;
}

/* ---- the file as a whole ---- */

/* Checks that entries are in ascending order, so that the search for one finds it. */
static enum el_status check_entries(const struct half *h, struct el_error *error)
{
	enum { PART = 4096 };
	uint8_t *part = malloc(PART * ENTRY_BYTES);
	enum el_status status = part ? EL_OK : foreign_no_memory(h->input->path, error);
	int64_t before = -1;
	for (uint32_t first = 0; first < h->entries && !status; first += PART) {
		const uint32_t rest = h->entries - first, count = rest < PART ? rest : PART;
		status = input_read(h->input, "entries", part, ENTRY_BYTES * (size_t)count,
		                    at_entry(h, first), error);
		for (uint32_t i = 0; i < count && !status; i++) {
			const int64_t slot = foreign_u32(part + ENTRY_BYTES * (size_t)i);
			if (slot <= before)
				status = damaged(h, "slot of an entry, at least", before + 1, slot,
				                 error);
			else if ((uint64_t)slot >= h->slots)
				status = damaged(h, "slot of an entry, below", (int64_t)h->slots,
				                 slot, error);
			before = slot;
		}
	}
	free(part);
	return status;
}

static enum el_status check(struct el_source *source, const struct el_watch *watch,
                            struct el_error *error)
{
	const struct malom *m = (const struct malom *)source;
	enum el_status status = EL_OK;
	for (unsigned plane = 0; plane < 2 && !status; plane++)
		if (m->half[plane].input)
			status = check_entries(&m->half[plane], error);
	return status ? status : foreign_sample(source, false, watch, error);
}

const struct el_source_ops el_source_malom = {
	.kind = "malom",
	.extension = ".sec2",
	.named = malom_named,
	.open = malom_open,
	.probe = probe,
	.close = malom_close,
	.check = check,
};

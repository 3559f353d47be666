/* SPDX-License-Identifier: MIT */
/* The part before a Syzygy table's spans, and the places of everything else, which follow from
   it. */
#include "syzygy.h"

#include <string.h>

const uint8_t syzygy_magic[2][SYZYGY_MAGIC] = {{0x71, 0xe8, 0x23, 0x5d}, {0xd7, 0x66, 0x0c, 0xa5}};

void material_of(const struct el_slice *slice, struct material *out, uint8_t kind[7])
{
	const char *kinds = slice->game->kinds;
	*out = (struct material){.pieces = slice->pieces};
	for (unsigned number = SYZYGY_PAWN; number <= SYZYGY_KING; number++) {
		kind[number] = (uint8_t)(strchr(kinds, " PNBRQK"[number]) - kinds);
		for (unsigned side = 0; side < 2; side++)
			out->count[side][number] = slice->count[side][kind[number]];
	}
}

/* ---- the start ---- */

static const char *read_start(const struct syzygy_shape *shape, struct bytes *bytes)
{
	const unsigned expected =
		(shape->symmetric ? 0 : FLAG_SIDES) | (shape->boards > 1 ? FLAG_PAWNS : 0);
	const uint8_t *magic = bytes_take(bytes, SYZYGY_MAGIC), *flags = bytes_take(bytes, 1);
	if (!magic || !flags || memcmp(magic, syzygy_magic[shape->depths], SYZYGY_MAGIC))
		return shape->depths ? "expected d7 66 0c a5 in front"
		                     : "expected 71 e8 23 5d in front";
	if ((*flags & (FLAG_SIDES | FLAG_PAWNS)) != expected)
		return "the flags do not fit the name";
	return NULL;
}

/* Reads the orders, which must all have the sides the same way round. */
static const char *read_orders(const struct syzygy_shape *shape, unsigned boards,
                               struct bytes *bytes, struct head *h)
{
	static const char wrong[] = "the pieces do not fit the name";
	h->sides = shape->symmetric || shape->depths ? 1 : 2;
	for (unsigned b = 0; b < boards; b++) {
		struct order *order = h->board[b].order;
		if (!order_read(bytes, &shape->material, b, h->sides, order))
			return wrong;
		if (b == 0)
			h->swapped = order_is_swapped(&order[0], &shape->material);
		for (unsigned side = 0; side < h->sides; side++)
			if (order_is_swapped(&order[side], &shape->material) != h->swapped)
				return wrong;
	}
	return NULL;
}

const char *head_refuse(const struct syzygy_shape *shape, const uint8_t *start, size_t size)
{
	struct head h = {0};
	struct bytes bytes = {start, size};
	const char *why = read_start(shape, &bytes);
	return why ? why : read_orders(shape, 1, &bytes, &h);
}

/* Parts of the head begin at even offsets in the file. */
static void align_to_word(struct bytes *bytes, const uint8_t *head)
{
	if ((bytes->at - head) & 1)
		bytes_take(bytes, 1);
}

/* ---- what follows ---- */

static uint64_t aligned(uint64_t at)
{
	return (at + SYZYGY_ALIGNMENT - 1) / SYZYGY_ALIGNMENT * SYZYGY_ALIGNMENT;
}

enum el_status head_read(const struct syzygy_shape *shape, const uint8_t *head, size_t size,
                         struct head *h, const char **why)
{
	struct bytes bytes = {head, size};
	*h = (struct head){0};
	*why = read_start(shape, &bytes);
	if (!*why)
		*why = read_orders(shape, shape->boards, &bytes, h);
	if (*why)
		return EL_DAMAGED;
	align_to_word(&bytes, head);
	*why = "a code makes no sense";
	enum el_status status = EL_OK;
	for (unsigned b = 0; b < shape->boards; b++)
		for (unsigned side = 0; side < h->sides && !status; side++) {
			struct board *board = &h->board[b];
			status = pairs_read(&bytes, board->order[side].positions,
			                    &board->pairs[side]);
			if (shape->depths)
				board->pairs[side].value = 0; /* of a constant */
		}
	if (!status && shape->depths) {
		*why = "the lists of depths end too early";
		for (unsigned b = 0; b < shape->boards && !status; b++)
			status = scale_read(&bytes, head, h->board[b].pairs[0].flags,
			                    &h->board[b].scale);
		align_to_word(&bytes, head);
	}
	if (status)
		return status;
	/* The parts of the file after the head; each goes through all boards and sides. Pages are only
	   counted. */
	struct pairs *pairs[2 * SYZYGY_BOARDS_MAX];
	const unsigned count = shape->boards * h->sides;
	uint64_t at = (uint64_t)(bytes.at - head), pages = 0;
	for (unsigned i = 0; i < count; i++) {
		pairs[i] = &h->board[i / h->sides].pairs[i % h->sides];
		pairs[i]->first_page = pages;
		pages += (pairs[i]->positions + SYZYGY_PAGE - 1) / SYZYGY_PAGE;
		pairs[i]->at_spans = at;
		at += SPAN_BYTES * pairs[i]->spans;
	}
	for (unsigned i = 0; i < count; i++) {
		pairs[i]->at_lengths = at;
		at += LENGTH_BYTES * (uint64_t)pairs[i]->lengths;
	}
	for (unsigned i = 0; i < count; i++) {
		pairs[i]->at_blocks = aligned(at);
		at = pairs[i]->at_blocks + ((uint64_t)pairs[i]->blocks << pairs[i]->block_bits);
	}
	h->size = aligned(at) + SUM_OF_FILE;
	return EL_OK;
}

void head_free(struct head *h)
{
	for (unsigned b = 0; b < SYZYGY_BOARDS_MAX; b++) {
		for (unsigned side = 0; side < 2; side++)
			pairs_free(&h->board[b].pairs[side]);
		scale_free(&h->board[b].scale);
	}
}

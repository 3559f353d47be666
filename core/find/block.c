/* SPDX-License-Identifier: MIT */
#include "block.h"

#include "core/table/order.h"

#include <string.h>

/* ---- a plane ---- */

/* What each piece of the board is. The digits name them in the order that the board numbers them by. */
static void name_pieces(struct block_plane *p)
{
	const struct el_game *game = p->slice->game;
	struct block_piece named[EL_BOARD_PIECES];
	struct el_digits digits;
	unsigned pieces = 0;
	game->digits(p->slice, &digits);
	for (unsigned d = 0; d < digits.count; d++)
		for (unsigned n = 0; n < digits.pieces[d]; n++) {
			const char letter = digits.letter[d];
			const bool black = letter >= 'a';
			const char *kind = strchr(game->kinds, black ? letter - 'a' + 'A' : letter);
			named[pieces++] =
				(struct block_piece){black, (uint8_t)(kind - game->kinds)};
		}
	for (unsigned i = 0; i < pieces; i++)
		p->piece[i] = named[p->board->piece[i]];
}

/* Where the symmetry takes a square: changes in the order of enum el_symmetry. */
static uint8_t image_of_square(const struct el_game *game, unsigned symmetry, uint8_t square)
{
	unsigned file, rank;
	if (!el_square_find(game, square, &file, &rank))
		return square;
	int f = (int)file, r = (int)rank;
	f = symmetry & EL_MIRRORED ? game->files - 1 - f : f;
	r = symmetry & EL_FLIPPED ? game->ranks - 1 - r : r;
	if (symmetry & EL_TRANSPOSED) {
		const int was = f;
		f = r;
		r = was;
	}
	if (symmetry & EL_TURNED_OUT) {
		/* The distance from the centre tells the ring: the outer one changes with the inner. */
		const int half = game->files / 2, x = f - half, y = r - half;
		const int ring =
			(x < 0 ? -x : x) > (y < 0 ? -y : y) ? (x < 0 ? -x : x) : (y < 0 ? -y : y);
		const int other = half + 1 - ring;
		f = ring ? half + x / ring * other : f;
		r = ring ? half + y / ring * other : r;
	}
	return game->square_at((unsigned)f, (unsigned)r);
}

static void show_image(const struct block_plane *p, unsigned image, const struct el_position *from,
                       struct el_position *out)
{
	const uint8_t *to = p->square[image];
	struct el_position swapped;
	if (p->image[image] & EL_SWAPPED) {
		p->slice->game->swap_colours(from, &swapped);
		from = &swapped;
	}
	*out = *from;
	for (unsigned side = 0; side < 2 && p->image[image] & (unsigned)~EL_SWAPPED; side++)
		for (unsigned kind = 0; kind < EL_KINDS; kind++) {
			out->set[side][kind] = 0;
			for (uint64_t left = from->set[side][kind]; left; left &= left - 1)
				out->set[side][kind] |= UINT64_C(1) << to[__builtin_ctzll(left)];
		}
}

/* Is this a symmetry of the slice? Some positions are their own images under what is none, so many are
   tried. */
static bool is_symmetry(const struct block_plane *p, unsigned image)
{
	enum { TRIED = 256 };
	const struct el_slice *slice = p->slice;
	unsigned tried = 0;
	for (uint64_t n = 0; n < 16 * TRIED && tried < TRIED; n++) {
		const uint64_t index =
			slice->positions > 16 * TRIED ? slice->positions / (16 * TRIED) * n : n;
		struct el_position position, shown;
		struct el_place place;
		if (index >= slice->positions ||
		    !slice->game->unplace(slice, p->plane, index, &position))
			continue;
		show_image(p, image, &position, &shown);
		if (!slice->game->place(&shown, &place) || place.key != slice->key ||
		    place.plane != p->plane || place.index != index)
			return false;
		tried++;
	}
	return true;
}

/* With castling rights, or stones in pits, a position has no images but for the colours. */
static void find_images(struct block_plane *p)
{
	const struct el_game *game = p->slice->game;
	const bool is_fixed = el_slice_has_rights(p->slice) || game->sows;
	bool board[64];
	for (uint8_t square = 0; square < 64; square++) {
		unsigned file, rank;
		board[square] = el_square_find(game, square, &file, &rank);
		p->file[square] = (uint8_t)file;
		p->rank[square] = (uint8_t)rank;
	}
	for (unsigned symmetry = 0; symmetry < BLOCK_IMAGES; symmetry++) {
		if ((symmetry & EL_SWAPPED && !el_slice_alike(p->slice)) ||
		    (symmetry & EL_TRANSPOSED && game->files != game->ranks) ||
		    (symmetry & EL_TURNED_OUT && !game->neighbours) ||
		    (symmetry & (unsigned)~EL_SWAPPED && is_fixed))
			continue;
		bool inside = true;
		for (uint8_t square = 0; square < 64; square++) {
			const uint8_t to = image_of_square(game, symmetry, square);
			p->square[p->images][square] = to;
			inside = inside && to < 64;
		}
		p->image[p->images] = (uint8_t)symmetry;
		if (!inside || !is_symmetry(p, p->images))
			continue;
		p->images++;
		p->turns += !(symmetry & EL_SWAPPED);
	}
	/* A piece without another one like it would have to stand on a square that is its own image. */
	p->orbit = !game->sows;
	for (unsigned i = 1; i < p->images; i++)
		for (uint8_t square = 0; square < 64 && !(p->image[i] & EL_SWAPPED); square++)
			p->orbit = p->orbit && (p->square[i][square] != square || !board[square]);
	bool single = p->images == 1;
	for (unsigned k = 0; k < 2 * EL_KINDS; k++)
		single = single || p->slice->count[k / EL_KINDS][k % EL_KINDS] == 1;
	p->orbit = p->orbit && single;
}

enum el_status block_plane_open(const struct el_slice *slice, unsigned plane,
                                struct block_plane *out, struct el_error *error)
{
	*out = (struct block_plane){.slice = slice, .plane = plane};
	if (board_see(slice, plane, &out->board, &out->view))
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (out->board)
		name_pieces(out);
	find_images(out);
	return EL_OK;
}

void block_plane_close(struct block_plane *p)
{
	board_view_close(&p->view);
	board_free(p->board);
	*p = (struct block_plane){.slice = NULL};
}

/* ---- blocks ---- */

static void put(const struct block_plane *p, unsigned piece, unsigned square,
                struct el_position *out)
{
	const struct el_game *game = p->slice->game;
	const uint8_t on = game->stands_on ? game->stands_on((uint8_t)square) : (uint8_t)square;
	out->set[p->piece[piece].side][p->piece[piece].kind] |= UINT64_C(1) << on;
}

/* In a run, only one piece moves. */
static void see_run(struct block *b)
{
	const struct block_plane *p = b->plane;
	const struct board_walk *w = &b->walk;
	const struct el_codec_axis *last = board_last_axis(&p->view);
	const uint8_t *square =
		last->square + (size_t)w->digit[p->view.board->axes - 1] * last->pieces;
	b->legal = 0;
	for (unsigned i = 0; i < b->count; i++)
		b->legal |= (uint64_t)(~w->word[0] >> square[i * last->pieces] & 1) << i;
	if (!b->legal)
		return;
	if (p->slice->game->twofold(p->slice, b->index))
		for (unsigned i = 0; i < b->count; i++)
			if (b->legal >> i & 1 &&
			    !p->slice->game->unplace(p->slice, p->plane, b->index + i, &b->own[i]))
				b->legal &= ~(UINT64_C(1) << i);
	b->base = (struct el_position){
		.side = (uint8_t)el_slice_mover(p->slice, p->plane),
		.en_passant = EL_NO_SQUARE,
		.fullmove = 1,
	};
	for (unsigned i = 0; i < p->view.pieces; i++)
		if (i != w->moving)
			put(p, i, w->square[i], &b->base);
}

void block_begin(struct block *b, const struct block_plane *plane, uint64_t index)
{
	b->plane = plane;
	b->index = index;
	b->count = 0;
	if (plane->board)
		board_walk_start(&b->walk, &plane->view, index);
}

void block_make(struct block *b, uint64_t end)
{
	const struct block_plane *p = b->plane;
	const uint64_t left = end - b->index, most = p->board ? b->walk.left : BLOCK_MAX;
	b->count = (unsigned)(left < most ? left : most);
	b->made = b->original = 0;
	b->image = 0;
	if (p->board) {
		see_run(b);
		return;
	}
	b->legal = 0;
	for (unsigned i = 0; i < b->count; i++)
		if (p->slice->game->unplace(p->slice, p->plane, b->index + i, &b->own[i]))
			b->legal |= UINT64_C(1) << i;
	b->original = b->legal;
}

void block_next(struct block *b)
{
	b->index += b->count;
	if (b->plane->board)
		board_walk_by(&b->walk, b->count);
}

void block_show(struct block *b, unsigned image)
{
	b->image = image;
	b->made = 0;
}

const struct el_position *block_original(struct block *b, unsigned i)
{
	const struct block_plane *p = b->plane;
	if (!(b->original >> i & 1)) {
		const struct el_codec_axis *last = board_last_axis(&p->view);
		const uint32_t digit = b->walk.digit[p->view.board->axes - 1];
		b->own[i] = b->base;
		put(p, b->walk.moving, last->square[(size_t)(digit + i) * last->pieces],
		    &b->own[i]);
		b->original |= UINT64_C(1) << i;
	}
	return &b->own[i];
}

const struct el_position *block_position(struct block *b, unsigned i)
{
	const struct el_position *own = block_original(b, i);
	if (!b->image)
		return own;
	if (!(b->made >> i & 1)) {
		show_image(b->plane, b->image, own, &b->shown[i]);
		b->made |= UINT64_C(1) << i;
	}
	return &b->shown[i];
}

unsigned block_orbit(struct block *b, unsigned i)
{
	const struct block_plane *p = b->plane;
	return p->orbit ? p->turns : p->slice->game->orbit(block_original(b, i));
}

bool block_repeats(struct block *b, unsigned i)
{
	const struct block_plane *p = b->plane;
	if (!b->image || p->orbit || block_orbit(b, i) == p->turns)
		return false;
	const struct el_position *shown = block_position(b, i);
	bool same = false;
	for (unsigned image = 0; image < b->image && !same; image++) {
		struct el_position other;
		show_image(p, image, block_original(b, i), &other);
		same = el_position_equal(&other, shown);
	}
	return same;
}

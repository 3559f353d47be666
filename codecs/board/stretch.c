/* SPDX-License-Identifier: MIT */
/*
 * Stretches: the neighbours of many positions at once.
 *
 * While only the pieces of the last axis move, a neighbour of any other piece is as far away from
 * one position as from the next: the neighbours of a stretch are contiguous symbols, and so are
 * their votes and classes, which vectors count. All of them precede the stretch. Each position adds
 * its neighbours of the last axis (stretch.h).
 */
#include "stretch.h"

#include <string.h>

static unsigned whole_parts(unsigned count)
{
	return (count + BOARD_STRETCH_PART - 1) / BOARD_STRETCH_PART * BOARD_STRETCH_PART;
}

/* Adds a voter with the symbols `x` and updates the leader of each position. */
static void add_voter(struct board_stretch *restrict s, const uint16_t *restrict x)
{
	uint16_t same[BOARD_STRETCH];
	const unsigned count = whole_parts(s->count);
	for (unsigned j = 0; j < count; j++)
		same[j] = 1;
	for (unsigned k = 0; k < s->voters; k++)
		for (unsigned j = 0; j < count; j++)
			same[j] = (uint16_t)(same[j] + (s->voter[k][j] == x[j]));
	/* Masks, because compilers make a branch of a choice between two stores, and no vectors. */
	for (unsigned j = 0; j < count; j++) {
		const uint16_t leads = (uint16_t) - (same[j] > s->agree[j]);
		s->agree[j] = (uint16_t)((same[j] & leads) | (s->agree[j] & ~leads));
		s->lead[j] = (uint16_t)((x[j] & leads) | (s->lead[j] & ~leads));
	}
	s->voter[s->voters++] = x;
}

void board_add_classes(const struct board_stretch *restrict s, unsigned neighbour, uint16_t times,
                       uint16_t to[restrict BOARD_STRETCH])
{
	const uint16_t *x = s->from[neighbour], *lead = s->lead;
	const unsigned count = whole_parts(s->count);
	for (unsigned j = 0; j < count; j++) {
		const uint16_t more = (uint16_t)((x[j] > lead[j] ? x[j] : lead[j]) - lead[j]);
		const uint16_t less = (uint16_t)(lead[j] - (x[j] < lead[j] ? x[j] : lead[j]));
		const uint16_t up = more < 4 ? more : 4, down = less < 4 ? less : 4;
		to[j] = (uint16_t)(to[j] + (5 + up - down) * times);
	}
}

/* Begins a stretch of at most `count` positions at symbol `at` of the block, where the walk is.
   That is not the block's first symbol, which is the guess wherever there is no neighbour. */
static void begin(struct board_stretch *s, const struct board_walk *w, const uint16_t *block,
                  size_t at, size_t count)
{
	const struct el_codec_axis *last = board_last_axis(w->view);
	const uint32_t digit = w->digit[w->view->board->axes - 1];
	s->stays = w->moving * BOARD_STEPS;
	s->moves = last->pieces * BOARD_STEPS;
	s->pieces = last->pieces;
	s->square = last->square + (size_t)digit * last->pieces;
	s->back = w->view->back[w->view->board->axes - 1] + (size_t)digit * s->moves;
	s->still = w->back;
	s->block = block;
	s->start = at;
	s->broken = w->word[0];
	const unsigned stays = s->stays;
	unsigned length = w->left < BOARD_STRETCH ? w->left : BOARD_STRETCH;
	if (count < length)
		length = (unsigned)count;
	/* End the stretch where a neighbour enters or leaves the block. */
	for (unsigned i = 0; i < stays; i++) {
		const uint32_t back = w->back[i];
		s->from[i] = back && back <= at ? block + (at - back) : NULL;
		const size_t until = back > at ? back - at : back;
		if (back && until < length)
			length = (unsigned)until;
	}
	s->count = length;
	const unsigned whole = whole_parts(length);
	/* A row that ends with the block is copied, so that whole parts can be read. */
	for (unsigned i = 0; i < stays && whole > count; i++)
		if (s->from[i] && whole > count + w->back[i])
			s->from[i] = memcpy(s->row[i], s->from[i], length * sizeof *block);
	s->voters = 0;
	memset(s->agree, 0, whole * sizeof *s->agree);
	for (unsigned j = 0; j < whole; j++)
		s->lead[j] = block[0];
	for (unsigned i = 0; i < stays; i++)
		if (i % BOARD_STEPS < BOARD_VOTING && s->from[i])
			add_voter(s, s->from[i]);
}

void board_stretch_classes(struct board_stretch *s)
{
	memset(s->pair, 0, sizeof *s->pair * ((s->stays + 1) / 2));
	for (unsigned i = 0; i < s->stays; i++)
		if (s->from[i])
			board_add_classes(s, i, board_times(i), s->pair[i / 2]);
}

/* ---- over a block ---- */

bool board_over_start(struct board_over *o, const struct board_view *view, uint64_t number,
                      const uint16_t *block, size_t at, size_t end)
{
	o->block = block;
	o->end = end;
	if (!at && end < 2)
		return false;
	board_walk_start(&o->walk, view, number);
	if (!at)
		board_walk_by(&o->walk, 1);
	/* Vectors count whole parts, so they read past the last position, but the result there is
	   unused. */
	memset(o->stretch.row, 0, sizeof o->stretch.row);
	begin(&o->stretch, &o->walk, block, at + !at, end - at - !at);
	return true;
}

bool board_over_next(struct board_over *o)
{
	const size_t at = o->stretch.start + o->stretch.count;
	if (at >= o->end)
		return false;
	board_walk_by(&o->walk, o->stretch.count);
	begin(&o->stretch, &o->walk, o->block, at, o->end - at);
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Marks broken indexes. Where codecs see a board, it tells those of a whole run of positions at once
 * (codecs/board/view.h). Elsewhere, and where two indexes may stand for the same position, the game is
 * asked of one after the other.
 */
#include "codecs/board/view.h"
#include "order.h"

enum { CHUNK = 1 << 16 /* positions that a thread takes at once */ };

static void mark_each(const struct el_slice *slice, unsigned plane, uint64_t first, uint64_t end,
                      uint16_t *symbols)
{
	struct el_position position;
	for (uint64_t i = first; i < end; i++)
		if (!slice->game->unplace(slice, plane, i, &position))
			symbols[i] = 0;
}

static void mark_runs(const struct el_slice *slice, unsigned plane, const struct board_view *view,
                      uint64_t first, uint64_t end, uint16_t *symbols)
{
	const struct el_codec_axis *last = board_last_axis(view);
	struct board_walk w;
	board_walk_start(&w, view, first);
	while (first < end) {
		const uint8_t *square =
			last->square + (size_t)w.digit[view->board->axes - 1] * last->pieces;
		const unsigned count = w.left < end - first ? w.left : (unsigned)(end - first);
		if (slice->game->twofold(slice, first))
			mark_each(slice, plane, first, first + count, symbols);
		for (unsigned i = 0; i < count && w.word[0]; i++)
			if (w.word[0] >> square[i * last->pieces] & 1)
				symbols[first + i] = 0;
		first += count;
		if (first < end)
			board_walk_by(&w, count);
	}
}

void el_planes_mark_broken(struct el_planes *planes)
{
	const struct el_slice *slice = &planes->slice;
	for (unsigned plane = 0; plane < slice->planes; plane++) {
		struct board_view view = {0};
		struct table_board *board = NULL;
		board_see(slice, plane, &board, &view); /* without memory for one, each is asked */
		uint16_t *symbols = planes->plane[plane].symbols;
#pragma omp parallel for
		for (uint64_t first = 0; first < slice->positions; first += CHUNK) {
			const uint64_t end = first + piece_at(first, slice->positions, CHUNK);
			if (board)
				mark_runs(slice, plane, &view, first, end, symbols);
			else
				mark_each(slice, plane, first, end, symbols);
		}
		board_view_close(&view);
		board_free(board);
	}
}

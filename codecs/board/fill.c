/* SPDX-License-Identifier: MIT */
#include "fill.h"

#include "codecs/runs.h"

void board_fill_block(const struct board_view *view, board_guesser *guesser, uint32_t value_count,
                      uint64_t first, const struct el_codec_plane *block)
{
	struct board_over over;
	const struct board_stretch *s = &over.stretch;
	if (!view) {
		runs_fill(block, value_count);
		return;
	}
	/* Start with the first symbol that is not free. */
	uint64_t i = 0;
	while (i + 1 < block->positions && block->care[i] == EL_CARE_NOT)
		i++;
	block->symbols[0] = block->care[0] == EL_CARE_NOT ? block->symbols[i] : block->symbols[0];
	for (bool more = board_over_start(&over, view, first, block->symbols, 0,
	                                  (size_t)block->positions);
	     more; more = board_over_next(&over))
		for (unsigned j = 0; j < s->count; j++) {
			const uint16_t guess = guesser(s, j);
			uint16_t *symbol = &block->symbols[s->start + j];
			const enum el_care care = block->care[s->start + j];
			if (care == EL_CARE_NOT || (care == EL_CARE_AT_MOST && guess < *symbol))
				*symbol = guess;
		}
}

enum el_status board_fill(const char *codec, board_guesser *guesser,
                          const struct el_codec_params *params, const struct el_codec_plane *plane,
                          const struct el_watch *watch, struct el_error *error)
{
	const bool looks = guesser && params->board;
	struct board_view view = {0};
	enum el_status status = EL_OK;
	if (looks)
		status = board_view_open(params->board, &view, error);
	for (uint64_t at = 0; at < plane->positions && !status; at += params->block_positions) {
		const uint64_t rest = plane->positions - at;
		const struct el_codec_plane block = {
			.symbols = plane->symbols + at,
			.care = plane->care + at,
			.positions =
				rest < params->block_positions ? rest : params->block_positions,
		};
		const struct el_progress progress = {
			.stage = "filling",
			.what = codec,
			.done = (double)at,
			.total = (double)plane->positions,
			.unit = "positions",
		};
		if (!el_watch_tick(watch, &progress))
			status = el_fail(error, EL_STOPPED, "fill: stopped");
		else
			board_fill_block(looks ? &view : NULL, guesser, params->value_count,
			                 el_codec_number(plane, at), &block);
	}
	board_view_close(&view);
	return status;
}

bool board_is_filled(struct board_over *over, const struct board_view *view, board_guesser *guesser,
                     uint64_t first, const uint16_t *symbols, size_t count)
{
	const struct board_stretch *s = &over->stretch;
	for (bool more = board_over_start(over, view, first, symbols, 0, count); more;
	     more = board_over_next(over))
		for (unsigned j = 0; j < s->count; j++)
			if (board_stretch_broken(s, j) && guesser(s, j) != symbols[s->start + j])
				return false;
	return true;
}

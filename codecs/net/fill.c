/* SPDX-License-Identifier: MIT */
#include "fill.h"
#include "codecs/runs.h"
#include "stretch.h"

void net_fill_block(const struct net_view *view, uint32_t value_count, uint64_t first,
                    const struct el_codec_plane *block)
{
	struct net_over over;
	const struct net_stretch *s = &over.stretch;
	if (!view) {
		runs_fill(block, value_count);
		return;
	}
	/* Start with the first symbol that is not free. */
	uint64_t i = 0;
	while (i + 1 < block->positions && block->care[i] == EL_CARE_NOT)
		i++;
	block->symbols[0] = block->care[0] == EL_CARE_NOT ? block->symbols[i] : block->symbols[0];
	for (bool more = net_over_start(&over, view, first, block->symbols, 0,
	                                (size_t)block->positions);
	     more; more = net_over_next(&over))
		for (unsigned j = 0; j < s->count; j++) {
			const uint16_t guess = net_stretch_guess(s, s->pieces, j).symbol;
			uint16_t *symbol = &block->symbols[s->start + j];
			const enum el_care care = block->care[s->start + j];
			if (care == EL_CARE_NOT || (care == EL_CARE_AT_MOST && guess < *symbol))
				*symbol = guess;
		}
}

enum el_status net_fill(const struct el_codec_params *params, const struct el_codec_plane *plane,
                        const struct el_watch *watch, struct el_error *error)
{
	struct net_view view = {0};
	enum el_status status = EL_OK;
	if (params->board)
		status = net_view_open(params->board, &view, error);
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
			.what = "net",
			.done = (double)at,
			.total = (double)plane->positions,
			.unit = "positions",
		};
		if (!el_watch_tick(watch, &progress))
			status = el_fail(error, EL_STOPPED, "fill: stopped");
		else
			net_fill_block(params->board ? &view : NULL, params->value_count,
			               el_codec_number(plane, at), &block);
	}
	net_view_close(&view);
	return status;
}

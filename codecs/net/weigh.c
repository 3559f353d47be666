/* SPDX-License-Identifier: MIT */
/*
 * Weighs an order of positions without a network: the entropy of how far symbols are from their
 * guesses, given how many neighbours a position has and how many of them agree.
 */
#include "codecs/board/stretch.h"
#include "codecs/exact.h"
#include "network.h"

#include <stdlib.h>

enum {
	VOTES = BOARD_VOTING * EL_BOARD_PIECES + 1,
	FAR = 16,
	OFFS = 2 * FAR + 1, /* below, the guess, above */
};

/* Counts by neighbours, how many agree, and how far the symbol is from the guess. */
typedef uint32_t census[VOTES][VOTES][OFFS];

static double entropy(const uint32_t seen[OFFS])
{
	double all = 0, bits = 0;
	for (unsigned i = 0; i < OFFS; i++)
		all += seen[i];
	for (unsigned i = 0; i < OFFS; i++)
		bits += seen[i] ? seen[i] * exact_log2(all / seen[i]) : 0;
	return bits;
}

enum el_status net_weigh(const struct el_codec_params *params, const struct el_codec_plane *plane,
                         double *bits, struct el_error *error)
{
	struct board_view view = {0};
	struct board_over over;
	const struct board_stretch *s = &over.stretch;
	*bits = 0;
	if (!params->board)
		return EL_OK;
	census *seen = calloc(1, sizeof *seen);
	if (!seen)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	enum el_status status = net_fill(params, plane, NULL, error);
	if (!status)
		status = board_view_open(params->board, &view, error);
	for (uint64_t at = 0; !status && at < plane->positions; at += params->block_positions) {
		const uint64_t rest = plane->positions - at;
		const uint16_t *symbols = plane->symbols + at;
		const size_t count =
			rest < params->block_positions ? (size_t)rest : params->block_positions;
		for (bool more = board_over_start(&over, &view, el_codec_number(plane, at), symbols,
		                                  0, count);
		     more; more = board_over_next(&over))
			for (unsigned j = 0; j < s->count; j++) {
				if (board_stretch_broken(s, j))
					continue;
				const struct board_guess g = board_stretch_guess(s, s->pieces, j);
				const int off = symbols[s->start + j] - g.symbol;
				const int within = off < -FAR ? -FAR : off > FAR ? FAR : off;
				(*seen)[g.count][g.agree][FAR + within]++;
			}
	}
	for (unsigned n = 0; n < VOTES && !status; n++)
		for (unsigned k = 0; k < VOTES; k++)
			*bits += entropy((*seen)[n][k]);
	board_view_close(&view);
	free(seen);
	return status;
}

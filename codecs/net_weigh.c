/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an order of positions is worth, without a network: the entropy of how far symbols are from their
 * guesses, among positions with as many neighbours, of which as many agree.
 */
#include "net.h"

#include <math.h>
#include <stdlib.h>

enum {
	VOTES = NET_VOTING * EL_BOARD_PIECES + 1,
	FAR = 16,
	OFFS = 2 * FAR + 1, /* below, the guess, above */
};

struct scale {
	uint8_t *tally;
	uint32_t seen[VOTES][VOTES][OFFS]; /* by neighbours, how many agree, how far */
};

static void weigh_block(struct scale *s, const struct net_view *view, uint64_t number,
                        const uint16_t *symbols, size_t count)
{
	struct net_walk walk;
	int32_t near[NET_NEAR_MAX];
	net_walk_start(&walk, view, number);
	for (size_t i = 1; i < count; i++) {
		net_walk_next(&walk);
		if (net_walk_broken(&walk))
			continue;
		net_near(&walk, symbols, i, near);
		const struct net_guess g = net_guess(near, view->pieces, symbols[0], s->tally);
		const int off = symbols[i] - g.symbol;
		s->seen[g.count][g.agree][off < -FAR ? 0 : off > FAR ? OFFS - 1 : off + FAR]++;
	}
}

static double entropy(const uint32_t seen[OFFS])
{
	double all = 0, bits = 0;
	for (unsigned i = 0; i < OFFS; i++)
		all += seen[i];
	for (unsigned i = 0; i < OFFS; i++)
		bits += seen[i] ? seen[i] * log2(all / seen[i]) : 0;
	return bits;
}

enum el_status net_weigh(const struct el_codec_params *params, const struct el_codec_plane *plane,
                         double *bits, struct el_error *error)
{
	struct net_view view = {0};
	struct scale *s = calloc(1, sizeof *s);
	enum el_status status = EL_OK;
	*bits = 0;
	if (s)
		s->tally = calloc(params->value_count, 1);
	if (!s || !s->tally)
		status = el_fail(error, EL_MEMORY, "net: out of memory");
	if (!status && params->board)
		status = net_fill(params, plane, NULL, error);
	if (!status && params->board)
		status = net_view_open(params->board, &view, error);
	for (uint64_t at = 0; params->board && !status && at < plane->positions;
	     at += params->block_positions) {
		const uint64_t rest = plane->positions - at;
		weigh_block(s, &view, el_codec_number(plane, at), plane->symbols + at,
		            rest < params->block_positions ? (size_t)rest : params->block_positions);
	}
	for (unsigned n = 0; n < VOTES && !status; n++)
		for (unsigned k = 0; k < VOTES; k++)
			*bits += entropy(s->seen[n][k]);
	net_view_close(&view);
	if (s)
		free(s->tally);
	free(s);
	return status;
}

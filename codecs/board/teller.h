/* SPDX-License-Identifier: MIT */
/*
 * Tells how each symbol of a block was coded, for codecs that guess. Consecutive positions of which
 * nothing is stored form one token. Symbols share bytes, so a token begins at the sum of the costs
 * before it.
 */
#ifndef CODECS_BOARD_TELLER_H
#define CODECS_BOARD_TELLER_H

#include "endlab/codec.h"

struct board_teller {
	void (*visit)(void *context, const struct el_codec_token *);
	void *context;
	size_t most; /* bits in the block */
	double cost; /* of all questions so far */
	/* `count` symbols without questions, not yet told */
	struct el_codec_token silent;
};

/* Tells of symbol token->first: its guess, votes and questions; the rest of `token` is set. */
void board_tell(struct board_teller *, struct el_codec_token *token);
/* After the last symbol. */
void board_tell_end(struct board_teller *);

#endif

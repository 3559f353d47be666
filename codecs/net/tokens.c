/* SPDX-License-Identifier: MIT */
/* Tells how each symbol of a block was coded: the questions that the decoder asks. */
/*
 * Tells how each symbol of a block was coded. Consecutive positions without questions form one
 * token. A range coder gives no symbol its own bits, so a token begins at the sum of the costs
 * before it.
 */
#include "code.h"

#include "codecs/board/teller.h"

#include <stdlib.h>

/* The questions of a symbol: the guess, above it, steps, and a number. */
enum { QUESTIONS_MAX = NET_FAR + 3 };

struct teller {
	struct board_teller board;
	struct el_codec_question question[QUESTIONS_MAX]; /* of the next symbol */
	unsigned questions;
};

static void asked(void *context, const struct el_codec_question *question)
{
	struct teller *t = context;
	t->question[t->questions++] = *question;
}

static void told(void *context, size_t at, const struct board_guess *guess)
{
	struct teller *t = context;
	board_tell(&t->board, &(struct el_codec_token){
				      .first = at,
				      .guess = guess ? guess->symbol : -1,
				      .votes = guess ? guess->agree : 0,
				      .voters = guess ? guess->count : 0,
				      .questions = t->questions,
				      .question = t->question,
			      });
	t->questions = 0;
}

enum el_status net_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                          void (*visit)(void *context, const struct el_codec_token *),
                          void *context, struct el_error *error)
{
	struct teller t = {.board = {.visit = visit, .context = context, .most = 8 * size}};
	uint16_t *symbols = malloc(count * sizeof *symbols);
	if (!symbols)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	const struct net_listener listener = {&t, asked, told};
	enum el_status status = net_listen(coder, bytes, size, symbols, count, &listener, error);
	board_tell_end(&t.board);
	free(symbols);
	return status;
}

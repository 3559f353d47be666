/* SPDX-License-Identifier: MIT */
/*
 * Tells how each symbol of a block was coded. Consecutive positions without questions form one
 * token. A range coder gives no symbol its own bits, so a token begins at the sum of the costs
 * before it.
 */
#include "code.h"

#include "codecs/codecs.h"

#include <stdlib.h>

/* The questions of a symbol: the guess, above it, steps, and a number. */
enum { QUESTIONS_MAX = NET_FAR + 3 };

struct teller {
	void (*visit)(void *context, const struct el_codec_token *);
	void *context;
	double cost; /* of all questions so far */
	size_t most; /* bits in the block */
	/* `count` symbols without questions, not yet told */
	struct el_codec_token silent;
	struct el_codec_question question[QUESTIONS_MAX]; /* of the next symbol */
	unsigned questions;
};

static size_t bit_at(const struct teller *t, double cost)
{
	return cost < (double)t->most ? (size_t)cost : t->most;
}

static void asked(void *context, const struct el_codec_question *question)
{
	struct teller *t = context;
	t->question[t->questions++] = *question;
}

static void end_silence(struct teller *t)
{
	if (t->silent.count)
		t->visit(t->context, &t->silent);
	t->silent.count = 0;
}

static void told(void *context, size_t at, const struct board_guess *guess)
{
	struct teller *t = context;
	struct el_codec_token token = {
		.bit = bit_at(t, t->cost),
		.first = at,
		.count = 1,
		.predicts = true,
		.guess = guess ? guess->symbol : -1,
		.votes = guess ? guess->agree : 0,
		.voters = guess ? guess->count : 0,
		.questions = t->questions,
		.question = t->question,
	};
	if (!t->questions && t->silent.count) {
		t->silent.count++;
		return;
	}
	if (!t->questions) {
		t->silent = token;
		return;
	}
	end_silence(t);
	for (unsigned i = 0; i < t->questions; i++)
		t->cost += el_codec_question_bits(&t->question[i]);
	token.bits = bit_at(t, t->cost) - token.bit;
	t->visit(t->context, &token);
	t->questions = 0;
}

enum el_status net_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                          void (*visit)(void *context, const struct el_codec_token *),
                          void *context, struct el_error *error)
{
	struct teller t = {.visit = visit, .context = context, .most = 8 * size};
	uint16_t *symbols = malloc(count * sizeof *symbols);
	if (!symbols)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	const struct net_listener listener = {&t, asked, told};
	enum el_status status = net_listen(coder, bytes, size, symbols, count, &listener, error);
	end_silence(&t);
	free(symbols);
	return status;
}

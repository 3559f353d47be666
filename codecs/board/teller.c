/* SPDX-License-Identifier: MIT */
#include "teller.h"

#include "codecs/codecs.h"

static size_t bit_at(const struct board_teller *t)
{
	return t->cost < (double)t->most ? (size_t)t->cost : t->most;
}

void board_tell_end(struct board_teller *t)
{
	if (t->silent.count)
		t->visit(t->context, &t->silent);
	t->silent.count = 0;
}

void board_tell(struct board_teller *t, struct el_codec_token *token)
{
	token->count = 1;
	token->predicts = true;
	token->bit = bit_at(t);
	if (!token->questions && t->silent.count) {
		t->silent.count++;
		return;
	}
	if (!token->questions) {
		t->silent = *token;
		t->silent.question = NULL;
		return;
	}
	board_tell_end(t);
	for (unsigned i = 0; i < token->questions; i++)
		t->cost += el_codec_question_bits(&token->question[i]);
	token->bits = bit_at(t) - token->bit;
	t->visit(t->context, token);
}

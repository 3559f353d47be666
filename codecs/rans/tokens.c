/* SPDX-License-Identifier: MIT */
/*
 * Tells how each symbol of a block was coded. A token is told as the questions that lead to it: is
 * it the guess? the commonest symbol? above the guess? then above one away, two, ...
 */
#include "tables.h"

enum { QUESTIONS_MAX = 3 + RANS_TOKENS / 2 + 1 };

/* The sum of the frequencies of tokens first, first + step, ... up to `last`. */
static double sum_of(const uint16_t *start, unsigned first, unsigned last, unsigned step)
{
	double sum = 0;
	for (unsigned k = first; k <= last; k += step)
		sum += (k + 1 < RANS_TOKENS ? start[k + 1] : RANS_ONE) - start[k];
	return sum;
}

/* The questions that lead to `token`. What is certain is not asked: the commonest symbol has a token
   of its own only where it is far from the guess, and no symbol is below 0. */
static unsigned ask(const uint16_t *start, unsigned token, uint32_t guess, uint32_t common,
                    struct el_codec_question *out)
{
	const double same = sum_of(start, 0, 0, 1),
		     usual = sum_of(start, RANS_COMMON, RANS_COMMON, 1);
	const unsigned above = token && token % 2 == 0;
	uint32_t rest;
	unsigned n = 0;
	out[n++] = (struct el_codec_question){EL_ASK_IS, guess, same / RANS_ONE, !token};
	if (!token)
		return n;
	if (rans_token(common, guess, common, &rest) == RANS_COMMON)
		out[n++] = (struct el_codec_question){EL_ASK_IS, common, usual / (RANS_ONE - same),
		                                      token == RANS_COMMON};
	if (token == RANS_COMMON)
		return n;
	const double up = sum_of(start, 2, RANS_COMMON - 1, 2);
	out[n++] = (struct el_codec_question){EL_ASK_ABOVE, guess, up / (RANS_ONE - same - usual),
	                                      above};
	const unsigned last = above ? RANS_COMMON - 1 : RANS_COMMON - 2;
	for (unsigned k = above ? 2 : 1; k <= token && k < last; k += 2) {
		const uint32_t far = board_bands[(k - 1) / 2].to;
		const double further = sum_of(start, k + 2, last, 2) / sum_of(start, k, last, 2);
		if (above)
			out[n++] = (struct el_codec_question){EL_ASK_ABOVE, guess + far, further,
			                                      token > k};
		else if (guess > far)
			out[n++] = (struct el_codec_question){EL_ASK_ABOVE, guess - far - 1,
			                                      1 - further, token == k};
	}
	const unsigned bits = board_bands[(token - 1) / 2].bits;
	if (bits)
		out[n++] = (struct el_codec_question){EL_ASK_NUMBER, bits, 0.5, true};
	return n;
}

void rans_tell(struct board_teller *teller, size_t at, struct rans_guess guess, uint16_t common,
               const uint16_t *start, unsigned token)
{
	struct el_codec_question question[QUESTIONS_MAX];
	board_tell(
		teller,
		&(struct el_codec_token){
			.first = at,
			.guess = guess.symbol,
			.votes = guess.agree,
			.voters = guess.voters,
			.questions = start ? ask(start, token, guess.symbol, common, question) : 0,
			.question = question,
		});
}

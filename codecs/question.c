/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions that a codec asks to find a symbol. */
#include "codecs.h"

#include <math.h>

double el_codec_question_bits(const struct el_codec_question *q)
{
	return q->ask == EL_ASK_NUMBER ? q->about : -log2(q->answer ? q->yes : 1 - q->yes);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec with so many options that a file has two bytes for each, too few for the last one's
   range. */
#include "refused.h"

static const struct el_codec_option options[] = {
	{"one", "small", 0, 1, 0},  {"two", "small", 0, 1, 0},      {"three", "small", 0, 1, 0},
	{"four", "small", 0, 1, 0}, {"five", "large", 0, 32768, 0},
};

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "wide",
	.options = options,
	.option_count = 5,
	REFUSED,
	.decode = refused_decode,
};

/* SPDX-License-Identifier: MIT */
/* The codec rans: its members and options. */
#include "code.h"

/* A token costs up to 15 bits, and its own bits up to 16; the state takes 4 bytes. */
static size_t rans_bound(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return 16 + 4 * count;
}

static const struct el_codec_option options[] = {
	[RANS_OPTION_CONTEXTS] = {"contexts", "most contexts of a plane", 1, RANS_CONTEXTS, 1024},
};

const struct el_codec el_codec_rans = {
	.abi = EL_CODEC_ABI,
	.name = "rans",
	.summary = "codes each value in a learned context of its neighbours on the board",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.looks = true,
	.stops = true,
	.fill = rans_fill,
	.prepare = rans_prepare,
	.open = rans_open,
	.close = rans_close,
	.begin = rans_begin,
	.fill_block = rans_fill_one,
	.memory = rans_memory,
	.bound = rans_bound,
	.encode = rans_encode,
	.decode = rans_decode,
	.tokens = rans_tokens,
};

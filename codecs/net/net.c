/* SPDX-License-Identifier: MIT */
/* The codec net: its members and options. */
#include "code.h"

/* A symbol takes at most NET_FAR + 2 decisions and a number. The first decision costs up to 15 bits
   (a flat guess is wrong), every other one up to 14; there is room for one more, and for a byte a
   symbol. */
static size_t net_bound(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return 16 + count * ((NET_FAR + 3) * 14 + 17) / 8 + count;
}

static const struct el_codec_option options[] = {
	[NET_HIDDEN] = {"hidden", "hidden units of the network", 0, NET_HIDDEN_MAX, 32},
	[NET_EFFORT] = {"effort", "training epochs", 1, 8, 4},
	[NET_BANDS] = {"bands", "1: distances from the guess in bands; 0: as in 1.0", 0, 1, 1},
};

const struct el_codec el_codec_net = {
	.abi = EL_CODEC_ABI,
	.name = "net",
	.summary = "a small network predicts each value from its neighbours on the board",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.looks = true,
	.stops = true,
	.fill = net_fill,
	.weigh = net_weigh,
	.prepare = net_prepare,
	.open = net_open,
	.close = net_close,
	.begin = net_begin,
	.fill_block = net_fill_one,
	.memory = net_memory,
	.bound = net_bound,
	.encode = net_encode,
	.decode = net_decode,
	.tokens = net_tokens,
};

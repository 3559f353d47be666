/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The codec net: its members and options. */
#include "code.h"
#include "fill.h"

static enum el_status net_open(const struct el_codec_params *params, const uint8_t *learned,
                               size_t size, void **coder, struct el_error *error)
{
	struct net_coder *c;
	enum el_status status = net_coder_open(params, learned, size, &c, error);
	if (!status)
		*coder = c;
	return status;
}

static void net_close(void *coder)
{
	net_coder_close(coder);
}

static void net_begin(void *coder, uint64_t first)
{
	net_coder_begin(coder, first);
}

static enum el_status net_fill_one(void *coder, const struct el_codec_plane *block,
                                   struct el_error *error)
{
	(void)error;
	net_coder_fill(coder, block);
	return EL_OK;
}

static size_t net_memory(const struct el_codec_params *params, size_t learned)
{
	(void)learned;
	return net_coder_memory(params);
}

/* No decision costs more than 14 bits, no symbol takes more than NET_FAR of them and a number. */
static size_t net_bound(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return 16 + count * ((NET_FAR + 3) * 14 + 17) / 8 + count;
}

static enum el_status net_encode_block(void *coder, const uint16_t *symbols, size_t count,
                                       uint8_t *out, size_t capacity, size_t *size,
                                       struct el_error *error)
{
	return net_encode(coder, symbols, count, out, capacity, size, error);
}

static enum el_status net_decode_block(void *coder, const uint8_t *bytes, size_t size,
                                       uint16_t *symbols, size_t count, struct el_error *error)
{
	return net_decode(coder, bytes, size, symbols, count, error);
}

static const struct el_codec_option options[] = {
	[NET_HIDDEN] = {"hidden", "hidden units of the network", 0, NET_HIDDEN_MAX, 32},
	[NET_EFFORT] = {"effort", "training epochs", 1, 8, 4},
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
	.encode = net_encode_block,
	.decode = net_decode_block,
	.tokens = net_tokens,
};

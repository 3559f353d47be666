/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec with an option whose default is outside its own range. */
#include "refused.h"

static const struct el_codec_option options[] = {
	{"good", "in its range", 1, 3, 2},
	{"odd", "beyond its range", 1, 3, 4},
};

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "odd",
	.options = options,
	.option_count = 2,
	REFUSED,
	.decode = refused_decode,
};

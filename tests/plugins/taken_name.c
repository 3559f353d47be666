/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec whose name is taken. */
#include "refused.h"

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "zstd",
	REFUSED,
	.decode = refused_decode,
};

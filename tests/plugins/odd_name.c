/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec with a name that options cannot express. */
#include "refused.h"

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "a:b",
	REFUSED,
	.decode = refused_decode,
};

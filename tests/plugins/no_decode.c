/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec that cannot decode. */
#include "refused.h"

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "no_decode",
	REFUSED,
};

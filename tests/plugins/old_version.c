/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec of an obsolete interface. */
#include "refused.h"

const struct el_codec el_codec_plugin = {
	.abi = 1,
	.name = "old",
	REFUSED,
	.decode = refused_decode,
};

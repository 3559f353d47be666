/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec that decodes the last symbol of each block wrongly, as a faulty one might. */
#include "plain.h"

static enum el_status decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                             size_t count, struct el_error *error)
{
	const enum el_status status = plain_decode(coder, bytes, size, symbols, count, error);
	if (!status)
		symbols[count - 1] ^= 1;
	return status;
}

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "wrongsymbol",
	.summary = "decodes one symbol of each block to another",
	PLAIN,
	.decode = decode,
};

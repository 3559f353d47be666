/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec that decodes rightly while a table of one block a plane is written, and wrongly from then
   on, as a faulty memory or compiler might. */
#include "plain.h"

#include <stdatomic.h>

enum { WRITTEN = 2 }; /* blocks, each of which is read back once */

static enum el_status decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                             size_t count, struct el_error *error)
{
	static atomic_int decoded;
	const enum el_status status = plain_decode(coder, bytes, size, symbols, count, error);
	if (!status && atomic_fetch_add(&decoded, 1) >= WRITTEN)
		symbols[count / 2] ^= 1;
	return status;
}

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "latefault",
	.summary = "decodes a symbol of each block to another, once the table is written",
	PLAIN,
	.decode = decode,
};

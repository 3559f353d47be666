/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec that decodes rightly while a table of one block a plane is written, and wrongly from then
   on, as a faulty memory or compiler might. */
#include "refused.h"

#include <stdatomic.h>

enum { WRITTEN = 2 }; /* blocks, each of which is read back once */

static enum el_status open_nothing(const struct el_codec_params *params, const uint8_t *learned,
                                   size_t size, void **coder, struct el_error *error)
{
	static char nothing;
	(void)params, (void)learned, (void)size, (void)error;
	*coder = &nothing;
	return EL_OK;
}

static size_t bound(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return 2 * count;
}

static enum el_status encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                             size_t capacity, size_t *size, struct el_error *error)
{
	(void)coder, (void)capacity, (void)error;
	for (size_t i = 0; i < count; i++) {
		out[2 * i] = (uint8_t)symbols[i];
		out[2 * i + 1] = (uint8_t)(symbols[i] >> 8);
	}
	*size = 2 * count;
	return EL_OK;
}

static enum el_status decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                             size_t count, struct el_error *error)
{
	static atomic_int decoded;
	(void)coder;
	if (size != 2 * count)
		return el_fail(error, EL_DAMAGED, "expected %zu bytes, found %zu", 2 * count, size);
	for (size_t i = 0; i < count; i++)
		symbols[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
	if (atomic_fetch_add(&decoded, 1) >= WRITTEN)
		symbols[count / 2] ^= 1;
	return EL_OK;
}

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "latefault",
	.summary = "decodes a symbol of each block to another, once the table is written",
	.open = open_nothing,
	.close = refused_close,
	.memory = refused_size,
	.bound = bound,
	.encode = encode,
	.decode = decode,
};

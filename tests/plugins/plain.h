/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec that stores symbols as they are, for plug-ins whose decoder then does something else. */
#ifndef TESTS_PLUGINS_PLAIN_H
#define TESTS_PLUGINS_PLAIN_H

#include "endlab/codec.h"

#include <string.h>

static enum el_status plain_open(const struct el_codec_params *params, const uint8_t *learned,
                                 size_t size, void **coder, struct el_error *error)
{
	static char nothing;
	(void)params, (void)learned, (void)size, (void)error;
	*coder = &nothing;
	return EL_OK;
}

static void plain_close(void *coder)
{
	(void)coder;
}

static size_t plain_size(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return count * sizeof(uint16_t);
}

static enum el_status plain_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                   size_t capacity, size_t *size, struct el_error *error)
{
	(void)coder, (void)capacity, (void)error;
	*size = count * sizeof *symbols;
	memcpy(out, symbols, *size);
	return EL_OK;
}

static enum el_status plain_decode(void *coder, const uint8_t *bytes, size_t size,
                                   uint16_t *symbols, size_t count, struct el_error *error)
{
	(void)coder;
	if (size != count * sizeof *symbols)
		return el_fail(error, EL_DAMAGED, "expected %zu bytes, found %zu",
		               count * sizeof *symbols, size);
	memcpy(symbols, bytes, size);
	return EL_OK;
}

/* All required members except `decode`. */
#define PLAIN                                                                                \
	.open = plain_open, .close = plain_close, .memory = plain_size, .bound = plain_size, \
	.encode = plain_encode

#endif

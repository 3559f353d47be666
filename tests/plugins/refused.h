/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A codec that does nothing, for plug-ins that must be refused before it could. */
#ifndef TESTS_PLUGINS_REFUSED_H
#define TESTS_PLUGINS_REFUSED_H

#include "endlab/codec.h"

static inline enum el_status refused_open(const struct el_codec_params *params,
                                          const uint8_t *learned, size_t size, void **coder,
                                          struct el_error *error)
{
	(void)params, (void)learned, (void)size, (void)coder;
	return el_fail(error, EL_MEMORY, "refused");
}

static inline void refused_close(void *coder)
{
	(void)coder;
}

static inline size_t refused_size(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return count;
}

static inline enum el_status refused_encode(void *coder, const uint16_t *symbols, size_t count,
                                            uint8_t *out, size_t capacity, size_t *size,
                                            struct el_error *error)
{
	(void)coder, (void)symbols, (void)count, (void)out, (void)capacity, (void)size;
	return el_fail(error, EL_MEMORY, "refused");
}

static inline enum el_status refused_decode(void *coder, const uint8_t *bytes, size_t size,
                                            uint16_t *symbols, size_t count, struct el_error *error)
{
	(void)coder, (void)bytes, (void)size, (void)symbols, (void)count;
	return el_fail(error, EL_DAMAGED, "refused");
}

/* All required members except `decode`. */
#define REFUSED                                                             \
	.summary = "refused", .open = refused_open, .close = refused_close, \
	.memory = refused_size, .bound = refused_size, .encode = refused_encode

#endif

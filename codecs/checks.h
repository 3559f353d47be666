/* SPDX-License-Identifier: MIT */
/* Checks that codecs share. Each returns EL_OK or EL_DAMAGED. */
#ifndef CODECS_CHECKS_H
#define CODECS_CHECKS_H

#include "endlab/codec.h"

static inline enum el_status check_size(const char *codec, size_t expected, size_t found,
                                        struct el_error *error)
{
	return found == expected ? EL_OK
	                         : el_fail(error, EL_DAMAGED, "%s: expected %zu bytes, found %zu",
	                                   codec, expected, found);
}

/* For a codec that learns nothing. */
static inline enum el_status check_learned(const char *codec, size_t size, struct el_error *error)
{
	return size ? el_fail(error, EL_DAMAGED, "%s: expected no learned bytes, found %zu", codec,
	                      size)
	            : EL_OK;
}

/* `largest`: the largest symbol found. */
static inline enum el_status check_symbol(const char *codec, uint32_t value_count, uint32_t largest,
                                          struct el_error *error)
{
	return largest < value_count
	               ? EL_OK
	               : el_fail(error, EL_DAMAGED, "%s: expected symbols below %u, found %u",
	                         codec, value_count, largest);
}

/* For a codec that finds out on its way: `sound` symbols of `count` were. */
static inline enum el_status check_read(const char *codec, uint32_t value_count, size_t sound,
                                        size_t count, struct el_error *error)
{
	return sound == count
	               ? EL_OK
	               : el_fail(error, EL_DAMAGED, "%s: expected symbols below %u at position %zu",
	                         codec, value_count, sound);
}

#endif

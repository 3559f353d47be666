/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of a source: what the fuzzers share. */
#ifndef TESTS_FUZZ_TRY_H
#define TESTS_FUZZ_TRY_H

#include "endlab/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * The bytes as a file of that kind, whose name begins with the stem ("KQvK"); false: it is refused.
 * Otherwise positions all over it are probed, each of which has a value or an error, and the whole
 * is checked and read.
 */
bool try_as(const struct el_source_ops *kind, const char *stem, const uint8_t *data, size_t size);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a Syzygy file: it opens or is refused, and every position has a value or an error.
 * The first byte chooses the kind, and the material in its name: with and without pawns, for one
 * side or both, with like pieces. The fuzzer ignores the checksum, to reach the code behind it.
 */
#include "try.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct el_source_ops *const kinds[] = {&el_source_syzygy,
	                                                    &el_source_syzygy_dtz};
	static const char *const stems[] = {"KQvK",  "KPvK",  "KRvKN", "KQvKR", "KBNvK",
	                                    "KBBvK", "KRvKR", "KNvKP", "KPPvK", "KPvKP"};
	if (size)
		try_as(kinds[*data % 2], stems[*data / 2 % (sizeof stems / sizeof *stems)],
		       data + 1, size - 1);
	return 0;
}

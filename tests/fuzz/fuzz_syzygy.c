/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a Syzygy file of either kind: it opens or is refused, and every position has a value or
 * an error. Start it on a folder of real files of 3 and 4 pieces. The checksum is not looked at, so that
 * all that is behind it is reached.
 */
#include "try.h"

/* What it holds is tried by its name: with pawns and without, of one side and of both, like pieces. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const stems[] = {"KQvK",  "KPvK",  "KRvKN", "KQvKR", "KBNvK",
	                                    "KBBvK", "KRvKR", "KNvKP", "KPPvK", "KPvKP"};
	for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
		try_as(&el_source_syzygy, stems[i], data, size);
		try_as(&el_source_syzygy_dtz, stems[i], data, size);
	}
	return 0;
}

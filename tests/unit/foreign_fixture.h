/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign files to be checked: real ones where there are some, and made ones that are always there.
 */
#ifndef TESTS_FOREIGN_FIXTURE_H
#define TESTS_FOREIGN_FIXTURE_H

#include "store_fixture.h"

enum { ALL_DRAWS_BYTES = 80 };

/*
 * The Syzygy table of king and bishop against king, which is all draws, as the format has it: a
 * magic; flags (3 pieces, both sides to move); the place of the leaders (0); for both sides to move
 * at once the black king, the white king, the white bishop; a byte to make it even; for each side
 * to move a constant: 2, a draw. Then zeros up to 64 bytes and the checksum, which is the one
 * published for KBvK.rtbw in the generator's list.
 */
extern const uint8_t all_draws[ALL_DRAWS_BYTES];

/*
 * The same with the values of White to move in `blocks` blocks of 1 MiB that are holes of the file,
 * all draws; `good`: with the right checksum. False where the file system cannot have such a file.
 */
bool foreign_write_large(const char *path, uint32_t blocks, bool good);

/*
 * A Syzygy table that says that all is drawn, of seven pieces at most: `pieces` as in a FEN, in an order
 * that the format allows. It has to be true of no slice.
 */
void foreign_write_draws(const char *path, const char *pieces);

/* Where real files are: $ENDLAB_SYZYGY or ../shared/data/syzygy, and Debian's gaviotatb. Skips the
   test, and says so, where they are not. */
const char *foreign_syzygy(void);
const char *foreign_gaviota(void);

#endif

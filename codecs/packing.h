/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbols as bytes, for codecs that compress bytes: 8, 4 or 2 to a byte, the first in the lowest
 * bits, where the alphabet is small enough, else one in one byte or in two, low one first. Whole
 * fractions of a byte keep the rhythm of the table: measured on WDL tables, four to a byte compress
 * by a sixth better than one, and a quarter better than five, which would be denser.
 */
#ifndef CODECS_PACKING_H
#define CODECS_PACKING_H

#include <stddef.h>
#include <stdint.h>

/* Bytes for `count` symbols; 0 when there is only one value. */
size_t packing_size(uint32_t value_count, size_t count);
void packing_pack(uint32_t value_count, const uint16_t *symbols, size_t count, uint8_t *bytes);
/* Returns the largest symbol, which may be none: bytes can hold more than value_count. */
uint16_t packing_unpack(uint32_t value_count, const uint8_t *bytes, uint16_t *symbols,
                        size_t count);

#endif

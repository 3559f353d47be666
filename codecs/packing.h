/* SPDX-License-Identifier: MIT */
/*
 * Symbols as bytes, for codecs that compress bytes. Small alphabets put 8, 4 or 2 symbols into a
 * byte, the first in the lowest bits; others take one or two bytes a symbol, low byte first. Whole
 * fractions of a byte keep the period of the table: measured on WDL tables, four to a byte compress
 * a sixth better than one, and a quarter better than five, which would be denser.
 */
#ifndef CODECS_PACKING_H
#define CODECS_PACKING_H

#include <stddef.h>
#include <stdint.h>

/* Bytes for `count` symbols; 0 when there is only one value. */
size_t packing_size(uint32_t value_count, size_t count);
void packing_pack(uint32_t value_count, const uint16_t *symbols, size_t count, uint8_t *bytes);
/* Returns the largest symbol, which may be invalid: bytes can hold more than value_count
   symbols. */
uint16_t packing_unpack(uint32_t value_count, const uint8_t *bytes, uint16_t *symbols,
                        size_t count);

#endif

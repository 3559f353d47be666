/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <string.h>

/* Of a symbol: 0, 1, 2, 4, 8 or 16. */
static unsigned bits_of(uint32_t value_count)
{
	unsigned bits = value_count > 1;
	while (UINT32_C(1) << bits < value_count)
		bits *= 2;
	return bits;
}

size_t packing_size(uint32_t value_count, size_t count)
{
	return (count * bits_of(value_count) + 7) / 8;
}

void packing_pack(uint32_t value_count, const uint16_t *symbols, size_t count, uint8_t *bytes)
{
	const unsigned bits = bits_of(value_count);
	if (bits == 16) {
		for (size_t i = 0; i < count; i++) {
			bytes[2 * i] = (uint8_t)symbols[i];
			bytes[2 * i + 1] = (uint8_t)(symbols[i] >> 8);
		}
	} else if (bits == 8) {
		for (size_t i = 0; i < count; i++)
			bytes[i] = (uint8_t)symbols[i];
	} else if (bits) {
		memset(bytes, 0, packing_size(value_count, count));
		for (size_t i = 0; i < count; i++)
			bytes[i * bits / 8] |= (uint8_t)(symbols[i] << i * bits % 8);
	}
}

uint16_t packing_unpack(uint32_t value_count, const uint8_t *bytes, uint16_t *symbols, size_t count)
{
	const unsigned bits = bits_of(value_count), mask = (1u << bits) - 1;
	uint16_t largest = 0;
	if (bits == 16)
		for (size_t i = 0; i < count; i++)
			symbols[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
	else if (bits == 8)
		for (size_t i = 0; i < count; i++)
			symbols[i] = bytes[i];
	else if (bits)
		for (size_t i = 0; i < count; i++)
			symbols[i] =
				(uint16_t)((unsigned)bytes[i * bits / 8] >> i * bits % 8 & mask);
	else
		memset(symbols, 0, count * sizeof *symbols);
	for (size_t i = 0; i < count; i++)
		largest = symbols[i] > largest ? symbols[i] : largest;
	return largest;
}

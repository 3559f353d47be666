/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <string.h>

struct layout {
	unsigned bits; /* of a symbol */
	void (*pack)(unsigned bits, const uint16_t *symbols, size_t count, uint8_t *bytes);
	void (*unpack)(unsigned bits, const uint8_t *bytes, uint16_t *symbols, size_t count);
};

static void pack_nothing(unsigned bits, const uint16_t *symbols, size_t count, uint8_t *bytes)
{
	(void)bits, (void)symbols, (void)count, (void)bytes;
}

static void unpack_nothing(unsigned bits, const uint8_t *bytes, uint16_t *symbols, size_t count)
{
	(void)bits, (void)bytes;
	memset(symbols, 0, count * sizeof *symbols);
}

static void pack_bits(unsigned bits, const uint16_t *symbols, size_t count, uint8_t *bytes)
{
	memset(bytes, 0, (count * bits + 7) / 8);
	for (size_t i = 0; i < count; i++)
		bytes[i * bits / 8] |= (uint8_t)(symbols[i] << i * bits % 8);
}

static void unpack_bits(unsigned bits, const uint8_t *bytes, uint16_t *symbols, size_t count)
{
	unsigned mask = (1u << bits) - 1;
	for (size_t i = 0; i < count; i++)
		symbols[i] = (uint16_t)((unsigned)bytes[i * bits / 8] >> i * bits % 8 & mask);
}

static void pack_bytes(unsigned bits, const uint16_t *symbols, size_t count, uint8_t *bytes)
{
	(void)bits;
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)symbols[i];
}

static void unpack_bytes(unsigned bits, const uint8_t *bytes, uint16_t *symbols, size_t count)
{
	(void)bits;
	for (size_t i = 0; i < count; i++)
		symbols[i] = bytes[i];
}

static void pack_pairs(unsigned bits, const uint16_t *symbols, size_t count, uint8_t *bytes)
{
	(void)bits;
	for (size_t i = 0; i < count; i++) {
		bytes[2 * i] = (uint8_t)symbols[i];
		bytes[2 * i + 1] = (uint8_t)(symbols[i] >> 8);
	}
}

static void unpack_pairs(unsigned bits, const uint8_t *bytes, uint16_t *symbols, size_t count)
{
	(void)bits;
	for (size_t i = 0; i < count; i++)
		symbols[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
}

static const struct layout layouts[] = {
	{0, pack_nothing, unpack_nothing}, {1, pack_bits, unpack_bits},
	{2, pack_bits, unpack_bits},       {4, pack_bits, unpack_bits},
	{8, pack_bytes, unpack_bytes},     {16, pack_pairs, unpack_pairs},
};

static const struct layout *layout_of(uint32_t value_count)
{
	const struct layout *layout = layouts;
	while (UINT32_C(1) << layout->bits < value_count)
		layout++;
	return layout;
}

size_t packing_size(uint32_t value_count, size_t count)
{
	return (count * layout_of(value_count)->bits + 7) / 8;
}

void packing_pack(uint32_t value_count, const uint16_t *symbols, size_t count, uint8_t *bytes)
{
	const struct layout *layout = layout_of(value_count);
	layout->pack(layout->bits, symbols, count, bytes);
}

uint16_t packing_unpack(uint32_t value_count, const uint8_t *bytes, uint16_t *symbols, size_t count)
{
	const struct layout *layout = layout_of(value_count);
	layout->unpack(layout->bits, bytes, symbols, count);
	uint16_t largest = 0;
	for (size_t i = 0; i < count; i++)
		largest = symbols[i] > largest ? symbols[i] : largest;
	return largest;
}

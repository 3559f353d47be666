/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tables are written unless told otherwise, and sizes of blocks in words. */
#include "endlab/table.h"

#include <ctype.h>
#include <stdlib.h>

struct el_table_options el_table_options_default(void)
{
	return (struct el_table_options){
		.codec = {&el_codec_zstd, el_codec_zstd.level_default},
		.block_positions = EL_BLOCK_DEFAULT,
		.fill = EL_FILL_PREVIOUS,
	};
}

/* 0 when the text is no number, or too great. */
static unsigned long parse_size(const char *text)
{
	char *end;
	unsigned long number = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	if (number == 0 || number > EL_BLOCK_MAX)
		return 0;
	unsigned shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' || *end == 'm' ? 20 : 0;
	if (end[shift != 0])
		return 0;
	return number << shift;
}

enum el_status el_block_parse(const char *text, uint32_t *out, struct el_error *error)
{
	unsigned long size = parse_size(text);
	if (size < EL_BLOCK_MIN || size > EL_BLOCK_MAX || (size & (size - 1)))
		return el_fail(error, EL_USAGE,
		               "block size '%s': expected a power of two from %d to %dK positions",
		               text, EL_BLOCK_MIN, EL_BLOCK_MAX >> 10);
	*out = (uint32_t)size;
	return EL_OK;
}

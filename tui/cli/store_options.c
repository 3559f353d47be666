/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store_options.h"

enum el_status store_options_parse(const struct arguments *arguments, const struct el_slice *slice,
                                   struct el_table_options *table, struct el_error *error)
{
	const char *codec = option_value(arguments, "--codec");
	const char *block = option_value(arguments, "--block");
	const char *fill = option_value(arguments, "--fill");
	const char *order = option_value(arguments, "--order");
	const char *derive = option_value(arguments, "--derive");
	enum el_status status = EL_OK;
	if (codec)
		status = el_codec_parse(codec, &table->codec, error);
	/* In the order of the index a codec that looks at the board sees none. */
	if (codec && !status && table->codec.codec->looks) {
		fill = fill ? fill : el_fill_names[EL_FILL_BEST];
		order = order || table->ordering != EL_ORDER_INDEX ? order : "best";
	}
	if (block && !status)
		status = el_block_parse(block, &table->block_positions, error);
	if (fill && !status)
		status = el_fill_parse(fill, &table->fill, error);
	if (order && !status)
		status = el_order_parse(order, slice, table, error);
	if (derive && !status)
		status = el_derive_parse(derive, &table->derive, error);
	return status;
}

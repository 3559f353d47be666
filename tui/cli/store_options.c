/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store_options.h"

#include <string.h>

/* A preset first: all that follows would contradict it. */
static const char *const names[] = {"--small", "--fast",  "--codec", "--block",
                                    "--fill",  "--order", "--derive"};
enum { NAMES = sizeof names / sizeof *names };

/* None where single options or nothing at all is given; `first`: the option that was found first,
   null where there is none. */
static enum el_status find_preset(const struct arguments *arguments, const char **first,
                                  enum el_preset *preset, struct el_error *error)
{
	*first = NULL;
	*preset = EL_PRESET_NONE;
	for (int i = 0; i < NAMES; i++) {
		if (!option_given(arguments, names[i]))
			continue;
		if (*preset)
			return el_fail(error, EL_USAGE,
			               "found both %s and %s, expected one of them", *first,
			               names[i]);
		*first = *first ? *first : names[i];
		*preset = el_preset_find(names[i] + strlen("--"));
	}
	return EL_OK;
}

enum el_status store_options_parse(const struct arguments *arguments, const struct el_slice *slice,
                                   struct el_table_options *table, struct el_error *error)
{
	const char *codec = option_value(arguments, "--codec");
	const char *block = option_value(arguments, "--block");
	const char *fill = option_value(arguments, "--fill");
	const char *order = option_value(arguments, "--order");
	const char *derive = option_value(arguments, "--derive");
	const char *first;
	enum el_preset preset;
	enum el_status status = find_preset(arguments, &first, &preset, error);
	if (preset)
		*table = el_table_options_preset(preset);
	else if (first)
		table->preset = EL_PRESET_NONE;
	if (codec && !status)
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

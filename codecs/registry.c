/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of codecs, and how the command line names one. */
#include "endlab/codec.h"

#include "names.h"

#include <limits.h>
#include <stdlib.h>

const struct el_codec *const el_codecs[] = {
	&el_codec_raw,
	&el_codec_zstd,
	NULL,
};

static enum el_status unknown(const char *text, struct el_error *error)
{
	char known[256] = "";
	for (const struct el_codec *const *c = el_codecs; *c; c++)
		names_add(known, sizeof known, (*c)->name);
	return el_fail(error, EL_USAGE, "unknown codec '%s': expected one of %s", text, known);
}

static const struct el_codec *find(const char *name, size_t length)
{
	for (const struct el_codec *const *c = el_codecs; *c; c++)
		if (strlen((*c)->name) == length && !strncmp((*c)->name, name, length))
			return *c;
	return NULL;
}

const struct el_codec *el_codec_find(const char *name)
{
	return find(name, strlen(name));
}

/* A decimal number and nothing behind it. */
static bool parse_level(const char *text, int *level)
{
	char *end;
	bool starts = (*text >= '0' && *text <= '9') || *text == '-';
	long number = starts ? strtol(text, &end, 10) : 0;
	if (!starts || end == text || *end || number < INT_MIN || number > INT_MAX)
		return false;
	*level = (int)number;
	return true;
}

static bool has_levels(const struct el_codec *codec)
{
	return codec->level_min != codec->level_max;
}

enum el_status el_codec_parse(const char *text, struct el_codec_choice *out, struct el_error *error)
{
	size_t length = strcspn(text, ":");
	const struct el_codec *codec = find(text, length);
	if (!codec)
		return unknown(text, error);
	int level = codec->level_default;
	if (text[length]) {
		if (!has_levels(codec))
			return el_fail(error, EL_USAGE, "codec '%s': %s has no levels", text,
			               codec->name);
		if (!parse_level(text + length + 1, &level) || level < codec->level_min ||
		    level > codec->level_max)
			return el_fail(error, EL_USAGE,
			               "codec '%s': expected a level from %d to %d", text,
			               codec->level_min, codec->level_max);
	}
	*out = (struct el_codec_choice){codec, level};
	return EL_OK;
}

void el_codec_format(const struct el_codec_choice *choice, char out[64])
{
	if (has_levels(choice->codec))
		snprintf(out, 64, "%s:%d", choice->codec->name, choice->level);
	else
		snprintf(out, 64, "%s", choice->codec->name);
}

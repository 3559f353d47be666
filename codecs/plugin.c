/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codecs from shared objects. */
#include "registry.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum {
	NAME_MOST = 15, /* letters: what a table's header holds */
	WIDE = 4,       /* options that have four bytes each there */
};

static bool is_name(const char *name)
{
	const size_t length = name ? strlen(name) : 0;
	return length && length <= NAME_MOST &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length;
}

/* The name of a member that must be there and is not; null when all are. */
static const char *missing(const struct el_codec *codec)
{
	const struct {
		const char *name;
		bool there;
	} members[] = {
		{"summary", codec->summary},
		{"options", codec->options || !codec->option_count},
		{"open", codec->open},
		{"close", codec->close},
		{"memory", codec->memory},
		{"bound", codec->bound},
		{"encode", codec->encode},
		{"decode", codec->decode},
	};
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (!members[i].there)
			return members[i].name;
	return NULL;
}

/* Is it one of at most `WIDE` options, or do two bytes of a file hold it? */
static bool fits(const struct el_codec *codec, const struct el_codec_option *option)
{
	return codec->option_count <= WIDE ||
	       (option->least >= INT16_MIN && option->most <= INT16_MAX);
}

static bool is_option(const struct el_codec_option *option)
{
	return is_name(option->name) && option->summary && option->least <= option->usual &&
	       option->usual <= option->most;
}

/* How many options make sense, from the first on. */
static unsigned good_options(const struct el_codec *codec)
{
	unsigned good = 0;
	while (good < codec->option_count && good < EL_CODEC_OPTIONS_MAX &&
	       is_option(&codec->options[good]) && fits(codec, &codec->options[good]))
		good++;
	return good;
}

/* EL_USAGE with what a codec of this interface must have and this one has not. */
static enum el_status check(const char *path, const struct el_codec *codec, struct el_error *error)
{
	if (codec->abi != EL_CODEC_ABI)
		return el_fail(error, EL_USAGE,
		               "%s: expected a codec of interface version %u, found version %u",
		               path, EL_CODEC_ABI, codec->abi);
	if (!is_name(codec->name))
		return el_fail(error, EL_USAGE,
		               "%s: expected a codec with a name of 1 to %d lower-case letters",
		               path, NAME_MOST);
	if (missing(codec))
		return el_fail(error, EL_USAGE, "%s: expected codec '%s' to have '%s', found none",
		               path, codec->name, missing(codec));
	if (good_options(codec) < codec->option_count)
		return el_fail(error, EL_USAGE,
		               "%s: expected %u options of codec '%s' to make sense, found %u",
		               path, codec->option_count, codec->name, good_options(codec));
	if (el_codec_find(codec->name))
		return el_fail(error, EL_USAGE, "%s: codec '%s' already exists", path,
		               codec->name);
	return EL_OK;
}

enum el_status el_codec_load(const char *path, struct el_error *error)
{
	/* Without a slash dlopen would search where libraries live. */
	char here[4096];
	snprintf(here, sizeof here, "%s%s", strchr(path, '/') ? "" : "./", path);
	void *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		return el_fail(error, EL_USAGE, "%s: cannot be loaded: %s", path, dlerror());
	const struct el_codec *codec = dlsym(object, "el_codec_plugin");
	enum el_status status =
		codec ? check(path, codec, error)
		      : el_fail(error, EL_USAGE, "%s: defines no el_codec_plugin", path);
	if (!status && !registry_add(codec))
		status = el_fail(error, EL_USAGE, "%s: too many plug-ins", path);
	if (status)
		dlclose(object);
	return status;
}

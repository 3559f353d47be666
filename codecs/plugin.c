/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codecs from shared objects. */
#include "registry.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 15 }; /* letters: what a table's header holds */

/* EL_USAGE with what a codec of this interface must have and this one has not. */
static enum el_status check(const char *path, const struct el_codec *codec, struct el_error *error)
{
	if (codec->abi != EL_CODEC_ABI)
		return el_fail(error, EL_USAGE,
		               "%s: expected a codec of interface version %u, found version %u", path,
		               EL_CODEC_ABI, codec->abi);
	if (!codec->name || !*codec->name || strlen(codec->name) > NAME_MOST ||
	    strpbrk(codec->name, ":, \t\n"))
		return el_fail(error, EL_USAGE,
		               "%s: expected a codec with a name of 1 to %d letters", path, NAME_MOST);
	if (!codec->summary || !codec->open || !codec->close || !codec->memory || !codec->bound ||
	    !codec->encode || !codec->decode || codec->option_count > EL_CODEC_OPTIONS_MAX ||
	    (codec->option_count && !codec->options))
		return el_fail(error, EL_USAGE, "%s: codec '%s' lacks a member it must have", path,
		               codec->name);
	if (el_codec_find(codec->name))
		return el_fail(error, EL_USAGE, "%s: there is a codec '%s' already", path, codec->name);
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

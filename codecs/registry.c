/* SPDX-License-Identifier: MIT */
/* The list of codecs, and how the command line names one. */
#include "codecs.h"
#include "core/base/text.h"

#include "builtin.h"
#include "registry.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST(name) &el_codec_##name,

enum { PLUGINS_MAX = 64 };

#ifdef EL_HOT /* two copies of some (core/solve/hot.c) */
#define LIST_HOT(name)   &el_codec_##name##_hot,
#define LIST_PLAIN(name) &el_codec_##name##_plain,
static const struct el_codec *const hot[] = {CODECS_BUILTIN(LIST, LIST_HOT)};
#else
#define LIST_PLAIN LIST
#endif
static const struct el_codec *const plain[] = {CODECS_BUILTIN(LIST, LIST_PLAIN)};
enum { BUILTIN = sizeof plain / sizeof *plain };

/* Entries below `plugin_count` never change again. */
static struct {
	struct el_plugin plugin;
	dev_t device;
	ino_t inode;             /* 0: not known */
	struct timespec changed; /* a new file may get the inode of a deleted one */
} plugins[PLUGINS_MAX];
static atomic_size_t plugin_count;

const struct el_codec *el_codec_at(size_t i)
{
	const size_t count = atomic_load(&plugin_count);
#ifdef EL_HOT
	if (i < BUILTIN && __builtin_cpu_supports("x86-64-v3"))
		return hot[i];
#endif
	if (i < BUILTIN)
		return plain[i];
	size_t place = 0;
	for (i -= BUILTIN; place < count && (i || !plugins[place].plugin.codec); place++)
		i -= plugins[place].plugin.codec != NULL;
	return place < count ? plugins[place].plugin.codec : NULL;
}

const struct el_plugin *el_plugin_at(size_t i)
{
	return i < atomic_load(&plugin_count) ? &plugins[i].plugin : NULL;
}

bool registry_has_room(void)
{
	return atomic_load(&plugin_count) < PLUGINS_MAX - 1;
}

bool registry_has_file(const struct stat *about)
{
	const size_t count = atomic_load(&plugin_count);
	for (size_t i = 0; i < count; i++)
		if (plugins[i].inode == about->st_ino && plugins[i].device == about->st_dev &&
		    plugins[i].changed.tv_sec == about->st_ctim.tv_sec &&
		    plugins[i].changed.tv_nsec == about->st_ctim.tv_nsec)
			return true;
	return false;
}

enum el_status registry_add(const struct el_plugin *plugin, const struct stat *about,
                            struct el_error *error)
{
	const size_t count = atomic_load(&plugin_count);
	const char *refused =
		registry_has_room() ? plugin->refused
				    : "too many plug-ins: this one and all behind it are not used";
	if (count == PLUGINS_MAX)
		return EL_OK; /* an earlier entry says so */
	char *path = strdup(plugin->path), *why = refused ? strdup(refused) : NULL;
	if (!path || (refused && !why)) {
		free(path);
		free(why);
		return el_fail(error, EL_MEMORY, "the list of plug-ins: out of memory");
	}
	plugins[count].plugin = (struct el_plugin){path, refused ? NULL : plugin->codec, why};
	if (about) {
		plugins[count].device = about->st_dev;
		plugins[count].inode = about->st_ino;
		plugins[count].changed = about->st_ctim;
	}
	atomic_store(&plugin_count, count + 1);
	return EL_OK;
}

static const struct el_codec *find(const char *name, size_t length)
{
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++)
		if (strlen(codec->name) == length && !strncmp(codec->name, name, length))
			return codec;
	return NULL;
}

const struct el_codec *el_codec_find(const char *name)
{
	return find(name, strlen(name));
}

/* Parses one word after a colon, from `word` to `end`: a number for the first option, or
   NAME=NUMBER. */
static enum el_status parse_option(const char *text, const char *word, const char *end,
                                   struct el_codec_choice *out, struct el_error *error)
{
	const struct el_codec *codec = out->codec;
	const char *equals = memchr(word, '=', (size_t)(end - word));
	const size_t length = equals ? (size_t)(equals - word) : 0;
	unsigned place = 0;
	while (equals && place < codec->option_count &&
	       (strlen(codec->options[place].name) != length ||
	        strncmp(codec->options[place].name, word, length)))
		place++;
	if (!codec->option_count)
		return el_fail(error, EL_USAGE, "codec '%s': %s has no options", text, codec->name);
	if (place == codec->option_count) {
		char known[128] = "";
		for (unsigned i = 0; i < codec->option_count; i++)
			el_words_add(known, sizeof known, ", ", codec->options[i].name);
		return el_fail(error, EL_USAGE, "codec '%s': expected one of the options %s", text,
		               known);
	}
	const struct el_codec_option *option = &codec->options[place];
	const char *digits = equals ? equals + 1 : word;
	const bool starts = (*digits >= '0' && *digits <= '9') || *digits == '-';
	char *stop = NULL;
	const long number = starts ? strtol(digits, &stop, 10) : 0;
	if (!starts || stop != end || number < option->least || number > option->most)
		return el_fail(error, EL_USAGE,
		               "codec '%s': expected a number from %d to %d for %s", text,
		               option->least, option->most, option->name);
	out->option[place] = (int)number;
	return EL_OK;
}

enum el_status el_codec_agree(const struct el_codec_choice *choice, struct el_error *error)
{
	return choice->codec->agree ? choice->codec->agree(choice->option, error) : EL_OK;
}

enum el_status el_codec_parse(const char *text, struct el_codec_choice *out, struct el_error *error)
{
	const char *end = text + strcspn(text, ":");
	struct el_codec_choice choice = {.codec = find(text, (size_t)(end - text))};
	if (!choice.codec) {
		char known[256] = "";
		const struct el_codec *codec;
		for (size_t i = 0; (codec = el_codec_at(i)); i++)
			el_words_add(known, sizeof known, ", ", codec->name);
		return el_fail(error, EL_USAGE, "unknown codec '%s': expected one of %s", text,
		               known);
	}
	for (unsigned i = 0; i < choice.codec->option_count; i++)
		choice.option[i] = choice.codec->options[i].usual;
	enum el_status status = EL_OK;
	struct el_error why;
	while (*end && !status) {
		const char *word = end + 1;
		end = word + strcspn(word, ":");
		status = parse_option(text, word, end, &choice, error);
	}
	if (!status && el_codec_agree(&choice, &why))
		status = el_fail(error, EL_USAGE, "codec '%s': %s", text, why.text);
	if (!status)
		*out = choice;
	return status;
}

void el_codec_format(const struct el_codec_choice *choice, char out[EL_CODEC_TEXT])
{
	const struct el_codec *codec = choice->codec;
	snprintf(out, EL_CODEC_TEXT, "%s", codec->name);
	for (unsigned i = 0; i < codec->option_count; i++) {
		const struct el_codec_option *option = &codec->options[i];
		if (i == 0)
			el_text_add(out, EL_CODEC_TEXT, ":%d", choice->option[i]);
		else if (choice->option[i] != option->usual)
			el_text_add(out, EL_CODEC_TEXT, ":%s=%d", option->name, choice->option[i]);
	}
}

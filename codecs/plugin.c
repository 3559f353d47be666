/* SPDX-License-Identifier: MIT */
/* Loads a codec from a shared object. */
#include "registry.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	NAME_MOST = 15, /* letters that a table's header has room for */
	WIDE = 4,       /* options that take four bytes there */
};

bool registry_is_name(const char *name)
{
	const size_t length = name ? strlen(name) : 0;
	return length && length <= NAME_MOST &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length;
}

/* The name of a required member that is missing; null if none is. */
static const char *missing(const struct el_codec *codec)
{
	const struct {
		const char *name;
		bool there;
	} members[] = {
		{"summary", codec->summary}, {"options", codec->options || !codec->option_count},
		{"open", codec->open},       {"close", codec->close},
		{"memory", codec->memory},   {"bound", codec->bound},
		{"encode", codec->encode},   {"decode", codec->decode},
	};
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (!members[i].there)
			return members[i].name;
	return NULL;
}

/* How many options, from the first on, are valid. */
static unsigned good_options(const struct el_codec *codec)
{
	unsigned good = 0;
	for (; good < codec->option_count && good < EL_CODEC_OPTIONS_MAX; good++) {
		const struct el_codec_option *o = &codec->options[good];
		/* Of more options than WIDE, a file has room for two bytes each. */
		const bool fits = codec->option_count <= WIDE ||
		                  (o->least >= INT16_MIN && o->most <= INT16_MAX);
		if (!fits || !registry_is_name(o->name) || !o->summary || o->least > o->usual ||
		    o->usual > o->most)
			break;
	}
	return good;
}

/* EL_USAGE names what this codec lacks of the interface. */
static enum el_status check(const struct el_codec *codec, struct el_error *error)
{
	if (codec->abi != EL_CODEC_ABI)
		return el_fail(error, EL_USAGE,
		               "expected a codec of interface version %u, found version %u",
		               EL_CODEC_ABI, codec->abi);
	if (!registry_is_name(codec->name))
		return el_fail(error, EL_USAGE,
		               "expected a codec with a name of 1 to %d lower-case letters",
		               NAME_MOST);
	if (missing(codec))
		return el_fail(error, EL_USAGE, "expected codec '%s' to have '%s', found none",
		               codec->name, missing(codec));
	if (good_options(codec) < codec->option_count)
		return el_fail(error, EL_USAGE,
		               "expected %u options of codec '%s' to make sense, found %u",
		               codec->option_count, codec->name, good_options(codec));
	if (el_codec_find(codec->name))
		return el_fail(error, EL_USAGE, "codec '%s' already exists", codec->name);
	return EL_OK;
}

/* The least length of a file, from its segments; 0: it is not for this machine. */
static uint64_t length_of_segments(int fd)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) segment;
	uint64_t length = 0;
	if (pread(fd, &head, sizeof head, 0) != sizeof head ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_phentsize != sizeof segment)
		return 0;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		const off_t at = (off_t)(head.e_phoff + i * sizeof segment);
		if (pread(fd, &segment, sizeof segment, at) != sizeof segment)
			return 0;
		const uint64_t end = (uint64_t)segment.p_offset + segment.p_filesz;
		if (segment.p_type == PT_LOAD && end > length)
			length = end;
	}
	return length;
}

static enum el_status check_file(const char *path, struct stat *about, struct el_error *error)
{
	enum el_status status = EL_OK;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, about))
		status = el_fail(error, EL_USAGE, "cannot be loaded: %s", strerror(errno));
	else if (!S_ISREG(about->st_mode))
		status = el_fail(error, EL_USAGE, "cannot be loaded: expected a file, found %s",
		                 S_ISDIR(about->st_mode) ? "a folder" : "something else");
	/* A truncated file would be mapped beyond its end, and reading there kills the program.
	   dlopen reports every other fault better. */
	const uint64_t needed = status ? 0 : length_of_segments(fd);
	if (!status && (uint64_t)about->st_size < needed)
		status = el_fail(error, EL_USAGE,
		                 "cannot be loaded: cut off after %lld bytes, expected at least "
		                 "%llu",
		                 (long long)about->st_size, (unsigned long long)needed);
	if (fd >= 0)
		close(fd);
	return status;
}

enum el_status plugin_load(const char *path, struct el_error *error)
{
	/* Without a slash, dlopen would search the library folders. */
	char here[4096];
	struct stat about;
	snprintf(here, sizeof here, "%s%s", strchr(path, '/') ? "" : "./", path);
	enum el_status status = check_file(here, &about, error);
	void *object = status ? NULL : dlopen(here, RTLD_NOW | RTLD_LOCAL);
	if (status)
		return status;
	if (!object) {
		/* The message usually begins with the file, which the list of plug-ins names. */
		const char *why = dlerror();
		const size_t length = strlen(here);
		const bool named = !strncmp(why, here, length) && !strncmp(why + length, ": ", 2);
		return el_fail(error, EL_USAGE, "cannot be loaded: %s",
		               named ? why + length + 2 : why);
	}
	const struct el_codec *codec = dlsym(object, "el_codec_plugin");
	status = codec ? check(codec, error)
	               : el_fail(error, EL_USAGE, "defines no el_codec_plugin");
	if (!status && !registry_has_room())
		status = el_fail(error, EL_USAGE, "too many plug-ins");
	if (!status)
		status = registry_add(&(struct el_plugin){path, codec, NULL}, &about, error);
	if (status)
		dlclose(object);
	return status;
}

enum el_status el_codec_load(const char *path, struct el_error *error)
{
	struct el_error why;
	if (!path)
		return el_fail(error, EL_USAGE, "%s: a null argument", __func__);
	const enum el_status status = plugin_load(path, &why);
	return status ? el_fail(error, status, "%s: %s", path, why.text) : EL_OK;
}

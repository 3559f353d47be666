/* SPDX-License-Identifier: MIT */
/*
 * Finds plug-ins, and says which one a table needs.
 *
 * Loading a shared object runs it, so files that another user could have put there are refused. The
 * list keeps refused files with the reason, for anyone who lists plug-ins or misses one.
 */
#include "registry.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef EL_PLUGIN_DIR
#define EL_PLUGIN_DIR "/usr/local/lib/endlab/plugins" /* if the Makefile sets no PREFIX */
#endif

static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

const char *el_codec_folder(char out[EL_CODEC_FOLDER])
{
	const char *data = variable("XDG_DATA_HOME"), *home = variable("HOME");
	int length = 0;
	if (data)
		length = snprintf(out, EL_CODEC_FOLDER, "%s/endlab/plugins", data);
	else if (home)
		length = snprintf(out, EL_CODEC_FOLDER, "%s/.local/share/endlab/plugins", home);
	if (length <= 0 || length >= EL_CODEC_FOLDER)
		*out = '\0';
	return out;
}

/* ---- files and folders ---- */

static enum el_status refuse(const char *path, const struct stat *about, const char *why,
                             struct el_error *error)
{
	return registry_add(&(struct el_plugin){path, NULL, why}, about, error);
}

/* Why the file may be another user's work; null: no reason. */
static const char *unsafe(const struct stat *about)
{
	if (about->st_uid && about->st_uid != geteuid())
		return "not loaded because it belongs to another user, expected you or root";
	if (about->st_mode & S_IWOTH)
		return "not loaded because everyone may write to it; run 'chmod o-w' on it";
	return NULL;
}

static enum el_status load_file(const char *path, const struct stat *about, struct el_error *error)
{
	struct el_error why;
	if (registry_has_file(about))
		return EL_OK;
	if (unsafe(about))
		return refuse(path, about, unsafe(about), error);
	const enum el_status status = plugin_load(path, &why);
	if (status == EL_MEMORY)
		return el_fail(error, status, "%s: %s", path, why.text);
	return status ? refuse(path, about, why.text, error) : EL_OK;
}

static int is_shared_object(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);
	return *entry->d_name != '.' && length > 3 && !strcmp(entry->d_name + length - 3, ".so");
}

/* Ignores the locale, so that plug-ins load in the same order everywhere. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static enum el_status load_folder(const char *path, const struct stat *about,
                                  struct el_error *error)
{
	struct dirent **entries;
	if (unsafe(about))
		return registry_has_file(about) ? EL_OK : refuse(path, about, unsafe(about), error);
	const int count = scandir(path, &entries, is_shared_object, by_name);
	if (count < 0)
		return errno == ENOMEM ? el_fail(error, EL_MEMORY, "%s: out of memory", path)
		                       : refuse(path, about, strerror(errno), error);
	enum el_status status = EL_OK;
	for (int i = 0; i < count; i++) {
		char *file = NULL;
		struct stat found;
		if (!status && asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0) {
			status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
			file = NULL;
		}
		if (!status)
			status = stat(file, &found) ? refuse(file, NULL, strerror(errno), error)
			                            : load_file(file, &found, error);
		free(file);
		free(entries[i]);
	}
	free(entries);
	return status;
}

static enum el_status load_place(const char *path, bool may_lack, struct el_error *error)
{
	struct stat about;
	if (!*path)
		return EL_OK;
	if (stat(path, &about))
		return may_lack && errno == ENOENT ? EL_OK
		                                   : refuse(path, NULL, strerror(errno), error);
	return (S_ISDIR(about.st_mode) ? load_folder : load_file)(path, &about, error);
}

enum el_status el_codec_load_places(const char *places, struct el_error *error)
{
	char folder[EL_CODEC_FOLDER];
	const char *said = places ? places : variable("ENDLAB_PLUGINS");
	char *copy = said ? strdup(said) : NULL, *rest = copy;
	enum el_status status =
		said && !copy ? el_fail(error, EL_MEMORY, "the plug-ins: out of memory") : EL_OK;
	for (const char *path; !status && (path = strsep(&rest, ":"));)
		status = load_place(path, false, error);
	free(copy);
	if (!status && !places)
		status = load_place(el_codec_folder(folder), true, error);
	if (!status && !places)
		status = load_place(EL_PLUGIN_DIR, true, error);
	return status;
}

/* ---- the plug-in that a table needs ---- */

/* Is this the file NAME.so, or a folder that has it? */
static bool would_be(const char *path, const char *name)
{
	char file[PATH_MAX];
	const char *slash = strrchr(path, '/');
	snprintf(file, sizeof file, "%s.so", name);
	if (!strcmp(slash ? slash + 1 : path, file))
		return true;
	snprintf(file, sizeof file, "%s/%s.so", path, name);
	return !access(file, F_OK);
}

/* The refused plug-in of that name, or its refused folder; null if there is none. */
static const struct el_plugin *refused(const char *name)
{
	const struct el_plugin *plugin;
	for (size_t i = 0; (plugin = el_plugin_at(i)); i++)
		if (plugin->refused && would_be(plugin->path, name))
			return plugin;
	return NULL;
}

enum el_status el_codec_missing(const char *name, struct el_error *error)
{
	char folder[EL_CODEC_FOLDER];
	if (!registry_is_name(name))
		return el_fail(error, EL_UNREADABLE,
		               "codec: found '%s', expected a name of lower-case letters; a newer "
		               "endlab may know it",
		               name);
	const struct el_plugin *plugin = refused(name);
	if (plugin)
		return el_fail(error, EL_UNREADABLE, "written by codec %s: %s: %s", name,
		               plugin->path, plugin->refused);
	if (!*el_codec_folder(folder))
		return el_fail(error, EL_UNREADABLE,
		               "written by codec %s, which is not loaded: name its %s.so in "
		               "$ENDLAB_PLUGINS",
		               name, name);
	/* Write "~" for the home. */
	const char *home = variable("HOME");
	const size_t length = home ? strlen(home) : 0;
	if (length > 1 && !strncmp(folder, home, length) && folder[length] == '/') {
		memmove(folder + 1, folder + length, strlen(folder + length) + 1);
		*folder = '~';
	}
	return el_fail(error, EL_UNREADABLE,
	               "written by codec %s, which is not loaded: put %s.so into %s or set "
	               "$ENDLAB_PLUGINS",
	               name, name, folder);
}

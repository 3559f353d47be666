/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rights.h"

#include "arguments.h"
#include "core/base/array.h"
#include "core/os/sandbox.h"
#include "tui/text/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the C library reads while a server runs: time zones, character sets, processors. */
static const char *const of_system[] = {"/usr", "/lib", "/etc/localtime",
                                        "/sys/devices/system/cpu"};

/* Paths, whose last one is null. Out of memory once `failed`. */
struct paths {
	const char **list; /* owned, and so are they */
	size_t count;
	bool failed;
};

static void add(void *context, const char *path)
{
	struct paths *paths = context;
	char *copy = strdup(path);
	if (copy && array_grow(&paths->list, paths->count, 2, sizeof *paths->list)) {
		paths->list[paths->count++] = copy;
		paths->list[paths->count] = NULL;
		return;
	}
	paths->failed = true;
	free(copy);
}

/* A path, or the nearest folder above that is there: the path may be made in it. */
static void add_nearest(struct paths *paths, const char *path)
{
	char at[PATH_MAX];
	snprintf(at, sizeof at, "%s", path);
	while (access(at, F_OK) && errno == ENOENT && strcmp(at, ".")) {
		char *slash = strrchr(at, '/');
		if (slash)
			slash[slash == at] = '\0';
		else
			strcpy(at, ".");
	}
	add(paths, at);
}

/* The folder of a file, which may not be there yet. */
static void add_folder_of(struct paths *paths, const char *file)
{
	char *path = place_past_links(file), *slash = path ? strrchr(path, '/') : NULL;
	if (slash)
		slash[slash == path] = '\0';
	paths->failed |= !path;
	add(paths, slash ? path : ".");
	free(path);
}

static void paths_free(struct paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free((char *)paths->list[i]);
	free(paths->list);
}

enum el_status rights_drop(const struct arguments *arguments,
                           const struct el_library_options *library, struct el_error *error)
{
	const struct command *command = arguments->command;
	const bool serves = command->rights & SERVES;
	struct paths reads = {.list = NULL}, writes = {.list = NULL};
	enum el_status status = EL_OK;
	char cache[PATH_MAX];
	bool named = false, file = false; /* something to write, by an option */
	if (command->rights & UNCONFINED)
		return EL_OK;
	if (serves) {
		tzset();
		for (size_t i = 0; i < sizeof of_system / sizeof *of_system; i++)
			add(&reads, of_system[i]);
		add_nearest(&reads, library->directory);
		status = el_library_places(library, add, &reads, error);
	}
	/* Where the library remembers which foreign tables are sound. */
	if (library->checked)
		place_make_folders(library->checked);
	if (place_of_cache("", cache))
		add(&writes, cache);
	if (command->rights & WRITES_TABLES)
		add_nearest(&writes, library->directory);
	if (command->rights & WRITES_TEMPORARY)
		add(&writes, el_temporary_parent());
	if (command->rights & WRITES_BESIDE) {
		status = el_library_places(library, add, &writes, error);
		for (int i = 0; i < arguments->count; i++)
			if (!access(arguments->words[i], F_OK))
				add_folder_of(&writes, arguments->words[i]);
	}
	for (size_t i = 0; command->options && command->options[i].name && !serves; i++) {
		const struct option_values *kind = command->options[i].values;
		const char *value = arguments->values[i];
		if (value && kind == &folder_values)
			add_nearest(&writes, value);
		if (value && kind == &file_values)
			add_folder_of(&writes, value);
		file |= value && kind == &file_values;
		named |= value && (kind == &folder_values || kind == &file_values);
	}
	if (command->rights & WRITES_HERE && !named)
		add(&writes, ".");
	if (reads.failed || writes.failed)
		status = el_fail(error, EL_MEMORY, "the sandbox: out of memory");
	if (!status)
		status = sandbox_enter(&(struct sandbox){.reads = serves ? reads.list : NULL,
		                                         .writes = writes.list,
		                                         .changes_modes = file,
		                                         .connects = library->elsewhere},
		                       error);
	paths_free(&reads);
	paths_free(&writes);
	return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool place(const char *variable, const char *below_home, const char *name,
                  char out[PATH_MAX])
{
	const char *folder = getenv(variable), *home = getenv("HOME");
	const char *slash = *name ? "/" : "";
	int length = 0;
	if (folder && *folder == '/')
		length = snprintf(out, PATH_MAX, "%s/endlab%s%s", folder, slash, name);
	else if (home && *home)
		length = snprintf(out, PATH_MAX, "%s/%s/endlab%s%s", home, below_home, slash, name);
	return length > 0 && length < PATH_MAX;
}

bool place_of_state(const char *name, char out[PATH_MAX])
{
	return place("XDG_STATE_HOME", ".local/state", name, out);
}

bool place_of_cache(const char *name, char out[PATH_MAX])
{
	return place("XDG_CACHE_HOME", ".cache", name, out);
}

void place_make_folders(const char *file)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof path, "%s", file) >= PATH_MAX)
		return;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

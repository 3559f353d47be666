/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool place_of_state(const char *name, char out[PATH_MAX])
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int length = 0;
	if (state && *state == '/')
		length = snprintf(out, PATH_MAX, "%s/endlab/%s", state, name);
	else if (home && *home)
		length = snprintf(out, PATH_MAX, "%s/.local/state/endlab/%s", home, name);
	return length > 0 && length < PATH_MAX;
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

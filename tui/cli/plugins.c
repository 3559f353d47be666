/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugins.h"

#include "codecs/codecs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum el_status plugins_load(const char *list, struct el_error *error)
{
	if (!access(list, F_OK))
		return el_codec_load(list, error);
	char *copy = strdup(list), *rest = copy;
	if (!copy)
		return el_fail(error, EL_MEMORY, "the plug-ins: out of memory");
	enum el_status status = EL_OK;
	for (char *name; !status && (name = strsep(&rest, ",:"));)
		status = *name ? el_codec_load(name, error)
		               : el_fail(error, EL_USAGE,
		                         "--plugin '%s': expected names with commas between "
		                         "them, found an empty one",
		                         list);
	free(copy);
	return status;
}

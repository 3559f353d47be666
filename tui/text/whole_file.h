/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of text that appears under its name whole, or not at all. */
#ifndef TUI_TEXT_WHOLE_FILE_H
#define TUI_TEXT_WHOLE_FILE_H

#include "core/os/temporary.h"

#include <stdio.h>

struct whole_file {
	FILE *stream;
	const char *path;
	struct el_temporary temporary;
};

/* `path` stays valid until whole_file_close. EL_IO names the file. */
enum el_status whole_file_open(const char *path, struct whole_file *out, struct el_error *);
/* Puts it in place when `status` is EL_OK and all of it was written; removes it otherwise. Returns
   `status`, or why it could not be put in place. */
enum el_status whole_file_close(struct whole_file *, enum el_status status, struct el_error *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that the program writes for itself and for the user, and texts of the user's that it reads: where
   they are, how they appear, what they may be packed with. */
#ifndef TUI_TEXT_FILES_H
#define TUI_TEXT_FILES_H

#include "core/os/temporary.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* $XDG_STATE_HOME/endlab/NAME, or ~/.local/state/endlab/NAME; the folder for the name "". False
   without a home directory, or if the path is too long. */
bool place_of_state(const char *name, char out[PATH_MAX]);
/* $XDG_CACHE_HOME/endlab/NAME, or ~/.cache/endlab/NAME: data that can be computed again. */
bool place_of_cache(const char *name, char out[PATH_MAX]);
/* The file there in which the explorer tells `endlab --notes` of the lesson on screen, and the beginning of
   its first line, which the number of the explorer's process ends; see lesson_present.c. */
#define PRESENTER_NAME    "presenter"
#define PRESENTER_HEADING "endlab presenter 1"
/* A path as the user writes it at a prompt: "~" and "~/..." are below the home. False if it is too long. */
bool place_of_typed(const char *typed, char out[PATH_MAX]);
/* Where a path leads, or a link to a file that is not there yet; the caller frees it. Null without memory. */
char *place_past_links(const char *path);
/* Makes a file's folders. Failure shows when the file is written. */
void place_make_folders(const char *file);

/*
 * A text of the user's that is read: as it is, or packed by gzip or zstd; in UTF-8, or in UTF-16 with a
 * byte order mark, in either order. Its first bytes tell, not its name. Begin with the two first members
 * and zeros; the descriptor stays the caller's. A read waits for no more than the first bytes there are.
 */
struct text_file {
	int fd;
	const char *name;         /* for errors; must stay valid */
	struct el_error error;    /* EL_DAMAGED after a failure because of what is in the file */
	struct unpacking *packed; /* owned; null: not packed, or nothing read yet */
	bool begun, wide;         /* wide: UTF-16 */
	bool big;                 /* its order */
	uint32_t high;            /* the first half of a pair of UTF-16; 0: none */
	size_t start, end;        /* of the bytes that are unpacked and not yet returned */
	unsigned char bytes[1 << 16];
};

/* Reads up to `room` bytes, at least 6, as UTF-8; 0 at the end. Below 0 for an error, with errno set. It
   suits el_games_open. */
ssize_t text_read(void *text_file, char *out, size_t room);
/* Before the first read: goes on at this byte of the text, which begins a character. False, with errno set,
   if that fails. */
bool text_seek(struct text_file *, uint64_t offset);
void text_free(struct text_file *);

/* A text file of the user's that appears under its name complete, or not at all. A link stays, and the file
   it names is replaced; the new file has the mode of the old one, and its owner where that is allowed. */
struct whole_file {
	FILE *stream;
	const char *path;
	char *real; /* owned; past links */
	struct el_temporary temporary;
};

/* `path` must stay valid until whole_file_close. EL_IO names the file. EL_NEGATIVE: there is a packed
   file, and text does not take its place. */
enum el_status whole_file_open(const char *path, struct whole_file *out, struct el_error *);
/* Puts the file in place if `status` is EL_OK and all was written; otherwise removes it. Returns
   `status`, or why the file could not be put in place. */
enum el_status whole_file_close(struct whole_file *, enum el_status status, struct el_error *);

#endif

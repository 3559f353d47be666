/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file of games that a command reads, or standard input.
 *
 *     games_file_open -> el_games_next(file.games) ... -> games_file_close
 */
#ifndef TUI_CLI_GAMES_FILE_H
#define TUI_CLI_GAMES_FILE_H

#include "arguments.h"
#include "core/tree/tree.h"
#include "tui/text/files.h"

#include <sys/stat.h>

/* Not to be moved while it is open. */
struct games_file {
	struct text_file text;
	struct el_games *games;
	struct stat about; /* zeros if it is not known */
	uint64_t size;     /* bytes; 0: not known */
};

/* EL_USAGE if a word means standard input and there is none, as in the explorer. */
enum el_status games_file_check(const struct cli *, const struct arguments *, struct el_error *);
/* `name`: a path, or "-". EL_IO, EL_MEMORY; games_file_close in any case. */
enum el_status games_file_open(struct games_file *, const char *name, struct el_error *);
/* The status of reading it, or EL_DAMAGED if it could not be unpacked. */
enum el_status games_file_status(const struct games_file *, enum el_status, struct el_error *);
void games_file_close(struct games_file *);

#endif

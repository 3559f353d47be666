/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `--online URL`: a server that speaks the API of lichess.org's tablebase is asked for positions of
 * chess that no table here knows. What it tells, of a position and of all its moves, is kept in the
 * cache folder of the user (core/foreign/answers.h), so that nothing is asked twice. All programs of a
 * user together ask a server at most once a second. libcurl is loaded only here, where it is needed.
 */
#ifndef TUI_CLI_ONLINE_H
#define TUI_CLI_ONLINE_H

#include "core/library/library.h"

struct online;

/* EL_USAGE unless the address is one of HTTP; EL_NEGATIVE if libcurl is not here; EL_IO if the folder of
   answers cannot be made. */
enum el_status online_open(const char *url, struct online **out, struct el_error *);
/* Accepts null. */
void online_close(struct online *);
/* For a library; valid until online_close. */
const struct el_elsewhere *online_elsewhere(const struct online *);

#endif

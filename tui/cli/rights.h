/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command on the command line runs in a sandbox (core/os/sandbox.h): tables, games and positions may
 * come from anybody. What it may write there follows from its row of rights (command.h), its options,
 * and the library that it is about to open.
 */
#ifndef TUI_CLI_RIGHTS_H
#define TUI_CLI_RIGHTS_H

#include "command.h"

/* Before the library is opened and any thread is started. EL_IO, EL_MEMORY. */
enum el_status rights_drop(const struct arguments *, const struct el_library_options *,
                           struct el_error *);

#endif

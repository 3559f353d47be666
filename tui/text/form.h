/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tables are written, in words. */
#ifndef TUI_TEXT_FORM_H
#define TUI_TEXT_FORM_H

#include "core/library/library.h"

enum { FORM_MAX = 256 };

/* "small: only White to move, captures left out, net, 4K blocks"; as no preset has it, with what
   the user has chosen: "both sides to move, zstd:19, 4K blocks, order KQkr". Of a table of another
   program its detail. */
const char *form_text(const struct el_entry *, char out[FORM_MAX]);

/* What to expect of a preset: "small: fewest bytes, slower to build and probe". */
const char *preset_text(enum el_preset);

#endif

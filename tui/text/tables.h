/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in words: how they are written, what a verification found. */
#ifndef TUI_TEXT_TABLES_H
#define TUI_TEXT_TABLES_H

#include "core/library/library.h"

enum { FORM_MAX = 256 };

/* "for search", "for the root", "for the archive"; null if the tier is not known. */
const char *tier_text(enum el_tier);

/* "small: only White to move, captures left out, net, 4K blocks, for the archive"; without a preset,
   with the options that the user chose: "both sides to move, zstd:19, 4K blocks, order KQkr, for the
   root". For another program's table, its detail. */
const char *form_text(const struct el_entry *, char out[FORM_MAX]);

/* What to expect of a preset: "small: fewest bytes, slower to build and probe". */
const char *preset_text(enum el_preset);

enum { SUMMARY_MAX = 160 };

/* "verified 2026-11-22 by endlab 0.1.0, 46,137 positions one by one" (or "by whole planes"), "not
   verified: changed since 2026-11-22", or nothing if it was never verified. With `spoken`, today's date becomes "today".
   Returns `out`. */
const char *summary_text(const struct el_summary *, bool spoken, char out[SUMMARY_MAX]);

#endif

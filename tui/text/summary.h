/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of a verification, in words. */
#ifndef TUI_TEXT_SUMMARY_H
#define TUI_TEXT_SUMMARY_H

#include "core/library/library.h"

#include <stddef.h>

enum { SUMMARY_MAX = 160 };

/* "verified 2026-11-22 by endlab 0.1.0, 46,137 positions", "not verified: changed since
   2026-11-22", or nothing where it never was. `spoken`: today is called so. Returns `out`. */
const char *summary_text(const struct el_summary *, bool spoken, char out[SUMMARY_MAX]);

#endif

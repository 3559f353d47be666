/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tables are written, in words. */
#ifndef ENDLAB_TEXT_FORM_H
#define ENDLAB_TEXT_FORM_H

#include "endlab/library.h"

enum { FORM_MAX = 256 };

/* "small: only White to move, captures left out, net, 4K blocks"; without the first word where it is as
   no preset has it. Of a table of another program its detail. */
const char *form_text(const struct el_entry *, char out[FORM_MAX]);

/* What to expect of a preset: "small: fewest bytes, slower to build and probe". */
const char *preset_text(enum el_preset);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lists of records and of zugzwangs have in common. */
#ifndef ENDLAB_TUI_VIEWS_RECORDS_H
#define ENDLAB_TUI_VIEWS_RECORDS_H

#include "../views.h"

/* Explores a position of a list: `q` comes back to it. */
void explore_fen(struct model *, const char *fen);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Help: a search, and the place in what it found. */
#ifndef ENDLAB_TUI_VIEWS_HELP_H
#define ENDLAB_TUI_VIEWS_HELP_H

#include "../../shell/view.h"

struct help {
	struct list list;
	char query[64];
	bool searching;             /* keys go to the query */
};

#endif

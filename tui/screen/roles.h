/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of values. */
#ifndef ENDLAB_TUI_ROLES_H
#define ENDLAB_TUI_ROLES_H

#include "../text/moves.h"
#include "../text/values.h"
#include "canvas.h"

enum role outcome_role(enum el_outcome);
/* The background of a mark in a square. */
enum role outcome_mark_role(enum el_outcome);
/* Of what a move kept. */
enum role quality_role(const struct quality *);

#endif

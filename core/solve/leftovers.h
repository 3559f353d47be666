/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files with which a solution goes on where another one was stopped: their names, and when they
   have had their time. */
#ifndef CORE_SOLVE_LEFTOVERS_H
#define CORE_SOLVE_LEFTOVERS_H

#include "solve.h"

enum { LEFTOVER_NAME_MAX = EL_SLICE_MAX + 64 };

/* ".endlab-scratch-KRvKN.dtm.found"; `what` is "opening" or "found". */
void leftover_name(const struct el_slice *, const struct el_metric *, const char *what,
                   char out[LEFTOVER_NAME_MAX]);
/* Removes from a folder what nobody uses and whose table has been written since: the build was
   killed between that and removing it. */
void leftovers_sweep(const char *folder, const char *tables);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENDLAB_SOLVE_PLANES_H
#define ENDLAB_SOLVE_PLANES_H

#include "core/solve/solve.h"

/* Puts the values of a plane into the order of el_plane, each once, and drops those that do not occur (by
   symbol). renamed[s] becomes what symbol s is then; the symbols themselves are not changed. EL_MEMORY leaves
   everything as it was. */
enum el_status plane_order_values(struct el_plane *, const bool *occurs, uint16_t *renamed,
                                  struct el_error *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENDLAB_SOLVE_PLANES_H
#define ENDLAB_SOLVE_PLANES_H

#include "endlab/solve.h"

/* Puts the values of a plane that occur[s] into the order of el_plane, each once, and tells of every
   symbol what it becomes; the symbols themselves are not touched. EL_MEMORY leaves all as it was. */
enum el_status plane_order_values(struct el_plane *, const bool *occurs, uint16_t *renamed,
                                  struct el_error *);

#endif

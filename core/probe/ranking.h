/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of an answer's moves. */
#ifndef CORE_PROBE_RANKING_H
#define CORE_PROBE_RANKING_H

#include "inside.h"

/* Is the position's value under this metric known? The metric may be null. */
bool ranking_has_value(const struct el_answer *, const struct el_metric *);
/* The finest metric under which the value is known: the first one with depths, else the first one;
   null if there is none. */
const struct el_metric *ranking_finest(const struct el_answer *);

/* Sorts the moves and marks an only move. `asks`, whose metric is set here, finds out what equally
   good moves demand; null: these stay in the order of their SAN. */
void ranking_sort(struct el_answer *, const struct probe *asks);

#endif

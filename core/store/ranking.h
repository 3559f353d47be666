/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of an answer's moves. */
#ifndef STORE_RANKING_H
#define STORE_RANKING_H

#include "probe.h"

/* Is the position's value under this metric known? The metric may be null. */
bool ranking_has_value(const struct el_answer *, const struct el_metric *);
/* The finest metric that is known: the first one with depths, else the first. Null when there is none. */
const struct el_metric *ranking_finest(const struct el_answer *);

/* Sorts the moves and marks the only one. `asks`, whose metric is set here, weighs what equally good ones
   demand; null: they stay in SAN order. */
void ranking_sort(struct el_answer *, const struct probe *asks);

#endif

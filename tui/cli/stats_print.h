/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of one slice in words and bars, and as JSON. */
#ifndef ENDLAB_CLI_STATS_PRINT_H
#define ENDLAB_CLI_STATS_PRINT_H

#include "command.h"
#include "endlab/examine.h"

/* `stats` are those of one slice under `count` (>= 1) metrics. */
void stats_print_text(struct cli *, const struct el_stats *stats, size_t count);
/* Returns an exit status. */
int stats_print_json(struct cli *, const struct el_stats *stats, size_t count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of one slice in words and bars, and as JSON. */
#ifndef TUI_CLI_STATS_PRINT_H
#define TUI_CLI_STATS_PRINT_H

#include "command.h"
#include "core/builder/build.h"
#include "core/examine/examine.h"

/* `stats` are those of one slice under `count` (>= 1) metrics, `solutions` how each was solved: no
   passes if unknown. */
void stats_print_text(struct cli *, const struct el_stats *stats,
                      const struct el_solution *solutions, size_t count);
/* Returns an exit status. */
int stats_print_json(struct cli *, const struct el_stats *stats,
                     const struct el_solution *solutions, size_t count);
/* As comma-separated values: the titles, and a line for each table. `bytes`: of the files; 0: none. */
void stats_print_titles(struct cli *);
void stats_print_csv(struct cli *, const struct el_stats *stats,
                     const struct el_solution *solutions, const uint64_t *bytes, size_t count);
/* The same for the study in a file. */
void stats_print_study_text(struct cli *, const struct el_study_stats *);
int stats_print_study_json(struct cli *, const char *path, const struct el_study_stats *);

#endif

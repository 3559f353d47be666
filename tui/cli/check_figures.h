/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison of an ending's published statistics with a table of ours, in words and as JSON. */
#ifndef TUI_CLI_CHECK_FIGURES_H
#define TUI_CLI_CHECK_FIGURES_H

#include "command.h"
#include "core/examine/examine.h"

/* {"outcome", "plies"} */
void check_value_json(struct cJSON *, const char *name, const struct el_metric *, struct el_value);
/* `cols`: of the column of names; `seconds`: what it took. */
void check_figures_text(struct cli *, const char *path, const struct el_slice *,
                        const struct el_metric *ours, const struct el_figures *, int cols,
                        double seconds);
/* Null metric and figures: there is no table of ours. Returns an exit status. */
int check_figures_json(struct cli *, const char *path, const struct el_slice *,
                       const struct el_metric *ours, const struct el_figures *);

#endif

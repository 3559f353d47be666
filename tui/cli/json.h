/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands' JSON has in common: values, and one object a line. */
#ifndef ENDLAB_CLI_JSON_H
#define ENDLAB_CLI_JSON_H

#include "command.h"
#include "../text/json.h"

/* `wdl` and every depth of the contract: the outcome's name, plies or null. `values` is indexed by
   el_metric_rank. */
void json_values(cJSON *object, const struct el_value values[EL_METRICS]);

/* The names of the depths in TSV and JSON, in their order, null-terminated. Some of them may not be
   metrics of this version. */
extern const char *const depth_names[];

/* Writes the object as one line of cli->out and frees it. Returns an exit status: without memory
   nothing is written, and that is said. */
int json_write(struct cli *, cJSON *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json.h"
#include "../text/values.h"

const char *const depth_names[] = {"dtm", "dtc", "dtz", "dtw", NULL};

void json_values(cJSON *object, const struct el_value values[EL_METRICS])
{
	struct el_value wdl = values[el_metric_rank(&el_wdl)];
	cJSON_AddStringToObject(object, el_wdl.name, el_outcome_name(wdl.outcome));
	for (const char *const *name = depth_names; *name; name++) {
		const struct el_metric *metric = el_metric_find(*name);
		const struct el_value *v = metric ? &values[el_metric_rank(metric)] : NULL;
		if (v && value_is_deep(metric, *v))
			cJSON_AddNumberToObject(object, *name, v->plies);
		else
			cJSON_AddNullToObject(object, *name);
	}
}

int json_write(struct cli *cli, cJSON *object)
{
	if (json_print(cli->out, object))
		return 0;
	struct el_error error;
	el_fail(&error, EL_MEMORY, "the answer: out of memory");
	return command_fail(cli, NULL, &error);
}

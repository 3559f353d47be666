/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json.h"
#include "../screen/canvas.h"
#include "../text/text.h"

#include <stdlib.h>
#include <string.h>

const char *const depth_names[] = {"dtm", "dtc", "dtz", "dtw", NULL};

void json_text(cJSON *object, const char *name, const char *text)
{
	char *clean = text ? malloc(4 * strlen(text) + 1) : NULL;
	if (!clean) {
		cJSON_AddNullToObject(object, name);
		return;
	}
	char *end = clean;
	while (*text)
		end += utf8_encode(utf8_decode(&text), end);
	*end = '\0';
	cJSON_AddStringToObject(object, name, clean);
	free(clean);
}

/* Doubles hold counts up to 2^53 exactly: more than any slice of six pieces has. */
void json_count(cJSON *object, const char *name, uint64_t count)
{
	cJSON_AddNumberToObject(object, name, (double)count);
}

void json_values(cJSON *object, const struct el_value values[EL_METRICS])
{
	struct el_value wdl = values[el_metric_rank(&el_wdl)];
	cJSON_AddStringToObject(object, el_wdl.name, el_outcome_name(wdl.outcome));
	for (const char *const *name = depth_names; *name; name++) {
		const struct el_metric *metric = el_metric_find(*name);
		const struct el_value *v = metric ? &values[el_metric_rank(metric)] : NULL;
		if (v && value_has_depth(metric, *v))
			cJSON_AddNumberToObject(object, *name, v->plies);
		else
			cJSON_AddNullToObject(object, *name);
	}
}

int json_write(struct cli *cli, cJSON *object)
{
	char *text = cJSON_PrintUnformatted(object);
	cJSON_Delete(object);
	if (!text) {
		struct el_error error;
		el_fail(&error, EL_MEMORY, "no memory for the answer");
		return command_fail(cli, NULL, &error);
	}
	fputs(text, cli->out);
	fputc('\n', cli->out);
	cJSON_free(text);
	return 0;
}

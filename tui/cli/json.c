/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json.h"

int json_write(struct cli *cli, cJSON *object)
{
	if (json_print(cli->out, object))
		return 0;
	struct el_error error;
	el_fail(&error, EL_MEMORY, "the answer: out of memory");
	return command_fail(cli, NULL, &error);
}

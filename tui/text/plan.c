/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include "numbers.h"

#include <stdio.h>

const char *plan_cost(const struct el_plan *plan, char out[PLAN_COST_MAX])
{
	char memory[AMOUNT_MAX], scratch[AMOUNT_MAX], disk[AMOUNT_MAX], time[TIME_MAX];
	bytes_text(plan->scratch, scratch);
	snprintf(out, PLAN_COST_MAX, "%s of memory, %s%s%s of disk, %s", bytes_text(plan->bytes, memory),
	         plan->scratch ? scratch : "", plan->scratch ? " of scratch, " : "",
	         bytes_text(plan->disk, disk), about_text(plan->seconds, time));
	return out;
}

const char *plan_summary(const struct el_plan *plan, char out[PLAN_SUMMARY_MAX])
{
	const int used = snprintf(out, PLAN_SUMMARY_MAX, "%zu %s, ", plan->count,
	                          plural(plan->count, "table", "tables"));
	plan_cost(plan, out + used);
	return out;
}

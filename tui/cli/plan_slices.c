/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan_slices.h"

#include "progress.h"

#include <omp.h>

/* Partial tables hold outcomes: nothing else may be asked for. */
static enum el_status check_partial(const struct el_metric *const *metrics, struct el_error *error)
{
	for (; *metrics; metrics++)
		if (*metrics != &el_wdl)
			return el_fail(error, EL_USAGE,
			               "partial tables hold outcomes only: expected "
			               "--metric %s, found %s",
			               el_wdl.name, (*metrics)->name);
	return EL_OK;
}

static enum el_status make_plan(struct cli *cli, const struct arguments *arguments,
                                const struct asked *asked, struct el_plan *out,
                                struct el_error *error)
{
	struct progress progress;
	const bool partial = option_given(arguments, "--partial");
	const char *memory = option_value(arguments, "--memory");
	size_t bytes = 0;
	if (memory && size_parse("--memory", memory, &bytes, error))
		return EL_USAGE;
	progress_start(&progress, cli);
	const struct el_plan_wish wish = {
		.slices = asked->slices.list,
		.count = asked->slices.count,
		.metrics = *asked->metrics && !partial ? asked->metrics : NULL,
		.partial = partial,
		.replace = option_given(arguments, "--replace"),
		.repair = option_given(arguments, "--repair"),
		.own = option_given(arguments, "--own"),
		.memory = bytes,
		.watch = &progress.watch,
	};
	enum el_status status = el_plan_wished(cli->library, &wish, out, error);
	if (!status)
		status = el_plan_estimate(cli->library, out, error);
	progress_clear(&progress);
	return status;
}

enum el_status plan_slices(struct cli *cli, const struct arguments *arguments, struct asked *asked,
                           struct el_plan *out, struct el_error *error)
{
	const char *names = option_value(arguments, "--metric");
	const char *wanted = option_value(arguments, "--threads");
	int threads = omp_get_max_threads();
	*asked = (struct asked){.metrics = {NULL}};
	*out = (struct el_plan){0};
	enum el_status status = wanted ? threads_parse(wanted, &threads, error) : EL_OK;
	if (!status && names)
		status = metrics_parse(names, asked->metrics, error);
	if (!status && option_given(arguments, "--partial"))
		status = check_partial(asked->metrics, error);
	for (int i = 0; i < arguments->count && !status; i++)
		status = slices_add(&asked->slices, arguments->words[i], error);
	if (status)
		return status;
	omp_set_num_threads(threads);
	return make_plan(cli, arguments, asked, out, error);
}

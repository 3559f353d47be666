/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store_options.h"

#include "progress.h"
#include "tui/text/numbers.h"

#include <omp.h>
#include <string.h>

/* Look for a preset first: any option after it would contradict it. */
static const char *const names[] = {"--small", "--fast",  "--codec", "--block",
                                    "--fill",  "--order", "--derive"};
enum { NAMES = sizeof names / sizeof *names, RANKS_MAX = 4096 };

enum el_status store_options_parse(const struct arguments *arguments, const struct el_slice *slice,
                                   struct el_table_options *table, struct el_error *error)
{
	const char *codec = option_value(arguments, "--codec");
	const char *block = option_value(arguments, "--block");
	const char *fill = option_value(arguments, "--fill");
	const char *order = option_value(arguments, "--order");
	const char *derive = option_value(arguments, "--derive");
	const char *first = NULL; /* of those that are given */
	enum el_preset preset = EL_PRESET_NONE;
	enum el_status status = EL_OK;
	for (int i = 0; i < NAMES && !status; i++) {
		if (!option_given(arguments, names[i]))
			continue;
		if (preset)
			status = el_fail(error, EL_USAGE,
			                 "found both %s and %s, expected one of them", first,
			                 names[i]);
		first = first ? first : names[i];
		preset = preset ? preset : el_preset_find(names[i] + strlen("--"));
	}
	if (preset)
		*table = el_table_options_preset(preset);
	else if (first)
		table->preset = EL_PRESET_NONE;
	if (codec && !status)
		status = el_codec_parse(codec, &table->codec, error);
	/* A codec that looks at the board gains most from its own fill and, if it can weigh orders
	   of the pieces, from the best one. */
	if (codec && !status && table->codec.codec->looks) {
		fill = fill ? fill : el_fill_names[EL_FILL_BEST];
		if (table->codec.codec->weigh && table->ordering == EL_ORDER_INDEX)
			order = order ? order : "best";
	}
	if (block && !status)
		status = el_block_parse(block, &table->block_positions, error);
	if (fill && !status)
		status = el_fill_parse(fill, &table->fill, error);
	if (order && !status)
		status = el_order_parse(order, slice, table, error);
	if (derive && !status)
		status = el_derive_parse(derive, &table->derive, error);
	return status;
}

/* ---- which tables ---- */

const struct el_task *asked_until(const struct asked *asked, const struct el_plan *plan)
{
	const struct el_task *t = plan->tasks, *end = t + plan->count;
	while (t < end && !(t->metric == asked->until_metric &&
	                    el_slice_equal(&t->slice, &asked->until_slice)))
		t++;
	return t < end ? t : NULL;
}

static enum el_status add_games(struct cli *cli, const char *path, struct slices *slices,
                                struct el_error *error)
{
	size_t beyond;
	char number[GROUPED_MAX];
	const enum el_status status = slices_add_games(slices, path, &beyond, error);
	if (!status && beyond)
		command_say(cli, path, EL_OK, "%s %s more pieces than a build is for",
		            grouped(beyond, number),
		            plural(beyond, "position has", "positions have"));
	return status;
}

enum el_status plan_slices(struct cli *cli, const struct arguments *arguments,
                           const struct el_table_options *table, struct asked *asked,
                           struct el_plan *out, struct el_error *error)
{
	const bool partial = option_given(arguments, "--partial");
	const char *until = option_value(arguments, "--until");
	const bool proves = option_given(arguments, "--verify");
	const bool proves_none = option_given(arguments, "--no-verify");
	int threads = omp_get_max_threads();
	size_t bytes = 0;
	*asked = (struct asked){.metrics = {NULL}};
	*out = (struct el_plan){0};
	enum el_status status = threads_option(arguments, &threads, error);
	if (!status && proves && proves_none)
		status = el_fail(error, EL_USAGE,
		                 "found both --verify and --no-verify, expected one of them");
	if (!status)
		status = metrics_option(arguments, asked->metrics, error);
	for (const struct el_metric *const *m = asked->metrics; *m && partial && !status; m++)
		if (*m != &el_wdl)
			status = el_fail(error, EL_USAGE,
			                 "partial tables hold outcomes only: expected --metric %s, "
			                 "found %s",
			                 el_wdl.name, (*m)->name);
	for (int i = 0; i < arguments->count && !status; i++)
		status = slices_named(arguments->words[i])
		                 ? slices_add(&asked->slices, arguments->words[i], error)
		                 : add_games(cli, arguments->words[i], &asked->slices, error);
	if (!status && until &&
	    (strchr(until, '/') ||
	     !file_name_parse(until, &asked->until_slice, &asked->until_metric)))
		status = el_fail(error, EL_USAGE,
		                 "--until: found %s, expected a table's file name, such as "
		                 "KQvKR.dtm.egt",
		                 until);
	if (status)
		return status;
	omp_set_num_threads(threads);
	uint64_t count = cli->ranks ? cli->ranks->count : 1;
	size_t rate = 0;
	if (size_option(arguments, "--memory", &bytes, error) ||
	    number_option(arguments, "--ranks", 2, RANKS_MAX, &count, error) ||
	    size_option(arguments, "--network", &rate, error))
		return EL_USAGE;
	if (rate && !option_given(arguments, "--ranks"))
		return el_fail(error, EL_USAGE,
		               "--network: how fast ranks send: expected --ranks as well");
	struct progress progress;
	progress_start(&progress, cli);
	struct el_plan_wish wish = {
		.slices = asked->slices.list,
		.count = asked->slices.count,
		.metrics = *asked->metrics && !partial ? asked->metrics : NULL,
		.partial = partial,
		.replace = option_given(arguments, "--replace"),
		.repair = option_given(arguments, "--repair"),
		.own = option_given(arguments, "--own"),
		.derive = table->derive,
		.whole = el_derive_tries(table->derive) || table->fill == EL_FILL_BEST ||
	                 table->preset == EL_PRESET_SMALL,
		.proves = proves        ? EL_PROVE_ALL
	                  : proves_none ? EL_PROVE_NOTHING
	                                : EL_PROVE_CHEAP,
		.memory = bytes,
		.ranks = (unsigned)count,
		.ranks_here = cli->ranks ? cli->ranks->here : 1,
		.network = (double)rate,
		.watch = &progress.watch,
	};
	status = el_plan_wished(cli->library, &wish, out, error);
	if (!status && until && !asked_until(asked, out)) {
		const struct el_metric *const alone[] = {asked->until_metric, NULL};
		wish.slices = &asked->until_slice;
		wish.count = 1;
		wish.metrics = partial ? NULL : alone;
		el_plan_free(out);
		status = el_plan_wished(cli->library, &wish, out, error);
	}
	if (!status)
		status = el_plan_estimate(cli->library, out, error);
	progress_clear(&progress);
	return status;
}

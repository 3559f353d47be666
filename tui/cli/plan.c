/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan_forms.h"

#include "store_options.h"
#include "tui/text/json.h"
#include "tui/text/numbers.h"
#include "tui/text/plan.h"

#include "core/base/array.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const struct option_help options[] = {
	PLAN_OPTIONS,
	STORE_OPTIONS(" (for --make and --slurm)"),
	{"--threads", "N",
         .summary = "threads of the build (by default one a core, and one for --slurm)"},
	{"--ranks", "N", .summary = "plan for so many programs that build together under mpirun"},
	{"--network", "SIZE",
         .summary = "bytes that each of them sends in a second (by default 1250M: 10 Gbit/s)"},
	{"--json",
         .summary = "one JSON object: slices, in build order, those that exist first, each with "
                    "slice, metric, needs, built, memory_bytes, scratch_bytes, disk_bytes, "
                    "seconds, least_bytes and useful_bytes (of memory), verified (will it "
                    "be?); and those from memory_bytes on of the whole plan, tried, load"},
	{"--dot", .summary = "a graph for graphviz: 'endlab plan SLICE --dot | dot -Tsvg -o FILE'"},
	{"--make", .summary = "a Makefile for 'make -j': a rule a table"},
	{"--slurm", .summary = "a shell script that gives sbatch a job a table, with dependencies"},
	{0},
};

/* ---- the tables that exist ---- */

/* The place in `there` of the known table, which is added if new. SIZE_MAX: out of memory. */
static size_t place_of(struct outline *o, const struct there *known)
{
	size_t i = 0;
	while (i < o->there_count && !(el_slice_equal(&o->there[i].slice, &known->slice) &&
	                               o->there[i].metric == known->metric))
		i++;
	if (i < o->there_count)
		return i;
	if (!array_grow(&o->there, i, 1, sizeof *o->there))
		return SIZE_MAX;
	o->there[o->there_count++] = *known;
	return i;
}

static bool is_ours(const struct el_entry *e, const struct el_slice *slice)
{
	return !e->ignored && e->ours && e->here && !e->partial && el_slice_equal(&e->slice, slice);
}

/* Finds our table that gives the metric, the first in metric order; else one borrowed from another
   program. */
static bool find_there(const struct outline *o, const struct el_slice *slice,
                       const struct el_metric *metric, struct there *out)
{
	const struct el_plan *plan = o->plan;
	const struct el_entry *found = NULL, *const end = o->entries + o->entry_count;
	for (const struct el_entry *e = o->entries; e < end; e++)
		if (is_ours(e, slice) && el_entry_tells(e, metric) &&
		    (!found || el_metric_compare(e->metric, found->metric) < 0))
			found = e;
	if (found)
		*out = (struct there){*slice, found->metric, found->bytes, found->path};
	for (const struct el_loan *l = plan->loans; !found && l < plan->loans + plan->loan_count;
	     l++)
		for (const struct el_entry *e = o->entries; !found && e < end; e++)
			if (el_slice_equal(&l->slice, slice) && el_metric_tells(l->from, metric) &&
			    !e->ignored && !strcmp(e->path, l->path)) {
				found = e;
				*out = (struct there){*slice, l->from, e->bytes, e->path};
			}
	return found;
}

static bool find_reads(struct outline *o, size_t number)
{
	const struct el_task *task = &o->plan->tasks[number];
	struct el_slice slices[EL_SUCCESSORS_MAX];
	const struct el_metric *metric = task->from ? task->from : el_metric_entered(task->metric);
	size_t count = 1;
	slices[0] = task->slice;
	if (!task->from)
		count = task->slice.game->successors(&task->slice, slices);
	for (size_t i = 0; i < count; i++) {
		struct there there;
		const struct el_task *t = o->plan->tasks, *end = t + o->plan->count;
		while (t < end && !(el_slice_equal(&t->slice, &slices[i]) &&
		                    el_metric_tells(t->metric, metric)))
			t++;
		if (t < end || !find_there(o, &slices[i], metric, &there))
			continue;
		const size_t place = place_of(o, &there);
		if (place == SIZE_MAX || !array_grow(&o->reads, o->read_count, 1, sizeof *o->reads))
			return false;
		o->reads[o->read_count].task = number;
		o->reads[o->read_count++].there = place;
	}
	return true;
}

const struct there *plan_reads(const struct outline *o, size_t task, size_t k)
{
	for (size_t i = 0; i < o->read_count; i++)
		if (o->reads[i].task == task && !k--)
			return &o->there[o->reads[i].there];
	return NULL;
}

static bool find_asked(struct outline *o, const struct asked *asked)
{
	for (size_t i = 0; i < asked->slices.count; i++) {
		const struct el_slice *slice = &asked->slices.list[i];
		const struct el_metric *own[] = {el_game_metric(slice->game), NULL};
		const struct el_metric *const *m = *asked->metrics ? asked->metrics : own;
		for (; *m; m++)
			for (const struct el_entry *e = o->entries; e < o->entries + o->entry_count;
			     e++)
				if (is_ours(e, slice) && e->metric == *m &&
				    place_of(o, &(struct there){*slice, *m, e->bytes, e->path}) ==
				            SIZE_MAX)
					return false;
	}
	return true;
}

static enum el_status outline_make(struct cli *cli, const struct asked *asked, struct outline *o,
                                   struct el_error *error)
{
	const enum el_status status =
		el_library_list(cli->library, &o->entries, &o->entry_count, error);
	if (status)
		return status;
	bool done = find_asked(o, asked);
	for (size_t i = 0; i < o->plan->count && done; i++)
		done = find_reads(o, i);
	return done ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
}

/* ---- as JSON ---- */

static cJSON *json_table(cJSON *list, const struct el_slice *slice, const struct el_metric *metric)
{
	cJSON *object = json_item(list);
	json_text(object, "slice", slice->name);
	json_text(object, "metric", metric->name);
	return object;
}

static void json_costs(cJSON *object, uint64_t memory, uint64_t scratch, uint64_t disk,
                       double seconds)
{
	json_count(object, "memory_bytes", memory);
	json_count(object, "scratch_bytes", scratch);
	json_count(object, "disk_bytes", disk);
	/* Milliseconds suffice: the estimate is coarser. */
	cJSON_AddNumberToObject(object, "seconds", (double)(uint64_t)(seconds * 1000 + 0.5) / 1000);
}

static int print_json(struct cli *cli, const struct outline *o)
{
	const struct el_plan *plan = o->plan;
	const struct there *there;
	cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "slices");
	for (const struct there *t = o->there; t < o->there + o->there_count; t++) {
		cJSON *object = json_table(list, &t->slice, t->metric);
		cJSON_AddArrayToObject(object, "needs");
		cJSON_AddTrueToObject(object, "built");
		json_costs(object, 0, 0, t->bytes, 0);
		json_text(object, "path", t->path);
	}
	for (size_t i = 0; i < plan->count; i++) {
		const struct el_task *t = &plan->tasks[i];
		cJSON *object = json_table(list, &t->slice, t->metric);
		cJSON *needs = cJSON_AddArrayToObject(object, "needs");
		for (size_t k = 0; (there = plan_reads(o, i, k)); k++)
			json_text_item(needs, there->slice.name);
		for (size_t k = 0; k < t->need_count; k++)
			json_text_item(needs, plan->tasks[t->needs[k]].slice.name);
		cJSON_AddFalseToObject(object, "built");
		json_costs(object, t->bytes, t->scratch, t->disk, t->seconds);
		json_count(object, "least_bytes", t->least);
		json_count(object, "useful_bytes", t->useful);
		if (plan->ranks > 1)
			json_count(object, "exchanged_bytes", t->exchanged);
		cJSON_AddBoolToObject(object, "verified", t->proves);
		json_text(object, "tier", el_tier_names[plan_tier(t, o->table)]);
	}
	json_costs(root, plan->bytes, plan->scratch, plan->disk, plan->seconds);
	json_count(root, "least_bytes", plan->least);
	json_count(root, "useful_bytes", plan->useful);
	if (plan->ranks > 1) {
		json_count(root, "ranks", plan->ranks);
		json_count(root, "exchanged_bytes", plan->exchanged);
	}
	json_count(root, "tried", plan->tried);
	if (plan->load >= 0)
		cJSON_AddNumberToObject(root, "load", plan->load);
	return json_write(cli, root);
}

/* ---- for people ---- */

static int print_text(struct cli *cli, const struct outline *o)
{
	const struct el_plan *plan = o->plan;
	FILE *out = cli->out;
	char summary[PLAN_SUMMARY_MAX], proofs[PLAN_COST_MAX];
	const struct there *there;
	int cols = SLICE_COLS;
	if (!plan->count) {
		fprintf(out, "nothing to build: every table is in %s already\n",
		        el_library_directory(cli->library));
		return 0;
	}
	for (size_t i = 0; i < plan->count; i++)
		cols = name_cols(cols, &plan->tasks[i].slice);
	fprintf(out, "         %-*s %-5s %7s %8s  %-15s %s\n", cols, "slice", "table", "memory",
	        "disk", "time", "needs (* exists)");
	for (size_t i = 0; i < plan->count; i++) {
		const struct el_task *t = &o->plan->tasks[i];
		char memory[AMOUNT_MAX], disk[AMOUNT_MAX], time[TIME_MAX];
		fprintf(out, "%3zu/%zu  %-*s %-5s %7s %8s  %-15s", i + 1, o->plan->count, cols,
		        t->slice.name, t->metric->name, bytes_text(t->bytes, memory),
		        bytes_text(t->disk, disk), about_text(t->seconds, time));
		if (t->scratch)
			fprintf(out, "  scratch %s", bytes_text(t->scratch, memory));
		if (t->exchanged)
			fprintf(out, "  exchanged %s", bytes_text(t->exchanged, memory));
		for (size_t k = 0; (there = plan_reads(o, i, k)); k++)
			fprintf(out, " %s*", there->slice.name);
		for (size_t k = 0; k < t->need_count; k++)
			fprintf(out, " %s", o->plan->tasks[t->needs[k]].slice.name);
		fputc('\n', out);
	}
	fprintf(out, "%s%s%s\n", plan_summary(plan, o->table, summary), plan_proofs(plan, proofs),
	        plan_proviso(o->table));
	char least[AMOUNT_MAX], useful[AMOUNT_MAX];
	if (plan->ranks > 1)
		fprintf(out,
		        "%u ranks exchange %s, at %s a second; memory and scratch are those of "
		        "the rank that has most\n",
		        plan->ranks, bytes_text(plan->exchanged, least),
		        bytes_text((uint64_t)plan->network, useful));
	if (plan->least < plan->useful)
		fprintf(out, "%s of memory would do; more than %s is of no use\n",
		        bytes_text(plan->least, least), bytes_text(plan->useful, useful));
	fprintf(out, "%s\n", plan_times(plan, summary));
	return 0;
}

/* ---- the command ---- */

typedef int write_form(struct cli *, const struct outline *);

static const struct form {
	const char *option;
	write_form *write;
} forms[] = {{"--json", print_json},
             {"--dot", plan_write_dot},
             {"--make", plan_write_make},
             {"--slurm", plan_write_slurm}};

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct el_table_options table = el_table_options_preset(EL_PRESET_USUAL);
	struct asked asked = {.metrics = {NULL}};
	struct el_plan plan = {0};
	struct outline outline = {.plan = &plan, .arguments = arguments, .table = &table};
	struct el_error error;
	write_form *write = print_text;
	const char *chosen = NULL;
	const int before = omp_get_max_threads();
	enum el_status status = EL_OK;
	for (size_t i = 0; i < sizeof forms / sizeof *forms && !status; i++) {
		if (!option_given(arguments, forms[i].option))
			continue;
		if (chosen)
			status = el_fail(&error, EL_USAGE,
			                 "found both %s and %s, expected one of them", chosen,
			                 forms[i].option);
		chosen = forms[i].option;
		write = forms[i].write;
	}
	if (!status)
		status = store_options_parse(arguments, NULL, &table, &error);
	if (write == plan_write_slurm)
		omp_set_num_threads(1); /* unless --threads says otherwise */
	if (!status)
		status = plan_slices(cli, arguments, &table, &asked, &plan, &error);
	if (!status)
		status = outline_make(cli, &asked, &outline, &error);
	const int answer = status ? command_fail(cli, "plan", &error) : write(cli, &outline);
	omp_set_num_threads(before);
	free(outline.reads);
	free(outline.there);
	el_entries_free(outline.entries, outline.entry_count);
	slices_free(&asked.slices);
	el_plan_free(&plan);
	return answer;
}

const struct command command_plan = {
	.name = "plan",
	.arguments = "SLICE... [OPTION...]",
	.summary = "what a build would make: order, memory, disk and time",
	.help = "Lists the tables that 'endlab build' would make of these slices, in its order: "
		"what each takes of memory, disk and time, and which tables it needs; those with a "
		"star exist already. Then it adds up: the most memory at a time, all of the disk "
		"and time. It says how little memory would do, and how much is of use. " SLICES_HELP
		" A file of games, a word with a dot or a slash in it, stands for the slices of "
		"their main lines.\n"
		"Times are for as many threads as a build here would have. They are estimated from "
		"what earlier builds in the same directory took, on whatever machine, else from a "
		"short trial on this one; the last line says which. Build some of the tables on "
		"the machine that will build all, and times get better. Sizes are those of the "
		"usual compression, unless earlier builds there used another; where options ask "
		"for another, the sum says so.\n"
		"  endlab plan @GROUP\n"
		"A plan can be handed to other programs. --make and --slurm write rules that make "
		"one table each, over a directory that any number of machines may share: a table "
		"is claimed by whoever makes it, and a machine that dies loses its claim, at once "
		"on the same machine, after three minutes elsewhere. Start make on each machine "
		"with as many jobs as it has cores, and --threads 1 here: while another job or "
		"machine is making a rule's table, the rule makes other ones. ('endlab build' with "
		"the same slices on each machine shares them out as well.) A job of Slurm has the "
		"memory that its table takes (at most --memory), three times the time, some more "
		"of both, and as many processors as --threads says, by default 1; what it prints "
		"goes to SLICE.METRIC.NUMBER.out where the script was run. Set ENDLAB to the "
		"program where it is not on the path.\n"
		"A slice may also be solved by several programs together (make MPI=1; "
		"samples/mpi.md). With --ranks the plan is for so many of them, each with --memory "
		"and --threads: memory and scratch are those of the one that has most, and the "
		"plan counts what they send each other. --slurm then gives them to the tables that "
		"would not fit into --memory alone.\n"
		"  endlab plan KQNvKRBN --ranks 64 --threads 8 --memory 60G\n"
		"  endlab plan 5 --threads 1 --make >Makefile.5; make -j4 -f Makefile.5\n"
		"  endlab plan 5 --threads 8 --slurm >jobs; sh jobs",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.run = run,
};

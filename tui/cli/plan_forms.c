/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan_forms.h"

#include "core/table/table.h"
#include "tui/text/numbers.h"
#include "tui/text/plan.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ---- a graph ---- */

static void write_node(FILE *out, const struct el_slice *slice, const struct el_metric *metric)
{
	fprintf(out, "\"%s %s\"", slice->name, metric->name);
}

static void write_edge(FILE *out, const struct el_slice *from, const struct el_metric *metric,
                       const struct el_task *to)
{
	fputs("\t", out);
	write_node(out, from, metric);
	fputs(" -> ", out);
	write_node(out, &to->slice, to->metric);
	fputs("\n", out);
}

int plan_write_dot(struct cli *cli, const struct outline *o)
{
	FILE *out = cli->out;
	const struct there *there;
	char memory[AMOUNT_MAX], disk[AMOUNT_MAX], time[TIME_MAX];
	fputs("digraph tables {\n\trankdir=LR\n\tnode [shape=box]\n", out);
	for (const struct there *t = o->there; t < o->there + o->there_count; t++) {
		fputc('\t', out);
		write_node(out, &t->slice, t->metric);
		fprintf(out, " [style=filled, label=\"%s %s\\nbuilt, %s\"]\n", t->slice.name,
		        t->metric->name, bytes_text(t->bytes, disk));
	}
	for (size_t i = 0; i < o->plan->count; i++) {
		const struct el_task *t = &o->plan->tasks[i];
		fputc('\t', out);
		write_node(out, &t->slice, t->metric);
		fprintf(out, " [label=\"%s %s\\n%s of memory, %s\\n%s\"]\n", t->slice.name,
		        t->metric->name, bytes_text(t->bytes, memory), bytes_text(t->disk, disk),
		        about_text(t->seconds, time));
		for (size_t k = 0; (there = plan_reads(o, i, k)); k++)
			write_edge(out, &there->slice, there->metric, t);
		for (size_t k = 0; k < t->need_count; k++)
			write_edge(out, &o->plan->tasks[t->needs[k]].slice,
			           o->plan->tasks[t->needs[k]].metric, t);
	}
	fputs("}\n", out);
	return 0;
}

/* ---- shared by rules and jobs ---- */

/* Options that decide how a table is made, not which; of --slurm's each job has its own --memory. */
static const char *const passed_on[] = {
	"--small", "--fast",   "--codec",   "--block",   "--fill",   "--order",     "--derive",
	"--own",   "--memory", "--scratch", "--threads", "--verify", "--no-verify", NULL};

enum reader { SHELL, MAKE };

/* Writes one word for the shell after this, escaped also for make if that reads it first. */
static void write_word(FILE *out, const char *before, const char *text, enum reader reader)
{
	fputs(before, out);
	if (*text &&
	    !text[strspn(
		    text,
		    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@")]) {
		fputs(text, out);
		return;
	}
	fputc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else if (reader == MAKE && strchr("$#", *text))
			fputs(*text == '$' ? "$$" : "\\#", out);
		else
			fputc(*text, out);
	fputc('\'', out);
}

static void write_options(FILE *out, const struct arguments *arguments, enum reader reader)
{
	for (size_t i = 0; passed_on[i]; i++) {
		const char *value = option_value(arguments, passed_on[i]);
		if (!value || (reader == SHELL && !strcmp(passed_on[i], "--memory")))
			continue;
		fprintf(out, " %s", passed_on[i]);
		if (*value)
			write_word(out, " ", value, reader);
	}
}

/* Finds the absolute directory, so that rules can run anywhere. False: reported why not. */
static bool find_directory(struct cli *cli, char out[PATH_MAX])
{
	const char *directory = el_library_directory(cli->library);
	char here[PATH_MAX] = "";
	const bool is_absolute = *directory == '/';
	if (!is_absolute && !getcwd(here, sizeof here))
		command_say(cli, "plan", EL_IO, "%s: cannot tell where this is: %m", directory);
	else if (snprintf(out, PATH_MAX, "%s%s%s", here, is_absolute ? "" : "/", directory) <
	         PATH_MAX)
		return true;
	else
		command_say(cli, "plan", EL_IO, "%s: the path is too long", directory);
	return false;
}

/* Passes on the path of other programs' tables, so that rules find them as this plan did. */
static void write_path(FILE *out, const struct cli *cli, enum reader reader)
{
	const char *paths = el_library_paths(cli->library);
	if (*paths)
		write_word(out, " --path ", paths, reader);
}

/* ---- a Makefile ---- */

/* Writes the name of a task's table after this. */
static void write_table(FILE *out, const char *before, const struct el_task *task)
{
	char name[EL_SLICE_MAX + 32];
	el_table_file_name("", &task->slice, task->metric, name, sizeof name);
	fprintf(out, "%s%s", before, name + 1);
}

int plan_write_make(struct cli *cli, const struct outline *o)
{
	const char *metrics = option_value(o->arguments, "--metric");
	FILE *out = cli->out;
	char directory[PATH_MAX];
	if (!find_directory(cli, directory))
		return command_exit(EL_IO);
	/* These cannot be escaped for make. */
	for (const char *c = directory; *c; c++)
		if ((unsigned char)*c < ' ' || strchr("%\\*?[]=", *c))
			return command_say(
				cli, "plan", EL_USAGE,
				"%s: a Makefile cannot name files in a directory with %s%.1s in "
				"its name; use another --dir",
				directory, (unsigned char)*c < ' ' ? "a control character" : "",
				(unsigned char)*c < ' ' ? "" : c);
	fputs("# Run this on each of the machines that share the directory: 'make -j4 -f THIS' on "
	      "one of 4 cores\n"
	      "# if OPTIONS has --threads 1, else 'make -f THIS'. While another job or machine "
	      "is making a\n"
	      "# rule's table, the rule makes other ones. 'make -k' goes on past a table that "
	      "fails.\n"
	      "ENDLAB ?= endlab\nD := ",
	      out);
	/* a file name, before or after a rule's colon */
	for (const char *path = directory; *path; path++) {
		if (strchr(" #:;", *path))
			fputc('\\', out);
		else if (*path == '$')
			fputc('$', out);
		fputc(*path, out);
	}
	write_word(out, "\nBUILD = $(ENDLAB) --dir ", directory, MAKE);
	write_path(out, cli, MAKE);
	fputs(" build", out);
	for (int i = 0; i < o->arguments->count; i++)
		write_word(out, " ", o->arguments->words[i], MAKE);
	if (metrics)
		write_word(out, " --metric ", metrics, MAKE);
	fputs("\nOPTIONS =", out);
	write_options(out, o->arguments, MAKE);
	fputs("\n\nTABLES =", out);
	for (size_t i = 0; i < o->plan->count; i++)
		write_table(out, i ? " \\\n\t$(D)/" : " $(D)/", &o->plan->tasks[i]);
	/* Never delete a table: under its name it is complete, and it may be another machine's. */
	fputs("\n\nall: $(TABLES)\n.PHONY: all\n.PRECIOUS: $(TABLES)\n", out);
	for (size_t i = 0; i < o->plan->count; i++) {
		const struct el_task *t = &o->plan->tasks[i];
		write_table(out, "\n$(D)/", t);
		fputs(t->need_count ? ": |" : ":", out);
		for (size_t k = 0; k < t->need_count; k++)
			write_table(out, " $(D)/", &o->plan->tasks[t->needs[k]]);
		write_table(out, "\n\t$(BUILD) $(OPTIONS) --until ", t);
		fputc('\n', out);
	}
	return 0;
}

/* ---- a script of jobs ---- */

int plan_write_slurm(struct cli *cli, const struct outline *o)
{
	const char *threads = option_value(o->arguments, "--threads");
	const bool ranked = o->plan->ranks > 1;
	FILE *out = cli->out;
	char directory[PATH_MAX], times[PLAN_SUMMARY_MAX];
	if (!find_directory(cli, directory))
		return command_exit(EL_IO);
	fprintf(out,
	        "#!/bin/sh\n"
	        "# Run 'sh THIS' where sbatch is: each table becomes a job, which waits for those "
	        "that it\n"
	        "# depends on. The directory is shared by the machines; ENDLAB is the program "
	        "there.\n"
	        "# A job has three times the time that its table is expected to take, and 5 min: "
	        "%s.\n"
	        "set -eu\n"
	        "ENDLAB=${ENDLAB:-endlab}\n"
	        "export ENDLAB\n"
	        "if [ \"${1-}\" = job ]; then # SLICE METRIC MEGABYTES%s\n"
	        "\texec %s\"$ENDLAB\" --dir ",
	        plan_times(o->plan, times), ranked ? " LAUNCHER" : "", ranked ? "${5-} " : "");
	write_word(out, "", directory, SHELL);
	write_path(out, cli, SHELL);
	fputs(" build \"$2\" --metric \"$3\" --memory \"${4}M\"", out);
	write_options(out, o->arguments, SHELL);
	fprintf(out, "%s\nfi\n", threads ? "" : " --threads 1");
	/* A solution, its tables in memory, and the rest of the program. */
	fprintf(out,
	        "job() { # job SLICE METRIC MEGABYTES MINUTES NEEDS%s: prints its number\n"
	        "\tid=$(sbatch --parsable --job-name=\"$1.$2\" --mem=\"$(($3 + $3 / 4 + 128))M\" "
	        "--time=\"$4\" \\\n"
	        "\t\t--output=%%x.%%j.out --open-mode=append --requeue --cpus-per-task=%s \\\n"
	        "\t\t${5:+--dependency=afterok:$5} --kill-on-invalid-dep=yes \\\n"
	        "%s"
	        "\t\t\"$0\" job \"$1\" \"$2\" \"$3\"%s)\n"
	        "\techo \"${id%%%%;*}\"\n}\n",
	        ranked ? " RANKS" : "", threads ? threads : "1",
	        ranked ? "\t\t${6:+--ntasks=$6 --ntasks-per-node=1} \\\n" : "",
	        ranked ? " \"${6:+srun -n $6}\"" : "");
	for (size_t i = 0; i < o->plan->count; i++) {
		const struct el_task *t = &o->plan->tasks[i];
		fprintf(out, "t%zu=$(job %s %s %llu %llu \"", i + 1, t->slice.name, t->metric->name,
		        (unsigned long long)(t->bytes >> 20) + 1,
		        (unsigned long long)((uint64_t)(t->seconds / 60 * 3) + 5));
		for (size_t k = 0; k < t->need_count; k++)
			fprintf(out, "%s$t%zu", k ? ":" : "", t->needs[k] + 1);
		fputc('"', out);
		if (t->wants_ranks)
			fprintf(out, " %u", o->plan->ranks);
		fputs(")\n", out);
	}
	fprintf(out, "echo \"%zu %s\"\n", o->plan->count, plural(o->plan->count, "job", "jobs"));
	return 0;
}

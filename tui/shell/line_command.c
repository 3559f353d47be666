/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line_command.h"
#include "shell_inside.h"

#include "tui/text/clean.h"
#include "tui/text/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct command_job {
	struct job job;
	char text[LINE_MAX_BYTES];
	char subject[EL_FEN_MAX]; /* what the command is about when it is given no argument */
	char *output;
	int exit_status;
	bool is_quiet; /* only a failure is said */
};

static bool only_options(char **words, int count)
{
	for (int i = 1; i < count; i++)
		if (words[i][0] != '-')
			return false;
	return true;
}

static void run_words(struct command_job *j, FILE *out, const struct el_watch *watch)
{
	struct cli cli = {.library = j->job.library, .out = out, .err = out, .watch = watch};
	char *words[WORDS_MAX];
	int count;
	struct el_error error;
	if (words_split(j->text, words, &count, &error)) {
		fprintf(out, "%s\n", error.text);
		j->exit_status = command_exit(EL_USAGE);
		return;
	}
	if (only_options(words, count) && j->subject[0] && count + 1 < WORDS_MAX)
		words[count++] = j->subject;
	words[count] = NULL;
	j->exit_status = command_run(&cli, count, words);
}

static void command_job_run(struct job *job, const struct el_watch *watch)
{
	struct command_job *j = (struct command_job *)job;
	size_t size;
	FILE *text = open_memstream(&j->output, &size), *out = text ? clean_stream(text) : NULL;
	bool whole = false;
	if (out) {
		run_words(j, out, watch);
		whole = !ferror(out);
		whole = !fclose(out) && whole;
	}
	if (text)
		whole = !fclose(text) && whole;
	if (!whole) { /* half an answer is none */
		free(j->output);
		j->output = NULL;
	}
}

static void command_job_done(struct model *m, struct job *job)
{
	struct command_job *j = (struct command_job *)job;
	m->tables_version++;
	if (job->status == EL_STOPPED) { /* before its turn came */
		model_fail(m, "Stopped: %s", job->title);
		return;
	}
	if (!j->output) {
		model_fail(m, "out of memory");
	} else if (!j->output[0]) {
		model_note(m, "%s: done", job->title);
	} else if (!j->is_quiet) {
		shell_print(m, job->title, j->output);
		j->output = NULL;
	}
	if (j->exit_status && job->stop)
		model_fail(m, "Stopped: %s", job->title);
	else if (j->exit_status && j->is_quiet && j->output)
		model_fail(m, "%.*s", (int)strcspn(j->output, "\n"), j->output);
	else if (j->exit_status)
		model_fail(m, "%s: exit status %d", job->title, j->exit_status);
}

static void command_job_free(struct job *job)
{
	free(((struct command_job *)job)->output);
	free(job);
}

/* `probe` alone is about the position shown, `stats` alone about its slice. */
static void find_subject(const struct model *m, const struct command *command, char *out)
{
	const struct study *s = m->play.study;
	struct el_position position;
	if (!command->complete)
		return;
	if (!strcmp(command->complete, "fen"))
		shell_position(m, &position)->format(&position, out);
	else if (!strcmp(command->complete, "slice") && s && s->answer.has_slice)
		snprintf(out, EL_FEN_MAX, "%s", s->answer.slice.name);
}

void line_command(struct model *m, const struct command *command, const char *text, bool is_quiet)
{
	const enum lane lane = command->is_quick ? LANE_LOOK : LANE_WORK;
	struct command_job *j = model_new_job(m, sizeof *j, lane, text);
	if (!j)
		return;
	j->job.run = command_job_run;
	j->job.done = command_job_done;
	j->job.free = command_job_free;
	snprintf(j->text, sizeof j->text, "%s", text);
	j->is_quiet = is_quiet && !command->is_quick;
	find_subject(m, command, j->subject);
	if (model_job(m, lane))
		model_note(m, "%s starts%s.", command->name, model_turn(m, lane));
	model_submit(m, &j->job);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The block inspector: how a block's values become few bytes. A long-lane job opens the table,
 * which may have to be written first; quick jobs read blocks.
 */
#include "inspector.h"
#include "lab.h"

#include "tui/text/values.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OWN_STATE(, inspector, struct inspector);

static void drop_block(struct inspector *in)
{
	if (in->has_block)
		el_lab_block_free(&in->shown);
	in->has_block = false;
}

static void close_table(struct inspector *in)
{
	el_lab_inspect_close(in->opened);
	in->opened = NULL;
}

static void close_inspector(struct model *m)
{
	drop_block(inspector_of(m));
	close_table(inspector_of(m));
}

/* ---- opening: a job ---- */

struct open_job {
	struct job job;
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;
	struct el_lab_inspector *opened; /* owned until it is taken */
};

static void open_run(struct job *job, const struct el_watch *watch)
{
	struct open_job *j = (struct open_job *)job;
	job->status = el_lab_inspect_open(job->library, &j->slice, j->metric, &j->options, watch,
	                                  &j->opened, &job->error);
}

static void open_done(struct model *m, struct job *job)
{
	struct open_job *j = (struct open_job *)job;
	struct inspector *in = inspector_of(m);
	if (!question_answer(&in->table, job))
		return;
	snprintf(in->why, sizeof in->why, "%s",
	         !job->status ? ""
	         : job->status == EL_STOPPED
	                 ? "Stopped. Press q to go back, then Enter to try again."
	                 : job->error.text);
	if (job->status)
		return;
	in->opened = j->opened;
	j->opened = NULL;
	in->blocks = el_lab_inspect_blocks(in->opened);
	in->block = in->block < in->blocks ? in->block : in->blocks - 1;
}

static void open_free(struct job *job)
{
	el_lab_inspect_close(((struct open_job *)job)->opened);
	free(job);
}

bool inspector_is_opening(const struct model *m)
{
	return model_progress_of(m, inspector_of(m)->table.job);
}

/* ---- a block: a job ---- */

struct block_job {
	struct job job;
	unsigned table; /* inspector.tables */
	uint64_t block;
	struct el_lab_inspector *opened; /* owned until it is given back */
	struct el_lab_block found;       /* owned until it is taken */
	bool has_found;
};

static void block_run(struct job *job, const struct el_watch *watch)
{
	struct block_job *j = (struct block_job *)job;
	(void)watch;
	job->status = el_lab_inspect(j->opened, j->block, &j->found, &job->error);
	j->has_found = !job->status;
}

static void block_done(struct model *m, struct job *job)
{
	struct block_job *j = (struct block_job *)job;
	struct inspector *in = inspector_of(m);
	if (j->table == in->tables) {
		in->opened = j->opened;
		j->opened = NULL;
	}
	if (!question_answer(&in->ask, job))
		return;
	if (job->status) {
		model_fail(m, "%s", job->error.text);
		return;
	}
	drop_block(in);
	in->shown = j->found;
	in->has_block = true;
	in->rows.at = 0;
	j->has_found = false;
}

static void block_free(struct job *job)
{
	struct block_job *j = (struct block_job *)job;
	el_lab_inspect_close(j->opened);
	if (j->has_found)
		el_lab_block_free(&j->found);
	free(j);
}

static void ask(struct model *m)
{
	struct inspector *in = inspector_of(m);
	if (!shell_is_shown(m, VIEW_INSPECTOR))
		return;
	if (question_is_open(&in->table)) {
		struct open_job *j = model_new_job(m, sizeof *j, LANE_LOOK, "opening a table",
		                                   open_run, open_done, open_free);
		if (j) {
			j->slice = in->slice;
			j->metric = in->metric;
			j->options = in->options;
			question_ask(m, &in->table, &j->job);
		}
	}
	if (in->opened && question_is_open(&in->ask)) {
		struct block_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "looking at a block",
		                                    block_run, block_done, block_free);
		if (j) {
			j->table = in->tables;
			j->block = in->block;
			j->opened = in->opened;
			in->opened = NULL;
			question_ask(m, &in->ask, &j->job);
		}
	}
	const size_t cells = (size_t)inspector_row_cells(shell_cols(m));
	in->rows.count = !in->has_block           ? 0
	                 : inspector_predicts(in) ? (int)in->shown.token_count
	                                          : (int)((in->shown.count + cells - 1) / cells);
}

/* ---- what the keys do ---- */

/* Requests another table and abandons one being opened. */
static void change_table(struct model *m)
{
	struct inspector *in = inspector_of(m);
	close_table(in);
	drop_block(in);
	in->why[0] = '\0';
	in->tables++;
	question_change(m, &in->table);
	question_change(m, &in->ask);
}

/* Takes Lab's selected candidate, or the default if there is none or it is a foreign file. */
static void choose_table(struct model *m)
{
	struct inspector *in = inspector_of(m);
	const struct lab *lab = lab_of(m);
	const struct el_table_options usual = el_table_options_default();
	const struct lab_row *row = lab_selected(lab);
	const bool ours = row && !row->candidate.foreign;
	const struct el_table_options *options = ours ? &lab_candidate(lab, row)->options : &usual;
	char now[192] = "", wanted[192];
	if (in->metric)
		el_table_options_format(&in->slice, &in->options, now, sizeof now);
	el_table_options_format(&lab->slice, options, wanted, sizeof wanted);
	if (!in->why[0] && el_slice_equal(&in->slice, &lab->slice) && in->metric == lab->metric &&
	    !strcmp(now, wanted))
		return; /* it is open, or being opened */
	in->slice = lab->slice;
	in->metric = lab->metric;
	in->options = *options;
	in->block = 0;
	change_table(m);
}

void inspector_open(struct model *m)
{
	choose_table(m);
	shell_show(m, VIEW_INSPECTOR);
}

static void enter(struct model *m)
{
	lab_find_slice(m);
	if (!inspector_of(m)->metric)
		choose_table(m);
}

static void next_fill(struct model *m)
{
	struct inspector *in = inspector_of(m);
	in->options.fill = (in->options.fill + 1) % (EL_FILL_BEST + 1);
	change_table(m);
	model_note(m, "Fill: %s.", el_fill_names[in->options.fill]);
}

static void go_to(struct model *m, uint64_t block)
{
	struct inspector *in = inspector_of(m);
	if (block == in->block)
		return;
	in->block = block;
	question_change(m, &in->ask);
}

/* Wraps from the last block to the first. */
static void step_block(struct model *m, int by)
{
	const struct inspector *in = inspector_of(m);
	go_to(m, (in->block + in->blocks + (uint64_t)by) % in->blocks);
}

static const char *no_block(const struct model *m)
{
	return inspector_of(m)->has_block ? NULL : "There is no block yet.";
}

static const char *only_block(const struct model *m)
{
	return no_block(m)                   ? no_block(m)
	       : inspector_of(m)->blocks > 1 ? NULL
	                                     : "The table has only one block.";
}

static void name_block(struct model *m, const char *text)
{
	const struct inspector *in = inspector_of(m);
	char *end;
	const unsigned long long block = strtoull(text, &end, 10);
	if (no_block(m))
		model_fail(m, "%s", no_block(m));
	else if (!*text || *end || block < 1 || block > in->blocks)
		model_fail(m, "block: expected a number from 1 to %llu, found '%s'",
		           (unsigned long long)in->blocks, text);
	else
		go_to(m, block - 1);
}

/* ---- values, if the codec reports its predictions ---- */

static const char *no_forecast(const struct model *m)
{
	return no_block(m) ? no_block(m)
	       : inspector_predicts(inspector_of(m))
	               ? NULL
	               : "This codec does not predict values one by one.";
}

static void next_surprise(struct model *m)
{
	struct inspector *in = inspector_of(m);
	for (int i = in->rows.at + 1; i < (int)in->shown.token_count; i++) {
		const struct el_codec_token *t = &in->shown.tokens[i];
		/* The first question asks whether the guess is right. */
		if (t->questions && t->guess >= 0 && !t->question[0].answer) {
			in->rows.at = i;
			return;
		}
	}
	model_note(m, "No more surprises in this block. Press the right arrow for the next block.");
}

static void name_value(struct model *m, const char *text)
{
	struct inspector *in = inspector_of(m);
	const struct el_lab_block *b = &in->shown;
	char *end;
	const unsigned long long number = strtoull(text, &end, 10);
	if (no_forecast(m))
		model_fail(m, "%s", no_forecast(m));
	else if (!*text || *end || number < b->first || number - b->first >= b->count)
		model_fail(m, "value: expected a position from %llu to %llu, found '%s'",
		           (unsigned long long)b->first,
		           (unsigned long long)(b->first + b->count - 1), text);
	else
		in->rows.at = (int)inspector_token(b, number - b->first);
}

static const struct verb verbs[] = {
	{"block", "N", "go to a block by its number", .run = name_block},
	{"value", "N", "go to a value of the block by its position", .run = name_value},
	{.word = NULL},
};

static void subject(const struct model *m, char *out, size_t size)
{
	char metric[16];
	snprintf(out, size, "%s  %s", inspector_of(m)->slice.name,
	         metric_text(inspector_of(m)->metric, metric));
}

static bool find_runs(const struct model *m, uint64_t *out)
{
	*out = inspector_of(m)->shown.runs_after;
	return inspector_of(m)->has_block;
}

static bool find_bytes(const struct model *m, uint64_t *out)
{
	*out = inspector_of(m)->shown.size;
	return inspector_of(m)->has_block;
}

static const struct figure figures[] = {
	{"runs", FIGURE_NUMBER, find_runs}, /* after the fill */
	{"bytes", FIGURE_NUMBER, find_bytes},
	{.name = NULL},
};

static const struct binding bindings[] = {
	KEY({K_LEFT, 'h'}, "block-before", "block", "go to the previous block", .apply = step_block,
            .argument = -1, .disabled = only_block),
	KEY({K_RIGHT, 'l'}, "block-after", "block", "go to the next block", .apply = step_block,
            .argument = 1, .disabled = only_block),
	KEY({'f'}, "next-fill", "fill", "show the block with another fill", .run = next_fill),
	KEY({'#'}, "block-number", "number", "go to a block by its number", .prompt = "block ",
            .disabled = only_block),
	KEY({'s'}, "next-surprise", "surprise", "go to the next value that was not the guess",
            .run = next_surprise, .disabled = no_forecast),
	KEY({'e'}, "see-gaps", "gaps", "fill broken positions by hand", .apply = shell_show,
            .argument = VIEW_GAPS, .disabled = no_block),
	KEY({'c'}, "see-cache", "cache", "follow a search through a cache of few blocks",
            .apply = shell_show, .argument = VIEW_CACHE, .disabled = no_block),
	{.name = NULL},
};

const struct view inspector_view = {
	.name = "Block inspector",
	.summary = "how a block's values become few bytes",
	.state = &inspector_state,
	.bindings = bindings,
	.verbs = verbs,
	.figures = figures,
	.draw = inspector_draw,
	.enter = enter,
	.list = {&inspector_state, offsetof(struct inspector, rows)},
	.subject = subject,
	.close = close_inspector,
	.ask = ask,
};

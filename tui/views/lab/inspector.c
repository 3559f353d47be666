/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The block inspector: how a block's values become few bytes. A job of the long lane opens the
 * table, since it may have to be written first; quick ones look at blocks.
 */
#include "../../model/model.h"
#include "../../text/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	drop_block(&m->inspector);
	close_table(&m->inspector);
}

/* ---- opening: a job ---- */

struct open_job {
	struct job job;
	unsigned version;
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
	struct inspector *in = &m->inspector;
	if (!question_answer(&in->table, j->version))
		return;
	snprintf(in->why, sizeof in->why, "%s",
	         !job->status                 ? ""
	         : job->status == EL_STOPPED ? "stopped; q goes back, Enter there tries again"
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

static const char title[] = "opening a table";

bool inspector_is_opening(const struct model *m)
{
	return m->inspector.table.out && !strcmp(m->progress.title, title);
}

static void send_open(struct model *m)
{
	struct inspector *in = &m->inspector;
	struct open_job *j = model_new_job(m, sizeof *j, LANE_LONG, title);
	if (!j) {
		in->table.out = false;
		return;
	}
	j->job.run = open_run;
	j->job.done = open_done;
	j->job.free = open_free;
	j->version = in->table.version;
	j->slice = in->slice;
	j->metric = in->metric;
	j->options = in->options;
	model_submit(m, &j->job);
}

/* ---- a block: a job ---- */

struct block_job {
	struct job job;
	unsigned version, table;
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
	struct inspector *in = &m->inspector;
	if (j->table == in->table.version) {
		in->opened = j->opened;
		j->opened = NULL;
	}
	if (!question_answer(&in->ask, j->version))
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

static void send_block(struct model *m)
{
	struct inspector *in = &m->inspector;
	struct block_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "looking at a block");
	if (!j) {
		in->ask.out = false;
		return;
	}
	j->job.run = block_run;
	j->job.done = block_done;
	j->job.free = block_free;
	j->version = in->ask.version;
	j->table = in->table.version;
	j->block = in->block;
	j->opened = in->opened;
	in->opened = NULL;
	model_submit(m, &j->job);
}

static void ask(struct model *m)
{
	struct inspector *in = &m->inspector;
	if (m->view != &inspector_view)
		return;
	if (question_send(&in->table))
		send_open(m);
	if (in->opened && question_send(&in->ask))
		send_block(m);
}

/* ---- what the keys do ---- */

static bool is_open(const struct inspector *in, const struct lab *lab,
                    const struct el_table_options *options)
{
	char now[192], wanted[192];
	if (in->why[0] || !in->metric || in->slice.key != lab->slice.key ||
	    in->slice.game != lab->slice.game || in->metric != lab->metric)
		return false;
	el_table_options_format(&in->slice, &in->options, now, sizeof now);
	el_table_options_format(&in->slice, options, wanted, sizeof wanted);
	return !strcmp(now, wanted);
}

/* Another table is wanted: the one that is being opened is not. */
static void change_table(struct model *m)
{
	struct inspector *in = &m->inspector;
	m->stop_job = m->stop_job || inspector_is_opening(m);
	close_table(in);
	drop_block(in);
	in->why[0] = '\0';
	question_change(&in->table);
	question_change(&in->ask);
}

void inspector_open(struct model *m)
{
	struct inspector *in = &m->inspector;
	const struct el_table_options *options = lab_options(&m->lab, lab_selected(&m->lab));
	if (!is_open(in, &m->lab, options)) {
		in->slice = m->lab.slice;
		in->metric = m->lab.metric;
		in->options = *options;
		in->block = 0;
		change_table(m);
	}
	model_show(m, &inspector_view);
}

static void next_fill(struct model *m)
{
	struct inspector *in = &m->inspector;
	in->options.fill = (in->options.fill + 1) % (EL_FILL_BEST + 1);
	change_table(m);
	model_note(m, "fill %s", el_fill_names[in->options.fill]);
}

static void go_to(struct inspector *in, uint64_t block)
{
	if (block == in->block)
		return;
	in->block = block;
	question_change(&in->ask);
}

static void block_before(struct model *m)
{
	struct inspector *in = &m->inspector;
	go_to(in, in->block ? in->block - 1 : in->blocks - 1);
}

static void block_after(struct model *m)
{
	struct inspector *in = &m->inspector;
	go_to(in, in->block + 1 < in->blocks ? in->block + 1 : 0);
}

static const char *no_block(const struct model *m)
{
	return m->inspector.has_block ? NULL : "there is no block yet";
}

static const char *only_block(const struct model *m)
{
	return no_block(m) ? no_block(m) : m->inspector.blocks > 1 ? NULL : "the table has one block";
}

static void type_block(struct model *m)
{
	model_prompt(m, "block ");
}

static bool run_line(struct model *m, const char *line)
{
	struct inspector *in = &m->inspector;
	char *end;
	if (strncmp(line, "block ", 6))
		return false;
	unsigned long long block = strtoull(line + 6, &end, 10);
	if (*end || block < 1 || block > in->blocks)
		model_fail(m, "block: expected a number from 1 to %llu",
		           (unsigned long long)in->blocks);
	else
		go_to(in, block - 1);
	return true;
}

static void offer_words(const struct model *m, const char *line,
                        void (*offer)(void *context, const char *word), void *context)
{
	(void)m;
	if (!strchr(line, ' '))
		offer(context, "block");
}

static struct list *rows(struct model *m)
{
	struct inspector *in = &m->inspector;
	size_t cells = (size_t)inspector_row_cells(m->cols);
	in->rows.count = in->has_block ? (int)((in->shown.count + cells - 1) / cells) : 0;
	return &in->rows;
}

static void subject(const struct model *m, char *out, size_t size)
{
	char metric[16];
	snprintf(out, size, "%s  %s", m->inspector.slice.name,
	         metric_text(m->inspector.metric, metric));
}

static const struct binding bindings[] = {
	{{K_LEFT, 'h'}, "block-before", "block", "the block before", block_before, only_block,
	 NULL},
	{{K_RIGHT, 'l'}, "block-after", "block", "the next block", block_after, only_block, NULL},
	{{'f'}, "next-fill", "fill", "the same block with another fill", next_fill, NULL, NULL},
	{{'n'}, "block-number", "number", "go to a block by its number", type_block, only_block,
	 NULL},
	{.name = NULL},
};

const struct view inspector_view = {
	.name = "Block inspector",
	.summary = "how a block's values become few bytes",
	.under = &lab_view,
	.bindings = bindings,
	.line = run_line,
	.words = offer_words,
	.draw = inspector_draw,
	.list = rows,
	.subject = subject,
	.close = close_inspector,
	.ask = ask,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab-separated lines, for scripts and speed; looks at moves only if the clock matters. */
#include "core/probe/probe.h"
#include "probe_styles.h"
#include "tui/text/values.h"

static void add_column(struct probe *probe, const char *name, const struct el_metric *metric)
{
	probe->columns[probe->column_count++] = (struct column){name, metric};
}

/* Writes the line of column names. */
static void begin(struct cli *cli, struct probe *probe)
{
	for (const struct el_metric *const *metric = probe->metrics; *metric; metric++)
		add_column(probe, (*metric)->name, *metric);
	for (const char *const *name = probe_names; !probe->metrics[0] && *name; name++)
		add_column(probe, *name, el_metric_find(*name));
	fprintf(cli->out, "fen\t%s", el_wdl.name);
	for (size_t i = 0; i < probe->column_count; i++)
		fprintf(cli->out, "\t%s", probe->columns[i].name);
	putc('\n', cli->out);
}

/* Asks under one rule; ignores the clock if the rule is off. */
static enum el_status ask(struct cli *cli, struct probe *probe, unsigned rule,
                          struct el_error *error)
{
	struct el_answer *answer = &probe->answer;
	struct el_position position = probe->position;
	struct el_question question = {.mode = probe->question.mode, .rule = rule, .alone = true};
	if (!probe->question.rule)
		position.halfmove = 0;
	enum el_status status =
		el_library_answer(cli->library, probe->game, &position, &question, answer, error);
	if (!status &&
	    (answer->outcome == EL_AT_LEAST_CURSED || answer->outcome == EL_AT_MOST_BLESSED)) {
		question.alone = false;
		status = el_library_answer(cli->library, probe->game, &position, &question, answer,
		                           error);
	}
	return status;
}

/* EL_NEGATIVE also if a named metric is not known. */
static enum el_status print_cells(struct cli *cli, struct probe *probe, struct el_error *error)
{
	unsigned asked = probe->answer.rule;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < probe->column_count; i++) {
		const struct el_metric *metric = probe->columns[i].metric;
		const unsigned rule = metric ? metric->limit / 2 : 0;
		if (rule && rule != asked && probe->game->zeroes) {
			struct el_error why;
			if (ask(cli, probe, rule, &why) > EL_NEGATIVE)
				return el_fail(error, why.status, "%s", why.text);
			asked = rule;
		}
		putc_unlocked('\t', cli->out);
		const size_t rank = metric ? el_metric_rank(metric) : 0;
		const bool has = metric && probe->answer.metrics[rank];
		const struct el_value value =
			has ? probe->answer.value[rank] : (struct el_value){.outcome = EL_UNKNOWN};
		const bool is_outcome = has && !kind_words(metric)->has_number;
		const enum el_outcome outcome = is_outcome && metric->limit
		                                        ? probe->answer.outcome
		                                        : (enum el_outcome)value.outcome;
		const bool known = el_outcome_exact(outcome);
		int figure;
		const enum el_outcome plain = probe->answer.value[el_metric_rank(&el_wdl)].outcome;
		if (is_outcome)
			fputs_unlocked(
				el_outcome_name(metric->limit && !known ? EL_UNKNOWN : outcome),
				cli->out);
		else if (!value_figure(metric, value, &figure))
			putc_unlocked('-', cli->out);
		else if (figure < 0)
			fprintf(cli->out, "%d", figure);
		else {
			unsigned plies = (unsigned)figure;
			char digits[8], *first = digits + sizeof digits;
			do
				*--first = (char)('0' + plies % 10);
			while (plies /= 10);
			fwrite_unlocked(first, 1, (size_t)(digits + sizeof digits - first),
			                cli->out);
		}
		/* A draw has no depth under any metric. */
		if (!known && plain != EL_DRAW && plain != EL_UNKNOWN && probe->metrics[0] &&
		    !status)
			status = probe_lacks(metric, error);
	}
	return status;
}

/* The first rule to ask under, chosen so that usually one question serves all columns. */
static unsigned first_rule(const struct probe *probe)
{
	for (const struct el_metric *const *metric = probe->metrics; *metric; metric++)
		if ((*metric)->limit)
			return (*metric)->limit / 2;
	return EL_RULE_USUAL;
}

static enum el_status print_tsv(struct cli *cli, struct probe *probe, struct el_error *error)
{
	struct el_error lack;
	enum el_status status = ask(cli, probe, first_rule(probe), error);
	if (status)
		return status;
	const enum el_outcome plain = probe->answer.value[el_metric_rank(&el_wdl)].outcome;
	if (plain == EL_UNKNOWN)
		status = el_fail(error, EL_NEGATIVE, "%s", probe->answer.why_unknown);
	fputs_unlocked(probe->fen, cli->out);
	putc_unlocked('\t', cli->out);
	fputs_unlocked(el_outcome_name(plain), cli->out);
	const enum el_status cells = print_cells(cli, probe, &lack);
	putc_unlocked('\n', cli->out);
	if (cells && !status)
		status = el_fail(error, cells, "%s", lack.text);
	return status;
}

static void print_tsv_error(struct cli *cli, const char *fen, const struct el_error *error)
{
	fprintf(cli->out, "%s\terror\t%s\n", fen, error->text);
}

const struct probe_style probe_tsv = {begin, print_tsv, print_tsv_error, false};

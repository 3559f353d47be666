/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe_styles.h"
#include "lichess.h"
#include "tui/text/clean.h"
#include "tui/text/games.h"
#include "tui/text/json.h"
#include "tui/text/moves.h"
#include "tui/text/opinions.h"
#include "tui/text/rule.h"
#include "tui/text/utf8.h"
#include "tui/text/values.h"

#include <string.h>

/* The metrics of TSV and JSON after `wdl`, in order, null-terminated; metrics of a rule under the
   usual one. Columns of TSV stay what they were: it has the first TSV_NAMES. */
enum { TSV_NAMES = 9 };
static const char *const names[] = {"dtm", "dtc",  "dtz",   "dtw",   "wdl50", "dtz50",
                                    "dtr", "dtzr", "score", "dtm50", NULL};

/* The outcome under the rule of the answer; "unknown" unless it is one of the five. If no rule is
   in force, `stored`: the value in a table of a rule, for clock 0. */
static const char *outcome_name(const struct el_answer *answer, enum el_outcome outcome,
                                struct el_value stored)
{
	const enum el_outcome known = answer->rule ? outcome : (enum el_outcome)stored.outcome;
	return el_outcome_name(el_outcome_exact(known) ? known : EL_UNKNOWN);
}

/* EL_NEGATIVE: a metric was named, and the position's value under it is unknown. */
static enum el_status lacks(const struct el_metric *metric, struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE, "no table tells its %s", metric->name);
}

static enum el_status ask_all(struct cli *cli, struct probe *probe, struct el_error *error)
{
	struct el_answer *answer = &probe->answer;
	const struct el_metric *wanted = probe->question.metric;
	enum el_status status = el_library_answer(cli->library, probe->game, &probe->position,
	                                          &probe->question, answer, error);
	struct el_error why;
	if ((!status || el_is_fault(status)) &&
	    el_library_opinions(cli->library, probe->game, &probe->position, probe->question.mode,
	                        &probe->opinions, &why))
		return el_fail(error, why.status, "%s", why.text);
	if (!status && !answer->metric)
		return el_fail(error, EL_NEGATIVE, "%s", answer->why_unknown);
	if (!status && wanted && !el_metric_alike(answer->metric, wanted))
		return lacks(wanted, error);
	return status;
}

/* ---- text: for people ---- */

static void print_summary(FILE *out, const struct el_answer *answer)
{
	char clock[RULE_WORDS_MAX], basis[OPINION_MAX];
	/* What the side to move does, or that it has no move. */
	const char *side = answer->game->sides[answer->position.side];
	unsigned pieces = 0;
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		pieces += (unsigned)__builtin_popcountll(
			answer->position.set[answer->position.side][kind]);
	if (answer->has_slice)
		fprintf(out, "%s  ", answer->slice.name);
	if (answer->over && pieces < answer->game->side_min)
		fprintf(out, "%s has %u %s left: lost\n", side, pieces, pieces_word(answer->game));
	else if (answer->over && answer->outcome == EL_LOSS)
		fprintf(out, "%s is %s\n", side, answer->game->lost);
	else if (answer->over && answer->game->sows)
		fprintf(out, "no stones are left\n");
	else if (answer->over)
		fprintf(out, "%s has no legal move: %s\n", side, outcome_words(answer->outcome));
	else
		fprintf(out, "%s to move %s\n", side, outcome_verb(answer->outcome));
	if (*rule_sentence(answer, clock))
		fprintf(out, "  %s\n", clock);
	if (*basis_text(answer, true, basis))
		fprintf(out, "  %s\n", basis);
	for (size_t i = 0; i < EL_METRICS; i++) {
		char depth[SENTENCE_MAX];
		const bool told = answer->over && kind_words(answer->metrics[i])->has_moves;
		if (!told && value_is_deep(answer->metrics[i], answer->value[i]))
			fprintf(out, "  %s\n",
			        value_sentence(answer->metrics[i], answer->value[i], false, depth));
	}
	if (answer->rule && *clock_sentence(answer, false, clock))
		fprintf(out, "  %s\n", clock);
	/* Values count the stones on the board; those captured before may reverse the result. */
	const struct el_position *p = &answer->position;
	const struct el_game *game = answer->game;
	const struct el_metric *metric = answer->metric;
	if (!kind_words(metric)->is_signed || !(p->stores[0] || p->stores[1]))
		return;
	/* Count twice the stones: endless play may divide an odd number. */
	const int board = (int)el_piece_count(p),
		  gain = el_value_stones(answer->value[el_metric_rank(metric)]);
	const unsigned us = p->side;
	int twice[2];
	twice[us] = 2 * p->stores[us] + board + gain;
	twice[!us] = 2 * p->stores[!us] + board - gain;
	fprintf(out, "  in the end %s has %g stones, %s %g\n", game->sides[0], twice[0] / 2.0,
	        game->sides[1], twice[1] / 2.0);
}

/* Prints what each table says, if there are several. */
static void print_sources(FILE *out, const struct el_opinions *opinions)
{
	int cols[2] = {0, 0};
	char text[OPINION_MAX];
	if (opinions->count < 2)
		return;
	for (size_t i = 0; i < opinions->count; i++) {
		const struct el_opinion *o = &opinions->list[i];
		const int metric = (int)strlen(o->metric->name);
		const int words = utf8_length(opinion_text(o, false, text));
		cols[0] = metric > cols[0] ? metric : cols[0];
		cols[1] = words > cols[1] && !o->status ? words : cols[1];
	}
	fprintf(out, "\nsources  %zu\n", opinions->count);
	for (size_t i = 0; i < opinions->count; i++) {
		const struct el_opinion *o = &opinions->list[i];
		const int words = utf8_length(opinion_text(o, false, text));
		fprintf(out, "%s %-*s  %s%*s  ", o->against == i ? " " : "!", cols[0],
		        o->metric->name, text, words < cols[1] ? cols[1] - words : 0, "");
		clean_print(out, o->path);
		fputc('\n', out);
	}
}

static enum el_status print_text(struct cli *cli, struct probe *probe, struct el_error *error)
{
	enum el_status status = ask_all(cli, probe, error);
	const struct el_answer *answer = &probe->answer;
	const struct el_metric *metric = answer->metric ? answer->metric : &el_wdl;
	fprintf(cli->out, "%s\n", probe->fen);
	print_summary(cli->out, answer);
	if (status == EL_NEGATIVE && !*answer->why_unknown)
		fprintf(cli->out, "  %s\n", error->text);
	print_sources(cli->out, &probe->opinions);
	for (size_t first = 0, end; first < answer->count; first = end) {
		end = first + 1;
		while (end < answer->count &&
		       answer->moves[end].outcome == answer->moves[first].outcome)
			end++;
		const size_t rank = el_metric_rank(metric);
		fprintf(cli->out, "\n%s  %zu%s\n", outcome_group(answer->moves[first].outcome),
		        end - first, answer->moves[first].only ? "  only move" : "");
		for (size_t i = first; i < end; i++) {
			const struct el_ranked *move = &answer->moves[i];
			const struct el_value value = move->value[rank];
			char depth[SENTENCE_MAX], demand[DEMAND_MAX];
			if (value_is_deep(metric, value))
				fprintf(cli->out, "  %-8s %s%s\n", move->san,
				        el_ranked_is_rough(move, metric) ? "about " : "",
				        value_depth(metric, value, false, depth));
			else if (*demand_text(answer, i, false, demand))
				fprintf(cli->out, "  %-8s %s\n", move->san, demand);
			else
				fprintf(cli->out, "  %s\n", move->san);
		}
	}
	return status;
}

static void print_text_error(struct cli *cli, const char *fen, const struct el_error *error)
{
	/* The error already quotes a text that is no position. */
	command_fail(cli, is_position(fen) ? fen : NULL, error);
}

const struct probe_style probe_text = {NULL, print_text, print_text_error, false};

/* ---- tsv: for scripts and speed; looks at moves only if the clock matters ---- */

static void add_column(struct probe *probe, const char *name, const struct el_metric *metric)
{
	probe->columns[probe->column_count++] = (struct column){name, metric};
}

/* Writes the line of column names. */
static void begin(struct cli *cli, struct probe *probe)
{
	for (const struct el_metric *const *metric = probe->metrics; *metric; metric++)
		add_column(probe, (*metric)->name, *metric);
	for (size_t i = 0; i < TSV_NAMES && !probe->metrics[0]; i++)
		add_column(probe, names[i], el_metric_find(names[i]));
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
	struct el_question question = {
		.mode = probe->question.mode,
		.rule = rule,
		.alone = true,
		.faults = probe->question.faults,
	};
	for (const struct el_metric *const *metric = probe->metrics; *metric; metric++)
		question.only |= 1u << el_metric_rank(*metric);
	if (!probe->question.rule)
		position.halfmove = 0;
	enum el_status status =
		el_library_answer(cli->library, probe->game, &position, &question, answer, error);
	if ((!status || el_is_fault(status)) &&
	    (answer->outcome == EL_AT_LEAST_CURSED || answer->outcome == EL_AT_MOST_BLESSED)) {
		question.alone = false;
		status = el_library_answer(cli->library, probe->game, &position, &question, answer,
		                           error);
	}
	return status;
}

/* EL_NEGATIVE also if a named metric is not known; a fault of a table after all cells. */
static enum el_status print_cells(struct cli *cli, struct probe *probe, struct el_error *error)
{
	unsigned asked = probe->answer.rule;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < probe->column_count; i++) {
		const struct el_metric *metric = probe->columns[i].metric;
		const unsigned rule = metric ? metric->limit / 2 : 0;
		if (rule && rule != asked && probe->game->zeroes) {
			struct el_error why;
			const enum el_status failed = ask(cli, probe, rule, &why);
			if (failed > EL_NEGATIVE)
				status = el_fail(error, failed, "%s", why.text);
			if (status && !el_is_fault(status))
				return status;
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
		else if (!value_figure(metric, value, &figure) || value.at_most)
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
			status = lacks(metric, error);
	}
	return status;
}

/* The first rule to ask under, chosen so that usually one question serves all columns. */
static unsigned first_rule(const struct probe *probe)
{
	for (const struct el_metric *const *metric = probe->metrics; *metric; metric++)
		if ((*metric)->limit)
			return (*metric)->limit / 2;
	return probe->metrics[0] ? 0 : EL_RULE_USUAL;
}

static void print_tsv_error(struct cli *cli, const char *fen, const struct el_error *error)
{
	fprintf(cli->out, "%s\terror\t%s\n", fen, error->text);
}

static enum el_status print_tsv(struct cli *cli, struct probe *probe, struct el_error *error)
{
	struct el_error lack;
	enum el_status status = ask(cli, probe, first_rule(probe), error);
	if (el_is_fault(status) && !probe->answer.metric)
		print_tsv_error(cli, probe->fen, error);
	if (status && !(el_is_fault(status) && probe->answer.metric))
		return status;
	const enum el_outcome plain = probe->answer.value[el_metric_rank(&el_wdl)].outcome;
	if (plain == EL_UNKNOWN && !status)
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

const struct probe_style probe_tsv = {begin, print_tsv, print_tsv_error, false};

/* ---- json: for programs, complete ---- */

/* Adds the values of the position, or of a move if given. */
static void add_values(cJSON *object, const struct el_answer *answer, const struct el_ranked *move)
{
	const struct el_value *values = move ? move->value : answer->value;
	json_text(object, el_wdl.name, el_outcome_name(values[el_metric_rank(&el_wdl)].outcome));
	for (const char *const *name = names; *name; name++) {
		const struct el_metric *usual = el_metric_find(*name);
		if (usual) {
			const size_t rank = el_metric_rank(usual);
			const struct el_metric *own = answer->metrics[rank],
					       *metric = own ? own : usual;
			const struct el_value value = values[rank];
			int figure;
			if (own && !kind_words(own)->has_number)
				json_text(object, own->name,
				          outcome_name(answer,
				                       move ? move->outcome : answer->outcome,
				                       value));
			else if (value_figure(own, value, &figure) && !value.at_most &&
			         !(move && el_ranked_is_rough(move, metric)))
				cJSON_AddNumberToObject(object, metric->name, figure);
			else
				cJSON_AddNullToObject(object, metric->name);
		}
	}
	/* Add which plies may be one more, or any number less, if any. */
	bool rounded = false;
	cJSON *most = NULL;
	for (size_t i = 0; i < EL_METRICS; i++) {
		rounded |= values[i].rounded;
		if (!values[i].at_most)
			continue;
		most = most ? most : cJSON_AddObjectToObject(object, "at_most");
		cJSON_AddNumberToObject(most, answer->metrics[i]->name, values[i].plies);
	}
	if (rounded)
		cJSON_AddTrueToObject(object, "rounded");
}

static cJSON *move_object(const struct el_answer *answer, const struct el_ranked *move)
{
	cJSON *object = cJSON_CreateObject();
	json_text(object, answer->game->labelled_squares ? "pdn" : "uci", move->uci);
	json_text(object, "san", move->san);
	add_values(object, answer, move);
	cJSON_AddBoolToObject(object, "only", move->only);
	if (move->demand.replies) {
		cJSON_AddNumberToObject(object, "replies", move->demand.replies);
		cJSON_AddNumberToObject(object, "mistakes", move->demand.mistakes);
	}
	return object;
}

static void print_json_error(struct cli *cli, const char *fen, const struct el_error *error)
{
	cJSON *object = cJSON_CreateObject();
	json_text(object, "fen", fen);
	json_text(object, "error", error->text);
	json_write(cli, object);
}

static enum el_status print_json(struct cli *cli, struct probe *probe, struct el_error *error)
{
	enum el_status status = ask_all(cli, probe, error);
	const struct el_answer *answer = &probe->answer;
	if (el_is_fault(status) && !answer->metric)
		print_json_error(cli, probe->fen, error);
	if (status && status != EL_NEGATIVE && !(el_is_fault(status) && answer->metric))
		return status;
	cJSON *object = cJSON_CreateObject();
	json_text(object, "fen", probe->fen);
	json_text(object, "game", probe->game->name);
	json_text(object, "slice", answer->has_slice ? answer->slice.name : NULL);
	add_values(object, answer, NULL);
	json_known(object, "clock", answer->game->zeroes, answer->position.halfmove);
	json_known(object, "rule", answer->rule, answer->rule);
	cJSON *moves = cJSON_AddArrayToObject(object, "moves");
	for (size_t i = 0; i < answer->count; i++)
		cJSON_AddItemToArray(moves, move_object(answer, &answer->moves[i]));
	cJSON_AddBoolToObject(object, "from_moves", answer->from_moves);
	json_text(object, "why_unknown", *answer->why_unknown ? answer->why_unknown : NULL);
	cJSON *sources = cJSON_AddArrayToObject(object, "sources");
	for (size_t i = 0; i < probe->opinions.count; i++) {
		const struct el_opinion *o = &probe->opinions.list[i];
		const char *depth = kind_words(o->metric)->key;
		cJSON *source = json_item(sources);
		json_text(source, "path", o->path);
		json_text(source, "metric", o->metric->name);
		json_text(source, "outcome", el_outcome_name(o->value.outcome));
		json_known(source, depth, value_is_deep(o->metric, o->value) && !o->value.at_most,
		           o->value.plies);
		if (o->value.at_most)
			cJSON_AddNumberToObject(source, "at_most", o->value.plies);
		cJSON_AddBoolToObject(source, "rounded", o->value.rounded);
		json_text(source, "error", o->status ? o->error : NULL);
		json_text(source, "contradicts",
		          o->against == i ? NULL : probe->opinions.list[o->against].path);
	}
	return json_print(cli->out, object)
	               ? status
	               : el_fail(error, EL_MEMORY, "the answer: out of memory");
}

const struct probe_style probe_json = {NULL, print_json, print_json_error, false};

/* ---- lichess: for programs that know that API ---- */

static enum el_status print_lichess(struct cli *cli, struct probe *probe, struct el_error *error)
{
	cJSON *object = NULL;
	enum el_status status = lichess_check_game(probe->game, error);
	if (status) {
		print_json_error(cli, probe->fen, error);
		return status;
	}
	status = lichess_answer(cli->library, probe->game, &probe->position, &probe->question,
	                        LICHESS_DTC_AUXILIARY, &object, error);
	if (!object && el_is_fault(status))
		print_json_error(cli, probe->fen, error);
	if (!object)
		return status;
	return json_print(cli->out, object)
	               ? status
	               : el_fail(error, EL_MEMORY, "the answer: out of memory");
}

const struct probe_style probe_lichess = {NULL, print_lichess, print_json_error, true};

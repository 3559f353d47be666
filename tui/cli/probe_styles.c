/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe_styles.h"
#include "arguments.h"
#include "json.h"
#include "../text/moves.h"
#include "../text/values.h"

static struct el_value wdl_of(const struct el_value values[EL_METRICS])
{
	return values[el_metric_rank(&el_wdl)];
}

static enum el_status ask_all(struct cli *cli, struct probe *probe, struct el_error *error)
{
	struct el_answer *answer = &probe->answer;
	enum el_status status = el_library_answer(cli->library, probe->game, &probe->position,
	                                          probe->mode, answer, error);
	if (!status && !answer->metric)
		return el_fail(error, EL_NEGATIVE, "%s", answer->why_unknown);
	return status;
}

/* ---- text: for people ---- */

/* What the side to move does, or that it has no move to do it with. */
static void print_verdict(FILE *out, const struct el_answer *answer)
{
	const char *side = side_name(answer->position.side);
	const enum el_outcome outcome = wdl_of(answer->value).outcome;
	if (answer->has_slice)
		fprintf(out, "%s  ", answer->slice.name);
	if (answer->over && outcome == EL_LOSS)
		fprintf(out, "%s is %s\n", side, answer->game->lost);
	else if (answer->over)
		fprintf(out, "%s has no legal move: %s\n", side, outcome_words(outcome));
	else
		fprintf(out, "%s to move %s\n", side, outcome_verb(outcome));
}

static void print_summary(FILE *out, const struct el_answer *answer)
{
	print_verdict(out, answer);
	if (*answer->why_unknown)
		fprintf(out, "  %s\n", answer->why_unknown);
	for (size_t i = 0; i < EL_METRICS && !answer->over; i++) {
		char depth[SENTENCE_MAX];
		if (value_is_deep(el_metrics[i], answer->value[i]))
			fprintf(out, "  %s\n",
			        value_sentence(el_metrics[i], answer->value[i], true, depth));
	}
}

static void print_group(FILE *out, const struct el_answer *answer, size_t first, size_t end,
                        const struct el_metric *metric)
{
	size_t rank = el_metric_rank(metric);
	fprintf(out, "\n%s  %zu\n", outcome_group(answer->moves[first].value[rank].outcome),
	        end - first);
	for (size_t i = first; i < end; i++) {
		const struct el_ranked *move = &answer->moves[i];
		struct el_value value = move->value[rank];
		char depth[SENTENCE_MAX];
		if (value_is_deep(metric, value))
			fprintf(out, "  %-8s %s\n", move->san, depth_words(value.plies, true, depth));
		else
			fprintf(out, "  %s\n", move->san);
	}
}

static enum el_status print_text(struct cli *cli, struct probe *probe, struct el_error *error)
{
	enum el_status status = ask_all(cli, probe, error);
	const struct el_answer *answer = &probe->answer;
	const struct el_metric *metric = answer->metric ? answer->metric : &el_wdl;
	size_t rank = el_metric_rank(metric);
	fprintf(cli->out, "%s\n", probe->fen);
	print_summary(cli->out, answer);
	for (size_t first = 0, end; first < answer->count; first = end) {
		end = first + 1;
		while (end < answer->count && answer->moves[end].value[rank].outcome ==
		                                      answer->moves[first].value[rank].outcome)
			end++;
		print_group(cli->out, answer, first, end, metric);
	}
	return status;
}

static void print_text_error(struct cli *cli, const char *fen, const struct el_error *error)
{
	/* A text that is no position at all stands in the error already. */
	command_fail(cli, is_position(fen) ? fen : NULL, error);
}

const struct probe_style probe_text = {NULL, print_text, print_text_error};

/* ---- tsv: for scripts, fast; looks at no moves ---- */

/* Asks for each metric; EL_NEGATIVE when even the outcome is unknown. */
static enum el_status ask_values(struct cli *cli, const struct probe *probe,
                                 struct el_value values[EL_METRICS], struct el_error *error)
{
	enum el_status answer = EL_OK;
	for (size_t i = 0; i < EL_METRICS; i++) {
		struct el_error why;
		enum el_status status = el_library_value(cli->library, probe->game, &probe->position,
		                                         el_metrics[i], probe->mode, &values[i], &why);
		if (status)
			values[i] = (struct el_value){.outcome = EL_UNKNOWN};
		if (status > EL_NEGATIVE)
			return el_fail(error, status, "%s", why.text);
		if (status && el_metrics[i] == &el_wdl)
			answer = el_fail(error, status, "%s", why.text);
		else if (!status && values[i].outcome == EL_UNKNOWN)
			answer = el_fail(error, EL_NEGATIVE, "its table is partial");
	}
	return answer;
}

static void print_plies(FILE *out, unsigned plies)
{
	char digits[8], *first = digits + sizeof digits;
	do
		*--first = (char)('0' + plies % 10);
	while (plies /= 10);
	fwrite_unlocked(first, 1, (size_t)(digits + sizeof digits - first), out);
}

static void print_depth(FILE *out, const char *name, const struct el_value values[EL_METRICS])
{
	const struct el_metric *metric = el_metric_find(name);
	const struct el_value *value = metric ? &values[el_metric_rank(metric)] : NULL;
	putc_unlocked('\t', out);
	if (value && value_is_deep(metric, *value))
		print_plies(out, value->plies);
	else
		putc_unlocked('-', out);
}

static enum el_status print_tsv(struct cli *cli, struct probe *probe, struct el_error *error)
{
	struct el_value values[EL_METRICS];
	enum el_status status = ask_values(cli, probe, values, error);
	if (status && status != EL_NEGATIVE)
		return status;
	fputs_unlocked(probe->fen, cli->out);
	putc_unlocked('\t', cli->out);
	fputs_unlocked(el_outcome_name(wdl_of(values).outcome), cli->out);
	for (const char *const *name = depth_names; *name; name++)
		print_depth(cli->out, *name, values);
	putc_unlocked('\n', cli->out);
	return status;
}

static void print_tsv_error(struct cli *cli, const char *fen, const struct el_error *error)
{
	fprintf(cli->out, "%s\terror\t%s\n", fen, error->text);
}

const struct probe_style probe_tsv = {"fen\twdl\tdtm\tdtc\tdtz\tdtw", print_tsv, print_tsv_error};

/* ---- json: for programs, complete ---- */

static cJSON *move_object(const struct el_game *game, const struct el_ranked *move)
{
	cJSON *object = cJSON_CreateObject();
	json_text(object, game->labelled_squares ? "pdn" : "uci", move->uci);
	json_text(object, "san", move->san);
	json_values(object, move->value);
	return object;
}

static enum el_status print_json(struct cli *cli, struct probe *probe, struct el_error *error)
{
	enum el_status status = ask_all(cli, probe, error);
	const struct el_answer *answer = &probe->answer;
	if (status && status != EL_NEGATIVE)
		return status;
	cJSON *object = cJSON_CreateObject();
	json_text(object, "fen", probe->fen);
	json_text(object, "game", probe->game->name);
	json_text(object, "slice", answer->has_slice ? answer->slice.name : NULL);
	json_values(object, answer->value);
	cJSON *moves = cJSON_AddArrayToObject(object, "moves");
	for (size_t i = 0; i < answer->count; i++)
		cJSON_AddItemToArray(moves, move_object(probe->game, &answer->moves[i]));
	return json_print(cli->out, object)
	               ? status
	               : el_fail(error, EL_MEMORY, "the answer: out of memory");
}

static void print_json_error(struct cli *cli, const char *fen, const struct el_error *error)
{
	cJSON *object = cJSON_CreateObject();
	json_text(object, "fen", fen);
	json_text(object, "error", error->text);
	json_write(cli, object);
}

const struct probe_style probe_json = {NULL, print_json, print_json_error};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "tui/text/rule.h"
#include "tui/text/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Is the word this option, bare or with "=value"? */
static bool names_option(const char *word, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(word, name, length) && (!word[length] || word[length] == '=');
}

int option_take(const struct option_help *table, int argc, char **argv, int *i, const char **value,
                struct el_error *error)
{
	const char *word = argv[*i];
	int place = 0;
	while (table && table[place].name && !names_option(word, table[place].name))
		place++;
	if (!table || !table[place].name)
		return -1;
	const struct option_help *option = &table[place];
	const char *equals = word[strlen(option->name)] ? word + strlen(option->name) + 1 : NULL;
	*value = equals ? equals : "";
	if (!option->value && equals) {
		el_fail(error, EL_USAGE, "option %s takes no value, found '%s'", option->name,
		        equals);
		return -2;
	}
	const bool needed = option->value && option->value[0] != '[';
	const bool follows = *i + 1 < argc && (needed || argv[*i + 1][0] != '-');
	if (option->value && !equals && (follows || needed)) {
		if (!follows) {
			el_fail(error, EL_USAGE, "option %s needs a value: %s %s", option->name,
			        option->name, option->value);
			return -2;
		}
		*value = argv[++*i];
	}
	return place;
}

enum el_status arguments_parse(const struct command *command, int argc, char **argv,
                               struct arguments *out, struct el_error *error)
{
	*out = (struct arguments){.command = command, .words = argv + 1};
	bool words_only = false;
	for (int i = 1; i < argc; i++) {
		char *word = argv[i];
		if (words_only || word[0] != '-' || !word[1]) {
			out->words[out->count++] = word;
			continue;
		}
		if (!strcmp(word, "--")) {
			words_only = true;
			continue;
		}
		const char *value;
		int place = option_take(command->options, argc, argv, &i, &value, error);
		if (place == -2)
			return EL_USAGE;
		if (place < 0) {
			int length = (int)strcspn(word, "=");
			char name[64];
			snprintf(name, sizeof name, "%.*s", length, word);
			/* Dashes, which all have, make no option like another. */
			struct nearest nearest = nearest_start(name + strspn(name, "-"));
			const char *likely = NULL;
			for (const struct option_help *o = command->options; o && o->name; o++) {
				const char *bare = o->name + strspn(o->name, "-");
				nearest_offer(&nearest, bare);
				if (nearest.best == bare)
					likely = o->name;
			}
			if (likely)
				return el_fail(error, EL_USAGE,
				               "unknown option '%s'. Did you mean '%s'?", name,
				               likely);
			return el_fail(
				error, EL_USAGE,
				"unknown option '%s'. Run 'endlab %s --help' for the options.",
				name, command->name);
		}
		out->values[place] = value;
	}
	if (out->count < command->least)
		return el_fail(error, EL_USAGE, "missing %.*s; usage: endlab %s %s",
		               (int)strcspn(command->arguments, ". "), command->arguments,
		               command->name, command->arguments);
	if (command->most >= 0 && out->count > command->most)
		return el_fail(error, EL_USAGE, "unexpected '%s'; usage: endlab %s%s%s",
		               out->words[command->most], command->name,
		               *command->arguments ? " " : "", command->arguments);
	return EL_OK;
}

int command_run_words(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct arguments arguments;
	struct el_error error;
	if (arguments_parse(command, argc, argv, &arguments, &error))
		return command_fail(cli, command->name, &error);
	if (cli->begin && !(command->rights & SERVES) && cli->begin(cli, &arguments, &error))
		return command_fail(cli, NULL, &error);
	return command->run(cli, &arguments);
}

const char *option_value(const struct arguments *arguments, const char *name)
{
	const struct option_help *options = arguments->command->options;
	for (size_t i = 0; options[i].name; i++)
		if (!strcmp(options[i].name, name))
			return arguments->values[i];
	return NULL;
}

bool option_given(const struct arguments *arguments, const char *name)
{
	return option_value(arguments, name) != NULL;
}

bool is_position(const char *text)
{
	for (const struct el_game *const *game = el_games; *game; game++)
		if ((*game)->looks_like(text))
			return true;
	return false;
}

/* Sides, rights, squares and clocks are short; a board has ranks, or pieces with a colon. */
static bool is_later_field(const char *word)
{
	enum { LONGEST = 5 };
	return *word && strlen(word) <= LONGEST && !strpbrk(word, " /:");
}

int position_words(char **words, int count)
{
	enum { FIELDS = 6 }; /* of a complete FEN */
	int used = 1, before = 0;
	while (before + 1 < count &&
	       (!strcmp(words[before], "position") || !strcmp(words[before], "fen")))
		before++;
	if (strpbrk(words[before], " _") || !is_position(words[before]))
		return used;
	for (used += before; used < count && used < before + FIELDS; used++)
		if (!is_later_field(words[used]))
			break;
	return used;
}

char *words_join(char **words, int count)
{
	size_t size = 1;
	for (int i = 0; i < count; i++)
		size += strlen(words[i]) + 1;
	char *joined = malloc(size);
	if (!joined)
		return NULL;
	char *end = joined;
	*end = '\0';
	for (int i = 0; i < count; i++) {
		if (i)
			*end++ = ' ';
		end = stpcpy(end, words[i]);
	}
	return joined;
}

enum el_status metric_option(const struct arguments *arguments, const char *option,
                             const struct el_metric **out, struct el_error *error)
{
	const char *name = option_value(arguments, option);
	return name ? el_metric_parse(name, out, error) : EL_OK;
}

enum el_status metrics_option(const struct arguments *arguments,
                              const struct el_metric *out[METRICS_MAX + 1], struct el_error *error)
{
	const char *text = option_value(arguments, "--metric");
	if (!text)
		return EL_OK;
	size_t count = 0;
	while (*text) {
		char name[64];
		const size_t length = strcspn(text, ",");
		snprintf(name, sizeof name, "%.*s", (int)length, text);
		const struct el_metric *metric;
		if (el_metric_parse(name, &metric, error))
			return EL_USAGE;
		size_t known = 0;
		while (known < count && out[known] != metric)
			known++;
		if (known == METRICS_MAX)
			return el_fail(error, EL_USAGE, "--metric: more than %d metrics",
			               METRICS_MAX);
		if (known == count)
			out[count++] = metric;
		text += length + (text[length] == ',');
	}
	out[count] = NULL;
	return count ? EL_OK
	             : el_fail(error, EL_USAGE, "--metric: expected a metric, found nothing");
}

enum el_status rule_option(const struct arguments *arguments, const struct el_metric *metric,
                           unsigned *moves, struct el_error *error)
{
	const char *said = option_value(arguments, "--rule");
	const unsigned own = metric ? metric->limit / 2 : 0;
	*moves = own ? own : EL_RULE_USUAL;
	if (said && rule_parse(said, moves, error))
		return EL_USAGE;
	if (own && *moves && *moves != own)
		return el_fail(error, EL_USAGE, "--rule %u: %s belongs to the %u-move rule", *moves,
		               metric->name, own);
	return EL_OK;
}

enum el_status number_option(const struct arguments *arguments, const char *option, uint64_t least,
                             uint64_t most, uint64_t *out, struct el_error *error)
{
	const char *text = option_value(arguments, option);
	char *end;
	if (!text)
		return EL_OK;
	errno = 0;
	const unsigned long long n = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno || n < least || n > most)
		return el_fail(error, EL_USAGE, "%s '%s': expected a number from %llu to %llu",
		               option, text, (unsigned long long)least, (unsigned long long)most);
	*out = n;
	return EL_OK;
}

enum el_status size_option(const struct arguments *arguments, const char *option, size_t *bytes,
                           struct el_error *error)
{
	static const char units[] = "KMG";
	const char *text = option_value(arguments, option);
	char *end;
	if (!text)
		return EL_OK;
	errno = 0;
	const unsigned long long n = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	const bool good = text[0] >= '0' && text[0] <= '9' && !errno && n &&
	                  !(unit ? end[1] : *end) && n <= SIZE_MAX >> shift;
	if (!good)
		return el_fail(error, EL_USAGE, "%s '%s': expected a size such as 64M or 1G",
		               option, text);
	*bytes = (size_t)n << shift;
	return EL_OK;
}

enum el_status time_option(const struct arguments *arguments, const char *option, double *seconds,
                           struct el_error *error)
{
	const char *text = option_value(arguments, option);
	char *end;
	if (!text)
		return EL_OK;
	const double n = strtod(text, &end);
	const double unit = !strcmp(end, "h") ? 3600 : !strcmp(end, "m") ? 60 : 1;
	const bool has_unit = !strcmp(end, "h") || !strcmp(end, "m") || !strcmp(end, "s");
	if (text[0] < '0' || text[0] > '9' || !(n > 0) || n > 1e9 || (*end && !has_unit))
		return el_fail(error, EL_USAGE, "%s '%s': expected a time such as 90s, 10m or 2h",
		               option, text);
	*seconds = n * unit;
	return EL_OK;
}

enum el_status threads_option(const struct arguments *arguments, int *out, struct el_error *error)
{
	uint64_t n = (uint64_t)*out;
	const enum el_status status = number_option(arguments, "--threads", 1, 1024, &n, error);
	*out = (int)n;
	return status;
}

enum el_status metric_suits(const struct el_metric *metric, const struct el_game *game,
                            struct el_error *error)
{
	return metric ? el_game_check_metric(game, metric, error) : EL_OK;
}

enum el_status metrics_suit(const struct el_metric *const *metrics, const struct el_game *game,
                            struct el_error *error)
{
	enum el_status status = EL_OK;
	for (; *metrics && !status; metrics++)
		status = metric_suits(*metrics, game, error);
	return status;
}

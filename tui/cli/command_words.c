/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion of a command at a prompt: what may stand for one word of the line. */
#include "command.h"
#include "tui/text/slices.h"

#include <string.h>

/* Whole words out of the last entry of a list: "dtm,wdl" for "wdl" behind "dtm,". */
struct entry {
	const char *before;
	int length; /* of what stands before the entry */
	offer_word *offer;
	void *context;
};

static void offer_entry(void *context, const char *word)
{
	const struct entry *entry = context;
	char whole[256];
	int length = snprintf(whole, sizeof whole, "%.*s%s", entry->length, entry->before, word);
	if (length < (int)sizeof whole)
		entry->offer(entry->context, whole);
}

/* `word` as typed so far; the value begins at `value`. */
static void offer_values(const struct option_help *option, const char *word, const char *value,
                         offer_word *offer, void *context)
{
	const char *comma = option->is_list ? strrchr(value, ',') : NULL;
	const char *begin = comma ? comma + 1 : value;
	struct entry entry = {word, (int)(begin - word), offer, context};
	option_offer_values(option, offer_entry, &entry);
}

static const struct option_help *option_named(const struct command *command, const char *name,
                                              size_t length)
{
	const struct option_help *o = command->options;
	while (o && o->name && (strlen(o->name) != length || strncmp(o->name, name, length)))
		o++;
	return o && o->name && o->value ? o : NULL;
}

/* The option whose value the word at `start` is; *value is where the value begins. */
static const struct option_help *option_at(const struct command *command, const char *line,
                                           size_t start, const char **value)
{
	const char *word = line + start, *end = word;
	const size_t name = strcspn(word, "=");
	*value = word;
	if (*word == '-' && word[name]) {
		*value = word + name + 1;
		return option_named(command, word, name);
	}
	while (end > line && end[-1] == ' ')
		end--;
	const char *before = end;
	while (before > line && before[-1] != ' ')
		before--;
	return option_named(command, before, (size_t)(end - before));
}

static void offer_slices(offer_word *offer, void *context)
{
	struct slices slices = {0};
	if (!slices_add_all(&slices))
		for (size_t i = 0; i < slices.count; i++)
			offer(context, slices.list[i].name);
	slices_free(&slices);
}

void command_offer_words(const struct command *command, const char *line, size_t start,
                         offer_word *offer, void *context)
{
	const char *value;
	const struct option_help *option = option_at(command, line, start, &value);
	if (option) {
		offer_values(option, line + start, value, offer, context);
		return;
	}
	for (const struct option_help *o = command->options; o && o->name && line[start] == '-';
	     o++)
		offer(context, o->name);
	if (line[start] == '-')
		offer(context, "--help");
	else if (command->complete && !strcmp(command->complete, "slice"))
		offer_slices(offer, context);
}

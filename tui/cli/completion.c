/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions of a word of a command line: for the prompts, and for the shells' completion scripts,
   which call `endlab --complete`. */
#include "help.h"
#include "tui/text/carried.h"

#include <stdlib.h>
#include <string.h>

/* Completes the last entry of a list to a whole word: "dtm,wdl" for "wdl" after "dtm,". */
struct entry {
	const char *before;
	int length; /* of the text before the entry */
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

/* One that takes a value. */
static const struct option_help *option_named(const struct command *command, const char *name,
                                              size_t length)
{
	const struct option_help *o = command->options;
	while (o && o->name && (strlen(o->name) != length || strncmp(o->name, name, length)))
		o++;
	return o && o->name && o->value ? o : NULL;
}

/* The option whose value is the word at `start`; sets *value to the start of the value. */
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

static bool takes(const struct command *command, const char *kind)
{
	return command->complete && !strcmp(command->complete, kind);
}

static void offer_options(const struct command *command, offer_word *offer, void *context)
{
	for (const struct option_help *o = command->options; o && o->name; o++)
		offer(context, o->name);
	if (command != &command_program)
		offer(context, "--help");
}

static void offer_arguments(const struct command *command, offer_word *offer, void *context)
{
	for (const struct command *const *c = commands; *c && command == &command_program; c++)
		offer(context, (*c)->name);
	if (takes(command, "slice"))
		option_values_offer(&slice_values, offer, context);
}

void command_offer_words(const struct command *command, const char *line, size_t start,
                         offer_word *offer, void *context)
{
	const char *value;
	const struct option_help *option = option_at(command, line, start, &value);
	if (option) {
		const char *comma = option->is_list ? strrchr(value, ',') : NULL;
		const char *begin = comma ? comma + 1 : value;
		struct entry entry = {line + start, (int)(begin - (line + start)), offer, context};
		option_values_offer(option->values, offer_entry, &entry);
	} else
		(line[start] == '-' ? offer_options : offer_arguments)(command, offer, context);
}

/* ---- shells ---- */

/*
 * The scripts in tui/completion ask the program, which prints a line saying which files the shell
 * should offer ("files", "folders", "none"), then a line for each word, with a tab and its meaning
 * if it has one.
 *
 * bash splits words at colons and equal signs and replaces only the last part, so it gets that part
 * of the matching words.
 */
enum el_status help_completion(FILE *out, const char *shell, struct el_error *error)
{
	const char *script = script_find(shell);
	if (!script)
		return el_fail(error, EL_USAGE, "unknown shell '%s': expected bash, zsh or fish",
		               shell);
	if (out)
		fputs(script, out);
	return EL_OK;
}

struct offers {
	FILE *out;
	bool is_bash;
	const char *typed;             /* the word so far */
	size_t lead;                   /* bytes of the word that bash takes for another word */
	const struct command *command; /* offers its options and arguments; null: values */
};

static void print_word(void *context, const char *word)
{
	const struct offers *o = context;
	const struct command *named = o->command ? command_find(word) : NULL;
	const char *meaning = named && o->command == &command_program ? named->summary : NULL;
	if (o->is_bash && strncmp(word, o->typed, strlen(o->typed)))
		return;
	for (const struct option_help *h = o->command ? o->command->options : NULL; h && h->name;
	     h++)
		if (!strcmp(h->name, word))
			meaning = h->summary;
	fputs(word + o->lead, o->out);
	if (meaning && !o->is_bash)
		fprintf(o->out, "\t%s", meaning);
	fputc('\n', o->out);
}

/* The first word before `start` that is neither an option nor a value, as a command; the program
   itself if it is none. */
static const struct command *command_in(const char *line, size_t start)
{
	const struct option_help *option = NULL;
	const char *word = line + strspn(line, " ");
	size_t length = strcspn(word, " ");
	for (; word < line + start; word += length, word += strspn(word, " ")) {
		char name[16];
		length = strcspn(word, " ");
		snprintf(name, sizeof name, "%.*s", (int)(length < 15 ? length : 15), word);
		if (option)
			option = NULL;
		else if (*word == '-')
			option = option_named(&command_program, word, length);
		else
			return command_find(name) ? command_find(name) : &command_program;
	}
	return &command_program;
}

static bool is_break(const char *word)
{
	return !strcmp(word, ":") || !strcmp(word, "=");
}

enum el_status help_complete(FILE *out, const char *shell, char **words, int count,
                             struct el_error *error)
{
	const bool is_bash = !strcmp(shell, "bash");
	char *line;
	size_t size, start = 0;
	if (help_completion(NULL, shell, error))
		return EL_USAGE;
	FILE *whole = open_memstream(&line, &size);
	for (int i = 0; i < count && whole; i++) {
		const bool is_broken =
			is_bash && i && (is_break(words[i]) || is_break(words[i - 1]));
		if (i && !is_broken)
			fputc(' ', whole);
		if (!is_broken && !fflush(whole))
			start = size;
		fputs(words[i], whole);
	}
	if (!whole || fclose(whole))
		return el_fail(error, EL_MEMORY, "out of memory");
	const char *value, *last = count && !is_break(words[count - 1]) ? words[count - 1] : "";
	const struct command *command = command_in(line, start);
	const struct option_help *option = option_at(command, line, start, &value);
	if (!option && (option = option_at(&command_program, line, start, &value)))
		command = &command_program;
	const struct option_values *values = option ? option->values : NULL;
	const bool has_files =
		option ? values && ((!values->words && !values->offer) || values->files)
		       : is_bash || takes(command, "file");
	struct offers offers = {out, is_bash, line + start, 0, option ? NULL : command};
	if (is_bash)
		offers.lead = size - start - strlen(last);
	fprintf(out, "%s\n", !has_files ? "none" : values && values->folders ? "folders" : "files");
	if (is_bash && !option && !line[start])
		offer_options(command, print_word, &offers);
	command_offer_words(command, line, start, print_word, &offers);
	free(line);
	return EL_OK;
}

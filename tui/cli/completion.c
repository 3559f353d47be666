/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion scripts. What they offer is asked for when they are printed. */
#include "help.h"
#include "option_values.h"
#include "tui/text/slices.h"

#include <string.h>

static const char nothing_special[] = "";

static bool completes(const struct command *command, const char *kind)
{
	return command->complete && !strcmp(command->complete, kind);
}

static bool has_words(const struct option_help *option)
{
	return option->values && option->values->offer;
}

static bool has_files(const struct option_help *option)
{
	return option->values && (!option->values->offer || option->values->files);
}

/* Inside single quotes, with a backslash before the special characters. */
static void quoted(FILE *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else if (strchr(special, *text))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
}

/* Words with a blank before each. */
struct word_list {
	FILE *out;
	const char *special;
};

static void write_word(void *context, const char *word)
{
	const struct word_list *list = context;
	fputc(' ', list->out);
	quoted(list->out, word, list->special);
}

static void write_values(FILE *out, const struct option_help *option, const char *special)
{
	struct word_list list = {out, special};
	option_offer_values(option, write_word, &list);
}

/* The names of all slices, if memory allows; completion can do without. */
static void write_slices(FILE *out, const char *special)
{
	struct word_list list = {out, special};
	struct slices slices = {0};
	if (!slices_add_all(&slices))
		for (size_t i = 0; i < slices.count; i++)
			write_word(&list, slices.list[i].name);
	slices_free(&slices);
}

/* ---- bash ---- */

/* One line of a case: what the value of each option may be. */
static void bash_values(FILE *out, const char *command, const struct option_help *option)
{
	for (; option && option->name; option++) {
		if (!option->value)
			continue;
		fprintf(out, "\t%s:%s)", command, option->name);
		if (has_words(option)) {
			fprintf(out, "%s words=\"", option->is_list ? " list=1" : "");
			write_values(out, option, nothing_special);
			fputs("\"", out);
		}
		if (has_files(option))
			fputs(option->values->folders ? " files=dirnames" : " files=default", out);
		fputs(" ;;\n", out);
	}
}

static void bash_names(FILE *out, const struct option_help *option)
{
	for (; option && option->name; option++)
		fprintf(out, " %s", option->name);
}

static const char bash_begin[] = "_endlab_words() {\n"
				 "\tcase $1 in\n";

static const char bash_middle[] =
	"\tesac\n"
	"}\n"
	"# The values of option $2 of command $1; false where it takes none.\n"
	"_endlab_values() {\n"
	"\tlist= words= files=\n"
	"\tcase $1:$2 in\n";

/* bash takes words apart at colons and equal signs, and replaces what is behind the last one. */
static const char bash_end[] =
	"\t*) return 1 ;;\n"
	"\tesac\n"
	"}\n"
	"_endlab() {\n"
	"\tlocal i word command= option= list= words= files=\n"
	"\tlocal -a typed=()\n"
	"\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]}\n"
	"\t\tif [[ ${#typed[@]} -gt 0 && ( $word == [:=] || ${COMP_WORDS[i-1]} == [:=] ) ]]; then\n"
	"\t\t\ttyped[${#typed[@]}-1]+=$word\n"
	"\t\telse\n"
	"\t\t\ttyped+=(\"$word\")\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tlocal full=${typed[${#typed[@]}-1]} cur=${COMP_WORDS[COMP_CWORD]}\n"
	"\t[[ $cur == [:=] ]] && cur=\n"
	"\tlocal lead=${full%\"$cur\"}\n"
	"\tfor word in \"${typed[@]:0:${#typed[@]}-1}\"; do\n"
	"\t\tif [[ $option ]]; then option=\n"
	"\t\telif [[ $word == -* ]]; then _endlab_values \"$command\" \"$word\" && option=$word\n"
	"\t\telif [[ ! $command ]]; then command=$word\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tlocal value=$full\n"
	"\t[[ ! $option && $full == --*=* ]] && option=${full%%=*} value=${full#*=}\n"
	"\tif [[ $option ]]; then\n"
	"\t\tcompopt +o default 2>/dev/null\n"
	"\t\t_endlab_values \"$command\" \"$option\"\n"
	"\t\t[[ $files ]] && compopt -o $files 2>/dev/null\n"
	"\telse\n"
	"\t\twords= list=\n"
	"\t\t_endlab_words \"$command\"\n"
	"\tfi\n"
	"\tlocal before=${full%\"$value\"}\n"
	"\t[[ $list ]] && before+=${value%\"${value##*,}\"}\n"
	"\tCOMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- \"${full#\"$before\"}\"))\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"$lead\"}\")\n"
	"}\n"
	"complete -o default -F _endlab endlab\n";

static void bash(FILE *out)
{
	fputs(bash_begin, out);
	for (const struct command *const *c = commands; *c; c++) {
		fprintf(out, "\t%s) words=\"--help", (*c)->name);
		bash_names(out, (*c)->options);
		if (completes(*c, "slice"))
			write_slices(out, nothing_special);
		fputs("\" ;;\n", out);
	}
	fputs("\t*) words=\"", out);
	for (const struct command *const *c = commands; *c; c++)
		fprintf(out, " %s", (*c)->name);
	bash_names(out, global_options);
	fputs("\" ;;\n", out);
	fputs(bash_middle, out);
	for (const struct command *const *c = commands; *c; c++)
		bash_values(out, (*c)->name, (*c)->options);
	bash_values(out, "*", global_options);
	fputs(bash_end, out);
}

/* ---- zsh ---- */

static const char zsh_special[] = "[]:\\";

static void zsh_value(FILE *out, const struct option_help *option)
{
	fprintf(out, ":%s:", option->value);
	if (has_words(option) && has_files(option)) {
		fputs("{compadd --", out);
		write_values(out, option, zsh_special);
		fputs("; _files}", out);
	} else if (has_words(option)) {
		fputs(option->is_list ? "{_values -s , value" : "(", out);
		write_values(out, option, zsh_special);
		fputs(option->is_list ? "}" : ")", out);
	} else if (option->values) {
		fputs(option->values->folders ? "_files -/" : "_files", out);
	} else {
		fputc(' ', out);
	}
}

static void zsh_options(FILE *out, const struct option_help *option)
{
	for (; option && option->name; option++) {
		const bool is_long = option->name[1] == '-';
		fprintf(out, " \\\n\t\t\t'%s%s[", option->name,
		        option->value && is_long ? "=" : "");
		quoted(out, option->summary, zsh_special);
		fputc(']', out);
		if (option->value)
			zsh_value(out, option);
		fputc('\'', out);
	}
}

static void zsh_arguments(FILE *out, const struct command *command)
{
	fputs(" \\\n\t\t\t'*:argument:", out);
	if (completes(command, "file")) {
		fputs("_files", out);
	} else {
		fputs("(", out);
		if (completes(command, "slice"))
			write_slices(out, zsh_special);
		fputs(")", out);
	}
	fputs("' ;;\n", out);
}

static void zsh(FILE *out)
{
	fputs("#compdef endlab\n_endlab() {\n\tlocal -a names\n\tnames=(\n", out);
	for (const struct command *const *c = commands; *c; c++) {
		fprintf(out, "\t\t'%s:", (*c)->name);
		quoted(out, (*c)->summary, zsh_special);
		fputs("'\n", out);
	}
	fputs("\t)\n\tlocal i command=\n"
	      "\tfor ((i = 2; i < CURRENT; i++)); do\n"
	      "\t\tcase ${words[i]} in\n\t\t",
	      out);
	for (const struct option_help *option = global_options; option->name; option++)
		if (option->value)
			fprintf(out, "%s%s", option == global_options ? "" : "|", option->name);
	fputs(") ((i++)) ;;\n"
	      "\t\t-*) ;;\n"
	      "\t\t*) command=${words[i]}; break ;;\n"
	      "\t\tesac\n"
	      "\tdone\n"
	      "\tcase $command in\n",
	      out);
	for (const struct command *const *c = commands; *c; c++) {
		fprintf(out, "\t%s) _arguments '--help[print help]'", (*c)->name);
		zsh_options(out, (*c)->options);
		zsh_arguments(out, *c);
	}
	fputs("\t*) _arguments", out);
	zsh_options(out, global_options);
	fputs(" \\\n\t\t\t'*:command:{_describe command names}' ;;\n\tesac\n}\n"
	      "if [[ $funcstack[1] == _endlab ]]; then _endlab; else compdef _endlab endlab; fi\n",
	      out);
}

/* ---- fish ---- */

static const char fish_special[] = "\\";

static void fish_value(FILE *out, const struct option_help *option)
{
	if (has_words(option)) {
		fputs(has_files(option) ? " -r -F" : " -x", out);
		fputs(option->is_list ? " -a '(__endlab_list" : " -a '", out);
		write_values(out, option, fish_special);
		fputs(option->is_list ? ")'" : "'", out);
	} else if (option->values) {
		fputs(option->values->folders ? " -x -a '(__fish_complete_directories)'" : " -r -F",
		      out);
	} else {
		fputs(" -x", out);
	}
}

/* `when` is a fish condition. */
static void fish_options(FILE *out, const struct option_help *option, const char *when)
{
	for (; option && option->name; option++) {
		bool is_long = option->name[1] == '-';
		fprintf(out, "complete -c endlab -n '%s' -%c %s", when, is_long ? 'l' : 's',
		        option->name + 1 + is_long);
		if (option->value)
			fish_value(out, option);
		fputs(" -d '", out);
		quoted(out, option->summary, fish_special);
		fputs("'\n", out);
	}
}

static void fish(FILE *out)
{
	fputs("# Each word behind the part of a comma-separated list that is there.\n"
	      "function __endlab_list\n"
	      "\tset -l typed (commandline -ct | string replace -r '^--[^=]*=' '' | "
	      "string replace -r '[^,]*$' '')\n"
	      "\tfor word in $argv\n"
	      "\t\techo \"$typed$word\"\n"
	      "\tend\n"
	      "end\n"
	      "complete -c endlab -f\n",
	      out);
	fish_options(out, global_options, "__fish_use_subcommand");
	for (const struct command *const *c = commands; *c; c++) {
		char when[64];
		snprintf(when, sizeof when, "__fish_seen_subcommand_from %s", (*c)->name);
		fprintf(out, "complete -c endlab -n __fish_use_subcommand -a %s -d '", (*c)->name);
		quoted(out, (*c)->summary, fish_special);
		fputs("'\n", out);
		fish_options(out, (*c)->options, when);
		if (completes(*c, "slice")) {
			fprintf(out, "complete -c endlab -n '%s' -a '", when);
			write_slices(out, fish_special);
			fputs("'\n", out);
		} else if (completes(*c, "file")) {
			fprintf(out, "complete -c endlab -n '%s' -F\n", when);
		}
	}
}

/* ---- all of them ---- */

enum el_status help_completion(FILE *out, const char *shell, struct el_error *error)
{
	static void (*const write[])(FILE *) = {bash, zsh, fish};
	for (size_t i = 0; shell_names[i]; i++) {
		if (!strcmp(shell_names[i], shell)) {
			write[i](out);
			return EL_OK;
		}
	}
	return el_fail(error, EL_USAGE, "unknown shell '%s': expected bash, zsh or fish", shell);
}

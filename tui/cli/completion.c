/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"
#include "slices.h"

#include <string.h>

static void write_names(FILE *out, const struct option_help *option)
{
	for (; option && option->name; option++)
		fprintf(out, " %s", option->name);
}

static void write_commands(FILE *out)
{
	for (const struct command *const *command = commands; *command; command++)
		fprintf(out, " %s", (*command)->name);
}

static bool completes(const struct command *command, const char *kind)
{
	return command->complete && !strcmp(command->complete, kind);
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

/* The names of all slices, if memory allows; completion can do without. */
static void write_slices(FILE *out, const char *special)
{
	struct slices slices = {0};
	if (!slices_add_all(&slices, NULL))
		for (size_t i = 0; i < slices.count; i++) {
			fputc(' ', out);
			quoted(out, slices.list[i].name, special);
		}
	slices_free(&slices);
}

static void bash(FILE *out)
{
	fputs("_endlab() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tlocal command= word words= prefix=\n"
	      "\t# bash takes a word apart at its colon\n"
	      "\tif [[ $cur == : ]]; then prefix=$before: cur=\n"
	      "\telif [[ $before == : ]]; then prefix=${COMP_WORDS[COMP_CWORD-2]}:\n"
	      "\tfi\n"
	      "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	      "\t\tcase $word in -*) ;; *) command=$word; break ;; esac\n"
	      "\tdone\n"
	      "\tcase $command in\n",
	      out);
	for (const struct command *const *c = commands; *c; c++) {
		fprintf(out, "\t%s) words=\"--help", (*c)->name);
		write_names(out, (*c)->options);
		if (completes(*c, "slice"))
			write_slices(out, "");
		fputs("\" ;;\n", out);
	}
	fputs("\t*) words=\"", out);
	write_commands(out);
	write_names(out, global_options);
	fputs("\" ;;\n\tesac\n"
	      "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$prefix$cur\"))\n"
	      "\tCOMPREPLY=(\"${COMPREPLY[@]#\"$prefix\"}\")\n"
	      "}\ncomplete -o default -F _endlab endlab\n",
	      out);
}

static const char zsh_special[] = "[]:\\";

static void zsh_options(FILE *out, const struct option_help *option)
{
	for (; option && option->name; option++) {
		fprintf(out, " \\\n\t\t\t'%s[", option->name);
		quoted(out, option->summary, zsh_special);
		fputc(']', out);
		if (option->value)
			fprintf(out, ":%s:_default", option->value);
		fputc('\'', out);
	}
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
	      "\t\t[[ ${words[i]} != -* ]] && { command=${words[i]}; break; }\n"
	      "\tdone\n"
	      "\tcase $command in\n",
	      out);
	for (const struct command *const *c = commands; *c; c++) {
		fprintf(out, "\t%s) _arguments '--help[print help]'", (*c)->name);
		zsh_options(out, (*c)->options);
		fputs(" \\\n\t\t\t'*:argument:", out);
		if (completes(*c, "slice")) {
			fputs("(", out);
			write_slices(out, zsh_special);
			fputs(")", out);
		} else {
			fputs(completes(*c, "file") ? "_files" : " ", out);
		}
		fputs("' ;;\n", out);
	}
	fputs("\t*) _describe command names; _arguments", out);
	zsh_options(out, global_options);
	fputs(" ;;\n\tesac\n}\ncompdef _endlab endlab\n", out);
}

/* `when` is a fish condition. */
static void fish_options(FILE *out, const struct option_help *option, const char *when)
{
	for (; option && option->name; option++) {
		bool is_long = option->name[1] == '-';
		fprintf(out, "complete -c endlab -n '%s' -%c %s%s -d '", when, is_long ? 'l' : 's',
		        option->name + 1 + is_long, option->value ? " -r" : "");
		quoted(out, option->summary, "\\");
		fputs("'\n", out);
	}
}

static void fish(FILE *out)
{
	fputs("complete -c endlab -f\n", out);
	fish_options(out, global_options, "__fish_use_subcommand");
	for (const struct command *const *c = commands; *c; c++) {
		char when[64];
		snprintf(when, sizeof when, "__fish_seen_subcommand_from %s", (*c)->name);
		fprintf(out, "complete -c endlab -n __fish_use_subcommand -a %s -d '", (*c)->name);
		quoted(out, (*c)->summary, "\\");
		fputs("'\n", out);
		fish_options(out, (*c)->options, when);
		if (completes(*c, "slice")) {
			fprintf(out, "complete -c endlab -n '%s' -a '", when);
			write_slices(out, "\\");
			fputs("'\n", out);
		} else if (completes(*c, "file")) {
			fprintf(out, "complete -c endlab -n '%s' -F\n", when);
		}
	}
}

enum el_status help_completion(FILE *out, const char *shell, struct el_error *error)
{
	static const struct {
		const char *name;
		void (*write)(FILE *);
	} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (!strcmp(shells[i].name, shell)) {
			shells[i].write(out);
			return EL_OK;
		}
	}
	return el_fail(error, EL_USAGE, "shell '%s' is not known; known are bash, zsh and fish", shell);
}

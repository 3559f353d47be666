/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include <string.h>

/* Text that roff must take as it is. */
static void plain(FILE *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++) {
		if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\\')
			fputs("\\e", out);
		else
			fputc(*text, out);
	}
}

static void write_options(FILE *out, const struct option_help *option)
{
	char summary[PARAGRAPH_MAX];
	for (; option && option->name; option++) {
		fputs(".TP\n\\fB", out);
		plain(out, option->name);
		fputs("\\fR", out);
		if (option->value)
			fprintf(out, " \\fI%s\\fR", option->value);
		fputc('\n', out);
		plain(out, help_option(option, summary));
		fputc('\n', out);
	}
}

static void write_paragraphs(FILE *out, const char *text)
{
	char paragraph[PARAGRAPH_MAX];
	while (help_paragraph(&text, paragraph)) {
		bool example = paragraph[0] == ' ';
		fputs(example ? ".PP\n.nf\n" : ".PP\n", out);
		plain(out, paragraph);
		fputs(example ? "\n.fi\n" : "\n", out);
	}
}

static void write_command(FILE *out, const struct command *command)
{
	fputs(".SS endlab ", out);
	plain(out, command->name);
	fputc(' ', out);
	plain(out, command->arguments);
	fputc('\n', out);
	write_paragraphs(out, command->help);
	write_options(out, command->options);
}

static void write_pairs(FILE *out, const char *const pairs[][2])
{
	for (; (*pairs)[0]; pairs++) {
		fputs(".TP\n\\fB", out);
		plain(out, (*pairs)[0]);
		fputs("\\fR\n", out);
		plain(out, (*pairs)[1]);
		fputc('\n', out);
	}
}

static const char *const statuses[][2] = {
	{"0", "done"},
	{"1", "a negative answer: no such table, a bad line, a failed verification, work stopped"},
	{"2", "wrong usage"},
	{"3", "damaged data"},
	{"4", "the operating system refused"},
	{0},
};

static const char *const variables[][2] = {
	{"ENDLAB_DIR", "where tables live, unless --dir says so"},
	{"ENDLAB_PATH", "more folders with tables, colon-separated, searched recursively"},
	{"ENDLAB_LESSONS", "folders with lessons, colon-separated, before those of the program"},
	{"XDG_DATA_HOME", "tables live in its folder endlab, unless ENDLAB_DIR says otherwise"},
	{"NO_COLOR", "when it is set and not empty, screens use no colour"},
	{0},
};

void help_manual(FILE *out)
{
	fputs(".TH ENDLAB 1 \"\" \"endlab " EL_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\nendlab \\- explore, solve and compress endgame tables\n"
	      ".SH SYNOPSIS\n.B endlab\n[\\fIOPTION\\fR...] [\\fIFEN\\fR]\n.br\n"
	      ".B endlab\n[\\fIOPTION\\fR...] \\fICOMMAND\\fR ...\n"
	      ".SH DESCRIPTION\nEndgames of chess and of English draughts. Without a command, endlab "
	      "opens its explorer, at the position \\fIFEN\\fR where one is given: that of chess as in "
	      "8/8/8/8/8/2k5/8/K6Q w \\- \\- 0 1, that of draughts as in W:WK3,20:BK30. Slices are "
	      "written KQvK in chess, checkers:KMvK in draughts (K king, M man).\n.SH OPTIONS\n",
	      out);
	write_options(out, global_options);
	fputs(".SH COMMANDS\n", out);
	for (const struct command *const *command = commands; *command; command++)
		write_command(out, *command);
	fputs(".SH EXIT STATUS\n", out);
	write_pairs(out, statuses);
	fputs(".SH ENVIRONMENT\n", out);
	write_pairs(out, variables);
}

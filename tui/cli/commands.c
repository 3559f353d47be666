/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All commands, and running one of them. */
#include "arguments.h"
#include "help.h"
#include "tui/text/words.h"

#include <string.h>

extern const struct command command_build, command_plan, command_solve, command_probe, command_line,
	command_annotate, command_survey, command_stats, command_records, command_find_positions,
	command_verify, command_check, command_lab, command_recode, command_export, command_film,
	command_list, command_doctor, command_serve, command_shell;

const struct command *const commands[] = {
	&command_build,
	&command_plan,
	&command_solve,
	&command_probe,
	&command_line,
	&command_annotate,
	&command_survey,
	&command_stats,
	&command_records,
	&command_find_positions,
	&command_verify,
	&command_check,
	&command_lab,
	&command_recode,
	&command_export,
	&command_film,
	&command_list,
	&command_doctor,
	&command_serve,
	&command_shell,
	NULL,
};

const struct option_help global_options[] = {
	{"--dir", "DIR",
         "where tables are kept and built (by default $ENDLAB_DIR, else "
         "$XDG_DATA_HOME/endlab, else ~/.local/share/endlab)",
         .values = &folder_values},
	{"--path", "DIRS",
         "more folders with tables, colon-separated; they are searched recursively, "
         "and before those of $ENDLAB_PATH; ~ may begin each, and one that cannot be opened is "
         "named on standard error",
         .values = &folder_values},
	{"--threads", "N", .summary = "threads that solve and compress (by default one a core)"},
	{"--plugin", "FILES",
         "shared objects that each define a codec, comma-separated; may be given "
         "several times; those of $ENDLAB_PLUGINS and of ~/.local/share/endlab/plugins "
         "are loaded without being named, and 'endlab list' names them",
         &file_values, .is_list = true},
	{"--cache", "SIZE",
         .summary = "memory for decoded table blocks, such as 256M (by default "
                    "an eighth of the machine's, at most 512M)"},
	{"--online", "URL",
         .summary =
                 "ask this server, such as https://tablebase.lichess.ovh, for positions of chess "
                 "that no table here knows: at most one a second, and none twice (by default "
                 "nobody is asked)"},
	{"--ascii",
         .summary =
                 "letters instead of glyphs for pieces and lines; type :blocks in the explorer to "
                 "choose the blocks in which large pieces are drawn"},
	{"--theme", "NAME", "colours of the explorer", .values = &theme_values},
	{"--lesson", "NAME", "start with a lesson, from a file or by name",
         .values = &lesson_values},
	{"--notes",
         .summary = "follow the lesson that an explorer plays in another terminal: its step, "
                    "the note for whoever presents it, and the answer"},
	{"--rule", "K|off",
         "start the explorer with a draw after K moves without a capture or a pawn move "
         "(by default 50)",
         .values = &rule_values},
	{"--completion", "SHELL", "print a completion script", .values = &shell_values},
	{"--man", "[PAGE]", "print endlab(1), or another manual page", .values = &page_values},
	{"--version", .summary = "print the version, and which sandbox commands run in"},
	{"--help", .summary = "print help; after a command, help for that command"},
	{0},
};

const struct command command_program = {.name = "", .options = global_options};

const struct command *command_find(const char *name)
{
	for (const struct command *const *command = commands; *command; command++)
		if (!strcmp((*command)->name, name))
			return *command;
	return NULL;
}

int command_run(struct cli *cli, int argc, char **argv)
{
	const struct command *command = command_find(argv[0]);
	if (!command) {
		struct nearest nearest = nearest_start(argv[0]);
		for (const struct option_help *o = global_options; o->name; o++)
			nearest_offer(&nearest, o->name);
		for (const struct command *const *c = commands; *c; c++)
			nearest_offer(&nearest, (*c)->name);
		if (nearest.best)
			return command_say(cli, argv[0], EL_USAGE,
			                   "no such command. Did you mean '%s'?", nearest.best);
		return command_say(cli, argv[0], EL_USAGE,
		                   "no such command, and not a position. Run 'endlab --help' for "
		                   "the commands.");
	}
	if (command_asks_help(argc, argv)) {
		help_command(cli->out, command);
		return 0;
	}
	return command_run_words(cli, command, argc, argv);
}

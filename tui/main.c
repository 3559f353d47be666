/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the words of the command line to a command or the explorer:
 *
 *     global options -> plug-ins -> directories -> library -> command_run or app_run -> exit status
 */
#include "codecs/codecs.h"
#include "core/builder/build.h"
#include "core/os/machine.h"
#include "core/os/ranks.h"
#include "core/os/sandbox.h"
#include "core/os/system.h"
#include "core/os/temporary.h"
#include "tui/cli/arguments.h"
#include "tui/cli/help.h"
#include "tui/cli/notes.h"
#include "tui/cli/online.h"
#include "tui/cli/rights.h"
#include "tui/screen/interrupt.h"
#include "tui/shell/app.h"
#include "tui/text/carried.h"
#include "tui/text/clean.h"
#include "tui/text/files.h"
#include "tui/text/json.h"
#include "tui/text/lines.h"
#include "tui/text/rule.h"
#include "tui/views/views.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLUGINS_MAX = 32 }; /* uses of --plugin */

/* The command line, sorted. */
struct request {
	struct arguments globals;         /* the global options and the remaining words */
	const struct command *command;    /* null: the explorer */
	const char *plugins[PLUGINS_MAX]; /* the values of each --plugin, in order */
	size_t plugin_count;
	struct online *online; /* null: nobody is asked */
};

/*
 * Removes the global options, wherever they are, and leaves the other words in order at the front
 * of argv. --help after a command belongs to the command.
 */
static enum el_status sort_words(int argc, char **argv, struct request *out, struct el_error *error)
{
	*out = (struct request){.globals = {.command = &command_program, .words = argv + 1}};
	struct arguments *globals = &out->globals;
	bool words_only = false;
	for (int i = 1; i < argc; i++) {
		bool option = !words_only && argv[i][0] == '-' && argv[i][1];
		if (option && !strcmp(argv[i], "-h"))
			argv[i] = "--help";
		bool helps = out->command && !strcmp(argv[i], "--help");
		const char *value;
		int place = -1, first = 0;
		/* The command's own options precede global ones of the same name. */
		const bool is_own = out->command &&
		                    option_take(out->command->options, 2, (char *[]){argv[i], ""},
		                                &first, &value, NULL) != -1;
		if (option && !helps && !is_own)
			place = option_take(global_options, argc, argv, &i, &value, error);
		if (place == -2)
			return EL_USAGE;
		if (place >= 0) {
			const bool is_plugin = !strcmp(global_options[place].name, "--plugin");
			globals->values[place] = value;
			if (is_plugin && out->plugin_count == PLUGINS_MAX)
				return el_fail(error, EL_USAGE,
				               "--plugin: expected at most %d of them",
				               PLUGINS_MAX);
			if (is_plugin) /* only it may be repeated */
				out->plugins[out->plugin_count++] = value;
			continue;
		}
		if (option && !out->command && strcmp(argv[i], "--"))
			return el_fail(error, EL_USAGE,
			               "unknown option '%s'. Run 'endlab --help' for the options.",
			               argv[i]);
		bool ends_options = !words_only && !strcmp(argv[i], "--");
		words_only = words_only || ends_options;
		if (ends_options && !out->command)
			continue; /* after a command it is the command's */
		if (globals->count == 0)
			out->command = command_find(argv[i]);
		globals->words[globals->count++] = argv[i];
	}
	return EL_OK;
}

/* The value of an environment variable; null if unset or empty. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

/* Finds the directory of our own tables. */
static enum el_status find_directory(const char *option, char out[PATH_MAX], struct el_error *error)
{
	const char *said = option ? option : variable("ENDLAB_DIR");
	const char *data = variable("XDG_DATA_HOME"), *home = variable("HOME");
	int length;
	if (said)
		length = place_of_typed(said, out) ? (int)strlen(out) : PATH_MAX;
	else if (data)
		length = snprintf(out, PATH_MAX, "%s/endlab", data);
	else if (home)
		length = snprintf(out, PATH_MAX, "%s/.local/share/endlab", home);
	else
		return el_fail(error, EL_USAGE,
		               "no directory for tables: give --dir or set ENDLAB_DIR");
	if (length == 0 || length >= PATH_MAX)
		return el_fail(error, EL_USAGE, "--dir: the name of the directory is %s",
		               length ? "too long" : "empty");
	return EL_OK;
}

/* In the sandbox of the command with these arguments, unless they are null, or there are ranks: what MPI
   does is its own affair. */
static enum el_status open_library(const struct arguments *globals,
                                   const struct arguments *arguments, const struct online *online,
                                   struct el_library **out, struct el_error *error)
{
	/* All 3- and 4-piece tables fit, unless the machine is small; memory is allocated as
	   needed. */
	const size_t most = (size_t)512 << 20;
	struct machine_memory memory;
	machine_memory("", &memory);
	const size_t eighth = memory.all / 8;
	char directory[PATH_MAX], checked[PATH_MAX], folder[PATH_MAX], *paths = NULL;
	struct el_library_options options = {.directory = directory,
	                                     .cache_bytes = eighth < most ? eighth : most};
	if (size_option(globals, "--cache", &options.cache_bytes, error) ||
	    find_directory(option_value(globals, "--dir"), directory, error))
		return EL_USAGE;
	/* A shell expands no ~ behind a colon or a quote. */
	const char *const lists[] = {option_value(globals, "--path"), variable("ENDLAB_PATH")};
	size_t length;
	FILE *all = open_memstream(&paths, &length);
	for (unsigned i = 0; i < 2 && all; i++) {
		char *copy = strdup(lists[i] ? lists[i] : ""), *rest = copy;
		for (const char *name; (name = strsep(&rest, ":"));)
			if (*name)
				fprintf(all, "%s:", place_of_typed(name, folder) ? folder : name);
		free(copy);
	}
	if (!all || fclose(all))
		return el_fail(error, EL_MEMORY, "the search path: out of memory");
	options.paths = paths;
	options.home = variable("HOME");
	if (place_of_cache("checked.tsv", checked))
		options.checked = checked;
	options.elsewhere = online ? online_elsewhere(online) : NULL;
	el_temporaries_sweep(directory);
	enum el_status status = arguments ? rights_drop(arguments, &options, error) : EL_OK;
	if (!status)
		status = el_library_open(&options, out, error);
	free(paths);
	return status;
}

/* "game.pgn" rather than a position: a word with the suffix of game files, or the name of whatever is
   there. */
static bool is_game_file(const struct arguments *globals)
{
	const char *word = globals->count == 1 ? globals->words[0] : "", *dot = strrchr(word, '.');
	struct stat about;
	if (dot && (!strcasecmp(dot, ".pgn") || !strcasecmp(dot, ".pdn")))
		return true;
	return *word && !stat(word, &about);
}

/* Is the word a slice? Then `fen` is its first position. */
static bool is_slice(const struct arguments *globals, char fen[EL_FEN_MAX])
{
	struct el_slice slice;
	struct el_position p;
	if (globals->count != 1 || el_slice_parse(globals->words[0], &slice, NULL))
		return false;
	for (uint64_t i = 0; i < slice.planes * slice.positions; i++)
		if (slice.game->unplace(&slice, (unsigned)(i / slice.positions),
		                        i % slice.positions, &p)) {
			slice.game->format(&p, fen);
			return true;
		}
	return false;
}

/* Reports a file that cannot be opened or is not text before the screen opens. */
static enum el_status check_readable(const char *path, struct el_error *error)
{
	char begin[512];
	struct stat about;
	/* Opening a pipe would wait for a writer. */
	if (!stat(path, &about) && !S_ISREG(about.st_mode))
		return el_fail(error, EL_IO, "%s: expected a file of games or positions, found %s",
		               path,
		               S_ISDIR(about.st_mode)    ? "a folder"
		               : S_ISFIFO(about.st_mode) ? "a pipe"
		                                         : "no regular file");
	struct text_file file = {.fd = open(path, O_RDONLY | O_CLOEXEC), .name = path};
	const ssize_t length = file.fd < 0 ? -1 : text_read(&file, begin, sizeof begin);
	const int why = errno;
	text_free(&file);
	if (file.fd >= 0)
		close(file.fd);
	if (file.error.status)
		return el_fail(error, EL_DAMAGED, "%s", file.error.text);
	if (length < 0)
		return el_fail(error, EL_IO, "%s: %s", path, strerror(why));
	if (!length)
		return el_fail(error, EL_NEGATIVE,
		               "%s: no game or position in it: the file is empty", path);
	if (memchr(begin, 0, (size_t)length))
		return el_fail(error, EL_NEGATIVE,
		               "%s: expected games or positions as text, found a zero byte", path);
	return EL_OK;
}

enum { FIRST_LINES_MAX = 3 };

/* The initial lines, from the options and a file. False without memory. */
static bool first_lines(const struct arguments *globals, const char *file,
                        char *out[FIRST_LINES_MAX + 1])
{
	const struct {
		const char *verb, *rest;
	} lines[FIRST_LINES_MAX] = {
		{"rule", option_value(globals, "--rule")},
		{"lesson", option_value(globals, "--lesson")},
		{"open", file},
	};
	bool done = true;
	for (size_t i = 0; i < FIRST_LINES_MAX; i++)
		if (lines[i].rest &&
		    (done = asprintf(out, "%s %s", lines[i].verb, lines[i].rest) >= 0))
			out++;
	*out = NULL;
	return done;
}

static int explore(struct cli *cli, const struct request *request)
{
	const struct arguments *globals = &request->globals;
	const char *file = is_game_file(globals) ? globals->words[0] : NULL;
	const char *rule = option_value(globals, "--rule");
	struct el_error error = {.text = ""};
	char state[PATH_MAX], *lines[FIRST_LINES_MAX + 1] = {NULL}, *lessons;
	const char *said = variable("ENDLAB_LESSONS"); /* precedes the built-in lessons */
	if (asprintf(&lessons, "%s:" LESSONS_BUILT_IN, said ? said : "") < 0)
		lessons = NULL;
	char first[EL_FEN_MAX] = "";
	char *fen = file || is_slice(globals, first) ? strdup(first)
	                                             : words_join(globals->words, globals->count);
	unsigned moves;
	enum el_status status = fen && lessons && first_lines(globals, file, lines)
	                                ? EL_OK
	                                : el_fail(&error, EL_MEMORY, "out of memory");
	if (!status && file)
		status = check_readable(file, &error);
	if (!status && rule)
		status = rule_parse(rule, &moves, &error);
	if (!status) {
		const struct app_options options = {
			.views = views,
			.library = cli->library,
			.fen = *fen ? fen : NULL,
			.theme = option_value(globals, "--theme"),
			.lines = (const char *const *)lines,
			.ascii = option_given(globals, "--ascii"),
			.lessons = lessons,
			.state = place_of_state("", state) ? state : NULL,
		};
		status = app_run(&options, &error);
	}
	if (status) /* EL_NEGATIVE is about the position */
		command_fail(cli, status == EL_NEGATIVE && !file ? fen : NULL, &error);
	free(fen);
	free(lessons);
	for (char **line = lines; *line; line++)
		free(*line);
	return command_exit(status);
}

/* Loads a list of names separated by commas or colons; a file of that whole name takes precedence.
   EL_USAGE names what cannot be used. */
static enum el_status load_plugins_of(const char *list, struct el_error *error)
{
	if (!access(list, F_OK))
		return el_codec_load(list, error);
	char *copy = strdup(list), *rest = copy;
	if (!copy)
		return el_fail(error, EL_MEMORY, "the plug-ins: out of memory");
	enum el_status status = EL_OK;
	for (char *name; !status && (name = strsep(&rest, ",:"));)
		status = *name ? el_codec_load(name, error)
		               : el_fail(error, EL_USAGE,
		                         "--plugin '%s': expected names with commas between "
		                         "them, found an empty one",
		                         list);
	free(copy);
	return status;
}

/* Must precede opening tables, which may need a plug-in. */
static enum el_status load_plugins(const struct request *request, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < request->plugin_count && !status; i++)
		status = load_plugins_of(request->plugins[i], error);
	return status ? status : el_codec_load_places(NULL, error);
}

/* Opens the library for the explorer, or for a command with these arguments. */
static enum el_status begin(struct cli *cli, const struct arguments *arguments,
                            struct el_error *error)
{
	const struct request *request = cli->beginner;
	struct el_error fault;
	if (open_library(&request->globals, cli->ranks ? NULL : arguments, request->online,
	                 &cli->library, error))
		return error->status;
	for (size_t i = 0; el_library_folder_fault(cli->library, i, &fault); i++)
		command_fail(cli, NULL, &fault);
	interrupt_at_end(el_temporaries_remove);
	if (arguments || cli->ranks)
		interrupt_catch(interrupt_hear);
	cli->begin = NULL;
	return EL_OK;
}

/* Runs with a library, or without one if only help or an error is printed. */
static int run_with_library(struct cli *cli, struct request *request)
{
	const struct arguments *globals = &request->globals;
	struct el_error error;
	bool help = request->command && command_asks_help(globals->count, globals->words);
	char first[EL_FEN_MAX];
	bool unknown = !request->command && globals->count && !is_position(globals->words[0]) &&
	               !is_game_file(globals) && !is_slice(globals, first);
	if (load_plugins(request, &error)) /* help lists them */
		return command_fail(cli, NULL, &error);
	if (help || unknown)
		return command_run(cli, globals->count, globals->words);
	const char *url = option_value(globals, "--online");
	if (url && online_open(url, &request->online, &error))
		return command_fail(cli, NULL, &error);
	cli->begin = begin;
	cli->beginner = request;
	const char *rank = variable("OMPI_COMM_WORLD_RANK");
	if (!RANKS_KNOWN && rank && !strcmp(rank, "0"))
		command_say(cli, NULL, EL_OK,
		            "made without MPI, so under mpirun each copy works alone (make MPI=1)");
	/* Rank 0 does what was asked, and the others help it until it ends. One that cannot open its library
	   must not leave the others waiting. */
	const enum el_status met = ranks_open(interrupt_signal, &cli->ranks, &error);
	const bool is_first = !cli->ranks || !cli->ranks->rank;
	enum el_status status = met;
	if (!status && (cli->ranks || !request->command))
		status = begin(cli, NULL, &error);
	if (!met && cli->ranks)
		status = ranks_agree(cli->ranks, status, NULL, 0, &error);
	int answer = command_exit(status);
	if (is_first)
		answer = status             ? command_fail(cli, NULL, &error)
		         : request->command ? command_run(cli, globals->count, globals->words)
		                            : explore(cli, request);
	else if (!met)
		answer = command_exit(el_build_join(cli->library, cli->ranks, cli->watch, &error));
	el_library_close(cli->library);
	ranks_close(cli->ranks);
	online_close(request->online);
	if (!request->command)
		interrupt_raise();
	return answer;
}

static int follow_notes(struct cli *cli, const struct arguments *globals)
{
	if (globals->count)
		return command_say(cli, NULL, EL_USAGE,
		                   "--notes: expected nothing else, found '%s'", globals->words[0]);
	interrupt_catch(interrupt_hear);
	const int answer = notes_run(cli);
	interrupt_raise();
	return answer;
}

static void print_version(FILE *out)
{
	char sandbox[SANDBOX_NAME_MAX];
	sandbox_name(sandbox);
	fprintf(out, "endlab " EL_VERSION "\nsandbox: %s\n", sandbox);
	if (RANKS_KNOWN)
		fputs("ranks: MPI\n", out);
}

/* Some global options are not for commands. Returns an exit status. */
static int refuse(struct cli *cli, const struct arguments *globals, const struct command *command)
{
	/* A command that knows rules takes its own after its name. */
	const struct option_help *o = command->options;
	while (o && o->name && strcmp(o->name, "--rule"))
		o++;
	if (option_given(globals, "--rule") && o && o->name)
		return command_say(cli, NULL, EL_USAGE,
		                   "--rule goes behind the command: endlab %s ... --rule K",
		                   command->name);
	if (option_given(globals, "--rule"))
		return command_say(cli, NULL, EL_USAGE, "%s has no --rule", command->name);
	/* Only where positions are looked at one by one. */
	if (option_given(globals, "--online") && !(command->rights & (ASKS | UNCONFINED)))
		return command_say(
			cli, NULL, EL_USAGE,
			"%s asks no server: --online is for the explorer, probe, line and "
			"annotate",
			command->name);
	return 0;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request;
	struct el_error error;
	enum el_status status = EL_OK;
	if (argc > 2 && !strcmp(argv[1], "--complete")) { /* called by completion scripts */
		status = help_complete(cli->out, argv[2], argv + 3, argc - 3, &error);
		return status ? command_fail(cli, NULL, &error) : 0;
	}
	/* The call from here makes this longest-lived thread OpenMP's first. LLVM 14 needs that
	   under tools such as the thread sanitizer: leaving a critical section looks at the first
	   thread. */
	int count = omp_get_max_threads();
	const struct arguments *globals = &request.globals;
	if (sort_words(argc, argv, &request, &error) || threads_option(globals, &count, &error))
		return command_fail(cli, NULL, &error);
	if (option_given(globals, "--threads"))
		omp_set_num_threads(count);
	const int refused = request.command ? refuse(cli, globals, request.command) : 0;
	if (refused)
		return refused;
	if (option_given(globals, "--completion"))
		status = help_completion(cli->out, option_value(globals, "--completion"), &error);
	else if (option_given(globals, "--help"))
		help_program(cli->out);
	else if (option_given(globals, "--man"))
		status = help_manual(cli->out, option_value(globals, "--man"), &error);
	else if (option_given(globals, "--version"))
		print_version(cli->out);
	else if (option_given(globals, "--notes"))
		return follow_notes(cli, globals);
	else
		return run_with_library(cli, &request);
	return status ? command_fail(cli, NULL, &error) : 0;
}

/* A failed write means failure, whatever else succeeded. A stopped command has already said so: its
   pending output is dropped. */
static int close_output(struct cli *cli, int answer)
{
	const int failed = fclose(cli->out) ? errno : 0;
	cli->out = stdout;
	if (!failed || command_stopped(answer))
		return answer;
	return command_worse(
		answer, command_say(cli, NULL, EL_IO, "standard output: %s", strerror(failed)));
}

/*
 * Threads that synchronise often should sleep rather than spin: on a busy machine spinning made
 * solving six times slower. And a control group may allow the time of fewer processors than OpenMP
 * sees. OpenMP reads these settings on loading, so the program restarts itself once with them, unless
 * the user has chosen already.
 */
static void choose_threads(char **argv)
{
	char count[16];
	const unsigned allowed = machine_processors("");
	snprintf(count, sizeof count, "%u", allowed);
	bool chosen = !getenv("OMP_WAIT_POLICY") && !setenv("OMP_WAIT_POLICY", "passive", 1);
	if (allowed < (unsigned)omp_get_num_procs() && !getenv("OMP_NUM_THREADS"))
		chosen |= !setenv("OMP_NUM_THREADS", count, 1);
	if (chosen)
		program_again(argv); /* if that fails, all works, only slower */
}

/* A file opened while one of the three is closed would take its number: tables would be read as
   commands. The placeholder can be neither read nor written, as requested. */
static void hold_closed_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	hold_closed_streams();
	choose_threads(argv);
	program_name("endlab"); /* restarted, it would be "exe", and `killall endlab` miss it */
	struct lines in = {.text = {.fd = STDIN_FILENO, .name = "standard input"}};
	struct cli cli = {
		.in = &in,
		.out = clean_stream(stdout),
		.err = clean_stream(stderr),
		.bar = isatty(STDERR_FILENO) ? stderr : NULL,
		.watch = &interrupt_watch,
	};
	if (!cli.out || !cli.err) {
		fputs("endlab: out of memory\n", stderr);
		return command_exit(EL_MEMORY);
	}
	signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit is an ordinary write error */
	json_begin();
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C"); /* programs read the numbers too */
	int answer = close_output(&cli, run(&cli, argc, argv));
	text_free(&in.text);
	fclose(cli.err);
	return answer;
}

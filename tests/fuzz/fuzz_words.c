/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as part of a command line, a query or a prompt: the first byte chooses its reader. Text
   that is understood reads back the same after writing; printed text is harmless to a terminal. */
#include "core/base/text.h"
#include "core/export/export.h"
#include "core/find/find.h"
#include "core/lab/lab.h"
#include "core/table/table.h"
#include "tests/fixtures/screens.h"
#include "try.h"
#include "tui/cli/lichess.h"
#include "tui/cli/store_options.h"
#include "tui/shell/line.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"
#include "tui/text/lab/candidates.h"
#include "tui/text/lines.h"
#include "tui/text/rule.h"
#include "tui/text/slices.h"
#include "tui/text/words.h"
#include "tui/views/lesson/lesson.h"
#include "tui/views/positions/filter.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct screens screens; /* for readers that ask the program */

/* ---- values of options ---- */

static void read_codec(const char *text)
{
	struct el_codec_choice choice, again;
	char name[EL_CODEC_TEXT];
	struct el_error error;
	if (el_codec_parse(text, &choice, &error))
		return;
	el_codec_format(&choice, name);
	must(!el_codec_parse(name, &again, &error) && again.codec == choice.codec);
	must(!memcmp(again.option, choice.option,
	             choice.codec->option_count * sizeof *again.option));
}

static void read_order(const char *text)
{
	static const char *const slices[] = {"KQvKR", "KPPvKP", "checkers:KMvK", "awari:4",
	                                     "morris:3v3"};
	struct el_table_options options = el_table_options_default(), again = options;
	char name[EL_ORDER_TEXT], same[EL_ORDER_TEXT];
	struct el_slice slice;
	for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
		must(!el_slice_parse(slices[i], &slice, NULL));
		if (el_order_parse(text, &slice, &options, NULL))
			continue;
		el_order_format(&slice, &options, name);
		must(!el_order_parse(name, &slice, &again, NULL));
		el_order_format(&slice, &again, same);
		must(!strcmp(name, same));
	}
	el_order_parse(text, NULL, &options, NULL);
}

static void read_small_ones(const char *text)
{
	const struct el_metric *metric, *metrics[METRICS_MAX + 1];
	const struct el_export_format *format;
	static const struct option_help options[] = {
		{"--metric", "LIST"}, {"--n", "N"}, {"--threads", "N"}, {"--size", "SIZE"}, {0}};
	const struct command command = {.options = options};
	const struct arguments arguments = {.command = &command,
	                                    .values = {text, text, text, text}};
	struct el_error error;
	enum el_fill fill;
	enum el_derive derive;
	enum el_lab_time front;
	uint32_t block;
	uint64_t number;
	size_t bytes;
	unsigned moves;
	int threads;
	must(el_fill_parse(text, &fill, &error) || !strcmp(el_fill_names[fill], text));
	must(el_derive_parse(text, &derive, &error) || !strcmp(el_derive_name(derive), text));
	must(el_block_parse(text, &block, &error) || (block && !(block & (block - 1))));
	must(el_metric_parse(text, &metric, &error) || !strcmp(metric->name, text) ||
	     metric->has_phase || metric->limit);
	must(metrics_option(&arguments, metrics, &error) || metrics[0]);
	must(rule_parse(text, &moves, &error) || moves <= EL_RULE_MAX);
	must(number_option(&arguments, "--n", 3, 1000, &number, &error) ||
	     (number >= 3 && number <= 1000));
	must(threads_option(&arguments, &threads, &error) || threads > 0);
	size_option(&arguments, "--size", &bytes, &error);
	el_workload_parse(text);
	el_lab_time_parse(text, &front, &error);
	el_export_format_parse(text, &format, &error);
}

static void read_candidates(const char *text)
{
	const struct lab_lists all[] = {{.codecs = text},
	                                {.blocks = text},
	                                {.fills = text},
	                                {.orders = text},
	                                {.derive = text}};
	struct lab_candidates candidates;
	struct el_slice slice;
	struct el_error error;
	must(!el_slice_parse("KPvK", &slice, NULL));
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		must(lab_candidates_parse(&all[i], &slice, &candidates, &error) ||
		     candidates.count);
		lab_candidates_free(&candidates);
	}
}

/* ---- slices, positions, files ---- */

static void read_slices(const char *text)
{
	struct slices slices = {.list = NULL};
	struct el_slice slice, again;
	const struct el_metric *metric;
	struct el_error error;
	if (!slice_parse(text, &slice, &error))
		must(!el_slice_parse(slice.name, &again, &error) && el_slice_equal(&slice, &again));
	must(slices_add(&slices, text, &error) || slices.count);
	slices_free(&slices);
	if (file_name_parse(text, &slice, &metric))
		must(el_game_has(slice.game, metric));
}

static void read_lichess(const char *text)
{
	const struct el_game *game;
	struct el_position position;
	char fen[EL_FEN_MAX];
	if (lichess_parse(text, &game, &position, NULL))
		return;
	game->format(&position, fen);
	must(!lichess_parse(fen, &game, &position, NULL));
}

/* A question that is understood is asked of a small slice; the fault of another lies in the text. */
static bool take_match(void *context, const struct el_match *match)
{
	(void)context;
	must(match->placements > 0);
	return true;
}

static void ask_query(const char *text)
{
	for (size_t i = 0; el_games[i]; i++) {
		struct el_query *query;
		struct el_query_fault fault;
		struct el_finder *finder;
		struct el_find_counts found;
		struct el_error error;
		struct el_slice slice;
		bool done;
		const struct el_find_options options = {.limit = 3, .take = take_match};
		if (el_query_parse(el_games[i], text, &query, &fault, &error)) {
			must(!query && fault.at <= strlen(text));
			continue;
		}
		must(!el_slice_parse(i ? "awari:1" : "KQvK", &slice, NULL));
		if (slice.game == el_games[i] &&
		    !el_finder_open(screens.model.library, query, &options, &finder, &error)) {
			el_finder_search(finder, &slice, &found, &done, &error);
			el_finder_close(finder);
		}
		el_query_free(query);
	}
}

static void read_filter(const char *text)
{
	struct filter filter, again;
	char words[FILTER_MAX], same[FILTER_MAX];
	struct listed listed = {.slice = "-"};
	must(!el_position_parse("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", &listed.game, &listed.position,
	                        NULL));
	if (filter_parse(text, &filter, NULL))
		return;
	filter_holds(&filter, &listed, true);
	filter_text(&filter, words);
	if (!filter_parse(words, &again, NULL)) /* the words may have been cut */
		filter_text(&again, same);
	while (filter.count)
		filter_remove(&filter, filter.count - 1);
}

/* ---- lines ---- */

static void read_line(const char *text)
{
	char why[LINE_WHY_MAX], **words = typed_complete(&screens.model, text, strlen(text));
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
	must(line_is_for_files(&screens.model, text, why) || *why);
}

static void read_question(const char *text)
{
	struct lesson_ask ask;
	char why[LESSON_WHY_MAX];
	must(ask_read(&screens.model, text, &ask, why) || *why);
}

/* The options of every command, and their meaning for how tables are written. */
static void read_options(const char *text)
{
	for (const struct command *const *command = commands; *command; command++) {
		struct el_table_options options = el_table_options_default();
		char *line = try_text((const uint8_t *)text, strlen(text)), *words[WORDS_MAX];
		struct arguments arguments;
		struct el_slice slice;
		int count;
		must(!el_slice_parse("KQvKR", &slice, NULL));
		if (!words_split(line, words, &count, NULL) && count &&
		    !arguments_parse(*command, count, words, &arguments, NULL)) {
			if (*command == command_find("recode"))
				store_options_parse(&arguments, &slice, &options, NULL);
			if (arguments.count)
				must(position_words(arguments.words, arguments.count) > 0);
		}
		free(line);
	}
}

/* Runs a whole command, one that only reads. */
static void run_command(const char *text)
{
	static const char *const names[] = {"probe", "line", "stats", "list", "records", "check"};
	char *line = try_text((const uint8_t *)text, strlen(text)), *words[WORDS_MAX], *printed;
	size_t size;
	int count;
	FILE *memory = open_memstream(&printed, &size), *out = clean_stream(memory);
	struct cli cli = {.library = screens.model.library, .out = out, .err = out};
	must(memory && out);
	if (!words_split(line, words, &count, NULL) && count && *words[0]) {
		words[0] = (char *)(uintptr_t)
			names[(unsigned char)*words[0] % (sizeof names / sizeof *names)];
		must(command_run(&cli, count, words) <= command_exit(EL_IO));
	}
	must(!fclose(out) && !fclose(memory));
	try_clean(printed, size);
	free(printed);
	free(line);
}

/* ---- ways out ---- */

static void print(const char *text)
{
	const size_t length = strlen(text);
	char *printed, shown[64];
	size_t size;
	FILE *memory = open_memstream(&printed, &size), *out = clean_stream(memory);
	must(memory && out && fwrite(text, 1, length, out) == length);
	clean_print(out, text);
	must(!fclose(out) && !fclose(memory));
	try_clean(printed, size);
	free(printed);
	el_show(text, shown, sizeof shown);
	must(is_clean(shown));
}

static void print_json(const char *text)
{
	cJSON *object = cJSON_CreateObject();
	char *printed;
	size_t size;
	FILE *memory = open_memstream(&printed, &size), *out = clean_stream(memory);
	json_text(object, "text", text);
	must(memory && out && json_print(out, object) && !fclose(out) && !fclose(memory));
	try_clean(printed, size);
	cJSON *again = cJSON_Parse(printed);
	must(again);
	cJSON_Delete(again);
	free(printed);
}

/* The magic numbers of packings and the byte order marks hold bytes that a text has too. */
static void read_input(const char *text)
{
	static struct lines lines;
	const int fd = memfd_create("lines", 0);
	const size_t length = strlen(text);
	struct line line;
	must(fd >= 0 && write(fd, text, length) == (ssize_t)length && !lseek(fd, 0, SEEK_SET));
	lines = (struct lines){.text = {.fd = fd, .name = "lines"}};
	while (!lines_next(&lines, NULL, &line, NULL))
		must(strlen(line.text) <= line.length);
	text_free(&lines.text);
	close(fd);
}

/* ---- */

static void begin(void)
{
	static const struct el_library_options options = {.directory = "/nonexistent"};
	struct el_library *library;
	json_begin();
	must(!el_library_open(&options, &library, NULL));
	el_library_set_pace(library, 1); /* else it would find out by solving */
	screens_open(&screens, library, NULL, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const char *) = {
		read_codec,   read_order,  read_small_ones, read_candidates, read_slices,
		read_lichess, read_filter, read_line,       read_question,   read_options,
		run_command,  print,       print_json,      read_input,      ask_query,
	};
	if (!screens.model.library)
		begin();
	if (!size)
		return 0;
	char *text = try_text(data + 1, size - 1);
	readers[*data % (sizeof readers / sizeof *readers)](text);
	free(text);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "core/base/text.h"
#include "core/os/sandbox.h"
#include "core/probe/probe.h"
#include "http.h"
#include "lichess.h"
#include "tui/text/json.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const struct option_help options[] = {
	{"--bind", "HOST:PORT",
         .summary = "where to listen (by default 127.0.0.1:9000, which only this machine "
                    "reaches); an IPv6 address is in brackets, and port 0 finds a free one"},
	{"--connections", "N",
         .summary = "keep at most so many open (by default 1024, or as many as the limit on open "
                    "files allows); a new one then displaces an idle one of the client that has "
                    "most"},
	{"--log", "FILE",
         .summary = "append a line for each request, in the Combined Log Format; - is standard "
                    "error",
         .values = &file_values},
	{"--proxy", "ADDRESS",
         .summary = "believe X-Forwarded-For from this address too, where a proxy is (by default "
                    "only from this machine)"},
	{"--rate", "N",
         .summary = "answer at most N requests a second from one client, or 10 N at once (by "
                    "default any number)"},
	{"--threads", "N",
         .summary = "threads that answer (by default one a core, but at least 4)"},
	{"--timeout", "S",
         .summary = "close a connection that takes longer than S seconds over a request, or idles "
                    "longer (by default 10)"},
	{0},
};

enum {
	CONNECTIONS_USUAL = 1024,
	CONNECTIONS_MAX = 100000,
	THREADS_LEAST = 4,
	THREADS_MAX = 256,
	SECONDS_USUAL = 10,
	SECONDS_MAX = 3600,
	RATE_MAX = 1000000,
	OTHER_DESCRIPTORS = 128, /* for tables, folders and streams */
	TICK_MS = 100,
	LOOK_TICKS = 20, /* between two scans of the folders */
};

enum { OK = 200, BAD_REQUEST = 400, NOT_FOUND = 404, SERVER_ERROR = 500 };

/* ---- answers ---- */

static struct http_reply text_reply(unsigned status, const char *text)
{
	struct http_reply reply = {.status = status};
	char line[2 * sizeof((struct el_error *)0)->text];
	el_show(text, line, sizeof line);
	if (asprintf(&reply.body, "%s\n", line) < 0)
		reply.body = NULL;
	return reply;
}

/* What the server of the lichess tablebase reports, and more, in the line protocol of InfluxDB. */
static struct http_reply monitor(struct el_library *library, struct http *server)
{
	struct el_cache_counters cache;
	struct http_reply reply = {.status = OK};
	el_library_counters(library, &cache);
	if (asprintf(&reply.body,
	             "tablebase cache=%lluu,cache_miss=%lluu,cache_hit=%lluu,cache_bytes=%lluu,"
	             "requests=%luu,connections=%uu\n",
	             (unsigned long long)cache.blocks, (unsigned long long)cache.misses,
	             (unsigned long long)cache.hits, (unsigned long long)cache.bytes,
	             http_answered(server), http_connections(server)) < 0)
		reply.body = NULL;
	return reply;
}

static bool dtc_read(const char *word, enum lichess_dtc *out)
{
	static const char *const words[] = {
		[LICHESS_DTC_AUXILIARY] = "auxiliary",
		[LICHESS_DTC_NEVER] = "never",
		[LICHESS_DTC_ALWAYS] = "always",
	};
	*out = LICHESS_DTC_AUXILIARY;
	while (word && *out <= LICHESS_DTC_ALWAYS && strcmp(word, words[*out]))
		++*out;
	return *out <= LICHESS_DTC_ALWAYS;
}

static struct http_reply answer(void *context, const struct http_request *request)
{
	const struct el_question question = {.rule = EL_RULE_USUAL,
	                                     .faults = el_library_faults(context)};
	const bool line = !strcmp(request->path, "/standard/mainline");
	const char *fen = http_query(request, "fen");
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	enum lichess_dtc dtc;
	cJSON *object = NULL;
	if (!strcmp(request->path, "/monitor"))
		return monitor(context, request->server);
	if (!line && strcmp(request->path, "/standard"))
		return text_reply(NOT_FOUND, "no such path: expected /standard?fen=..., "
		                             "/standard/mainline?fen=... or /monitor");
	if (!fen)
		return text_reply(BAD_REQUEST, "expected fen=... in the query: the position");
	if (!dtc_read(http_query(request, "dtc"), &dtc))
		return text_reply(BAD_REQUEST, "dtc: expected never, auxiliary or always");
	if (lichess_parse(fen, &game, &position, &error))
		return text_reply(BAD_REQUEST, error.text);
	const enum el_status status =
		line ? lichess_mainline(context, game, &position, &object, &error)
		     : lichess_answer(context, game, &position, &question, dtc, &object, &error);
	/* Take over the object. EL_NEGATIVE without one: no table covers the position. */
	if (object)
		return (struct http_reply){OK, true, json_string(object)};
	return text_reply(status == EL_NEGATIVE ? NOT_FOUND
	                  : status == EL_USAGE  ? BAD_REQUEST
	                                        : SERVER_ERROR,
	                  error.text);
}

/* ---- options ---- */

static enum el_status parse(const struct arguments *arguments, struct http_options *out,
                            struct el_error *error)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t connections = CONNECTIONS_USUAL, seconds = SECONDS_USUAL, rate = 0;
	uint64_t threads = cores < THREADS_LEAST ? THREADS_LEAST
	                   : cores > THREADS_MAX ? THREADS_MAX
	                                         : (uint64_t)cores;
	if (number_option(arguments, "--connections", 1, CONNECTIONS_MAX, &connections, error) ||
	    number_option(arguments, "--threads", 1, THREADS_MAX, &threads, error) ||
	    number_option(arguments, "--timeout", 1, SECONDS_MAX, &seconds, error) ||
	    number_option(arguments, "--rate", 1, RATE_MAX, &rate, error))
		return EL_USAGE;
	const char *proxy = option_value(arguments, "--proxy");
	out->has_proxy = proxy;
	if (proxy && !address_read(proxy, &out->proxy))
		return el_fail(error, EL_USAGE,
		               "--proxy '%s': expected an address, such as 192.0.2.7", proxy);
	out->connections = (unsigned)connections;
	out->threads = (unsigned)threads;
	out->seconds = (unsigned)seconds;
	out->rate = (unsigned)rate;
	/* Raise the descriptor limit, since each connection needs one. Unless a number was
	   requested, fewer connections will do. */
	const uint64_t others = OTHER_DESCRIPTORS + http_descriptors(out->threads);
	const uint64_t wanted = others + connections;
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
		return EL_OK;
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	if (!setrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur == wanted)
		return EL_OK;
	if (option_given(arguments, "--connections") || limit.rlim_cur <= others)
		return el_fail(
			error, EL_IO,
			"%llu connections: that needs %llu open files, and the limit is %llu "
			"(ulimit -n)",
			(unsigned long long)connections, (unsigned long long)wanted,
			(unsigned long long)limit.rlim_cur);
	out->connections = (unsigned)(limit.rlim_cur - others);
	return EL_OK;
}

/* ---- the server ---- */

/* Opens the log, to be appended to; standard error stays open when it is closed. */
static enum el_status open_log(const char *name, int *out, struct el_error *error)
{
	*out = !name               ? -1
	       : strcmp(name, "-") ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)
	                           : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	return name && *out < 0 ? el_fail(error, EL_IO, "%s: %s", name, strerror(errno)) : EL_OK;
}

/* Says which depths clients will miss, of how many of the endings that have tables. */
static enum el_status tell_missing(struct cli *cli, struct el_error *error)
{
	static const struct {
		const char *metric, *field, *also;
	} fields[] = {
		{"dtz50", "dtz", " and no main lines"},
		{"dtm", "dtm", ""},
		{"dtc", "dtc", ""},
	};
	struct el_entry *list;
	size_t count, endings = 0, lacking[sizeof fields / sizeof *fields] = {0};
	const char *first[sizeof fields / sizeof *fields];
	const enum el_status status = el_library_list(cli->library, &list, &count, error);
	if (status)
		return status;
	el_entries_fold(list, &count);
	for (size_t i = 0; i < count; i++) {
		const struct el_slice *slice = &list[i].slice;
		if (list[i].ignored || lichess_check_game(slice->game, error) ||
		    (i && !strcmp(list[i - 1].slice.name, slice->name)))
			continue;
		endings++;
		for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
			const struct el_metric *want = el_metric_find(fields[f].metric),
					       *have = NULL;
			do
				have = el_library_next_metric(cli->library, slice, have);
			while (have && !(el_metric_tells(have, want) &&
			                 el_library_covers(cli->library, slice, have)));
			if (!have && !lacking[f]++)
				first[f] = slice->name;
		}
	}
	if (!endings)
		fprintf(cli->out,
		        "no tables for clients in %s: 'endlab build 3 --metric dtm,dtz50' makes "
		        "some\n",
		        el_library_directory(cli->library));
	for (size_t f = 0; endings && f < sizeof fields / sizeof *fields; f++)
		if (lacking[f] == endings)
			fprintf(cli->out, "no %s tables: clients get no \"%s\"%s\n",
			        fields[f].metric, fields[f].field, fields[f].also);
		else if (lacking[f])
			fprintf(cli->out,
			        "no %s tables of %zu of %zu endings, such as %s: clients get no "
			        "\"%s\"%s there\n",
			        fields[f].metric, lacking[f], endings, first[f], fields[f].field,
			        fields[f].also);
	el_entries_free(list, count);
	return EL_OK;
}

/* Serves until a signal, which is the normal end, not a failure. */
static void tend(struct cli *cli, struct http *http)
{
	static const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
	struct el_error last = {.text = ""}, error;
	struct el_progress progress = {.stage = "serving", .what = "", .unit = "requests"};
	bool complains = false;
	for (unsigned ticks = 1; el_watch_tick(cli->watch, &progress); ticks++) {
		nanosleep(&tick, NULL);
		if (http_tend(http, &error) && !complains) {
			complains = true;
			command_fail(cli, "serve", &error);
		}
		if (ticks % LOOK_TICKS == 0) {
			/* Report a fault of the folders once, until it changes. */
			error = (struct el_error){.text = ""};
			if (el_library_rescan(cli->library, &error) &&
			    strcmp(error.text, last.text))
				command_fail(cli, "serve", &error);
			last = error;
			command_tell_faults(cli, "serve", el_library_faults(cli->library));
		}
		progress.done = (double)http_answered(http);
	}
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *bind = option_value(arguments, "--bind");
	struct http_options http_options = {.log = -1, .answer = answer};
	struct http *http = NULL;
	struct el_error error;
	char name[HTTP_ADDRESS_MAX];
	enum el_status status = parse(arguments, &http_options, &error);
	if (!status)
		status = open_log(option_value(arguments, "--log"), &http_options.log, &error);
	if (!status)
		status = http_listen(bind ? bind : "127.0.0.1:9000", &http_options.listener, name,
		                     &error);
	const bool first = cli->begin;
	if (!status && first && (status = cli->begin(cli, arguments, &error)))
		close(http_options.listener);
	http_options.context = cli->library;
	if (!status)
		status = http_open(&http_options, &http, &error);
	int failed = status ? command_fail(cli, "serve", &error) : 0;
	if (!status) {
		char sandbox[SANDBOX_NAME_MAX] = "none (the shell and the explorer have none)";
		if (first)
			sandbox_name(sandbox);
		fprintf(cli->out, "serving http://%s/standard?fen=...\nsandbox: %s\n", name,
		        sandbox);
		if (tell_missing(cli, &error))
			command_fail(cli, "serve", &error);
		if (!fflush(cli->out)) /* else the program ends with an error */
			tend(cli, http);
		http_close(http);
	}
	if (http_options.log >= 0)
		close(http_options.log);
	return failed;
}

const struct command command_serve = {
	.name = "serve",
	.arguments = "[OPTION...]",
	.summary = "answer programs over HTTP, as the lichess tablebase does",
	.help = "Serves the tables to programs that are made for the lichess tablebase API: what "
		"they ask of https://tablebase.lichess.ovh they can ask of this machine. Tables "
		"that are built meanwhile are noticed within seconds. ^C or SIGTERM ends it, with "
		"exit status 0.\n"
		"GET /standard?fen=FEN answers with a JSON object: the value of the position in "
		"\"category\", \"dtz\", \"precise_dtz\" and \"dtm\", and the legal moves, best "
		"first, each with the value of the position behind it for the opponent. "
		"Underscores may stand for the blanks of a FEN. Depths are in plies, negative for "
		"the side that loses, null where no table has them: \"dtz\" needs dtz50 tables, "
		"\"dtm\" dtm tables. Under the halfmove clock a category is win, cursed-win, draw, "
		"blessed-loss or loss; syzygy-win or syzygy-loss where rounding leaves that open, "
		"maybe-win or maybe-loss where no table tells whether it is in time; and unknown "
		"where no table covers the position.\n"
		"With &dtc=always answers have \"dtc\" too, which needs dtc tables: moves of the "
		"winner up to the next capture or promotion that keeps the outcome. By default, "
		"dtc=auxiliary, only positions of eight pieces and more have it, as on lichess; "
		"with dtc=never none.\n"
		"GET /standard/mainline?fen=FEN answers with the line that is optimal under "
		"dtz50. GET /monitor answers with counts of requests, connections and blocks of "
		"tables in memory, in the line protocol of InfluxDB. HEAD and OPTIONS are "
		"answered as a script of any origin needs it.\n"
		"Errors are one line: 400 for a position that is missing, malformed or not legal, "
		"and for a request that is not HTTP (one of a single word only ends the "
		"connection), 404 for another path and for a main line that no table tells, 405 "
		"for another method, 413, 414 or 431 for a request of more than 16 KB, 429 for a "
		"client that asks more often than --rate, 500 for a damaged table, 503 when all "
		"connections are busy, 505 for another version of HTTP.\n"
		"A client is an IPv4 address, or an IPv6 network of 64 bits. Behind a proxy it is "
		"the last address in X-Forwarded-For, which is believed from this machine and "
		"from --proxy alone. While it serves, the server itself may read the folders of "
		"tables and nothing else of yours, write nothing but its log, run no program and "
		"open no connection; its second line says how far the system sees to that. A "
		"folder that is replaced by another of its name needs a restart, and so does a new "
		"link that leads out of them. There is no encryption and no password: for the open "
		"Internet put a proxy in front. samples/serving.md has examples for nginx and "
		"Caddy, and tells of the systemd unit.\n"
		"  endlab serve &\n"
		"  curl 'http://127.0.0.1:9000/standard?fen=4k3/8/4K3/8/8/8/8/7R_w_-_-_0_1'",
	.options = options,
	.touches = "the network",
	.rights = SERVES,
	.run = run,
};

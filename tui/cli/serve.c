/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "core/base/text.h"
#include "core/probe/probe.h"
#include "http.h"
#include "lichess.h"
#include "tui/text/json.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const struct option_help options[] = {
	{"--bind", "HOST:PORT",
         .summary = "where to listen (by default 127.0.0.1:9000, which only this machine "
                    "reaches); an IPv6 address is in brackets, and port 0 finds a free one"},
	{"--connections", "N",
         .summary = "serve at most so many at a time (by default 1024, or as many as the "
                    "limit on open files allows)"},
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

static struct http_reply answer(void *context, const struct http_request *request)
{
	static const struct el_question question = {.rule = EL_RULE_USUAL};
	const bool line = !strcmp(request->path, "/standard/mainline");
	const char *fen = http_query(request, "fen");
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	cJSON *object = NULL;
	if (!line && strcmp(request->path, "/standard"))
		return text_reply(NOT_FOUND, "no such path: expected /standard?fen=... or "
		                             "/standard/mainline?fen=...");
	if (!fen)
		return text_reply(BAD_REQUEST, "expected fen=... in the query: the position");
	if (lichess_parse(fen, &game, &position, &error))
		return text_reply(BAD_REQUEST, error.text);
	const enum el_status status =
		line ? lichess_mainline(context, game, &position, &object, &error)
		     : lichess_answer(context, game, &position, &question, &object, &error);
	/* Take over the object. EL_NEGATIVE without one: no table covers the position. */
	if (object)
		return (struct http_reply){OK, true, json_string(object)};
	return text_reply(status == EL_NEGATIVE ? NOT_FOUND
	                  : status == EL_USAGE  ? BAD_REQUEST
	                                        : SERVER_ERROR,
	                  error.text);
}

/* ---- options ---- */

struct serving {
	const char *bind;
	uint64_t connections, threads, seconds;
};

static enum el_status number(const struct arguments *arguments, const char *option, uint64_t usual,
                             uint64_t most, uint64_t *out, struct el_error *error)
{
	const char *value = option_value(arguments, option);
	*out = usual;
	return value ? number_parse(option, value, 1, most, out, error) : EL_OK;
}

static enum el_status parse(const struct arguments *arguments, struct serving *out,
                            struct el_error *error)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	const uint64_t threads = cores < THREADS_LEAST ? THREADS_LEAST
	                         : cores > THREADS_MAX ? THREADS_MAX
	                                               : (uint64_t)cores;
	const char *bind = option_value(arguments, "--bind");
	out->bind = bind ? bind : "127.0.0.1:9000";
	enum el_status status = number(arguments, "--connections", CONNECTIONS_USUAL,
	                               CONNECTIONS_MAX, &out->connections, error);
	if (!status)
		status = number(arguments, "--threads", threads, THREADS_MAX, &out->threads, error);
	if (!status)
		status = number(arguments, "--timeout", SECONDS_USUAL, SECONDS_MAX, &out->seconds,
		                error);
	if (status)
		return status;
	/* Raise the descriptor limit, since each connection needs one. Unless a number was
	   requested, fewer connections will do. */
	const uint64_t others = OTHER_DESCRIPTORS + http_descriptors((unsigned)out->threads);
	const uint64_t wanted = others + out->connections;
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
			(unsigned long long)out->connections, (unsigned long long)wanted,
			(unsigned long long)limit.rlim_cur);
	out->connections = limit.rlim_cur - others;
	return EL_OK;
}

/* ---- the server ---- */

/* Serves until a signal, which is the normal end, not a failure. */
static void tend(struct cli *cli, struct http *http)
{
	static const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
	struct el_error last = {.text = ""}, error;
	struct el_progress progress = {.stage = "serving", .what = "", .unit = "requests"};
	for (unsigned ticks = 1; el_watch_tick(cli->watch, &progress); ticks++) {
		nanosleep(&tick, NULL);
		http_tend(http);
		if (ticks % LOOK_TICKS == 0) {
			/* Report a fault of the folders once, until it changes. */
			error = (struct el_error){.text = ""};
			if (el_library_rescan(cli->library, &error) &&
			    strcmp(error.text, last.text))
				command_fail(cli, "serve", &error);
			last = error;
		}
		progress.done = (double)http_answered(http);
	}
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct serving s;
	struct http *http = NULL;
	struct el_error error;
	char name[HTTP_ADDRESS_MAX];
	int listener;
	enum el_status status = parse(arguments, &s, &error);
	if (!status)
		status = http_listen(s.bind, &listener, name, &error);
	if (!status)
		status = http_open(&(struct http_options){.listener = listener,
		                                          .connections = (unsigned)s.connections,
		                                          .threads = (unsigned)s.threads,
		                                          .seconds = (unsigned)s.seconds,
		                                          .answer = answer,
		                                          .context = cli->library},
		                   &http, &error);
	if (status)
		return command_fail(cli, "serve", &error);
	fprintf(cli->out, "serving http://%s/standard?fen=...\n", name);
	if (!fflush(cli->out)) /* else the program ends with an error */
		tend(cli, http);
	http_close(http);
	return 0;
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
		"GET /standard/mainline?fen=FEN answers with the line that is optimal under "
		"dtz50.\n"
		"Errors are one line: 400 for a position that is missing, malformed or not legal, "
		"and for a request that is not HTTP (one of a single word only ends the "
		"connection), 404 for another path and for a main line that no table tells, 405 "
		"for another method than GET and HEAD, 414 or 431 for a request of more than 16 "
		"KB, 500 for a damaged table, 503 when there are too many connections, 505 for "
		"another version of HTTP.\n"
		"There is no encryption and no password: to listen to other machines is for "
		"networks that you trust.\n"
		"  endlab serve &\n"
		"  curl 'http://127.0.0.1:9000/standard?fen=4k3/8/4K3/8/8/8/8/7R_w_-_-_0_1'",
	.options = options,
	.touches = "the network",
	.run = run,
};

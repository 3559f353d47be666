/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by commands. */
#include "command.h"
#include "tui/screen/interrupt.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"

#include <stdarg.h>
#include <string.h>

enum { STOPPED = 128 }; /* the convention of shells */

int command_exit(enum el_status status)
{
	static const int exits[] = {
		[EL_OK] = 0, [EL_NEGATIVE] = 1, [EL_USAGE] = 2,      [EL_DAMAGED] = 3,
		[EL_IO] = 4, [EL_MEMORY] = 4,   [EL_UNREADABLE] = 1, [EL_OUTDATED] = 1,
	};
	return status == EL_STOPPED ? STOPPED + interrupt_signal() : exits[status];
}

bool command_stopped(int exit_status)
{
	return exit_status >= STOPPED;
}

int command_worse(int a, int b)
{
	return a > b ? a : b;
}

const struct el_watch *command_asking(const struct cli *cli)
{
	static const struct el_watch patient;
	return cli->watch ? cli->watch : &patient;
}

int command_fail(struct cli *cli, const char *what, const struct el_error *error)
{
	fflush(cli->out);
	fputs("endlab: ", cli->err);
	clean_print(cli->err, what ? what : "");
	fprintf(cli->err, "%s%s\n", what ? ": " : "", error->text);
	fflush(cli->err); /* a service goes on for months */
	return command_exit(error->status);
}

int command_say(struct cli *cli, const char *what, enum el_status status, const char *format, ...)
{
	struct el_error error = {.status = status};
	va_list args;
	va_start(args, format);
	vsnprintf(error.text, sizeof error.text, format, args);
	va_end(args);
	return command_fail(cli, what, &error);
}

void command_tell_faults(struct cli *cli, const char *what, struct el_faults *faults)
{
	struct el_error error;
	while (el_faults_next(faults, &error))
		command_fail(cli, what, &error);
}

int json_write(struct cli *cli, cJSON *object)
{
	return json_print(cli->out, object)
	               ? 0
	               : command_say(cli, NULL, EL_MEMORY, "the answer: out of memory");
}

enum el_status command_missing(struct cli *cli, const struct el_slice *slice,
                               const struct el_metric *metric, struct el_error *error)
{
	struct el_entry *entries;
	size_t count;
	enum el_status status = el_library_list(cli->library, &entries, &count, error);
	if (status)
		return status;
	const struct el_entry *e = entries, *end = entries + count;
	while (e < end && !(e->status && e->metric && el_slice_equal(&e->slice, slice) &&
	                    (!metric || e->metric == metric)))
		e++;
	if (e < end) /* its file could not be opened */
		status = el_fail(error, e->status, "%s: %s", e->path, e->ignored);
	else
		status = el_fail(error, EL_NEGATIVE,
		                 "no %s%stable of %s in %s. Run 'endlab build %s%s%s' to build it.",
		                 metric ? metric->name : "", metric ? " " : "", slice->name,
		                 el_library_directory(cli->library), slice->name,
		                 metric ? " --metric " : "", metric ? metric->name : "");
	el_entries_free(entries, count);
	return status;
}

bool command_asks_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "journal.h"

#include "endlab/build.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A slice, a metric, and phases with numbers of 64 bits: less than half of it. */
enum { JOURNAL_LINE = 512 };

static void journal_path(const char *directory, char out[PATH_MAX])
{
	snprintf(out, PATH_MAX, "%s/.journal.tsv", directory);
}

/* Returns the length of the line. */
static size_t write_line(const struct el_planes *planes, char out[JOURNAL_LINE])
{
	size_t used = (size_t)snprintf(out, JOURNAL_LINE, "%s\t%s\t%u", planes->slice.name,
	                               planes->metric->name, planes->passes);
	for (const struct el_phase *p = planes->phase; p->name[0]; p++)
		used += (size_t)snprintf(out + used, JOURNAL_LINE - used, "\t%s\t%" PRIu64 "\t%.6f",
		                         p->name, p->decided, p->seconds);
	out[used++] = '\n';
	return used;
}

enum el_status journal_add(const char *directory, const struct el_planes *planes,
                           struct el_error *error)
{
	char path[PATH_MAX], line[JOURNAL_LINE];
	const size_t length = write_line(planes, line);
	journal_path(directory, path);
	const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return el_fail(error, EL_IO, "%s: %s", path, strerror(errno));
	const bool whole = write(fd, line, length) == (ssize_t)length;
	const int reason = errno;
	close(fd);
	return whole ? EL_OK
	             : el_fail(error, EL_IO, "%s: cannot write: %s", path, strerror(reason));
}

/* The next field of a line; null when there are no more. */
static char *next_field(char **line)
{
	return *line ? strsep(line, "\t\n") : NULL;
}

/* What follows the metric. A line that was cut off says as much as is there. */
static void read_solution(char *line, struct el_solution *out)
{
	const char *passes = next_field(&line);
	*out = (struct el_solution){.passes = passes ? (unsigned)strtoul(passes, NULL, 10) : 0};
	for (unsigned i = 0; i + 1 < EL_PHASES_MAX; i++) {
		const char *name = next_field(&line), *decided = next_field(&line),
			   *seconds = next_field(&line);
		if (!seconds)
			return;
		snprintf(out->phase[i].name, sizeof out->phase[i].name, "%s", name);
		out->phase[i].decided = strtoull(decided, NULL, 10);
		out->phase[i].seconds = strtod(seconds, NULL);
	}
}

bool el_solution_find(const char *directory, const struct el_slice *slice,
                      const struct el_metric *metric, struct el_solution *out)
{
	char path[PATH_MAX], *text = NULL;
	size_t room = 0;
	bool found = false;
	journal_path(directory, path);
	FILE *file = fopen(path, "re");
	while (file && getline(&text, &room, file) > 0) {
		char *line = text;
		const char *name = next_field(&line), *by = next_field(&line);
		if (!by || strcmp(name, slice->name) || strcmp(by, metric->name))
			continue;
		read_solution(line, out);
		found = out->phase[0].name[0];
	}
	free(text);
	if (file)
		fclose(file);
	return found;
}

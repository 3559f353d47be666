/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "journal.h"

#include "endlab/build.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void journal_path(const char *directory, char out[PATH_MAX])
{
	snprintf(out, PATH_MAX, "%s/journal.tsv", directory);
}

enum el_status journal_add(const char *directory, const struct el_planes *planes,
                           struct el_error *error)
{
	char path[PATH_MAX];
	journal_path(directory, path);
	FILE *file = fopen(path, "ae");
	if (!file)
		return el_fail(error, EL_IO, "%s: %s", path, strerror(errno));
	fprintf(file, "%s\t%s\t%u", planes->slice.name, planes->metric->name, planes->passes);
	for (const struct el_phase *p = planes->phase; p->name[0]; p++)
		fprintf(file, "\t%s\t%" PRIu64 "\t%.6f", p->name, p->decided, p->seconds);
	putc('\n', file);
	const bool failed = ferror(file);
	if (fclose(file) || failed)
		return el_fail(error, EL_IO, "%s: cannot write: %s", path, strerror(errno));
	return EL_OK;
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

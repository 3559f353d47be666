/* SPDX-License-Identifier: MIT */
#include "journal.h"

#include "core/base/text.h"
#include "core/os/files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A slice, a metric and parts with 64-bit numbers take less than half of it. */
enum { JOURNAL_LINE = 1024 };

static void journal_path(const char *directory, char out[PATH_MAX])
{
	snprintf(out, PATH_MAX, "%s/.journal.tsv", directory);
}

static const char solved_part[] = "solved", written_part[] = "written";
static const char *const found_parts[2][2] = {{"white won", "white lost"},
                                              {"black won", "black lost"}};

static void add_part(char line[JOURNAL_LINE], const char *name, uint64_t count, double seconds)
{
	el_text_add(line, JOURNAL_LINE, "\t%s\t%" PRIu64 "\t%.6f", name, count, seconds);
}

/* Only if each index is one placement do the solver's counts say how many there are. */
static bool is_counted(const struct el_planes *planes)
{
	return planes->slice.game->dense && planes->stage[0].name[0] &&
	       !planes->metric->wins_only && !el_planes_partial(planes);
}

static unsigned longest(const struct el_plane *plane, enum el_outcome outcome)
{
	unsigned most = 0;
	for (uint32_t s = 1; s < plane->value_count; s++)
		if (plane->values[s].outcome == outcome && plane->values[s].plies > most)
			most = plane->values[s].plies;
	return most;
}

enum el_status journal_add(const char *directory, const struct el_planes *planes,
                           const struct el_effort *effort, struct el_error *error)
{
	char path[PATH_MAX], line[JOURNAL_LINE];
	journal_path(directory, path);
	int fd;
	enum el_status status = output_open(path, O_APPEND, &fd, error);
	if (status)
		return status;
	char last = '\n';
	const off_t end = lseek(fd, 0, SEEK_END);
	/* After a crash the last line may be incomplete. */
	const bool cut = end > 0 && pread(fd, &last, 1, end - 1) == 1 && last != '\n';
	snprintf(line, sizeof line, "%s%s\t%s\t%u", cut ? "\n" : "", planes->slice.name,
	         planes->metric->name, planes->passes);
	for (const struct el_stage *p = planes->stage; p->name[0]; p++)
		add_part(line, p->name, p->decided, p->seconds);
	add_part(line, solved_part, effort->threads, effort->solve_seconds);
	add_part(line, written_part, effort->bytes, effort->write_seconds);
	for (unsigned i = 0; i < 4 && is_counted(planes); i++) {
		const unsigned plane = i / 2 % planes->slice.planes, lost = i % 2;
		add_part(line, found_parts[i / 2][lost], planes->decided[plane][lost],
		         longest(&planes->plane[plane], lost ? EL_LOSS : EL_WIN));
	}
	el_text_add(line, sizeof line, "\n");
	const size_t size = strlen(line);
	const ssize_t written = write(fd, line, size);
	const int reason = written < 0 ? errno : ENOSPC;
	close(fd);
	return written == (ssize_t)size
	               ? EL_OK
	               : el_fail(error, EL_IO, "%s: cannot write: %s", path, strerror(reason));
}

/* ---- reading ---- */

/* Reads a stage: "captures", a count, seconds. False if it is malformed: anybody may write to the
   file. */
static bool read_stage(char **line, struct el_stage *out)
{
	char *name = strsep(line, "\t"), *decided = strsep(line, "\t");
	char *seconds = strsep(line, "\t");
	char *end;
	if (!seconds || !*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz ")] ||
	    strlen(name) >= sizeof out->name || !isdigit((unsigned char)*decided) ||
	    !isdigit((unsigned char)*seconds))
		return false;
	strcpy(out->name, name);
	out->decided = strtoull(decided, &end, 10);
	if (*end)
		return false;
	out->seconds = strtod(seconds, &end);
	return !*end;
}

static bool read_found(const struct el_stage *part, struct el_solution *out)
{
	for (unsigned side = 0; side < 2; side++) {
		struct el_decided *f = &out->found[side];
		const bool won = !strcmp(part->name, found_parts[side][0]);
		if (!won && strcmp(part->name, found_parts[side][1]))
			continue;
		*(won ? &f->won : &f->lost) = part->decided;
		*(won ? &f->longest_win : &f->longest_loss) = (unsigned)part->seconds;
		out->is_counted = side && !won; /* the last one */
		return true;
	}
	return false;
}

static enum el_status unread(const char *path, int reason, struct el_error *error)
{
	if (reason == ENOMEM)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	return el_fail(error, EL_IO, "%s: cannot read: %s", path, strerror(reason));
}

/* Reads the rest of a line after the metric; all zero if any of it is malformed. */
static struct el_solution read_solution(char *line)
{
	const char *passes = strsep(&line, "\t");
	struct el_solution out = {.passes = passes ? (unsigned)strtoul(passes, NULL, 10) : 0};
	struct el_stage part;
	unsigned count = 0;
	while (line && read_stage(&line, &part)) {
		if (!strcmp(part.name, solved_part)) {
			out.effort.threads = (unsigned)part.decided;
			out.effort.solve_seconds = part.seconds;
		} else if (!strcmp(part.name, written_part)) {
			out.effort.bytes = part.decided;
			out.effort.write_seconds = part.seconds;
		} else if (read_found(&part, &out)) {
			continue;
		} else if (count + 1 < EL_STAGES_MAX) {
			out.stage[count++] = part;
		} else {
			return (struct el_solution){0};
		}
	}
	if (line)
		return (struct el_solution){0};
	if (!count)
		out.passes = 0; /* it was read off another table */
	return out;
}

enum el_status journal_read(const char *directory, journal_visit *visit, void *context,
                            struct el_error *error)
{
	char path[PATH_MAX];
	journal_path(directory, path);
	if (access(path, F_OK) && errno == ENOENT)
		return EL_OK;
	struct input input;
	enum el_status status = input_open(path, &input, error);
	input_close(&input);
	if (status)
		return status;
	FILE *file = fopen(path, "re");
	if (!file)
		return unread(path, errno, error);
	char *text = NULL;
	size_t room = 0;
	ssize_t length;
	while ((length = getline(&text, &room, file)) > 0) {
		char *line = text, *end = strchr(text, '\n');
		if (!end)
			break; /* incomplete */
		*end = '\0';
		const char *name = strsep(&line, "\t"), *by = strsep(&line, "\t");
		const struct el_solution solution = read_solution(line);
		if (by)
			visit(context, name, by, &solution);
	}
	const int reason = length < 0 && !feof(file) ? errno : 0;
	free(text);
	fclose(file);
	return reason ? unread(path, reason, error) : EL_OK;
}

/* The line to find. */
struct looking {
	const char *slice, *metric;
	struct el_solution *out;
};

static void note_last(void *context, const char *slice, const char *metric,
                      const struct el_solution *solution)
{
	const struct looking *l = context;
	if (!strcmp(slice, l->slice) && !strcmp(metric, l->metric))
		*l->out = *solution;
}

enum el_status el_solution_find(const char *directory, const struct el_slice *slice,
                                const struct el_metric *metric, struct el_solution *out,
                                struct el_error *error)
{
	struct looking looking = {slice->name, metric->name, out};
	*out = (struct el_solution){0};
	enum el_status status = journal_read(directory, note_last, &looking, error);
	return status ? status : out->passes ? EL_OK : EL_NEGATIVE;
}

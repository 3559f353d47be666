/* SPDX-License-Identifier: MIT */
#include "summaries.h"

#include "core/base/array.h"
#include "core/os/temporary.h"
#include "core/table/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum {
	SUMMARIES_BYTES = 64 << 20, /* a thousand bytes for each of 60,000 tables */
	CHECKSUM_DIGITS = 16,
};

static const char *const verified_words[] = {
	[EL_VERIFIED] = "all",
	[EL_SAMPLED] = "sample",
	[EL_FOUND_WRONG] = "wrong",
};

/* Null without memory. */
static char *path_beside(const char *table)
{
	char *path;
	const int folder = (int)(basename(table) - table);
	return asprintf(&path, "%.*s.verified.tsv", folder, table) < 0 ? NULL : path;
}

bool summaries_beside(const struct summaries *s, const char *table)
{
	const size_t folder = (size_t)(basename(table) - table);
	return s->path && (size_t)(basename(s->path) - s->path) == folder &&
	       !strncmp(s->path, table, folder);
}

/* ---- reading the file ---- */

static uint64_t sum_of(const char *text, size_t size)
{
	return table_checksum((const uint8_t *)text, size);
}

/* Ends the line before its checksum, which must be right, and splits off its name. */
static bool take_apart(char *line, struct summary_line *out)
{
	char sum[CHECKSUM_DIGITS + 1];
	char *last = strrchr(line, '\t'), *first = strchr(line, '\t');
	*out = (struct summary_line){.name = line, .rest = ""};
	if (!last || first == last)
		return false;
	snprintf(sum, sizeof sum, "%016" PRIx64, sum_of(line, (size_t)(last - line)));
	if (strcmp(sum, last + 1))
		return false;
	*first = *last = '\0';
	out->rest = first + 1;
	return true;
}

static int line_order(const void *a, const void *b)
{
	const struct summary_line *x = a, *y = b;
	const int by_name = strcmp(x->name, y->name);
	return by_name ? by_name : (x->name > y->name) - (x->name < y->name);
}

/* A line that was cut off has lost its checksum. */
static enum el_status split(struct summaries *s, size_t size, struct el_error *error)
{
	size_t number = 0, damaged = 0, first = 0, room = 1;
	for (char *at = s->text; (at = memchr(at, '\0', size - (size_t)(at - s->text)));)
		*at = '?'; /* in a damaged line */
	for (const char *at = s->text; (at = strchr(at, '\n')); at++)
		room++;
	s->lines = malloc(room * sizeof *s->lines);
	if (!s->lines)
		return el_fail(error, EL_MEMORY, "%s: out of memory", s->path);
	for (char *rest = s->text; rest && *rest;) {
		number++;
		if (take_apart(strsep(&rest, "\n"), &s->lines[s->count]))
			s->count++;
		else if (!damaged++)
			first = number;
	}
	qsort(s->lines, s->count, sizeof *s->lines, line_order);
	if (!damaged)
		return EL_OK;
	return el_fail(error, EL_DAMAGED,
	               "%s: line %zu is damaged%s; tables whose line is damaged count as "
	               "not verified",
	               s->path, first, damaged > 1 ? ", and others" : "");
}

static enum el_status read_text(int fd, struct summaries *s, struct el_error *error)
{
	struct stat is;
	if (fstat(fd, &is) || !S_ISREG(is.st_mode))
		return el_fail(error, EL_IO, "%s: expected a file", s->path);
	if (is.st_size > SUMMARIES_BYTES)
		return el_fail(error, EL_DAMAGED, "%s: expected at most %d bytes, found %jd",
		               s->path, SUMMARIES_BYTES, (intmax_t)is.st_size);
	const size_t size = (size_t)is.st_size;
	size_t done = 0;
	s->text = calloc(size + 1, 1);
	if (!s->text)
		return el_fail(error, EL_MEMORY, "%s: out of memory", s->path);
	while (done < size) {
		const ssize_t got = pread(fd, s->text + done, size - done, (off_t)done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return el_fail(error, EL_IO, "%s: cannot read: %m", s->path);
		if (!got)
			break;
		done += (size_t)got;
	}
	return split(s, done, error);
}

enum el_status summaries_open(const char *table, struct summaries *out, struct el_error *error)
{
	*out = (struct summaries){.path = path_beside(table)};
	if (!out->path)
		return el_fail(error, EL_MEMORY, "%s: out of memory", table);
	const int fd = open(out->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? EL_OK
		                       : el_fail(error, EL_IO, "%s: cannot open: %m", out->path);
	enum el_status status = read_text(fd, out, error);
	close(fd);
	return status;
}

void summaries_close(struct summaries *s)
{
	free(s->path);
	free(s->text);
	free(s->lines);
	*s = (struct summaries){0};
}

/* ---- a line ---- */

/* A parsed line. Its checksum was right, but anyone may have written it. */
struct parsed {
	struct el_summary told;
	uint64_t identity;
	struct timespec written;
	char *reads; /* the rest of the line */
};

static bool take_number(char **line, int base, uint64_t *out)
{
	char *text = strsep(line, "\t"), *end;
	if (!text || !*text || strchr(" +-", *text))
		return false;
	*out = strtoull(text, &end, base);
	return !*end;
}

/* Parses what follows the name, changing the line. */
static bool parse(char *line, struct parsed *out)
{
	struct el_summary *told = &out->told;
	struct tm date = {0};
	long long seconds;
	int used = 0;
	*out = (struct parsed){0};
	if (!take_number(&line, 16, &out->identity))
		return false;
	const char *written = strsep(&line, "\t");
	if (!written ||
	    sscanf(written, "%lld.%9ld%n", &seconds, &out->written.tv_nsec, &used) != 2 ||
	    written[used])
		return false;
	out->written.tv_sec = seconds;

	char *asked = strsep(&line, "\t");
	const char *word = strsep(&asked, ":");
	unsigned v = EL_VERIFIED;
	while (word && v <= EL_FOUND_WRONG && strcmp(word, verified_words[v]))
		v++;
	told->verified = (enum el_verified)v;
	told->by_planes = asked && v != EL_SAMPLED;
	uint64_t by_planes;
	if (!word || v > EL_FOUND_WRONG ||
	    !(asked ? take_number(&asked, 10, told->by_planes ? &by_planes : &told->asked)
	            : v != EL_SAMPLED))
		return false;
	if (!take_number(&line, 10, &told->positions) || !take_number(&line, 10, &told->wrong))
		return false;

	const char *day = strsep(&line, "\t");
	const char *end = day ? strptime(day, "%Y-%m-%dT%H:%M:%SZ", &date) : NULL;
	if (!end || *end)
		return false;
	told->date = timegm(&date);
	const char *version = strsep(&line, "\t");
	out->reads = line;
	return version && *version &&
	       !version[strspn(version, "0123456789.abcdefghijklmnopqrstuvwxyz-+~")] &&
	       snprintf(told->version, sizeof told->version, "%s", version) <
	               (int)sizeof told->version;
}

/* A table that the proof rests on and that has changed or gone; null if there is none. */
static const char *changed_among(char *reads, const struct catalogue *c)
{
	while (reads) {
		struct read read = {.slice = ""};
		char *one = strsep(&reads, "\t"), *rest = one;
		const char *slice = strsep(&rest, " "), *metric = strsep(&rest, " ");
		if (!rest || strlen(slice) >= sizeof read.slice)
			return "a table";
		strcpy(read.slice, slice);
		read.metric = metric;
		read.identity = strtoull(rest, NULL, 16);
		if (!reads_has(c, &read)) {
			((char *)(uintptr_t)metric)[-1] = ' ';
			return slice;
		}
	}
	return NULL;
}

static const struct summary_line *find_line(const struct summaries *s, const char *name)
{
	size_t from = 0, to = s->count;
	while (from < to) { /* finds the first line past those of the name */
		const size_t middle = (from + to) / 2;
		if (strcmp(s->lines[middle].name, name) <= 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from && !strcmp(s->lines[from - 1].name, name) ? &s->lines[from - 1] : NULL;
}

void summaries_find(const struct summaries *s, const struct catalogue *c, const char *table,
                    uint64_t identity, const struct stat *is, struct el_summary *out)
{
	struct parsed parsed;
	const struct summary_line *line = find_line(s, basename(table));
	char *copy = line ? strdup(line->rest) : NULL;
	*out = (struct el_summary){.verified = EL_NOT_VERIFIED};
	if (!copy || !parse(copy, &parsed)) {
		free(copy);
		return;
	}
	*out = parsed.told;
	const bool same = parsed.identity == identity &&
	                  parsed.written.tv_sec == is->st_mtim.tv_sec &&
	                  parsed.written.tv_nsec == is->st_mtim.tv_nsec;
	const char *changed = same ? changed_among(parsed.reads, c) : NULL;
	if (!same || changed)
		out->change = same ? EL_SUCCESSOR_CHANGED : EL_CHANGED;
	snprintf(out->changed, sizeof out->changed, "%s", changed ? changed : "");
	free(copy);
}

/* ---- adding ---- */

/* Locks the file that now has the name, since another program may replace it meanwhile. */
static enum el_status lock(const char *path, int *fd, struct el_error *error)
{
	for (;;) {
		struct stat held, named;
		enum el_status status = output_open(path, 0, fd, error);
		if (status)
			return status;
		while (flock(*fd, LOCK_EX))
			if (errno != EINTR) {
				status = el_fail(error, EL_IO, "%s: cannot lock: %m", path);
				close(*fd);
				return status;
			}
		if (!fstat(*fd, &held) && !stat(path, &named) && held.st_ino == named.st_ino &&
		    held.st_dev == named.st_dev)
			return EL_OK;
		close(*fd);
	}
}

/* A text that grows. */
struct text {
	char *bytes; /* owned; null: nothing yet */
	size_t used;
	bool is_short; /* of memory: the text is useless */
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	const int length = vsnprintf(NULL, 0, format, list);
	va_end(list);
	t->is_short |= !array_grow(&t->bytes, t->used, (size_t)length + 1, 1);
	if (t->is_short)
		return;
	va_start(list, format);
	t->used += (size_t)vsnprintf(t->bytes + t->used, (size_t)length + 1, format, list);
	va_end(list);
}

/* Appends the checksum of the text from `start` on. */
static void put_seal(struct text *t, size_t start)
{
	if (!t->is_short)
		put(t, "\t%016" PRIx64 "\n", sum_of(t->bytes + start, t->used - start));
}

static void put_line(struct text *out, const struct summary *s)
{
	const time_t seconds = s->told.date;
	struct tm date;
	char day[32], asked[32] = "";
	gmtime_r(&seconds, &date);
	strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%SZ", &date);
	if (s->told.verified == EL_SAMPLED || s->told.by_planes)
		snprintf(asked, sizeof asked, ":%" PRIu64,
		         s->told.by_planes ? s->told.positions : s->told.asked);
	put(out, "%s\t%016" PRIx64 "\t%lld.%09ld\t%s%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s",
	    basename(s->table), s->identity, (long long)s->written.tv_sec, s->written.tv_nsec,
	    verified_words[s->told.verified], asked, s->told.positions, s->told.wrong, day,
	    s->told.version);
	for (size_t i = 0; i < s->reads->count; i++) {
		const struct read *r = &s->reads->list[i];
		put(out, "\t%s %s %016" PRIx64, r->slice, r->metric, r->identity);
	}
}

/* Writes the other tables' lines and the new one, which has no checksum yet. */
static enum el_status write_anew(const struct summaries *before, const char *table,
                                 const struct text *line, struct el_error *error)
{
	struct el_temporary temporary;
	struct text text = {.is_short = line->is_short};
	for (size_t i = 0; i < before->count; i++) {
		const struct summary_line *old = &before->lines[i];
		const size_t start = text.used;
		if (!strcmp(old->name, basename(table)))
			continue;
		put(&text, "%s\t%s", old->name, old->rest);
		put_seal(&text, start);
	}
	const size_t start = text.used;
	if (!text.is_short)
		put(&text, "%.*s", (int)line->used, line->bytes);
	put_seal(&text, start);
	enum el_status status =
		text.is_short ? el_fail(error, EL_MEMORY, "%s: out of memory", before->path)
			      : el_temporary_file(before->path, &temporary, error);
	if (!status && !file_transfer(temporary.fd, text.bytes, text.used, 0, true)) {
		status = el_fail(error, EL_IO, "%s: cannot write: %m", before->path);
		el_temporary_remove(&temporary);
	}
	if (!status)
		status = el_temporary_rename(&temporary, before->path, error);
	free(text.bytes);
	return status;
}

/* Takes the line over. */
static enum el_status add(const char *table, struct text *line, struct el_error *error)
{
	struct summaries before = {.path = path_beside(table)};
	enum el_status status = EL_OK;
	int fd;
	for (const char *at = basename(table); *at && !status; at++)
		if ((unsigned char)*at < ' ')
			status = el_fail(error, EL_IO,
			                 "%s: no summary is kept of a file whose name has "
			                 "control characters",
			                 table);
	if (!status && !before.path)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", table);
	if (!status && !(status = lock(before.path, &fd, error))) {
		status = read_text(fd, &before, error);
		if (status == EL_OK || status == EL_DAMAGED)
			status = write_anew(&before, table, line, error);
		close(fd);
	}
	summaries_close(&before);
	free(line->bytes);
	return status;
}

enum el_status summaries_add(const struct summary *s, struct el_error *error)
{
	struct text line = {0};
	put_line(&line, s);
	return add(s->table, &line, error);
}

enum el_status summaries_copy(const struct summaries *s, const char *from, const char *to,
                              uint64_t identity, struct timespec written, struct el_error *error)
{
	const struct summary_line *old = find_line(s, basename(from));
	const char *rest = old ? strchr(old->rest, '\t') : NULL;
	struct text line = {0};
	rest = rest ? strchr(rest + 1, '\t') : NULL;
	if (!rest)
		return EL_OK;
	put(&line, "%s\t%016" PRIx64 "\t%lld.%09ld%s", basename(to), identity,
	    (long long)written.tv_sec, written.tv_nsec, rest);
	return add(to, &line, error);
}

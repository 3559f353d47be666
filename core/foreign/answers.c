/* SPDX-License-Identifier: MIT */
#include "answers.h"
#include "core/base/hash.h"
#include "foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
	BYTES_MAX = 64 << 20, /* some 700,000 answers, days of asking; then the file begins anew */
	LINE_SIZE = EL_FEN_MAX + 64,
};

#define EXTENSION ".answers"
#define HEAD      "endlab answers 1 "

/* ---- reading ---- */

struct answers {
	struct el_source source;
	struct el_given *list;
	size_t count;
	uint32_t *
		places; /* a hash table of mask + 1 places in the list, from 1; 0: an empty entry */
	size_t mask;
};

static uint64_t hash_of(const struct el_position *p)
{
	uint64_t h = p->side | (uint64_t)p->en_passant << 8 | (uint64_t)p->castling << 16;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned k = 0; k < EL_KINDS; k++)
			h = hash_mix(h ^ p->set[side][k]) + HASH_FACTOR;
	return h;
}

/* The entry of a position in the hash table, or the empty one where it would be. */
static uint32_t *entry(const struct answers *a, const struct el_position *p)
{
	size_t i = hash_of(p) & a->mask;
	while (a->places[i] && !el_position_equal(&a->list[a->places[i] - 1].position, p))
		i = (i + 1) & a->mask;
	return &a->places[i];
}

static bool covers(const struct el_source *source, const struct el_position *p)
{
	return *entry((const struct answers *)source, p);
}

static enum el_status probe(struct el_source *source, const struct el_position *p,
                            const struct el_place *place, bool soft, struct el_value *out,
                            struct el_error *error)
{
	const struct answers *a = (const struct answers *)source;
	const uint32_t found = *entry(a, p);
	(void)place, (void)soft;
	if (!found)
		return el_fail(error, EL_NEGATIVE, "%s has no such position", source->path);
	*out = a->list[found - 1].value;
	return EL_OK;
}

static void answers_close(struct el_source *source)
{
	struct answers *a = (struct answers *)source;
	free(a->list);
	free(a->places);
	free(source->path);
	free(a);
}

/* Takes "win 13 FEN". */
static bool take_line(char *line, struct el_given *out)
{
	char *rest = line, *end;
	const char *word = strsep(&rest, " "), *plies = rest ? strsep(&rest, " ") : NULL;
	enum el_outcome outcome = EL_LOSS;
	struct el_error error;
	while (outcome <= EL_WIN && strcmp(word, el_outcome_name(outcome)))
		outcome++;
	if (outcome > EL_WIN || !plies || !rest)
		return false;
	const bool rounded = *plies == '~';
	const unsigned long number = strtoul(plies + rounded, &end, 10);
	if (*end || end == plies + rounded || number > EL_PLIES_MAX ||
	    (outcome == EL_DRAW && (number || rounded)))
		return false;
	out->value = (struct el_value){
		.outcome = (uint8_t)outcome, .plies = (uint16_t)number, .rounded = rounded};
	return !el_chess.parse(rest, &out->position, &error) && !out->position.halfmove;
}

static enum el_status take_text(struct answers *a, char *text, struct el_error *error)
{
	const char *path = a->source.path;
	char *rest = text, *line = strsep(&rest, "\n");
	size_t lines = 0;
	char metric[16] = "", server[64] = "";
	sscanf(line, HEAD "%15s %63s", metric, server);
	a->source.metric = el_metric_find(metric);
	if (!a->source.metric || !*server)
		return el_fail(error, EL_DAMAGED,
		               "%s:1: expected '" HEAD "METRIC SERVER', found '%.40s'", path, line);
	/* Servers count as Syzygy's tables do, past the limit. */
	if (a->source.metric == el_metric_find(el_dtz_syzygy.name))
		a->source.metric = &el_dtz_syzygy;
	snprintf(a->source.detail, sizeof a->source.detail, "answers of %s", server);
	for (const char *c = rest; c && *c; c++)
		lines += *c == '\n';
	a->mask = 1;
	while (a->mask < 2 * lines + 2)
		a->mask *= 2;
	a->list = malloc((lines + 1) * sizeof *a->list);
	a->places = calloc(a->mask--, sizeof *a->places);
	if (!a->list || !a->places)
		return foreign_no_memory(path, error);
	for (size_t number = 0; number < lines; number++) {
		struct el_given *now = &a->list[a->count];
		line = strsep(&rest, "\n");
		char shown[41];
		snprintf(shown, sizeof shown, "%s", line);
		if (!take_line(line, now))
			return el_fail(
				error, EL_DAMAGED,
				"%s:%zu: expected an outcome, plies and a position, found '%s'",
				path, number + 2, shown);
		uint32_t *place = entry(a, &now->position);
		if (*place)
			a->list[*place - 1] = *now;
		else
			*place = (uint32_t)++a->count;
	}
	return EL_OK;
}

static enum el_status answers_open(const char *path, struct el_cache *cache, struct el_source **out,
                                   struct el_error *error)
{
	char *text;
	size_t size;
	struct answers *a = calloc(1, sizeof *a);
	(void)cache;
	if (!a || !(a->source.path = strdup(path))) {
		free(a);
		return foreign_no_memory(path, error);
	}
	a->source.ops = &el_source_answers;
	a->source.slice = (struct el_slice){.game = &el_chess, .is_study = true};
	enum el_status status = foreign_text(path, "answers", 2 * BYTES_MAX, &text, &size, error);
	a->source.bytes = size;
	if (!status)
		status = take_text(a, text, error);
	free(text);
	if (status)
		answers_close(&a->source);
	else
		*out = &a->source;
	return status;
}

const struct el_source_ops el_source_answers = {
	.kind = "answers",
	.extension = EXTENSION,
	.open = answers_open,
	.covers = covers,
	.probe = probe,
	.close = answers_close,
};

/* ---- writing ---- */

/* Leaves an open file at the end of its last line; a new one, or one that is too large, gets its head. */
static bool begin(int fd, const struct el_metric *metric, const char *server)
{
	char tail[LINE_SIZE];
	struct stat is;
	if (fstat(fd, &is))
		return false;
	const off_t from = is.st_size > LINE_SIZE ? is.st_size - LINE_SIZE : 0;
	const ssize_t length = pread(fd, tail, sizeof tail, from);
	const char *newline = length > 0 ? memrchr(tail, '\n', (size_t)length) : NULL;
	const bool anew = !newline || is.st_size > BYTES_MAX;
	const off_t end = anew ? 0 : from + (newline - tail) + 1;
	return length >= 0 && !ftruncate(fd, end) && lseek(fd, end, SEEK_SET) == end &&
	       (!anew || dprintf(fd, HEAD "%s %s\n", metric->name, server) > 0);
}

enum el_status el_answers_add(const char *folder, const char *server,
                              const struct el_metric *metric, const struct el_given *given,
                              size_t count, struct el_error *error)
{
	char *path, *text, fen[EL_FEN_MAX];
	size_t size = 0;
	int fd = -1;
	if (asprintf(&path, "%s/%s" EXTENSION, folder, metric->name) < 0)
		return foreign_no_memory(folder, error);
	text = malloc(count * LINE_SIZE + 1);
	for (size_t i = 0; text && i < count; i++) {
		struct el_position p = given[i].position;
		p.halfmove = 0;
		p.fullmove = 1;
		el_chess.format(&p, fen);
		size += (size_t)snprintf(text + size, LINE_SIZE, "%s %s%u %s\n",
		                         el_outcome_name(given[i].value.outcome),
		                         given[i].value.rounded ? "~" : "",
		                         (unsigned)given[i].value.plies, fen);
	}
	enum el_status status = text ? output_open(path, O_RDWR | O_CREAT, &fd, error)
	                             : foreign_no_memory(path, error);
	if (!status && (flock(fd, LOCK_EX) || !begin(fd, metric, server) ||
	                write(fd, text, size) != (ssize_t)size))
		status = el_fail(error, EL_IO, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(text);
	free(path);
	return status;
}

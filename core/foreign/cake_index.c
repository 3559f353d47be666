/* SPDX-License-Identifier: MIT */
/* The text beside one of Cake's tables, which tells what is where in it (cake.h). */
#include "cake.h"

#include "core/base/array.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, SHOWN = 40 };

static const char blank[] = " \t\r\n";

/* ---- the text ---- */

struct text {
	char *path, *bytes; /* owned */
	const char *at;
	unsigned line; /* of `at`, from 1 */
};

/* One of the file's slices, as the text tells it. */
struct entry {
	uint8_t men[2], kings[2], row[2], colour;
	struct cake_slice place;
	const char *begin; /* in the text */
};

static enum el_status read_text(const char *table, struct text *out, struct el_error *error)
{
	const char *name = basename(table);
	char *beside;
	size_t size;
	*out = (struct text){.line = 1};
	if (asprintf(&beside, "%.*s.idx", (int)(strlen(name) - strlen(".cpr")), name) < 0)
		return foreign_no_memory(table, error);
	out->path = foreign_companion(table, beside);
	free(beside);
	if (!out->path)
		return foreign_no_memory(table, error);
	const enum el_status status =
		foreign_text(out->path, "index of a table", TEXT_MAX, &out->bytes, &size, error);
	out->at = out->bytes;
	return status;
}

static void text_free(struct text *t)
{
	free(t->bytes);
	free(t->path);
}

static enum el_status damaged(const struct text *t, const char *expected, struct el_error *error)
{
	const size_t length = strcspn(t->at, "\r\n");
	return el_fail(error, EL_DAMAGED, "%s: line %u: expected %s, found %s%.*s", t->path,
	               t->line, expected, length ? "" : "the end of it",
	               length < SHOWN ? (int)length : SHOWN, t->at);
}

/* Skips blanks, or everything before `end`. */
static void skip(struct text *t, const char *end)
{
	const char *to = end ? end : t->at + strspn(t->at, blank);
	for (; t->at < to; t->at++)
		t->line += *t->at == '\n';
}

/* Takes a number and what must follow it. */
static bool take(struct text *t, uint64_t most, const char *after, uint64_t *out)
{
	char *end;
	if (*t->at < '0' || *t->at > '9')
		return false;
	*out = strtoull(t->at, &end, 10);
	if (*out > most || strncmp(end, after, strlen(after)))
		return false;
	t->at = end + strlen(after);
	return true;
}

/* Takes the next slice, and skips the numbers of the one before unless they have been taken.
   EL_NEGATIVE: there is none. */
static enum el_status next_entry(struct text *t, struct entry *out, struct el_error *error)
{
	static const char word[] = "BASE";
	uint8_t *const fields[] = {&out->men[0],   &out->kings[0], &out->men[1],
	                           &out->kings[1], &out->row[0],   &out->row[1]};
	const char *begin = strstr(t->at, word);
	static const uint8_t values[] = {CAKE_WIN, CAKE_LOSS, CAKE_DRAW};
	uint64_t number = 0;
	bool good = true;
	skip(t, begin ? begin : t->at + strlen(t->at));
	if (!begin)
		return EL_NEGATIVE;
	*out = (struct entry){.place = {.present = true, .value = CAKE_VALUES}, .begin = begin};
	t->at += strlen(word);
	for (unsigned i = 0; i < 6 && good; i++) {
		good = take(t, i < 4 ? CAKE_SIDE_MAX : CAKE_ROWS - 1, ",", &number);
		*fields[i] = (uint8_t)number;
	}
	out->colour = *t->at == 'w';
	if (!good || (*t->at != 'b' && *t->at != 'w') || t->at[1] != ':') {
		t->at = begin;
		return damaged(t, "a slice, as in BASE1,2,0,1,6,0,b:17/1014", error);
	}
	t->at += 2;
	const char *one = *t->at ? strchr("+-=", *t->at) : NULL;
	if (one) {
		out->place.value = values[one - "+-="];
		t->at++;
		return EL_OK;
	}
	good = take(t, UINT32_MAX, "/", &number);
	out->place.block = (uint32_t)number;
	if (!good || !take(t, CAKE_BLOCK - 1, "", &number)) {
		t->at = begin;
		return damaged(t, "+, -, = or a block and byte, as in b:17/1014", error);
	}
	out->place.byte = (uint16_t)number;
	return EL_OK;
}

/* ---- our slices ---- */

/* Is an entry one of the slices that ours consists of? */
static bool is_of(const struct entry *e, const struct el_slice *slice)
{
	bool same = true;
	for (unsigned side = 0; side < 2; side++)
		same = same && e->men[side] == slice->count[side][CAKE_MAN] &&
		       e->kings[side] == slice->count[side][CAKE_KING] &&
		       (!slice->lead[side] || e->row[side] + 1 == slice->lead[side]);
	return same;
}

/* Is there such a slice, of rows of foremost men and a side to move? If both sides are alike, they
   change places until the first one is ahead, or to move. */
static bool is_slice(const struct el_slice *slice, const uint8_t row[2], unsigned colour)
{
	const bool alike = slice->count[0][CAKE_MAN] == slice->count[1][CAKE_MAN] &&
	                   slice->count[0][CAKE_KING] == slice->count[1][CAKE_KING];
	for (unsigned side = 0; side < 2; side++) {
		const unsigned men = slice->count[side][CAKE_MAN];
		const unsigned least = men ? (men - 1) / CAKE_ROW_SQUARES : 0;
		if (row[side] < least || (!men && row[side]) ||
		    (slice->lead[side] && row[side] + 1 != slice->lead[side]))
			return false;
	}
	return !alike || row[0] > row[1] || (row[0] == row[1] && !colour);
}

/* Takes the numbers that follow a slice. `bytes`: of the table. A slice that ends with a block may be
   followed by one more number, at which nothing begins: the last byte may have values to spare. */
static enum el_status take_numbers(struct text *t, uint64_t bytes, uint64_t positions,
                                   struct cake_slice *s, struct cake_index *x,
                                   struct el_error *error)
{
	enum { SPARE = 3 };
	uint64_t next = 0;
	char expected[96];
	if ((uint64_t)s->block * CAKE_BLOCK + s->byte >= bytes) {
		snprintf(expected, sizeof expected, "a place before the table's end, %ju bytes",
		         (uintmax_t)bytes);
		return damaged(t, expected, error);
	}
	s->begin = (uint32_t)x->count;
	for (;;) {
		if (next < positions) {
			if (!array_grow(&x->first, x->count, 1, sizeof *x->first))
				return foreign_no_memory(t->path, error);
			x->first[x->count++] = (uint32_t)next;
			s->count++;
		}
		skip(t, NULL);
		if (!*t->at || *t->at == 'B')
			return EL_OK;
		const uint64_t before = next;
		const char *word = t->at;
		if (before >= positions || !take(t, UINT32_MAX, "", &next) || next <= before ||
		    next > positions + SPARE ||
		    (next < positions && ((uint64_t)s->block + s->count) * CAKE_BLOCK >= bytes)) {
			t->at = word;
			snprintf(expected, sizeof expected,
			         "a number from %ju to %ju, for a block before the table's end",
			         (uintmax_t)before + 1, (uintmax_t)positions - 1);
			return damaged(t, expected, error);
		}
	}
}

/* Are all slices there? */
static enum el_status check_whole(const struct text *t, const struct el_slice *slice,
                                  const struct cake_index *x, struct el_error *error)
{
	for (unsigned i = 0; i < CAKE_ROWS * CAKE_ROWS * 2; i++) {
		const uint8_t row[2] = {(uint8_t)(i / 2 / CAKE_ROWS), (uint8_t)(i / 2 % CAKE_ROWS)};
		if (is_slice(slice, row, i % 2) && !x->slice[row[0]][row[1]][i % 2].present)
			return el_fail(error, EL_DAMAGED,
			               "%s: expected a slice BASE%u,%u,%u,%u,%u,%u,%c, found none",
			               t->path, slice->count[0][CAKE_MAN],
			               slice->count[0][CAKE_KING], slice->count[1][CAKE_MAN],
			               slice->count[1][CAKE_KING], row[0], row[1],
			               i % 2 ? 'w' : 'b');
	}
	return EL_OK;
}

enum el_status cake_index_read(const char *table, uint64_t bytes, const struct el_slice *slice,
                               struct cake_index *out, struct el_error *error)
{
	struct text t;
	struct entry e;
	uint64_t from = UINT64_MAX; /* where values of ours begin that have no end yet */
	bool found = false;
	*out = (struct cake_index){.first = NULL};
	enum el_status status = read_text(table, &t, error);
	while (!status && !(status = next_entry(&t, &e, error))) {
		const bool ours = is_of(&e, slice) && is_slice(slice, e.row, e.colour);
		if (e.place.value == CAKE_VALUES) {
			const uint64_t at = (uint64_t)e.place.block * CAKE_BLOCK + e.place.byte;
			out->bytes += from < at ? at - from : 0;
			from = ours ? at : UINT64_MAX;
		}
		if (!ours)
			continue;
		found = true;
		struct cake_slice *s = &out->slice[e.row[0]][e.row[1]][e.colour];
		if (s->present)
			status = damaged(&t, "each slice once", error);
		else if (e.place.value == CAKE_VALUES)
			status = take_numbers(&t, bytes, cake_positions(e.men, e.kings, e.row),
			                      &e.place, out, error);
		*s = e.place;
		out->bytes += (uint64_t)(t.at - e.begin);
	}
	if (status == EL_NEGATIVE) {
		out->bytes += from < bytes ? bytes - from : 0;
		status = found ? check_whole(&t, slice, out, error)
		               : el_fail(error, EL_NEGATIVE, "%s: no slice of %s is in it", t.path,
		                         slice->name);
	}
	text_free(&t);
	if (status)
		cake_index_free(out);
	return status;
}

void cake_index_free(struct cake_index *x)
{
	free(x->first);
	*x = (struct cake_index){.first = NULL};
}

/* Our slice that an entry is of, with rows if that is cut by them; false: there is none. */
static bool slice_with(const struct entry *e, struct el_slice *out)
{
	bool found = false;
	for (unsigned cut = 0; cut < 2 && !found; cut++) {
		char name[EL_SLICE_MAX + 4 * CAKE_SIDE_MAX];
		int used = snprintf(name, sizeof name, "%s:", el_checkers.name);
		for (unsigned side = 0; side < 2; side++) {
			for (unsigned i = 0; i < (unsigned)e->kings[side] + e->men[side]; i++)
				name[used++] = i < e->kings[side] ? 'K' : 'M';
			if (cut && e->men[side])
				name[used++] = (char)('1' + e->row[side]);
			name[used++] = side ? '\0' : 'v';
		}
		found = !el_checkers.slice_parse(name, out, NULL) && is_of(e, out) &&
		        is_slice(out, e->row, e->colour);
	}
	return found;
}

enum el_status cake_slices(const char *table, struct el_slice **out, size_t *count,
                           struct el_error *error)
{
	struct text t;
	struct entry e;
	*out = NULL;
	*count = 0;
	if (!cake_named(table))
		return el_fail(error, EL_NEGATIVE,
		               "%s: expected the name of a table, as in db4.cpr or db8_2222.cpr",
		               table);
	enum el_status status = read_text(table, &t, error);
	while (!status && !(status = next_entry(&t, &e, error))) {
		size_t known = *count; /* most entries are of the same slice as the one before */
		while (known-- > 0 && !is_of(&e, &(*out)[known]))
			;
		struct el_slice slice;
		if (known < *count || !slice_with(&e, &slice))
			continue;
		if (array_grow(out, *count, 1, sizeof **out))
			(*out)[(*count)++] = slice;
		else
			status = foreign_no_memory(table, error);
	}
	if (status == EL_NEGATIVE)
		status = *count ? EL_OK
		                : el_fail(error, EL_DAMAGED,
		                          "%s: expected slices of draughts, found none", t.path);
	text_free(&t);
	if (status) {
		free(*out);
		*out = NULL;
	}
	return status;
}

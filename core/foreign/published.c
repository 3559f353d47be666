/* SPDX-License-Identifier: MIT */
/* Reads published statistics. The files are untrusted: every member is looked at before it
   is used, and whatever is not as expected is named by its place. */
#include "published.h"

#include "core/base/array.h"
#include "core/base/text.h"
#include "foreign.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = 8 }; /* of an ending of chesstb: win, draw, loss, all; for each side to move */

/* Where the reader is. */
struct reading {
	const char *path;
	const struct el_slice *unnamed;
	struct el_published *out;
	const char *ending; /* its name; null: none yet */
	struct el_error *error;
};

/* Says what was found at a place ("longest[0].ply") of the current ending instead of what was expected. */
static enum el_status wrong(const struct reading *r, const char *place, int number,
                            const char *expected, const cJSON *found)
{
	char shown[48] = "", at[16] = "";
	const char *kind = !found                  ? "nothing"
	                   : cJSON_IsString(found) ? "'"
	                   : cJSON_IsArray(found)  ? "an array"
	                   : cJSON_IsObject(found) ? "an object"
	                   : cJSON_IsNumber(found) ? ""
	                                           : "true, false or null";
	if (cJSON_IsString(found))
		el_show(found->valuestring, shown, sizeof shown - 1);
	if (cJSON_IsString(found))
		strcat(shown, "'");
	if (cJSON_IsNumber(found))
		snprintf(shown, sizeof shown, "%.17g", found->valuedouble);
	if (number >= 0)
		snprintf(at, sizeof at, "[%d]", number);
	return el_fail(r->error, EL_DAMAGED, "%s: %s%s%s%s: expected %s, found %s%s", r->path,
	               r->ending ? r->ending : "", r->ending ? ": " : "", place, at, expected, kind,
	               shown);
}

/* A whole number: doubles hold those up to 2^53. */
static bool is_count(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 0x1p53 &&
	       item->valuedouble == (double)(uint64_t)item->valuedouble;
}

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Reads a position, whose fields may end with the side to move, and says for which slice it is.
   *place is where it belongs. */
static enum el_status read_position(const struct reading *r, const char *place, const cJSON *item,
                                    char fen[EL_FEN_MAX], struct el_slice *slice,
                                    struct el_place *stored)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error why;
	char note[EL_NOTE_MAX];
	if (!cJSON_IsString(item) ||
	    el_position_read(item->valuestring, &game, &position, note, &why) ||
	    game->check(&position, &why) || game->slice_of(&position, slice, &why) ||
	    !game->place(&position, stored))
		return wrong(r, place, -1, "a legal position", item);
	game->format(&position, fen);
	return EL_OK;
}

/* Makes room for one more ending and finds its slice, with White's side in *white. */
static enum el_status add_ending(struct reading *r, const char *name,
                                 struct el_published_ending **out, unsigned *white)
{
	struct el_published *p = r->out;
	if (!array_grow(&p->ending, p->count, 1, sizeof *p->ending))
		return foreign_no_memory(r->path, r->error);
	struct el_published_ending *e = *out = &p->ending[p->count];
	*e = (struct el_published_ending){.name = ""};
	if (strlen(name) < sizeof e->name)
		strcpy(e->name, name);
	r->ending = name;
	*white = EL_WHITE;
	/* Small letters name pieces of which only some squares are meant. */
	e->is_part = strpbrk(e->name, "qrbnp");
	struct el_error why;
	if (!*e->name || strspn(e->name, "KQRBNPvqrbnp") != strlen(e->name) ||
	    (!e->is_part && el_slice_parse(e->name, &e->slice, &why)))
		return el_fail(r->error, EL_DAMAGED,
		               "%s: expected the name of an ending, as in KQvKR, found '%s'",
		               r->path, name);
	p->count++;
	/* The file may name the sides in the other order. */
	const char *second = strchr(e->name + 1, 'K');
	for (unsigned kind = 0; !e->is_part && kind < EL_KINDS; kind++) {
		unsigned pieces = 0;
		for (const char *at = e->name; at < second; at++)
			pieces += *at == e->slice.game->kinds[kind];
		if (pieces != e->slice.count[EL_WHITE][kind])
			*white = EL_BLACK;
	}
	return EL_OK;
}

/* Adds a longest win, or what stands for none. */
static enum el_status add_record(const struct reading *r, struct el_published_ending *e,
                                 const char *place, const cJSON *plies, const cJSON *position,
                                 struct el_published_record *record)
{
	struct el_slice slice;
	struct el_place stored;
	if (!is_count(plies) || plies->valuedouble > EL_PLIES_MAX)
		return wrong(r, place, -1, "plies", plies);
	if (e->records == EL_PUBLISHED_RECORDS)
		return wrong(r, place, EL_PUBLISHED_RECORDS, "no more longest wins", plies);
	record->plies = (unsigned)plies->valuedouble;
	if (record->plies || record->either) {
		const enum el_status status =
			read_position(r, place, position, record->fen, &slice, &stored);
		if (status)
			return status;
		if (!el_slice_equal(&slice, &e->slice))
			return wrong(r, place, -1, "a position of this ending", position);
		if (slice.planes == 1 && strstr(record->fen, " b "))
			stored.plane = EL_BLACK;
		if (record->either)
			record->side = stored.plane;
		else if (record->side != stored.plane)
			return wrong(r, place, -1, "the other side to move", position);
	}
	e->record[e->records++] = *record;
	return EL_OK;
}

/* ---- chesstb ---- */

/* One ending: {"m": name, "c": counts, "l": {metric: [[plies, position] for each side to move]}}. */
static enum el_status read_row(struct reading *r, const cJSON *row, bool castling)
{
	/* Its dtz counts as our dtz50 does. Its dtc puts pawn moves before plies, unlike ours. */
	static const struct {
		const char *name;
		const struct el_metric *metric;
	} known[] = {{"dtm", &el_dtm}, {"dtz", &el_dtz_rule[EL_RULE_USUAL - 1]}};
	static const uint8_t outcome[] = {EL_WIN, EL_DRAW, EL_LOSS};
	const cJSON *name = member(row, "m"), *counts = member(row, "c"),
		    *longest = member(row, "l");
	struct el_published_ending *e;
	unsigned white;
	r->ending = NULL;
	if (!cJSON_IsString(name))
		return wrong(r, "m", -1, "the name of an ending", name);
	enum el_status status = add_ending(r, name->valuestring, &e, &white);
	if (status)
		return status;
	e->is_part |= castling;
	if (e->is_part)
		return EL_OK;
	e->metric = &el_wdl;
	if (!cJSON_IsArray(counts) || cJSON_GetArraySize(counts) != COUNTS)
		return wrong(r, "c", -1, "8 counts", counts);
	uint64_t sum = 0;
	int number = 0;
	for (const cJSON *item = counts->child; item; item = item->next, number++) {
		if (!is_count(item))
			return wrong(r, "c", number, "a count", item);
		const uint64_t count = (uint64_t)item->valuedouble;
		const int place = number % (COUNTS / 2);
		if (place < COUNTS / 2 - 1)
			e->side[(unsigned)number / (COUNTS / 2) ^ white].outcome[outcome[place]] =
				count;
		else if (sum != count)
			return wrong(r, "c", number, "the sum of the three before", item);
		sum = place < COUNTS / 2 - 1 ? sum + count : 0;
	}
	if (!cJSON_IsObject(longest))
		return wrong(r, "l", -1, "an object of metrics", longest);
	for (const cJSON *metric = longest->child; metric; metric = metric->next) {
		size_t m = 0;
		while (m < sizeof known / sizeof *known && strcmp(known[m].name, metric->string))
			m++;
		if (m == sizeof known / sizeof *known) {
			char *beyond = r->out->beyond;
			if (!strstr(beyond, metric->string))
				el_words_add(beyond, sizeof r->out->beyond, ", ", metric->string);
			continue;
		}
		if (!cJSON_IsArray(metric) || cJSON_GetArraySize(metric) != 2)
			return wrong(r, metric->string, -1, "two longest wins", metric);
		unsigned side = white;
		for (const cJSON *one = metric->child; one && !status; one = one->next, side ^= 1)
			status = add_record(r, e, metric->string, cJSON_GetArrayItem(one, 0),
			                    cJSON_GetArrayItem(one, 1),
			                    &(struct el_published_record){known[m].metric, &el_wdl,
			                                                  (uint8_t)side, EL_WIN,
			                                                  false, 0, ""});
		if (status)
			return status;
	}
	return EL_OK;
}

/* ---- syzygy-tables.info ---- */

static enum el_status read_depths(const struct reading *r, const char *place, const cJSON *array,
                                  uint64_t **out, unsigned *plies)
{
	const int length = cJSON_GetArraySize(array);
	if (!cJSON_IsArray(array) || length > EL_PLIES_MAX)
		return wrong(r, place, -1, "an array of counts by ply", array);
	*out = malloc((size_t)(length + 1) * sizeof **out);
	if (!*out)
		return foreign_no_memory(r->path, r->error);
	for (const cJSON *item = array->child; item; item = item->next) {
		if (!is_count(item))
			return wrong(r, place, (int)*plies, "a count", item);
		(*out)[(*plies)++] = (uint64_t)item->valuedouble;
	}
	return EL_OK;
}

/* One ending: {"longest": [{"epd", "ply", "wdl"}], "histogram": {"white": {"win": [counts by ply], "loss":
   [...], "wdl": {"-2": count, ...}}, "black": ...}}. Without a name, its positions tell which it is. */
static enum el_status read_ending(struct reading *r, const char *name, const cJSON *object)
{
	static const char *const colour[] = {"white", "black"}, *const half[] = {"win", "loss"},
				 *const wdl[] = {"-2", "-1", "0", "1", "2"};
	const cJSON *longest = member(object, "longest"), *histogram = member(object, "histogram");
	const struct el_metric *const five = &el_wdl_rule[EL_RULE_USUAL - 1];
	struct el_published_ending *e;
	struct el_slice slice;
	struct el_place stored;
	char fen[EL_FEN_MAX];
	unsigned white;
	enum el_status status = EL_OK;
	r->ending = name;
	if (!cJSON_IsArray(longest))
		return wrong(r, "longest", -1, "an array", longest);
	if (!name && longest->child)
		status = read_position(r, "epd", member(longest->child, "epd"), fen, &slice,
		                       &stored);
	else if (!name && r->unnamed)
		slice = *r->unnamed;
	else if (!name)
		return el_fail(r->error, EL_NEGATIVE,
		               "%s: it does not say of which ending it is: name one slice",
		               r->path);
	if (!status)
		status = add_ending(r, name ? name : slice.name, &e, &white);
	if (status)
		return status;
	e->is_part = false;
	e->metric = &el_dtz_syzygy;
	e->reduced = true;
	for (unsigned s = 0; s < 2; s++) {
		const cJSON *side = member(histogram, colour[s]), *outcomes = member(side, "wdl");
		char place[32];
		for (unsigned o = 0; o <= EL_WIN; o++) {
			const cJSON *count = member(outcomes, wdl[o]);
			snprintf(place, sizeof place, "histogram.%s.wdl.%s", colour[s], wdl[o]);
			if (!is_count(count))
				return wrong(r, place, -1, "a count", count);
			e->side[s ^ white].outcome[o] = (uint64_t)count->valuedouble;
		}
		for (unsigned h = 0; h < 2 && !status; h++) {
			snprintf(place, sizeof place, "histogram.%s.%s", colour[s], half[h]);
			status = read_depths(r, place, member(side, half[h]),
			                     &e->side[s ^ white].depth[h],
			                     &e->side[s ^ white].plies[h]);
		}
		if (status)
			return status;
	}
	for (const cJSON *one = longest->child; one && !status; one = one->next) {
		const cJSON *value = member(one, "wdl");
		if (!cJSON_IsNumber(value) ||
		    (value->valuedouble != -2 && value->valuedouble != -1 &&
		     value->valuedouble != 1 && value->valuedouble != 2))
			return wrong(r, "wdl", -1, "-2, -1, 1 or 2", value);
		status = add_record(r, e, "longest", member(one, "ply"), member(one, "epd"),
		                    &(struct el_published_record){
					    &el_dtz_rule[EL_RULE_USUAL - 1], five, EL_WHITE,
					    (uint8_t)(EL_DRAW + value->valueint), true, 0, ""});
	}
	return status;
}

/* ---- both ---- */

static enum el_status read_root(struct reading *r, const cJSON *root)
{
	enum el_status status = EL_OK;
	const cJSON *sets = member(root, "sets");
	for (const cJSON *set = cJSON_IsArray(sets) ? sets->child : NULL; set; set = set->next) {
		const cJSON *rows = member(set, "rows"), *castling = member(set, "castling");
		r->ending = NULL;
		if (!cJSON_IsArray(rows))
			return wrong(r, "rows", -1, "an array", rows);
		if (!cJSON_IsBool(castling))
			return wrong(r, "castling", -1, "true or false", castling);
		for (const cJSON *row = rows->child; row && !status; row = row->next)
			status = read_row(r, row, cJSON_IsTrue(castling));
		if (status)
			return status;
	}
	if (cJSON_IsArray(sets))
		return EL_OK;
	if (member(root, "histogram"))
		return read_ending(r, NULL, root);
	if (!cJSON_IsObject(root) || !member(root->child, "histogram"))
		return el_fail(r->error, EL_DAMAGED,
		               "%s: expected statistics of chesstb ('sets' of 'rows') or of "
		               "syzygy-tables.info (endings with a 'histogram'), found neither",
		               r->path);
	for (const cJSON *ending = root->child; ending && !status; ending = ending->next)
		status = read_ending(r, ending->string, ending);
	return status;
}

enum el_status el_published_read(const char *path, const struct el_slice *unnamed,
                                 struct el_published *out, struct el_error *error)
{
	char *text;
	size_t size;
	*out = (struct el_published){.ending = NULL};
	enum el_status status = foreign_text(path, "the statistics", SIZE_MAX, &text, &size, error);
	if (!status) {
		const char *end = text;
		cJSON *root = cJSON_ParseWithLengthOpts(text, size + 1, &end, true);
		struct reading r = {path, unnamed, out, NULL, error};
		if (root && end == text + size) {
			status = read_root(&r, root);
		} else {
			unsigned line = 1, column = 1;
			for (const char *at = text; at < end; at++) {
				column = *at == '\n' ? 1 : column + 1;
				line += *at == '\n';
			}
			status = el_fail(error, EL_DAMAGED,
			                 "%s: line %u, column %u: expected JSON, found %s", path,
			                 line, column,
			                 end < text + size ? "something else" : "the end");
		}
		cJSON_Delete(root);
	}
	free(text);
	if (status)
		el_published_free(out);
	return status;
}

void el_published_free(struct el_published *published)
{
	for (size_t i = 0; i < published->count; i++)
		for (unsigned half = 0; half < 4; half++)
			free(published->ending[i].side[half / 2].depth[half % 2]);
	free(published->ending);
	*published = (struct el_published){.ending = NULL};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth.h"
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "files.h"

#include <string.h>

static struct el_library *open_library(const char *folder, struct el_error *error)
{
	struct el_library *library;
	const struct el_library_options options = {.directory = folder, .cache_bytes = 1 << 20};
	return el_library_open(&options, &library, error) ? NULL : library;
}

/* ---- finding ---- */

/* False if the library does not use the file. */
static bool find_entry(struct el_library *library, const char *path, struct truth *out)
{
	struct el_entry *entries;
	size_t count;
	bool found = false;
	if (el_library_list(library, &entries, &count, NULL))
		return false;
	for (size_t i = 0; i < count && !found; i++) {
		found = !entries[i].ignored && !strcmp(entries[i].path, path);
		if (found) {
			out->slice = entries[i].slice;
			out->metric = entries[i].metric;
		}
	}
	el_entries_free(entries, count);
	return found;
}

bool truth_find(const char *folder, const char *name, struct truth *out)
{
	struct trial random = {.random = 1};
	struct el_error error;
	struct el_library *library = open_library(folder, &error);
	if (!library)
		trial_give_up("%s: %s", folder, error.text);
	out->path = files_kept_path(folder, name);
	const bool found = find_entry(library, out->path, out);
	for (out->count = 0; found && out->count < TRUTH_POSITIONS;) {
		const unsigned plane = (unsigned)trial_below(&random, out->slice.planes);
		const uint64_t index = trial_random(&random) % out->slice.positions;
		struct el_position *p = &out->position[out->count];
		if (!out->slice.game->unplace(&out->slice, plane, index, p))
			continue;
		if (el_library_value(library, out->slice.game, p, out->metric, EL_PROBE_FULL,
		                     &out->value[out->count], &error))
			trial_give_up("%s: %s", out->path, error.text);
		out->count++;
	}
	el_library_close(library);
	return found;
}

/* ---- asking ---- */

/* The positions in turn, and what was found so far. */
struct asker {
	struct trial *trial;
	const struct truth *truth;
	struct el_library *library;
	bool refused;
};

static enum verdict judge(struct asker *a, size_t i, enum el_status status, struct el_value value,
                          const char *how)
{
	char fen[EL_FEN_MAX];
	a->refused |= status != EL_OK;
	if (status || el_value_equal(value, a->truth->value[i]))
		return RIGHT;
	a->truth->slice.game->format(&a->truth->position[i], fen);
	return trial_wrong(a->trial, "%s: %s %u by %s, expected %s %u", fen,
	                   el_outcome_name(value.outcome), value.plies, how,
	                   el_outcome_name(a->truth->value[i].outcome), a->truth->value[i].plies);
}

static enum verdict ask_value(struct asker *a, size_t i)
{
	struct el_value value = {.outcome = EL_BROKEN};
	const enum el_status status =
		el_library_value(a->library, a->truth->slice.game, &a->truth->position[i],
	                         a->truth->metric, EL_PROBE_FULL, &value, NULL);
	return judge(a, i, status, value, "value");
}

/* If an answer leaves the value unknown, it must say why. */
static enum verdict ask_answer(struct asker *a, size_t i)
{
	static struct el_answer answer;
	const enum el_status status = el_library_answer(
		a->library, a->truth->slice.game, &a->truth->position[i], NULL, &answer, NULL);
	const struct el_value value = answer.value[el_metric_rank(a->truth->metric)];
	const bool unknown = value.outcome == EL_UNKNOWN && *answer.why_unknown;
	return judge(a, i, status ? status : unknown ? EL_NEGATIVE : EL_OK, value, "answer");
}

/* Reads a whole table into memory. */
static enum verdict ask_planes(struct asker *a)
{
	struct el_planes planes;
	enum verdict verdict = RIGHT;
	if (el_library_planes(a->library, &a->truth->slice, a->truth->metric, NULL, &planes,
	                      NULL)) {
		a->refused = true;
		return RIGHT;
	}
	for (size_t i = 0; i < a->truth->count && verdict != WRONG; i++) {
		struct el_place place;
		if (!planes.slice.game->place(&a->truth->position[i], &place))
			continue;
		verdict = judge(a, i, EL_OK,
		                el_plane_value(&planes.plane[place.plane], place.index), "planes");
	}
	el_planes_free(&planes);
	return verdict;
}

enum verdict truth_ask(struct trial *t, const char *folder, const struct truth *truth)
{
	enum { VALUES = 300, ANSWERS = 10 };
	struct el_error error;
	struct asker a = {.trial = t, .truth = truth, .library = open_library(folder, &error)};
	enum verdict verdict = RIGHT;
	if (!a.library)
		return REFUSED;
	const size_t first = trial_below(t, truth->count);
	for (size_t i = 0; i < VALUES && verdict != WRONG; i++)
		verdict = ask_value(&a, (first + i) % truth->count);
	for (size_t i = 0; i < ANSWERS && verdict != WRONG; i++)
		verdict = ask_answer(&a, (first + VALUES + i) % truth->count);
	if (verdict != WRONG && trial_below(t, 4) == 0)
		verdict = ask_planes(&a);
	el_library_close(a.library);
	return verdict == WRONG ? WRONG : a.refused ? REFUSED : RIGHT;
}

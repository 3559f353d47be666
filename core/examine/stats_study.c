/* SPDX-License-Identifier: MIT */
/* Statistics of a study. As in stats.c, each thread tallies symbols. */
#include "core/whole/sweep.h"
#include "examine.h"
#include "study_reader.h"

#include <stdlib.h>

enum { CACHE = 64 << 20 }; /* the file is read from its beginning to its end */

struct study_counter {
	struct study_reader reader;
	struct symbol_tally *tallies; /* [thread][side to move][symbol] */
};

/* Where like pieces change places the position is the same, and only one of its addresses counts. */
static enum el_status count_part(void *context, unsigned thread, struct study_part *p,
                                 struct el_error *error)
{
	const struct study_counter *c = context;
	const struct el_frames *frames = c->reader.file.frames;
	const uint32_t values = c->reader.file.value_count;
	bool found = p->filed->is_solved && frames->chooses(&p->filed->frame) == 2;
	enum el_status status = EL_OK;
	while (found && !(status = study_next(p, &found, error)) && found) {
		struct symbol_tally *t =
			&c->tallies[(2 * (size_t)thread + p->side) * values + p->symbol];
		if (frames->address(&p->filed->frame, &p->position) != p->at)
			continue;
		if (!t->indexes || p->address < t->first)
			t->first = p->address;
		t->indexes = ++t->placements;
	}
	return status;
}

static enum el_status count_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	struct study_counter *c = context;
	return study_parts(&c->reader, first, end, count_part, c, thread, error);
}

/* ---- from tallies to statistics ---- */

static enum el_status summarize_side(const struct study_counter *c, unsigned side,
                                     struct el_study_stats *out, struct el_error *error)
{
	const struct study_reader *r = &c->reader;
	const struct study_file *file = &r->file;
	const struct symbol_tally *tallies = c->tallies + side * file->value_count;
	struct el_side_stats *s = &out->stats.side[side];
	uint64_t first[2];
	const enum el_status counted =
		tallies_sum_up(tallies, file->values, file->value_count, true, s, first, error);
	if (counted)
		return counted;
	out->positions += s->all.legal;
	out->exact += s->all.legal - s->all.unknown - s->all.at_most_draw - s->all.at_least_draw;
	for (int half = 0; half < 2; half++) {
		struct el_position position;
		struct el_sets *sets;
		if (first[half] == UINT64_MAX)
			continue;
		const struct filed *filed = study_frame_at(file, first[half]);
		const enum el_status status = file->frames->open(&filed->frame, &sets, error);
		if (status)
			return status;
		const uint64_t at = (first[half] - filed->first) % filed->half;
		if (study_position_at(r, sets, side, at, &position))
			out->stats.slice.game->format(&position, s->longest_fen[half]);
		sets->close(sets);
	}
	return EL_OK;
}

enum el_status el_study_stats_make(const char *path, const struct el_watch *watch,
                                   struct el_study_stats *out, struct el_error *error)
{
	struct study_counter c = {.tallies = NULL};
	const unsigned threads = sweep_threads();
	*out = (struct el_study_stats){.frames = 0};
	enum el_status status = study_reader_open(path, CACHE, &c.reader, error);
	if (!status) {
		const size_t all = (size_t)threads * 2 * c.reader.file.value_count;
		c.tallies = calloc(all, sizeof *c.tallies);
		if (!c.tallies)
			status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
	}
	const struct study_file *f = &c.reader.file;
	if (!status) {
		const struct el_slice *slice = &f->info->slice;
		out->stats = (struct el_stats){
			.slice = *slice, .metric = f->info->metric, .passes = f->info->passes};
		out->root = f->root;
		out->value = c.reader.root;
		out->pieces = f->frames->movers_max;
		for (unsigned m = 0; m <= out->pieces; m++)
			out->followed[m] = f->followed[m] & f->frames->all_kinds;
		out->kinds = f->frames->all_kinds;
		for (uint32_t i = 0; i < f->count; i++)
			out->frames +=
				f->list[i].is_solved && f->frames->chooses(&f->list[i].frame) == 2;
		status = sweep_run(&(struct sweep){"counting", slice, f->info->metric,
		                                   slice->positions, 0, slice->positions, watch, &c,
		                                   count_chunk},
		                   error);
	}
	if (!status)
		tallies_join(c.tallies, 2 * (size_t)c.reader.file.value_count, threads);
	for (unsigned side = 0; side < 2 && !status; side++)
		status = summarize_side(&c, side, out, error);
	out->stats.partial = out->exact < out->positions;
	if (status)
		el_stats_free(&out->stats);
	free(c.tallies);
	study_reader_close(&c.reader);
	return status;
}

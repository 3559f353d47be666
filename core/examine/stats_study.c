/* SPDX-License-Identifier: MIT */
/* Statistics of a study. As in stats.c, each thread tallies symbols. */
#include "core/whole/sweep.h"
#include "examine.h"
#include "study_reader.h"

#include <stdlib.h>

enum { CACHE = 64 << 20 }; /* the file is read from its beginning to its end */

/* The tally of one symbol. */
struct tally {
	uint64_t positions;
	uint64_t first; /* least address; valid when there are positions */
};

struct study_counter {
	struct study_reader reader;
	struct tally *tallies; /* [thread][side to move][symbol] */
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
		struct tally *t = &c->tallies[(2 * (size_t)thread + p->side) * values + p->symbol];
		if (frames->address(&p->filed->frame, &p->position) != p->at)
			continue;
		if (!t->positions || p->address < t->first)
			t->first = p->address;
		t->positions++;
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
	const struct tally *tallies = c->tallies + side * file->value_count;
	struct el_side_stats *s = &out->stats.side[side];
	uint64_t first[2] = {UINT64_MAX, UINT64_MAX};
	for (uint32_t i = 0; i < file->value_count; i++) {
		const struct el_value v = file->values[i];
		if (tallies[i].positions && (v.outcome == EL_WIN || v.outcome == EL_LOSS) &&
		    !v.at_most && v.plies >= s->plies)
			s->plies = v.plies + 1u;
	}
	for (int half = 0; half < 2 && s->plies; half++)
		if (!(s->histogram[half] = calloc(s->plies, sizeof *s->histogram[half])))
			return el_fail(error, EL_MEMORY, "out of memory for %u plies", s->plies);
	for (uint32_t i = 0; i < file->value_count; i++) {
		const struct el_value v = file->values[i];
		const uint64_t n = tallies[i].positions;
		if (!n)
			continue;
		counts_add(&s->all, v.outcome, n);
		out->positions += n;
		out->exact += el_outcome_exact(v.outcome) ? n : 0;
		if (v.outcome != EL_WIN && v.outcome != EL_LOSS)
			continue;
		if (v.at_most) {
			s->at_most += n;
			continue;
		}
		const int half = v.outcome == EL_WIN ? 0 : 1;
		s->histogram[half][v.plies] += n;
		if (first[half] == UINT64_MAX || v.plies > s->longest[half]) {
			s->longest[half] = v.plies;
			first[half] = tallies[i].first;
		}
	}
	s->unique = s->all.legal;
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
	const size_t each = 2 * (size_t)c.reader.file.value_count;
	for (size_t i = each; i < threads * each && !status; i++) {
		const struct tally *from = &c.tallies[i];
		struct tally *to = &c.tallies[i % each];
		if (from->positions && (!to->positions || from->first < to->first))
			to->first = from->first;
		to->positions += from->positions;
	}
	for (unsigned side = 0; side < 2 && !status; side++)
		status = summarize_side(&c, side, out, error);
	out->stats.partial = out->exact < out->positions;
	if (status)
		el_stats_free(&out->stats);
	free(c.tallies);
	study_reader_close(&c.reader);
	return status;
}

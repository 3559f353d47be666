/* SPDX-License-Identifier: MIT */
#include "loan.h"

#include "core/solve/memory.h"
#include "core/table/table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Gives a plane its values, as the metric `to` reads those of `from`. */
static bool set_values(struct el_plane *plane, const struct el_value *values, uint32_t count,
                       const struct el_metric *from, const struct el_metric *to)
{
	plane->value_count = count;
	plane->values = malloc(count * sizeof *plane->values);
	for (uint32_t v = 0; v < count && plane->values; v++)
		plane->values[v] = el_metric_read(from, to, values[v]);
	return plane->values;
}

/* ---- pieces ---- */

static enum el_status load_stored(const struct loan_side *side, uint64_t first, size_t count,
                                  uint16_t *out, struct el_error *error)
{
	struct el_table *table = side->loan->has[side->plane];
	const struct el_table_info *info = el_table_info(table);
	const size_t block_count = info->options.block_positions;
	uint16_t *block = malloc(block_count * sizeof *block);
	enum el_status status =
		block ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", info->slice.name);
	for (size_t done = 0; done < count && !status;) {
		const uint64_t index = first + done;
		const size_t at = (size_t)(index % block_count);
		const size_t rest = count - done, there = block_count - at;
		const size_t now = rest < there ? rest : there;
		status = el_table_read_block(table, el_table_block_of(table, side->plane, index),
		                             block, error);
		if (!status)
			memcpy(out + done, block + at, now * sizeof *out);
		done += now;
	}
	free(block);
	return status;
}

/* Puts the values of the best moves in place of those read: of all moves, or of captures, where they are
   better or nothing else counts. */
static enum el_status derive_piece(const struct derived *d, const struct derivation *by,
                                   unsigned plane, uint64_t first, size_t count, uint16_t *out,
                                   struct el_error *error)
{
	const struct el_best *best = by->best;
	const struct el_slice *slice = &d->planes.slice;
	const bool all = by->problem.moves == BEST_ALL;
	const uint64_t end = first + count;
	int16_t *score = malloc(best->longest * sizeof *score);
	void *scratch = aligned_alloc(64, (best->scratch + 63) / 64 * 64);
	enum el_status status = EL_OK;
	if (!score || !scratch)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	size_t section = 0,
	       after = best->sections; /* the last one that begins at or before `first` */
	while (after - section > 1) {
		const size_t middle = section + (after - section) / 2;
		*(best->section(best, middle) <= first ? &section : &after) = middle;
	}
	for (; !status && section < best->sections; section++) {
		const uint64_t start = best->section(best, section);
		const uint64_t stop = best->section(best, section + 1);
		if (start >= end)
			break;
		status = best->of(best, plane, section, score, scratch, error);
		for (uint64_t i = start < first ? first : start; i < stop && i < end && !status;
		     i++) {
			uint16_t *symbol = &out[i - first];
			struct el_position p;
			int16_t s = score[i - start];
			if (s == BEST_STUCK && all && slice->game->unplace(slice, plane, i, &p))
				s = best_score(d->planes.metric, slice->game->stuck(&p));
			if (all)
				*symbol = 0;
			if (s <= BEST_STUCK ||
			    (!all && !slice->game->forced_captures && s <= d->own[plane][*symbol]))
				continue;
			if (s == BEST_HOLE || !d->symbol[plane][s])
				status = el_fail(error, EL_NEGATIVE, "%s: a move leads to no value",
				                 slice->name);
			else
				*symbol = d->symbol[plane][s] - 1;
		}
	}
	free(score);
	free(scratch);
	return status;
}

static enum el_status load(void *context, size_t chunk, void *bytes, struct el_error *error)
{
	const struct loan_side *side = context;
	const uint64_t first = (uint64_t)chunk * side->count;
	const uint64_t after = side->loan->planes.slice.positions - first;
	const size_t count = after < side->count ? (size_t)after : side->count;
	const struct derived *d = side->loan->derived;
	const struct el_plane_reader *reader = side->loan->reader;
	if (reader) {
		pthread_mutex_lock(&side->loan->reading);
		const enum el_status status =
			reader->read(reader->context, side->plane, first, count, bytes, error);
		pthread_mutex_unlock(&side->loan->reading);
		return status;
	}
	if (d && side->plane == d->left_out)
		return derive_piece(d, &d->moves, side->plane, first, count, bytes, error);
	const enum el_status status = load_stored(side, first, count, bytes, error);
	return status || !d || !d->captures.best
	               ? status
	               : derive_piece(d, &d->captures, side->plane, first, count, bytes, error);
}

const uint16_t *loan_look(struct loan_side *side, uint64_t first, size_t count)
{
	struct loan *l = side->loan;
	bool good = true;
	/* The first request sets the size of all chunks. */
	if (!side->count)
#pragma omp critical(loan)
		if (!side->count) {
			const size_t chunks =
				(size_t)((l->planes.slice.positions + count - 1) / count);
			good = !paged_open_from(&side->chunks, l->scratch, chunks,
			                        count * sizeof(uint16_t), load, side);
			if (good)
				side->count = count;
			else
				scratch_refuse(l->scratch);
		}
	return !good ? NULL : page_read(&side->chunks, (size_t)(first / count));
}

void loan_let_go(struct loan_side *side, uint64_t first, size_t count)
{
	page_release(&side->chunks, (size_t)(first / count));
}

/* ---- what is left out ---- */

/* Lends the kept side besides what the other lender lends. */
static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	const struct el_lender *outer = &((struct derived *)context)->outer;
	return outer->lend(outer->context, slice, metric, out, error);
}

static void give_back(void *context, const struct el_planes *planes)
{
	const struct el_lender *outer = &((struct derived *)context)->outer;
	outer->give_back(outer->context, planes);
}

static const uint16_t *look(void *context, const struct el_planes *planes, unsigned plane,
                            uint64_t first, size_t count)
{
	struct derived *d = context;
	if (planes != &d->planes)
		return d->outer.look(d->outer.context, planes, plane, first, count);
	const bool kept = plane == d->kept.plane;
	d->turns |= !kept;
	return kept ? loan_look(&d->kept, first, count) : NULL;
}

static void let_go(void *context, const struct el_planes *planes, unsigned plane, uint64_t first,
                   size_t count)
{
	struct derived *d = context;
	if (planes == &d->planes)
		loan_let_go(&d->kept, first, count);
	else
		d->outer.let_go(d->outer.context, planes, plane, first, count);
}

static enum el_status check(void *context, struct el_error *error)
{
	const struct derived *d = context;
	return d->turns ? el_fail(error, EL_DAMAGED,
	                          "%s: a move's value depends on the side that is left out",
	                          d->planes.slice.name)
	                : d->outer.check(d->outer.context, error);
}

/* Lists all values that moves may lead to: which of them occur is not known before all are tried. */
static enum el_status list_values(struct derived *d, const struct derivation *by, unsigned plane,
                                  struct el_error *error)
{
	const struct best_reached *r = &by->best->reached;
	const struct el_metric *metric = d->planes.metric;
	struct el_plane *to = &d->planes.plane[plane];
	const struct best_entered *quiet[] = {&r->quiet, &r->ended};
	uint16_t *symbol = d->symbol[plane];
	/* A capture leaves the slice. */
	for (size_t i = by->problem.moves == BEST_CAPTURES ? 2 : 0; i < r->count + 2; i++) {
		const struct best_entered *e = i < 2 ? quiet[i] : &r->entered[i - 2];
		for (unsigned p = 0; e->planes && p < e->planes->slice.planes; p++)
			for (uint32_t s = 0; s < e->planes->plane[p].value_count; s++)
				if (e->score[p][s] > BEST_STUCK && e->score[p][s] < BEST_HOLE)
					symbol[e->score[p][s]] = 1;
	}
	symbol[r->drawn] = symbol[r->won] = 1;
	symbol[best_score(metric, (struct el_value){.outcome = EL_LOSS})] = 1;
	symbol[best_score(metric, (struct el_value){.outcome = EL_DRAW})] = 1;
	const uint32_t stored = to->value_count;
	if (!(d->own[plane] = malloc(stored * sizeof *d->own[plane])))
		return el_fail(error, EL_MEMORY, "%s: out of memory", d->planes.slice.name);
	for (uint32_t s = 0; s < stored; s++) {
		const bool broken = to->values[s].outcome == EL_BROKEN;
		d->own[plane][s] = broken ? NO_SCORE : best_score(metric, to->values[s]);
	}
	for (int s = BEST_STUCK + 1; s < BEST_HOLE; s++) {
		uint32_t at = 0;
		if (!symbol[s])
			continue;
		while (at < stored && d->own[plane][at] != s)
			at++;
		if (at == stored)
			at = el_plane_add_value(to, best_value(metric, (int16_t)s));
		if (!at && d->own[plane][0] != s)
			return el_fail(error, EL_MEMORY, "%s: out of memory", d->planes.slice.name);
		symbol[s] = (uint16_t)(at + 1);
	}
	return EL_OK;
}

static enum el_status derivation_open(struct derived *d, enum el_best_moves moves,
                                      struct derivation *out, struct el_error *error)
{
	out->problem = (struct el_best_problem){&d->planes, &d->lender, moves};
	return el_best_open(&out->problem, &out->best, error);
}

static enum el_status derived_open(struct loan *l, const struct el_lender *lender,
                                   struct el_error *error)
{
	const struct el_table_info *info = el_table_info(l->table);
	struct derived *d = l->derived = calloc(1, sizeof *d);
	if (!d)
		return el_fail(error, EL_MEMORY, "%s: out of memory", info->slice.name);
	d->left_out = info->options.left_out ? info->options.left_out - 1u : 2;
	d->outer = *lender;
	d->lender = (struct el_lender){d, lend, give_back, look, let_go, check};
	d->planes = (struct el_planes){.slice = info->slice, .metric = info->metric};
	d->kept = (struct loan_side){.loan = l, .plane = !d->left_out};
	for (unsigned p = 0; p < info->slice.planes; p++) {
		const struct el_value broken = {.outcome = EL_BROKEN}, *values = &broken;
		uint32_t count = 1;
		if (p != d->left_out)
			values = el_table_values(l->table, p, &count);
		if (!set_values(&d->planes.plane[p], values, count, info->metric, info->metric))
			return el_fail(error, EL_MEMORY, "%s: out of memory", info->slice.name);
	}
	enum el_status status = EL_OK;
	if (info->options.derive & EL_DERIVE_CAPTURES)
		status = derivation_open(d, BEST_CAPTURES, &d->captures, error);
	for (unsigned p = 0; p < info->slice.planes && d->captures.best && !status; p++)
		if (p != d->left_out)
			status = list_values(d, &d->captures, p, error);
	/* All moves lead also to what captures told. */
	if (!status && d->left_out < 2)
		status = derivation_open(d, BEST_ALL, &d->moves, error);
	return status || d->left_out == 2 ? status : list_values(d, &d->moves, d->left_out, error);
}

/* ---- a loan ---- */

void loan_copy_path(const char *folder, uint64_t checksum, char *out, size_t size)
{
	snprintf(out, size, "%s/%016" PRIx64 ".copy", folder, checksum);
}

bool loan_is_plain(const struct el_table_info *info)
{
	return !info->options.derive && info->options.ordering == EL_ORDER_INDEX;
}

bool loan_lacks_side(const struct el_table_info *info)
{
	return info->options.derive == EL_DERIVE_SIDE && info->options.ordering == EL_ORDER_INDEX;
}

enum el_status loan_copy(const char *folder, const char *file, const struct el_planes *planes,
                         const struct el_watch *watch, struct el_error *error)
{
	struct el_table_options options = el_table_options_default();
	struct el_planes copied = *planes;
	struct el_temporary made;
	struct el_table *table;
	char path[PATH_MAX];
	enum el_status status = el_table_open(file, &table, error);
	if (status)
		return status;
	const struct el_table_info *info = el_table_info(table);
	const uint64_t identity = planes->origin.metric ? planes->origin.identity : info->checksum;
	loan_copy_path(folder, info->checksum, path, sizeof path);
	if (loan_is_plain(info) || info->partial || info->metric != planes->metric ||
	    info->checksum != identity)
		status = el_fail(error, EL_NEGATIVE, "%s: not to be copied", file);
	/* Of the copy, only the plane that the table has may be left out. */
	if (loan_lacks_side(info)) {
		options.derive = EL_DERIVE_SIDE;
		copied.told_late = (uint8_t)(info->options.left_out == 1 ? 2 : 1);
	}
	el_table_close(table);
	if (status)
		return status;
	el_codec_parse("zstd:1", &options.codec, NULL);
	status = el_table_write_unnamed(path, &copied, &options, false, watch, &made, NULL, error);
	return status ? status : el_temporary_rename(&made, path, error);
}

void loan_drop_copy(const char *folder, const char *file)
{
	struct el_table *table;
	char path[PATH_MAX];
	if (!folder || el_table_open(file, &table, NULL))
		return;
	loan_copy_path(folder, el_table_info(table)->checksum, path, sizeof path);
	el_table_close(table);
	unlink(path);
}

/* Opens the copy of the table, if there is one that suits it. */
static bool open_copy(struct loan *l, const char *copies)
{
	const struct el_table_info *info = el_table_info(l->table);
	char path[PATH_MAX];
	loan_copy_path(copies, info->checksum, path, sizeof path);
	if (el_table_open(path, &l->copy, NULL))
		return false;
	const struct el_table_info *found = el_table_info(l->copy);
	const bool rest = loan_lacks_side(info) && loan_lacks_side(found) &&
	                  found->options.left_out != info->options.left_out;
	if (el_slice_equal(&found->slice, &info->slice) && found->metric == info->metric &&
	    (rest || loan_is_plain(found)))
		return true;
	el_table_close(l->copy);
	l->copy = NULL;
	return false;
}

/* Opens the table and its copy. `whatever`: even if it is small and whole. */
static enum el_status open_table(struct loan *l, const char *copies, bool whatever,
                                 const char *path, const struct el_metric *metric,
                                 const struct el_lender *lender, struct el_error *error)
{
	if (el_table_open(path, &l->table, error))
		return EL_NEGATIVE; /* reading the planes whole will give the reason */
	const struct el_table_info *info = el_table_info(l->table);
	const struct el_table_options *options = &info->options;
	struct el_origin origin = {info->metric, info->checksum, options->derive != 0, 0};
	if (info->partial || (!whatever && loan_is_plain(info) && !memory_is_large(&info->slice))) {
		loan_close(l);
		return EL_NEGATIVE;
	}
	/* A copy has all that the table lacks, and all else unless that is a side. */
	const bool copied = copies && !loan_is_plain(info) && open_copy(l, copies);
	for (unsigned p = 0; p < info->slice.planes; p++)
		l->has[p] = el_table_keeps(options, p) && (!copied || loan_lacks_side(info))
		                    ? l->table
		                    : l->copy;
	enum el_status status = EL_OK;
	if (copied || !options->derive)
		status = copied || options->ordering == EL_ORDER_INDEX ? EL_OK : EL_NEGATIVE;
	else if (options->derive & EL_DERIVE_OUTCOMES || options->ordering != EL_ORDER_INDEX ||
	         (options->derive & EL_DERIVE_CAPTURES && !whatever &&
	          !memory_is_large(&info->slice)))
		status = EL_NEGATIVE;
	else
		status = derived_open(l, lender, error);
	if (status) {
		loan_close(l);
		return status;
	}
	origin.left_out = copied ? 0 : options->left_out;
	metric = metric ? metric : info->metric;
	l->planes = (struct el_planes){.slice = info->slice, .metric = metric, .origin = origin};
	for (unsigned p = 0; p < info->slice.planes; p++) {
		const struct el_plane *found = l->derived ? &l->derived->planes.plane[p] : NULL;
		uint32_t count = found ? found->value_count : 0;
		const struct el_value *values =
			found ? found->values : el_table_values(l->has[p], p, &count);
		if (!set_values(&l->planes.plane[p], values, count, info->metric, metric))
			return el_fail(error, EL_MEMORY, "%s: out of memory", info->slice.name);
		l->side[p] = (struct loan_side){.loan = l, .plane = p};
	}
	return EL_OK;
}

enum el_status loan_open(struct loan *l, struct el_library *library, const char *copies,
                         const struct el_lender *lender, const struct el_slice *slice,
                         const struct el_metric *metric, struct scratch *scratch,
                         struct el_error *error)
{
	char path[PATH_MAX];
	const char *folder = el_library_directory(library);
	const struct el_metric *from = NULL;
	*l = (struct loan){.scratch = scratch};
	el_table_file_name(folder, slice, metric, path, sizeof path);
	enum el_status status = open_table(l, copies, false, path, metric, lender, error);
	while (status == EL_NEGATIVE && (from = el_library_next_metric(library, slice, from))) {
		el_table_file_name(folder, slice, from, path, sizeof path);
		if (el_metric_tells(from, metric))
			status = open_table(l, copies, false, path, metric, lender, error);
	}
	if (status)
		loan_close(l);
	return status;
}

enum el_status loan_open_file(struct loan *l, const char *path, const struct el_lender *lender,
                              struct scratch *scratch, struct el_error *error)
{
	*l = (struct loan){.scratch = scratch};
	const enum el_status status = open_table(l, NULL, true, path, NULL, lender, error);
	if (status)
		loan_close(l);
	return status;
}

enum el_status loan_open_reader(struct loan *l, const struct el_planes *planes,
                                struct scratch *scratch, struct el_error *error)
{
	*l = (struct loan){
		.planes = {.slice = planes->slice, .metric = planes->metric},
		.reader = planes->reader,
		.reading = PTHREAD_MUTEX_INITIALIZER,
		.scratch = scratch,
	};
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		const struct el_plane *from = &planes->plane[p];
		if (!set_values(&l->planes.plane[p], from->values, from->value_count,
		                planes->metric, planes->metric)) {
			loan_close(l);
			return el_fail(error, EL_MEMORY, "%s: out of memory", planes->slice.name);
		}
		l->side[p] = (struct loan_side){.loan = l, .plane = p};
	}
	return EL_OK;
}

void loan_close(struct loan *l)
{
	if (l->derived) {
		el_best_close(l->derived->captures.best);
		el_best_close(l->derived->moves.best);
		paged_close(&l->derived->kept.chunks);
		free(l->derived->own[0]);
		free(l->derived->own[1]);
		el_planes_free(&l->derived->planes);
	}
	free(l->derived);
	for (unsigned p = 0; p < 2; p++)
		paged_close(&l->side[p].chunks);
	el_planes_free(&l->planes);
	if (l->table)
		el_table_close(l->table);
	if (l->copy)
		el_table_close(l->copy);
	*l = (struct loan){.scratch = l->scratch};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view.h"

#include <stdlib.h>

static enum el_status out_of_memory(const struct el_planes *planes, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory for %llu positions", planes->slice.name,
	               (unsigned long long)planes->slice.positions);
}

/* ---- what may be chosen ---- */

/* Is the better of this value and any worse one of the plane always this one? Not where bounds are
   about: the better of a draw and an unknown value is at least a draw. */
static bool outdoes_worse(const struct el_metric *metric, const struct el_plane *in,
                          struct el_value v)
{
	bool outdoes = true;
	for (uint32_t s = 1; s < in->value_count; s++)
		outdoes &= el_value_compare(metric, in->values[s], v) > 0 ||
		           el_value_equal(el_value_max(metric, in->values[s], v), v);
	return outdoes;
}

/*
 * How far the fill may choose what a derivable position of this value stores. Forced captures are
 * all that a probe looks at; elsewhere it takes the better of the two. There bounds are kept: once
 * tables made later know the captures better, they are what the other moves leave open.
 */
static enum el_care care_of(const struct el_planes *planes, const struct el_plane *in,
                            struct el_value v)
{
	if (planes->slice.game->forced_captures)
		return EL_CARE_NOT;
	if (planes->metric->has_depth)
		return EL_CARE_AT_MOST;
	return !el_value_bounded(planes->metric, v) && outdoes_worse(planes->metric, in, v)
	               ? EL_CARE_AT_MOST
	               : EL_CARE_EXACT;
}

/* By symbol, of derivable positions: enum el_care. Null without memory. */
static uint8_t *list_cares(const struct el_planes *planes, const struct el_plane *in)
{
	uint8_t *cares = malloc(in->value_count);
	for (uint32_t s = 0; s < in->value_count && cares; s++)
		cares[s] = (uint8_t)care_of(planes, in, in->values[s]);
	return cares;
}

/* ---- values ---- */

/* What of a plane's symbols occurs where. */
struct census {
	bool broken;    /* some position of the file is none */
	bool *kept;     /* by symbol: positions have it that must keep it */
	bool *occurs;   /* positions have it that may have no better one; symbol 0 never counts */
	uint8_t *cares; /* as list_cares has them */
};

/* A table that has bounds lists one at least: by that it is known to be partial. */
static void keep_bound(const struct el_metric *metric, const struct el_plane *in, bool *kept)
{
	uint32_t bound = 0;
	bool listed = false;
	for (uint32_t s = 1; s < in->value_count; s++)
		if (el_value_bounded(metric, in->values[s])) {
			bound = s;
			listed |= kept[s];
		}
	if (bound && !listed)
		kept[bound] = true;
}

static void look_at_piece(const uint16_t *symbols, const uint8_t *fills, size_t count,
                          struct census *out)
{
	for (size_t i = 0; i < count; i++) {
		const uint16_t s = symbols[i];
		const uint8_t care = fills && fills[i] ? out->cares[s] : EL_CARE_EXACT;
		out->occurs[s] = out->occurs[s] || care != EL_CARE_NOT;
		out->kept[s] = out->kept[s] || care == EL_CARE_EXACT;
	}
}

/* `fills`: where the fill may choose; may be null. */
static enum el_status look_at_all(const struct el_planes *planes, unsigned plane,
                                  const uint8_t *fills, struct census *out, struct el_error *error)
{
	const uint64_t positions = planes->slice.positions;
	uint16_t *room = planes->reader ? malloc(PIECE_POSITIONS * sizeof *room) : NULL;
	enum el_status status = room || !planes->reader ? EL_OK : out_of_memory(planes, error);
	for (uint64_t i = 0; i < positions && !status; i += PIECE_POSITIONS) {
		const uint64_t rest = positions - i;
		const size_t count = rest < PIECE_POSITIONS ? (size_t)rest : PIECE_POSITIONS;
		const uint16_t *symbols;
		status = spool_piece(planes, plane, i, count, room, &symbols, error);
		if (!status)
			look_at_piece(symbols, fills ? fills + i : NULL, count, out);
	}
	free(room);
	out->broken = out->broken || out->kept[0];
	out->occurs[0] = out->kept[0] = false;
	return status;
}

static enum el_status take_census(const struct el_planes *planes, unsigned plane,
                                  const struct el_table_options *options, uint64_t positions,
                                  struct census *out, struct el_error *error)
{
	const struct el_plane *in = &planes->plane[plane];
	const bool has_fill = options->fill != EL_FILL_NONE;
	const uint8_t *fills =
		has_fill && options->derive & EL_DERIVE_CAPTURES ? in->derivable : NULL;
	enum el_status status = EL_OK;
	out->broken = positions > planes->slice.positions;
	/* Each value of planes with a reader is that of a position: without a look at them all are
	   kept. */
	if (planes->reader && has_fill && !fills)
		for (uint32_t s = 1; s < in->value_count; s++)
			out->kept[s] = out->occurs[s] = true;
	else
		status = look_at_all(planes, plane, fills, out, error);
	keep_bound(planes->metric, in, out->kept);
	return status;
}

static int worse_first(const void *a, const void *b, void *metric)
{
	return el_value_compare(metric, *(const struct el_value *)a, *(const struct el_value *)b);
}

/* Lists what the census says is needed. */
static void list_values(const struct el_metric *metric, const struct el_plane *in,
                        const struct census *census, bool keeps_broken, struct table_plane *out)
{
	const struct el_value *worst = NULL;
	for (uint32_t s = 1; s < in->value_count; s++)
		if (census->occurs[s] &&
		    (!worst || el_value_compare(metric, in->values[s], *worst) < 0))
			worst = &in->values[s];
	out->value_count = 0;
	if (keeps_broken || !worst)
		out->values[out->value_count++] = (struct el_value){.outcome = EL_BROKEN};
	uint32_t first = out->value_count;
	for (uint32_t s = 1; s < in->value_count; s++)
		if (census->kept[s] || &in->values[s] == worst)
			out->values[out->value_count++] = in->values[s];
	qsort_r(out->values + first, out->value_count - first, sizeof *out->values, worse_first,
	        (void *)(uintptr_t)metric);
}

enum el_status view_values(const struct el_planes *planes, unsigned plane,
                           const struct el_table_options *options, struct table_plane *out,
                           struct el_error *error)
{
	const struct el_plane *in = &planes->plane[plane];
	struct census census = {
		.kept = calloc(in->value_count, sizeof *census.kept),
		.occurs = calloc(in->value_count, sizeof *census.occurs),
		.cares = list_cares(planes, in),
	};
	out->values = malloc((in->value_count + 1) * sizeof *out->values);
	enum el_status status = EL_OK;
	if (!census.kept || !census.occurs || !census.cares || !out->values)
		status = out_of_memory(planes, error);
	if (!status)
		status = take_census(planes, plane, options, out->numbering.positions, &census,
		                     error);
	if (!status)
		list_values(planes->metric, in, &census,
		            options->fill == EL_FILL_NONE && census.broken, out);
	free(census.kept);
	free(census.occurs);
	free(census.cares);
	return status;
}

/* ---- positions ---- */

/* What becomes of each of the plane's symbols: the best of the file's that is not better; the
   lowest for broken, and where there is none. */
static void map_symbols(const struct el_metric *metric, const struct el_plane *in,
                        const struct table_plane *file, uint16_t *map)
{
	for (uint32_t s = 0; s < in->value_count; s++) {
		bool broken = s == 0 || in->values[s].outcome == EL_BROKEN;
		uint32_t low = file->values[0].outcome == EL_BROKEN && file->value_count > 1;
		/* Of the values from `low` on, `count` may be it. */
		for (uint32_t count = file->value_count - low; count > 1;) {
			uint32_t half = count / 2;
			bool fits = el_value_compare(metric, file->values[low + half],
			                             in->values[s]) <= 0;
			low += fits ? half : 0;
			count = fits ? count - half : half;
		}
		map[s] = (uint16_t)(broken ? 0 : low);
	}
}

enum el_status view_open(const struct view_task *t, const struct table_plane *file,
                         struct view *out, struct el_error *error)
{
	const struct el_planes *planes = t->planes;
	const struct el_plane *in = &planes->plane[t->plane];
	*out = (struct view){
		.planes = planes,
		.file = file,
		.plane = t->plane,
		.becomes = malloc(in->value_count * sizeof *out->becomes),
		.cares = list_cares(planes, in),
		.derives = t->options->derive & EL_DERIVE_CAPTURES && in->derivable,
	};
	if (!out->becomes || !out->cares)
		return out_of_memory(planes, error);
	map_symbols(planes->metric, in, file, out->becomes);
	const struct spool_task task = {
		.planes = planes,
		.plane = t->plane,
		.derives = out->derives,
		.numbering = &file->numbering,
		.path = t->path,
		.watch = t->watch,
	};
	return file->numbering.count ? spool_make(&task, &out->spool, error) : EL_OK;
}

void view_close(struct view *view)
{
	free(view->becomes);
	free(view->cares);
	spool_free(&view->spool);
	*view = (struct view){0};
}

enum el_status view_read(const struct view *v, uint64_t first, size_t count, uint16_t *symbols,
                         uint8_t *care, struct el_error *error)
{
	const bool spooled = v->spool.symbols;
	const uint8_t *derivable =
		spooled ? v->spool.derivable : v->planes->plane[v->plane].derivable;
	const uint16_t *from = symbols;
	enum el_status status = EL_OK;
	if (spooled)
		from = v->spool.symbols + first;
	else
		status = spool_piece(v->planes, v->plane, first, count, symbols, &from, error);
	if (status)
		return status;
#pragma omp parallel for
	for (size_t i = 0; i < count; i++) {
		const uint16_t s = from[i];
		care[i] = view_care(v, s, v->derives && derivable[first + i]);
		symbols[i] = v->becomes[s];
	}
	return EL_OK;
}

bool view_is_true(const uint16_t *before, const uint16_t *after, const uint8_t *care, size_t count)
{
	bool is_true = true;
#pragma omp parallel for reduction(&& : is_true)
	for (size_t i = 0; i < count; i++)
		is_true = is_true && (care[i] == EL_CARE_NOT || after[i] == before[i] ||
		                      (care[i] == EL_CARE_AT_MOST && after[i] < before[i]));
	return is_true;
}

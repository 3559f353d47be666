/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "table_view.h"

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
	return !el_value_bounded(planes->metric, v) && outdoes_worse(planes->metric, in, v) ? EL_CARE_AT_MOST
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

static void take_census(const struct el_planes *planes, unsigned plane,
			const struct el_table_options *options, uint64_t positions,
			struct census *out)
{
	const struct el_plane *in = &planes->plane[plane];
	const uint8_t *derivable = options->derive ? in->derivable : NULL;
	out->broken = positions > planes->slice.positions;
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		uint16_t s = in->symbols[i];
		bool may_fill = derivable && derivable[i] && options->fill != EL_FILL_NONE;
		uint8_t care = may_fill ? out->cares[s] : EL_CARE_EXACT;
		out->occurs[s] = out->occurs[s] || care != EL_CARE_NOT;
		out->kept[s] = out->kept[s] || care == EL_CARE_EXACT;
	}
	out->broken = out->broken || out->kept[0];
	out->occurs[0] = out->kept[0] = false;
	keep_bound(planes->metric, in, out->kept);
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
	bool have = census.kept && census.occurs && census.cares && out->values;
	if (have) {
		take_census(planes, plane, options, out->numbering.positions, &census);
		list_values(planes->metric, in, &census,
			    options->fill == EL_FILL_NONE && census.broken, out);
	}
	free(census.kept);
	free(census.occurs);
	free(census.cares);
	return have ? EL_OK : out_of_memory(planes, error);
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

/* `cares` as list_cares has them; `derivable` may be null. */
static void place_positions(const struct el_slice *slice, const struct el_plane *in,
			    const uint8_t *derivable, const struct numbering *numbering,
			    const uint8_t *cares, struct view *out)
{
	memset(out->symbols, 0, numbering->positions * sizeof *out->symbols);
	memset(out->care, EL_CARE_NOT, numbering->positions);
#pragma omp parallel for
	for (uint64_t i = 0; i < slice->positions; i++) {
		uint16_t s = in->symbols[i];
		uint64_t n = numbering_of_index(numbering, slice, i);
		out->symbols[n] = out->becomes[s];
		if (s)
			out->care[n] = derivable && derivable[i] ? cares[s] : EL_CARE_EXACT;
	}
}

enum el_status view_make(const struct el_planes *planes, unsigned plane,
			 const struct el_table_options *options, const struct table_plane *file,
			 struct view *out, struct el_error *error)
{
	const struct el_plane *in = &planes->plane[plane];
	const uint64_t positions = file->numbering.positions;
	uint8_t *cares = list_cares(planes, in);
	*out = (struct view){
		.symbols = malloc(positions * sizeof *out->symbols),
		.care = malloc(positions),
		.becomes = malloc(in->value_count * sizeof *out->becomes),
	};
	const bool have = cares && out->symbols && out->care && out->becomes;
	if (have) {
		map_symbols(planes->metric, in, file, out->becomes);
		place_positions(&planes->slice, in, options->derive ? in->derivable : NULL,
				&file->numbering, cares, out);
	}
	free(cares);
	return have ? EL_OK : out_of_memory(planes, error);
}

bool view_is_true(const struct el_planes *planes, unsigned plane, const struct table_plane *file,
		  const struct view *view)
{
	const struct el_plane *in = &planes->plane[plane];
	bool is_true = true;
#pragma omp parallel for reduction(&& : is_true)
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		const uint64_t n = numbering_of_index(&file->numbering, &planes->slice, i);
		const uint16_t symbol = view->symbols[n], most = view->becomes[in->symbols[i]];
		is_true = is_true && (view->care[n] == EL_CARE_NOT || symbol == most ||
				      (view->care[n] == EL_CARE_AT_MOST && symbol < most));
	}
	return is_true;
}

void view_free(struct view *view)
{
	free(view->symbols);
	free(view->care);
	free(view->becomes);
	*view = (struct view){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "table_view.h"

#include <stdlib.h>

static enum el_status out_of_memory(const struct el_planes *planes, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory for %llu positions", planes->slice.name,
	               (unsigned long long)planes->slice.positions);
}

/* How far the fill may choose what a derivable position stores. Forced captures are all that a
   probe looks at; others take the better of the two. */
static enum el_care care_of_derivable(const struct el_planes *planes)
{
	return planes->slice.game->forced_captures ? EL_CARE_NOT : EL_CARE_AT_MOST;
}

/* ---- values ---- */

/* What of a plane's symbols occurs where. */
struct census {
	bool broken;  /* some position of the file is none */
	bool *kept;   /* by symbol: positions have it that must keep it */
	bool *occurs; /* positions have it that may have no better one; symbol 0 never counts */
};

static void take_census(const struct el_planes *planes, unsigned plane,
                        const struct el_table_options *options, uint64_t positions,
                        struct census *out)
{
	const struct el_plane *in = &planes->plane[plane];
	const uint8_t *derivable = options->derive ? in->derivable : NULL;
	const enum el_care care = care_of_derivable(planes);
	out->broken = positions > planes->slice.positions;
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		uint16_t s = in->symbols[i];
		bool free = derivable && derivable[i] && options->fill != EL_FILL_NONE;
		out->occurs[s] = out->occurs[s] || !free || care == EL_CARE_AT_MOST;
		out->kept[s] = out->kept[s] || !free;
	}
	out->broken = out->broken || out->kept[0];
	out->occurs[0] = out->kept[0] = false;
}

static int worse_first(const void *a, const void *b)
{
	return el_value_compare(*(const struct el_value *)a, *(const struct el_value *)b);
}

/* Lists what the census says is needed. */
static void list_values(const struct el_plane *in, const struct census *census, bool keeps_broken,
                        struct table_plane *out)
{
	const struct el_value *worst = NULL;
	for (uint32_t s = 1; s < in->value_count; s++)
		if (census->occurs[s] && (!worst || el_value_compare(in->values[s], *worst) < 0))
			worst = &in->values[s];
	out->value_count = 0;
	if (keeps_broken || !worst)
		out->values[out->value_count++] = (struct el_value){EL_BROKEN, 0};
	uint32_t first = out->value_count;
	for (uint32_t s = 1; s < in->value_count; s++)
		if (census->kept[s] || &in->values[s] == worst)
			out->values[out->value_count++] = in->values[s];
	qsort(out->values + first, out->value_count - first, sizeof *out->values, worse_first);
}

enum el_status view_values(const struct el_planes *planes, unsigned plane,
                           const struct el_table_options *options, struct table_plane *out,
                           struct el_error *error)
{
	const struct el_plane *in = &planes->plane[plane];
	struct census census = {
		.kept = calloc(in->value_count, sizeof *census.kept),
		.occurs = calloc(in->value_count, sizeof *census.occurs),
	};
	out->values = malloc((in->value_count + 1) * sizeof *out->values);
	bool have = census.kept && census.occurs && out->values;
	if (have) {
		take_census(planes, plane, options, out->numbering.positions, &census);
		list_values(in, &census, options->fill == EL_FILL_NONE && census.broken, out);
	}
	free(census.kept);
	free(census.occurs);
	return have ? EL_OK : out_of_memory(planes, error);
}

/* ---- positions ---- */

/* The file's symbol for each of the plane's: the best one that is not better. The lowest for broken,
   and where there is none. */
static void map_symbols(const struct el_plane *in, const struct table_plane *file, uint16_t *map)
{
	for (uint32_t s = 0; s < in->value_count; s++) {
		bool broken = s == 0 || in->values[s].outcome == EL_BROKEN;
		uint32_t low = file->values[0].outcome == EL_BROKEN && file->value_count > 1;
		/* Of the values from `low` on, `count` may be it. */
		for (uint32_t count = file->value_count - low; count > 1;) {
			uint32_t half = count / 2;
			bool fits = el_value_compare(file->values[low + half], in->values[s]) <= 0;
			low += fits ? half : 0;
			count = fits ? count - half : half;
		}
		map[s] = (uint16_t)(broken ? 0 : low);
	}
}

static void place_positions(const struct el_planes *planes, unsigned plane,
                            const struct el_table_options *options, const struct table_plane *file,
                            const uint16_t *map, struct view *out)
{
	const struct el_plane *in = &planes->plane[plane];
	const uint8_t *derivable = options->derive ? in->derivable : NULL;
	const enum el_care free = care_of_derivable(planes);
	memset(out->symbols, 0, file->numbering.positions * sizeof *out->symbols);
	memset(out->care, EL_CARE_NOT, file->numbering.positions);
#pragma omp parallel for
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		uint16_t s = in->symbols[i];
		uint64_t n = numbering_of_index(&file->numbering, &planes->slice, i);
		out->symbols[n] = map[s];
		if (s)
			out->care[n] = (uint8_t)(derivable && derivable[i] ? free : EL_CARE_EXACT);
	}
}

enum el_status view_make(const struct el_planes *planes, unsigned plane,
                         const struct el_table_options *options, const struct table_plane *file,
                         struct view *out, struct el_error *error)
{
	uint64_t positions = file->numbering.positions;
	uint16_t *map = malloc(planes->plane[plane].value_count * sizeof *map);
	out->symbols = malloc(positions * sizeof *out->symbols);
	out->care = malloc(positions);
	if (!map || !out->symbols || !out->care) {
		free(map);
		view_free(out);
		return out_of_memory(planes, error);
	}
	map_symbols(&planes->plane[plane], file, map);
	place_positions(planes, plane, options, file, map, out);
	free(map);
	return EL_OK;
}

void view_free(struct view *view)
{
	free(view->symbols);
	free(view->care);
	*view = (struct view){0};
}

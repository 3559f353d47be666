/* SPDX-License-Identifier: MIT */
#include "view.h"

#include "core/base/text.h"
#include "core/os/system.h"
#include "core/os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

static enum el_status out_of_memory(const struct el_planes *planes, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory for %llu positions", planes->slice.name,
	               (unsigned long long)planes->slice.positions);
}

enum el_status spool_piece(const struct el_planes *planes, unsigned plane, uint64_t first,
                           size_t count, uint16_t *room, const uint16_t **out,
                           struct el_error *error)
{
	const struct el_plane_reader *reader = planes->reader;
	*out = reader ? room : planes->plane[plane].symbols + first;
	return reader ? reader->read(reader->context, plane, first, count, room, error) : EL_OK;
}

/* ---- what may be chosen ---- */

/*
 * How freely the fill may choose what a position stores, enum el_care: for each symbol, of positions that
 * are not derivable, then of those that are (CARE_OF). Null without memory.
 *
 * If captures are forced, a probe of a derivable position looks only at them; otherwise it takes the better
 * of the table's value and the best capture's. Then bounds are kept: when later tables narrow the captures,
 * they say what the other moves leave open. A value is also kept if the better of it and a worse one is a
 * third: the better of a draw and an unknown value is at least a draw. If outcomes are left out, zeroing
 * moves tell a win that they keep, and draws need nothing.
 */
static uint8_t *list_cares(const struct el_planes *planes, const struct el_plane *in,
                           enum el_derive derive)
{
	const struct el_metric *metric = planes->metric;
	uint8_t *cares = malloc(2 * in->value_count);
	for (uint32_t s = 0; s < in->value_count && cares; s++) {
		const struct el_value v = in->values[s];
		const bool is_free = !s || table_stored(derive, metric, v).outcome == EL_BROKEN;
		bool outdoes = !el_value_bounded(metric, v);
		for (uint32_t w = 1; w < in->value_count && !metric->has_depth && outdoes; w++)
			outdoes = el_value_compare(metric, in->values[w], v) > 0 ||
			          el_value_equal(el_value_max(metric, in->values[w], v), v);
		cares[CARE_OF(s, false)] = is_free ? EL_CARE_NOT : EL_CARE_EXACT;
		cares[CARE_OF(s, true)] =
			is_free ? EL_CARE_NOT
			: derive & EL_DERIVE_OUTCOMES
				? (v.outcome > EL_DRAW ? EL_CARE_NOT : EL_CARE_EXACT)
			: planes->slice.game->forced_captures ? EL_CARE_NOT
			: metric->has_depth || outdoes        ? EL_CARE_AT_MOST
							      : EL_CARE_EXACT;
	}
	return cares;
}

/* ---- values ---- */

/* How a plane's symbols occur. */
struct census {
	bool broken;    /* some index of the file has no position */
	bool *kept;     /* by symbol: some positions must keep it */
	bool *occurs;   /* some positions may have no better one; symbol 0 never counts */
	uint8_t *cares; /* as list_cares has them */
};

static bool keeps_all(const struct census *c, const struct el_plane *plane)
{
	for (uint32_t s = 1; s < plane->value_count; s++)
		if (!c->kept[s])
			return false;
	return true;
}

/* `fills`: where the fill may choose, which leaves nothing broken; may be null. */
static enum el_status look_at_all(const struct el_planes *planes, unsigned plane,
                                  const uint8_t *fills, struct census *out, struct el_error *error)
{
	const struct el_plane *in = &planes->plane[plane];
	const uint64_t positions = planes->slice.positions;
	uint16_t *room = planes->reader ? malloc(PIECE_POSITIONS * sizeof *room) : NULL;
	enum el_status status = room || !planes->reader ? EL_OK : out_of_memory(planes, error);
	/* The first few positions have all outcomes; then the rest has nothing to add. */
	for (uint64_t i = 0; i < positions && !status && !(fills && keeps_all(out, in));
	     i += PIECE_POSITIONS) {
		const size_t count = piece_at(i, positions, PIECE_POSITIONS);
		const uint16_t *symbols;
		status = spool_piece(planes, plane, i, count, room, &symbols, error);
		for (size_t k = 0; k < count && !status; k++) {
			const uint16_t s = symbols[k];
			const uint8_t care = out->cares[CARE_OF(s, fills && fills[i + k])];
			out->broken |= out->cares[CARE_OF(s, false)] == EL_CARE_NOT;
			out->occurs[s] |= care != EL_CARE_NOT;
			out->kept[s] |= care == EL_CARE_EXACT;
		}
	}
	free(room);
	return status;
}

static enum el_status take_census(const struct el_planes *planes, unsigned plane,
                                  const struct el_table_options *options, struct census *out,
                                  struct el_error *error)
{
	const struct el_plane *in = &planes->plane[plane];
	const bool has_fill = options->fill != EL_FILL_NONE;
	const uint8_t *fills = has_fill && el_derive_tries(options->derive) ? in->derivable : NULL;
	enum el_status status = EL_OK;
	/* In planes with a reader every value occurs, so all are kept without a look. */
	if (planes->reader && has_fill && !fills)
		for (uint32_t s = 1; s < in->value_count; s++)
			out->kept[s] = out->occurs[s] =
				out->cares[CARE_OF(s, false)] == EL_CARE_EXACT;
	else
		status = look_at_all(planes, plane, fills, out, error);
	/* A table that has bounds lists at least one, which shows that it is partial. */
	uint32_t bound = 0;
	bool listed = false;
	for (uint32_t s = 1; s < in->value_count; s++)
		if (el_value_bounded(planes->metric, in->values[s])) {
			bound = s;
			listed |= out->kept[s];
		}
	if (bound && !listed)
		out->kept[bound] = true;
	return status;
}

static int worse_first(const void *a, const void *b, void *metric)
{
	return el_value_compare(metric, *(const struct el_value *)a, *(const struct el_value *)b);
}

/* Lists the values that the census found necessary. */
static void list_values(const struct el_metric *metric, const struct el_plane *in,
                        enum el_derive derive, const struct census *census, bool keeps_broken,
                        struct table_plane *out)
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
			out->values[out->value_count++] =
				table_stored(derive, metric, in->values[s]);
	qsort_r(out->values + first, out->value_count - first, sizeof *out->values, worse_first,
	        (void *)(uintptr_t)metric);
	/* Values that differ only in the outcome are one. */
	uint32_t end = out->value_count ? 1 : 0;
	for (uint32_t i = end; i < out->value_count; i++)
		if (!el_value_equal(out->values[i], out->values[end - 1]))
			out->values[end++] = out->values[i];
	out->value_count = end;
}

enum el_status view_values(const struct el_planes *planes, unsigned plane,
                           const struct el_table_options *options, struct table_plane *out,
                           struct el_error *error)
{
	const struct el_plane *in = &planes->plane[plane];
	struct census census = {
		.kept = calloc(in->value_count, sizeof *census.kept),
		.occurs = calloc(in->value_count, sizeof *census.occurs),
		.cares = list_cares(planes, in, options->derive),
		.broken = out->numbering.positions > planes->slice.positions,
	};
	out->values = malloc((in->value_count + 1) * sizeof *out->values);
	enum el_status status = EL_OK;
	if (!census.kept || !census.occurs || !census.cares || !out->values)
		status = out_of_memory(planes, error);
	if (!status)
		status = take_census(planes, plane, options, &census, error);
	if (!status)
		list_values(planes->metric, in, options->derive, &census,
		            options->fill == EL_FILL_NONE && census.broken, out);
	free(census.kept);
	free(census.occurs);
	free(census.cares);
	return status;
}

/* ---- the file's order ---- */

/* Takes the space at once: a disk found full while a page is written can say so only by a
   signal. */
enum el_status spool_map(const char *path, size_t bytes, void **out, struct el_error *error)
{
	struct el_temporary file;
	char room[EL_AMOUNT_MAX];
	enum el_status status = el_temporary_file(path, &file, error);
	if (status)
		return status;
	const int full = file_take_room(file.fd, bytes);
	void *at = full ? MAP_FAILED
	                : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
	errno = full ? full : errno;
	if (at == MAP_FAILED)
		status = el_fail(error, EL_IO,
		                 "%s: no room beside it for %s while it is written: %m", path,
		                 el_bytes((double)bytes, room));
	else
		*out = at;
	el_temporary_remove(&file); /* the mapping stays */
	return status;
}

/* Allocates zeros: in memory, or beside the table if the planes have a reader. */
static enum el_status make_room(const struct view_task *t, uint64_t positions, size_t bytes,
                                void **out, struct el_error *error)
{
	if (t->planes->reader)
		return spool_map(t->path, bytes, out, error);
	*out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*out = *out == MAP_FAILED ? NULL : *out;
	return *out ? EL_OK
	            : el_fail(error, EL_MEMORY, "%s: out of memory for %llu positions",
	                      t->planes->slice.name, (unsigned long long)positions);
}

/* Puts the symbols of a view into the order of its file. */
static enum el_status put_in_order(const struct view_task *t, struct view *v,
                                   struct el_error *error)
{
	const struct el_slice *slice = &t->planes->slice;
	const struct numbering *numbering = &v->file->numbering;
	const uint8_t *derivable = t->planes->plane[t->plane].derivable;
	struct spool *out = &v->spool;
	uint16_t *room = t->planes->reader ? malloc(PIECE_POSITIONS * sizeof *room) : NULL;
	void *mapped[2] = {NULL, NULL};
	out->bytes[0] = numbering->positions * sizeof *out->symbols;
	out->bytes[1] = numbering->positions;
	enum el_status status =
		make_room(t, numbering->positions, out->bytes[0], &mapped[0], error);
	if (!status && v->derives)
		status = make_room(t, numbering->positions, out->bytes[1], &mapped[1], error);
	out->symbols = mapped[0];
	out->derivable = mapped[1];
	if (!status && t->planes->reader && !room)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (uint64_t first = 0; first < slice->positions && !status; first += PIECE_POSITIONS) {
		const size_t count = piece_at(first, slice->positions, PIECE_POSITIONS);
		const struct el_progress progress = {"putting in order", slice->name, (double)first,
		                                     (double)slice->positions, .unit = "positions"};
		const uint16_t *symbols = NULL;
		status = first && !el_watch_tick(t->watch, &progress)
		                 ? el_fail(error, EL_STOPPED, "%s: stopped", slice->name)
		                 : spool_piece(t->planes, t->plane, first, count, room, &symbols,
		                               error);
		if (status)
			break;
		const uint32_t run = numbering->run;
#pragma omp parallel for
		for (uint64_t r = first / run; r < (first + count + run - 1) / run; r++) {
			const uint64_t begin = r * run < first ? first : r * run;
			const uint64_t end =
				(r + 1) * run < first + count ? (r + 1) * run : first + count;
			uint64_t n = numbering_of_index(numbering, slice, begin);
			for (uint64_t i = begin; i < end; i++, n += numbering->step) {
				out->symbols[n] = symbols[i - first];
				if (v->derives)
					out->derivable[n] = derivable[i];
			}
		}
	}
	free(room);
	return status;
}

/* ---- positions ---- */

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
		.cares = list_cares(planes, in, t->options->derive),
		.derives = el_derive_tries(t->options->derive) && in->derivable,
	};
	if (!out->becomes || !out->cares)
		return out_of_memory(planes, error);
	/* Map each of the plane's symbols to the best in the file that is not better; to the lowest
	   if it is broken or there is none. */
	for (uint32_t s = 0; s < in->value_count; s++) {
		const struct el_value v =
			table_stored(t->options->derive, planes->metric, in->values[s]);
		const bool broken = s == 0 || v.outcome == EL_BROKEN;
		uint32_t low = file->values[0].outcome == EL_BROKEN && file->value_count > 1;
		/* It is among `count` values from `low` on. */
		for (uint32_t count = file->value_count - low; count > 1;) {
			const uint32_t half = count / 2;
			const bool fits =
				el_value_compare(planes->metric, file->values[low + half], v) <= 0;
			low += fits ? half : 0;
			count = fits ? count - half : half;
		}
		out->becomes[s] = (uint16_t)(broken ? 0 : low);
	}
	return file->numbering.count ? put_in_order(t, out, error) : EL_OK;
}

void view_close(struct view *view)
{
	free(view->becomes);
	free(view->cares);
	if (view->spool.symbols)
		munmap(view->spool.symbols, view->spool.bytes[0]);
	if (view->spool.derivable)
		munmap(view->spool.derivable, view->spool.bytes[1]);
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
	/* Without branches, so that many positions are compared at once. */
	uint16_t wrong = 0;
#pragma omp parallel for reduction(| : wrong)
	for (size_t i = 0; i < count; i++) {
		const uint16_t more = after[i] > before[i], less = after[i] < before[i];
		const uint16_t exact = care[i] == EL_CARE_EXACT, counts = care[i] != EL_CARE_NOT;
		wrong |= (more & counts) | (less & exact);
	}
	return !wrong;
}

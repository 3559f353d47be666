/* SPDX-License-Identifier: MIT */
/* Syzygy tables of a slice: outcomes (.rtbw) and depths (.rtbz). */
#include "syzygy.h"

#include "core/whole/lender.h"
#include "core/whole/whole.h"

#include <stdlib.h>

enum {
	OUTCOME_BLOCK_BITS = 6,
	DEPTH_BLOCK_BITS = 10,
};

/* One of the two files being made. */
struct table {
	const struct el_export *export;
	bool depths;
	const struct cells *cells;
	unsigned boards, sides; /* stored sides: only one for depths */
	unsigned plane[2];      /* of each stored side */
	struct export_board board[SYZYGY_BOARDS_MAX];
	struct order_places places[SYZYGY_BOARDS_MAX][2];
	struct code code[SYZYGY_BOARDS_MAX][2];
};

/* The flags for the map from symbols to plies: is there one, and does it take two bytes each? */
static unsigned map_flags(const struct table *t)
{
	bool has_map = false, is_wide = false;
	for (unsigned class = 0; class < CLASSES; class ++)
		for (uint32_t i = 0; i < t->cells->values[class]; i++) {
			has_map |= t->cells->value[class][i] != i;
			is_wide |= t->cells->value[class][i] > UINT8_MAX || i >= UINT8_MAX;
		}
	return !has_map ? 0 : SCALE_MAPPED | (is_wide ? SCALE_WIDE : 0);
}

/* ---- compressing ---- */

/* Adds the slice's name to progress, because the compression does not know it. */
static int tick_named(void *context, const struct el_progress *progress)
{
	const struct table *t = context;
	struct el_progress named = *progress;
	named.stage = "compressing";
	named.what = t->export->slice.name;
	return el_watch_tick(t->export->watch, &named);
}

static enum el_status make_code(struct table *t, unsigned board, unsigned side,
                                struct el_error *error)
{
	static uint16_t itself[SYMBOLS_MAX];
	enum { CHUNK = 1 << 14 };
	const struct export_board *b = &t->board[board];
	const bool *plies = t->cells->plies;
	const struct el_watch watch = {t, tick_named};
	struct order order;
	struct code_task task = {
		.symbols = t->cells->symbols,
		.flags = (uint8_t)(!t->depths ? 0
	                                      : (t->plane[side] ? SCALE_SIDE : 0) | map_flags(t) |
	                                                (plies[CLASS_WIN] ? SCALE_WIN_PLIES : 0) |
	                                                (plies[CLASS_LOSS] ? SCALE_LOSS_PLIES : 0)),
		.block_bits = t->depths ? DEPTH_BLOCK_BITS : OUTCOME_BLOCK_BITS,
		.constant_any = !t->depths,
		.value = t->depths ? itself : t->cells->value[0],
		.watch = &watch,
	};
	for (unsigned i = 0; i < SYMBOLS_MAX; i++)
		itself[i] = (uint16_t)i;
	order_make(&order, &b->material, b->file, &t->places[board][side]);
	uint16_t *symbols = malloc(order.positions * sizeof *symbols);
	uint8_t *care = malloc(order.positions);
	task.plane = (struct el_codec_plane){
		.symbols = symbols, .care = care, .positions = order.positions, .row = 1};
	for (unsigned g = 0; g < order.groups; g++)
		if (order.group[g].factor > 1 &&
		    (task.plane.row == 1 || order.group[g].factor < task.plane.row))
			task.plane.row = (uint32_t)order.group[g].factor;
	enum el_status status = EL_OK;
	if (symbols && care) {
#pragma omp parallel for schedule(dynamic, 1)
		for (uint64_t first = 0; first < order.positions; first += CHUNK) {
			const uint64_t rest = order.positions - first;
			board_read(b, t->cells, t->plane[side], &order, first,
			           rest < CHUNK ? rest : CHUNK, symbols + first, care + first);
		}
		status = code_make(&task, &t->code[board][side], error);
	} else {
		status = el_fail(error, EL_MEMORY, "%s: out of memory", t->export->slice.name);
	}
	if (status == EL_STOPPED)
		el_fail(error, status, "%s: stopped", t->export->slice.name);
	free(symbols);
	free(care);
	return status;
}

/* Chooses orders and, for depths, the side with the smaller estimate; then compresses. */
static enum el_status make_codes(struct table *t, struct el_error *error)
{
	const struct el_slice *slice = &t->export->slice;
	struct order_places found[SYZYGY_BOARDS_MAX][2];
	double bits, sum[2] = {0, 0};
	enum el_status status = EL_OK;
	for (unsigned b = 0; b < t->boards && !status; b++)
		status = board_open(&t->board[b], slice, b, error);
	for (unsigned i = 0; i < t->boards * slice->planes && !status; i++) {
		const unsigned b = i / slice->planes, p = i % slice->planes;
		status = board_search(&t->board[b], t->cells, p, &found[b][p], &bits, error);
		sum[p] += status ? 0 : bits;
	}
	if (status)
		return status;
	t->sides = t->depths ? 1 : slice->planes;
	t->plane[0] = t->depths && slice->planes == 2 && sum[1] < sum[0] ? 1 : 0;
	t->plane[1] = 1;
	for (unsigned i = 0; i < t->boards * t->sides && !status; i++) {
		const unsigned b = i / t->sides, side = i % t->sides;
		const struct el_progress progress = {
			.stage = "compressing",
			.what = slice->name,
			.done = i,
			.total = t->boards * t->sides,
			.unit = "tables",
		};
		t->places[b][side] = found[b][t->plane[side]];
		if (!el_watch_tick(t->export->watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped", slice->name);
		status = make_code(t, b, side, error);
	}
	return status;
}

/* ---- the file ---- */

static void align(struct buffer *out, size_t to)
{
	while (out->size % to && !out->failed)
		buffer_number(out, 1, 0);
}

static void write_head(const struct table *t, struct buffer *out)
{
	const struct el_slice *slice = &t->export->slice;
	const unsigned codes = t->boards * t->sides, map = map_flags(t);
	const unsigned bytes = map & SCALE_WIDE ? 2 : 1;
	buffer_add(out, syzygy_magic[t->depths], SYZYGY_MAGIC);
	buffer_number(out, 1,
	              (unsigned)slice->pieces << 4 | (slice->planes == 2 ? FLAG_SIDES : 0) |
	                      (t->boards > 1 ? FLAG_PAWNS : 0));
	/* Each byte holds the orders of both sides. With only one side, it holds that side's twice
	   or, for depths, leaves the upper half empty. */
	for (unsigned b = 0; b < t->boards; b++) {
		const struct material *m = &t->board[b].material;
		const struct order_places *low = &t->places[b][0];
		const struct order_places *high = &t->places[b][t->sides - 1];
		const unsigned up = t->depths ? 0 : 1;
		buffer_number(out, 1, low->lead | up * high->lead << 4);
		if (m->count[0][SYZYGY_PAWN] && m->count[1][SYZYGY_PAWN])
			buffer_number(out, 1, low->other | up * high->other << 4);
		for (unsigned i = 0; i < m->pieces; i++)
			buffer_number(out, 1, low->piece[i] | up * high->piece[i] << 4);
	}
	align(out, 2);
	for (unsigned i = 0; i < codes; i++) {
		const struct buffer *head = &t->code[i / t->sides][i % t->sides].head;
		buffer_add(out, head->bytes, head->size);
		align(out, 2);
	}
	if (!t->depths)
		return;
	/* The map from symbols of each class to plies, once for each board. */
	for (unsigned b = 0; b < t->boards && map; b++) {
		if (bytes == 2)
			align(out, 2);
		for (unsigned class = 0; class < CLASSES; class ++) {
			buffer_number(out, bytes, t->cells->values[class]);
			for (uint32_t i = 0; i < t->cells->values[class]; i++)
				buffer_number(out, bytes, t->cells->value[class][i]);
		}
	}
	align(out, 2);
}

static enum el_status write_table(struct table *t, const struct output *file,
                                  struct el_error *error)
{
	enum { SPANS, LENGTHS, BLOCKS, PARTS };
	struct buffer bytes = {0};
	enum el_status status = make_codes(t, error);
	const unsigned codes = status ? 0 : t->boards * t->sides;
	if (!status)
		write_head(t, &bytes);
	for (unsigned i = 0; i < PARTS * codes; i++) {
		const unsigned part = i / codes, code = i % codes;
		const struct code *c = &t->code[code / t->sides][code % t->sides];
		const struct buffer *from = part == SPANS     ? &c->spans
		                            : part == LENGTHS ? &c->lengths
		                                              : &c->blocks;
		if (part == BLOCKS)
			align(&bytes, SYZYGY_ALIGNMENT);
		buffer_add(&bytes, from->bytes, from->size);
	}
	if (!status) {
		align(&bytes, SYZYGY_ALIGNMENT);
		const size_t size = bytes.failed ? 0 : bytes.size;
		const size_t count = (size + SUM_CHUNK - 1) / SUM_CHUNK;
		uint8_t *sums = malloc(count * SUM_OF_CHUNK + 1), sum[SUM_OF_FILE];
		bytes.failed |= !sums;
#pragma omp parallel for schedule(dynamic, 1)
		for (size_t i = 0; i < count; i++) {
			const size_t rest = size - i * SUM_CHUNK;
			if (sums)
				sum_chunk(bytes.bytes + i * SUM_CHUNK,
				          rest < SUM_CHUNK ? rest : SUM_CHUNK, false,
				          sums + i * SUM_OF_CHUNK);
		}
		if (!bytes.failed) {
			sum_join(sums, count, sum);
			buffer_add(&bytes, sum, sizeof sum);
		}
		free(sums);
		status = bytes.failed ? el_fail(error, EL_MEMORY, "%s: out of memory", file->path)
		                      : output_write(file, bytes.bytes, bytes.size, 0, error);
	}
	for (unsigned b = 0; b < t->boards; b++) {
		for (unsigned side = 0; side < 2; side++)
			code_free(&t->code[b][side]);
		leads_free(&t->board[b].leads);
	}
	free(bytes.bytes);
	return status;
}

/* ---- the values ---- */

/* If no value is too late, Syzygy counts as we do; else this solves the slice in its way. */
static enum el_status obtain(const struct el_export *e, struct el_planes *out,
                             struct el_error *error)
{
	const struct el_metric *metric = &el_dtz_rule[EL_RULE_USUAL - 1];
	enum el_status status = planes_obtain(e->library, &e->slice, metric, out, error);
	if (status)
		return status == EL_NEGATIVE ? tables_lack(e, metric, error) : status;
	if (!el_planes_late(out)) {
		el_planes_mark_broken(out);
		return EL_OK;
	}
	el_planes_free(out);
	const struct el_problem problem = {
		.slice = e->slice, .metric = &el_dtz_syzygy, .watch = e->watch};
	return lender_solve(e->library, e->watch, problem, out, error);
}

/* Writes one file from planes of depths. */
static enum el_status write_file(const struct el_export *e, const struct el_planes *planes,
                                 bool depths, const struct output *file, struct el_error *error)
{
	struct el_planes outcomes = {0};
	struct material material;
	uint8_t kind[7];
	struct cells *cells = calloc(1, sizeof *cells);
	struct table *t = calloc(1, sizeof *t);
	enum el_status status =
		cells && t ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", e->slice.name);
	if (!status && depths)
		status = cells_of_depths(planes, cells, error);
	else if (!status)
		status = el_planes_read(planes, &el_wdl_rule[EL_RULE_USUAL - 1], &outcomes, error);
	if (!status && !depths) {
		status = el_library_derive(e->library, &outcomes, EL_DERIVE_CAPTURES, e->watch,
		                           error);
		if (!status)
			status = cells_of_outcomes(&outcomes, cells, error);
		el_planes_free(&outcomes);
	}
	if (!status) {
		material_of(&e->slice, &material, kind);
		t->export = e;
		t->depths = depths;
		t->cells = cells;
		t->boards = material_has_pawns(&material) ? SYZYGY_BOARDS_MAX : 1;
		status = write_table(t, file, error);
	}
	if (cells)
		cells_free(cells);
	free(cells);
	free(t);
	return status;
}

static const struct el_metric *const outcome_metric = &el_wdl_rule[EL_RULE_USUAL - 1],
				     *const depth_metric = &el_dtz_rule[EL_RULE_USUAL - 1];

static enum el_status check(const struct el_slice *slice, const struct el_metric *metric,
                            struct el_error *error)
{
	if (metric && metric != outcome_metric && metric != depth_metric)
		return el_fail(
			error, EL_USAGE,
			"Syzygy tables hold wdl50 (.rtbw) and dtz50 (.rtbz), found --metric %s",
			metric->name);
	if (el_slice_has_rights(slice))
		return el_fail(error, EL_NEGATIVE,
		               "%s: Syzygy tables hold no positions with castling rights",
		               slice->name);
	if (slice->pieces > SYZYGY_PIECES_MAX)
		return el_fail(error, EL_NEGATIVE, "%s: Syzygy tables hold up to %d pieces",
		               slice->name, SYZYGY_PIECES_MAX);
	struct el_error why;
	enum el_status status = el_game_check_metric(slice->game, &el_dtz_syzygy, &why);
	return status ? el_fail(error, status, "%s: format syzygy: %s", slice->name, why.text)
	              : EL_OK;
}

static enum el_status write(const struct el_export_format *format, const struct el_export *e,
                            struct el_error *error)
{
	struct outputs outputs = {.export = e};
	struct el_planes planes;
	(void)format;
	const bool outcomes = e->metric != depth_metric, depths = e->metric != outcome_metric;
	enum el_status status = EL_OK;
	if (outcomes)
		status = outputs_add(&outputs, ".rtbw", error);
	if (!status && depths)
		status = outputs_add(&outputs, ".rtbz", error);
	if (!status)
		status = obtain(e, &planes, error);
	if (!status) {
		const struct output *file = outputs.file;
		if (outcomes)
			status = write_file(e, &planes, false, file++, error);
		if (!status && depths)
			status = write_file(e, &planes, true, file, error);
		el_planes_free(&planes);
	}
	return outputs_publish(&outputs, status, error);
}

const struct el_export_format export_syzygy = {
	.name = "syzygy",
	.title = "Syzygy tables of outcomes and depths",
	.check = check,
	.write = write,
};

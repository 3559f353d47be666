/* SPDX-License-Identifier: MIT */
/* The fill stage: chooses what a codec sees where a position's symbol is free. */
#include "fill.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

const char *const el_fill_names[] = {
	[EL_FILL_NONE] = "none",
	[EL_FILL_PREVIOUS] = "previous",
	[EL_FILL_BEST] = "best",
	NULL,
};

enum el_status el_fill_parse(const char *text, enum el_fill *out, struct el_error *error)
{
	unsigned place;
	const enum el_status status =
		el_words_find(el_fill_names, text, "unknown fill", &place, error);
	if (!status)
		*out = (enum el_fill)place;
	return status;
}

static bool allowed(uint16_t symbol, uint16_t own, uint8_t care)
{
	return care == EL_CARE_NOT || symbol == own || (care == EL_CARE_AT_MOST && symbol < own);
}

/* ---- ways to fill ---- */

enum { WAYS = EL_WAY_COPIES + 1 }; /* ways that el_fill_piece knows */

/* The first symbol from `at` to `end` that is not EL_CARE_NOT; the free symbols before it take
   it. */
static uint16_t first_own(const struct el_codec_plane *plane, uint64_t at, uint64_t end)
{
	while (at < end && plane->care[at] == EL_CARE_NOT)
		at++;
	return at < end ? plane->symbols[at] : 0;
}

/* Fills each position like the one a row before it, else like the previous one. */
static void fill_rows(const struct el_codec_plane *plane, uint64_t from, uint16_t first)
{
	uint16_t *s = plane->symbols, last = from ? s[from - 1] : first;
	const uint32_t row = plane->row;
	for (uint64_t i = from; i < plane->positions; i++) {
		if (i >= row && allowed(s[i - row], s[i], plane->care[i]))
			s[i] = s[i - row];
		else if (allowed(last, s[i], plane->care[i]))
			s[i] = last;
		last = s[i];
	}
}

/* Fills each position from `at` to `end` like the previous one; the first, like `last`. Without
   branches, since neither what is free nor what is less can be predicted. */
static void run_on(const struct el_codec_plane *plane, uint64_t at, uint64_t end, uint16_t last)
{
	uint16_t *s = plane->symbols;
	for (uint64_t i = at; i < end; i++) {
		const uint8_t care = plane->care[i];
		const bool less = (care == EL_CARE_AT_MOST) & (last < s[i]);
		last = ((care == EL_CARE_NOT) | less) ? last : s[i];
		s[i] = last;
	}
}

/* Threads take stretches, each from its first symbol that must stay; what precedes that one depends on
   the stretch before, and is filled afterwards. */
static void fill_runs(const struct el_codec_plane *plane, uint64_t from, uint16_t first)
{
	enum { STRETCH = 1 << 15, STRETCHES = 64 };
	const uint64_t positions = plane->positions;
	for (uint64_t begin = from; begin < positions; begin += STRETCH * STRETCHES) {
		uint64_t stays[STRETCHES];
#pragma omp parallel for schedule(dynamic, 1)
		for (unsigned k = 0; k < STRETCHES; k++) {
			uint64_t at = begin + k * (uint64_t)STRETCH;
			const uint64_t end = at + STRETCH < positions ? at + STRETCH : positions;
			while (at < end && plane->care[at] != EL_CARE_EXACT)
				at++;
			stays[k] = at;
			if (at < end)
				run_on(plane, at, end, plane->symbols[at]);
		}
		for (unsigned k = 0; k < STRETCHES; k++) {
			const uint64_t at = begin + k * (uint64_t)STRETCH;
			if (at < positions)
				run_on(plane, at, stays[k], at ? plane->symbols[at - 1] : first);
		}
	}
}

/* How far a copy may reach back: 1, every eighth position of two rows (fewer if rows are long), and
   whole rows. */
enum { COPY_STEP = 8, COPY_NEAR_ROWS = 2, COPY_NEAR = 512, COPY_ROWS = 64, COPY_LEAST = 12 };

/* The distance to try after `distance`, up to COPY_ROWS rows. */
static uint64_t next_distance(uint64_t distance, uint64_t row)
{
	if (distance < COPY_STEP)
		return COPY_STEP;
	if (distance + COPY_STEP <= COPY_NEAR_ROWS * row && distance < COPY_NEAR)
		return distance + COPY_STEP;
	return (distance / row + 1) * row;
}

/* The length of the longest copy from earlier in the block; 0 and any distance if there is none. */
static uint64_t longest_copy(const struct el_codec_plane *plane, uint64_t start, uint64_t at,
                             uint64_t end, uint64_t *distance)
{
	uint64_t longest = 0;
	for (uint64_t d = 1; d <= at - start && d <= COPY_ROWS * (uint64_t)plane->row;
	     d = next_distance(d, plane->row)) {
		const uint16_t *s = plane->symbols, *from = s + at - d;
		/* Most copies are no longer than the longest so far: its end tells. */
		if (at + longest >= end)
			break;
		if (!allowed(from[longest < d ? longest : longest % d], s[at + longest],
		             plane->care[at + longest]))
			continue;
		/* How many positions may equal the ones `d` before them. */
		uint64_t length = 0, k = 0;
		while (at + length < end &&
		       allowed(from[k], s[at + length], plane->care[at + length])) {
			length++;
			k = k + 1 < d ? k + 1 : 0;
		}
		if (length > longest) {
			longest = length;
			*distance = d;
		}
	}
	return longest;
}

static void copy_along(const struct el_codec_plane *plane, uint64_t start, uint64_t end)
{
	uint16_t *s = plane->symbols, last = first_own(plane, start, end);
	uint64_t distance = 1;
	for (uint64_t i = start; i < end;) {
		uint64_t length = longest_copy(plane, start, i, end, &distance);
		if (length < COPY_LEAST) {
			last = allowed(last, s[i], plane->care[i]) ? last : s[i];
			s[i++] = last;
			continue;
		}
		for (; length; length--, i++)
			s[i] = s[i - distance];
		last = s[i - 1];
	}
}

/*
 * Suits compressors that copy strings: where one copy ends, the longest that the free positions
 * allow begins. Measured with zstd:19 and xz on WDL tables: up to 15 per cent smaller than with
 * runs or rows (KQvKR), though larger than with rows in KRvKN. Steps of one position were worse,
 * because small symbols share bytes and compressors copy bytes.
 */
static void fill_along_copies(const struct el_codec_plane *plane, uint64_t from, uint32_t block)
{
#pragma omp parallel for schedule(dynamic)
	for (uint64_t start = from; start < plane->positions; start += block) {
		const uint64_t rest = plane->positions - start;
		copy_along(plane, start, start + (rest < block ? rest : block));
	}
}

uint64_t el_fill_reach(enum el_way way, uint32_t row)
{
	return way == EL_WAY_ROWS ? row : way == EL_WAY_RUNS;
}

void el_fill_piece(enum el_way way, const struct el_codec_params *params,
                   const struct el_codec_plane *plane, uint64_t from, uint16_t first)
{
	if (way == EL_WAY_COPIES)
		fill_along_copies(plane, from, params->block_positions);
	else if (way == EL_WAY_ROWS)
		fill_rows(plane, from, first);
	else if (way == EL_WAY_RUNS)
		fill_runs(plane, from, first);
}

/* A plane as one piece. */
static void fill_whole(enum el_way way, const struct el_codec_params *params,
                       const struct el_codec_plane *plane)
{
	el_fill_piece(way, params, plane, 0, first_own(plane, 0, plane->positions));
}

/* ---- the best of them ---- */

enum el_status el_fill_measure(const struct el_codec *codec, const struct el_codec_params *params,
                               const struct el_codec_plane *plane, const struct el_watch *watch,
                               unsigned way, unsigned ways, uint64_t *bytes, struct el_error *error)
{
	uint8_t *learned = NULL;
	size_t learned_size = 0;
	void *coder = NULL;
	enum el_status status = EL_OK;
	if (codec->prepare)
		status = codec->prepare(params, plane, watch, &learned, &learned_size, error);
	if (!status)
		status = codec->open(params, learned, learned_size, &coder, error);
	*bytes = learned_size;
	const uint32_t block = params->block_positions;
	const size_t room = codec->bound(params, block);
	uint8_t *out = malloc(room + !room);
	if (!status && !out)
		status = el_fail(error, EL_MEMORY, "fill: out of memory");
	for (uint64_t i = 0; i < plane->positions && !status; i += block) {
		const uint64_t rest = plane->positions - i;
		const struct el_progress progress = {
			.stage = "filling",
			.what = codec->name,
			.done = (double)(way * plane->positions + i),
			.total = (double)(ways * plane->positions),
			.unit = "positions",
		};
		size_t size = 0;
		if (!el_watch_tick(watch, &progress))
			status = el_fail(error, EL_STOPPED, "fill: stopped");
		if (!status && codec->begin)
			codec->begin(coder, el_codec_number(plane, i));
		if (!status)
			status = codec->encode(coder, plane->symbols + i,
			                       rest < block ? (size_t)rest : block, out, room,
			                       &size, error);
		*bytes += size;
	}
	if (coder)
		codec->close(coder);
	free(out);
	free(learned);
	return status;
}

/* Of a plane of more than twice as many positions, blocks with so many tell which way is best. */
enum { TRIED = 1 << 22 };

/* Tries each way on a copy, then takes the one that gives the smallest size. */
static enum el_status fill_best(const struct el_codec *codec, const struct el_codec_params *params,
                                const struct el_codec_plane *plane, const struct el_watch *watch,
                                enum el_way *best, struct el_error *error)
{
	const uint32_t block = params->block_positions;
	const bool large = plane->positions > 2 * TRIED && block <= TRIED;
	const uint64_t count = large ? TRIED / block : 1, blocks = plane->positions / block;
	const size_t length = large ? block : (size_t)plane->positions;
	uint16_t *symbols = malloc(count * length * sizeof *symbols + 1);
	uint8_t *care = malloc(count * length + 1);
	uint64_t *starts = malloc(count * sizeof *starts), least = UINT64_MAX;
	enum el_status status = symbols && care && starts
	                                ? EL_OK
	                                : el_fail(error, EL_MEMORY, "fill: out of memory");
	struct el_codec_plane tried = *plane;
	tried.symbols = symbols;
	tried.care = care;
	tried.positions = count * length;
	if (large) {
		tried.starts = starts;
		tried.stretch = length;
	}
	for (unsigned i = 0; i < WAYS && !status; i++) {
		uint64_t bytes;
		for (uint64_t k = 0; k < count; k++) {
			const uint64_t from = blocks * k / count * block;
			starts[k] = el_codec_number(plane, from);
			memcpy(symbols + k * length, plane->symbols + from,
			       length * sizeof *symbols);
			memcpy(care + k * length, plane->care + from, length);
		}
		fill_whole((enum el_way)i, params, &tried);
		status = el_fill_measure(codec, params, &tried, watch, i, WAYS, &bytes, error);
		if (!status && bytes < least) {
			least = bytes;
			*best = (enum el_way)i;
		}
	}
	free(symbols);
	free(care);
	free(starts);
	if (!status)
		fill_whole(*best, params, plane);
	return status;
}

enum el_status el_fill_choose(enum el_fill fill, const struct el_codec *codec,
                              const struct el_codec_params *params,
                              const struct el_codec_plane *plane, const struct el_watch *watch,
                              enum el_way *way, struct el_error *error)
{
	*way = el_fill_way(fill, codec);
	if (*way == EL_WAY_CODEC)
		return codec->fill(params, plane, watch, error);
	if (fill == EL_FILL_BEST)
		return fill_best(codec, params, plane, watch, way, error);
	fill_whole(*way, params, plane);
	return EL_OK;
}

enum el_way el_fill_way(enum el_fill fill, const struct el_codec *codec)
{
	if (fill == EL_FILL_NONE)
		return EL_WAY_NONE;
	return fill == EL_FILL_BEST && codec->fill ? EL_WAY_CODEC : EL_WAY_RUNS;
}

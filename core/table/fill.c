/* SPDX-License-Identifier: MIT */
/* Windows of a plane that is being written, their fill, and learning from a plane or a sample of
   it. */
#include "writer.h"

#include "core/base/hash.h"

#include <stdlib.h>

enum { STRETCHES = 256 }; /* of a sample, at most */

/* ---- windows ---- */

/* Allocates room for the positions, with `own` if the fill is to be checked. */
static enum el_status window_make(const struct writer *w, size_t positions, bool own,
                                  struct window *out)
{
	*out = (struct window){
		.symbols = malloc(positions * sizeof *out->symbols),
		.care = malloc(positions),
		.own = own ? malloc(positions * sizeof *out->own) : NULL,
	};
	return out->symbols && out->care && (out->own || !own) ? EL_OK : writer_out_of_memory(w);
}

void window_close(struct window *w)
{
	free(w->symbols);
	free(w->care);
	free(w->own);
	free(w->starts);
	*w = (struct window){0};
}

/* Reads positions after those that the window already has. */
static enum el_status window_add(const struct writer *w, struct window *out, uint64_t first,
                                 size_t count)
{
	const size_t at = out->before + out->count;
	enum el_status status =
		view_read(&w->view, first, count, out->symbols + at, out->care + at, w->error);
	if (!status && out->own)
		memcpy(out->own + out->count, out->symbols + at, count * sizeof *out->own);
	out->count += count;
	return status;
}

static struct el_codec_plane window_plane(const struct writer *w, unsigned plane,
                                          const struct window *window)
{
	return (struct el_codec_plane){
		.first = window->first - window->before,
		.starts = window->starts,
		.stretch = window->stretch,
		.symbols = window->symbols,
		.care = window->care,
		.positions = window->before + window->count,
		.row = w->header.plane[plane].numbering.row,
	};
}

enum el_status window_check(const struct writer *w)
{
	const struct window *in = &w->window;
	if (view_is_true(in->own, in->symbols + in->before, in->care + in->before, in->count))
		return EL_OK;
	return el_fail(w->error, EL_DAMAGED, "%s: the fill of codec %s changed values that count",
	               w->path, w->header.info.options.codec.codec->name);
}

/* ---- learning ---- */

static bool prepares(const struct writer *w, unsigned plane)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	const struct el_codec_params params = table_codec_params(&w->header, plane);
	return codec->prepare && (!codec->prepares || codec->prepares(&params));
}

/* Fills the window, which has the whole plane or a sample, and learns from it. */
static enum el_status fill_and_learn(struct writer *w, unsigned plane, struct filling *f,
                                     struct window *window)
{
	const struct el_table_options *options = &w->header.info.options;
	const struct el_codec *codec = options->codec.codec;
	const struct el_codec_params params = table_codec_params(&w->header, plane);
	const struct el_codec_plane part = window_plane(w, plane, window);
	size_t size = 0;
	enum el_status status =
		el_fill_choose(options->fill, codec, &params, &part, w->watch, &f->way, w->error);
	if (!status && f->whole)
		status = window_check(w);
	if (status || !prepares(w, plane))
		return status;
	status = codec->prepare(&params, &part, w->watch, &w->learned[plane], &size, w->error);
	if (!status && size > UINT32_MAX)
		status = el_fail(w->error, EL_USAGE, "%s: codec %s learned %zu bytes: too many",
		                 w->path, codec->name, size);
	w->header.plane[plane].learned = (uint32_t)size;
	return status;
}

/* The plane has more than limits->whole positions, so its whole blocks suffice for the sample. */
static enum el_status take_sample(struct writer *w, unsigned plane, struct filling *f)
{
	const uint64_t block = w->header.info.options.block_positions, whole = w->limits->whole;
	const uint64_t usual = whole / STRETCHES, length = usual > block ? usual : block;
	const uint64_t there = w->header.info.positions[plane] / length, count = whole / length;
	struct window sample;
	enum el_status status = window_make(w, (size_t)whole, false, &sample);
	sample.stretch = length;
	sample.starts = malloc(count * sizeof *sample.starts);
	if (!status && !sample.starts)
		status = writer_out_of_memory(w);
	for (uint64_t i = 0; i < count && !status; i++) {
		sample.starts[i] = sample_place(i, count, there) * length;
		const struct el_progress progress = {"taking a sample", w->header.info.slice.name,
		                                     (double)(i * length), (double)whole,
		                                     .unit = "positions"};
		status = el_watch_tick(w->watch, &progress)
		                 ? window_add(w, &sample, sample.starts[i], (size_t)length)
		                 : el_fail(w->error, EL_STOPPED, "%s: stopped", progress.what);
	}
	if (!status)
		status = fill_and_learn(w, plane, f, &sample);
	window_close(&sample);
	return status;
}

/* ---- all of it ---- */

enum el_status filling_begin(struct writer *w, unsigned plane, struct filling *out)
{
	const struct el_table_options *options = &w->header.info.options;
	const bool learns = prepares(w, plane);
	*out = (struct filling){.way = el_fill_way(options->fill, options->codec.codec)};
	out->whole = (learns || options->fill == EL_FILL_BEST) &&
	             w->header.info.positions[plane] <= w->limits->whole;
	const struct view_task task = {w->planes, plane, options, w->path, w->watch};
	enum el_status status = view_open(&task, &w->header.plane[plane], &w->view, w->error);
	if (status)
		return status;
	if (out->whole) {
		const size_t positions = (size_t)w->header.info.positions[plane];
		status = window_make(w, positions, true, &w->window);
		if (!status)
			status = window_add(w, &w->window, 0, positions);
		return status ? status : fill_and_learn(w, plane, out, &w->window);
	}
	/* A codec that fills block by block and learns nothing needs no sample. */
	const bool tries = options->fill == EL_FILL_BEST && out->way != EL_WAY_CODEC;
	return learns || tries ? take_sample(w, plane, out) : EL_OK;
}

/* The plane's first symbol whose care is not EL_CARE_NOT; the window is the plane's first. */
static enum el_status find_first(struct writer *w, unsigned plane, uint16_t *out)
{
	const struct window *in = &w->window;
	const uint64_t positions = w->header.info.positions[plane];
	struct window next;
	enum el_status status = EL_OK;
	size_t at = 0;
	*out = 0;
	while (at < in->count && in->care[at] == EL_CARE_NOT)
		at++;
	if (at < in->count) {
		*out = in->symbols[at];
		return EL_OK;
	}
	status = window_make(w, in->count, false, &next);
	for (uint64_t first = in->count; first < positions && !status; first += next.count) {
		next.count = 0;
		status = window_add(w, &next, first, piece_at(first, positions, in->count));
		for (at = 0; at < next.count && !status; at++)
			if (next.care[at] != EL_CARE_NOT) {
				*out = next.symbols[at];
				window_close(&next);
				return EL_OK;
			}
	}
	window_close(&next);
	return status;
}

enum el_status filling_go_on(struct writer *w, unsigned plane, struct filling *f, uint64_t first,
                             size_t count)
{
	const struct el_codec_params params = table_codec_params(&w->header, plane);
	const uint64_t reach = el_fill_reach(f->way, w->header.plane[plane].numbering.row);
	struct window *in = &w->window;
	enum el_status status = EL_OK;
	if (f->whole)
		return EL_OK;
	if (!first)
		status = window_make(w, (size_t)reach + count, true, in);
	if (status)
		return status;
	/* Keep as many symbols before the next ones as the fill looks back to. */
	const size_t have = in->before + in->count;
	in->before = reach < have ? (size_t)reach : have;
	in->count = 0;
	memmove(in->symbols, in->symbols + have - in->before, in->before * sizeof *in->symbols);
	in->first = first;
	status = window_add(w, in, first, count);
	if (!first && reach && !status)
		status = find_first(w, plane, &f->first);
	if (status || f->way == EL_WAY_NONE || f->way == EL_WAY_CODEC)
		return status;
	const struct el_codec_plane part = window_plane(w, plane, in);
	el_fill_piece(f->way, &params, &part, in->before, f->first);
	return window_check(w);
}

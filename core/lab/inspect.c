/* SPDX-License-Identifier: MIT */
/* The block inspector: a table's values before the fill, after it, and as the codec wrote them. */
#include "run.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct el_lab_inspector {
	struct slice_ground slice;
	struct el_table *table;
	struct file file;
	/* by number in the file: symbols of the planes; 0 if there is no position */
	uint16_t *before[2];
	uint8_t *care[2]; /* by number: enum el_care */
};

static enum el_status out_of_memory(const struct el_lab_inspector *in, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory", in->slice.planes.slice.name);
}

/* ---- the table ---- */

/* The path of a table of the user's with these options, which the caller frees; null if there is
   none, or without memory. */
static char *find_written(const struct el_lab_inspector *in, const struct el_table_options *options)
{
	const struct el_planes *planes = &in->slice.planes;
	struct el_entry *entries;
	size_t count;
	char *path = NULL;
	if (el_library_list(in->slice.library, &entries, &count, NULL))
		return NULL;
	for (size_t i = 0; i < count && !path; i++) {
		const struct el_entry *e = &entries[i];
		struct el_table *table;
		if (!e->ours || e->metric != planes->metric ||
		    !el_slice_equal(&e->slice, &planes->slice) ||
		    el_table_open(e->path, &table, NULL))
			continue;
		const struct el_table_options *has = &el_table_info(table)->options;
		bool same =
			has->codec.codec == options->codec.codec &&
			has->block_positions == options->block_positions &&
			has->fill == options->fill && has->derive == options->derive &&
			!memcmp(has->codec.option, options->codec.option, sizeof has->codec.option);
		for (unsigned p = 0; p < 2; p++) /* an omitted plane has no order in the file */
			same &= !el_table_keeps(has, p) ||
			        !memcmp(&has->order[p], &options->order[p], sizeof has->order[p]);
		if (same)
			path = strdup(e->path);
		el_table_close(table);
	}
	el_entries_free(entries, count);
	return path;
}

/* ---- values by number ---- */

static enum el_status place_values(struct el_lab_inspector *in, struct el_error *error)
{
	const struct el_slice *slice = &in->slice.planes.slice;
	const struct el_table_options *options = &in->file.header.info.options;
	const bool derives = options->derive & EL_DERIVE_CAPTURES;
	const bool outcomes = options->derive & EL_DERIVE_OUTCOMES;
	for (unsigned p = 0; p < slice->planes; p++) {
		const struct numbering *numbering = &in->file.header.plane[p].numbering;
		const struct el_plane *plane = &in->slice.planes.plane[p];
		const uint64_t positions = in->file.header.info.positions[p];
		in->before[p] = calloc(positions, sizeof *in->before[p]);
		in->care[p] = malloc(positions);
		if (!positions)
			continue; /* omitted plane */
		if (!in->before[p] || !in->care[p])
			return out_of_memory(in, error);
		memset(in->care[p], EL_CARE_NOT, positions);
		for (uint64_t i = 0; i < slice->positions; i++) {
			const uint64_t n = numbering_of_index(numbering, slice, i);
			in->before[p][n] = plane->symbols[i];
			const struct el_value v = el_plane_value(plane, i);
			const bool is_told =
				outcomes && (v.outcome == EL_DRAW ||
			                     (v.outcome > EL_DRAW && plane->derivable[i]));
			if (plane->symbols[i] && !is_told)
				in->care[p][n] = derives && plane->derivable[i] ? EL_CARE_AT_MOST
				                                                : EL_CARE_EXACT;
		}
	}
	return EL_OK;
}

/* ---- opening and closing ---- */

enum el_status el_lab_inspect_open(struct el_library *library, const struct el_slice *slice,
                                   const struct el_metric *metric,
                                   const struct el_table_options *options,
                                   const struct el_watch *watch, struct el_lab_inspector **out,
                                   struct el_error *error)
{
	struct el_lab_inspector *in = calloc(1, sizeof *in);
	if (!in)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	struct el_table_options prepared;
	char *path = NULL;
	enum el_status status = slice_open(library, slice, metric, NULL, watch, &in->slice, error);
	if (status == EL_IO) { /* nothing is timed, so any disk will do */
		slice_close(&in->slice);
		status = slice_open(library, slice, metric, el_temporary_parent(), watch,
		                    &in->slice, error);
	}
	if (!status)
		status = slice_options(&in->slice, options, watch, &prepared, error);
	if (!status)
		path = find_written(in, &prepared);
	if (!status && !path)
		status = el_table_write(in->slice.folder.table, &in->slice.planes, &prepared, watch,
		                        NULL, error);
	const char *table = path ? path : in->slice.folder.table;
	if (!status)
		status = file_read(table, &in->file, error);
	if (!status)
		status = el_table_open(table, &in->table, error);
	free(path);
	if (!status)
		status = place_values(in, error);
	if (status)
		el_lab_inspect_close(in);
	else
		*out = in;
	return status;
}

void el_lab_inspect_close(struct el_lab_inspector *in)
{
	if (!in)
		return;
	el_table_close(in->table);
	file_free(&in->file);
	slice_close(&in->slice);
	for (unsigned p = 0; p < 2; p++) {
		free(in->before[p]);
		free(in->care[p]);
	}
	free(in);
}

uint64_t el_lab_inspect_blocks(const struct el_lab_inspector *in)
{
	return in->file.header.info.block_count;
}

static uint64_t count_runs(const struct el_value *values, size_t count)
{
	uint64_t runs = count > 0;
	for (size_t i = 1; i < count; i++)
		runs += !el_value_equal(values[i], values[i - 1]);
	return runs;
}

/* ---- a block's bytes ---- */

/* Growing lists of tokens and their questions. */
struct token_list {
	struct el_codec_token *tokens;
	struct el_codec_question *questions;
	size_t count, question_count;
	bool full; /* no memory for more */
};

static void add_token(void *context, const struct el_codec_token *token)
{
	struct token_list *list = context;
	list->full |= !array_grow(&list->tokens, list->count, 1, sizeof *list->tokens) ||
	              !array_grow(&list->questions, list->question_count, token->questions,
	                          sizeof *list->questions);
	if (list->full)
		return;
	for (unsigned i = 0; i < token->questions; i++)
		list->questions[list->question_count++] = token->question[i];
	list->tokens[list->count++] = *token;
}

static enum el_status tell_tokens(const struct el_lab_inspector *in, struct el_lab_block *out,
                                  struct el_error *error)
{
	const struct table_header *h = &in->file.header;
	const struct el_codec *codec = h->info.options.codec.codec;
	const struct el_codec_params params = table_codec_params(h, out->plane);
	struct token_list list = {0};
	void *coder;
	if (!codec->tokens)
		return EL_OK;
	enum el_status status = codec->open(&params, in->file.learned[out->plane],
	                                    h->plane[out->plane].learned, &coder, error);
	if (status)
		return status;
	if (codec->begin)
		codec->begin(coder, out->first);
	status = codec->tokens(coder, out->bytes, out->size, out->count, add_token, &list, error);
	codec->close(coder);
	/* Link tokens to their questions now that the list no longer moves. */
	struct el_codec_question *next = list.questions;
	for (size_t i = 0; i < list.count; i++) {
		list.tokens[i].question = next;
		next += list.tokens[i].questions;
	}
	out->tokens = list.tokens;
	out->token_count = list.count;
	out->questions = list.questions;
	return !status && list.full ? out_of_memory(in, error) : status;
}

const char *el_lab_block_pieces(const struct el_lab_block *b, size_t at,
                                char out[EL_LAB_PIECES_MAX])
{
	struct numbering numbering;
	struct el_digits digits;
	out[0] = '\0';
	const struct el_game *game = b->slice.game;
	if (!game->stand || numbering_make(&b->slice, &b->options.order[b->plane], &numbering) ||
	    !numbering.count)
		return out;
	game->digits(&b->slice, &digits);
	for (unsigned d = 0; d < digits.count; d++) {
		uint8_t square[EL_PIECES_MAX];
		game->stand(&b->slice, d,
		            (uint32_t)((b->first + at) / numbering.weight[d] % digits.radix[d]),
		            square);
		for (unsigned i = 0; i < digits.pieces[d]; i++) {
			char name[4];
			game->square_name(game->stands_on ? game->stands_on(square[i]) : square[i],
			                  name);
			el_text_add(out, EL_LAB_PIECES_MAX, "%s%c%s", *out ? " " : "",
			            digits.letter[d], name);
		}
	}
	return out;
}

double el_lab_token_bits(const struct el_codec_token *token)
{
	double bits = 0;
	for (unsigned i = 0; i < token->questions; i++)
		bits += el_codec_question_bits(&token->question[i]);
	return bits;
}

/* ---- a block ---- */

/* Sets the figures of a block. */
static enum el_status sum_up(const struct el_lab_inspector *in, uint16_t *symbols, uint16_t base,
                             struct el_lab_block *out, struct el_error *error)
{
	uint32_t *frequency = calloc(UINT16_MAX + 1, sizeof *frequency);
	if (!frequency)
		return out_of_memory(in, error);
	/* Bits per symbol if each is coded by its frequency alone (Shannon 1948). */
	double bits = 0;
	for (size_t i = 0; i < out->count; i++)
		frequency[symbols[i]]++;
	for (size_t i = 0; i < out->count; i++) {
		uint32_t *f = &frequency[symbols[i]];
		if (*f)
			bits -= *f * log2((double)*f / (double)out->count);
		*f = 0;
	}
	out->entropy_after = bits / (double)out->count;
	free(frequency);
	struct el_lab_forecast *f = &out->forecast;
	for (size_t i = 0; i < out->token_count; i++) {
		const struct el_codec_token *t = &out->tokens[i];
		if (!t->predicts || !t->questions || t->guess < 0)
			continue;
		const bool right = el_value_equal(out->values[t->guess], out->after[t->first]);
		*(right ? &f->right : &f->wrong) += 1;
		*(right ? &f->right_bits : &f->wrong_bits) += el_lab_token_bits(t);
	}
	out->runs_before = count_runs(out->before, out->count);
	out->runs_after = count_runs(out->after, out->count);
	for (size_t i = 0; i < out->count; i++)
		symbols[i] = (uint16_t)(symbols[i] - base);
	/* The size of the same symbols under `raw`. */
	const struct el_codec *raw = el_codec_find("raw");
	struct el_codec_params params = table_codec_params(&in->file.header, out->plane);
	memset(params.option, 0, sizeof params.option);
	for (unsigned i = 0; i < raw->option_count; i++)
		params.option[i] = raw->options[i].usual;
	const size_t room = raw->bound(&params, out->count);
	uint8_t *bytes = malloc(room + 1);
	void *coder;
	enum el_status status =
		bytes ? raw->open(&params, NULL, 0, &coder, error) : out_of_memory(in, error);
	if (!status) {
		status = raw->encode(coder, symbols, out->count, bytes, room, &out->raw_bytes,
		                     error);
		raw->close(coder);
	}
	free(bytes);
	return status;
}

enum el_status el_lab_inspect(struct el_lab_inspector *in, uint64_t block, struct el_lab_block *out,
                              struct el_error *error)
{
	if (block >= in->file.header.info.block_count)
		return el_fail(error, EL_USAGE, "block %llu: expected one below %llu",
		               (unsigned long long)block,
		               (unsigned long long)in->file.header.info.block_count);
	const struct el_table_info *info = &in->file.header.info;
	*out = (struct el_lab_block){
		.slice = info->slice,
		.metric = info->metric,
		.options = info->options,
		.block = block,
		.block_count = info->block_count,
		.plane = block >= blocks_in_plane(info, 0),
		.count = el_table_block_count(in->table, block),
	};
	const struct table_plane *file = &in->file.header.plane[out->plane];
	out->first = (block - file->first_block) * info->options.block_positions;
	out->learned = file->learned;
	out->value_count = file->value_count;
	uint16_t *symbols = malloc(out->count * sizeof *symbols);
	out->before = malloc(out->count * sizeof *out->before);
	out->after = malloc(out->count * sizeof *out->after);
	out->care = malloc(out->count);
	out->values = malloc((out->value_count + 1) * sizeof *out->values);
	enum el_status status = symbols && out->before && out->after && out->care && out->values
	                                ? el_table_read_block(in->table, block, symbols, error)
	                                : out_of_memory(in, error);
	if (!status)
		status = el_table_read_bytes(in->table, out->block, &out->bytes, &out->size, error);
	if (!status)
		status = tell_tokens(in, out, error);
	/* The table's symbols and values have broken first; the codec may have no symbol for it. */
	const uint16_t base = table_symbol_base(file),
		       *before = in->before[out->plane] + out->first;
	uint32_t count;
	const struct el_value *values = el_table_values(in->table, out->plane, &count);
	for (size_t i = 0; !status && i < out->count; i++) {
		out->before[i] = in->slice.planes.plane[out->plane].values[before[i]];
		out->after[i] = values[symbols[i]];
	}
	if (!status) {
		memcpy(out->care, in->care[out->plane] + out->first, out->count);
		memcpy(out->values, values + base, out->value_count * sizeof *values);
		status = sum_up(in, symbols, base, out, error);
	}
	free(symbols);
	if (status)
		el_lab_block_free(out);
	return status;
}

void el_lab_block_free(struct el_lab_block *block)
{
	free(block->before);
	free(block->care);
	free(block->after);
	free(block->bytes);
	free(block->tokens);
	free(block->questions);
	free(block->values);
	*block = (struct el_lab_block){0};
}

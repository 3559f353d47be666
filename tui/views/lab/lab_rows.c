/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The candidates of Lab: from words to rows, sorting, the Pareto front. */
#include "core/base/array.h"
#include "lab.h"

#include "tui/text/lab/candidates.h"
#include "tui/text/numbers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The initial candidates show what filling, orders and captures gain, and where larger blocks stop
   paying off. Those without their codec are left out. */
static const char *const story[] = {
	"raw 16K none",   "rle 4K none",     "rle 4K best",
	"zstd:9 1K best", "zstd:9 16K best", "zstd:9 256K best",
	"xz:6 64K best",  "pairs 4K best",   "pairs 4K best order best captures",
};

/* ---- one row ---- */

const struct lab_row *lab_selected(const struct lab *lab)
{
	return lab->list.at < lab->list.count ? &lab->rows[lab->list.at] : NULL;
}

const struct el_lab_result *lab_figures(const struct lab *lab, const struct lab_row *row)
{
	const struct el_lab_result *result = &row->result[lab->workload];
	bool good = row->state[lab->workload] == LAB_MEASURED && !result->status;
	return good ? result : NULL;
}

const struct el_lab_candidate *lab_candidate(const struct lab *lab, const struct lab_row *row)
{
	const struct el_lab_result *result = lab_figures(lab, row);
	return result ? &result->candidate : &row->candidate;
}

struct el_table_options lab_options(const struct lab *lab)
{
	const struct lab_row *row = lab_selected(lab);
	return row && !row->candidate.foreign ? row->candidate.options : el_table_options_default();
}

bool lab_row_insert(struct lab *lab, int at, const struct el_lab_candidate *candidate)
{
	if (!array_grow(&lab->rows, (size_t)lab->list.count, 1, sizeof *lab->rows))
		return false;
	struct lab_row *row = &lab->rows[at];
	memmove(row + 1, row, (size_t)(lab->list.count - at) * sizeof *row);
	*row = (struct lab_row){.candidate = *candidate};
	lab->list.at += lab->list.count && at <= lab->list.at;
	lab->list.count++;
	lab->form.row += at <= lab->form.row;
	lab->sort = LAB_UNSORTED;
	return true;
}

/* Selects the row of a candidate; false if there is none. */
static bool find_row(struct lab *lab, const struct el_lab_candidate *candidate)
{
	char wanted[192], found[192];
	el_lab_candidate_format(&lab->slice, candidate, wanted, sizeof wanted);
	for (int i = 0; i < lab->list.count; i++) {
		el_lab_candidate_format(&lab->slice, &lab->rows[i].candidate, found, sizeof found);
		if (strcmp(found, wanted))
			continue;
		lab->list.at = i;
		return true;
	}
	return false;
}

bool lab_row_add(struct lab *lab, const struct el_lab_candidate *candidate)
{
	const int at = lab->list.count ? lab->list.at + 1 : 0;
	const bool added = lab_row_insert(lab, at, candidate);
	if (added)
		lab->list.at = at;
	return added;
}

void lab_row_change(struct lab *lab, int row, const struct el_table_options *options)
{
	lab->rows[row] = (struct lab_row){.candidate.options = *options};
	lab_rows_mark(lab);
}

void lab_row_remove(struct lab *lab, int row)
{
	lab->list.count--;
	lab->form.row = -1; /* row numbers have changed */
	memmove(&lab->rows[row], &lab->rows[row + 1],
	        (size_t)(lab->list.count - row) * sizeof *lab->rows);
	list_set(&lab->list, lab->list.at);
	lab_rows_mark(lab);
}

void lab_rows_forget(struct lab *lab)
{
	for (int i = 0; i < lab->list.count; i++) {
		struct el_lab_candidate candidate = lab->rows[i].candidate;
		lab->rows[i] = (struct lab_row){.candidate = candidate};
	}
	memset(lab->has_ground, 0, sizeof lab->has_ground);
	for (int w = 0; w < EL_WORKLOADS; w++)
		slices_free(&lab->summed[w]);
	lab->sort = LAB_UNSORTED;
}

/* ---- from words ---- */

/* The values that a line's words give for each part of a candidate. */
enum part { CODEC, BLOCK, FILL, ORDER, DERIVE, PARTS };
enum { PART_TEXT = 192 };

struct parts {
	char text[PARTS][PART_TEXT]; /* comma-separated; empty: not given */
};

static enum part part_of(const char *word)
{
	char first[PART_TEXT];
	snprintf(first, sizeof first, "%.*s", (int)strcspn(word, ","), word);
	enum el_fill fill;
	enum el_derive derive;
	return isdigit((unsigned char)*word)            ? BLOCK
	       : !el_fill_parse(first, &fill, NULL)     ? FILL
	       : !el_derive_parse(first, &derive, NULL) ? DERIVE
	                                                : CODEC;
}

static enum el_status sort_words(const char *words, struct parts *out, struct el_error *error)
{
	bool orders = false; /* the previous word was "order" */
	*out = (struct parts){0};
	for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
		char word[PART_TEXT];
		snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
		at += strcspn(at, " ");
		bool was_order = orders;
		orders = !was_order && !strcmp(word, "order");
		if (orders)
			continue;
		char *part = out->text[was_order ? ORDER : part_of(word)];
		if (*part)
			return el_fail(error, EL_USAGE,
			               "'%s' after '%s': expected a comma between them", word,
			               part);
		snprintf(part, PART_TEXT, "%s", word);
	}
	return orders ? el_fail(error, EL_USAGE,
	                        "order: expected index, best, smallest or the pieces, found "
	                        "nothing")
	              : EL_OK;
}

/* Adds the candidates that the words name; parts that they omit are like these. */
static enum el_status add(struct lab *lab, const char *words, const struct el_table_options *like,
                          size_t *count, struct el_error *error)
{
	struct parts parts;
	const struct lab_lists lists = {parts.text[CODEC], parts.text[BLOCK], parts.text[FILL],
	                                parts.text[ORDER], parts.text[DERIVE]};
	struct lab_candidates found = {0};
	enum el_status status = sort_words(words, &parts, error);
	*count = 0;
	if (status)
		return status;
	/* Take omitted parts from `like`. */
	struct parts all;
	el_codec_format(&like->codec, all.text[CODEC]);
	block_text(like->block_positions, all.text[BLOCK]);
	snprintf(all.text[FILL], PART_TEXT, "%s", el_fill_names[like->fill]);
	el_order_format(&lab->slice, like, all.text[ORDER]);
	snprintf(all.text[DERIVE], PART_TEXT, "%s", el_derive_name(like->derive));
	for (int i = 0; i < PARTS; i++)
		if (!parts.text[i][0])
			memcpy(parts.text[i], all.text[i], PART_TEXT);
	status = lab_candidates_parse(&lists, lab->slice.game ? &lab->slice : NULL, &found, error);
	if (found.count == 1 && find_row(lab, &found.list[0]))
		found.count = 0;
	for (; !status && *count < found.count; ++*count)
		if (!lab_row_add(lab, &found.list[*count]))
			status = el_fail(error, EL_MEMORY, "out of memory");
	lab_candidates_free(&found);
	return status;
}

enum el_status lab_rows_add(struct lab *lab, const char *words, size_t *count,
                            struct el_error *error)
{
	const struct el_table_options like = lab_options(lab);
	const enum el_status status = add(lab, words, &like, count, error);
	if (*count)
		list_set(&lab->list, lab->list.at - (int)*count + 1);
	return status;
}

/* A missing codec is not an error. */
enum el_status lab_rows_open(struct lab *lab, struct el_error *error)
{
	struct el_table_options plain = el_table_options_default();
	enum el_status status = EL_OK;
	for (size_t i = 0; i < sizeof story / sizeof *story && status != EL_MEMORY; i++) {
		size_t count;
		status = add(lab, story[i], &plain, &count, error);
	}
	lab->list.at = 0;
	return status == EL_MEMORY ? status : EL_OK;
}

/* ---- sorting ---- */

struct sorting {
	const struct lab *lab;
	enum lab_column column;
};

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Foreign files come after all of ours. */
static int compare_candidates(const struct sorting *s, const struct el_lab_candidate *one,
                              const struct el_lab_candidate *other)
{
	const struct el_table_options *a = &one->options, *b = &other->options;
	if (one->foreign || other->foreign)
		return !other->foreign - !one->foreign;
	switch (s->column) {
	case LAB_CODEC: {
		int names = strcmp(a->codec.codec->name, b->codec.codec->name);
		for (int i = 0; i < EL_CODEC_OPTIONS_MAX && !names; i++)
			names = compare_numbers(a->codec.option[i], b->codec.option[i]);
		return names;
	}
	case LAB_BLOCK:
		return compare_numbers(a->block_positions, b->block_positions);
	case LAB_FILL:
		return compare_numbers(a->fill, b->fill);
	case LAB_ORDER: {
		char first[EL_ORDER_TEXT], second[EL_ORDER_TEXT];
		el_order_format(&s->lab->slice, a, first);
		el_order_format(&s->lab->slice, b, second);
		return strcmp(first, second);
	}
	case LAB_DERIVE:
		return compare_numbers(a->derive, b->derive);
	default:
		return 0;
	}
}

static double figure(const struct sorting *s, const struct el_lab_result *r)
{
	const struct el_latency *l = &r->latency[s->lab->regime];
	return s->column == LAB_BITS    ? r->bits_per_position
	       : s->column == LAB_BYTES ? (double)r->bytes
	       : s->column == LAB_P50   ? l->p50
	                                : l->p99;
}

static int compare_rows(const void *one, const void *other, void *context)
{
	const struct sorting *s = context;
	const struct lab_row *a = *(const struct lab_row *const *)one,
			     *b = *(const struct lab_row *const *)other;
	const struct el_lab_result *first = lab_figures(s->lab, a),
				   *second = lab_figures(s->lab, b);
	const int by = s->column < LAB_BITS ? compare_candidates(s, lab_candidate(s->lab, a),
	                                                         lab_candidate(s->lab, b))
	               : !first || !second  ? !first - !second
	                                    : compare_numbers(figure(s, first), figure(s, second));
	return by ? by : (a > b) - (a < b); /* otherwise in their previous order */
}

bool lab_rows_sort(struct lab *lab, enum lab_column column)
{
	size_t count = (size_t)lab->list.count;
	struct sorting s = {lab, column};
	struct lab_row **order = malloc((count + 1) * sizeof *order),
		       *sorted = malloc((count + 1) * sizeof *sorted);
	const bool has_room = order && sorted;
	for (size_t i = 0; i < count && order; i++)
		order[i] = &lab->rows[i];
	if (has_room) {
		const struct lab_row *selected = lab_selected(lab);
		qsort_r(order, count, sizeof(struct lab_row *), compare_rows, &s);
		for (size_t i = 0; i < count; i++) {
			sorted[i] = *order[i];
			if (order[i] == selected)
				lab->list.at = (int)i;
		}
		memcpy(lab->rows, sorted, count * sizeof *sorted);
		lab->sort = column;
		lab->form.row = -1;
	}
	free(order);
	free(sorted);
	return has_room;
}

/* ---- the front ---- */

void lab_rows_mark(struct lab *lab)
{
	size_t count = 0, next = 0;
	/* The results of the shown workload; null without memory. */
	struct el_lab_result *results = malloc(((size_t)lab->list.count + 1) * sizeof *results);
	for (int i = 0; i < lab->list.count && results; i++)
		if (lab->rows[i].state[lab->workload] == LAB_MEASURED)
			results[count++] = lab->rows[i].result[lab->workload];
	if (results)
		el_lab_pareto(results, count, lab->regime, lab->time);
	for (int i = 0; i < lab->list.count; i++)
		if (lab->rows[i].state[lab->workload] == LAB_MEASURED)
			lab->rows[i].result[lab->workload].pareto =
				results && results[next++].pareto;
	free(results);
}

/* Row positions decide between rows of equal size. */
static bool comes_before(const struct lab *lab, int a, int b)
{
	double first = lab_figures(lab, &lab->rows[a])->bits_per_position,
	       second = lab_figures(lab, &lab->rows[b])->bits_per_position;
	return first < second || (first == second && a < b);
}

int lab_row_beside(const struct lab *lab, int by, bool front)
{
	int here = lab->list.at, best = -1;
	bool is_shown = here < lab->list.count && lab_figures(lab, &lab->rows[here]);
	for (int i = 0; i < lab->list.count; i++) {
		const struct el_lab_result *r = lab_figures(lab, &lab->rows[i]);
		if (!r || (front && !r->pareto) || i == here)
			continue;
		bool ahead = !is_shown || (by > 0) == comes_before(lab, here, i);
		bool nearer = best < 0 || (by > 0) == comes_before(lab, i, best);
		if (ahead && nearer)
			best = i;
	}
	return best;
}

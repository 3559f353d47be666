/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CANDIDATES_MAX = 10000,
	ENTRY_MAX = 64,
	CODECS_TEXT = 1024,
};

/* A candidate under construction. */
struct candidate {
	struct el_table_options options;
	char codec[EL_CODEC_TEXT];
};

/* ---- one entry of a list ---- */

static enum el_status set_codec(const char *text, const struct el_slice *slice,
                                struct candidate *out, struct el_error *error)
{
	(void)slice;
	snprintf(out->codec, sizeof out->codec, "%s", text);
	return el_codec_parse(text, &out->options.codec, error);
}

static enum el_status set_block(const char *text, const struct el_slice *slice,
                                struct candidate *out, struct el_error *error)
{
	(void)slice;
	return el_block_parse(text, &out->options.block_positions, error);
}

static enum el_status set_fill(const char *text, const struct el_slice *slice,
                               struct candidate *out, struct el_error *error)
{
	(void)slice;
	return el_fill_parse(text, &out->options.fill, error);
}

static enum el_status set_order(const char *text, const struct el_slice *slice,
                                struct candidate *out, struct el_error *error)
{
	return el_order_parse(text, slice, &out->options, error);
}

static enum el_status set_derive(const char *text, const struct el_slice *slice,
                                 struct candidate *out, struct el_error *error)
{
	(void)slice;
	return el_derive_parse(text, &out->options.derive, error);
}

/* ---- the product ---- */

/* A comma-separated list, and how an entry of it sets its part of a candidate. */
struct dimension {
	const char *option, *list;
	enum el_status (*set)(const char *text, const struct el_slice *, struct candidate *,
	                      struct el_error *);
};

struct product {
	struct candidate *list; /* owned */
	size_t count;
};

/* The next entry of a list; false at its end. */
static bool next_entry(const char **list, char out[ENTRY_MAX])
{
	const size_t length = strcspn(*list, ",");
	snprintf(out, ENTRY_MAX, "%.*s", (int)(length < ENTRY_MAX ? length : ENTRY_MAX - 1), *list);
	const bool more = (*list)[length];
	*list += length + more;
	return more;
}

static enum el_status check_entries(const char *option, const char *list, size_t *count,
                                    struct el_error *error)
{
	char entry[ENTRY_MAX];
	const char *rest = list;
	bool more = true;
	for (*count = 0; more; ++*count) {
		more = next_entry(&rest, entry);
		if (!*entry)
			return el_fail(error, EL_USAGE,
			               "%s '%s': expected entries with commas between them, "
			               "found an empty one",
			               option, list);
	}
	return EL_OK;
}

/* Combines each candidate with each entry of the list. */
static enum el_status multiply(struct product *product, const struct dimension *d,
                               const struct el_slice *slice, struct el_error *error)
{
	size_t entries, count = 0;
	enum el_status status = check_entries(d->option, d->list, &entries, error);
	if (status)
		return status;
	if (product->count * entries > CANDIDATES_MAX)
		return el_fail(error, EL_USAGE, "%zu candidates: expected at most %d",
		               product->count * entries, CANDIDATES_MAX);
	struct candidate *all = calloc(product->count * entries, sizeof *all);
	if (!all)
		return el_fail(error, EL_MEMORY, "the candidates: out of memory");
	for (size_t i = 0; i < product->count && !status; i++) {
		const char *rest = d->list;
		char entry[ENTRY_MAX];
		for (size_t k = 0; k < entries && !status; k++, count++) {
			next_entry(&rest, entry);
			all[count] = product->list[i];
			status = d->set(entry, slice, &all[count], error);
		}
	}
	free(product->list);
	*product = (struct product){all, count};
	return status;
}

enum el_status lab_candidates_parse(const struct lab_lists *lists, const struct el_slice *slice,
                                    struct lab_candidates *out, struct el_error *error)
{
	char codecs[CODECS_TEXT] = "";
	const struct dimension dimensions[] = {
		{"--codecs", lists->codecs ? lists->codecs : codecs, set_codec},
		{"--blocks", lists->blocks ? lists->blocks : "1K,16K", set_block},
		{"--fills", lists->fills ? lists->fills : "none,best", set_fill},
		{"--orders", lists->orders ? lists->orders : "index", set_order},
		{"--derive", lists->derive ? lists->derive : "nothing", set_derive},
	};
	const struct el_codec *codec;
	size_t used = 0;
	for (size_t i = 0; (codec = el_codec_at(i)) && used < CODECS_TEXT; i++)
		used += (size_t)snprintf(codecs + used, CODECS_TEXT - used, "%s%s", i ? "," : "",
		                         codec->name);
	struct product product = {.list = calloc(1, sizeof *product.list), .count = 1};
	enum el_status status =
		product.list ? EL_OK : el_fail(error, EL_MEMORY, "the candidates: out of memory");
	*out = (struct lab_candidates){0};
	for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions && !status; i++)
		status = multiply(&product, &dimensions[i], slice, error);
	if (!status) {
		out->list = calloc(product.count, sizeof *out->list);
		out->codec = calloc(product.count, sizeof *out->codec);
		if (!out->list || !out->codec)
			status = el_fail(error, EL_MEMORY, "the candidates: out of memory");
	}
	for (; !status && out->count < product.count; out->count++) {
		out->list[out->count].options = product.list[out->count].options;
		memcpy(out->codec[out->count], product.list[out->count].codec, EL_CODEC_TEXT);
	}
	free(product.list);
	return status;
}

/* ---- foreign files ---- */

bool lab_candidates_have(const struct lab_candidates *c, const struct el_source_ops *kind)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].foreign == kind)
			return true;
	return false;
}

static bool add_kind(struct lab_candidates *c, const struct el_source_ops *kind)
{
	struct el_lab_candidate *list = realloc(c->list, (c->count + 1) * sizeof *list);
	if (list)
		c->list = list;
	char(*codec)[EL_CODEC_TEXT] = realloc(c->codec, (c->count + 1) * sizeof *codec);
	if (codec)
		c->codec = codec;
	if (!list || !codec)
		return false;
	list[c->count] = (struct el_lab_candidate){.foreign = kind};
	codec[c->count++][0] = '\0';
	return true;
}

enum el_status lab_candidates_add_foreign(struct lab_candidates *candidates,
                                          const struct el_entry *entries, size_t count,
                                          const struct el_slice *slice,
                                          const struct el_metric *metric, struct el_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const struct el_source_ops *kind = el_lab_foreign(&entries[i], slice, metric);
		if (kind && !lab_candidates_have(candidates, kind) && !add_kind(candidates, kind))
			return el_fail(error, EL_MEMORY, "the candidates: out of memory");
	}
	return EL_OK;
}

const char *lab_codec_text(const struct el_lab_candidate *candidate, char out[EL_CODEC_TEXT])
{
	const struct el_lab_candidate kind = {.foreign = candidate->foreign};
	if (candidate->foreign)
		el_lab_candidate_format(NULL, &kind, out, EL_CODEC_TEXT);
	else
		el_codec_format(&candidate->options.codec, out);
	return out;
}

void lab_candidates_free(struct lab_candidates *candidates)
{
	free(candidates->list);
	free(candidates->codec);
	*candidates = (struct lab_candidates){0};
}

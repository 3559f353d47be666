/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "candidates.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CANDIDATES_MAX = 10000,
	ENTRY_MAX = 64,
	CODECS_TEXT = 1024,
};

/* The lists, in the order in which they are multiplied. */
enum part { CODECS, BLOCKS, FILLS, ORDERS, DERIVE, PARTS };

/* Sets what an entry of a list says. */
static enum el_status set(enum part part, const char *text, const struct el_slice *slice,
                          struct el_table_options *out, char codec[EL_CODEC_TEXT],
                          struct el_error *error)
{
	switch (part) {
	case CODECS:
		snprintf(codec, EL_CODEC_TEXT, "%s", text);
		return el_codec_parse(text, &out->codec, error);
	case BLOCKS:
		return el_block_parse(text, &out->block_positions, error);
	case FILLS:
		return el_fill_parse(text, &out->fill, error);
	case ORDERS:
		return el_order_parse(text, slice, out, error);
	default:
		return el_derive_parse(text, &out->derive, error);
	}
}

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
static enum el_status multiply(struct lab_candidates *c, enum part part, const char *list,
                               const struct el_slice *slice, struct el_error *error)
{
	static const char *const options[PARTS] = {"--codecs", "--blocks", "--fills", "--orders",
	                                           "--derive"};
	size_t entries;
	enum el_status status = check_entries(options[part], list, &entries, error);
	if (status)
		return status;
	const size_t count = c->count * entries;
	if (count > CANDIDATES_MAX)
		return el_fail(error, EL_USAGE, "%zu candidates: expected at most %d", count,
		               CANDIDATES_MAX);
	struct lab_candidates all = {0};
	if (!array_grow(&all.list, 0, count, sizeof *all.list) ||
	    !array_grow(&all.codec, 0, count, sizeof *all.codec))
		status = el_fail(error, EL_MEMORY, "the candidates: out of memory");
	for (size_t i = 0; i < c->count && !status; i++) {
		const char *rest = list;
		char entry[ENTRY_MAX];
		for (size_t k = 0; k < entries && !status; k++, all.count++) {
			next_entry(&rest, entry);
			all.list[all.count] = c->list[i];
			memcpy(all.codec[all.count], c->codec[i], EL_CODEC_TEXT);
			status = set(part, entry, slice, &all.list[all.count].options,
			             all.codec[all.count], error);
		}
	}
	lab_candidates_free(c);
	*c = all;
	return status;
}

enum el_status lab_candidates_parse(const struct lab_lists *lists, const struct el_slice *slice,
                                    struct lab_candidates *out, struct el_error *error)
{
	char codecs[CODECS_TEXT] = "";
	const char *const all[PARTS] = {
		lists->codecs ? lists->codecs : codecs, lists->blocks ? lists->blocks : "1K,16K",
		lists->fills ? lists->fills : "none,best", lists->orders ? lists->orders : "index",
		lists->derive ? lists->derive : "nothing"};
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++)
		el_words_add(codecs, sizeof codecs, ",", codec->name);
	*out = (struct lab_candidates){calloc(1, sizeof *out->list), calloc(1, sizeof *out->codec),
	                               1};
	enum el_status status = out->list && out->codec ? EL_OK
	                                                : el_fail(error, EL_MEMORY,
	                                                          "the candidates: out of memory");
	for (unsigned part = 0; part < PARTS && !status; part++)
		status = multiply(out, part, all[part], slice, error);
	if (status)
		lab_candidates_free(out);
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
	if (!array_grow(&c->list, c->count, 1, sizeof *c->list) ||
	    !array_grow(&c->codec, c->count, 1, sizeof *c->codec))
		return false;
	c->list[c->count] = (struct el_lab_candidate){.foreign = kind};
	c->codec[c->count++][0] = '\0';
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

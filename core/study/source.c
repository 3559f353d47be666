/* SPDX-License-Identifier: MIT */
/* A study as a source: values of positions rather than of a slice. */
#include "file.h"

#include "core/base/text.h"
#include "core/games/slice.h"
#include "core/table/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct study {
	struct el_source head;
	struct study_file file;
	struct el_cache *cache;
};

static bool covers(const struct el_source *source, const struct el_position *p)
{
	uint64_t address;
	return !p->castling && study_file_find(&((const struct study *)source)->file, p, &address);
}

static enum el_status probe(struct el_source *source, const struct el_position *p,
                            const struct el_place *place, bool soft, struct el_value *out,
                            struct el_error *error)
{
	const struct study *study = (const struct study *)source;
	struct el_value value = {.outcome = EL_BROKEN};
	uint64_t address;
	uint16_t symbol;
	(void)place;
	if (!p->castling && study_file_find(&study->file, p, &address)) {
		const enum el_status status = study_file_symbol(
			&study->file, study->cache, source->owner, address, soft, &symbol, error);
		if (status)
			return status;
		value = study->file.values[symbol];
	}
	if (value.outcome == EL_BROKEN)
		return el_fail(error, EL_NEGATIVE, "%s does not reach this position", source->path);
	*out = value;
	return EL_OK;
}

/* The promotions that are not followed, in words. */
static char *open_words(const struct study_file *f)
{
	const struct el_game *game = f->info->slice.game;
	struct el_frame key;
	char text[256] = "promotions";
	unsigned said = 0;
	f->frames->of(&f->root, &key);
	const unsigned movers = f->frames->movers(&key), most = f->frames->movers_max;
	for (unsigned n = movers + 1; n <= most; n++) {
		const unsigned all = f->frames->all_kinds, open = all & ~f->followed[n] & ~said;
		if (open == all)
			return strdup(text);
		for (unsigned k = 0, left = open; left; k++) {
			if (!(left >> k & 1))
				continue;
			left &= ~(1u << k);
			el_text_add(text, sizeof text, "%s%s",
			            open >> k == 1 && (open & (open - 1)) ? " or "
			            : open & ((1u << k) - 1)              ? ", "
			            : said                                ? ", or to a "
			                                                  : " to a ",
			            game->kind_names[k]);
		}
		if (open && n > movers + 1)
			el_text_add(text, sizeof text, " beside %u that promoted before",
			            n - movers - 1);
		said |= open;
	}
	if (!said)
		el_text_add(text, sizeof text, " beside %u other pieces", most);
	return strdup(text);
}

static void study_close(struct el_source *source)
{
	struct study *study = (struct study *)source;
	if (source->owner)
		el_cache_forget(study->cache, source->owner);
	study_file_close(&study->file);
	free(source->root);
	free(source->open);
	free(source->path);
	free(study);
}

static enum el_status study_open(const char *path, struct el_cache *cache, struct el_source **out,
                                 struct el_error *error)
{
	struct study *study = calloc(1, sizeof *study);
	if (!study || !(study->head.path = strdup(path))) {
		free(study);
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	}
	study->head.ops = &el_source_study;
	const enum el_status status = study_file_open(path, &study->file, error);
	if (status) {
		study_close(&study->head);
		return status;
	}
	const struct el_table_info *info = study->file.info;
	struct el_slice *slice = &study->head.slice;
	*slice = info->slice;
	const struct material material = slice_material(&study->file.root);
	memcpy(slice->count, material.count, sizeof slice->count);
	slice->pieces = (uint8_t)el_piece_count(&study->file.root);
	slice->positions = study->file.size.positions;
	study->head.metric = info->metric;
	study->head.form = &info->options;
	study->head.bytes = info->bytes + study_list_size(study->file.count);
	study->head.checksum = info->checksum;
	study->head.partial = study->file.size.exact < study->file.size.positions;
	snprintf(study->head.detail, sizeof study->head.detail, "%zu %s%s", study->file.size.frames,
	         study->file.size.frames == 1 ? "frame" : "frames",
	         study->head.partial ? ", bounds" : "");
	char root[EL_FEN_MAX];
	slice->game->format(&study->file.root, root);
	study->head.root = strdup(root);
	study->head.open = open_words(&study->file);
	if (!study->head.root || !study->head.open) {
		study_close(&study->head);
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	}
	study->cache = cache;
	study->head.owner = el_cache_owner(cache);
	/* Wins that tables told are in time under the usual rule, if the file does not deny it. */
	unsigned longest = 2 * EL_RULE_USUAL;
	for (uint32_t i = 0; i < study->file.value_count; i++) {
		const struct el_value v = study->file.values[i];
		if ((v.outcome == EL_WIN || v.outcome == EL_LOSS) && v.plies > longest)
			longest = v.plies;
	}
	if (info->metric->end == EL_END_ZEROING && info->metric->join == EL_JOIN_ONE &&
	    !info->metric->limit && !(study->file.followed[0] & STUDY_LATE))
		study->head.longest = longest;
	*out = &study->head;
	return EL_OK;
}

const struct el_source_ops el_source_study = {
	.kind = "study",
	.extension = ".study",
	.open = study_open,
	.covers = covers,
	.probe = probe,
	.close = study_close,
};

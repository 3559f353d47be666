/* SPDX-License-Identifier: MIT */
/* A study as a source: values of positions rather than of a slice. */
#include "file.h"

#include "core/table/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct study {
	struct el_source head;
	struct study_file file;
	const struct el_value *values;
	struct el_cache *cache;
};

static enum el_status load(void *context, uint64_t block, uint16_t *symbols, size_t count,
                           struct el_error *error)
{
	const struct study *study = context;
	return el_table_read_front(study->file.table, block, symbols, count, error);
}

static bool covers(const struct el_source *source, const struct el_position *p)
{
	uint64_t address;
	return !p->castling && study_file_find(&((const struct study *)source)->file, p, &address);
}

static enum el_status probe(struct el_source *source, const struct el_position *p,
                            const struct el_place *place, bool soft, struct el_value *out,
                            struct el_error *error)
{
	struct study *study = (struct study *)source;
	const struct el_cache_loader loader = {study, study->file.info->options.codec.codec->stops,
	                                       load};
	struct el_place there = {.plane = 0};
	struct el_table_spot spot;
	uint16_t symbol;
	(void)place;
	if (p->castling || !study_file_find(&study->file, p, &there.index))
		return el_fail(error, EL_NEGATIVE, "%s does not reach this position", source->path);
	el_table_find(study->file.table, &there, &spot);
	const enum el_status status =
		el_cache_symbol(study->cache, source->owner, spot.block, spot.count, spot.at,
	                        soft ? NULL : &loader, &symbol, error);
	if (status)
		return status;
	*out = study->values[symbol];
	if (out->outcome == EL_BROKEN || (out->outcome == EL_UNKNOWN && out->plies))
		return el_fail(error, EL_NEGATIVE, "%s does not reach this position", source->path);
	out->at_most = out->plies >= STUDY_ROUGH;
	out->plies = (uint16_t)(out->plies & ~STUDY_ROUGH);
	return EL_OK;
}

/* The promotions that are not followed, in words. */
static char *open_words(const struct study_file *f)
{
	const struct el_game *game = f->info->slice.game;
	struct el_frame key;
	char text[256] = "promotions";
	size_t used = strlen(text);
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
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
			                         open >> k == 1 && (open & (open - 1)) ? " or "
			                         : open & ((1u << k) - 1)              ? ", "
			                         : said ? ", or to a "
			                                : " to a ",
			                         game->kind_names[k]);
		}
		if (open && n > movers + 1)
			used += (size_t)snprintf(text + used, sizeof text - used,
			                         " beside %u that promoted before", n - movers - 1);
		said |= open;
	}
	if (!said)
		snprintf(text + used, sizeof text - used, " beside %u other pieces", most);
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
	uint32_t count;
	*slice = info->slice;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned k = 0; k < EL_KINDS; k++) {
			slice->count[side][k] =
				(uint8_t)__builtin_popcountll(study->file.root.set[side][k]);
			slice->pieces = (uint8_t)(slice->pieces + slice->count[side][k]);
		}
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
	study->values = el_table_values(study->file.table, 0, &count);
	/* Wins that tables told are in time under the usual rule, if the file does not deny it. */
	unsigned longest = 2 * EL_RULE_USUAL;
	for (uint32_t i = 0; i < count; i++) {
		const struct el_value v = study->values[i];
		const unsigned plies = v.plies & ~(unsigned)STUDY_ROUGH;
		if ((v.outcome == EL_WIN || v.outcome == EL_LOSS) && plies > longest)
			longest = plies;
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
